"""Bounds by moments: at least the truth for every kind of release, and no more."""

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpteach.accounting import (
    delta_of,
    epsilon_of,
    noise_multiplier,
    price_of,
    zcdp_rho,
)
from dpteach.accounting.accountants.closed_forms import closed_form
from dpteach.accounting.pairs.pair import SelectionPair, pure_pair
from dpteach.accounting.pairs.releases import releases_of
from dpteach.privacy import (
    Composed,
    DiscreteGaussian,
    FixedSizeGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    Selection,
)

ADD = Relation.ADD_REMOVE


def choice_moment(epsilon, t, s):
    """Integrate e^{sL} over a choice whose losses are t and t - ε."""
    p = np.exp(t) * np.expm1(epsilon - t) / math.expm1(epsilon)
    return np.logaddexp(np.log(p) + s * t, np.log1p(-p) + s * (t - epsilon))


def test_the_moments_of_choices_are_those_of_the_worst_losses():
    for epsilon, s in product((1e-4, 0.03, 1.0, 8.0), (0.01, 0.7, 3.0, 40.0)):
        t = np.linspace(0, epsilon, 100_001)[1:-1]
        worst = np.max(choice_moment(epsilon, t, s))
        found = SelectionPair(epsilon).renyi_moment(s)
        assert worst * (1 - 1e-9) <= found + 1e-14
        # below 1e-3 the quadratic bound takes the closed form's place
        assert found == pytest.approx(worst, rel=1e-4, abs=1e-11)


def test_no_choice_has_a_moment_above_that_of_the_worst_losses_at_any_order():
    """With fifty digits: e^t runs from 1 to e^ε, and the worst is in the list."""
    with mpmath.workdps(50):
        for epsilon, s in product((1e-4, 1e-2, 1.0, 30.0), (1e-4, 1.0, 1e3, 1e9, 1e14)):
            found = float(SelectionPair(epsilon).renyi_moment(s))
            whole, order = mpmath.mpf(epsilon), mpmath.mpf(s)
            grown = mpmath.expm1(-whole * (order + 1)) / mpmath.expm1(-whole * order)
            worst = mpmath.log(grown * order / (order + 1))
            moments = []
            for low in (worst, worst * 1.001, worst * 0.999, worst * 3, worst / 3):
                if not -whole < low < 0:
                    continue
                p = mpmath.expm1(low) / mpmath.expm1(-whole)
                at_low = (1 - p) * mpmath.exp(order * low)
                moment = mpmath.log(p * mpmath.exp(order * (whole + low)) + at_low)
                moments.append(moment)
            assert max(moments) == moments[0]
            assert moments[0] * (1 - mpmath.mpf("1e-13")) <= found
            assert found <= moments[0] * (1 + mpmath.mpf("1e-6"))


@pytest.mark.parametrize(("epsilon", "releases"), [(0.1, 100), (1.0, 10), (3.0, 2)])
@pytest.mark.parametrize("accountant", ["renyi", "concentrated", "loss_distribution"])
def test_no_bound_is_below_the_exact_price_of_pure_releases(
    epsilon, releases, accountant
):
    event = Pure(epsilon, releases=releases, relation=ADD)
    for delta in (1e-9, 1e-6, 1e-2):
        exact = epsilon_of(event, delta)
        assert epsilon_of(event, delta, accountant=accountant) >= exact * (1 - 1e-9)
    for share in (0.1, 0.5):
        at = share * epsilon * releases
        assert delta_of(event, at, accountant=accountant) >= delta_of(event, at)


@pytest.mark.parametrize("accountant", ["renyi", "concentrated"])
def test_no_bound_is_below_the_exact_price_beside_other_releases(accountant):
    event = Composed((Gaussian(2.0, relation=ADD), Pure(0.5, releases=4, relation=ADD)))
    for delta in (1e-9, 1e-3):
        exact = epsilon_of(event, delta)
        assert epsilon_of(event, delta, accountant=accountant) >= exact


