"""DP-FTRL for least squares: its two trees and its leader."""

from math import sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.streams import least_squares_ftrl
from dpteach.algorithms.streams.ftrl import dp_ftrl_noise_multiplier
from dpteach.algorithms.streams.least_squares_ftrl import (
    least_squares_dp_ftrl,
    least_squares_dp_ftrl_noise_multiplier,
)
from dpteach.algorithms.streams.tree import levels
from dpteach.auditing import (
    Tape,
    exact_mu,
    noise_map,
)
from dpteach.privacy import Relation
from tests.algorithms.streams.case import ftrl_case
from tests.algorithms.streams.runs import EVERYWHERE, logistic, regression


def sums(monkeypatch, D, **settings):
    """Every noisy M_t and m_t that the algorithm makes its models from."""
    seen = []

    def leader(M, m, _):
        seen.append(np.concatenate([M.ravel(), m.ravel()]))
        return np.zeros(m.shape)

    monkeypatch.setattr(least_squares_ftrl, "_leader", leader)
    return lambda rng, D=D: (
        seen.clear(),
        least_squares_dp_ftrl(D, rng=rng, **settings),
        np.stack(seen),
    )[-1]


@pytest.mark.claim("13-dp-ftrl", "Least squares costs two trees.", order=2)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_least_squares_costs_two_trees(monkeypatch, n):
    """Records a thousand times too long, labels of 50: both are cut."""
    L, z = 2.0, 3.0
    settings = {"row_norm": L, "noise_multiplier": z, "regularization": 1.0}

    def problem(x, y):
        X, labels = np.zeros((n, 2)), np.zeros(n)
        X[0], labels[0] = x, y
        return Problem(X, labels, losses.squared, constraints.L2Ball(1.0))

    run = sums(monkeypatch, problem(np.zeros(2), 0.0), **settings)
    silent = noise_map(run)

    def moved(x, y):
        return run(Tape(), problem(x, y)).ravel() - silent.mean

    event = least_squares_dp_ftrl(problem(np.zeros(2), 0.0), rng=0, **settings).event
    assert event.releases == 2 * levels(n)
    long = 1000 * np.array([np.cos(1.0), np.sin(1.0)])
    mu = exact_mu(silent.matrix, moved(long, 50.0))
    assert mu == pytest.approx(sqrt(2 * levels(n)) / z, rel=1e-9)
    assert mu == pytest.approx(event.mu, rel=1e-9)
    low = exact_mu(silent.matrix, moved(long, -50.0))  # labels are cut on both sides
    assert low == pytest.approx(event.mu, rel=1e-9)
    # Without the tree of the moments, the count would be this.
    covariances = exact_mu(silent.matrix, moved(long, 0.0))
    assert covariances == pytest.approx(sqrt(levels(n)) / z, rel=1e-9)


