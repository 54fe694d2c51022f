"""What each accountant says from both sides, beside fifty digits, and which is taken.

The truth comes from closed forms and sums, never from an accountant.
"""

import math

import numpy as np
import pytest
from mpmath import mp
from scipy.stats import binom

from dpteach.accounting import price_of
from dpteach.accounting.accountants import choice
from dpteach.accounting.accountants.contour_curve import contour
from dpteach.accounting.accountants.curve import Curve, excess
from dpteach.accounting.moments.conversion import OutOfDigits
from dpteach.accounting.pairs.releases import releases_of
from dpteach.privacy import (
    Composed,
    FixedSizeGaussian,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)
from tests.accounting.exact import gaussian_delta, mixture_delta

ADD = {"relation": Relation.ADD_REMOVE}


def gaussian_truth(mu):
    return lambda epsilon: gaussian_delta(mu, epsilon)


def pure_truth(groups, mu=0):
    return lambda epsilon: mixture_delta(groups, mu, epsilon)


def sampled_truth(mu, rate):
    """Removing a record, at ε ≥ 0: q δ_G(ln(1 + (e^ε − 1)/q)), the larger direction."""
    return lambda epsilon: (
        rate * gaussian_delta(mu, mp.log(1 + mp.expm1(epsilon) / rate))
    )


def laplace_truth(scale, rate):
    """Removing a record: q(1 − e^{(inner − 1/λ)/2})."""
    return lambda epsilon: (
        rate * -mp.expm1((mp.log(1 + mp.expm1(epsilon) / rate) - 1 / mp.mpf(scale)) / 2)
    )


EVENTS = {
    "normal": (Gaussian(0.8, releases=3, **ADD), gaussian_truth(math.sqrt(3) / 0.8)),
    "pure": (Pure(0.5, releases=12, **ADD), pure_truth({0.5: 12})),
    "both": (
        Composed((Pure(0.5, releases=5, **ADD), Gaussian(2.0, **ADD))),
        pure_truth({0.5: 5}, 0.5),
    ),
    "sampled": (SampledGaussian(0.8, rate=0.2, **ADD), sampled_truth(1.25, 0.2)),
    "sampled Laplace": (SampledLaplace(0.7, rate=0.3, **ADD), laplace_truth(0.7, 0.3)),
    "fixed size": (
        FixedSizeGaussian(1.5, batch_size=5, n=20, relation=Relation.REPLACE),
        sampled_truth(2 / 1.5, 0.25),
    ),
}
# Rényi bounds and the grid know nothing from below; they may be this far above.
LOOSE = {"exact": 1.001, "contour": 1.001, "loss_distribution": 1.05, "renyi": 12.0,
         "concentrated": 12.0}  # fmt: skip
CANNOT = {
    ("concentrated", name) for name in ("sampled", "fixed size", "sampled Laplace")
}
both = pytest.mark.parametrize("accountant", LOOSE)
each = pytest.mark.parametrize("name", EVENTS)


@both
@each
def test_the_truth_lies_between_the_sides(accountant, name):
    event, truth = EVENTS[name]
    if (accountant, name) in CANNOT:
        with pytest.raises(ValueError, match="Take accountant='best'"):
            price_of(event, epsilon=0.3, accountant=accountant)
        return
    for epsilon in (0.05, 0.3):
        delta = float(truth(epsilon))
        of_delta = price_of(event, epsilon=epsilon, accountant=accountant)
        of_epsilon = price_of(event, delta=delta, accountant=accountant)
        assert of_delta.lower <= delta * (1 + 1e-12)
        assert delta * (1 - 1e-12) <= of_delta.delta <= delta * LOOSE[accountant]
        assert of_epsilon.lower <= epsilon + 1e-12 <= of_epsilon.epsilon + 2e-12
        if accountant in ("exact", "contour"):
            assert of_delta.lower > delta * 0.99
            assert of_epsilon.lower > epsilon * 0.99
        else:
            assert of_delta.lower == of_epsilon.lower == 0.0


@pytest.mark.parametrize(
    ("z", "rate", "releases", "delta"),
    [
        (1.28, 0.0367, 1, 2.9e-7),
        (0.8, 0.2, 1, 0.08),
        (1.0, 1e-5, 50, 1e-8),  # 968 times the truth, as first written
        (1.5, 1e-5, 50, 1e-8),
        (0.767, 3.75e-5, 13396, 6.4e-9),
    ],
)
def test_the_grid_is_sharp_where_one_loss_fills_its_window(z, rate, releases, delta):
    event = SampledGaussian(z, rate=rate, releases=releases, **ADD)
    best = price_of(event, delta=delta)
    grid = price_of(event, delta=delta, accountant="loss_distribution")
    assert best.lower * (1 - 1e-9) <= grid.epsilon <= best.epsilon * 1.01


def test_choices_of_bounded_range_have_a_lower_side():
    """Twenty choices with the same losses t and t − ε are one of their mechanisms."""
    event = Selection(0.4, releases=20, **ADD)
    truths = []
    for t in np.linspace(0.1, 0.3, 21):
        p = math.expm1(t - 0.4) / math.expm1(-0.4)
        i = np.arange(21)
        loss = 20 * t - 0.4 * i
        mass = binom.pmf(i, 20, 1 - p)
        truths.append(float(mass @ np.maximum(-np.expm1(4.0 - loss), 0)))
    price = price_of(event, epsilon=4.0)
    assert max(truths) <= price.delta
    # their losses lie on a lattice, which the t of the lower side may not suit best
    assert 0.5 * max(truths) <= price.lower <= 1.01 * max(truths)
    for accountant in ("contour", "best"):
        price = price_of(event, delta=1e-6, accountant=accountant)
        assert 0.8 * price.epsilon < price.lower < price.epsilon <= 20 * 0.4
    assert price_of(event, epsilon=8.0, accountant="contour").delta == 0.0