def test_the_bounds_by_moments_of_ten_choices():
    """The worst choice for each moment: 7.77 by Rényi, where s² would say 6.00."""
    event = Selection(1.0, releases=10, relation=ADD)
    assert epsilon_of(event, 1e-6, accountant="renyi") == pytest.approx(7.77, abs=5e-3)


def test_rho_adds_up_over_all_kinds_of_releases():
    gaussian = Gaussian(2.0, releases=3, relation=ADD)  # 3/(2·2²)
    pure = Pure(0.4, releases=5, relation=ADD)  # 5·0.4²/2
    choices = Selection(0.6, releases=7, relation=ADD)  # 7·0.6²/8
    for events, rho in (
        ((gaussian,), 0.375),
        ((pure,), 0.4),
        ((choices,), 0.315),
        ((gaussian, pure, choices), 1.09),
    ):
        found = releases_of(Composed(events)).rho
        assert found == pytest.approx(rho, rel=1e-14)


def test_rho_bounds_every_moment_of_a_release():
    """ln E[e^{sL}] ≤ s(s + 1)ρ, and for small ε and s nearly as much."""
    for epsilon in (1e-2, 0.5, 4.0):
        for event, pair in (
            (Pure(epsilon, relation=ADD), pure_pair(epsilon)),
            (Selection(epsilon, relation=ADD), SelectionPair(epsilon)),
        ):
            rho = releases_of(event).rho
            for s in (1e-2, 1.0, 30.0):
                ratio = pair.renyi_moment(s) / (s * (s + 1) * rho)
                assert ratio <= 1 + 1e-9
                assert epsilon > 0.1 or s > 1 or ratio > 0.99


def test_what_has_no_closed_form_is_not_priced_by_that_of_one_part():
    gaussian, pure = Gaussian(2.0, relation=ADD), Pure(0.5, relation=ADD)
    choice, other = Selection(0.5, relation=ADD), Selection(0.6, relation=ADD)
    sample = SampledGaussian(1.0, rate=0.1, relation=ADD)
    more = SampledGaussian(1.0, rate=0.2, relation=ADD)
    for one in (gaussian, pure, choice, sample, Composed((gaussian, pure))):
        assert closed_form(releases_of(one)) is not None
    for parts in (
        (choice, gaussian),
        (choice, pure),
        (choice, other),
        (choice, choice),
        (choice, sample),
        (sample, gaussian),
        (sample, pure),
        (sample, more),
        (sample, sample),
    ):
        assert closed_form(releases_of(Composed(parts))) is None


def test_two_releases_cost_more_than_either():
    for both in (
        (Selection(0.5, relation=ADD), Gaussian(2.0, relation=ADD)),
        (SampledGaussian(1.0, rate=0.1, relation=ADD), Pure(0.5, relation=ADD)),
    ):
        found = epsilon_of(Composed(both), 1e-6)
        assert found > 1.01 * max(epsilon_of(each, 1e-6) for each in both)


def test_one_sample_is_priced_alike_on_both_sides_of_a_switch():
    """At ε = 500 the formula takes its form for large exponents."""
    for sigma, q in ((0.1, 0.01), (0.2, 0.9)):
        curve, _ = closed_form(
            releases_of(SampledGaussian(sigma, rate=q, relation=ADD))
        )
        below, above = curve(500 - 1e-9), curve(500 + 1e-9)
        assert above == pytest.approx(below, rel=1e-9)
        assert curve(700.0) < above


@pytest.mark.parametrize("mu", [37.0, 48.0, 53.0, 57.0, 300.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.1])
def test_a_grid_loses_no_mass_whose_other_side_is_below_all_floats(mu, delta):
    # At losses of 1,446 and more e^{-loss} is no float; such mass was once left out.
    event = Gaussian(1 / mu, relation=ADD)
    found = epsilon_of(event, delta, accountant="loss_distribution")
    truth = epsilon_of(event, delta, accountant="exact")
    assert truth * (1 - 1e-12) <= found <= truth + 0.02 + 1e-5 * truth


