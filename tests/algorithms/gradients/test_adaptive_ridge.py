"""Least squares with a ridge that the data choose: its draws and what they cost."""

from math import log, sqrt

import numpy as np
import pytest

from dpteach import Relation, checks
from dpteach.algorithms.gradients.adaptive_ridge import adaptive_least_squares
from dpteach.algorithms.gradients.noisy_moments import moments_sensitivity
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian

ROWS = np.random.default_rng(0).choice([-0.5, 0.5], (400, 4))

LABELS = np.clip(ROWS @ np.array([0.8, -0.4, 0.0, 0.0]), -0.5, 0.5)

BOUNDS = {"row_norm": 1.0, "label_bound": 0.5}


@pytest.mark.parametrize("relation", list(Relation))
def test_the_ridge_fills_up_what_the_data_lack(relation):
    """No noise, few and many records: the stated ridge, and none at all."""
    lam, beta = 2.0, 0.05
    tail, k = sqrt(2 * log(2 / beta)), relation.sensitivity
    sigma = lam * moments_sensitivity(relation=relation, **BOUNDS) / k
    for rows in (20, 400):
        X, y = ROWS[:rows], LABELS[:rows]
        out = adaptive_least_squares(
            X, y, noise_multiplier=lam, rng=Tape([]), relation=relation, **BOUNDS
        )
        least = np.linalg.eigvalsh(X.T @ X)[0]
        ridge = max(0.0, 2 * sigma * (4 + tail) - (least - lam / k * tail))
        want = np.linalg.solve(X.T @ X + ridge * np.eye(4), X.T @ y)
        assert np.allclose(out.theta, want, rtol=1e-10)
        assert (ridge > 0) == (rows == 20)
        assert out.event == Gaussian(lam, releases=2, relation=relation)


def test_the_least_eigenvalue_moves_by_no_more_than_the_squared_row_norm():
    """Random records added and replaced; a direction nobody has attains it."""
    rng, largest = np.random.default_rng(1), 0.0
    for _ in range(2000):
        X = rng.normal(size=(3, 2))
        x, other = rng.normal(size=(2, 2))
        x, other = x / np.linalg.norm(x), other / np.linalg.norm(other)
        A = X.T @ X
        with_x, with_other = (
            np.linalg.eigvalsh(A + np.outer(r, r))[0] for r in (x, other)
        )
        base = np.linalg.eigvalsh(A)[0]
        largest = max(largest, abs(with_x - base), abs(with_x - with_other))
    assert 0.8 < largest <= 1.0 + 1e-12
    A = np.diag([2.0, 0.0])
    assert np.linalg.eigvalsh(A + np.diag([0.0, 1.0]))[0] == pytest.approx(1.0)


def test_each_draw_has_the_size_that_is_priced():
    """A single draw of 1 in turn: first the eigenvalue's, then the moments'."""
    lam = 2.0
    X, y = ROWS[:20], LABELS[:20]
    sigma = lam * moments_sensitivity(**BOUNDS)
    known = {"noise_multiplier": lam, **BOUNDS}

    def theta(z):
        return adaptive_least_squares(X, y, rng=Tape(z), **known).theta

    silent = theta([])
    tail = sqrt(2 * log(2 / 0.05))
    least = np.linalg.eigvalsh(X.T @ X)[0]

    def solved(e=0.0, E=0.0, v=0.0):
        ridge = max(0.0, 2 * sigma * (4 + tail) - (least + e - lam * tail))
        return np.linalg.solve(X.T @ X + E + ridge * np.eye(4), X.T @ y + v)

    assert np.allclose(silent, solved())
    assert np.allclose(theta([1.0]), solved(e=lam))  # λ B²
    off = np.zeros((4, 4))
    off[0, 1] = off[1, 0] = sigma / 2
    assert np.allclose(theta([0.0, 0.0, 1.0]), solved(E=off))
    assert np.allclose(theta([0.0] * 17 + [1.0]), solved(v=sigma * np.eye(4)[0]))


def test_the_draw_of_the_eigenvalue_grows_with_the_square_of_the_row_norm():
    """Twice the bound: four times the noise on the eigenvalue, λB²."""
    lam, bounds = 2.0, BOUNDS | {"row_norm": 2.0}
    X, y = ROWS[:20], LABELS[:20]
    tail = sqrt(2 * log(2 / 0.05))
    least = np.linalg.eigvalsh(X.T @ X)[0]
    sigma = lam * moments_sensitivity(**bounds)
    for z in (0.0, 1.0):
        found = adaptive_least_squares(
            X, y, rng=Tape([z]), noise_multiplier=lam, **bounds
        )
        ridge = 2 * sigma * (4 + tail) - (least + 4 * lam * (z - tail))
        assert np.allclose(
            found.theta, np.linalg.solve(X.T @ X + ridge * np.eye(4), X.T @ y)
        )


def test_data_beyond_their_bounds_are_refused():
    kind = {"noise_multiplier": 1.0, "rng": 0, "out_of_bounds": "refuse"}
    with pytest.raises(ValueError, match="`row_norm` must bound every record"):
        adaptive_least_squares(ROWS, LABELS, row_norm=0.9, label_bound=0.5, **kind)
    with pytest.raises(ValueError, match="`label_bound` must bound every record"):
        adaptive_least_squares(ROWS, LABELS, row_norm=1.0, label_bound=0.4, **kind)


def test_a_batch_of_matrices_must_fit_into_memory(monkeypatch):
    """Three matrices of 4 times 4 floats, whatever the number of records."""
    kind = {"noise_multiplier": 1.0, "rng": 0, "runs": (3,), **BOUNDS}
    for X, y in ((ROWS[:2], LABELS[:2]), (ROWS, LABELS)):
        monkeypatch.setattr(checks, "_memory", lambda: 8 * 48)
        assert adaptive_least_squares(X, y, **kind).theta.shape == (3, 4)
        monkeypatch.setattr(checks, "_memory", lambda: 8 * 47)
        with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
            adaptive_least_squares(X, y, **kind)


BAD_INPUT = {
    adaptive_least_squares: {
        "X": np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
        "y": np.array([0.5, -0.5, 0.2, 0.1]),
        "row_norm": 1.0,
        "label_bound": 0.5,
        "noise_multiplier": 2.0,
        "rng": 0,
        "failure_probability": 0.1,
        "relation": Relation.ADD_REMOVE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}
