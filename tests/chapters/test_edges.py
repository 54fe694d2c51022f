"""Every grader walks one table of edges, as far as its statement admits them."""

import dataclasses
import re

import numpy as np
import pytest
import yaml

from dpteach.chapters.catalog import load
from tests.chapters import edges
from tests.chapters.banks import NAMES
from tests.public import ROOT

REASONS = yaml.safe_load((ROOT / "tests/chapters/edges.yml").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_walks_every_edge_that_its_statement_admits(name):
    """Add a case to a check, or say which words of the statement rule the edge out."""
    assert set(edges.missing(name)) == set(REASONS.get(name, {}))


def test_each_exception_has_a_reason():
    assert set(REASONS) <= set(NAMES)
    for reasons in REASONS.values():
        assert all(len(reason.split()) >= 4 for reason in reasons.values())


@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_are_tried_only_where_the_statement_announces_them(name):
    exercise = load(name)
    if any("whole number" in sentence for sentence, _ in exercise.checks):
        assert "whole number" in exercise.statement


# The words of a statement that admit arrays of anything but float64.
OTHER_TYPES = {
    "iu": r"whole number|integer|place|rank|class|slot|bits?\b|0 or 1|zeros and ones",
    "b": r"bool|True",
}


@pytest.mark.parametrize("name", NAMES)
def test_arrays_hold_usual_floats_unless_the_statement_says_otherwise(name):
    statement = load(name).statement
    for array in edges.arrays_of(name)[0][0]:
        if array.dtype != np.float64:
            kinds = [k for k in OTHER_TYPES if array.dtype.kind in k]
            assert kinds, array.dtype.name
            assert re.search(OTHER_TYPES[kinds[0]], statement), array.dtype.name


@pytest.mark.parametrize("dtype", [np.float32, np.int64, bool, object])
def test_arrays_of_another_type_would_be_seen(monkeypatch, dtype):
    """Power: a check that hands out what the statement does not announce."""
    arrays = [[np.ones(3), np.ones(3, dtype)], []]
    monkeypatch.setattr(edges, "arrays_of", lambda _: (arrays, []))
    with pytest.raises(AssertionError, match=np.dtype(dtype).name):
        test_arrays_hold_usual_floats_unless_the_statement_says_otherwise(
            "private_step"
        )


@pytest.mark.parametrize(
    ("sentence", "edge"),
    [
        ("a row of zeros stays zero", "a row of zeros"),
        ("one record, and no record", "no rows"),
        ("whole numbers", "whole numbers"),
    ],
)
def test_a_check_that_is_left_out_is_missed(monkeypatch, sentence, edge):
    """Power: nothing but the calls counts."""
    full = load("clip")
    checks = tuple(each for each in full.checks if each[0] != sentence)
    assert len(checks) == len(full.checks) - 1
    monkeypatch.setattr(
        edges, "load", lambda _: dataclasses.replace(full, checks=checks)
    )
    assert edge in edges.missing.__wrapped__("clip")


def test_an_edge_that_comes_by_chance_does_not_count(monkeypatch):
    """Power: one seed of two is not enough."""
    monkeypatch.setattr(
        edges, "arrays_of",
        lambda _: (
            [[np.ones((1, 1)), np.zeros((33, 2))], [np.ones((33, 2))]], [[], []]
        ),
    )  # fmt: skip
    lacking = edges.missing.__wrapped__("clip")
    assert {"one row", "a row of zeros", "one column", "no rows"} <= set(lacking)
    assert "many rows" not in lacking


def test_ends_of_ranges_are_read_from_the_statement():
    """Power: each way to write a range, and each kind of number."""
    assert set(edges.ends("rdp_epsilon")) == {
        ("lam", 0.2), ("lam", 20), ("q", 0.001), ("q", 1), ("T", 1), ("T", 10_000),
        ("delta", 1e-12), ("delta", 1e-5),
    }  # fmt: skip
    assert set(edges.ends("enough_steps")) == {("delta", 1e-6), ("delta", 0.5)}
    assert ("T", 1e6) in edges.ends("calibrate_sigma")
    assert ("n", 1e9) in edges.ends("shuffled_budget")
    assert edges.ends("clip") == []
    assert len([name for name in NAMES if edges.ends(name)]) >= 15


def test_an_end_that_is_not_tried_is_missed(monkeypatch):
    """Power: one a percent inside the range is none."""
    calls = [[{"delta": 1e-6, "T": 1}, {"delta": 0.495}]] * 2
    monkeypatch.setattr(edges, "arrays_of", lambda _: ([[], []], calls))
    assert edges.missing.__wrapped__("enough_steps") == ["delta = 0.5"]
    monkeypatch.setattr(
        edges, "arrays_of",
        lambda _: ([[np.full((17, 200), np.nan)]] * 2, [[], []]),
    )  # fmt: skip
    lacking = edges.missing.__wrapped__("tilted_log_density")
    assert "400 columns" in lacking
    assert "nan and inf" not in edges.missing.__wrapped__("fleet_round")
