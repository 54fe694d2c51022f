"""Tracing: fingerprints, and what a mean remembers."""

from math import exp, sqrt

import numpy as np
import pytest
from scipy import special, stats

from dpteach.lower_bounds import (
    fingerprint,
    tracing_attack,
    tracing_cap,
    tracing_lower_bound,
)
from tests.lower_bounds.samples import most_correlation


def test_theorem_6_25_tracing_agrees_with_the_published_values():
    assert tracing_lower_bound(1.0, n=100, p=100) == pytest.approx(0.0467409013238656)
    assert tracing_lower_bound(0.5, n=1000, p=10_000) == pytest.approx(
        0.102815541313358
    )
    assert tracing_cap(1.0) == pytest.approx(stats.norm.cdf(1 / sqrt(2)))
    assert tracing_lower_bound(100.0, n=10, p=10) == pytest.approx(0.0, abs=1e-100)


@pytest.mark.claim(
    "18-limits",
    "The fingerprinting identity holds to rounding, for five statistics.",
    order=3,
)
@pytest.mark.parametrize(
    "statistic",
    [
        lambda x: x.mean(axis=1),
        lambda x: np.sign(x.sum(axis=1)),
        lambda x: np.clip(x.mean(axis=1), -0.3, 0.3),
        lambda x: x[:, 0],
        lambda x: np.exp(x[:, 0] - x[:, 1] * x[:, 2]),
    ],
)
def test_the_fingerprinting_identity_is_exact(statistic):
    for n in (3, 4, 7):
        left, right = fingerprint(statistic, n=n)
        assert left == pytest.approx(right, abs=1e-13)


def test_fingerprints_of_the_published_statistics():
    assert fingerprint(lambda x: np.sign(x.sum(axis=1)), n=3)[0] == pytest.approx(0.8)
    clipped = fingerprint(lambda x: np.clip(x.mean(axis=1), -0.3, 0.3), n=3)
    assert clipped[0] == pytest.approx(0.24)
    # without the average over P the identity fails: at P = 0.9 alone the sides differ
    x = np.array([[-1.0], [1.0]])
    chance = (1 + 0.9 * x[:, 0]) / 2
    left = np.sum(chance * x[:, 0] * (x[:, 0] - 0.9))
    right = 1 + 1 / 3 - np.sum(chance * (x[:, 0] - 0.9) ** 2)
    assert abs(left - right) > 0.5


def gaussian_mean(mu):
    """A μ-GDP mean of signs under replacement, clipped to [−1, 1]."""

    def mechanism(X, rng):
        sigma = 2 * sqrt(X.shape[1]) / (len(X) * mu)
        noisy = X.mean(axis=0) + sigma * rng.standard_normal(X.shape[1])
        return np.clip(noisy, -1, 1)

    return mechanism


@pytest.mark.claim(
    "18-limits",
    "A Gaussian mean lies above the tracing bound, within four times; the attack "
    "stays below its cap.",
    order=4,
)
@pytest.mark.parametrize(
    ("n", "p", "mu", "error", "bound"),
    [(50, 2000, 1.0, 0.887, 0.2544), (200, 2000, 0.3, 0.837, 0.2638)],
)
def test_tracing_a_gaussian_mean(n, p, mu, error, bound):
    """The measured error is above the bound, the attack below its cap.

    Standard errors over 30 data sets are below 0.01 for the error; for the area,
    below 0.011 (1500 or more pairs of scores), so the cap has 14 of them to spare.
    """
    out = tracing_attack(gaussian_mean(mu), n=n, p=p, repetitions=30, rng=0)
    floor = tracing_lower_bound(mu, n=n, p=p)
    assert floor == pytest.approx(bound, abs=1e-4)
    assert out.error == pytest.approx(error, abs=0.03)
    assert floor < out.error < 4 * floor
    assert 0.5 < out.area < tracing_cap(mu)


@pytest.mark.claim("18-limits", "A mean that is too accurate is traced.", order=5)
def test_an_accurate_mean_is_traced():
    """Power: with μ = 100 the error is below the bound at 0.3, and all is traced."""
    out = tracing_attack(gaussian_mean(100.0), n=50, p=2000, repetitions=10, rng=0)
    assert out.error < tracing_lower_bound(0.3, n=50, p=2000)
    assert out.area > 0.999 > tracing_cap(0.3)


def test_a_distribution_that_tells_all_it_may_keeps_the_cap_on_correlation():
    """All 2^8 words: a model is uniform without the word, and tilted toward it with it.

    The best two-valued tilt with ratios within e^{εm} of uniform stays below the cap;
    a cap that pays for one record, not for m, is broken.
    """
    p = 8
    words = np.array(np.meshgrid(*[[-1, 1]] * p)).reshape(p, -1).T / sqrt(p)
    inner = np.sort(words @ words[0])  # ⟨θ, v⟩ under a uniform distribution of θ

    def told(epsilon, m):
        most = 0.0
        for k in range(1, len(inner)):  # the k best words get the largest chance
            high = min(exp(epsilon * m) / len(inner), 1 / k)
            low = (1 - k * high) / (len(inner) - k)
            if low * len(inner) * exp(epsilon * m) >= 1:
                most = max(most, high * inner[-k:].sum() + low * inner[:-k].sum())
        return most

    for epsilon, m in ((0.05, 8), (0.2, 6), (0.5, 4), (0.5, 8)):
        assert 0.1 < told(epsilon, m) <= most_correlation(epsilon, m, p)
    assert told(0.5, 8) > most_correlation(0.5, 1, p)


def test_sums_of_signs_with_uniform_means_are_uniform():
    """The moments in the tracing bound, by enumeration of the number of ones."""
    for k in range(1, 12):
        ones = np.arange(k + 1)
        chance = special.binom(k, ones) * special.beta(ones + 1, k - ones + 1)
        np.testing.assert_allclose(chance, 1 / (k + 1))
        T = 2.0 * ones - k
        assert np.mean(T**2) == pytest.approx(k * (k + 2) / 3)
        fourth = k * (k + 2) * (3 * k * k + 6 * k - 4) / 15
        assert np.mean(T**4) == pytest.approx(fourth)


BAD_INPUT = {
    tracing_lower_bound: {"mu": 1.0, "n": 100, "p": 50},
    tracing_cap: {"mu": 1.0},
    fingerprint: {"statistic": lambda x: x.mean(axis=1), "n": 3},
    tracing_attack: {
        "mechanism": lambda X, rng: X.mean(axis=0) + 0 * rng.random(),
        "n": 4,
        "p": 3,
        "repetitions": 2,
        "rng": 0,
    },
}
