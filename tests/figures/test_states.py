"""Sliders, tied and free: every position is a state, and every state is consistent."""

import itertools

import pytest

from dpteach.figures._states import States
from dpteach.figures.explore import Linked, Slider, even
from tests.figures.sample import (
    EPSILONS,
    STEPS,
    sample,
    solve,
)

STATES = sample().states
KEYS = list(STATES.keys)


def at(state):
    return STATES.values[state]


def test_every_state_obeys_the_solver():
    assert len(STATES.values) == len(EPSILONS) * len(STEPS) * 2
    for state in STATES.values:
        assert state["noise_multiplier"] == solve(state["epsilon"], state["steps"])


def test_every_stop_of_every_slider_is_reached_from_every_state():
    for now, key in itertools.product(range(len(STATES.values)), KEYS):
        for to in range(len(STATES.stops[key])):
            state = STATES.move(now, key, to)
            assert STATES.positions[state, KEYS.index(key)] == to


def test_the_first_follows_until_it_is_taken_in_hand():
    start = STATES.start
    assert at(start) == {
        "epsilon": 1.0, "steps": 100, "relation": "add", "noise_multiplier": 10.0,
    }  # fmt: skip
    # Moving ε or T, the other stays and λ follows.
    assert at(STATES.move(start, "epsilon", 2)) == at(start) | {
        "epsilon": 2.0, "noise_multiplier": 5.0,
    }  # fmt: skip
    # Moving λ, T stays and ε follows; then λ is held while T moves.
    recent = ["epsilon", "steps", "noise_multiplier"]
    twenty = STATES.stops["noise_multiplier"].index(20.0)
    noisier = STATES.move(start, "noise_multiplier", twenty)
    assert (at(noisier)["epsilon"], at(noisier)["steps"]) == (0.5, 100)
    longer = STATES.move(noisier, "steps", 2, recent)
    assert at(longer)["noise_multiplier"] == 20.0
    assert at(longer)["epsilon"] == 1.0


def test_a_slider_that_is_not_tied_never_moves_by_itself():
    for key, to in (("epsilon", 3), ("noise_multiplier", 0), ("steps", 0)):
        assert at(STATES.move(STATES.start, key, to))["relation"] == "add"


def test_a_value_at_the_end_makes_the_held_one_give_way():
    least = STATES.move(STATES.start, "noise_multiplier", 0)
    assert at(least) == at(STATES.start) | {
        "epsilon": 4.0, "steps": 25, "noise_multiplier": 1.25,
    }  # fmt: skip


def test_stops_that_differ_by_rounding_are_one():
    def solve(epsilon, steps):
        return steps / epsilon * (1 + 1e-6 * (epsilon - 1.5))

    sliders = {
        "epsilon": Slider((1.0, 2.0)),
        "noise_multiplier": Slider(),
        "steps": Slider((33750, 67500)),
    }
    tied = Linked(("noise_multiplier", "epsilon", "steps"), solve)
    # 33749.98 and 33750.02 are read as 33,700 and 33,800
    assert len(States(sliders, tied).stops["noise_multiplier"]) == 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Slider([1]), "`values` must hold at least two"),
        (lambda: Slider([2, 1]), "`values` must ascend"),
        (lambda: Slider([1.0001, 1.0002]), "first three digits"),
        (lambda: Slider([1, float("nan")]), "`values` must be a finite number"),
        (lambda: Slider(["a", "a"]), "`values` must differ"),
        (lambda: Slider([1, 2], 3), "`start` must be one of"),
        (lambda: Slider(None, 3), "`values` must be a sequence"),
        (lambda: Slider(3), "`values` must be a sequence"),
        (lambda: Linked("ab", solve), "`order` must be a tuple"),
        (lambda: Linked(("a", "b"), 3), "`solve` must be a function"),
        (lambda: States({}, None), "`sliders` must be given"),
        (lambda: States({"steps": Slider()}, None), "`steps` must have values"),
        (
            lambda: States({"steps": Slider(range(600))}, None),
            "at most 500 states, got 600",
        ),
        (
            lambda: States({"steps": Slider([1, 2])}, Linked(("mu", "steps"), solve)),
            "`linked` must name sliders, got 'mu'",
        ),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_a_stop_without_a_state_is_refused():
    with pytest.raises(ValueError, match="`noise_multiplier` must stop only where"):
        States(
            {"steps": Slider([1, 4]), "noise_multiplier": Slider([1, 2, 50])},
            Linked(("noise_multiplier", "steps"), lambda steps: steps**0.5),
        )


def test_a_solver_that_fails_is_told_where():
    tied = Linked(("noise_multiplier", "steps"), lambda steps: steps * 1e308)
    with pytest.raises(ValueError, match=r"`linked.solve` at steps=4"):
        States({"steps": Slider([1, 4]), "noise_multiplier": Slider()}, tied)


def test_half_a_million_free_states_are_made_when_they_are_asked_for():
    """Each slider stays where it is while another moves; no state is made twice."""
    stops = {"epsilon": even(0.1, 8, 0.1), "delta": (0.1, 0.2), "prior": range(1, 3001)}
    states = States({k: Slider(v, v[0]) for k, v in stops.items()}, None, 10**6)
    assert len(states.values) == 80 * 2 * 3000
    now = states.start
    for key, to in (("prior", 2718), ("epsilon", 31), ("delta", 1), ("prior", 0)):
        before = dict(zip(states.keys, states.positions[now], strict=True))
        now = states.move(now, key, to)
        after = dict(zip(states.keys, states.positions[now], strict=True))
        assert after == before | {key: to}
        assert states.values[now] == {k: stops[k][after[k]] for k in stops}


def test_a_figure_with_a_table_has_fewer_states():
    with pytest.raises(ValueError, match="at most 500 states, got 501"):
        States({"steps": Slider(range(501))}, None)
