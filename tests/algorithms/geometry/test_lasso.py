"""Private LASSO: its constants, on sparse and dense data."""

import numpy as np
import pytest
from scipy import sparse

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.geometry.lasso import (
    lasso_constants,
    private_lasso,
    private_lasso_risk_bound,
    private_lasso_steps,
)
from tests.algorithms.geometry.samples import curvature, lasso_problem


def test_constants_of_least_squares():
    assert lasso_constants(l1_radius=1.0) == (2.0, 4.0)
    L1, gamma = lasso_constants(l1_radius=3.0, feature_bound=2.0, label_bound=0.5)
    assert (L1, gamma) == (2 * (6 + 0.5), 4 * 36)
    one = Problem(
        np.array([[2.0, -2.0]]),
        np.array([0.5]),
        losses.squared,
        constraints.L1Ball(3.0),
    )
    assert curvature(one) == pytest.approx(gamma)
    corners = 3 * np.concatenate([np.eye(2), -np.eye(2)])
    assert np.max(np.abs(one.gradient(corners))) == pytest.approx(L1)


@pytest.mark.claim(
    "17-frank-wolfe",
    "Sparse and dense data give the same model, step for step.",
    order=9,
)
def test_private_lasso_sparse_and_dense_agree():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 30)) < 0.1, rng.uniform(-1, 1, (60, 30)), 0.0)
    y = np.clip(X[:, 3], -1, 1)
    kind = {"l1_radius": 2.0, "epsilon": 4.0, "delta": 1e-6, "steps": 15, "rng": 3}
    dense = private_lasso(X, y, **kind)
    for form in (sparse.csr_array, sparse.csc_array, sparse.coo_matrix):
        thin = private_lasso(form(X), y, **kind)
        np.testing.assert_allclose(thin.path, dense.path, atol=1e-12)
        assert thin.event == dense.event
    assert dense.path.shape == (15, 30)
    for every, kept in ((4, [3, 7, 11]), (15, [14])):
        part = private_lasso(X, y, **kind, path_every=every)
        np.testing.assert_array_equal(part.path, dense.path[kept])
        np.testing.assert_array_equal(part.theta, dense.theta)
    assert np.count_nonzero(dense.theta) <= 14
    assert np.abs(dense.theta).sum() <= 2 + 1e-12
    batch = private_lasso(sparse.csc_array(X), y, **kind, runs=(3,))
    assert batch.theta.shape == (3, 30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"feature_bound": 0.5}, "`feature_bound` must bound every record, got 0.5"),
        ({"label_bound": 0.5}, "`label_bound` must bound every record, got 0.5"),
        ({"steps": 1}, "`steps`"),
    ],
)
def test_private_lasso_refuses_data_beyond_its_bounds(change, message):
    D = lasso_problem(10, 3)
    kind = {"l1_radius": 1.0, "epsilon": 1.0, "delta": 1e-6, "steps": 5, "rng": 0}
    for X in (D.X, sparse.csc_array(D.X)):
        with pytest.raises(ValueError, match=message):
            private_lasso(X, D.y, **kind | change, out_of_bounds="refuse")


def test_bounds_hold_in_a_single_column_and_without_an_entry():
    kind = {"l1_radius": 1.0, "epsilon": 1.0, "delta": 1e-6, "steps": 3, "rng": 0}
    with pytest.raises(ValueError, match="`feature_bound` must bound every record"):
        private_lasso(
            np.array([[0.5], [-2.0]]), np.zeros(2), out_of_bounds="refuse", **kind
        )
    silent = sparse.csc_array((2, 3))
    out = private_lasso(silent, np.zeros(2), feature_bound=0.5, **kind)
    assert out.theta.shape == (3,)


def test_bounds_of_one_are_the_default():
    kind = {"l1_radius": 1.0, "epsilon": 1.0, "delta": 1e-6, "steps": 3, "rng": 0}
    X, y = np.array([[1.0, -0.5], [0.2, 0.1]]), np.array([1.0, -1.0])
    stated = private_lasso(X, y, feature_bound=1.0, label_bound=1.0, **kind)
    assert private_lasso(X, y, **kind).event == stated.event
    assert np.array_equal(private_lasso(X, y, **kind).theta, stated.theta)
    for features, labels in ((1.5 * X, y), (X, 1.5 * y)):
        cut = np.clip(features, -1, 1), np.clip(labels, -1, 1)
        for form in (np.asarray, sparse.csc_array):
            out = private_lasso(form(features), labels, **kind)
            wanted = private_lasso(form(cut[0]), cut[1], **kind)
            assert np.array_equal(out.theta, wanted.theta)
        with pytest.raises(ValueError, match="must bound every record, got 1"):
            private_lasso(features, labels, out_of_bounds="refuse", **kind)


BAD_INPUT = {
    lasso_constants: {"l1_radius": 1.0, "feature_bound": 1.0, "label_bound": 1.0},
    private_lasso: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "steps": 4,
        "rng": 0,
        "relation": Relation.REPLACE,
        "noise": "laplace",
        "path_every": 2,
        "out_of_bounds": "clip",
        "runs": (2,),
        "X": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "l1_radius": 1.0,
        "feature_bound": 1.0,
        "label_bound": 1.0,
    },
    private_lasso_steps: {"epsilon": 1.0, "delta": 1e-6, "n": 1000, "p": 5},
    private_lasso_risk_bound: {"epsilon": 1.0, "delta": 1e-6, "n": 1000, "p": 5},
}
