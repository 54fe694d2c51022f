"""Pure releases with Gaussian noise, against fifty digits and against all losses."""

import math

import mpmath as mp
import numpy as np
import pytest

from dpteach.accounting.rules.pure_mixture import TooManyTerms, log_delta_mixture
from tests.accounting.exact import mixture_delta


@pytest.mark.parametrize("mu", [0.0, 0.3, 2.0])
@pytest.mark.parametrize(
    "pure", [{1.0: 1}, {1.0: 2}, {0.2: 9}, {0.5: 3, 0.25: 2}, {2.0: 1, 0.1: 4, 0.7: 2}]
)
def test_it_agrees_with_fifty_digits(pure, mu):
    total = sum(epsilon * k for epsilon, k in pure.items())
    for share in (0.0, 0.1, 0.49, 0.5, 0.77, 0.999):
        exact = mp.log(mixture_delta(pure, mu, share * total))
        found = log_delta_mixture(pure, mu, share * total)
        assert abs(found - exact) <= 1e-11 * max(1, abs(exact)), share


def every_loss(epsilon_0, k, mu, epsilon):
    """Sum over all losses, none left out."""
    from scipy.special import log_ndtr
    from scipy.stats import binom

    i = np.arange(k + 1)
    left = epsilon - (k - 2 * i) * epsilon_0
    mass = binom.logpmf(i, k, 1 / (1 + math.exp(epsilon_0)))
    if mu == 0:
        with np.errstate(divide="ignore"):
            share = np.log(-np.expm1(np.minimum(left, 0)))
    else:
        a, b = log_ndtr(mu / 2 - left / mu), left + log_ndtr(-mu / 2 - left / mu)
        share = a + np.log(-np.expm1(np.minimum(b - a, -1e-18)))
    return np.logaddexp.reduce(mass + share)


@pytest.mark.parametrize("mu", [0.0, 1.0])
@pytest.mark.parametrize(
    ("epsilon_0", "k"), [(0.01, 10_000), (0.3, 500), (3.0, 40), (1e-3, 100_000)]
)
def test_what_is_left_out_of_many_losses_changes_nothing(epsilon_0, k, mu):
    middle = k * epsilon_0 * math.tanh(epsilon_0 / 2)
    width = epsilon_0 * math.sqrt(k)
    far = [middle + share * (k * epsilon_0 - middle) for share in (0.01, 0.2, 0.9)]
    for epsilon in (0.0, middle / 2, middle, middle + width / 2, *far):
        found = log_delta_mixture({epsilon_0: k}, mu, epsilon)
        assert found == pytest.approx(every_loss(epsilon_0, k, mu, epsilon), rel=3e-8)


def test_at_the_largest_loss_nothing_is_left_and_just_below_it_the_least():
    for epsilon_0, k in ((0.5, 8), (0.25, 3)):
        whole = epsilon_0 * k
        assert log_delta_mixture({epsilon_0: k}, 0.0, whole) == -math.inf
        assert log_delta_mixture({epsilon_0: k}, 0.0, 2 * whole) == -math.inf
        top = -k * math.log1p(math.exp(-epsilon_0))  # all answers are true
        below = log_delta_mixture({epsilon_0: k}, 0.0, whole - 1e-6)
        assert below == pytest.approx(top + math.log(-math.expm1(-1e-6)), rel=1e-8)


def test_too_many_losses_are_not_listed():
    assert log_delta_mixture({0.1: 700, 0.2: 700}, 0.5, 30.0) < 0
    for pure in ({0.1: 730, 0.2: 730}, {1e-7: 10**16}):
        with pytest.raises(TooManyTerms, match="too many pure releases"):
            log_delta_mixture(pure, 0.5, 30.0)


def test_a_hundred_million_releases_are_priced_around_their_peak():
    """Nearly normal: the losses in the window are a ten thousandth of all."""
    from dpteach.accounting.rules.gaussian import log_delta

    epsilon_0, k = 1e-4, 10**8
    for epsilon in (0.5, 3.0):
        found = log_delta_mixture({epsilon_0: k}, 0.0, epsilon)
        assert found == pytest.approx(float(log_delta(1.0, epsilon)), rel=1e-4)