def test_what_has_no_closed_form_or_no_rho_is_refused():
    several = SampledGaussian(1.0, rate=0.1, releases=2, **ADD)
    with pytest.raises(ValueError, match="has no closed form"):
        price_of(several, delta=1e-6, accountant="exact")
    with pytest.raises(ValueError, match="is not ρ-zCDP"):
        price_of(several, delta=1e-6, accountant="concentrated")


@both
def test_at_a_delta_close_below_that_of_zero_epsilon_is_not_zero(accountant):
    """Within a factor of e as well: the price is 0 only where δ(0) fits."""
    event, truth = EVENTS["normal"]
    at_zero = price_of(event, epsilon=0.0, accountant=accountant).delta
    price = price_of(event, delta=at_zero * 0.9, accountant=accountant)
    assert price.epsilon > 0
    assert float(truth(price.epsilon)) <= at_zero * 0.9
    assert price_of(event, delta=min(at_zero, 0.9), accountant=accountant).epsilon < 0.5


@pytest.mark.parametrize("rate", [0.02, 0.5])
def test_of_two_directions_the_worse_one_is_told(rate):
    """One release, where adding and removing cost differently."""
    event = SampledGaussian(0.6, rate=rate, **ADD)
    truth = sampled_truth(1 / 0.6, rate)
    integrals = contour(releases_of(event))
    for epsilon in (0.02, 0.3):
        lower, upper = (math.exp(x) for x in integrals.log_delta(epsilon))
        delta = float(truth(epsilon))
        assert lower <= delta <= upper
        assert upper - lower < 1e-5 * delta
        low, high = integrals.least_epsilon(math.exp(math.log(delta)))
        assert low <= epsilon * (1 + 1e-12)
        assert epsilon * (1 - 1e-12) <= high
        assert high - low < 1e-5 * epsilon


def test_excess_has_the_sign_of_the_difference():
    assert excess(math.log(0.1), 0.2) == math.log(0.1) - math.log(0.2)
    assert excess(math.log(0.3), 0.2) == math.log(0.3) - math.log(0.2)
    assert excess(-math.inf, 0.2) == -math.inf
    assert excess(math.log(0.2), 0.2) <= 0 or math.exp(math.log(0.2)) > 0.2
    nearly = math.log(0.2) + 1e-16
    assert (excess(nearly, 0.2) > 0) == (math.exp(nearly) > 0.2)


def curve(lower, upper, reached=None, kind="upper bound"):
    """Return a curve that says the same at every ε and δ."""
    return Curve(lambda _: (lower, upper), lambda _: (lower, upper), kind, "", reached)


def at_one(made):
    return made.least_epsilon(1.0)


def test_a_curve_tells_the_lower_side_of_what_is_reached():
    assert curve(1.0, 3.0).evaluate(at_one) == ((1.0, 3.0), 2.0)
    assert curve(2.0, 3.0, curve(0.5, 0.7)).evaluate(at_one) == ((0.5, 3.0), 1.0)

    def stops(_):
        raise OutOfDigits("no digits")

    lost = Curve(stops, stops, "", "")
    assert curve(2.0, 3.0, lost).evaluate(at_one) == ((0.0, 3.0), 1.0)

    def overflows(_):
        raise OverflowError

    with pytest.raises(OutOfDigits, match="leave the range of floats"):
        Curve(overflows, overflows, "", "").evaluate(at_one)


def chosen(monkeypatch, contour, grid, renyi, elementary=None):
    """Let four made-up curves compete for an event without a closed form."""
    for name, made in (
        ("contour", contour),
        ("loss_distribution", grid),
        ("renyi", renyi),
        ("elementary", elementary),
    ):

        def accountant(_, made=made):
            if made is None:
                raise OutOfDigits("none")
            return made

        monkeypatch.setattr(choice, name, accountant)
    spent = releases_of(SampledGaussian(1.0, rate=0.1, releases=2, **ADD))
    return choice.best(spent, at_one)


def test_of_wide_answers_the_least_upper_bound_is_taken(monkeypatch):
    wide, grid, renyi = curve(1.0, 2.0), curve(0.0, 1.5), curve(-1.0, 1.8)
    assert chosen(monkeypatch, wide, grid, renyi) == ((1.0, 1.5), grid)
    low, high = curve(0.9, 1.6), curve(0.0, 1.7)
    assert chosen(monkeypatch, wide, low, high) == ((1.0, 1.6), low)
    assert chosen(monkeypatch, None, grid, renyi) == ((0.0, 1.5), grid)
    with pytest.raises(OutOfDigits, match="too few digits"):
        chosen(monkeypatch, None, None, None)


def test_a_narrow_answer_of_the_contour_is_taken_at_once(monkeypatch):
    for upper in (1.0, 50.0):
        narrow = curve(upper - upper * 1e-5 * 0.999, upper)
        assert chosen(monkeypatch, narrow, curve(0.0, upper / 2), None)[1] is narrow
        wider = curve(upper - upper * 1.001e-5, upper)
        assert chosen(monkeypatch, wider, curve(0.0, upper / 2), None)[1] is not wider
