"""Guessers, tests, groups and relations, against closed forms and tables."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy.special import ndtr, ndtri

from dpteach.accounting import (
    advanced_composition,
    basic_composition,
    epsilon_of,
    for_group,
    gaussian_epsilon,
    gaussian_mu,
    group_privacy,
    guess_probability,
    posterior_bounds,
    price_of,
    renyi_epsilon,
    restate,
    trade_off,
    zcdp_delta,
    zcdp_epsilon,
    zcdp_rho,
)
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    Selection,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


@settings(deadline=None)
@given(st.floats(0.01, 0.99), st.floats(0, 20))
def test_posterior_odds_move_by_e_to_the_epsilon(prior, epsilon):
    low, high = posterior_bounds(prior, epsilon)
    odds = prior / (1 - prior)
    assert low / (1 - low) == pytest.approx(odds * math.exp(-epsilon), rel=1e-6)
    assert (1 - high) / high == pytest.approx(math.exp(-epsilon) / odds, rel=1e-6)


def test_the_best_guess_about_randomized_response_is_its_answer():
    event = Pure(1.0, relation=ADD)
    right = math.e / (1 + math.e)
    for prior in (0.1, 0.4, 0.5, 0.7):
        # by Bayes' rule over the two answers
        best = sum(max(prior * p, (1 - prior) * (1 - p)) for p in (right, 1 - right))
        assert guess_probability(event, prior) == pytest.approx(best, rel=1e-10)


def test_the_best_guess_about_gaussian_noise_is_a_threshold():
    event = Gaussian(2.0, relation=ADD)
    for prior in (0.2, 0.5):
        x = np.linspace(-20, 20, 400001)
        p, q = np.exp(-((x - 0.5) ** 2) / 2), np.exp(-(x**2) / 2)
        best = np.sum(np.maximum(prior * p, (1 - prior) * q)) / np.sum(q)
        assert guess_probability(event, prior) == pytest.approx(best, rel=1e-7)


@pytest.mark.claim(
    "01-guessing-game", "Trade-off curves have their closed forms.", order=6
)
def test_trade_off_curves_have_their_closed_forms():
    for alpha in (1e-6, 0.05, 0.3, 0.9):
        for mu in (0.1, 1.0, 3.0):
            exact = ndtr(ndtri(1 - alpha) - mu)
            ours = trade_off(Gaussian(1 / mu, relation=ADD), alpha)
            assert ours == pytest.approx(exact, rel=1e-6, abs=1e-9)
            assert ours <= exact * (1 + 1e-9) + 1e-12
        exact = max(0, 1 - math.e * alpha, (1 - alpha) / math.e)
        assert trade_off(Pure(1.0, relation=ADD), alpha) == pytest.approx(
            exact, rel=1e-6
        )


@pytest.mark.parametrize(
    ("mu", "alpha"), [(20.0, 1e-100), (5.0, 1e-30), (36.0, 1e-290), (0.5, 1e-280)]
)
def test_few_false_alarms_leave_the_trade_off_curve_steep(mu, alpha):
    """For 20 and 10⁻¹⁰⁰ the slope is −e²²⁵; with −e⁴⁰ as the steepest, f was 10⁻¹⁵."""
    exact = ndtr(-ndtri(alpha) - mu)
    assert exact > 0.4
    found = trade_off(Gaussian(1 / mu, relation=ADD), alpha)
    assert exact * (1 - 1e-8) < found <= exact * (1 + 1e-12)


@pytest.mark.claim(
    "01-guessing-game",
    "Replacing doubles ε and μ, but not δ (E-02).",
    order=9,
)
def test_e02_replacing_doubles_epsilon_and_mu_but_not_delta():
    epsilon, delta = group_privacy(1.0, 1e-6, size=2)
    assert epsilon == 2.0
    assert delta == pytest.approx(1e-6 * (1 + math.e), rel=1e-12)
    assert delta == pytest.approx(3.72e-6, rel=1e-3)
    once = Gaussian(1 / gaussian_mu(1.0, 1e-6), relation=ADD)
    assert restate(once, REPLACE).mu == pytest.approx(2 * once.mu, rel=1e-15)
    # ρ = μ²/2 is four times as large
    assert restate(once, REPLACE).mu ** 2 == pytest.approx(4 * once.mu**2, rel=1e-15)
    # "a factor of two in the privacy parameters" does not hold for the pair (ε, δ)
    twice = restate(once, REPLACE)
    assert price_of(twice, epsilon=2.0).delta > 2e-6
    assert price_of(twice, epsilon=2.0).delta <= delta


def test_groups_are_sharper_event_by_event():
    event = Composed((Gaussian(5.0, relation=ADD), Pure(0.1, relation=ADD)))
    epsilon, delta = group_privacy(epsilon_of(event, 1e-9), 1e-9, size=3)
    assert epsilon_of(for_group(event, 3), delta) < epsilon
    assert for_group(event, 3).events[1] == Pure(0.1 * 3, relation=ADD)
    assert group_privacy(1.0, 0.5, size=9)[1] == 1.0


def test_relations_that_do_not_follow_are_refused():
    assert restate(Selection(0.5, relation=ADD), REPLACE) == Selection(
        1.0, relation=REPLACE
    )
    event = Composed((Gaussian(5.0, relation=ADD), Pure(0.1, relation=ADD)))
    assert restate(event, REPLACE).relation is REPLACE
    assert restate(event, ADD) is event
    with pytest.raises(ValueError, match="`relation` must be"):
        restate(event, Relation.ZERO_OUT)
    sampled = SampledGaussian(1.0, rate=0.1, relation=ADD)
    assert restate(sampled, REPLACE) == SampledGaussian(1.0, rate=0.1, relation=REPLACE)
    with pytest.raises(ValueError, match="`event` must not be subsampled"):
        for_group(SampledGaussian(1.0, rate=0.1, relation=ADD), 2)
    with pytest.raises(TypeError, match="`event` must be"):
        for_group("event", 2)


@pytest.mark.claim(
    "03-composition",
    "Composition theorems bound the exact price.",
    order=7,
)
def test_composition_theorems_bound_the_exact_price():
    for epsilon, k in [(0.1, 100), (0.01, 10**4), (1.0, 10)]:
        event = Pure(epsilon, releases=k, relation=ADD)
        exact = epsilon_of(event, 1e-6)
        advanced, delta = advanced_composition(epsilon, 0.0, releases=k, slack=1e-6)
        assert delta == 1e-6
        assert exact <= advanced <= basic_composition(epsilon, 0.0, releases=k)[0]
    assert basic_composition(0.1, 0.3, releases=5) == (0.5, 1.0)
    assert advanced_composition(1.0, 1e-9, releases=9, slack=1e-6)[1] == pytest.approx(
        1e-6 + 9e-9
    )


def test_composition_is_never_worse_than_adding_up():
    """At a large ε luck costs more than it saves; δ adds up, but not beyond 1."""
    assert advanced_composition(5.0, 0.1, releases=2, slack=0.5) == (10.0, 0.7)
    assert advanced_composition(5.0, 0.3, releases=3, slack=0.2) == (15.0, 1.0)
    assert basic_composition(5.0, 0.3, releases=3)[1] == pytest.approx(0.9)


def test_concentrated_privacy_has_the_reference_values():
    assert zcdp_rho(1.0, 1e-6) == pytest.approx(0.0243559703595, rel=1e-9)
    assert zcdp_epsilon(0.1, 1e-6) == pytest.approx(2.141938928, rel=1e-9)
    assert zcdp_epsilon(0.5, 1e-6) == pytest.approx(5.222, abs=1e-3)
    assert zcdp_epsilon(0.5, 1e-6, method="basic") == pytest.approx(5.757, abs=1e-3)


@settings(deadline=None)
@given(st.floats(1e-4, 50), st.floats(1e-200, 0.3))
def test_concentrated_privacy_is_an_upper_bound_and_its_own_inverse(rho, delta):
    epsilon = zcdp_epsilon(rho, delta)
    assert epsilon <= zcdp_epsilon(rho, delta, method="basic") * (1 + 1e-12)
    assert epsilon >= gaussian_epsilon(math.sqrt(2 * rho), delta) * (1 - 1e-9)
    if epsilon > 1e-3:
        assert zcdp_delta(rho, epsilon) == pytest.approx(delta, rel=1e-6)
        assert zcdp_rho(epsilon, delta) == pytest.approx(rho, rel=1e-6)


def test_a_large_rho_guarantees_nothing_and_no_delta_is_above_one():
    for rho, epsilon in ((2.0, 1.0), (2.0, 2.0), (1e6, 0.0)):
        assert zcdp_delta(rho, epsilon, method="basic") == 1.0
    for rho in (1.0, 1e3, 1e6):
        assert zcdp_delta(rho, 0.0) <= 1.0
    assert zcdp_delta(1e6, 0.0) == 1.0
    assert zcdp_epsilon(1e-12, 0.5) == 0.0


@pytest.mark.parametrize("rho", [5e-324, 1e-300, 1e-40, 1e-12, 1e-8, 0.1, 30.0, 1e6])
def test_concentrated_privacy_keeps_its_digits_at_any_rho(rho):
    """The best order is near 1/√(2ρ), so with few releases of much noise it is huge."""
    for spread in (0.0, 1e-3, 1.0, 10.0, 30.0):
        epsilon = spread * math.sqrt(2) * math.sqrt(rho)
        wanted = _concentrated_log_delta(rho, epsilon)
        if wanted > -700:
            found = math.log(zcdp_delta(rho, epsilon))
            assert found == pytest.approx(wanted, rel=1e-13, abs=1e-12)
        assert zcdp_delta(rho, 1e300) <= 1
    for delta in (1e-300, 1e-6, 0.9):
        epsilon = zcdp_epsilon(rho, delta)
        assert 0 <= epsilon <= zcdp_epsilon(rho, delta, method="basic") * (1 + 1e-14)
        assert _concentrated_log_delta(rho, epsilon) <= math.log(delta) + 1e-12


def _concentrated_log_delta(rho, epsilon):
    """Minimize ρs(s + 1) − εs − s ln(1 + 1/s) − ln(1 + s) over s, to sixty digits."""
    with mp.workdps(60):
        rho, epsilon = mp.mpf(rho), mp.mpf(epsilon)
        low, high = mp.mpf(-900), mp.log(max(epsilon / rho, 1) + 1 / mp.sqrt(rho))
        for _ in range(150):  # the slope rises with s
            u = (low + high) / 2
            s = mp.exp(u)
            rises = rho * (2 * s + 1) - epsilon - mp.log1p(1 / s) > 0
            low, high = (low, u) if rises else (u, high)
        s = mp.exp(low)
        value = s * (rho * (s + 1) - epsilon) - s * mp.log1p(1 / s) - mp.log1p(s)
        return float(min(value, 0))


def test_a_rho_whose_epsilon_is_no_float_is_refused():
    for method in ("basic", "canonne_kamath_steinke"):
        with pytest.raises(ValueError, match="`rho` must be small enough"):
            zcdp_epsilon(1.797e308, 1e-6, method=method)
    assert zcdp_epsilon(1e307, 1e-6) == pytest.approx(1e307, rel=1e-12)


def test_conversions_of_renyi_divergence_are_ordered():
    order = np.geomspace(1.01, 200, 2000)
    for rho in (0.01, 0.5, 10.0):
        basic, better = (
            renyi_epsilon(order, rho * order, 1e-6, method=method)
            for method in ("basic", "canonne_kamath_steinke")
        )
        assert better < basic
        assert better == pytest.approx(zcdp_epsilon(rho, 1e-6), rel=1e-4)
        assert basic == pytest.approx(zcdp_epsilon(rho, 1e-6, method="basic"), rel=1e-4)
    with pytest.raises(ValueError, match="`order` must be above 1"):
        renyi_epsilon(1.0, 0.5, 1e-6)
    with pytest.raises(ValueError, match="`order` and `divergence` must"):
        renyi_epsilon([2.0, 3.0], [0.5], 1e-6)
    with pytest.raises(ValueError, match="`divergence` must be at least 0"):
        renyi_epsilon(2.0, -0.1, 1e-6)
    with pytest.raises(TypeError, match="`order`"):
        renyi_epsilon("two", 0.5, 1e-6)