def test_a_choice_beside_little_noise_costs_at_least_the_noise():
    noise = Gaussian(1.0, releases=2809, relation=ADD)
    both = Composed((noise, Selection(0.1, relation=ADD)))
    assert delta_of(both, 1500.0) >= delta_of(noise, 1500.0) * (1 - 1e-9)
    assert epsilon_of(both, 1e-6) >= epsilon_of(noise, 1e-6)


@pytest.mark.parametrize(
    "event",
    [
        Selection(1e12, relation=ADD),
        Selection(1e5, relation=ADD),
        Gaussian(1e-30, relation=ADD),
        Gaussian(1e-3, relation=ADD),
        FixedSizeGaussian(1e-30, batch_size=9, n=9, relation=Relation.REPLACE),
        SampledGaussian(0.1, rate=1e-300, relation=ADD),
        DiscreteGaussian(0.1, sensitivity=10**6, relation=ADD),
        Composed(
            (
                Selection(1e12, relation=ADD),
                SampledGaussian(1.0, rate=0.1, relation=ADD),
            )
        ),
    ],
)
@pytest.mark.parametrize("asked", [{"delta": 1e-6}, {"epsilon": 1.0}])
def test_a_grid_prices_what_is_extreme_or_says_why_not(event, asked):
    try:
        price = price_of(event, **asked, accountant="loss_distribution")
    except ValueError as refusal:
        assert "Take accountant='best'." in str(refusal)  # noqa: PT017  (either is right)
    else:
        found = price.epsilon if "delta" in asked else price.delta
        assert found >= price_of(event, **asked).lower * (1 - 1e-12)


def test_a_choice_loses_nothing_beyond_its_range():
    curve, _ = closed_form(releases_of(Selection(0.5, relation=ADD)))
    assert curve(0.5) == curve(0.6) == -math.inf
    assert curve(0.5 - 1e-9) > -50


def test_one_choice_has_its_closed_form():
    for eta in (0.5, 3.0):
        curve, _ = closed_form(releases_of(Selection(eta, relation=ADD)))
        for epsilon in (0.0, 0.1, 0.49):
            root = math.exp(eta / 2) - math.exp(epsilon / 2)
            delta = root**2 / math.expm1(eta)
            assert curve(epsilon) == pytest.approx(math.log(delta), rel=1e-9)


def test_one_sample_has_the_integral_of_its_densities():
    for sigma, q in ((1.0, 0.1), (0.7, 0.6)):
        curve, _ = closed_form(
            releases_of(SampledGaussian(sigma, rate=q, relation=ADD))
        )
        x = np.linspace(-12, 13, 200_001)
        without = stats.norm.pdf(x, scale=sigma)
        record = (1 - q) * without + q * stats.norm.pdf(x, 1, sigma)
        for epsilon in (0.0, 0.2, 1.5):
            delta = max(
                np.sum(np.maximum(one - math.exp(epsilon) * other, 0)) * (x[1] - x[0])
                for one, other in ((record, without), (without, record))
            )
            assert curve(epsilon) == pytest.approx(math.log(delta), abs=1e-5)


def test_noise_by_rho_is_that_of_its_formula():
    """λ = S √(k/2ρ): releases, relation and accountant all count."""
    for releases, relation in ((1, ADD), (9, ADD), (4, Relation.REPLACE)):
        kind = {"releases": releases, "relation": relation}
        noise = noise_multiplier(1.0, 1e-6, accountant="concentrated", **kind)
        size = relation.sensitivity * math.sqrt(releases)
        assert noise == pytest.approx(size / math.sqrt(2 * zcdp_rho(1.0, 1e-6)))
        event = Gaussian(noise, **kind)
        found = epsilon_of(event, 1e-6, accountant="concentrated")
        assert 1 - 1e-6 < found <= 1.0
    with pytest.raises(ValueError, match="`accountant`"):
        noise_multiplier(1.0, 1e-6, relation=ADD, accountant="none")
