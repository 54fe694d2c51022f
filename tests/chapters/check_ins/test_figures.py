"""The experiments of the chapter on check-ins: what they must show."""

import numpy as np
import pytest

from dpteach.algorithms.local.check_in_privacy import (
    fixed_window_dummies,
    fixed_window_epsilon,
)
from dpteach.chapters.check_ins import races as check_in_races
from dpteach.chapters.check_ins import slots as check_ins
from dpteach.figures.marks import Line


@pytest.mark.parametrize("slots", check_ins.BOARDS)
@pytest.mark.parametrize("p0", [0.25, 0.5, 1.0])
def test_the_board_has_a_place_for_every_client_and_a_report_in_every_slot(slots, p0):
    used, away, home, dummies, _ = check_ins.board(slots, p0)
    count = [int((each.width > 0).sum()) for each in (used, away, home, dummies)]
    assert sum(count[:3]) == check_ins.GUESTS
    assert count[0] + count[3] == slots
    there = [set(each.x[each.width > 0]) for each in (used, dummies)]
    assert len(there[0] | there[1]) == slots  # no two of them in one slot
    assert set(away.x[away.width > 0]) <= there[0]  # turned away only where one is used


def test_the_boards_are_typical_draws():
    """Within 2.5 deviations of the expected dummies: the picture does not mislead."""
    for slots in check_ins.BOARDS:
        for p0 in (0.25, 0.5, 0.75, 1.0):
            *_, dummies, sentence = check_ins.board(slots, p0)
            mean = fixed_window_dummies(36, slots=slots, check_in_probability=p0)
            count = int((dummies.width > 0).sum())
            assert abs(count - mean) < 2.5 * np.sqrt(mean + 0.2)
            assert f"{count} of {{slots}} slots hold dummies" in sentence.text


def test_the_noise_of_a_report_keeps_to_the_budget_and_just_so():
    """In every state: 1% more for a report would exceed it, or needs no coins."""
    known = {"delta": 1e-6, "clip": False}
    for epsilon in check_ins.EPSILONS:
        for m in check_ins.WINDOWS:
            for p0 in (0.01, 0.1, 1.0):
                e0 = check_ins.report_epsilon(epsilon, m, p0)
                run = {"slots": m, "check_in_probability": p0, **known}
                alone = e0 == pytest.approx(epsilon, rel=1e-8)
                assert alone or fixed_window_epsilon(e0, **run) <= epsilon
                assert fixed_window_epsilon(1.01 * e0, **run) > epsilon


@pytest.mark.parametrize("p0", [0.01, 0.1, 1.0])
def test_slots_and_clients_are_split_without_a_rest(p0):
    parts = check_ins.where_updates_go(0.1, 1.0, 300, p0)[:5]
    used, away, home, in_use, dummy = (
        part.width.sum() / check_ins.SIDE for part in parts
    )
    assert used + away + home == pytest.approx(100)
    assert in_use + dummy == pytest.approx(100)
    dummies = fixed_window_dummies(10_000, slots=300, check_in_probability=p0)
    assert dummy == pytest.approx(dummies / 3)
    assert used == pytest.approx((300 - dummies) / 100)
    # the parts follow one another: no square is filled twice
    for some in (parts[:3], parts[3:]):
        left = np.concatenate([part.x - part.width / 2 for part in some])
        right = np.concatenate([part.x + part.width / 2 for part in some])
        row = np.concatenate([part.y for part in some])
        order = np.lexsort((right, left, row))
        seen = order[(right - left)[order] > 1e-9]
        same = row[seen][1:] == row[seen][:-1]
        assert (left[seen][1:] >= right[seen][:-1] - 1e-9)[same].all()


def test_the_numbers_are_the_packages():
    ours = check_ins.bound_and_instance(1.0, 0.1)[1]
    want = fixed_window_epsilon(1.0, 1e-6, slots=1000, check_in_probability=0.1)
    assert ours.y[check_ins.SLOTS.index(1000)] == want


def test_averaging_learns_most_from_few_clients_and_proves_least():
    """What the chapter says of a thousand clients, and of a million."""
    for e0 in check_in_races.LOCAL:
        marks = [m for m in check_in_races.three_protocols(e0) if isinstance(m, Line)]
        few, _ = np.array([m.y[0] for m in marks]).reshape(2, 3)
        risks, prices = np.array([m.y[-1] for m in marks]).reshape(2, 3)
        assert few.argmin() == 1
        assert (few[0] > 1) == (few[2] > 1) == (e0 == 0.5)
        assert risks.max() < 0.1
        assert prices.argmax() == 1
        assert prices.argmin() == 0


def test_the_stored_risks_come_from_the_code():
    """The smallest number of clients, computed again."""
    given = dict(check_in_races.risk_of_check_ins.arguments)
    given |= {"clients": given["clients"][:1], "local_epsilons": (1.0,)}
    given["repeats"] = given["repeats"][:1]
    few = check_in_races.risk_of_check_ins.compute(**given)
    whole = check_in_races.risk_of_check_ins()
    at = check_in_races.LOCAL.index(1.0)
    for name, table in few.items():
        assert table[0][0] == pytest.approx(whole[name][at][0], rel=1e-4)


def test_two_users_hide_each_other_a_little():
    """The chapter's numbers: an instance, the numerical bound, and formulas cut."""
    from dpteach.algorithms.local.response_instances import shuffling_instance
    from dpteach.algorithms.local.shuffling import shuffling_epsilon
    from dpteach.chapters.check_ins.exercises.shuffled_delta import _wanted

    exact = shuffling_instance(1.0, 0.05, n=2)
    one, zero = np.array([1, np.e]) / (1 + np.e), np.array([np.e, 1]) / (1 + np.e)
    assert _wanted(one, zero, zero, exact) == pytest.approx(0.05, rel=1e-9)
    assert exact == pytest.approx(0.9018, abs=5e-5)
    bounds = {
        m: shuffling_epsilon(1.0, 0.05, n=2, method=m)
        for m in ("numerical", "closed", "textbook", "swap")
    }
    assert exact < bounds["numerical"] < 1
    assert bounds["closed"] == bounds["textbook"] == bounds["swap"] == 1


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`slots` must be one of"):
        check_ins.where_updates_go(1.0, 2.0, 11, 0.5)
    with pytest.raises(ValueError, match="`slots` must be one of"):
        check_ins.board(11, 0.5)
    with pytest.raises(ValueError, match="`local_epsilon` must be one of"):
        check_in_races.three_protocols(3.0)
