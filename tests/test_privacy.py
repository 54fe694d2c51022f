"""Events say what was spent, under one relation; a trace keeps what is not private."""

import dataclasses

import pytest

from dpteach import Relation, privacy
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Release,
    Trace,
)

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE


def test_replacing_moves_a_sum_by_two_and_the_others_by_one():
    assert [each.sensitivity for each in Relation] == [1, 1, 2]
    assert repr(REPLACE) == "Relation.REPLACE"


@pytest.mark.parametrize("relation", Relation)
def test_mu_is_sensitivity_times_root_releases_over_noise(relation):
    mu = Gaussian(5.0, releases=9, relation=relation).mu
    assert mu == pytest.approx(relation.sensitivity * 3 / 5, rel=1e-15)


def test_an_event_says_its_relation_and_cannot_be_changed():
    with pytest.raises(TypeError, match="relation"):
        Gaussian(1.0)
    event = Pure(1.0, relation=ADD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.epsilon = 0.1


def test_composed_events_share_a_relation():
    one, two = Gaussian(1.0, relation=ADD), Pure(1.0, relation=ADD)
    both = Composed([one, two])
    assert both.events == (one, two)
    assert both.relation is ADD
    assert Composed((both, one)).relation is ADD
    with pytest.raises(ValueError, match="share one relation"):
        Composed((one, Pure(1.0, relation=REPLACE)))
    with pytest.raises(ValueError, match="share one relation"):
        Composed((both, Pure(1.0, relation=REPLACE)))
    nothing = Composed(())
    assert nothing.relation is None
    assert Composed((nothing, one)).relation is ADD
    with pytest.raises(TypeError, match="tuple of events"):
        Composed(one)
    with pytest.raises(TypeError, match="must hold events"):
        Composed((1.0,))


def test_a_release_holds_three_things():
    """Nothing that is not public fits in: the fields are these, and it is frozen."""
    names = [each.name for each in dataclasses.fields(Release)]
    assert names == ["theta", "path", "event"]
    assert Release.__dataclass_params__.frozen


def test_a_trace_reads_back_one_quantity():
    trace = Trace()
    trace.record(t=0, noise=1.0)
    trace.record(t=1, noise=2.0)
    assert trace["noise"] == [1.0, 2.0]
    with pytest.raises(KeyError):
        _ = trace["gradients"]


BAD_INPUT = {
    privacy.Approximate: {"epsilon": 1.0, "delta": 1e-6, "relation": Relation.REPLACE},
    Pure: {"epsilon": 1.0, "releases": 2, "relation": Relation.REPLACE},
    Gaussian: {"noise_multiplier": 1.0, "releases": 2, "relation": Relation.REPLACE},
    Composed: {
        "events": (
            Gaussian(5.0, relation=Relation.ADD_REMOVE),
            Gaussian(5.0, relation=Relation.ADD_REMOVE),
        )
    },
}
