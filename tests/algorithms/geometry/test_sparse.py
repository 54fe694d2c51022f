"""Sparse data: the walk keeps the scores that dense data would have."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import eye_array

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.geometry._corners import Walk
from dpteach.algorithms.geometry.sparse import SparseProblem
from tests.algorithms.geometry.samples import BALL


@pytest.mark.parametrize("runs", [(), (3,), (2, 2)])
@pytest.mark.parametrize("constraint", [BALL, constraints.Simplex()])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_walk_keeps_its_scores(runs, constraint, kind):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((12, 7)) < 0.4, rng.normal(size=(12, 7)), 0.0)
    dense = Problem(X, rng.choice([-1.0, 1.0], 12), losses.logistic, constraint)
    D = dense
    if kind == "sparse":
        D = SparseProblem(sparse.csr_array(X), dense.y, losses.logistic, constraint)
    walk = Walk(D, runs)
    corners = 7 if isinstance(constraint, constraints.Simplex) else 14
    for t in range(1, 30):
        index = rng.integers(0, corners, runs)
        s = np.eye(7)[index % 7] * np.where(index < 7, 1, -1)[..., None]
        wanted = walk.theta + 2 / (t + 1) * (s - walk.theta)
        before = walk.theta.copy()
        held = walk.theta
        walk.move(np.asarray(index), 2 / (t + 1))
        np.testing.assert_array_equal(held, before)  # no one's model is changed
        np.testing.assert_allclose(walk.theta, wanted, atol=1e-14)
        np.testing.assert_allclose(walk.scores, walk.theta @ X.T, atol=1e-13)
        np.testing.assert_allclose(
            walk.gradient(), dense.gradient(walk.theta), atol=1e-12
        )
    np.testing.assert_allclose(D.risk(walk.theta), dense.risk(walk.theta), atol=1e-12)


@pytest.mark.parametrize("constraint", [BALL, constraints.Simplex()])
def test_a_sparse_walk_on_least_squares_keeps_its_gradient(constraint):
    """Light columns are added row by row, heavy ones by a fresh product."""
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((64, 9)) < 0.04, rng.normal(size=(64, 9)), 0.0)
    dense[:, 4] = rng.normal(size=64)
    D = Problem(dense, rng.normal(size=64), losses.squared, constraint)
    thin = SparseProblem(sparse.csr_array(dense), D.y, losses.squared, constraint)
    light = [thin.stored(j) * 16 <= 64 for j in range(9)]
    assert {True, False} == set(light)
    walk = Walk(thin, ())
    corners = 9 if isinstance(constraint, constraints.Simplex) else 18
    for t in range(1, 60):
        np.testing.assert_allclose(
            walk.gradient(), D.gradient(walk.theta), rtol=1e-11, atol=1e-12
        )
        walk.move(np.asarray(rng.integers(corners)), 2 / (t + 1))
    one = np.zeros(9)
    thin.add_gram_column(one, 4, 2.0)
    np.testing.assert_allclose(one, 2 * dense.T @ dense[:, 4])


@pytest.mark.parametrize("runs", [(), (3,), (2, 2)])
def test_gradients_of_many_models_are_those_of_dense_data(runs):
    rng = np.random.default_rng(2)
    X = np.where(rng.random((12, 7)) < 0.4, rng.normal(size=(12, 7)), 0.0)
    dense = Problem(X, rng.choice([-1.0, 1.0], 12), losses.logistic, BALL)
    thin = SparseProblem(sparse.csr_array(X), dense.y, losses.logistic, BALL)
    theta = rng.normal(size=(*runs, 7))
    np.testing.assert_allclose(
        thin.gradient(theta), dense.gradient(theta), rtol=1e-12, atol=1e-13
    )
    for j in range(7):
        assert thin.stored(j) == np.count_nonzero(X[:, j])


def test_entries_that_are_stored_twice_are_added_up_and_the_callers_stay():
    """Or a bound on each entry would miss that their sum is larger."""
    X = sparse.csc_array(
        (np.array([0.6, 0.6, 0.1]), np.array([0, 0, 1]), np.array([0, 2, 3]))
    )
    D = SparseProblem(X, np.ones(2), losses.squared, BALL)
    np.testing.assert_array_equal(D.column(0), [1.2, 0.0])
    assert D.X.nnz == 2
    assert X.nnz == 3


def test_single_precision_stays_single():
    X = sparse.csr_array(np.eye(3, dtype=np.float32))
    D = SparseProblem(X, np.ones(3, dtype=np.float32), losses.squared, BALL)
    assert D.zeros(2).dtype == D.column(1).dtype == np.float32


def test_a_stored_entry_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="`X` must be finite"):
        SparseProblem(
            sparse.csr_array([[1.0, np.nan]]), np.ones(1), losses.squared, BALL
        )


BAD_INPUT = {
    SparseProblem: {
        "X": eye_array(3),
        "y": np.ones(3),
        "loss": losses.squared,
        "constraint": constraints.L1Ball(1.0),
    },
}
