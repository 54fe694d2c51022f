"""Each capstone is whole: it asks, it starts, it is marked, and its report is true."""

import json
import re

import pytest

from tests.public import ROOT

PAGES = sorted((ROOT / "book" / "capstones").glob("*.md"))
INDEX = (ROOT / "book" / "capstones.md").read_text("utf-8")
STARTERS = ROOT / "capstones"
SLOW = ("beat-the-tree", "fleet-with-dropouts", "rare-groups")  # 5 s and more
NAMES = [
    pytest.param(path.stem, marks=pytest.mark.thorough)
    if path.stem in SLOW
    else path.stem
    for path in PAGES
]


def page(name):
    return (ROOT / "book" / "capstones" / f"{name}.md").read_text("utf-8")


def part(text, title):
    """What stands below a heading."""
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.S | re.M)[1]


def milestones(text):
    """The name of each milestone, and what must be shown."""
    rows = re.findall(r"^\d\. (.*)$", part(text, "Milestones"), re.M)
    found = [
        re.fullmatch(r"\*\*(\w[\w ]*)\.\*\* .+ \*Show:\* (.+)", row) for row in rows
    ]
    assert all(found), [row for row, one in zip(rows, found, strict=True) if not one]
    return [one.groups() for one in found]


def points(text):
    """The points of each criterion, and the sum that is printed."""
    rows = re.findall(r"^\| ([^|]+) \|.*\| (\*\*)?(\d+)(\*\*)? \|$", text, re.M)
    *criteria, (name, *_, total) = [(n, int(p)) for n, _, p, _ in rows]
    assert name == "**sum**"
    return [p for _, p in criteria], total


def cells(name):
    text = (STARTERS / f"{name}.ipynb").read_text("utf-8")
    return [(c["cell_type"], "".join(c["source"])) for c in json.loads(text)["cells"]]


def test_there_are_six_and_one_page_leads_to_all():
    assert len(PAGES) == 6
    assert {path.stem for path in STARTERS.glob("*.ipynb")} == {p.stem for p in PAGES}
    for path in PAGES:
        assert f"{{doc}}`capstones/{path.stem}`" in INDEX
        assert f"</capstones/{path.stem}.ipynb>" in page(path.stem)


@pytest.mark.parametrize("name", [path.stem for path in PAGES])
def test_each_milestone_says_what_is_to_be_shown(name):
    asked = milestones(page(name))
    assert 3 <= len(asked) <= 4
    assert all(len(show.split()) >= 5 for _, show in asked)
    headings = re.findall(
        r"^## Milestone (\d): (.*)$", "\n".join(text for _, text in cells(name)), re.M
    )
    expected = [(str(k), name.lower()) for k, (name, _) in enumerate(asked, start=1)]
    assert headings == expected


@pytest.mark.parametrize("name", [path.stem for path in PAGES])
def test_each_rubric_adds_up(name):
    each, total = points(part(page(name), "Rubric"))
    assert len(each) >= 4
    assert sum(each) == total == 20


def test_a_milestone_that_asks_nothing_and_a_wrong_sum_are_noticed():
    """Power."""
    text = page("own-table")
    with pytest.raises(AssertionError):
        milestones(text.replace("*Show:*", "", 1))
    each, total = points(part(text, "Rubric").replace("| 5 |", "| 6 |", 1))
    assert sum(each) != total


@pytest.mark.parametrize("name", NAMES)
def test_each_starter_runs_from_top_to_end(name, capsys):
    session = {}
    for kind, source in cells(name):
        if kind == "code" and "find_spec" not in source:  # the package is here
            exec(source, session)
    assert capsys.readouterr().out


def numbers(text):
    """The numbers with a decimal point in a report."""
    return set(re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", text))


def reported(name):
    """The report, the code behind it and what that prints."""
    told = part(page(name), "A sample report")
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", told, re.S)
    said = "\n".join(re.findall(r"^> .*$", told, re.M))
    return said, *found.groups()


@pytest.mark.parametrize("name", NAMES)
def test_each_sample_report_prints_what_it_says(name, capsys):
    _, code, printed = reported(name)
    exec(code, {})
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("name", [path.stem for path in PAGES])
def test_each_number_of_a_report_was_computed(name):
    said, code, printed = reported(name)
    assert len(numbers(said)) >= 2
    assert numbers(said) <= numbers(printed) | numbers(code)


LABS = (ROOT / "book" / "labs.md").read_text("utf-8")


def test_each_lab_prints_what_it_says(capsys):
    runs = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", LABS, re.S)
    assert len(runs) == LABS.count("```python") == 9
    for code, printed in runs:
        exec(code, {})
        assert capsys.readouterr().out == printed


def test_the_points_of_each_lab_add_up():
    rubrics = re.findall(r"^\*Rubric, (\d) points:\* (.*)$", LABS, re.M)
    assert len(rubrics) == 12
    for total, told in rubrics:
        each = re.findall(r"\((\d)\)|\) (\d)[;,.]", told)
        assert sum(int(a or b) for a, b in each) == int(total), told
