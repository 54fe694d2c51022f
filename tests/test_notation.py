"""Every keyword a reader types is a row of book/notation.yml, and no row is idle."""

import inspect

import pytest

from tests.public import modules, objects, parameters, table

ROWS = table("notation")
FIELDS = {"symbol", "tex", "name", "unit", "meaning", "sources"}
SOURCES = {"chapter", "lecture", "ftrl", "check-ins", "banco"}


@pytest.mark.parametrize("name", objects())
def test_every_keyword_is_a_row(name):
    missing = [each for each in parameters(objects()[name]) if each not in ROWS]
    assert not missing, f"{name}: add {missing} to book/notation.yml"


@pytest.mark.parametrize("keyword", ROWS)
def test_a_row_is_complete(keyword):
    row = ROWS[keyword]
    assert set(row) == FIELDS
    assert row["name"]
    assert row["meaning"].endswith(".")
    assert set(row["sources"]) <= SOURCES
    assert bool(row["symbol"]) == bool(row["tex"])


def test_no_row_is_an_orphan():
    """A row is used by some parameter somewhere in the package."""
    used = set()
    for module in modules():
        for value in vars(module).values():
            if not getattr(value, "__module__", "").startswith("dpteach"):
                continue
            if inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value)):
                used.update(_all_parameters(value))
    assert set(ROWS) <= used, sorted(set(ROWS) - used)


def _all_parameters(value):
    yield from parameters(value)
    if inspect.isclass(value):
        for each in vars(value).values():
            if inspect.isfunction(each):
                yield from parameters(each)
