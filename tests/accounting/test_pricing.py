"""Every event and mixture against mpmath and dp-accounting; rules of composition."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach.accounting import (
    Price,
    calibrate,
    delta_of,
    epsilon_of,
    gaussian_delta,
    noise_multiplier,
    price_of,
)
from dpteach.privacy import (
    Approximate,
    Composed,
    FixedSizeGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
)
from tests.accounting.exact import mixture_delta

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


def gaussian(z, releases=1, relation=ADD):
    return Gaussian(z, releases=releases, relation=relation)


def pure(epsilon, releases=1, relation=ADD):
    return Pure(epsilon, releases=releases, relation=relation)


def mixed(groups, mu):
    events = [pure(epsilon, k) for epsilon, k in groups.items()]
    return Composed((*events, gaussian(1 / mu)) if mu else events)


@pytest.mark.claim(
    "03-composition",
    "Exact prices of pure and Gaussian releases agree with 50-digit arithmetic.",
    order=1,
)
def test_pure_and_mixed_events_agree_with_mpmath():
    rng = np.random.default_rng(3)
    for _ in range(60):
        m = int(rng.integers(1, 4))
        groups = {
            float(10 ** rng.uniform(-3, 0.7)): int(rng.integers(1, (0, 60, 12, 4)[m]))
            for _ in range(m)
        }
        mu = float(rng.choice([0, 10 ** rng.uniform(-2, 0.7)]))
        most = sum(epsilon * k for epsilon, k in groups.items())
        epsilon = float(rng.uniform(0, 0.99) * most + mu * rng.uniform(0, 5) * (mu > 0))
        exact, event = mixture_delta(groups, mu, epsilon), mixed(groups, mu)
        assert delta_of(event, epsilon) == pytest.approx(
            float(exact), rel=1e-10, abs=1e-290
        )
        assert delta_of(event, epsilon) >= exact or exact < 1e-290
        if 1e-290 < exact < 0.5:
            least = epsilon_of(event, float(exact))
            assert least == pytest.approx(epsilon, rel=1e-8, abs=1e-8)
            assert delta_of(event, least) <= float(exact)


def test_a_mixture_without_the_mirror_image_at_negative_arguments_would_not_pass():
    # Losses above ε leave δ_G a negative argument. To read 0 there looks private.
    event, exact = mixed({1.0: 2}, 1.0), float(mixture_delta({1.0: 2}, 1.0, 0.5))
    odds = math.e
    p, q = odds / (1 + odds), 1 / (1 + odds)
    cut = sum(
        mass * gaussian_delta(1.0, 0.5 - loss)
        for loss, mass in ((2, p * p), (0, 2 * p * q), (-2, q * q))
        if loss <= 0.5
    )
    assert delta_of(event, 0.5) == pytest.approx(exact, rel=1e-10)
    assert cut < exact / 2


def test_pure_mixture_agrees_with_the_loss_distributions_of_dp_accounting():
    from dp_accounting.pld import privacy_loss_distribution as pld

    one = pld.from_gaussian_mechanism(2.0, value_discretization_interval=1e-4)
    two = pld.from_privacy_parameters(
        pld.common.DifferentialPrivacyParameters(0.3),
        value_discretization_interval=1e-4,
    )
    both = one.compose(two.self_compose(5))
    event = mixed({0.3: 5}, 0.5)
    for delta in (1e-2, 1e-5, 1e-8):
        theirs = both.get_epsilon_for_delta(delta)
        assert epsilon_of(event, delta) == pytest.approx(theirs, rel=1e-3)
        assert epsilon_of(event, delta) <= theirs  # theirs is an upper bound


def test_many_small_pure_releases_become_gaussian():
    # k releases at μ/√k tend to μ-GDP from below, as fast as 1/k
    for mu in (1.0,):
        limit = epsilon_of(gaussian(1 / mu), 1e-6)
        gaps = [
            1 - epsilon_of(pure(mu / math.sqrt(k), k), 1e-6) / limit
            for k in (10**4, 10**6, 10**8)
        ]
        assert 0 < gaps[2] < gaps[1] / 50 < gaps[0] / 2500
        assert gaps[2] < 1e-6


def test_without_delta_pure_privacy_adds_up_and_nothing_else_has_a_price():
    assert epsilon_of(mixed({0.5: 2, 0.25: 3}, 0.0), 0) == 1.75
    assert price_of(pure(0.5, 2), delta=0.0).kind == "exact"
    with pytest.raises(ValueError, match="`delta` must be above 0"):
        epsilon_of(gaussian(1.0), 0.0)


@pytest.mark.parametrize("epsilon", [39.0, 200.0, 720.0, 1e8])
def test_a_delta_too_small_for_a_float_is_not_zero(epsilon):
    """0 would promise pure privacy; at 720 the price of a sample once raised."""
    events = (
        gaussian(1.0),
        SampledGaussian(1.0, rate=0.1, relation=ADD),
        mixed({0.1: 1}, 0.5),
    )
    for event in events:
        price = price_of(event, epsilon=epsilon)
        assert (price.delta, price.lower) == (5e-324, 0.0)
    assert delta_of(pure(1.0), epsilon) == 0


@pytest.mark.parametrize("accountant", ["best", "contour", "loss_distribution"])
@pytest.mark.parametrize("epsilon", [1e16, 1e100, 1e300])
def test_at_a_huge_epsilon_nothing_is_left(epsilon, accountant):
    """The moments there once took more memory than there is, and overflowed."""
    once = SampledGaussian(1.0, rate=0.1, releases=5, relation=ADD)
    batch = FixedSizeGaussian(1.0, batch_size=3, n=10, releases=5, relation=REPLACE)
    for event, most in ((once, 5e-324), (batch, 1e-298)):
        price = price_of(event, epsilon=epsilon, accountant=accountant)
        assert price.lower == 0
        assert 0 < price.delta <= most


@pytest.mark.parametrize(
    ("rate", "steps", "noise", "delta"),
    [
        (4.5e-6, 4, 4.4, 7e-259),
        (0.063, 69169, 167.0, 1.7e-248),
        (3e-3, 200, 1e3, 1e-98),
    ],
)
def test_a_tiny_delta_of_samples_has_a_price(rate, steps, noise, delta):
    """Nearly all of δ was cut off along the contour, and its slope was 0."""
    event = SampledGaussian(noise, rate=rate, releases=steps, relation=ADD)
    epsilon = epsilon_of(event, delta)
    assert 0 < epsilon <= epsilon_of(event, delta, accountant="renyi")
    once = SampledGaussian(noise, rate=rate, relation=ADD)
    assert epsilon_of(once, delta) < epsilon
    known = Gaussian(noise, releases=steps, relation=ADD)
    assert epsilon < epsilon_of(known, delta)


def test_no_delta_is_rounded_below_what_it_is():
    truth = mixture_delta({}, 1.0, 38.7)  # about 4e-321, by mpmath
    price = price_of(gaussian(1.0), epsilon=38.7)
    assert price.lower < truth < price.delta
    assert delta_of(gaussian(1.0), epsilon_of(gaussian(1.0), 1e-322)) <= 1e-322


def test_sampled_releases_have_no_price_without_delta():
    """Nor has what may fail outright, or Gaussian noise beside a pure release."""
    for event in (
        SampledGaussian(1.0, rate=0.1, releases=3, relation=ADD),
        Approximate(1.0, 1e-9, relation=ADD),
        Composed((pure(1.0), gaussian(1.0))),
    ):
        with pytest.raises(ValueError, match="`delta` must be above 0"):
            epsilon_of(event, 0.0)


def test_a_price_says_both_numbers_and_what_is_below_it():
    price = price_of(pure(0.5, 2), delta=0.0)
    assert (price.epsilon, price.delta, price.lower) == (1.0, 0.0, 1.0)
    assert Price(1.0, 1e-6, "upper bound", "by hand").lower == 0.0
    event = Composed((Approximate(0.5, 1e-3, relation=ADD), gaussian(2.0)))
    price = price_of(event, epsilon=1.0)
    assert 1e-3 < price.lower <= price.delta <= price.lower * (1 + 1e-6)
    assert price.delta > 1e-3 + 0.9 * delta_of(gaussian(2.0), 1.0)
    for failure in (1e-3, 0.2):
        event = Composed((Approximate(0.5, failure, relation=ADD), gaussian(2.0)))
        assert epsilon_of(event, delta_of(event, 1.0)) == pytest.approx(1.0, rel=1e-6)


def test_basic_composition_is_the_limit_of_no_delta():
    event = Composed((pure(0.5, 2), pure(0.25, 3)))
    assert delta_of(event, 1.75) == 0.0
    assert epsilon_of(event, 1e-300) == pytest.approx(1.75, rel=1e-12)
    assert epsilon_of(event, 1e-300) <= 1.75 * (1 + 1e-12)
    assert epsilon_of(event, 0.9) == 0.0


def test_how_a_figure_was_obtained_is_said():
    assert price_of(gaussian(1), delta=1e-6).kind == "exact"
    assert price_of(pure(1), epsilon=0.5).method.startswith("optimal composition")
    price = price_of(Composed((gaussian(1), pure(1))), epsilon=2.0)
    assert price.kind == "exact"
    assert price.epsilon == 2.0
    assert 0 < price.delta < 1


EVENTS = st.lists(
    st.one_of(
        st.builds(gaussian, st.floats(0.3, 50), st.integers(1, 100)),
        st.builds(pure, st.sampled_from([0.01, 0.25, 1.0]), st.integers(1, 9)),
    ),
    min_size=1,
    max_size=4,
)


@settings(deadline=None, max_examples=60)
@given(EVENTS, st.randoms(use_true_random=False), st.floats(0, 10))
def test_order_and_nesting_do_not_change_a_price(events, random, epsilon):
    flat = delta_of(Composed(tuple(events)), epsilon)
    shuffled = list(events)
    random.shuffle(shuffled)
    nested = Composed((Composed(tuple(shuffled[:1])), *shuffled[1:]))
    assert delta_of(nested, epsilon) == pytest.approx(flat, rel=1e-9, abs=1e-300)


@settings(deadline=None, max_examples=60)
@given(EVENTS, st.floats(0, 10), st.floats(1e-12, 0.3))
def test_prices_are_monotone_and_inverse_to_each_other(events, epsilon, delta):
    event = Composed(tuple(events))
    price = delta_of(event, epsilon)
    assert delta_of(event, epsilon + 0.5) <= price * (1 + 1e-9)
    assert delta_of(Composed((event, pure(0.1))), epsilon) >= price * (1 - 1e-9)
    assert delta_of(Composed((event, gaussian(5.0))), epsilon) >= price * (1 - 1e-9)
    least = epsilon_of(event, delta)
    assert delta_of(event, least) <= delta
    if least > 0:
        assert delta_of(event, least * (1 - 1e-6)) > delta
        assert epsilon_of(event, delta / 2) >= least


@settings(deadline=None, max_examples=50)
@given(st.floats(0.1, 100), st.integers(1, 10**9), st.floats(0, 20))
def test_T_gaussians_are_one_with_less_noise_by_root_T(z, releases, epsilon):
    one = delta_of(gaussian(z / math.sqrt(releases)), epsilon)
    assert delta_of(gaussian(z, releases), epsilon) == pytest.approx(one, rel=1e-8)
    # and replacing a record is twice the sensitivity
    twice = delta_of(gaussian(2 * z, relation=REPLACE), epsilon)
    assert twice == pytest.approx(delta_of(gaussian(z), epsilon), rel=1e-9)


@pytest.mark.claim(
    "03-composition",
    "The noise that is found for a budget costs no more than the budget.",
    order=8,
)
def test_calibrate_finds_the_least_noise_on_the_safe_side():
    for epsilon in (1e-3, 1.0, 50.0):
        for delta in (1e-12, 1e-6, 0.1):
            z = calibrate(lambda z: gaussian(z, 10), epsilon, delta)
            direct = noise_multiplier(epsilon, delta, releases=10, relation=ADD)
            assert z == pytest.approx(direct, rel=1e-10)
            assert epsilon_of(gaussian(z, 10), delta) <= epsilon
            assert delta_of(gaussian(z, 10), epsilon) <= delta * (1 + 1e-12)
            assert delta_of(gaussian(z * (1 - 1e-8), 10), epsilon) > delta


def test_calibrate_serves_falling_and_rising_prices():
    largest = calibrate(lambda x: pure(x, 100), 1.0, 1e-6)
    assert delta_of(pure(largest, 100), 1.0) <= 1e-6
    assert delta_of(pure(largest * (1 + 1e-6), 100), 1.0) > 1e-6

    def with_a_choice(z):
        return Composed((gaussian(z, 10), pure(0.5)))

    z = calibrate(with_a_choice, 1.0, 1e-6)
    assert delta_of(with_a_choice(z), 1.0) <= 1e-6
    assert z > calibrate(lambda z: gaussian(z, 10), 1.0, 1e-6)


def test_calibrate_says_when_no_noise_can_do():
    with pytest.raises(ValueError, match="`event_of` must meet"):
        calibrate(lambda z: Composed((gaussian(z), pure(2.0))), 1.0, 1e-6)
    with pytest.raises(TypeError, match="`event_of` must be a function"):
        calibrate(gaussian(1.0), 1.0, 1e-6)


def test_bad_events_are_named():
    with pytest.raises(TypeError, match="`event` must be an event"):
        epsilon_of("gaussian", 1e-6)
    with pytest.raises(ValueError, match="`event` must cost less"):
        epsilon_of(gaussian(1e-200), 1e-6)
    with pytest.raises(ValueError, match="`epsilon` or `delta` must be given"):
        price_of(gaussian(1.0))
    with pytest.raises(ValueError, match="`epsilon` or `delta` must be given"):
        price_of(gaussian(1.0), epsilon=1.0, delta=1e-6)
    for delta in (0, 1, -1, math.nan, math.inf):
        with pytest.raises(ValueError, match="`delta`"):
            epsilon_of(gaussian(1.0), delta)
    with pytest.raises(ValueError, match="`epsilon`"):
        delta_of(gaussian(1.0), -1.0)


def test_what_is_known_at_one_point_composes_by_its_worst_case():
    """(ε, δ): all is lost with probability δ, else randomized response at ε."""
    once = Approximate(1.0, 1e-3, relation=Relation.ADD_REMOVE)
    assert epsilon_of(once, 1e-3) == 1.0
    assert delta_of(once, 1.0) == 1e-3
    assert delta_of(once, 5.0) == 1e-3
    # below ε: δ + (1 − δ)(e^ε₀ − e^ε)/(1 + e^ε₀)
    wanted = 1e-3 + (1 - 1e-3) * (math.e - math.exp(0.5)) / (1 + math.e)
    assert delta_of(once, 0.5) == pytest.approx(wanted, rel=1e-9)
    twice = Composed((once, once))
    assert 1.99 < epsilon_of(twice, 1 - (1 - 1e-3) ** 2 + 1e-9) <= 2.0
    noise = Gaussian(5.0, relation=Relation.ADD_REMOVE)
    pure = Pure(1.0, relation=Relation.ADD_REMOVE)
    both = delta_of(Composed((once, noise)), 2.0)
    other = delta_of(Composed((pure, noise)), 2.0)
    assert both == pytest.approx(1e-3 + (1 - 1e-3) * other, rel=1e-9)
    with pytest.raises(ValueError, match=r"`delta` must be above 0\.001"):
        epsilon_of(Composed((once, noise)), 1e-3)
    with pytest.raises(ValueError, match=r"`delta` must be above 0\.001"):
        epsilon_of(once, 1e-4)
