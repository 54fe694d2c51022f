"""Bounds from both sides: the truth lies between them, whatever the setting."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr

from dpteach.accounting import delta_of, epsilon_of, price_of
from dpteach.accounting.integration.contour import Contour
from dpteach.accounting.pairs.pair import GaussianPair, pure_pair
from dpteach.accounting.pairs.sampled_gaussian import SampledPair
from dpteach.privacy import Composed, Gaussian, Pure, Relation, SampledGaussian

ADD = Relation.ADD_REMOVE


def sampled(sigma, q, steps=1):
    return SampledGaussian(sigma, rate=q, releases=steps, relation=ADD)


def settings_of(seed, count, rare):
    """Draw runs of 2 to a million steps, in which samples are rare or are not."""
    rng = np.random.default_rng(seed)
    while count:
        sigma, steps = (
            float(10 ** rng.uniform(-0.5, 0.8)),
            int(10 ** rng.uniform(0.4, 6)),
        )
        q, delta = float(10 ** rng.uniform(-7, 0)), float(10 ** rng.uniform(-12, -3))
        if (q * steps < 10) != rare or q * math.sqrt(steps) / sigma > 3:
            continue
        # more than what δ alone covers: a jump must be likelier than δ
        if q * steps * ndtr(-1 / sigma) < 10 * delta:
            continue
        count -= 1
        yield sigma, q, steps, delta


@pytest.mark.parametrize("rare", [True, False])
def test_two_sides_are_near_each_other_over_the_whole_range(rare):
    near = 0
    for sigma, q, steps, delta in settings_of(1, 20, rare):
        price = price_of(sampled(sigma, q, steps), delta=delta)
        if price.method == "contour integral of moments":
            near += 1
            gap = price.epsilon - price.lower
            assert gap <= 1e-6 * price.epsilon + 1e-12, (sigma, q, steps, delta)
    assert near >= 19  # of twenty; else the least bound of all says so


@pytest.mark.parametrize("rare", [True, False])
def test_the_bounds_agree_with_those_of_dp_accounting(rare):
    """Its optimistic and its pessimistic figures enclose the truth, and so do ours."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    for sigma, q, steps, delta in settings_of(2, 6, rare):
        if delta < 1e-9:  # below, its rounding is wider than its bounds
            continue
        price = price_of(sampled(sigma, q, steps), delta=delta)
        theirs = [
            pld.from_gaussian_mechanism(
                sigma,
                sampling_prob=q,
                pessimistic_estimate=pessimistic,
                use_connect_dots=pessimistic,
                value_discretization_interval=max(price.epsilon / 3000, 1e-6),
            )
            .self_compose(steps)
            .get_epsilon_for_delta(delta)
            for pessimistic in (False, True)
        ]
        assert theirs[0] <= price.epsilon * (1 + 1e-9)
        assert price.lower <= theirs[1] * (1 + 1e-9)


def test_one_release_has_its_closed_form_between_the_bounds():
    for sigma, q, epsilon in [(1, 0.01, 0.3), (0.5, 1e-6, 2.0), (3, 0.5, 0.01)]:
        exact = price_of(sampled(sigma, q), epsilon=epsilon)
        both = price_of(sampled(sigma, q), epsilon=epsilon, accountant="contour")
        assert exact.kind == "exact"
        assert both.lower <= exact.delta
        assert exact.lower <= both.delta
        assert both.delta == pytest.approx(exact.delta, rel=1e-5)


def test_gaussian_and_pure_releases_have_their_closed_form_between_the_bounds():
    for event in (
        Gaussian(20.0, releases=100, relation=ADD),
        Pure(0.3, releases=20, relation=ADD),
        Composed((Pure(0.3, releases=5, relation=ADD), Gaussian(1.0, relation=ADD))),
    ):
        for delta in (1e-1, 1e-3):
            exact = price_of(event, delta=delta)
            price = price_of(event, delta=delta, accountant="contour")
            assert price.lower <= exact.epsilon
            assert exact.lower <= price.epsilon
            # losses on a lattice alone have moments that do not die out
            loose = 2e-2 if isinstance(event, Pure) else 2e-6
            assert price.epsilon == pytest.approx(exact.epsilon, rel=loose)


