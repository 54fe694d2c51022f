"""Lower bounds on the excess risk, kept by private runs and broken by others."""

from math import sqrt

import mpmath
import numpy as np
import pytest

from dpteach import Relation
from dpteach.algorithms.pure.exponential import (
    exponential_mechanism_exponent,
)
from dpteach.lower_bounds import (
    approximate_excess_lower_bound,
    packing_excess_lower_bound,
    pure_excess_lower_bound,
    tracing_excess_lower_bound,
)
from tests.lower_bounds.samples import most_correlation


@pytest.mark.parametrize(("epsilon", "n", "p"), [(1.0, 1000, 100), (0.3, 41, 30)])
def test_the_pure_bound_on_excess_is_that_of_its_proof(epsilon, n, p):
    m = min(n, int(2 * p / (9 * epsilon)))
    m -= (n - m) % 2
    wanted = m * (1 - most_correlation(epsilon, m, p))
    assert pure_excess_lower_bound(epsilon, n=n, p=p) == pytest.approx(wanted)


@pytest.mark.claim(
    "18-limits",
    "The pure bound on excess risk is the integral of its proof; thirty times the "
    "budget breaks it.",
    order=7,
)
def test_measured_excess_keeps_the_pure_bound_and_less_noise_breaks_it():
    """Exact means of the exponential mechanism on m planted copies, m as in the bound.

    A mechanism of thirty times the budget has less excess than the bound at ε.
    """
    for epsilon, p in ((0.2, 60), (1.0, 100), (2.0, 400)):
        n = 4000
        m = int(2 * p / (9 * epsilon))
        m -= (n - m) % 2

        def excess(epsilon, m=m, p=p):
            c = exponential_mechanism_exponent(
                epsilon, lipschitz=1.0, diameter=2.0, relation=Relation.REPLACE
            )
            bessel = [mpmath.besseli(p / 2 + k, c * m) for k in (1, 0)]
            return m * (1 - float(bessel[0] / bessel[1]))

        bound = pure_excess_lower_bound(epsilon, n=n, p=p)
        assert excess(30 * epsilon) < bound <= excess(epsilon)
        assert bound > 4 * packing_excess_lower_bound(epsilon, n=n, p=p) / 2


def tracing_data(k, p, rng):
    P = 2 * rng.random(p) - 1
    return np.where(rng.random((k, p)) < (1 + P) / 2, 1.0, -1.0) / sqrt(p), P / sqrt(p)


def test_a_models_correlation_with_records_is_twice_that_with_means():
    """E⟨θ, S − kP⟩ = 2 E⟨θ, P⟩ for any model; here for S/‖S‖. 5 standard errors."""
    rng, left, right = np.random.default_rng(0), [], []
    for _ in range(4000):
        X, P = tracing_data(6, 20, rng)
        S = X.sum(axis=0)
        theta = S / max(np.linalg.norm(S), 1e-12)
        left.append(theta @ (S - 6 * P))
        right.append(2 * theta @ P)
    gap = np.subtract(left, right)
    assert abs(gap.mean()) <= 5 * gap.std() / sqrt(len(gap))
    assert np.mean(left) > 20 * gap.std() / sqrt(len(gap))  # and it is not zero


@pytest.mark.claim(
    "18-limits",
    "A Gaussian sum keeps the bound with δ within six times; fifty times the μ "
    "breaks it.",
    order=8,
)
@pytest.mark.parametrize(("mu", "p"), [(0.25, 100), (0.5, 400)])
def test_measured_excess_keeps_the_tracing_bound_and_less_noise_breaks_it(mu, p):
    """A Gaussian sum, made a unit model: within 6 times the bound on its own data.

    With fifty times the μ its excess is below the bound; 5 standard errors each.
    """
    chi = np.expm1(mu * mu)
    k = int(sqrt(p / 3 / chi))
    rng = np.random.default_rng(0)
    bound = tracing_excess_lower_bound(mu, n=k, p=p)

    def excess(price):
        found = []
        for _ in range(400):
            S = tracing_data(k, p, rng)[0].sum(axis=0)
            noisy = S + 2 / price * rng.standard_normal(p)
            found.append(np.linalg.norm(S) - S @ noisy / np.linalg.norm(noisy))
        return np.mean(found), 5 * np.std(found) / sqrt(400)

    mean, error = excess(mu)
    assert bound <= mean - error
    assert mean + error <= 6 * bound
    mean, error = excess(50 * mu)
    assert mean + error < bound
    # far from the best k, n copies more cannot lower the bound
    assert tracing_excess_lower_bound(mu, n=k + 1000, p=p) >= 0.9 * bound
    assert tracing_excess_lower_bound(mu, n=1, p=p) >= 0


def test_bounds_on_excess_at_the_edges():
    assert pure_excess_lower_bound(50.0, n=10, p=3) == 0
    assert tracing_excess_lower_bound(40.0, n=10, p=3) == 0
    assert tracing_excess_lower_bound(1e-6, n=2, p=3) > 0
    # about √p/(6μ) and 0.074 p/ε
    assert tracing_excess_lower_bound(1e-3, n=10**6, p=10**4) == pytest.approx(
        100 / 6e-3, rel=0.01
    )
    assert pure_excess_lower_bound(0.01, n=10**7, p=10**5) == pytest.approx(
        2 / 27 * 10**7, rel=0.01
    )


BAD_INPUT = {
    pure_excess_lower_bound: {"epsilon": 0.1, "n": 100, "p": 50},
    tracing_excess_lower_bound: {"mu": 1.0, "n": 100, "p": 50},
    approximate_excess_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 100, "p": 50},
}
