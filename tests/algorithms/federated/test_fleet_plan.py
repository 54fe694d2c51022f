"""One call to noise and price: what it says is what the mechanism has."""

import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import epsilon_of
from dpteach.algorithms.federated.fleet_plan import plan_fleet

FLEET = {"cohort": 20, "steps": 300, "separation": 40, "memory": 1, "delta": 1e-6}


def test_the_plan_is_what_it_says():
    plan = plan_fleet(1000, epsilon=4.0, **FLEET)
    mechanism = plan.mechanism
    assert (mechanism.participations, mechanism.separation) == (8, 40)
    assert plan.epsilon == epsilon_of(plan.event, 1e-6)
    assert plan.epsilon == pytest.approx(4.0, rel=1e-9)
    assert plan.event == mechanism.event(plan.noise_multiplier)
    # the noise of all sums, computed from C⁻¹ as a matrix
    decoder = mechanism.encoder.factorization(300).decoder
    sigma = plan.noise_multiplier * mechanism.sensitivity.value / 20
    found = sigma * np.sqrt(np.sum(decoder**2) / 300)
    assert plan.average_noise == pytest.approx(found, rel=1e-9)
    assert plan.least_noise <= plan.average_noise


def test_a_replaced_device_needs_twice_the_noise_and_a_longer_pause_less():
    plan = plan_fleet(1000, epsilon=4.0, **FLEET)
    replaced = plan_fleet(1000, epsilon=4.0, relation=Relation.REPLACE, **FLEET)
    assert replaced.average_noise == pytest.approx(2 * plan.average_noise, rel=1e-9)
    rare = plan_fleet(1000, epsilon=4.0, **FLEET | {"cohort": 10, "separation": 75})
    assert rare.average_noise * 10 < plan.average_noise * 20


def test_few_turns_and_short_runs():
    """One turn each is one pass; no pause is longer than the run."""
    once = plan_fleet(6000, epsilon=4.0, participations=1, **FLEET)
    assert once.mechanism.participations == 1
    assert plan_fleet(6000, epsilon=4.0, **FLEET | {"separation": 400}) == once
    capped = plan_fleet(1000, epsilon=4.0, participations=99, **FLEET)
    assert capped.mechanism.participations == 8


def test_a_fleet_must_be_large_enough_for_its_rounds():
    with pytest.raises(ValueError, match="`devices` must be at least 800, got 799"):
        plan_fleet(799, epsilon=4.0, **FLEET)
    with pytest.raises(ValueError, match="`devices` must be at least 3000, got 2999"):
        plan_fleet(2999, epsilon=4.0, participations=2, **FLEET)


BAD_INPUT = {
    plan_fleet: {
        "devices": 10,
        "cohort": 2,
        "steps": 4,
        "separation": 4,
        "epsilon": 4.0,
        "delta": 1e-6,
        "participations": 1,
        "memory": 1,
        "relation": Relation.ZERO_OUT,
    },
}
