"""The page of cases prints what it says, and cites what it tells."""

import re
from statistics import NormalDist

from dpteach.accounting import gaussian_mu
from tests.public import ROOT

PAGE = (ROOT / "book" / "cases.md").read_text("utf-8")
RUNS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)


def test_each_case_prints_what_it_says(capsys):
    """In one session, from top to bottom."""
    assert len(RUNS) == PAGE.count("```python") == 4
    session = {}
    for code, printed in RUNS:
        exec(code, session)
        assert capsys.readouterr().out == printed


def test_what_is_printed_is_told_with_the_same_numbers():
    for number in ("8.90", "8.53", "11.33", "19.61", "17.14", "2.47"):
        assert f"${number}$" in PAGE or f"= {number}$" in PAGE


def test_right_guesses_are_compared_at_one_delta():
    """It said 55 of 100 for ε = 1, which is that of δ = 1e-5, beside one of 1e-10."""
    guesses = [100 * NormalDist().cdf(gaussian_mu(e, 1e-10) / 2) for e in (17.14, 1)]
    more, less = (round(each) for each in guesses)
    assert f"at most {more} of 100" in PAGE
    assert f"{less} of 100 of $\\varepsilon = 1$ at the same" in PAGE


def test_the_made_up_hospital_says_so():
    title, first = re.search(r"^## (A hospital.*)\n\n(.*)$", PAGE, re.M).groups()
    assert "made up" in title
    assert first.startswith("*This hospital does not exist.")


def test_every_real_case_cites_its_sources():
    for part in re.split(r"^## ", PAGE, flags=re.M)[1:]:
        assert "{cite:" in part or part.startswith("A hospital (made up)")
