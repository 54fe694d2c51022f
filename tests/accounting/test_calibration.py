"""``calibrate`` meets every budget that can be met, and keeps its promise exactly."""

import math

import numpy as np
import pytest
from mpmath import mp

from dpteach.accounting import (
    calibrate,
    delta_of,
    epsilon_of,
    noise_multiplier,
    price_of,
)
from dpteach.accounting.search import bracket
from dpteach.privacy import (
    Approximate,
    Composed,
    Gaussian,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)
from tests.samples import sampled

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("releases", [1, 10, 50, 200, 1000, 10**4, 10**6])
def test_gaussian_budgets_are_met_at_any_number_of_releases(releases, relation):
    for epsilon, delta in [(1.0, 1e-6), (1e-2, 1e-9), (30.0, 1e-3)]:

        def event_of(z):
            return Gaussian(z, releases=releases, relation=relation)

        z = calibrate(event_of, epsilon, delta)
        assert epsilon_of(event_of(z), delta) <= epsilon
        least = noise_multiplier(epsilon, delta, releases=releases, relation=relation)
        assert z == pytest.approx(least, rel=1e-10)
        assert epsilon_of(event_of(least), delta) <= epsilon


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize(("epsilon", "delta"), [(0.25, 1e-9), (1.0, 1e-6), (8.0, 0.1)])
def test_the_chapters_noise_is_its_formula(epsilon, delta, relation):
    """k√(2(ln(1/δ) + ε))/ε for one release, and √T times that for T of them."""
    wanted = relation.sensitivity * mp.sqrt(2 * (mp.log(1 / mp.mpf(delta)) + epsilon))
    wanted = wanted / epsilon
    kind = {"relation": relation, "method": "textbook"}
    once = noise_multiplier(epsilon, delta, **kind)
    assert wanted * (1 - 1e-15) < once < wanted * (1 + 1e-12)
    assert noise_multiplier(epsilon, delta, accountant="renyi", **kind) == once
    many = noise_multiplier(epsilon, delta, releases=10**6, **kind)
    assert many == pytest.approx(1000 * once, rel=1e-14)
    assert noise_multiplier(epsilon, delta, relation=relation) < once
    event = Gaussian(once, relation=relation)
    assert epsilon_of(event, delta) <= epsilon


def test_an_accountant_that_does_not_exist_is_refused_before_it_is_needed():
    for asked in (
        lambda: noise_multiplier(1.0, 1e-6, relation=ADD, accountant="moments"),
        lambda: noise_multiplier(
            1.0, 1e-6, relation=ADD, method="textbook", accountant="moments"
        ),
        lambda: calibrate(
            lambda z: Gaussian(z, relation=ADD), 1.0, 1e-6, accountant="moments"
        ),
    ):
        with pytest.raises(ValueError, match="`accountant` must be one of"):
            asked()


@pytest.mark.parametrize(
    ("q", "steps"),
    [
        (0.2, 5000),
        (0.5, 2000),
        (0.1, 20_000),
        (0.05, 10**5),
        (0.01, 10**6),
        (1e-6, 10**6),
        (0.03, 1),
    ],
)
def test_sampled_budgets_are_met_to_the_last_bit(q, steps):
    def event_of(z):
        return SampledGaussian(z, rate=q, releases=steps, relation=ADD)

    z = calibrate(event_of, 1.0, 1e-6)
    assert epsilon_of(event_of(z), 1e-6) <= 1.0
    assert epsilon_of(event_of(z * (1 - 1e-6)), 1e-6) > 1.0
    # power: a search on δ, or a little less noise, breaks the promise
    assert epsilon_of(event_of(z * (1 - 1e-6)), 1e-6) < 1.0 + 1e-4


@pytest.mark.parametrize(
    "accountant", sampled(["contour", "loss_distribution", "renyi"], ["contour"])
)
def test_the_promise_holds_by_the_accountant_that_was_asked(accountant):
    rng = np.random.default_rng(3)
    for _ in range(4 if accountant == "contour" else 1):
        q, steps = float(10 ** rng.uniform(-3, -1)), int(10 ** rng.uniform(1, 4))
        epsilon, delta = float(rng.uniform(0.3, 5)), float(10 ** rng.uniform(-9, -4))

        def event_of(z, q=q, steps=steps):
            return SampledGaussian(z, rate=q, releases=steps, relation=ADD)

        z = calibrate(event_of, epsilon, delta, accountant=accountant)
        assert epsilon_of(event_of(z), delta, accountant=accountant) <= epsilon
        least = calibrate(event_of, epsilon, delta)
        assert z >= least * (1 - 1e-6)


