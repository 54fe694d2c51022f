"""Experiments on local privacy and check-ins: what they must show."""

import numpy as np
import pytest

from dpteach.algorithms.check_in_privacy import fixed_window_epsilon
from dpteach.figures import Sentence, Spent, check_ins, local

STATES = {
    local.no_learning_rate: [(4.0, 1.0), (4.0, 30.0)],
    local.bettor: [(-40.0, 10), (0.0, 1000), (300.0, 1000)],
    check_ins.where_updates_go: [(0.5, 10, 1.0), (4.0, 10_000, 0.01)],
    check_ins.shuffle_race: [(0.1,), (4.0,)],
}
OF = {
    local.no_learning_rate: local.NO_LEARNING_RATE,
    local.bettor: local.BETTOR,
    check_ins.where_updates_go: check_ins.WHERE_UPDATES_GO,
    check_ins.shuffle_race: check_ins.SHUFFLE_RACE,
}


@pytest.mark.parametrize("experiment", STATES, ids=lambda each: each.__name__)
def test_states_have_the_same_skeleton_and_fit_their_axes(experiment):
    skeletons = set()
    for state in STATES[experiment]:
        marks = experiment(*state)
        again = experiment(*state)
        drawn = [m for m in marks if not isinstance(m, Sentence | Spent)]
        skeletons.add(tuple((m.label, m.role, m.panel, len(m.outline)) for m in drawn))
        assert any(isinstance(m, Sentence) for m in marks)
        assert [m.text for m in marks if isinstance(m, Sentence)] == [
            m.text for m in again if isinstance(m, Sentence)
        ]
        for mark in drawn:
            axes = OF[experiment]["axes"][mark.panel]
            x, y = mark.outline.T
            assert axes.xlim[0] - 1e-9 <= x.min() <= x.max() <= axes.xlim[1] + 1e-9
            assert axes.ylim[0] - 1e-9 <= y.min() <= y.max() <= axes.ylim[1] + 1e-9
    assert len(skeletons) == 1


def test_the_numbers_are_the_packages():
    ours = check_ins.where_updates_go(1.0, 1000, 0.1)[2]
    want = fixed_window_epsilon(1.0, 1e-6, slots=1000, check_in_probability=0.1)
    assert ours.y[check_ins.SLOTS.index(1000)] == want


def test_an_unknown_norm_is_where_banco_wins():
    """Far from 0 the rate tuned for norm 1 fails and BANCO does not; near, it loses."""
    sgd, untuned, *_ = local.no_learning_rate(4.0, 30.0)
    assert untuned.y[0] < sgd.y[2] / 2
    sgd, untuned, *_ = local.no_learning_rate(4.0, 1.0)
    assert untuned.y[0] > sgd.y[2]


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`slots` must be one of"):
        check_ins.where_updates_go(1.0, 11, 0.5)
    with pytest.raises(ValueError, match="`x` must be"):
        local.bettor(np.nan, 3)
