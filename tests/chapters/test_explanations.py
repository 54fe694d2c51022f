"""Exercises are explained after a pass or three tries, with code that passes."""

import re

import pytest
import yaml
from dpteach_book import katex
from IPython.core.interactiveshell import InteractiveShell

from dpteach.chapters import explained as module
from dpteach.chapters.catalog import explanation, load, names
from dpteach.chapters.explained import ENOUGH, Explained, explained, unexplained
from dpteach.chapters.grader import check
from dpteach.grading.exercise import Exercise
from tests.chapters.banks import right
from tests.public import ROOT

# Exercises that have no explanation yet. This list may only shrink.
OWED: set[str] = set()
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WRITTEN = sorted(set(names()) - OWED)
MACROS = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"][
    "dpteach_macros"
]
FORMULA = re.compile(r"`[^`]+`|\$\$(.+?)\$\$|\$([^$]+?)\$", re.DOTALL)


def faults(name, text):
    """Say what is wrong with an explanation; its code is run through the check."""
    if not text.strip():
        return ["there is none"]
    found = []
    exercise, blocks = load(name), BLOCK.findall(text)
    if len(re.findall(r"\w+", BLOCK.sub("", text))) < 60:
        found.append("it has less than 60 words")
    for match in FORMULA.finditer(BLOCK.sub("", text)):
        tex = match[1] or match[2] or ""
        if katex.typeset(tex, macros=MACROS).startswith("<code>"):
            found.append(f"KaTeX cannot read {tex}")
    if not isinstance(exercise, Exercise):
        return found
    if len(blocks) != 1:
        return [*found, f"it has {len(blocks)} blocks of code"]
    space = {"__name__": "__main__"}
    exec(blocks[0], space)
    for seed in (1, 2):
        report = exercise.grade(space[name], seed)
        if not report.passed:
            found.append(f"its code does not pass: {report.fault}")
    return found


def test_what_is_owed_is_owed():
    """The list may only shrink: what has an explanation is taken off."""
    assert set(names()) >= OWED
    assert [name for name in sorted(OWED) if explanation(name)] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_an_explanation_is_right(name):
    assert faults(name, explanation(name)) == []


def test_wrong_explanations_are_caught():
    """Power: a starter as the answer, no code, two blocks, a formula, few words."""
    good = explanation("clip")
    starter = BLOCK.sub(lambda _: f"```python\n{load('clip').starter}\n```", good)
    assert "does not pass" in " ".join(faults("clip", starter))
    assert "0 blocks" in " ".join(faults("clip", BLOCK.sub("", good)))
    assert "2 blocks" in " ".join(faults("clip", good + good))
    assert "frac" in " ".join(faults("clip", good + "$\\frac{1}{$"))
    assert "60 words" in " ".join(faults("clip", BLOCK.search(good)[0]))
    assert faults("clip", " ") == ["there is none"]


def uncut(G, C):
    """Answer ``clip``, wrongly."""
    return G + 0 * C


@pytest.fixture
def untried(monkeypatch):
    monkeypatch.setattr(module, "_tries", module.Counter())


@pytest.mark.usefixtures("untried")
def test_it_opens_after_a_pass():
    report = check("clip", right("clip")[0], seed=0)
    assert report.explanation == explanation("clip")
    assert "opens" not in repr(report)


@pytest.mark.usefixtures("untried")
def test_it_opens_after_three_tries_and_the_report_says_so():
    for left in ("2 more tries", "1 more try"):
        report = check("clip", uncut, seed=0)
        assert report.explanation == ""
        assert f"when you pass, or after {left}." in repr(report)
        assert f"when you pass, or after {left}." in report._repr_html_()
    assert check("clip", uncut, seed=0).explanation
    assert check("clip", uncut, seed=0).explanation  # and stays open
    other = check("trade_off", lambda P, Q, alpha: alpha + 0 * P @ Q, seed=0)
    assert other.explanation == ""  # each exercise counts by itself


@pytest.mark.usefixtures("untried")
def test_an_answer_of_the_wrong_kind_is_no_try():
    for _ in range(ENOUGH):
        with pytest.raises(TypeError):
            check("clip", 3)
    assert not check("clip", uncut, seed=0).explanation


@pytest.mark.usefixtures("untried")
def test_an_exercise_without_one_reports_as_ever(monkeypatch):
    monkeypatch.setattr(module, "explanation", lambda _: "")
    report = load("clip").grade(uncut, 0)
    assert explained(report) is report


@pytest.mark.usefixtures("untried")
def test_a_page_gets_the_report_alone():
    report = load("clip").grade(uncut, 0)
    assert unexplained(explained(report)) == report
    assert isinstance(explained(report), Explained)


@pytest.mark.usefixtures("untried")
def test_a_notebook_shows_it_below_the_report():
    """As Markdown, so that its formulas are set; before it opens, the report alone."""
    shell = InteractiveShell.instance()
    formatter = shell.display_formatter
    formatter.active_types = [*formatter.format_types, "text/markdown"]
    formatter.ipython_display_formatter.enabled = True
    seen = []
    shell.display_pub.publish = lambda data, *_, **__: seen.append(data)
    shut = check("clip", uncut, seed=0)
    bundle, _ = formatter.format(shut)
    assert "text/html" in bundle
    assert seen == []
    bundle, _ = formatter.format(check("clip", right("clip")[0], seed=0))
    assert bundle == {}
    assert "7 of 7" in seen[0]["text/html"]
    assert seen[1]["text/markdown"].startswith("<details>\n<summary>Explanation")
    assert "np.maximum" in seen[1]["text/markdown"]
