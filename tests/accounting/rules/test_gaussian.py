"""Gaussian prices against mpmath, tails included; inverses err on the safe side."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach.accounting import (
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
    noise_multiplier,
    price_of,
)
from dpteach.accounting.rules.gaussian import log_delta
from dpteach.privacy import Gaussian, Relation
from tests.accounting.exact import gaussian_delta as exact_delta

pytestmark = pytest.mark.claim(
    "09-dp-sgd",
    "The exact price agrees with 50-digit arithmetic to nine digits.",
    order=6,
)

ADD = Relation.ADD_REMOVE


def _settings(seed, n):
    # μ in [1e-3, 30], ε in [0, 100]: half in the bulk, half spread over the tail
    rng = np.random.default_rng(seed)
    while n:
        mu = 10 ** rng.uniform(-3, math.log10(30))
        if n % 2:
            epsilon = mu * mu / 2 + rng.uniform(-6, 36) * mu
        else:
            epsilon = 10 ** rng.uniform(-6, 2)
        if 0 <= epsilon <= 100:
            n -= 1
            yield float(mu), float(epsilon)


def _worst(delta_of, seed=0, n=2000):
    worst = 0.0
    for mu, epsilon in _settings(seed, n):
        exact = exact_delta(mu, epsilon)
        if exact > mp.mpf("1e-290"):
            worst = max(worst, float(abs(delta_of(mu, epsilon) / exact - 1)))
    return worst


def test_delta_agrees_with_mpmath_over_the_whole_range():
    assert _worst(gaussian_delta) < 1e-12


def test_a_negative_loss_has_its_delta_too_also_beside_others():
    """Where other releases gained ε, the Gaussian ones may lose more than nothing."""
    epsilons = [-300.0, -5.0, -0.3, -1e-6, 0.0, 1e-6, 0.3, 0.9, 5.0, 300.0]
    for mu in (0.05, 1.0, 7.0, 25.0):
        together = log_delta(mu, epsilons)
        for epsilon, found in zip(epsilons, together, strict=True):
            exact = mp.log(exact_delta(mu, epsilon))
            for each in (found, log_delta(mu, epsilon)):
                assert abs(each - exact) <= 1e-12 * max(1, abs(exact)), (mu, epsilon)


def test_the_printed_difference_of_two_terms_would_not_pass():
    def naive(mu, epsilon):
        from scipy.special import ndtr

        first = ndtr(mu / 2 - epsilon / mu)
        return float(first - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))

    assert _worst(naive, n=200) > 1e-9


def test_delta_agrees_with_mpmath_for_tiny_mu():
    rng = np.random.default_rng(1)
    for _ in range(300):
        mu = float(10 ** rng.uniform(-15, -2))
        epsilon = float(mu * 10 ** rng.uniform(-3, 1.5))
        assert gaussian_delta(mu, epsilon) == pytest.approx(
            float(exact_delta(mu, epsilon)), rel=1e-12, abs=1e-290
        )


@pytest.mark.parametrize(
    ("mu", "epsilon", "delta"),
    [
        (1, 1, 0.126936737506644),
        (1, 4, 4.71224120079312e-5),
        (0.5, 2, 9.43916863494723e-6),
        (4, 4, 0.767642810808157),
        (0.25, 8, 2.30302653272248e-225),
    ],
)
def test_delta_has_the_reference_values(mu, epsilon, delta):
    assert gaussian_delta(mu, epsilon) == pytest.approx(delta, rel=1e-12)


@pytest.mark.parametrize(
    ("mu", "epsilon"),
    [(0.1, 0.396857377644084), (1, 4.88655411746221), (3, 18.1634457590785)],
)
def test_epsilon_has_the_reference_values(mu, epsilon):
    assert gaussian_epsilon(mu, 1e-6) == pytest.approx(epsilon, rel=1e-11)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    [
        (1, 1e-6, 4.22467888932683),
        (1, 1e-5, 3.73063163481594),
        (0.1, 1e-6, 36.3046904261958),
        (8, 1e-6, 0.652935384358216),
        (1, 1e-9, 5.4952661572383),
    ],
)
def test_noise_has_the_reference_values(epsilon, delta, sigma):
    assert 1 / gaussian_mu(epsilon, delta) == pytest.approx(sigma, rel=1e-11)
    for k in (1, 7, 10**9):
        assert noise_multiplier(
            epsilon, delta, releases=k, relation=ADD
        ) == pytest.approx(sigma * math.sqrt(k), rel=1e-11)


def test_the_textbook_noise_is_the_formula_and_always_suffices():
    book = noise_multiplier(1, 1e-6, relation=ADD, method="textbook")
    assert book == pytest.approx(5.4434383541957, rel=1e-12)
    for epsilon in np.geomspace(1e-3, 1e3, 25):
        for delta in (1e-300, 1e-12, 1e-3, 0.5, 0.999):
            book, exact = (
                noise_multiplier(epsilon, delta, relation=ADD, method=method)
                for method in ("textbook", "exact")
            )
            assert book >= exact, (epsilon, delta)


def test_the_formula_with_two_log_of_1_25_over_delta_fails_above_epsilon_8():
    def suffices(epsilon, delta):
        sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        return gaussian_delta(1 / sigma, epsilon) <= delta

    for delta, first in ((1e-3, 8), (1e-5, 9), (1e-6, 9), (1e-9, 10)):
        assert all(suffices(epsilon, delta) for epsilon in range(1, first))
        assert not suffices(first, delta)


def test_inverses_err_on_the_private_side_and_by_no_more_than_rounding():
    rng = np.random.default_rng(2)
    for _ in range(150):
        delta = float(10 ** rng.uniform(-200, -0.3))
        mu, epsilon = (float(10 ** rng.uniform(*at)) for at in ((-3, 1.4), (-3, 2)))
        least = gaussian_epsilon(mu, delta)
        assert exact_delta(mu, least) <= delta
        if least > 0:
            assert exact_delta(mu, least * (1 - 1e-9)) > delta
        most = gaussian_mu(epsilon, delta)
        assert exact_delta(most, epsilon) <= delta
        assert exact_delta(most * (1 + 1e-9), epsilon) > delta
        z = noise_multiplier(epsilon, delta, releases=7, relation=Relation.REPLACE)
        assert exact_delta(mp.mpf(2) * mp.sqrt(7) / mp.mpf(z), epsilon) <= delta


@settings(deadline=None, max_examples=150)
@given(st.floats(1e-3, 1e3), st.floats(1e-250, 0.4))
def test_round_trips_hold(epsilon, delta):
    back = gaussian_epsilon(gaussian_mu(epsilon, delta), delta)
    assert back == pytest.approx(epsilon, rel=1e-9, abs=1e-9)
    mu = gaussian_mu(epsilon, delta)
    assert gaussian_delta(mu, epsilon) == pytest.approx(delta, rel=1e-9)


@settings(deadline=None, max_examples=150)
@given(
    st.floats(1e-3, 30),
    st.floats(0, 100),
    st.floats(1, 2),
)
def test_delta_falls_in_epsilon_and_rises_in_mu(mu, epsilon, factor):
    delta = gaussian_delta(mu, epsilon)
    assert gaussian_delta(mu, epsilon * factor) <= delta * (1 + 1e-12)
    assert gaussian_delta(mu * factor, epsilon) >= delta * (1 - 1e-12)


def test_extremes_are_finite_and_right():
    for epsilon in (1e-300, 1e-12, 1e6, 1e12):
        for delta in (5e-324, 1e-300, 0.5, 1 - 1e-12):
            for k in (1, 10**9):
                z = noise_multiplier(epsilon, delta, releases=k, relation=ADD)
                assert 0 < z < math.inf
                assert z == pytest.approx(
                    math.sqrt(k) / gaussian_mu(epsilon, delta), rel=1e-12
                )
    # a huge ε is ruled by μ²/2 and its square root by μ
    assert gaussian_epsilon(1e9, 1e-6) == pytest.approx(5e17, rel=1e-7)
    assert gaussian_epsilon(1e-9, 1e-6) == 0.0  # δ alone covers it
    assert gaussian_delta(1e-300, 0.0) == pytest.approx(
        1e-300 / math.sqrt(2 * math.pi), rel=1e-12
    )
    assert gaussian_delta(1e300, 1.0) == 1.0
    with pytest.raises(ValueError, match="`mu` must be small enough"):
        gaussian_epsilon(1e200, 1e-6)
    with pytest.raises(ValueError, match="`epsilon` must be large enough"):
        noise_multiplier(1e-308, 1e-306, releases=2**53, relation=ADD)


@pytest.mark.parametrize("mu", [10.5, 12.0, 14.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 20.0])
def test_a_delta_near_1_keeps_the_digits_of_what_is_left(mu, epsilon):
    """Of ln δ, which is then minus the rest: digits that δ itself has not."""
    with mp.workdps(40):
        exact = mp.log(
            mp.ncdf(mu / 2 - epsilon / mp.mpf(mu))
            - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mp.mpf(mu))
        )
    assert float(log_delta(mu, epsilon)) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("noise", [1e150, 1e200, 1e299])
def test_noise_whose_square_overflows_has_a_price(noise):
    """The search for an ε that is enough began at μ² = 0, and doubled that forever."""
    price = price_of(Gaussian(noise, relation=ADD), delta=1e-300)
    assert 0.9 / noise < price.lower <= price.epsilon < 37.2 / noise
    least = gaussian_epsilon(1 / noise, 1e-300)
    assert abs(least / price.epsilon - 1) < 1e-9