def test_smoothing_raises_delta_and_by_no_more_than_is_said():
    """Step 2, for a loss on two points, where δ with added noise has a closed form."""
    for epsilon_0, epsilon, v in [(1.0, 0.9, 1e-2), (1.0, 1.0, 1e-3), (0.2, 0.5, 0.3)]:
        noisy = Composed(
            (Pure(epsilon_0, relation=ADD), Gaussian(1 / math.sqrt(v), relation=ADD))
        )
        rise = delta_of(noisy, epsilon) - delta_of(
            Pure(epsilon_0, relation=ADD), epsilon
        )
        p = 0.0  # the density at ε of ±ε₀ + N(v/2, v)
        for loss in (epsilon_0, -epsilon_0):
            share = 1 / (1 + math.exp(-loss))
            x = epsilon - loss
            p += share * math.exp(-((x - v / 2) ** 2) / (2 * v))
        p /= math.sqrt(2 * math.pi * v)
        assert -1e-10 <= rise <= v * math.exp(v / 8) * p + 1e-10
    # where losses are spread out, it is about half of that: the bound is not idle
    spread, v = Gaussian(1.0, relation=ADD), 1e-4
    rise = delta_of(Gaussian((1 + v) ** -0.5, relation=ADD), 1.0) - delta_of(
        spread, 1.0
    )
    density = math.exp(-0.125) / math.sqrt(2 * math.pi)
    assert rise == pytest.approx(v * density / 2, rel=1e-3)


def test_a_bound_of_decay_lies_above_the_moments_it_bounds():
    for sigma, q, removed, c in [
        (1, 0.01, True, 5),
        (0.6, 0.3, False, 3),
        (3, 1e-4, True, 20),
    ]:
        pair = SampledPair(sigma, q, removed).cut_off(math.log(1e-20)).softened(c)
        ratio = pair.along(c, 4.0, 4096).log_ratio
        t = 2 * math.pi / 4.0 * np.arange(1, 4096)
        bound = pair.log_decay(c, t)
        assert np.all(ratio.real[1:] <= bound + 1e-9)
        assert np.all(np.diff(bound) <= 1e-12)
        # and it says something, at last
        assert pair.log_decay(c, np.asarray([1e7]))[0] < -3
    assert np.all(GaussianPair(2.0).log_decay(1.0, t) == -2 * t * t)
    assert np.all(pure_pair(1.0).log_decay(1.0, t) == 0)


def test_many_releases_are_shown_to_die_out_together_long_before_one_does():
    t = np.geomspace(10, 1e9, 200)
    for sigma, q, removed, c, releases in [
        (0.7, 1e-6, True, 80, 550),
        (1.5, 1e-3, True, 30, 40_000),
        (0.9, 0.02, False, 4, 10),
        (2.0, 1e-7, True, 5000, 1_000_000),
    ]:
        pair = SampledPair(sigma, q, removed).cut_off(math.log(1e-14)).softened(c)
        alone, together = (pair.log_decay(c, t, each) for each in (0, releases))
        assert np.all(together <= alone)
        assert np.all(np.diff(together) <= 1e-12)
        # the moments by a sum over a million even outputs
        x = np.linspace(*pair._tilted_ends(c), 10**6)
        loss, log_density = pair._log_density(x)
        weight = np.exp(c * loss + log_density - np.max(c * loss + log_density))
        weight /= np.sum(weight)
        size = [abs(np.sum(weight * np.exp(1j * at * loss))) for at in t[::10]]
        small = np.abs(np.gradient(loss)).max() * t[::10] < 0.3  # the sum resolves it
        later = np.maximum.accumulate(np.where(small, size, 0)[::-1])[::-1]
        assert np.all(together[::10] >= np.log(np.maximum(later, 1e-30)) - 1e-12)
        if releases > 100:  # the end of a line comes ten times sooner, or more
            ends = [t[np.argmax(releases * b < -30)] for b in (alone, together)]
            assert ends[1] < ends[0] / 2


def test_what_is_cut_off_is_what_the_cut_misses():
    pair = SampledPair(0.8, 1e-3, True).cut_off(math.log(1e-15))
    # so much is lost if the cut is as soft as it may become, and less if it is sharp
    softest = replace(pair, width=pair.noise_multiplier / 3)
    assert softest.log_lost == pytest.approx(math.log(1e-15), abs=1e-6)
    assert pair.log_lost < softest.log_lost
    x = np.linspace(-10, 15, 200_001)
    soft = pair.softened(5.0)
    missed = log_ndtr((x - soft.cut) / soft.width)
    density = (1 - 1e-3) * np.exp(-(x**2) / 1.28) + 1e-3 * np.exp(
        -((x - 1) ** 2) / 1.28
    )
    total = np.trapezoid(density * np.exp(missed), x) / (0.8 * math.sqrt(2 * math.pi))
    assert math.exp(soft.log_lost) == pytest.approx(total, rel=1e-6)


