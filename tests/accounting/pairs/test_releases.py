"""What an event is sorted into: counts, μ and failures, exactly, or a refusal."""

import math

import pytest

from dpteach.accounting import price_of
from dpteach.accounting.accountants.closed_forms import closed_form
from dpteach.accounting.pairs.allocation import OneOfSteps
from dpteach.accounting.pairs.discrete_noise import DiscreteNoise
from dpteach.accounting.pairs.fixed_size import FixedBatch
from dpteach.accounting.pairs.releases import Releases, releases_of
from dpteach.accounting.pairs.sampled_laplace import LaplaceOnSample
from dpteach.privacy import (
    AllocatedGaussian,
    Approximate,
    Composed,
    DiscreteGaussian,
    FixedSizeGaussian,
    Gaussian,
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
    assert spent.sampled == {(1.0, 0.5): 5, (2.0, 0.5): 7}
    assert spent.kinds == KINDS
    assert spent.failure == pytest.approx(1 - 0.9 * 0.8, rel=1e-15)


def test_the_order_of_the_events_changes_nothing_not_even_an_order():
    """A price that depended on it would differ in its last digits."""
    first = composed(*EVENTS)
    nested = Composed((Composed(EVENTS[7:]), *reversed(EVENTS[:7])))
    for field in ("pure", "selections", "sampled", "kinds"):
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


@pytest.mark.parametrize("kind", [SampledGaussian, SampledLaplace])
def test_a_sampled_record_is_not_replaced_and_one_that_takes_part_is(kind):
    with pytest.raises(ValueError, match="must not replace a record that is sampled"):
        releases_of(kind(2.0, rate=0.999, relation=REPLACE))
    assert releases_of(kind(2.0, rate=1.0, relation=REPLACE))


@pytest.mark.parametrize(
    ("event_of", "most"),
    [
        (lambda z: SampledGaussian(z, rate=0.5, relation=ADD), 1e8),
        (lambda z: SampledLaplace(z, rate=0.5, relation=ADD), 1e8),
        (lambda z: DiscreteGaussian(z, sensitivity=1, relation=ADD), 1e8),
        (lambda z: FixedSizeGaussian(z, n=8, batch_size=2, relation=ZERO), 1e8),
        (lambda z: AllocatedGaussian(z, steps=2, relation=ADD), 1e4),
    ],
)
def test_the_range_of_noise_multipliers_has_its_ends(event_of, most):
    assert releases_of(event_of(0.1))
    assert releases_of(event_of(most))
    for outside in (0.0999, most * 1.0001):
        with pytest.raises(ValueError, match="noise multiplier between") as told:
            releases_of(event_of(outside))
        assert "Price the same releases without their sampling" in str(told.value)


@pytest.mark.parametrize("z", [0.01, 3e8])
def test_what_the_error_advises_has_a_price(z):
    with pytest.raises(ValueError, match="without their sampling"):
        price_of(SampledGaussian(z, rate=0.5, relation=ADD), delta=1e-6)
    assert price_of(Gaussian(z, relation=ADD), delta=1e-6).epsilon >= 0


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
    assert len(closed) == 2
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
