"""Events at the ends of their ranges are priced in order and within limits."""

import numpy as np
import pytest

from dpteach.accounting import price_of
from dpteach.accounting.accountants import choice
from dpteach.accounting.pricing import Price
from dpteach.privacy import Gaussian, Pure, Relation, SampledGaussian, SampledLaplace
from tests.accounting import corners

EACH = 4
# Others may take longer: pure releases by the million, and Laplace noise on samples
WITHIN = [
    corners._sampled_gaussian,
    corners._gaussian,
    corners._discrete,
    corners._discrete_laplace,
    corners._answers,
    corners._concentrated,
]


@pytest.mark.parametrize("kind", WITHIN, ids=lambda kind: kind.__name__[1:])
def test_a_price_at_a_corner_keeps_all_limits(kind):
    rng = np.random.default_rng([3, corners.KINDS.index(kind)])
    for _ in range(EACH):
        event, given = corners.draw(kind, rng)
        wrong, seconds, size = corners.measure(event, given)
        assert wrong is None, (event, given, seconds, size)


def test_a_run_of_a_million_steps_with_little_noise_fits_in_memory():
    event = SampledGaussian(0.5, rate=0.5, releases=10**6, relation=corners.ADD)
    wrong, seconds, size = corners.measure(event, {"delta": 1e-6})
    assert wrong is None, (seconds, size)


@pytest.mark.parametrize(("event", "given"), corners.WITNESSES)
def test_a_price_that_took_too_long_keeps_all_limits(event, given):
    wrong, seconds, size = corners.measure(event, given)
    assert wrong is None, (seconds, size)


def test_the_grid_is_not_asked_where_other_bounds_leave_nothing_open(monkeypatch):
    event, given = corners.WITNESSES[-1]

    def grid(_):
        pytest.fail("two bounds are sharp together")

    monkeypatch.setattr(choice, "loss_distribution", grid)
    price = price_of(event, **given)
    assert price.lower <= price.epsilon <= price.lower * (1 + choice.WIDE)


def test_the_grid_refuses_releases_whose_rounding_outweighs_it():
    event = Pure(1e-9, releases=corners.LARGEST, relation=corners.ADD)
    with pytest.raises(ValueError, match="rounding of so many releases"):
        price_of(event, delta=1e-6, accountant="loss_distribution")


def _out_of_order(event, **given):
    price = price_of(event, **given)
    return Price(price.epsilon, price.delta, price.kind, "", 2 * price.epsilon)


def _large(event, **given):
    np.ones(70_000_000)
    return price_of(event, **given)


def _raw(*_, **__):
    raise OverflowError("math range error")


def _mute(*_, **__):
    raise ValueError("math domain error")


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_out_of_order, "out of order"),
        (_large, "too much memory"),
        (_raw, "ends in OverflowError"),
        (_mute, "without a reason"),
    ],
)
def test_what_breaks_a_limit_is_seen(monkeypatch, broken, message):
    monkeypatch.setattr(corners, "price_of", broken)
    event = Gaussian(1.0, relation=corners.ADD)
    assert message in corners.measure(event, {"delta": 1e-6})[0]


@pytest.mark.parametrize(
    "event",
    [
        SampledLaplace(1e-3, rate=1e-10, releases=10, relation=Relation.ADD_REMOVE),
        SampledGaussian(0.05, rate=1e-6, releases=10, relation=Relation.ADD_REMOVE),
        SampledGaussian(0.1, rate=1e-300, releases=2**53, relation=Relation.ADD_REMOVE),
    ],
    ids=repr,
)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2000.0])
def test_a_record_in_no_sample_pays_nothing(event, epsilon):
    """δ is at most Tq: it was 1 at noise below 0.1, and a division by 0 at rare coins.

    Any warning is an error in these tests.
    """
    price = price_of(event, epsilon=epsilon)
    assert 0 <= price.lower <= price.delta <= event.releases * event.rate * (1 + 1e-8)
