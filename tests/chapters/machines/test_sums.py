"""Sums of data: what rounding does to them, and what the package does about it."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from dpteach import Problem, losses
from dpteach.arrays import lowered_for_sum
from dpteach.chapters.machines import leaks, places, sums
from dpteach.constraints import Everywhere, L1Ball
from tests.errata import erratum


def test_the_stream_is_what_single_precision_makes_of_it():
    """Its first 524,414 records, added one by one, and the closed form of totals."""
    stream, ends = sums.straddling_stream()
    assert stream.min() >= 0
    assert stream.max() == 1
    behind, ahead = np.float32(sums._START - 1), np.float32(sums._START)
    for record in stream[ends[0] : ends[2]].astype(np.float32):
        behind, ahead = behind + record, ahead + record
    power = np.float32(2 * sums._START)
    assert behind == power
    assert ahead == power + 4  # two crossings: what was 1 is 4


@pytest.mark.claim(
    "23-machines",
    "In single precision one record of size 1 moves the total of a million records by "
    "16, and μ is 4.70 where the tree's noise was priced for 1.15; on the grid every "
    "total moves by exactly 1.",
    order=3,
)
def test_rounded_totals_forget_what_a_record_is_worth():
    rounded = sums.totals_apart(4, single=True)
    grid = sums.totals_apart(4, single=False)
    assert rounded.max() == 16
    assert (grid == 1).all()
    assert sums.tree_mu(rounded, 4.0) == pytest.approx(4.7022, abs=1e-4)
    assert sums.tree_mu(grid, 4.0) == pytest.approx(sums.said_mu(4, 4.0))
    assert sums.said_mu(4, 4.0) == pytest.approx(1.1456, abs=1e-4)


def test_totals_on_the_grid_are_sums_of_fractions():
    """Exact arithmetic, on records that no grid holds."""
    records = np.random.default_rng(5).uniform(-1, 1, 2000)
    grid = Fraction(sums.RunningTotal(2000, clip_norm=1.0).grid)
    cut = [int(Fraction(x) / grid) * grid for x in records]  # toward zero
    exact, total = [], Fraction(0)
    for x in cut:
        total += x
        exact.append(total)
    totals = sums.exact_totals(records)
    assert [Fraction(t) for t in totals] == exact
    plain = np.add.accumulate(records)  # power: float64 alone does round
    assert [Fraction(t) for t in plain] != exact


def test_a_record_without_gradient_moves_others():
    most = places.moves_by_place()
    assert all(max(row["ours"]) == 0 for row in most.values())
    assert max(most["float64 20"]["plain"]) == 3


def test_the_radius_is_lowered_by_what_the_text_says():
    assert 1 - lowered_for_sum(1.0, 1000) == pytest.approx(2.4e-9, rel=0.02)
    assert 1 - lowered_for_sum(1.0, 10**6) == pytest.approx(1.6e-6, rel=0.02)


def test_radii_of_neighbors_pay_for_the_errors_of_both_sums():
    """The inequality of the proof's third step, for each n up to 10⁵ and beyond."""
    for start in (1, 10**6, 10**9):
        n = np.arange(start, start + 100_000, dtype=np.longdouble)
        c = np.longdouble(2 * 512 + 24) * np.longdouble(2) ** -53
        g = c * n * np.log(np.longdouble(2) ** 40 / n)
        before = c * (n - 1) * np.log(np.longdouble(2) ** 40 / np.maximum(n - 1, 1))
        assert (-g + (n - 1) * (g - before) + c * n <= 0).all()
        without = -g + (n - 1) * (g - before) + 2 * c * n  # power: twice the error
        assert (without[100:] > 0).all()


def test_single_precision_one_after_another_promises_nothing():
    assert pytest.approx(11.9, abs=0.05) == 2 * 10**4 * 10**4 * 2.0**-24
    assert log(2.0**40 / 1e10) > 2  # K is at least e² n for ten billion records


@erratum("O-14")
def test_o14_rounded_totals_drift_apart(actual):
    """O-14: single precision moves a total by 16, the grid by 1."""
    assert sums.totals_apart(4, single=True).max() == actual
    assert sums.totals_apart(4, single=False).max() == 1


@erratum("O-15")
def test_o15_one_row_is_no_number(actual):
    """O-15: a missing value of a raster in one row of single precision."""
    _, right = leaks.overflow(1.0)
    assert right == (1 + actual) / 2
    X = np.ones((5, 2), dtype=np.float32)
    X[4] = -3.4e38
    D = Problem(X, np.ones(5), losses.logistic, Everywhere())
    theta = np.array([2, -2], dtype=np.float32)
    assert np.isfinite(D.clipped_gradient(theta, 1.0)).all()


@erratum("O-16")
def test_o16_a_record_moves_others(actual):
    """O-16: one product of matrices, and products row by row."""
    most = places.moves_by_place()["float64 20"]
    assert max(most["plain"]) == actual
    assert max(most["ours"]) == 0


@erratum("O-17")
def test_o17_a_projection_leaves_its_set(actual):
    """O-17: as it was, the threshold from running sums of the entries themselves."""
    v = np.array([1e16, 1e16 + 2, 1.0])
    size = np.sort(np.abs(v))[::-1]
    thresholds = (np.cumsum(size) - 1) / np.arange(1, 4)
    cut = thresholds[np.sum(size > thresholds) - 1]
    assert np.abs(np.sign(v) * np.maximum(np.abs(v) - cut, 0)).sum() == actual
    assert np.abs(L1Ball(1.0).project(v)).sum() == 1
