"""What a sampled run's price may depend on, and how: units, splits, monotonicity.

A price is of noise over sensitivity alone, of the number of releases alone, and it
rises in the rate and in the releases and falls in the noise. What holds for Gaussian
releases of all records and fails for samples stands at the end, with the reason.
"""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpteach import Problem, constraints, losses
from dpteach.accounting import (
    calibrate,
    delta_of,
    epsilon_of,
    price_of,
)
from dpteach.algorithms.gradients.sampled_sgd import sampled_dp_sgd
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
)

ADD = Relation.ADD_REMOVE
NOISES, RATES = st.floats(0.6, 4), st.floats(0.005, 0.4)


def sampled(noise, rate, releases=1):
    return SampledGaussian(noise, rate=rate, releases=releases, relation=ADD)


RUNS = st.builds(sampled, NOISES, RATES, st.integers(2, 1000)).filter(
    lambda run: run.rate * run.releases**0.5 < 4 * run.noise_multiplier
)


def integrated(sensitivity, deviation, rate, epsilon):
    """Compute δ of one sampled release from its densities, in units of any size."""
    x = np.linspace(-12 * deviation, sensitivity + 12 * deviation, 400_001)
    without, around = norm.pdf(x, 0, deviation), norm.pdf(x, sensitivity, deviation)
    having = (1 - rate) * without + rate * around
    odds = math.exp(epsilon)
    return max(
        np.trapezoid(np.maximum(p - odds * q, 0), x)
        for p, q in ((having, without), (without, having))
    )


@settings(deadline=None, max_examples=15)
@given(NOISES, RATES, st.floats(0.05, 1.0), st.floats(1e-3, 1e3))
def test_a_price_depends_on_noise_over_sensitivity_alone(noise, rate, epsilon, unit):
    """Power: noise that does not follow the unit has another price."""
    price = delta_of(sampled(noise, rate), epsilon)
    assume(price > 1e-6)
    same = integrated(unit, unit * noise, rate, epsilon)
    assert same == pytest.approx(price, rel=1e-5)
    forgotten = integrated(1.1 * unit, unit * noise, rate, epsilon)
    assert forgotten > 1.01 * price


@settings(deadline=None, max_examples=15)
@given(st.floats(0.01, 100), st.floats(0.05, 0.5), st.integers(1, 8))
def test_a_run_in_other_units_is_the_same_run_at_the_same_price(unit, rate, steps):
    """Data and clip norm in other units: models and event stay.

    Power: a clip norm left in the old unit keeps the event, and changes the models.
    """
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)

    def run(u, clip_unit):
        problem = Problem(u * X, u * y, losses.squared, constraints.L2Ball(2.0))
        return sampled_dp_sgd(
            problem, rate=rate, clip_norm=clip_unit**2, steps=steps, rng=1,
            noise_multiplier=1.5, learning_rate=0.01 / u**2,
        )  # fmt: skip

    one, other, forgotten = run(1.0, 1.0), run(unit, unit), run(2 * unit, unit)
    assert one.event == other.event == forgotten.event
    assert other.path == pytest.approx(one.path, rel=1e-9, abs=1e-9)
    assert np.abs(forgotten.path - one.path).max() > 1e-3


@settings(deadline=None, max_examples=10)
@given(RUNS, st.floats(0, 1), st.floats(0.2, 3), st.booleans())
def test_a_run_in_two_parts_costs_what_it_costs_in_one(run, share, epsilon, more):
    first = min(max(round(share * run.releases), 1), run.releases - 1)
    one, two = (
        sampled(run.noise_multiplier, run.rate, k)
        for k in (first, run.releases - first)
    )
    rest = (Pure(0.2, relation=ADD),) if more else ()
    nested = Composed((two, Composed((*rest, one))))
    assert delta_of(nested, epsilon) == delta_of(Composed((run, *rest)), epsilon)


def test_parts_that_are_priced_apart_and_added_up_would_not_pass():
    whole = epsilon_of(sampled(1.1, 0.01, 500), 1e-6)
    apart = [epsilon_of(sampled(1.1, 0.01, k), 5e-7) for k in (200, 300)]
    assert sum(apart) > 1.3 * whole


def falls(price, run, factor):
    """List the arguments in which a price moves the wrong way."""
    z, q, T = run.noise_multiplier, run.rate, run.releases
    at, slack = price(run), 1 + 1e-5  # of an estimate beside a bound on a grid
    found = {
        "noise_multiplier": price(sampled(z * factor, q, T)) <= at * slack,
        "rate": price(sampled(z, min(q * factor, 1.0), T)) * slack >= at,
        "releases": price(sampled(z, q, T + 1)) * slack >= at,
    }
    return [name for name, right in found.items() if not right]


@settings(deadline=None, max_examples=10)
@given(RUNS, st.floats(1.01, 1.5), st.floats(0.4, 3))
def test_a_price_is_monotone_also_beside_another_release(run, factor, epsilon):
    def price(event):
        return delta_of(Composed((event, Pure(0.2, relation=ADD))), epsilon)

    assume(price(run) > 1e-13)  # below, an estimate has no digits to spare
    assert falls(price, run, factor) == []


def test_a_price_by_two_accountants_in_turn_would_not_pass():
    """Power: Rényi for an even number of releases, the contour for an odd one."""

    def mixed(event):
        by = ("renyi", "contour")[event.releases % 2]
        return price_of(event, delta=1e-6, accountant=by).epsilon

    right = partial(epsilon_of, delta=1e-6)
    run = sampled(1.1, 0.01, 500)
    assert falls(right, run, 1.01) == []
    assert "releases" in falls(mixed, run, 1.01)


def test_what_holds_for_all_records_and_not_for_samples():
    """Gaussian releases are one number, λ/√T. Sampled ones are not.

    Their loss is no normal variable: a record that is seldom in a sample loses nothing
    nearly always, and much at times. So T releases are not one with noise λ/√T, and a
    rate q is not noise λ/q. At small δ the second would be private on paper only. And
    no single number can take the place of (λ, q, T): runs that cost the same at one δ
    cost different ε at another.
    """
    one = epsilon_of(sampled(0.5, 0.1), 1e-6)
    four = epsilon_of(sampled(1.0, 0.1, 4), 1e-6)
    assert four < 0.8 * one
    all_records = [epsilon_of(sampled(*a), 1e-6) for a in ((0.5, 1.0), (1.0, 1.0, 4))]
    assert all_records[0] == pytest.approx(all_records[1], rel=1e-9)
    seldom = epsilon_of(sampled(1.0, 0.1), 1e-6)
    assert seldom > 4 * epsilon_of(Gaussian(10.0, relation=ADD), 1e-6)
    # the Gaussian noise that costs as much at δ = 10⁻⁶ costs far less at 10⁻¹²
    same = calibrate(lambda z: Gaussian(z, relation=ADD), seldom, 1e-6)
    rare = epsilon_of(sampled(1.0, 0.1), 1e-12)
    assert rare > 1.3 * epsilon_of(Gaussian(same, relation=ADD), 1e-12)
