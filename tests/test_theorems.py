"""Every numbered statement of a source points to a function and a test that exist."""

from importlib import import_module

import pytest

from tests.public import table
from tests.test_errata import source_of

ROWS = table("theorems")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_is_complete_and_true(row):
    assert {"id", "source", "title", "page"} <= set(row)
    assert set(row) <= {"id", "source", "title", "page", "function", "test", "reason"}
    assert row["source"] in {"chapter", "lecture", "ftrl", "check-ins", "banco"}
    if "function" in row:
        module, _, name = row["function"].rpartition(".")
        assert callable(getattr(import_module(module), name))
    if "test" in row:
        assert source_of(row["test"])
    assert "reason" in row or {"function", "test"} <= set(row)


def test_a_statement_has_one_row():
    ids = [(row["source"], row["id"]) for row in ROWS]
    assert len(ids) == len(set(ids))