def test_noise_by_another_accountant_suffices_and_is_more():
    exact = noise_multiplier(1.0, 1e-6, releases=100, relation=ADD)
    for accountant in ("contour", "renyi", "concentrated"):
        z = noise_multiplier(
            1.0, 1e-6, releases=100, relation=ADD, accountant=accountant
        )
        event = Gaussian(z, releases=100, relation=ADD)
        assert epsilon_of(event, 1e-6, accountant=accountant) <= 1.0
        assert z >= exact * (1 - 1e-9)
    assert delta_of(event, 1.0, accountant="concentrated") <= 1e-6 * (1 + 1e-9)


def test_parameters_that_are_not_noise_are_found_too():
    # a rate, whose range ends at 1, where the search starts
    def by_rate(q):
        return SampledGaussian(1.0, rate=q, releases=1000, relation=ADD)

    rate = calibrate(by_rate, 1.0, 1e-6)
    assert (
        epsilon_of(by_rate(rate), 1e-6) <= 1.0 < epsilon_of(by_rate(1.001 * rate), 1e-6)
    )

    # an ε that is shared out
    def by_share(x):
        return Composed(
            (Selection(0.3 * x, relation=ADD), Pure(0.7 * x, releases=5, relation=ADD))
        )

    x = calibrate(by_share, 1.0, 1e-6)
    assert epsilon_of(by_share(x), 1e-6) <= 1.0 < epsilon_of(by_share(1.001 * x), 1e-6)

    # a δ, which must stay below what may be lost; no x at 1 is in range
    def by_delta(x):
        return Composed(
            (Gaussian(10.0, relation=ADD), Approximate(0.1, x, relation=ADD))
        )

    x = calibrate(by_delta, 0.5, 1e-3)
    assert epsilon_of(by_delta(x), 1e-3) <= 0.5


def test_a_budget_that_nothing_meets_is_refused():
    with pytest.raises(ValueError, match="`event_of` must meet"):
        calibrate(
            lambda z: Composed((Gaussian(z, relation=ADD), Pure(2.0, relation=ADD))),
            1.0,
            1e-6,
        )
    with pytest.raises(ValueError, match="`event_of` must meet"):
        calibrate(lambda z: Pure(0.1 + 0 * z, relation=ADD), 1.0, 1e-6)


@pytest.mark.parametrize("kind", [SampledGaussian, SampledLaplace])
def test_a_budget_that_any_noise_meets_is_refused_at_once(kind):
    """P[in any of 57 samples] = 1.4e-4 ≤ δ: the budget says nothing of the noise.

    If x decides the rate, and not the noise, it does; nor is a larger rate refused.
    """

    def event_of(z):
        return kind(z, rate=2.5e-6, releases=57, relation=ADD)

    assert epsilon_of(event_of(0.5), 2.7e-3) == 0
    with pytest.raises(ValueError, match=r"`delta` must be below 0\.000142"):
        calibrate(event_of, 0.26, 2.7e-3)
    assert calibrate(lambda z: kind(z, rate=0.01, relation=ADD), 0.26, 2.7e-3) > 0

    def of_rate(x):
        return kind(1.0, rate=x / 1e6, releases=57, relation=ADD)

    x = calibrate(of_rate, 0.26, 2.7e-3)
    assert (
        epsilon_of(of_rate(x), 2.7e-3) <= 0.26 < epsilon_of(of_rate(1.01 * x), 2.7e-3)
    )


def test_the_search_passes_over_what_is_flat_where_it_starts():
    """Both 1 and ½ cost the same, as δ = 1 did for a thousand Gaussian releases."""

    def flat(x):
        return 100.0 if x < 300 else 100.0 * 300 / x

    costly, private = bracket(flat, 10.0)
    assert costly < 3000 <= private
    assert bracket(lambda x: math.inf if x < 1e12 else 1.0, 2.0) is not None
    assert bracket(lambda x: 1.0 if x < 1e-12 else 5.0, 2.0) is not None
    assert bracket(lambda _: 7.0, 2.0) is None
    assert bracket(lambda _: None, 2.0) is None


def test_a_budget_that_only_the_end_of_the_range_meets_costs_few_prices(monkeypatch):
    """Below λ = 0.1 the sampling is left out, and the price jumps from 404 to 5,474."""
    priced = []

    def counted(event, **given):
        priced.append(event.noise_multiplier)
        return price_of(event, **given)

    monkeypatch.setattr("dpteach.accounting.calibration.price_of", counted)

    def run(z):
        return SampledGaussian(z, rate=0.01, releases=100, relation=ADD)

    noise = calibrate(run, 500.0, 1e-6)
    assert noise == pytest.approx(0.1, rel=1e-9)
    assert epsilon_of(run(noise), 1e-6) <= 500 < epsilon_of(run(0.0999), 1e-6)
    assert len(priced) <= 12
