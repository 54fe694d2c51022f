"""All noise of a tree at once: what it is, and what it costs."""

from math import log, log2, sqrt

import numpy as np
import pytest

from dpteach import Relation, checks
from dpteach.accounting import (
    gaussian_epsilon,
)
from dpteach.algorithms.streams.participation import squared_sensitivity
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.streaming_tree import StreamingTree
from dpteach.algorithms.streams.tree import (
    ESTIMATORS,
    levels,
    prefix_variance,
)
from dpteach.auditing import exact_mu
from dpteach.privacy import Gaussian
from tests.algorithms.streams.nodes import all_noise, effect, run
from tests.errata import erratum

ZERO = Relation.ZERO_OUT


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("steps", [1, 2, 3, 7, 8, 100])
def test_all_noise_at_once_is_the_streams(steps, estimator):
    settings = {"sigma": 2.0, "shape": (3, 2), "rng": 4, "estimator": estimator}
    tree = StreamingTree(steps, clip_norm=1.0, **settings)
    stream = run(tree, np.zeros((steps, 3, 2)))
    assert np.array_equal(stream, tree_noise(steps, **settings))


def test_increments_of_the_noise_are_negatively_correlated():
    """a_t = b_t − b_{t−1}: what DP-FTRL would add as noise in gradient descent."""
    variances = {
        "plain": [1, 2, 1, 3, 1, 2, 1, 4],
        "honaker": [1, 1, 1, 1.380952, 1, 1, 1, 1.838095],
    }
    neighbors = {
        "plain": [-1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1],
        "honaker": [
            -2 / 3, 0, -6 / 7, 0, -2 / 3, 0, -14 / 15, 0,
            -2 / 3, 0, -6 / 7, 0, -2 / 3, 0, -30 / 31,
        ],
    }  # fmt: skip
    for estimator in ESTIMATORS:
        B = all_noise(16, estimator)
        a = np.diff(B, axis=0, prepend=0.0)
        covariance = a @ a.T
        found = np.diag(covariance)
        assert found[:8] == pytest.approx(variances[estimator], abs=1e-6)
        assert np.diag(covariance, 1) == pytest.approx(neighbors[estimator], abs=1e-12)
        assert covariance.sum() == pytest.approx(
            prefix_variance(16, estimator=estimator)
        )
    assert found[15] == pytest.approx(2.319816, abs=1e-6)


@pytest.mark.claim(
    "12-prefix-sums",
    "The noise map recovered from the running tree costs exactly √(⌊lg T⌋ + 1)/λ, "
    "for the worst record.",
    order=1,
)
@pytest.mark.parametrize("steps", [1, 2, 6, 16, 100])
def test_the_price_is_exact(steps):
    B = all_noise(steps, "plain")
    mus = [exact_mu(5.0 * B, effect(steps, (t,))) for t in range(1, steps + 1)]
    claimed = Gaussian(5.0, releases=levels(steps), relation=ZERO).mu
    assert max(mus) == mus[0] == pytest.approx(claimed, rel=1e-10)


@pytest.mark.parametrize(("steps", "exact"), [(2, 1.8), (16, 4.403), (240, 6.870)])
def test_published_honaker_sums_cost_less_than_the_tree(steps, exact):
    B = all_noise(steps, "honaker")
    found = published(B, np.eye(steps))
    assert found == pytest.approx(exact, abs=6e-4)
    assert found < levels(steps)


def test_published_honaker_sums_of_a_long_stream_and_of_two_epochs():
    assert published(all_noise(1024, "honaker"), np.eye(1024)) == pytest.approx(
        9.466, abs=6e-4
    )
    # Of 1600 sums too, as in the paper: ε = 16.07, where the tree's nodes cost 17.67.
    assert gaussian_epsilon(sqrt(9.466) / 1.13, 1e-6) == pytest.approx(16.07, abs=5e-3)
    twice = np.vstack([np.eye(120), np.eye(120)])
    found = published(all_noise(240, "honaker"), twice)
    assert found == pytest.approx(14.90, abs=5e-3)
    whole = [
        squared_sensitivity((b, b + 120), steps=240, estimator="honaker")
        for b in range(1, 121)
    ]
    assert found < max(whole) == 18


def published(B, patterns):
    """The largest squared sensitivity over patterns of the sums themselves."""
    root = np.linalg.cholesky(B @ B.T)
    moved = np.linalg.solve(root, np.cumsum(patterns, axis=0))
    return float(np.max(np.sum(moved**2, axis=0)))


@erratum("L-04")
def test_l04_the_average_error_has_a_floor(actual):
    """L-04: for β near 1 the bound falls to 0; for T < 4 it is small; noise is not.

    400 runs, fixed seed. The least average is 1.7 printed bounds; that as much as one
    in ten is below the bound, as β = 0.9 asks, would need a chance below 0.9^400.
    """
    T, d, beta = 256, 10, 0.9
    noise = tree_noise(T, sigma=1.0, shape=(400, d), rng=1)
    average = np.linalg.norm(noise, axis=-1).mean(axis=0)
    printed = sqrt(d * log2(T) * log(1 / beta))
    assert average.min() > printed
    mean_variance = np.mean([prefix_variance(t) for t in range(1, T + 1)])
    largest = max(prefix_variance(t) for t in range(1, T + 1))
    ours = sqrt(d * mean_variance) + sqrt(2 * largest * log(1 / beta))
    assert np.mean(average <= ours) >= 1 - beta
    # β = 1/2: too small in most runs at T = 2 and 3, and in a fourth of them at T = 4
    for steps, failures in ((2, actual), (3, 0.63), (4, 0.23)):
        noise = tree_noise(steps, sigma=1.0, shape=(20_000, d), rng=1)
        average = np.linalg.norm(noise, axis=-1).mean(axis=0)
        found = np.mean(average > sqrt(d * log2(steps) * log(2)))
        assert found == pytest.approx(failures, abs=0.015)
    # T = 1: one noisy sum, and a bound of 0 for every β
    assert log2(1) == 0
    assert np.all(tree_noise(1, sigma=1.0, shape=(400, d), rng=1) != 0)


def test_noise_of_all_sums_must_fit_into_memory(monkeypatch):
    """Four draws for a step and a coordinate at most."""
    kind = {"sigma": 1.0, "shape": (2,), "rng": 0}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 40)
    assert tree_noise(5, **kind).shape == (5, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 39)
    with pytest.raises(ValueError, match="`shape` must be small enough for memory"):
        tree_noise(5, **kind)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 19)
    with pytest.raises(ValueError, match="`steps` must be small enough for memory"):
        tree_noise(5, **kind)


BAD_INPUT = {
    tree_noise: {
        "steps": 5,
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
        "estimator": "honaker",
    },
}
