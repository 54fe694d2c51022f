"""Every erratum is complete, and a test named after it tells the source from the truth.

The test gets the row's two numbers from ``erratum`` in ``tests/errata.py``, which runs
it twice: it must fail where the claimed number takes the place of the actual one.
"""

import ast
import json
import re
from math import isfinite

import pytest

from tests import errata
from tests.public import ROOT, table

ROWS = table("errata")
FIELDS = {
    "id", "source", "kind", "place", "printed", "ours", "witness", "value", "test",
    "page",
}  # fmt: skip
SOURCES = {
    "E": "chapter", "L": "lecture", "F": "ftrl", "R": "check-ins", "B": "banco",
    "O": "book",
}  # fmt: skip
KINDS = {"artifact", "typo", "loose", "wrong", "privacy", "unsettled", "improvement"}


def definition(place: str) -> ast.FunctionDef:
    """Find the test at ``path::name``."""
    path, _, name = place.partition("::")
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise LookupError(f"{path} has no test {name}")


def compares_both(test: ast.FunctionDef) -> bool:
    """Say whether a test compares the two numbers, which shows nothing."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            names = {
                n.id for s in sides for n in ast.walk(s) if isinstance(n, ast.Name)
            }
            if {"claimed", "actual"} <= names and not any(
                isinstance(side, ast.Tuple | ast.List) for side in ast.walk(node)
            ):
                return True
    return False


def prose(page: str) -> str:
    """Read the text of a page: of a notebook, what is no code."""
    path = ROOT / f"{page}.ipynb"
    if not path.exists():
        return (ROOT / f"{page}.md").read_text("utf-8")
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    return "\n".join(texts)


def test_ids_are_unique():
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_is_complete_and_has_its_test_and_its_tone(row):
    """An artifact of conversion is not called an error; no row shouts."""
    assert set(row) == FIELDS
    words = [value for key, value in row.items() if key != "value"]
    assert all(isinstance(value, str) and value.strip() for value in words)
    assert re.fullmatch(r"[ELFRBO]-\d\d[a-z]?", row["id"])
    assert row["source"] == SOURCES[row["id"][0]]
    assert row["kind"] in KINDS
    assert re.match(r"(chapters|book)/[\w-]+$", row["page"])

    name = row["test"].rpartition("::")[2]
    begins = f"test_{row['id'].replace('-', '').lower()}_"
    assert name.startswith(begins), f"name the test {begins}…"
    says = ast.get_docstring(definition(row["test"])) or ""
    assert row["id"] in says, f"begin its docstring with {row['id']}"

    text = " ".join(words).lower()
    assert not re.search(r"obviously|mistake|\bsloppy|careless|embarrass", text)
    if row["kind"] == "artifact":
        assert "in the copy that we read" in text
    if row["kind"] in ("artifact", "loose", "improvement"):
        assert not re.search(r"\b(wrong|error)\b", text)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_its_test_is_held_against_what_the_source_claims(row):
    """By numbers that differ, and by more than a comparison of these two."""
    value = row["value"]
    assert list(value) == ["of", "claimed", "actual"]
    assert value["of"].strip() == value["of"] != ""
    for number in (value["claimed"], value["actual"]):
        assert isinstance(number, int | float), f"YAML reads {number!r} as text"
        assert isfinite(number)
    assert value["claimed"] != value["actual"]
    test = definition(row["test"])
    marks = [ast.unparse(each) for each in test.decorator_list]
    assert marks[-1:] == [f"erratum('{row['id']}')"], "put @erratum above the test"
    assert not compares_both(test), "compare each number with one that is computed"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_its_page_tells_of_it(row):
    told = re.search(rf"\b{row['id']}\b", prose(row["page"]))
    assert told, f"{row['page']} has no note with {row['id']}"


def held_against(monkeypatch, test, claimed=1.0, actual=2.0):
    """Run a test as that of an erratum."""
    numbers = {"of": "a number", "claimed": claimed, "actual": actual}
    monkeypatch.setitem(errata.VALUES, "E-99", numbers)
    errata.erratum("E-99")(test)()


def test_a_test_that_shows_nothing_fails(monkeypatch):
    """Power: one that never looks at the numbers, and one that passes with both."""

    def hollow():
        assert 2**2 == 4

    def generous(actual):
        assert actual >= 1

    def right(claimed, actual):
        assert actual == 1 + 1
        assert 1 == claimed  # noqa: SIM300  (as a test of an erratum is written)

    held_against(monkeypatch, right)
    for test in (hollow, generous):
        with pytest.raises(pytest.fail.Exception, match="E-99: the test passes with"):
            held_against(monkeypatch, test)
    with pytest.raises(AssertionError):  # the row has another number
        held_against(monkeypatch, right, actual=2.5)
    with pytest.raises(AssertionError):
        held_against(monkeypatch, right, claimed=1.5)


@pytest.mark.parametrize(
    ("line", "shows_nothing"),
    [
        ("assert claimed < actual", True),
        ("assert claimed < 3 <= actual", True),
        ("assert x == approx(actual)", False),
        ("assert [x, y] == [claimed, actual]", False),
    ],
)
def test_the_two_numbers_are_not_compared_with_each_other(line, shows_nothing):
    (test,) = ast.parse(f"def test_it(claimed, actual):\n    {line}").body
    assert compares_both(test) is shows_nothing


def test_an_improvement_is_no_erratum():
    """It says first that the statement holds, and stands in a table of its own."""
    found = [row for row in ROWS if row["kind"] == "improvement"]
    assert found
    for row in found:
        assert re.match(r"Valid\.|Both are true\.|Private,", row["witness"]), row["id"]


def test_a_missing_test_is_noticed():
    with pytest.raises(LookupError, match="has no test test_e99"):
        definition("tests/test_errata.py::test_e99_nothing")


def test_the_page_for_contributors_shows_a_test_that_is_there():
    page = (ROOT / "book" / "contributing.md").read_text("utf-8")
    shown = re.search(r"In `([^`]+)` one begins so:\n+```python\n(.*?)```", page, re.S)
    path, lines = shown.groups()
    assert lines in (ROOT / path).read_text("utf-8")
