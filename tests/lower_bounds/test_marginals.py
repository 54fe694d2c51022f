"""Section 6.5.1: what (ε, δ)-privacy forbids for means of records."""

from itertools import product
from math import cosh, exp, sinh, sqrt

import numpy as np
import pytest

from dpteach.accounting import gaussian_mu
from dpteach.lower_bounds import (
    marginals_lower_bound,
    marginals_rms_lower_bound,
    membership_leak,
    tracing_lower_bound,
)
from tests.errata import erratum


def test_a_records_score_is_within_the_leak_and_can_reach_it():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        size, epsilon = rng.integers(2, 8), rng.uniform(0.01, 3)
        inside, outside = rng.dirichlet(np.ones(size), 2)
        delta = max(
            np.sum(np.maximum(a - exp(epsilon) * b, 0))
            for a, b in ((inside, outside), (outside, inside))
        )
        score = rng.standard_normal(size)
        score -= outside @ score
        slope, rest = membership_leak(epsilon, min(delta, 0.999))
        cap = slope * (outside @ np.abs(score)) + np.max(np.abs(score)) * rest
        assert inside @ score <= cap + 1e-12
    # Equality, so that no factor below sinh(ε) would do: three outcomes, δ = 0
    epsilon, q = 0.7, 0.1
    outside = np.array([q, q, 1 - 2 * q])
    inside = np.array([q * exp(epsilon), q * exp(-epsilon), 1 - 2 * q * cosh(epsilon)])
    assert np.max(np.abs(np.log(inside / outside))) <= epsilon * (1 + 1e-12)
    score = np.array([1.0, -1.0, 0.0])
    assert inside @ score == pytest.approx(sinh(epsilon) * (outside @ np.abs(score)))


def test_a_sum_is_followed_as_far_as_its_records_are():
    """E[aS] = (1 + k/2) E[a(S − kP)], for every statistic a of k signs with mean P."""
    rng = np.random.default_rng(1)
    for k in (1, 2, 5, 8):
        x = np.array(list(product([-1.0, 1.0], repeat=k)))
        P, weight = np.polynomial.legendre.leggauss(k + 2)
        chance = np.prod((1 + x * P[:, None, None]) / 2, axis=2)
        mass, a = chance * weight[:, None] / 2, rng.standard_normal(len(x))
        S = x.sum(axis=1)
        left = np.sum(mass * a * S)
        right = np.sum(mass * a * (S - k * P[:, None]))
        assert left == pytest.approx((1 + k / 2) * right, abs=1e-13)
        assert np.sum(mass * S**2) == pytest.approx(k * (k + 2) / 3)


@erratum("O-02")
def test_o02_part_2_is_about_the_records_themselves(claimed, actual):
    """O-02: the exact mean of the records keeps what the first edition gave for them.

    Its error about the population is above that bound; about the records it is 0.
    """
    n, p, mu = 10_000, 100, 0.25
    first_edition = tracing_lower_bound(mu, n=n, p=p)
    of_the_exact_mean = sqrt(2 / (3 * n))
    assert first_edition == pytest.approx(claimed, abs=5e-5)
    assert of_the_exact_mean == pytest.approx(0.0082, abs=5e-5)
    assert of_the_exact_mean > first_edition
    least = marginals_rms_lower_bound(1.0, 1e-6, n=n, p=p)
    assert least == pytest.approx(actual, rel=1e-2, abs=0)
    assert marginals_lower_bound(1.0, 1e-6, n=n, p=1000) > 4e-5


def test_theorem_6_25_part_2_has_the_rate_of_the_source():
    for epsilon in (0.01, 0.1, 1.0):
        for n in (10**5, 10**7):
            p = 10**4
            rate = sqrt(p) / (n * sinh(epsilon))
            often = marginals_lower_bound(epsilon, 1e-12, n=n, p=p)
            assert often == pytest.approx(rate / 54, rel=0.05)
            rms = marginals_rms_lower_bound(epsilon, 1e-12, n=n, p=p)
            assert rms == pytest.approx(rate / 3, rel=0.01)
            assert often < rms
    # few records: a constant, as with no answer at all
    assert marginals_rms_lower_bound(0.01, 1e-9, n=10, p=10**6) == pytest.approx(
        sqrt(10 * 12 / 3) / 10, rel=1e-2
    )
    assert marginals_lower_bound(1.0, 0.9, n=100, p=100) == 0.0


def test_theorem_6_25_part_2_no_gaussian_mean_is_below_it():
    """A mean with a thirtieth of the noise would be, and is not private."""
    for epsilon in (0.1, 0.5, 1.0):
        for n, p in ((100, 50), (10_000, 1000)):
            noise = 2 / (n * gaussian_mu(epsilon, 1e-6)) * sqrt(p)
            bound = marginals_rms_lower_bound(epsilon, 1e-6, n=n, p=p)
            assert bound < noise
            assert bound > noise / 60


def test_few_records_of_a_sum_are_longer_than_their_root_mean_square():
    """Step 5 of the proof: E min(‖S‖², s‖S‖) ≥ s²(1 − 1/√(5p)), by enumeration."""
    for k in (1, 2, 5, 9):
        S = np.arange(-k, k + 1, 2.0)
        for p in (1, 2, 4):
            square = np.array([sum(u * u for u in w) / p for w in product(S, repeat=p)])
            second = k * (k + 2) / 3
            assert square.mean() == pytest.approx(second)
            fourth = second * (3 * k * k + 6 * k - 4) / 5
            v = (fourth / second**2 - 1) / p
            assert square.var() / second**2 == pytest.approx(v)
            assert v <= 4 / (5 * p)
            kept = np.mean(np.minimum(square, np.sqrt(second * square)))
            assert kept >= second * (1 - 1 / sqrt(5 * p)) - 1e-12


BAD_INPUT = {
    membership_leak: {"epsilon": 0.1, "delta": 1e-6},
    marginals_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 100, "p": 50},
    marginals_rms_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 9, "p": 5},
}
