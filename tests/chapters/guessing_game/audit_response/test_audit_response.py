"""What ``audit_response`` grades by: exact bounds, and exact chances of a wrong one."""

import re
from fractions import Fraction
from itertools import product
from math import comb, inf, log

import numpy as np
import pytest
from scipy.stats import binom

from dpteach.chapters.guessing_game.exercises.audit_response import (
    _PROBES,
    _ROUND,
    EXERCISE,
    _epsilon,
    _few_people,
    _truths,
    _wanted,
)
from dpteach.chapters.guessing_game.exercises.audit_response.misreadings import (
    BOUNDS,
    best_ratio,
    exact_interval,
)
from dpteach.grading.report import Fault
from dpteach.grading.student import Here, Student
from tests.chapters.banks import bank


def _student(answer):
    return Student(Here(answer), EXERCISE.name, EXERCISE.parameters, 5.0)


@pytest.mark.parametrize(("k", "n", "a"), [(1, 9, 0.1), (5, 9, 1e-6), (300, 1000, 0.4)])
def test_the_bounds_are_those_of_the_statement(k, n, a):
    low, high = exact_interval(k, n, a)
    assert binom.sf(k - 1, n, low) == pytest.approx(a, rel=1e-8)
    assert binom.cdf(k, n, high) == pytest.approx(a, rel=1e-8)


@pytest.mark.parametrize(
    "counts", [*_PROBES, (4, 4, 0, 8, 0.5), (1, 3, 2, 10**6, 0.01)]
)
def test_what_is_strong_enough_has_an_eighth_of_the_risk_for_each_bound(counts):
    """Solved by halving, straight from the words of the statement."""
    k1, n1, k0, n0, risk = counts

    def most(k, n):
        low, high = k / n, 1.0
        for _ in range(200):
            x = (low + high) / 2
            low, high = (x, high) if binom.cdf(k, n, x) > risk / 8 else (low, x)
        return 1.0 if k == n else low

    p, q = (1 - most(n1 - k1, n1), most(k1, n1)), (1 - most(n0 - k0, n0), most(k0, n0))
    pairs = ((p[0], q[1]), (q[0], p[1]), (1 - p[1], 1 - q[0]), (1 - q[1], 1 - p[0]))
    best = max([0.0, *(log(a / b) for a, b in pairs if a > 0)])
    assert _wanted(*counts) == pytest.approx(best, rel=1e-7, abs=1e-9)


def test_the_true_epsilon_by_its_definition():
    for p, q in product((0.0, 0.2, 0.5, 0.9, 1.0), repeat=2):
        found = float(_epsilon(np.array(p), np.array(q)))
        pairs = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
        if any(one > 0 and other == 0 for one, other in pairs):
            assert found == inf
        else:
            assert all(a <= np.exp(found) * b + 1e-12 for a, b in pairs)
            assert found == 0 or any(
                a > np.exp(found - 1e-9) * b for a, b in pairs
            )  # fmt: skip


def test_the_chance_in_a_message_is_exact():
    """Counted again in fractions, for bounds that each take the whole risk."""
    wrong = bank("audit_response").wrong_risk_not_split
    with pytest.raises(Fault) as caught:
        _few_people(_student(wrong), np.random.default_rng(0))
    said = str(caught.value)
    assert "if p = 0.5, q = 0.5, n1 = 4, n0 = 8 and risk = 0.45" in said
    often = sum(
        Fraction(comb(4, k1) * comb(8, k0), 2**12)
        for k1, k0 in product(range(5), range(9))
        if wrong(k1, 4, k0, 8, 0.45) > 0
    )
    seen = re.search(r"seen ([\d.]+); for example", said)
    assert seen is not None
    assert float(seen[1]) == pytest.approx(float(often), abs=5e-5)
    assert often > Fraction(45, 100)


@pytest.mark.parametrize("risk", [0.05, 0.45])
@pytest.mark.parametrize(
    ("n1", "n0"), [(1, 1), (3, 4), (4, 8), (8, 4), (7, 7), (2, 40)]
)
@pytest.mark.parametrize("shares", [(0.25, 0.25), (0.5, 0.5), (0.15, 0.7), (0.3, 0.35)])
def test_the_risk_is_kept_whichever_way_it_is_shared(n1, n0, risk, shares):
    """Also if low and high bounds take half of it each, which no sum of parts shows.

    Over a grid of p and q, and just below each bound; the reason of some survivors.
    """

    def interval(k, n, a):
        return exact_interval(k, n, shares[0] * a)[0], exact_interval(
            k, n, shares[1] * a
        )[1]

    bound = best_ratio(interval, 1.0)
    bounds = np.array(
        [
            [max(0.0, bound(k1, n1, k0, n0, risk)) for k0 in range(n0 + 1)]
            for k1 in range(n1 + 1)
        ]
    )
    grid = np.array([each.ravel() for each in np.meshgrid(_ROUND, _ROUND)])
    for p, q in (grid, _truths(bounds, _ROUND)):
        wrong = bounds > _epsilon(p, q)[:, None, None] + 1e-6
        chance = binom.pmf(np.arange(n1 + 1), n1, p[:, None])[:, :, None]
        chance = chance * binom.pmf(np.arange(n0 + 1), n0, q[:, None])[:, None] * wrong
        assert chance.sum(axis=(1, 2)).max(initial=0.0) <= risk


def test_no_wrong_bound_is_taken_for_another():
    """For many people all differ, so that a hint is never about another mistake."""
    given = [
        (np.array([max(0.0, formula(*probe)) for probe in _PROBES]), told)
        for formula, told in BOUNDS
    ]
    right = np.array([_wanted(*probe) for probe in _PROBES])
    for k, (one, told) in enumerate(given):
        assert not np.allclose(one, right, rtol=1e-5, atol=0)
        for other, said in given[:k]:
            assert said == told or not np.allclose(one, other, rtol=1e-5, atol=0)


def test_bounds_of_another_size_are_no_reason_to_refuse():
    """Power the other way: what proves more than asked for passes, if it is true."""
    better = best_ratio(exact_interval, 0.5)
    report = EXERCISE.grade(lambda *counts: max(0.0, better(*counts)), 1)
    assert report.passed, report


def test_nothing_is_proved_where_nothing_is_seen():
    assert _wanted(0, 50, 0, 50, 0.1) == 0
    assert _wanted(50, 50, 50, 50, 0.1) == 0
    assert 0 < _wanted(10**6, 10**6, 0, 10**6, 1e-6) < 12
