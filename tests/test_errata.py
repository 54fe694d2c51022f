"""Every erratum is complete, and a test named after it recomputes its witness."""

import ast
import re

import pytest

from tests.public import ROOT, table

ROWS = table("errata")
FIELDS = {
    "id", "source", "kind", "place", "printed", "ours", "witness", "test", "page",
}  # fmt: skip
SOURCES = {
    "E": "chapter", "L": "lecture", "F": "ftrl", "R": "check-ins", "B": "banco",
    "O": "book",
}  # fmt: skip
KINDS = {"artifact", "typo", "loose", "wrong", "privacy", "unsettled", "improvement"}


def source_of(place: str) -> str:
    """Read the source of the test at ``path::name``."""
    path, _, name = place.partition("::")
    text = (ROOT / path).read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node) or ""
    raise LookupError(f"{path} has no test {name}")


def test_ids_are_unique():
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_is_complete_and_has_its_test_and_its_tone(row):
    """An artifact of conversion is not called an error; no row shouts."""
    assert set(row) == FIELDS
    assert all(isinstance(value, str) and value.strip() for value in row.values())
    assert re.fullmatch(r"[ELFRBO]-\d\d[a-z]?", row["id"])
    assert row["source"] == SOURCES[row["id"][0]]
    assert row["kind"] in KINDS
    assert re.match(r"(chapters|book)/[\w-]+$", row["page"])

    name = row["test"].rpartition("::")[2]
    assert f"_{row['id'].replace('-', '').lower()}_" in name
    assert row["id"] in source_of(row["test"])

    text = " ".join(row.values()).lower()
    assert not re.search(r"obviously|mistake|\bsloppy|careless|embarrass", text)
    if row["kind"] == "artifact":
        assert "in the copy that we read" in text
    if row["kind"] in ("artifact", "loose", "improvement"):
        assert not re.search(r"\b(wrong|error)\b", text)


def test_an_improvement_is_no_erratum():
    """It says first that the statement holds, and stands in a table of its own."""
    found = [row for row in ROWS if row["kind"] == "improvement"]
    assert found
    for row in found:
        assert re.match(r"Valid\.|Both are true\.|Private,", row["witness"]), row["id"]


def test_a_missing_test_is_noticed():
    with pytest.raises(LookupError, match="has no test test_e99"):
        source_of("tests/test_errata.py::test_e99_nothing")
