"""Sampled Gaussian releases: closed forms, dp-accounting, the accountants' traps."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from dpteach.accounting import (
    calibrate,
    delta_of,
    epsilon_of,
    gaussian_epsilon,
    price_of,
    sampled_gaussian_rdp,
)
from dpteach.accounting.integration.contour import Contour
from dpteach.accounting.integration.line import moments_along
from dpteach.accounting.moments.nonuniform_fourier import exponential_sums
from dpteach.accounting.pairs.sampled_gaussian import SampledPair
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    Selection,
)

ADD = Relation.ADD_REMOVE


def sampled(sigma, q, steps=1, relation=ADD):
    return SampledGaussian(sigma, rate=q, releases=steps, relation=relation)


def test_one_sample_agrees_with_the_integral_of_its_densities():
    # δ = ∫ (p − e^ε q)₊ in both directions, to thirty digits
    mp.mp.dps = 30
    for sigma, q, epsilon in [(1, 0.01, 0.1), (2, 0.3, 0.2), (0.5, 0.001, 1.0)]:

        def gap(x, removed, sigma=sigma, q=q, epsilon=epsilon):
            without = mp.npdf(x, 0, sigma)
            with_it = (1 - mp.mpf(q)) * without + mp.mpf(q) * mp.npdf(x, 1, sigma)
            p, other = (with_it, without) if removed else (without, with_it)
            return p - mp.exp(epsilon) * other

        exact = mp.mpf(0)
        for removed in (True, False):
            if not removed and (1 - q) * math.exp(epsilon) >= 1:
                continue
            # where the densities cross
            odds = math.expm1(epsilon if removed else -epsilon) / q + 1
            cut = sigma**2 * math.log(odds) + 0.5
            side = [cut, cut + 3, mp.inf] if removed else [-mp.inf, cut - 3, cut]
            exact = max(exact, mp.quad(lambda x, r=removed: gap(x, r), side))
        price = price_of(sampled(sigma, q), epsilon=epsilon)
        assert price.kind == "exact"
        assert price.delta == pytest.approx(float(exact), rel=1e-10)


def test_a_rate_of_one_is_no_sampling():
    for epsilon in (0.5, 3.0):
        assert delta_of(sampled(2.0, 1, 9), epsilon) == delta_of(
            Gaussian(2.0, releases=9, relation=ADD), epsilon
        )


def test_the_contour_meets_the_closed_form_at_a_rate_near_one():
    # continuous in the rate: from below, and by at most the change in the rate
    for sigma in (0.5, 1.0, 3.0, 20.0):
        for steps in (7, 100):
            whole = gaussian_epsilon(math.sqrt(steps) / sigma, 1e-5)
            near = epsilon_of(sampled(sigma, 1 - 1e-9, steps), 1e-5)
            assert near == pytest.approx(whole, rel=1e-6)


@pytest.mark.claim(
    "04-how-accountants-compute",
    "The contour integral lies between the bounds of another library.",
    order=3,
)
@pytest.mark.parametrize(
    ("sigma", "q", "steps", "delta"),
    [
        pytest.param(1.1, 0.004, 4800, 1e-5, marks=pytest.mark.thorough),
        pytest.param(0.8, 0.01, 1000, 1e-6, marks=pytest.mark.thorough),
        (4.0, 0.3, 40, 1e-9),
    ],
)
def test_the_contour_lies_between_the_bounds_of_dp_accounting(sigma, q, steps, delta):
    from dp_accounting.pld import privacy_loss_distribution as pld

    price = price_of(sampled(sigma, q, steps), delta=delta)
    assert price.kind == "certified"
    assert price.epsilon * (1 - 1e-6) < price.lower < price.epsilon
    bounds = [
        pld.from_gaussian_mechanism(
            sigma,
            sampling_prob=q,
            pessimistic_estimate=pessimistic,
            value_discretization_interval=1e-4,
            use_connect_dots=pessimistic,
        )
        .self_compose(steps)
        .get_epsilon_for_delta(delta)
        for pessimistic in (False, True)
    ]
    assert bounds[0] <= price.epsilon
    assert price.lower <= bounds[1]
    assert price.epsilon == pytest.approx(bounds[1], rel=1e-4)
    grid = price_of(
        sampled(sigma, q, steps), delta=delta, accountant="loss_distribution"
    )
    assert grid.kind == "upper bound"
    assert price.epsilon <= grid.epsilon <= price.epsilon * (1 + 2e-5)


def test_the_accountants_order_is_kept_at_the_reference_run():
    # plain quadrature, c = 3, 5, 8, 10 alike, gives ln δ = −11.5129255997 at this ε
    event = sampled(1.1, 0.004, 4800)
    assert math.log(delta_of(event, 1.2438516173)) == pytest.approx(
        -11.5129255997, abs=3e-9
    )
    best, grid, renyi = (
        price_of(event, delta=1e-5, accountant=name).epsilon
        for name in ("contour", "loss_distribution", "renyi")
    )
    assert best == pytest.approx(1.2438516060, rel=1e-9)
    assert best >= 1.24385160595  # an integral in 80-bit floats gives …5957
    assert best < grid < best * (1 + 1e-5)
    assert renyi == pytest.approx(1.382, abs=1e-3)  # what moments lose
    with pytest.raises(ValueError, match="`accountant` must be able"):
        price_of(event, delta=1e-5, accountant="concentrated")
    with pytest.raises(ValueError, match="`accountant` must be able"):
        price_of(event, delta=1e-5, accountant="exact")


def test_trap_the_grid_follows_the_tilted_distribution():
    # a fixed grid gave ε = 1.54 here
    assert epsilon_of(sampled(1.4, 0.004, 4800), 1e-5) == pytest.approx(
        0.85185, abs=1e-5
    )


@pytest.mark.claim(
    "04-how-accountants-compute",
    "Any line of integration gives the same price.",
    order=5,
)
def test_any_line_gives_the_same_price_between_its_bounds():
    # stopping at a small term gave 1.1769 in such a place
    contour, epsilon = Contour([(SampledPair(1.1, 0.004, True), 4800)]), 1.2438516
    cut = [(pair.cut_off(math.log(1e-18)), k) for pair, k in contour.pairs]
    found = []
    for tilt in (3.0, 6.0, 10.0):
        soft = [(pair.softened(tilt), k) for pair, k in cut]
        line = moments_along(soft, tilt, epsilon, math.log(1e-5), contour.excess)
        found.append(line.bounds(epsilon)[:2])
    lower, upper = np.transpose(found)
    assert np.max(lower) < np.min(upper) < np.max(upper) < np.max(lower) + 1e-6
    assert np.mean(upper) == pytest.approx(math.log(1e-5), abs=1e-6)


def test_trap_the_loss_of_adding_is_bounded():
    adding = Contour([(SampledPair(1.0, 0.01, False), 10)])
    greatest = -10 * math.log1p(-0.01)
    assert adding.bounds(greatest + 1e-9) == (-math.inf, -math.inf)
    lower, upper = adding.bounds(greatest / 2)
    assert lower < upper < lower + 1e-6


def test_trap_just_below_the_greatest_loss_the_tilt_runs_off():
    """One pass, qT = 1, and ε = 1: no record's absence can tell more than 1.0017.

    The saddle point there is at a tilt of 10¹³. The integral refuses; a moment's bound
    shows that this direction is not the worse one.
    """
    event = SampledGaussian(0.5, rate=1 / 300, releases=300, relation=Relation.ZERO_OUT)
    adding = Contour([(SampledPair(0.5, 1 / 300, False), 300)])
    price = price_of(event, epsilon=1.0)
    assert adding.chernoff(1.0) < math.log(price.delta)
    grid = price_of(event, epsilon=1.0, accountant="loss_distribution")
    assert price.lower <= grid.delta <= price.delta * (1 + 1e-5)


def test_trap_epsilon_is_zero_where_delta_alone_suffices():
    assert epsilon_of(sampled(20.0, 1e-4, 10), 1e-3) == 0.0


@pytest.mark.parametrize(
    ("sigma", "q", "steps"),
    [pytest.param(0.6, 0.001, 50, marks=pytest.mark.thorough), (1.0, 0.02, 2)],
)
def test_trap_few_jumps_are_cut_softly(sigma, q, steps):
    # the moments do not die out: to stop at a small term gave an error of 2e-4
    from dp_accounting.pld import privacy_loss_distribution as pld

    price = price_of(sampled(sigma, q, steps), delta=1e-6)
    assert price.lower > price.epsilon * (1 - 2e-6)
    grid = price_of(
        sampled(sigma, q, steps), delta=1e-6, accountant="loss_distribution"
    )
    assert price.lower <= grid.epsilon <= price.epsilon * (1 + 1e-5)
    one = pld.from_gaussian_mechanism(
        sigma, sampling_prob=q, value_discretization_interval=1e-4
    )
    theirs = one.self_compose(steps).get_epsilon_for_delta(1e-6)
    assert price.epsilon == pytest.approx(theirs, rel=1e-5)


@pytest.mark.claim(
    "04-how-accountants-compute",
    "Two sampled releases cost what the integral over the first one says, to 30 "
    "digits.",
    order=4,
)
def test_two_sampled_releases_agree_with_the_integral_over_the_first():
    # δ_2(ε) = ∫ p(x) δ_1(ε − L(x)) dx, δ_1 in closed form at every ε, to thirty digits
    mp.mp.dps = 30
    for sigma, q, epsilon in [(1, 0.02, 0.8), (0.6, 0.001, 0.5), (2, 0.1, 0.3)]:
        s, q_, e = mp.mpf(sigma), mp.mpf(q), mp.mpf(epsilon)

        def once(a, s=s, q=q_):
            odds = mp.exp(a) - 1 + q
            if odds <= 0:
                return 1 - mp.exp(a)
            x = s * s * mp.log(odds / q) + mp.mpf(1) / 2
            return (
                (1 - q) * mp.ncdf(-x / s)
                + q * mp.ncdf((1 - x) / s)
                - mp.exp(a) * mp.ncdf(-x / s)
            )

        def first(x, s=s, q=q_, e=e, once=once):
            with_it = (1 - q) * mp.npdf(x, 0, s) + q * mp.npdf(x, 1, s)
            return with_it * once(e - mp.log(with_it / mp.npdf(x, 0, s)))

        # sharp where the first loss is nearly all of ε
        at = s * s * mp.log((mp.exp(e) - 1 + q_) / q_) + mp.mpf(1) / 2
        close = [at + sign * s * mp.mpf(2) ** -k for k in range(9) for sign in (1, -1)]
        cuts = sorted([-10 * sigma, -3 * sigma, 0, at, *close, at + 8 * s])
        exact = mp.quad(first, cuts)
        price = price_of(sampled(sigma, q, 2), epsilon=epsilon)
        assert price.lower <= exact <= price.delta
        assert price.delta == pytest.approx(float(exact), rel=1e-5)


def test_sums_at_many_frequencies_agree_with_plain_sums_within_their_bound():
    rng = np.random.default_rng(6)
    for scale in (0.1, 1.0, 30.0):
        at, weight = scale * rng.standard_normal(300), rng.random(300)
        (sums,), (error,) = exponential_sums(at, weight[None], 7.0, 500)
        plain = np.exp(2j * np.pi / 7.0 * np.outer(np.arange(500), at)) @ weight
        # the plain sum's own rounding, and that of the points, comes on top
        own = 1e-16 * (50 + 500 * np.max(np.abs(at))) * np.sum(weight)
        assert np.max(np.abs(sums - plain)) < error + own
        assert error < 2e-13 * np.sum(weight)


def test_samples_compose_with_everything_else():
    rest = (Gaussian(3.0, relation=ADD), Pure(0.1, relation=ADD))
    both = Composed((sampled(1.1, 0.01, 500), *rest))
    price = price_of(both, delta=1e-6)
    assert price.lower > price.epsilon * (1 - 1e-6)
    bound = price_of(both, delta=1e-6, accountant="loss_distribution").epsilon
    assert price.epsilon <= bound <= price.epsilon * (1 + 1e-5)
    assert price.epsilon > epsilon_of(sampled(1.1, 0.01, 500), 1e-6)
    halves = Composed((sampled(1.1, 0.01, 200), sampled(1.1, 0.01, 300)))
    assert epsilon_of(halves, 1e-6) == epsilon_of(sampled(1.1, 0.01, 500), 1e-6)
    other = Composed((sampled(1.1, 0.01, 500), sampled(2.0, 0.05, 100)))
    assert epsilon_of(other, 1e-6) > epsilon_of(halves, 1e-6)


def test_prices_are_monotone_in_noise_rate_and_steps():
    rng = np.random.default_rng(5)
    for _ in range(6):
        sigma, q = 10 ** rng.uniform(-0.1, 0.7), 10 ** rng.uniform(-2.5, -0.5)
        steps = int(10 ** rng.uniform(2, 3.5))
        at = epsilon_of(sampled(sigma, q, steps), 1e-6)
        assert epsilon_of(sampled(1.05 * sigma, q, steps), 1e-6) < at
        assert epsilon_of(sampled(sigma, 1.05 * q, steps), 1e-6) > at
        assert epsilon_of(sampled(sigma, q, 2 * steps), 1e-6) > at
        assert delta_of(sampled(sigma, q, steps), at) <= 1e-6 * (1 + 1e-6)


RUNS = st.builds(
    sampled, st.floats(0.6, 4), st.floats(0.005, 0.4), st.integers(2, 2000)
).filter(lambda run: run.rate * run.releases**0.5 < 4 * run.noise_multiplier)


@settings(deadline=None, max_examples=15)
@given(RUNS, st.floats(0.2, 3), st.floats(1.01, 1.5))
def test_delta_is_monotone_in_every_argument(run, epsilon, factor):
    at = delta_of(run, epsilon)
    if at < 1e-13:
        return  # below the digits of a bound at the smallest tails
    z, q, T = run.noise_multiplier, run.rate, run.releases
    slack = 1 + 1e-5  # of two bounds
    assert delta_of(run, epsilon * factor) <= at * slack
    assert delta_of(sampled(z * factor, q, T), epsilon) <= at * slack
    assert delta_of(sampled(z, min(q * factor, 1.0), T), epsilon) * slack >= at
    assert delta_of(sampled(z, q, T + 1), epsilon) * slack >= at


@settings(deadline=None, max_examples=10)
@given(RUNS, RUNS, st.floats(2, 20), st.floats(1e-10, 1e-3))
def test_composition_is_associative_and_more_releases_cost_more(one, two, z, delta):
    three = Gaussian(z, relation=ADD)
    left = epsilon_of(Composed((Composed((one, two)), three)), delta)
    right = epsilon_of(Composed((one, Composed((three, two)))), delta)
    assert left == right
    # to throw a release away is post-processing of all
    assert epsilon_of(one, delta) <= left * (1 + 1e-5)
    assert epsilon_of(Composed((one, two)), delta) <= left * (1 + 1e-5)


def test_calibrate_is_inverse_to_the_price():
    sigma = calibrate(lambda z: sampled(z, 0.004, 4800), 1.0, 1e-5)
    assert sigma == pytest.approx(1.257488, abs=1e-6)
    event = sampled(sigma, 0.004, 4800)
    assert 1.0 - 1e-9 <= epsilon_of(event, 1e-5) <= 1.0 + 1e-9
    bound = price_of(event, delta=1e-5, accountant="loss_distribution").epsilon
    assert 1.0 <= bound <= 1.0 + 1e-5
    rate = calibrate(lambda q: sampled(1.0, q, 1000), 1.0, 1e-6)
    assert epsilon_of(sampled(1.0, rate, 1000), 1e-6) <= 1.0
    assert epsilon_of(event, 1e-5) <= 1.0


def test_a_sampled_record_that_is_replaced_costs_more_than_one_that_is_added():
    added = epsilon_of(sampled(1.0, 0.1), 1e-6)
    assert epsilon_of(sampled(1.0, 0.1, relation=Relation.REPLACE), 1e-6) > added
    same = Gaussian(1.0, relation=Relation.REPLACE)
    whole = sampled(1.0, 1.0, relation=Relation.REPLACE)
    assert epsilon_of(whole, 1e-6) == epsilon_of(same, 1e-6)
    zero = sampled(1.0, 0.1, relation=Relation.ZERO_OUT)
    assert epsilon_of(zero, 1e-6) == added


def test_renyi_divergence_at_whole_orders_is_that_of_dp_accounting():
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.rdp import RdpAccountant

    for q, sigma in [(0.01, 1.0), (0.05, 2.0), (0.5, 0.7), (1e-4, 0.4)]:
        orders = [2, 3, 8, 32, 100]
        accountant = RdpAccountant(orders)
        accountant.compose(PoissonSampledDpEvent(q, GaussianDpEvent(sigma)))
        for order, theirs in zip(orders, accountant._rdp, strict=True):
            ours = sampled_gaussian_rdp(order, rate=q, noise_multiplier=sigma)
            assert ours == pytest.approx(theirs, rel=1e-8)


def test_renyi_divergence_at_real_orders_is_that_of_the_integral():
    mp.mp.dps = 30
    for order, q, sigma in [(1.1, 0.01, 1.0), (1.5, 0.05, 1.0), (5.5, 2.9e-4, 0.3)]:

        def f(x, order=order, q=q, sigma=sigma):
            ratio = (
                1
                - mp.mpf(q)
                + mp.mpf(q) * mp.exp((2 * x - 1) / (2 * mp.mpf(sigma) ** 2))
            )
            return mp.npdf(x, 0, sigma) * (ratio**order - 1)

        cuts = [-9 * sigma, 0, 1, 2, 3, 4, 5, 6, 7, 9, order + 12 * sigma + 1]
        exact = mp.log1p(mp.quad(f, sorted(cuts))) / (order - 1)
        ours = sampled_gaussian_rdp(order, rate=q, noise_multiplier=sigma)
        assert ours == pytest.approx(float(exact), rel=1e-9)
    # whole and real orders are one curve
    near, at = (
        sampled_gaussian_rdp(order, rate=0.01, noise_multiplier=1.0)
        for order in (8 + 1e-9, 8)
    )
    assert near == pytest.approx(at, rel=1e-8)
    # with every record in every sample it is the Gaussian mechanism's
    for order in (2, 3.5, 64):
        ours = sampled_gaussian_rdp(order, rate=1, noise_multiplier=3.0)
        assert ours == pytest.approx(order / 18, rel=1e-12)


def test_renyi_divergence_has_a_kink_that_the_quadratic_bound_misses():
    at = [
        sampled_gaussian_rdp(order, rate=0.01, noise_multiplier=1.0)
        for order in (2, 8, 32)
    ]
    assert at == pytest.approx([1.718e-4, 8.94e-4, 11.25], rel=1e-3)


def test_one_choice_is_the_worst_two_point_distribution():
    epsilon = 1.3
    for asked in (0.0, 0.4, 1.2):
        t = np.linspace(0, epsilon, 20001)
        p = (math.exp(epsilon) - np.exp(t)) / math.expm1(epsilon)
        worst = np.max(p * np.maximum(1 - np.exp(asked - t), 0))
        ours = price_of(Selection(epsilon, relation=ADD), epsilon=asked)
        assert ours.kind == "exact"
        assert ours.delta == pytest.approx(worst, rel=1e-7)


def test_choices_cost_less_than_pure_releases_and_no_less_than_the_worst():
    for epsilon, k in [(0.05, 200), (2.0, 3)]:
        choices = price_of(Selection(epsilon, releases=k, relation=ADD), delta=1e-6)
        pure = epsilon_of(Pure(epsilon, releases=k, relation=ADD), 1e-6)
        assert choices.kind == "upper bound"
        # k fixed two-point distributions, losses ±ε/2 off the middle, are choices too
        least = epsilon_of(Pure(epsilon / 2, releases=k, relation=ADD), 1e-6)
        assert least <= choices.epsilon < pure
        for name in ("renyi", "concentrated", "loss_distribution"):
            other = price_of(
                Selection(epsilon, releases=k, relation=ADD),
                delta=1e-6,
                accountant=name,
            )
            assert other.epsilon >= choices.epsilon * (1 - 1e-12)


@pytest.mark.claim(
    "04-how-accountants-compute",
    "The price by the grid is never below the exact one, and hardly above it.",
    order=6,
)
def test_the_loss_distribution_is_exact_gaussian_and_pure_from_above():
    for event in (
        Gaussian(20.0, releases=100, relation=ADD),
        Pure(0.3, releases=20, relation=ADD),
        Composed((Pure(0.3, releases=5, relation=ADD), Gaussian(1.0, relation=ADD))),
    ):
        for delta in (1e-2, 1e-14):
            exact = epsilon_of(event, delta)
            bound = price_of(event, delta=delta, accountant="loss_distribution").epsilon
            assert exact * (1 - 1e-12) <= bound <= exact * (1 + 1e-6)


def test_many_kinds_of_pure_releases_are_bounded_not_refused():
    event = Composed(
        tuple(Pure(0.1 + i / 1000, releases=3, relation=ADD) for i in range(30))
    )
    price = price_of(event, delta=1e-6)
    assert price.kind == "certified"
    about = epsilon_of(Pure(0.1145, releases=90, relation=ADD), 1e-6)
    assert price.epsilon == pytest.approx(about, rel=0.01)


def test_more_pure_releases_than_can_be_listed_are_bounded():
    event = Pure(1e-6, releases=10**12, relation=ADD)
    price = price_of(event, delta=1e-6)
    assert price.kind == "upper bound"
    limit = epsilon_of(Gaussian(1.0, relation=ADD), 1e-6)
    assert limit * (1 - 1e-6) < price.epsilon < 1.1 * limit


def test_normal_tails_are_what_the_pairs_use():
    up, down, _, _ = SampledPair(1.0, 0.25, True).tails(np.array([0.0]))
    # the loss is 0 where both densities agree, at x = ½
    assert up[0] == pytest.approx(0.75 * ndtr(-0.5) + 0.25 * ndtr(0.5))
    assert up[0] + down[0] == pytest.approx(1)
