"""Propose, test, release: the distance by search, and the exact δ of the whole."""

from functools import cache
from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy import stats

from dpteach.mechanisms import median_distance, propose_test_release
from dpteach.privacy import Approximate, Relation

GRID = (0.0, 1.0, 2.0, 3.0)


@cache
def moves(values):
    """How far one replaced value moves the median."""
    middle = len(values) // 2
    medians = [
        sorted([*values[:i], new, *values[i + 1 :]])[middle]
        for i in range(len(values))
        for new in GRID
    ]
    return max(abs(each - values[middle]) for each in medians)


@pytest.mark.parametrize("n", [3, 5])
def test_the_distance_is_that_of_the_definition(n):
    """By a search over all data sets on a grid with both ends in it."""
    everything = np.array([*product(GRID, repeat=n)])
    reach = np.array([moves(tuple(sorted(D))) for D in everything])
    rng = np.random.default_rng(n)
    for D in rng.choice(GRID, size=(12, n)):
        changed = np.sum(everything != D, axis=1)
        for beta in (0.5, 2):
            least = changed[reach > beta].min(initial=n)
            ours = median_distance(D, proposed_sensitivity=beta, low=0.0, high=3.0)
            assert ours == least


def test_a_range_that_nothing_exceeds_is_never_reached():
    values = np.array([0.0, 1.0, 3.0])
    assert median_distance(values, proposed_sensitivity=3.0, low=0.0, high=3.0) == 3
    with pytest.raises(ValueError, match="`values` must be odd in number"):
        median_distance(np.zeros(4), proposed_sensitivity=1.0, low=0.0, high=1.0)


def true_delta(one, other, epsilon, delta, shift=0.0):
    """The exact hockey stick between two data sets, each (distance, value), β = 1."""
    b = 2 / epsilon
    bar = b * log(1 / (2 * delta)) + shift
    passes = [stats.laplace.sf(bar - gamma, scale=b) for gamma, _ in (one, other)]
    y = np.linspace(-250, 250, 20_001)
    parts = [
        p * stats.laplace.pdf(y, f, b)
        for p, (_, f) in zip(passes, (one, other), strict=True)
    ]
    cell = y[1] - y[0]
    total = np.maximum(parts[0] - exp(epsilon) * parts[1], 0).sum() * cell
    return total + max(1 - passes[0] - exp(epsilon) * (1 - passes[1]), 0)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_the_whole_is_private(epsilon):
    """Neighbors whose values differ by 1, or by anything where both distances are 0."""
    for delta in (1e-2, 1e-6):
        pairs = [((k, 0.0), (k + 1, 1.0)) for k in (0, 1, 10, 40)]
        pairs += [((k, 0.0), (k, 1.0)) for k in (1, 10)] + [((0, 0.0), (0, 120.0))]
        for one, other in pairs:
            for a, b in ((one, other), (other, one)):
                assert true_delta(a, b, epsilon, delta) <= delta * (1 + 1e-3)
        far = true_delta((0, 0.0), (0, 120.0), epsilon, delta)
        assert far > 0.99 * delta  # all of δ is used
        lower = true_delta((0, 0.0), (0, 120.0), epsilon, delta, shift=-1.0)
        assert lower > 1.1 * delta  # power: a bar that is lower by 1


def test_the_running_code_has_this_distribution():
    """At 1e-6: how often the test passes, and the noise of what is then published."""
    run = {"proposed_sensitivity": 0.5, "epsilon": 1.0, "delta": 0.01}
    out = propose_test_release(
        3.0, distance=9, **run, relation=Relation.REPLACE, rng=0, runs=(40_000,)
    )
    passed = out.theta[:, 0] == 1
    chance = stats.laplace.sf(2 * log(50) - 9, scale=2.0)
    assert stats.binomtest(int(passed.sum()), 40_000, chance).pvalue > 1e-6
    assert stats.binomtest(int(passed.sum()), 40_000, chance + 0.02).pvalue < 1e-6
    noise = out.theta[passed, 1] - 3.0
    assert stats.kstest(noise, stats.laplace(scale=1.0).cdf).pvalue > 1e-6
    assert stats.kstest(noise, stats.laplace(scale=0.9).cdf).pvalue < 1e-6
    assert (out.theta[~passed] == 0).all()
    assert out.event == Approximate(1.0, 0.01, relation=Relation.REPLACE)


BAD_INPUT = {
    median_distance: {
        "values": np.array([0.5, 2.0, 3.0]),
        "proposed_sensitivity": 1.0,
        "low": 0.0,
        "high": 4.0,
    },
    propose_test_release: {
        "value": 2.0,
        "distance": 9.0,
        "proposed_sensitivity": 1.0,
        "epsilon": 1.0,
        "delta": 1e-6,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
}
