"""What an event is sorted into: counts, μ and failures, exactly, or a refusal."""

import math

import pytest

from dpteach.accounting import price_of
from dpteach.accounting.accountants.closed_forms import closed_form
from dpteach.accounting.pairs.allocation import OneOfSteps
from dpteach.accounting.pairs.discrete_noise import DiscreteNoise
from dpteach.accounting.pairs.fixed_size import FixedBatch
from dpteach.accounting.pairs.mixtures import MixedGaussian
from dpteach.accounting.pairs.releases import (
    NoFiniteEpsilon,
    Releases,
    releases_of,
)
from dpteach.accounting.pairs.sampled_gaussian import GaussianOnSample
from dpteach.accounting.pairs.sampled_laplace import LaplaceOnSample
from dpteach.privacy import (
    AllocatedGaussian,
    Approximate,
    Composed,
    DiscreteGaussian,
    FixedSizeGaussian,
    Gaussian,
    NotPrivate,
    Pure,
    Relation,
    SampledGaussian,
    SampledLaplace,
    Selection,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE
ZERO = Relation.ZERO_OUT  # for which every event is defined
EVENTS = (
    Pure(0.25, releases=3, relation=ZERO),
    Pure(0.125, releases=2, relation=ZERO),
    Approximate(0.25, 0.1, relation=ZERO),
    Approximate(0.5, 0.2, relation=ZERO),
    Selection(0.75, releases=5, relation=ZERO),
    Selection(0.5, releases=1, relation=ZERO),
    Gaussian(4.0, releases=9, relation=ZERO),  # μ = 3/4
    Gaussian(2.0, releases=4, relation=ZERO),  # μ = 1
    SampledGaussian(2.0, rate=0.5, releases=7, relation=ZERO),
    SampledGaussian(1.0, rate=0.5, releases=2, relation=ZERO),
    SampledGaussian(1.0, rate=0.5, releases=3, relation=ZERO),
    SampledLaplace(2.0, rate=0.25, releases=6, relation=ZERO),
    DiscreteGaussian(4.0, sensitivity=2, releases=8, relation=ZERO),
    FixedSizeGaussian(3.0, n=8, batch_size=2, releases=4, relation=ZERO),
    AllocatedGaussian(5.0, steps=10, releases=2, relation=ZERO),
)
KINDS = {
    GaussianOnSample(1.0, 0.5): 5,
    GaussianOnSample(2.0, 0.5): 7,
    DiscreteNoise(4.0, 2): 8,
    FixedBatch(3.0, 0.25, False): 4,
    LaplaceOnSample(2.0, 0.25): 6,
    OneOfSteps(5.0, 10): 2,
}


def composed(*events):
    return releases_of(Composed(events))


def test_each_kind_of_release_is_counted_where_it_belongs():
    spent = composed(*EVENTS)
    assert spent.pure == {0.125: 2, 0.25: 4, 0.5: 1}
    assert spent.selections == {0.5: 1, 0.75: 5}
    assert spent.mu == pytest.approx(1.25, rel=1e-15)
    assert spent.kinds == KINDS
    assert spent.failure == pytest.approx(1 - 0.9 * 0.8, rel=1e-15)


def test_the_order_of_the_events_changes_nothing_not_even_an_order():
    """A price that depended on it would differ in its last digits."""
    first = composed(*EVENTS)
    nested = Composed((Composed(EVENTS[7:]), *reversed(EVENTS[:7])))
    for field in ("pure", "selections", "kinds"):
        there, back = (getattr(x, field) for x in (first, releases_of(nested)))
        assert list(there.items()) == list(back.items())
    assert list(first.pure) == sorted(first.pure)


def test_what_is_full_is_a_gaussian_release_and_what_is_not_is_none():
    full = (
        SampledGaussian(2.0, rate=1.0, releases=4, relation=ZERO),
        AllocatedGaussian(2.0, steps=1, releases=4, relation=ZERO),
        FixedSizeGaussian(2.0, n=7, batch_size=7, releases=4, relation=ZERO),
    )
    for event in full:
        assert releases_of(event) == releases_of(
            Gaussian(2.0, releases=4, relation=ZERO)
        )
    assert releases_of(AllocatedGaussian(2.0, steps=2, relation=ZERO)).kinds
    batch = FixedSizeGaussian(3.0, n=8, batch_size=2, releases=4, relation=REPLACE)
    assert releases_of(batch).kinds == {FixedBatch(3.0, 0.25, True): 4}


def test_known_steps_are_normal_noise_and_all_else_stays():
    known = composed(*EVENTS).with_known_steps()
    assert known.mu == pytest.approx(math.sqrt(1.25**2 + 2 / 25), rel=1e-15)
    assert known.kinds == {k: v for k, v in KINDS.items() if not hasattr(k, "steps")}
    assert known.failure == composed(*EVENTS).failure
    assert composed(*EVENTS[:-1]).with_known_steps() is None


def test_the_spread_is_that_of_releases_without_sampling():
    several = composed(EVENTS[6], EVENTS[8], EVENTS[12])
    squares = 9 / 16 + 7 / 4 + 8 * (2 / 4) ** 2
    assert several.spread == pytest.approx(math.sqrt(squares), rel=1e-15)


def test_two_directions_are_priced_where_adding_is_not_removing():
    for event in EVENTS:
        two = not isinstance(
            event, Pure | Approximate | Selection | Gaussian | DiscreteGaussian
        )
        assert releases_of(event).directions == ((True, False) if two else (True,))
        assert composed(EVENTS[0], event).directions == releases_of(event).directions


def test_basic_composition_and_its_bound():
    pure = composed(*EVENTS[:6])
    assert pure.basic == 0.25 * 4 + 0.125 * 2 + 0.5 + 0.75 * 5 + 0.5
    assert pure.bounded
    laplace = composed(EVENTS[0], EVENTS[11])
    loss = math.log(1 - 0.25 + 0.25 * math.exp(0.5))
    assert laplace.basic == pytest.approx(0.75 + 6 * loss, rel=1e-12)
    assert laplace.bounded
    for event in (EVENTS[6], EVENTS[8], EVENTS[12], EVENTS[13], EVENTS[14]):
        assert not composed(EVENTS[0], event).bounded


def test_under_laplace_noise_no_sampled_record_is_replaced():
    with pytest.raises(ValueError, match="must not replace a record that is sampled"):
        releases_of(SampledLaplace(2.0, rate=0.999, relation=REPLACE))
    assert releases_of(SampledLaplace(2.0, rate=1.0, relation=REPLACE))
    replaced = releases_of(SampledGaussian(2.0, rate=0.25, relation=REPLACE))
    assert replaced.kinds == {MixedGaussian(2.0, (0.0, 1.0), (0.75, 0.25), True): 1}


@pytest.mark.parametrize(
    ("event_of", "most", "without"),
    [
        (lambda z: SampledGaussian(z, rate=0.5, relation=ADD), 1e8, Gaussian),
        (lambda z: SampledLaplace(z, rate=0.5, relation=ADD), 1e8, Pure),
        (lambda z: FixedSizeGaussian(z, n=8, batch_size=2, relation=ZERO), 1e8, None),
        (lambda z: AllocatedGaussian(z, steps=2, relation=ADD), 1e4, Gaussian),
    ],
)
def test_beyond_the_range_of_noise_the_sampling_is_left_out(event_of, most, without):
    for inside in (0.1, most):
        assert releases_of(event_of(inside)).kinds
        assert not releases_of(event_of(inside)).beyond
    for outside in (0.015, 0.0999, most * 1.0001):
        found = releases_of(event_of(outside))
        assert len(found.beyond) == 1
        assert not found.kinds
        price = price_of(event_of(outside), delta=1e-6)
        assert price.kind in ("upper bound", "certified", "exact")
        if price.epsilon:
            assert price.method.endswith("without the sampling")
        if without is Pure:
            assert found.within().pure == {1 / outside: 1}
            continue
        moved = 2 if without is None else 1
        assert found.within().mu == pytest.approx(moved / outside, rel=1e-15)
        full = Gaussian(outside / moved, relation=ADD)
        known = price_of(full, delta=1e-6)
        assert price.lower <= price.epsilon <= known.epsilon


def test_discrete_noise_has_no_sampling_to_leave_out():
    for outside in (0.0999, 1.0001e8):
        with pytest.raises(ValueError, match="1e8 where its noise is"):
            releases_of(DiscreteGaussian(outside, relation=ADD))


NOTHING = (
    Composed(()),
    Composed((Composed(()), Composed(()))),
    Pure(0.0, relation=ADD),
    Selection(0.0, releases=5, relation=ADD),
    Approximate(0.0, 0.0, relation=ADD),
    Gaussian(math.inf, relation=ADD),
    SampledGaussian(math.inf, rate=0.5, relation=ADD),
    SampledGaussian(1.0, rate=0.0, releases=2**53, relation=REPLACE),
    SampledLaplace(1.0, rate=0.0, relation=ADD),
    DiscreteGaussian(math.inf, sensitivity=3, relation=ADD),
    FixedSizeGaussian(1.0, n=8, batch_size=0, relation=ZERO),
    AllocatedGaussian(math.inf, steps=3, relation=ADD),
)


@pytest.mark.parametrize("event", NOTHING, ids=repr)
def test_what_spends_nothing_costs_nothing(event):
    assert releases_of(event) == Releases()
    for delta in (0, 1e-300, 1e-6, 0.999):
        price = price_of(event, delta=delta)
        assert price.lower == price.epsilon == 0
        assert price.kind == "exact"
    assert price_of(event, epsilon=0).delta == 0


def test_a_failure_without_a_loss_takes_its_delta():
    """A step that may fail, as a test of a sensitivity: it says nothing otherwise."""
    step = Approximate(0.0, 1e-7, relation=ADD)
    assert price_of(step, delta=1e-7).epsilon == 0
    with pytest.raises(NoFiniteEpsilon, match="must be above 1e-07"):
        price_of(step, delta=0.99e-7)
    noise = Gaussian(5.0, relation=ADD)
    both = price_of(Composed((step, noise)), delta=1e-6).epsilon
    left = (1e-6 - 1e-7) / (1 - 1e-7)
    assert both == pytest.approx(price_of(noise, delta=left).epsilon, rel=1e-12)
    thousand = releases_of(Composed((step,) * 1000)).failure
    assert thousand == pytest.approx(-math.expm1(1000 * math.log1p(-1e-7)), rel=1e-15)


@pytest.mark.parametrize(
    "event",
    [
        NotPrivate(relation=ADD),
        Composed((Gaussian(5.0, relation=ADD), NotPrivate(relation=ADD))),
    ],
    ids=["no noise", "in a ledger"],
)
def test_what_is_not_private_is_a_value(event):
    price = price_of(event, delta=1e-6)
    assert (price.epsilon, price.lower, price.kind) == (
        math.inf,
        math.inf,
        "not private",
    )
    assert price_of(event, epsilon=3.0).delta == 1.0


def test_equal_events_are_counted_however_they_are_nested():
    one = Pure(1e-6, relation=ADD)
    nest = one
    for _ in range(30):
        nest = Composed((nest, nest))
    assert nest.counts() == {one: 2**30}
    assert releases_of(nest).pure == {1e-6: 2**30}
    assert "1073741824 of Pure(" in repr(nest)
    deep = one
    for _ in range(5000):
        deep = Composed((deep,))
    assert deep.relation is ADD
    assert releases_of(deep) == releases_of(one)
    other = one
    for _ in range(5000):
        other = Composed((other,))
    assert deep == other
    assert hash(deep) == hash(other)
    assert deep != nest
    shared = Composed((one, Composed((one, Pure(2e-6, relation=ADD)))))
    uneven = Composed((shared, Composed((shared, one))))
    assert uneven.counts() == {one: 5, Pure(2e-6, relation=ADD): 2}
    for _ in range(60):
        nest = Composed((nest, nest))
    with pytest.raises(NoFiniteEpsilon, match=r"at most 2\*\*53 releases"):
        releases_of(nest)


def test_rho_adds_up_and_is_none_where_one_part_has_none():
    parts = composed(*EVENTS[:2], *EVENTS[4:8], EVENTS[12])
    pure = (3 * 0.25**2 + 2 * 0.125**2) / 2
    choices = (5 * 0.75**2 + 0.5**2) / 8
    assert parts.rho == pytest.approx(
        1.25**2 / 2 + pure + choices + 8 * (2 / 4) ** 2 / 2, rel=1e-14
    )
    laplace = SampledLaplace(2.0, rate=1.0, releases=6, relation=ZERO)
    with_rho = composed(*EVENTS[6:8], laplace)
    assert with_rho.rho == pytest.approx(1.25**2 / 2 + 6 / 8, rel=1e-14)
    for without in (EVENTS[8], *EVENTS[11:12], *EVENTS[13:]):
        assert releases_of(without).rho is None
        assert composed(EVENTS[12], without).rho is None


def test_only_one_release_of_one_kind_has_a_closed_form():
    closed = [kind for kind in KINDS if getattr(kind, "has_closed_form", False)]
    assert len(closed) == 4
    for kind in closed:
        log_delta, method = closed_form(Releases(kinds={kind: 1}))
        assert method == kind.method
        assert log_delta(0.1) == kind.log_delta(0.1)
        assert closed_form(Releases(kinds={kind: 2})) is None
    assert closed_form(Releases(kinds=dict.fromkeys(closed, 1))) is None
    for kind in KINDS.keys() - closed:
        assert closed_form(Releases(kinds={kind: 1})) is None
    wide = DiscreteNoise(1e8, 1)
    assert not wide.has_closed_form
    assert closed_form(Releases(kinds={wide: 1})) is None