def test_moments_agree_with_mpmath_within_their_bound():
    import mpmath as mp

    with mp.workdps(40):
        for sigma, q, removed, c in [(1, 0.01, True, 4), (0.7, 0.3, False, 6)]:
            pair = SampledPair(sigma, q, removed).cut_off(math.log(1e-25)).softened(c)
            found = pair.along(c, 9.0, 200)

            def moment(s, pair=pair, sigma=sigma, q=q, removed=removed):
                def f(x):
                    r = (
                        1
                        - mp.mpf(q)
                        + q * mp.exp((2 * x - 1) / (2 * mp.mpf(sigma) ** 2))
                    )
                    kept = mp.ncdf((pair.cut - x) / pair.width) if pair.width else 1
                    return (
                        mp.npdf(x, 0, sigma)
                        * kept
                        * (r ** (s + 1) if removed else r**-s)
                    )

                cuts = [-14 * sigma, -4, -1, 0, 1, 2, 3, 4, 5, 6, 8, 10, 14 + 9 * sigma]
                return mp.quad(f, cuts, maxdegree=7)

            base = moment(mp.mpf(c))
            assert found.log_at_c == pytest.approx(float(mp.log(base)), abs=1e-13)
            for j in (1, 60, 199):
                exact = complex(moment(mp.mpc(c, 2 * mp.pi * j / 9)) / base)
                ours = complex(np.exp(found.log_ratio[j]))
                assert abs(ours - exact) <= found.error[j] * abs(ours)
            assert np.max(found.error) < 1e-9


def test_a_price_does_not_depend_on_what_was_priced_before():
    first, *others = [
        (1.1, 0.004, 4800, 1e-5),
        (0.8, 1e-5, 30_000, 1e-7),
        (1, 0.5, 9, 0.1),
    ]
    alone = epsilon_of(sampled(*first[:3]), first[3])
    for other in others:
        epsilon_of(sampled(*other[:3]), other[3])
    assert epsilon_of(sampled(*first[:3]), first[3]) == alone
    # not even within one accountant: the lines of one ε do not help another
    contour = Contour([(SampledPair(1.1, 0.004, True), 4800)])
    fresh = Contour([(SampledPair(1.1, 0.004, True), 4800)]).least_epsilon(-12.0)
    for log_delta in (-2.0, -30.0, -12.0):
        found = contour.least_epsilon(log_delta)
        contour.bounds(found[1] * 1.1)
    assert found == fresh


@pytest.mark.parametrize(
    ("sigma", "q", "steps", "delta", "epsilon"),
    [
        # a loss distribution on a fine grid, tilted near the first peak, agrees
        (0.8, 1e-5, 30_000, 1e-7, 0.0132897),
        (1.0, 1e-6, 200_000, 1e-8, 0.0022487),
        (1.66, 1.27e-4, 216_497, 5e-11, 0.2229216),
    ],
)
def test_rare_samples_are_priced_tightly_by_both(sigma, q, steps, delta, epsilon):
    price = price_of(sampled(sigma, q, steps), delta=delta)
    assert price.epsilon == pytest.approx(epsilon, rel=3e-5)
    grid = price_of(
        sampled(sigma, q, steps), delta=delta, accountant="loss_distribution"
    )
    assert price.epsilon <= grid.epsilon <= price.epsilon * (1 + 1e-3)


def test_the_grid_is_tight_for_losses_on_a_lattice():
    event = Pure(1.0, releases=7, relation=ADD)
    grid = price_of(event, delta=1e-3, accountant="loss_distribution")
    assert grid.epsilon == pytest.approx(epsilon_of(event, 1e-3), rel=1e-6)


@settings(deadline=None, max_examples=12)
@given(
    st.floats(-0.5, 1.0),
    st.floats(-6, -0.05),
    st.integers(1, 10**5),
    st.floats(-12, -1),
)
def test_the_two_sides_never_cross(log_sigma, log_q, steps, log_delta):
    event = sampled(10**log_sigma, 10**log_q, steps)
    price = price_of(event, delta=10**log_delta)
    assert 0 <= price.lower <= price.epsilon
    back = price_of(event, epsilon=price.epsilon)
    assert back.lower <= 10**log_delta * (1 + 1e-9)