def test_replacing_a_record_of_least_squares_costs_less_than_twice(monkeypatch):
    """‖xxᵀ − x′x′ᵀ‖² + ‖yx − y′x′‖² is at most 4.5, at 60°; the event counts 8."""
    settings = {"row_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0}

    def problem(x, y):
        return Problem(
            np.array([x]), np.array([y]), losses.squared, constraints.L2Ball(1.0)
        )

    run = sums(monkeypatch, problem([0.0, 0.0], 0.0), **settings)
    B = noise_map(run).matrix
    costs = []
    for angle in np.linspace(0, np.pi, 181):
        here = run(Tape(), problem([1.0, 0.0], 1.0)).ravel()
        there = run(Tape(), problem([np.cos(angle), np.sin(angle)], -1.0)).ravel()
        costs.append(exact_mu(B, here - there) ** 2)
    assert max(costs) == pytest.approx(4.5, rel=1e-9)
    assert np.argmax(costs) == 60


def test_the_noise_of_the_covariances_is_that_of_an_orthonormal_basis(monkeypatch):
    """Variance σ²L⁴ on the diagonal, half of it beside, and symmetric."""
    D = Problem(np.zeros((1, 3)), np.zeros(1), losses.squared, constraints.L2Ball(1.0))
    run = sums(monkeypatch, D, row_norm=2.0, noise_multiplier=3.0, regularization=1.0)
    covariance = noise_map(run).covariance[:9, :9]
    variances = np.diag(covariance).reshape(3, 3) / (3.0 * 2.0**2) ** 2
    assert np.allclose(variances, np.full((3, 3), 0.5) + 0.5 * np.eye(3), rtol=1e-12)
    assert covariance[1, 3] == pytest.approx(covariance[1, 1])  # entries (0,1), (1,0)


def test_without_noise_it_is_ridge_regression():
    D, Lam = regression(radius=100.0), 2.0
    out = least_squares_dp_ftrl(
        D, row_norm=1.0, noise_multiplier=1.0, regularization=Lam, rng=Tape()
    )
    ridge = np.linalg.solve(D.X.T @ D.X + Lam * np.eye(D.p), D.X.T @ D.y)
    assert np.allclose(out.path[-1], ridge, rtol=0, atol=1e-12)
    assert out.path[0].tolist() == [0.0] * D.p


def test_the_trust_region_step_is_exact():
    """The conditions of optimality hold to rounding, concave and degenerate or not."""
    rng = np.random.default_rng(0)
    for k in range(300):
        p = int(rng.integers(1, 6))
        A = rng.standard_normal((p, p))
        M = (A + A.T) / 2 * rng.uniform(0.1, 10) + rng.uniform(-3, 3) * np.eye(p)
        m = rng.standard_normal(p) * rng.choice([0, 1e-9, 1, 100])
        R = rng.uniform(0.1, 3)
        w, V = np.linalg.eigh(M)
        if k % 5 == 0:  # nothing along the lowest direction
            m = m - V[:, 0] * (V[:, 0] @ m)
        theta = least_squares_ftrl._leader(M, m, R)
        length, residual = np.linalg.norm(theta), m - M @ theta
        nu = theta @ residual / length**2 if length else 0.0
        size = np.abs(w).max()
        assert np.linalg.norm(residual - nu * theta) < 1e-13 * (
            np.linalg.norm(m) + size * R
        )
        assert length < R * (1 + 1e-13)
        assert min(nu, w[0] + nu) > -1e-13 * size
        assert min(nu / size, (R - length) / R) < 1e-13


def test_leaders_of_a_batch_are_those_of_each_run():
    """One inside the ball, one on it, and two without a part along the lowest."""
    M = np.stack([np.diag(d) for d in ([9.0, 9, 9], [1, 2, 3], [-2, 1, 4], [-1, 1, 1])])
    m = np.array([[1.0, 0, 1], [5, 1, -7], [0, 0.5, 0.1], [0, 0, 0]])
    found = least_squares_ftrl._leader(M, m, 1.0)
    alone = [least_squares_ftrl._leader(*run, 1.0) for run in zip(M, m, strict=True)]
    np.testing.assert_allclose(found, alone, atol=1e-12)
    length = np.linalg.norm(found, axis=1)
    assert length[0] == pytest.approx(np.sqrt(2) / 9)
    np.testing.assert_allclose(length[1:], 1)


def test_least_squares_wants_squares_and_a_ball():
    settings = {
        "row_norm": 1.0, "noise_multiplier": 1.0, "regularization": 1.0, "rng": 0,
    }  # fmt: skip
    with pytest.raises(ValueError, match="`problem` must have the squared loss"):
        least_squares_dp_ftrl(logistic(), **settings)
    D = regression()
    with pytest.raises(ValueError, match="`problem` must be constrained to an L2Ball"):
        least_squares_dp_ftrl(Problem(D.X, D.y, losses.squared, EVERYWHERE), **settings)


def test_least_squares_noise_is_that_of_two_trees():
    one = dp_ftrl_noise_multiplier(2.0, 1e-6, steps=100)
    two = least_squares_dp_ftrl_noise_multiplier(2.0, 1e-6, steps=100)
    assert two == pytest.approx(sqrt(2) * one, rel=1e-9)


def test_no_price_is_made_for_a_record_that_is_left_out():
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        least_squares_dp_ftrl_noise_multiplier(
            1.0, 1e-6, steps=8, relation=Relation.ADD_REMOVE
        )


def test_noise_that_would_be_zero_is_refused():
    with pytest.raises(ValueError, match="`row_norm` must"):
        least_squares_dp_ftrl(
            regression(), row_norm=1e-200, noise_multiplier=1.0, regularization=1.0,
            rng=0,
        )  # fmt: skip


BAD_INPUT = {
    least_squares_dp_ftrl_noise_multiplier: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "steps": 8,
        "relation": Relation.ZERO_OUT,
        "method": "exact",
    },
    least_squares_dp_ftrl: {
        "problem": Problem(
            np.array([[0.6, 0.0], [0.0, 0.8], [0.5, 0.5]]),
            np.array([0.5, -0.5, 0.2]),
            losses.squared,
            constraints.L2Ball(1.0),
        ),
        "row_norm": 1.0,
        "noise_multiplier": 2.0,
        "regularization": 4.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "estimator": "plain",
        "runs": (2,),
    },
}

COMMON = {
    "least_squares_dp_ftrl": ftrl_case(
        least_squares_dp_ftrl,
        losses.squared,
        noise_multiplier=least_squares_dp_ftrl_noise_multiplier(
            0.7, 1e-6, steps=12, relation=Relation.REPLACE
        ),
        row_norm=1.0,
    ),
}
