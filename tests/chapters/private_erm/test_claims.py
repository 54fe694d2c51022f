"""What chapter 6 says and no module computes."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy import stats

from dpteach.accounting import gaussian_delta
from tests.errata import erratum


def unit_rows(rng, n, p):
    X = rng.normal(size=(n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.mark.claim(
    "06-private-erm",
    "True risk exceeds training risk by at most 2LR/√n on average, and by nearly "
    "half of that where scores are noise.",
    order=5,
)
def test_uniform_convergence_has_its_constant():
    """Section 6.1, (6.3) with a constant, where the supremum has a closed form.

    With the linear loss −y⟨x, θ⟩, signs y that are fair and R = L = 1, the supremum is
    ‖Σ yᵢxᵢ‖/n. Mean of 2000 data sets: 4 deviations of it stay below 2/√n, and it is
    more than 0.4 of that.
    """
    rng, n = np.random.default_rng(3), 50
    X = unit_rows(rng, 2000 * n, 8).reshape(2000, n, 8)
    y = rng.choice([-1.0, 1.0], (2000, n, 1))
    most = np.linalg.norm((y * X).sum(axis=1), axis=1) / n
    error = most.std() / sqrt(2000)
    assert most.mean() + 4 * error <= 2 / sqrt(n)
    assert most.mean() - 4 * error >= 0.4 * 2 / sqrt(n)


@pytest.mark.claim(
    "06-private-erm",
    "The step from training to true risk in (6.3) is an upper bound.",
    order=6,
)
@erratum("E-01")
def test_e01_the_step_from_training_to_true_risk_is_an_upper_bound(actual):
    """E-01. ℓ = −θd on [−1, 1], n = 100 records ±1 of mean 0.2, β = 0.01, θ = −1.

    The excesses differ with the sample: seldom equal, and by more than the bound with
    ln(p/β) only with a probability far below β.
    """
    n, beta, theta = 100, 0.01, -1.0
    ups = np.arange(n + 1)
    mean = 2 * ups / n - 1
    true = 0.2 * (1 - theta)
    empirical = np.abs(mean) - theta * mean
    bound = 1 * 2 * sqrt(1 * log(n) * log(1 / beta) / n)
    chances = stats.binom(n, 0.6).pmf(ups)
    assert np.sum(chances[true - empirical > bound]) <= beta
    agree = np.sum(chances[np.abs(true - empirical) < 1e-12])
    assert agree == pytest.approx(actual, rel=1e-3)  # "=" claims 1


@pytest.mark.claim("06-private-erm", "Replacement doubles ε and μ, but not δ.", order=7)
@erratum("E-02")
def test_e02_replacement_doubles_epsilon_and_mu_but_not_delta(claimed, actual):
    """E-02. Two steps of (1, 1e-6) are (2, 3.72e-6); a Gaussian stays below."""
    assert (1 + exp(1.0)) * 1e-6 == pytest.approx(actual, rel=1e-3, abs=0)
    mu = 1 / 4.22467888932683
    assert gaussian_delta(mu, 1.0) == pytest.approx(1e-6, rel=1e-9)
    assert claimed < gaussian_delta(2 * mu, 2.0) <= (1 + exp(1.0)) * 1e-6
    # ρ = μ²/2 grows four times
    assert (2 * mu) ** 2 / 2 == pytest.approx(4 * mu**2 / 2)
