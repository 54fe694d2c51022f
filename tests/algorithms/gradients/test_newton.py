"""Newton's method: its draws, what they cost, and that it walks downhill."""

from math import sqrt

import numpy as np
import pytest

from dpteach import Problem, Relation, constraints, losses
from dpteach.algorithms.gradients.newton import private_newton
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian
from tests.algorithms.case import Case

X = np.random.default_rng(0).uniform(-0.5, 0.5, (60, 4))
Y = np.where(X @ np.array([1.0, -0.5, 0.2, 0.0]) > 0, 1.0, -1.0)
D = Problem(X, Y, losses.logistic, constraints.Everywhere())
KNOWN = {"row_norm": 1.0, "clip_norm": 1.0, "noise_multiplier": 2.0}


def by_hand(relation=Relation.ADD_REMOVE, E=0.0, noise=0.0, steps=1, Lam=0.5):
    """Follow the listing, with given noise on the curvature and on each gradient."""
    tau = 0.25 * 2.0 / sqrt(relation.sensitivity)
    a, U = np.linalg.eigh(0.25 * X.T @ X + tau * E)
    A = U @ np.diag(np.maximum(a, tau * sqrt(8)) + Lam) @ U.T
    theta = np.zeros(4)
    for _ in range(steps):
        slope = -Y / (1 + np.exp(Y * (X @ theta)))
        theta = theta - np.linalg.solve(A, slope @ X + noise + Lam * theta)
    return theta


@pytest.mark.parametrize("relation", list(Relation))
def test_without_noise_it_is_newtons_method_with_a_bound_on_the_curvature(relation):
    out = private_newton(
        D, steps=3, regularization=0.5, rng=Tape([]), relation=relation, **KNOWN
    )
    assert np.allclose(out.theta, by_hand(relation, steps=3), rtol=1e-6)
    assert out.path.shape == (3, 4)
    assert out.event == Gaussian(2.0, releases=4, relation=relation)


@pytest.mark.claim(
    "08-objective-perturbation",
    "Private Newton draws what its theorem prices: one curvature, and a gradient a "
    "step, each of its stated size; without noise no step goes up.",
    order=41,
)
def test_each_draw_has_the_size_that_is_priced():
    """A single draw of 1 in turn: on the curvature's diagonal, off it, a gradient."""

    def theta(z):
        return private_newton(
            D, steps=1, regularization=0.5, rng=Tape(z), **KNOWN
        ).theta

    one, two = np.zeros((4, 4)), np.zeros((4, 4))
    one[0, 0], two[0, 1], two[1, 0] = 1, 0.5, 0.5
    assert np.allclose(theta([1.0]), by_hand(E=one), rtol=1e-6)
    assert np.allclose(theta([0.0, 1.0]), by_hand(E=two), rtol=1e-6)
    found = theta([0.0] * 16 + [1.0])
    assert np.allclose(found, by_hand(noise=2.0 * np.eye(4)[0]), rtol=1e-6)


def test_a_record_moves_the_curvature_by_no_more_than_is_priced():
    """By B² in the norm of Frobenius; by √2 B² if it is replaced, which is met."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(2, 5000, 3))
    x, other = rows / np.maximum(1, np.linalg.norm(rows, axis=2, keepdims=True))
    squares = [np.einsum("ni,nj->nij", each, each) for each in (x, other)]
    alone = np.linalg.norm(squares[0], axis=(1, 2))
    assert alone.max() == pytest.approx(1.0)
    moved = np.linalg.norm(squares[0] - squares[1], axis=(1, 2))
    assert 1.3 < moved.max() <= sqrt(2) + 1e-12
    e = np.eye(3)
    met = np.outer(e[0], e[0]) - np.outer(e[1], e[1])
    assert np.linalg.norm(met) == pytest.approx(sqrt(2))


@pytest.mark.parametrize("loss", [losses.logistic, losses.squared, losses.huber(0.1)])
def test_no_step_goes_up_where_there_is_no_noise(loss):
    """Ten problems with rows of all sizes; the objective falls in each step."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        rows = rng.normal(size=(30, 3))
        rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
        P = Problem(rows, rng.choice([-1.0, 1.0], 30), loss, constraints.Everywhere())
        known = {"row_norm": 1.0, "clip_norm": 1e6, "noise_multiplier": 1e-9}
        out = private_newton(P, steps=8, regularization=0.3, rng=Tape([]), **known)
        models = np.vstack([np.zeros(3), out.path])
        J = [P.risk(m) + 0.15 * m @ m for m in models]
        assert (np.diff(J) <= 1e-9).all()
        assert J[-1] < J[0]


def test_the_squared_loss_is_solved_in_one_step():
    P = Problem(X, X[:, 0], losses.squared, constraints.Everywhere())
    known = {"row_norm": 1.0, "clip_norm": 1e6, "noise_multiplier": 1e-9}
    out = private_newton(P, steps=1, regularization=0.5, rng=Tape([]), **known)
    scale = losses.squared.smoothness
    want = np.linalg.solve(scale * X.T @ X + 0.5 * np.eye(4), scale * X.T @ X[:, 0])
    assert np.allclose(out.theta, want, rtol=1e-5)


@pytest.mark.parametrize(
    ("dtype", "row"),
    [(np.float32, 1e30), (np.float32, -3.4e38), (np.float32, 1e-45),
     (np.float64, 1e-300), (np.float64, -3.4e38), (np.float64, 1e150)],
)  # fmt: skip
def test_a_hostile_record_leaves_all_models_finite(dtype, row):
    """A row beyond the bound counts as one on it."""
    rows = X.astype(dtype)
    rows[3] = row
    P = Problem(rows, Y.astype(dtype), losses.logistic, constraints.Everywhere())
    out = private_newton(P, steps=2, regularization=0.5, rng=0, **KNOWN)
    assert np.isfinite(out.path).all()
    assert out.path.dtype == dtype


def test_what_it_cannot_do_is_refused():
    kind = {"steps": 2, "regularization": 1.0, "rng": 0, **KNOWN}
    with pytest.raises(ValueError, match="smooth loss of one score"):
        private_newton(Problem(X, Y, losses.hinge, constraints.Everywhere()), **kind)
    with pytest.raises(ValueError, match=r"Everywhere\(\)"):
        private_newton(Problem(X, Y, losses.logistic, constraints.L2Ball(1.0)), **kind)
    with pytest.raises(ValueError, match="`row_norm` must bound every record"):
        private_newton(D, **kind | {"row_norm": 0.1, "out_of_bounds": "refuse"})


BAD_INPUT = {
    private_newton: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
            np.array([1.0, -1.0, 1.0]),
            losses.logistic,
            constraints.Everywhere(),
        ),
        "row_norm": 1.0,
        "clip_norm": 1.0,
        "steps": 2,
        "noise_multiplier": 2.0,
        "regularization": 1.0,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}

COMMON = {
    "private_newton": Case(
        private_newton,
        losses.logistic,
        constraints.Everywhere(),
        {"row_norm": 1.0, "clip_norm": 1.0, "steps": 3, "noise_multiplier": 8.0,
         "regularization": 2.0},
        path=3,
        epsilon=1.0,  # the price of one release at λ = 4
        delta=1e-4,
        rtol=1e-9,  # a solver of eigenvalues stands between
    ),
}  # fmt: skip
