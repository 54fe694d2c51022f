"""The answer to question 4 of chapter 2: each move is attained, and none is longer."""

import numpy as np
import pytest

from dpteach.arrays import clip

L, P, N = 1.5, 4, 6
FAR = 10 * np.random.default_rng(5).normal(size=(2000, P))
E = np.eye(P)


def whole(v):
    return clip(v, L)


def no_negative(v):
    return clip(np.abs(v), L)


def each_entry(v):
    return np.clip(v, -L, L)


@pytest.mark.parametrize(
    ("made", "pair", "longest"),
    [
        (whole, (9 * E[0], 0 * E[0]), L),  # (a) set to zero
        (no_negative, (9 * E[0], 9 * E[1]), np.sqrt(2) * L),  # (b)
        (
            each_entry,
            (9 * E.sum(axis=0), -9 * E.sum(axis=0)),
            2 * np.sqrt(P) * L,
        ),  # (c)
    ],
)
def test_how_far_a_sum_moves(made, pair, longest):
    one, other = made(np.array(pair))
    np.testing.assert_allclose(np.linalg.norm(one - other), longest, rtol=1e-12)
    moved = made(FAR[:1000]) - (made(FAR[1000:]) if pair[1].any() else 0.0)
    assert np.linalg.norm(moved, axis=1).max() <= longest * (1 + 1e-12)


def test_how_far_a_mean_moves_when_one_more_joins():
    """(d) Up to 2L/(n + 1), which is L at n = 1."""
    for n in (1, 2, N):
        same = np.tile(L * E[0], (n, 1))
        more = np.vstack([same, -L * E[0]])
        move = np.linalg.norm(more.mean(axis=0) - same.mean(axis=0))
        np.testing.assert_allclose(move, 2 * L / (n + 1), rtol=1e-12)
        some = clip(FAR.reshape(-1, P)[: 100 * (n + 1)], L).reshape(100, n + 1, P)
        moves = some.mean(axis=1) - some[:, :-1].mean(axis=1)
        assert np.linalg.norm(moves, axis=1).max() <= 2 * L / (n + 1)
