"""Figures of the chapter on convex optimization: what they claim, found otherwise."""

from itertools import pairwise, product

import numpy as np
import pytest

from dpteach.chapters.convex_optimization import questions as convex_questions
from dpteach.chapters.convex_optimization import runs as convex_runs
from dpteach.chapters.convex_optimization import steps_and_regret as convex
from dpteach.figures import Sentence
from dpteach.figures.quiz import Question


def said(marks):
    return next(mark.text for mark in marks if isinstance(mark, Sentence))


def test_the_walk_is_the_closed_form():
    """Each coordinate shrinks by 1 − η and 1 − 4η a step; past η = 1/2 it runs away."""
    for direction, rate in product((0, 60, 210), convex.RATES):
        path, risk = convex_runs.walk(direction, rate)
        t, turn = np.arange(21)[:, None], np.radians(direction)
        start = 2 * np.array([np.cos(turn), np.sin(turn)])
        wanted = start * (1 - rate * np.array([1.0, 4.0])) ** t
        np.testing.assert_allclose(path, wanted, atol=1e-12)
        np.testing.assert_allclose(risk, wanted**2 @ [0.5, 2.0], atol=1e-12)
    for rate, away in ((0.5, False), (0.52, True)):  # as the sentence says
        *_, risk, _, _ = convex.bowl(60, rate)
        assert (risk.y[-1] > risk.y[0]) == away


def test_the_bound_holds_on_the_bowl_for_its_own_rate():
    for direction in convex.DIRECTIONS:
        *_, risk, bound, _ = convex.bowl(direction, 0.25)
        assert np.all(risk.y <= bound.y)


def test_the_regret_is_filled_up_to_now_and_below_its_bound():
    for t, rate in product(convex.STOPS, convex.ONLINE_RATES):
        fill, learner, fixed, mean, bound, here, _ = convex.regret_fills(t, rate)
        assert fill.x.max() == t
        area = (learner.y - fixed.y)[t]
        assert here.y[0] == pytest.approx(area / t)
        # After all records the fixed model is the best one, and the bound is its.
        assert mean.y[-1] <= bound.y[-1]
    D, best = convex_runs.stream()
    least = min(np.abs(D.y - v).sum() for v in np.linspace(-1, 1, 2001))
    assert np.abs(D.y - best).sum() <= least + 1e-12


def test_noise_asks_for_smaller_steps_and_more_steps_for_smaller_ones_too():
    best = []
    for steps in convex.NOISY_STEPS:
        exact, _, noisy, clean, found, _ = convex.oracle_noise(steps)
        assert found.x[0] < clean.x[0]
        assert noisy.y.min() > exact.y.min()
        best.append(found.x[0])
    assert all(late <= early for early, late in pairwise(best))
    assert best[-1] < best[0]


def test_the_first_pair_points_one_way_and_fifty_the_other():
    """As the question says; the difference of means is over 3 standard errors."""
    gaps = convex_runs.differences()
    assert gaps[0] < 0 < gaps.mean()
    assert gaps.mean() > 3 * gaps.std() / 7
    assert "B looks better" in said(convex.luck(1))
    assert "may be luck" in said(convex.luck(1))
    assert "A looks better" in said(convex.luck(50))
    assert "That is more than two" in said(convex.luck(50))


def test_the_questions_differ():
    found = [v for v in vars(convex_questions).values() if isinstance(v, Question)]
    assert len({each.identity for each in found}) == len(found) == 5
