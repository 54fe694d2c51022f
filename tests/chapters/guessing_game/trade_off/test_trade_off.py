"""What ``trade_off`` grades by is the best of all tests, by three other ways."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from dpteach import Relation
from dpteach.accounting import trade_off
from dpteach.chapters.guessing_game.exercises.trade_off import (
    _P,
    _Q,
    CURVES,
    least_misses,
)
from dpteach.mechanisms import randomized_response_probabilities
from dpteach.privacy import Pure

SHARES = np.array([0.0, 0.013, 0.1, 0.25, 0.5, 0.77, 0.999, 1.0])


def _tables():
    rng = np.random.default_rng(3)
    yield _P, _Q
    yield np.array([0.2, 0.8, 0.0, 0.0]), np.array([0.0, 0.5, 0.5, 0.0])
    yield np.array([0.5, 0.25, 0.25]), np.array([0.25, 0.125, 0.625])  # a tie
    for size in (2, 5, 9, 40):
        P, Q = rng.dirichlet(np.ones(size), size=2)
        yield P, Q
        seen = rng.random(size) < 0.7
        seen[0] = True
        yield P * seen / (P @ seen), Q


TABLES = list(_tables())


@pytest.mark.parametrize(("P", "Q"), TABLES)
def test_the_reference_solves_the_linear_program(P, Q):
    found = [1 + linprog(-P, A_ub=Q[None], b_ub=[a], bounds=(0, 1)).fun for a in SHARES]
    assert least_misses(P, Q, SHARES) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(("P", "Q"), [each for each in TABLES if len(each[0]) < 10])
def test_the_reference_is_the_lower_hull_of_all_sets_of_outputs(P, Q):
    """A test with coins is a mixture of sets; two of them are enough."""
    sets = np.array(list(product((0, 1), repeat=len(P))))
    x, y = sets @ Q, 1 - sets @ P
    below = np.full(len(SHARES), np.inf)
    for x0, y0 in zip(x, y, strict=True):
        right, left = x > x0, x0 <= SHARES
        part = (SHARES[:, None] - x0) / (x[right] - x0)
        line = np.where((part >= 0) & (part <= 1), y0 + part * (y[right] - y0), np.inf)
        below[left] = np.minimum(below[left], y0)
        below = np.minimum(below, line.min(axis=1, initial=np.inf))
    assert least_misses(P, Q, SHARES) == pytest.approx(below, abs=1e-12)


@pytest.mark.parametrize(("P", "Q"), TABLES)
def test_the_highest_line_of_all_promises_is_the_curve(P, Q):
    """As the praise says: misses are at least 1 − δ − e^ε alpha, for each ε."""
    seen = Q > 0
    factors = np.append(0.0, P[seen] / Q[seen])
    delta = np.maximum(P - factors[:, None] * Q, 0).sum(axis=1)
    lines = 1 - delta[:, None] - factors[:, None] * SHARES
    assert least_misses(P, Q, SHARES) == pytest.approx(lines.max(axis=0), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_randomized_response_meets_the_bound_of_the_package(epsilon):
    chances = randomized_response_probabilities(classes=2, epsilon=epsilon)
    event = Pure(epsilon, relation=Relation.REPLACE)
    inner = SHARES[1:-1]  # the package asks for a test that alarms at times
    wanted = [trade_off(event, float(a)) for a in inner]
    assert least_misses(chances[0], chances[1], inner) == pytest.approx(
        wanted, abs=1e-9
    )


def test_no_wrong_answer_is_taken_for_another():
    """On the first tables each is told from all others, or said in the same words."""
    mixed = SHARES[[4, 0, 7, 2, 5, 1, 6, 3]]
    given = [(np.asarray(answer(_P, _Q, mixed)), told) for answer, told in CURVES]
    right = least_misses(_P, _Q, mixed)
    only_elsewhere = "An output that only P can give"
    for k, (one, told) in enumerate(given):
        assert np.abs(one - right).max() > 0.01 or told.startswith(only_elsewhere)
        for other, said in given[:k]:
            assert said == told or np.abs(one - other).max() > 1e-3
