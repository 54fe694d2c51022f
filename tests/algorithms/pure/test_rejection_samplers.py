"""Exact samplers by rejection, and on a ball."""

from math import sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.pure.exponential import (
    exponential_mechanism,
)
from dpteach.algorithms.pure.rejection_samplers import LinearOnBall, Rejection
from tests.algorithms.pure.medians import INTERVAL


@pytest.mark.claim(
    "07-exponential-mechanism",
    "On a ball, linear losses have the risks of the exact distribution.",
    order=9,
)
def test_ball_sampler_reaches_the_published_risks():
    """Mean of 40,000 draws against c · E excess; z below 5.2 is a 1e-6 band twice."""
    wanted = {
        (2, 10.0): 1.458147,
        (10, 40.0): 5.183901,
        (50, 200.0): 23.936430,
        (50, 20.0): 13.176346,
    }
    for (p, kappa), value in wanted.items():
        X = np.zeros((1, p))
        X[0, -1] = 1.0
        D = Problem(X, np.ones(1), losses.linear, constraints.L2Ball(1.0))
        rng = np.random.default_rng(p)
        theta = LinearOnBall().sample(D, kappa, rng, (40_000,))
        assert np.max(np.linalg.norm(theta, axis=1)) <= 1 + 1e-12
        excess = kappa * (D.risk(theta) + 1)
        error = excess.std() / sqrt(len(excess))
        assert abs(excess.mean() - value) < 5.2 * error
        assert value <= p
        assert abs(excess.mean() - 2 * value) > 20 * error  # power


def test_ball_sampler_distribution_across_and_along():
    """KS at 1e-6 of u = ⟨θ, S⟩/‖S‖ and of one coordinate across, by quadrature."""
    p, kappa, R = 5, 6.0, 2.0
    X = np.array([[0.6, 0.8, 0, 0, 0]] * 4)  # ‖S‖ = 4
    D = Problem(X, np.ones(4), losses.linear, constraints.L2Ball(R))
    c = kappa / (4 * R)
    theta = LinearOnBall().sample(D, c, np.random.default_rng(2), (20_000,)) / R
    grid = np.linspace(-1, 1, 4001)
    along = np.exp(kappa * (grid - 1)) * (1 - grid**2) ** ((p - 1) / 2)
    cdf = integrate.cumulative_trapezoid(along, grid, initial=0)
    cdf /= cdf[-1]
    assert stats.kstest(theta @ X[0], lambda t: np.interp(t, grid, cdf)).pvalue > 1e-6
    # across: given u, uniform in a (p−1)-ball of radius √(1 − u²)
    u = theta @ X[0]
    share = theta[:, 4] / np.sqrt(1 - u**2)
    disk = stats.beta(p / 2, p / 2, loc=-1, scale=2)  # a coordinate of the (p−1)-ball
    assert stats.kstest(share, disk.cdf).pvalue > 1e-6
    assert stats.kstest(share, stats.uniform(-1, 2).cdf).pvalue < 1e-6


def test_ball_sampler_without_data_is_uniform():
    D = Problem(np.zeros((0, 3)), np.zeros(0), losses.linear, constraints.L2Ball(1.0))
    theta = LinearOnBall().sample(D, 1.0, np.random.default_rng(0), (20_000,))
    radii = np.linalg.norm(theta, axis=1)
    assert stats.kstest(radii, lambda r: np.clip(r, 0, 1) ** 3).pvalue > 1e-6


@pytest.mark.claim(
    "07-exponential-mechanism",
    "Draws by rejection follow the density.",
    order=10,
)
def test_rejection_draws_follow_the_density():
    """Cell counts of 20,000 draws on a fine grid of the square: χ² at 1e-6."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(12, 2))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    D = Problem(X, rng.choice([-1.0, 1.0], 12), losses.logistic, INTERVAL)
    out = exponential_mechanism(
        D, epsilon=4.0, lipschitz=1.0, sampler=Rejection(), rng=3, runs=(20_000,)
    )
    c = 4.0 / (2 * sqrt(2))
    axis = np.linspace(-1, 1, 401)
    axis = (axis[1:] + axis[:-1]) / 2
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), -1).reshape(-1, 2)
    mass = np.exp(-c * (D.risk(points) - D.risk(points).min()))
    cells = (points + 1) // 0.5
    wanted = np.bincount((4 * cells[:, 0] + cells[:, 1]).astype(int), mass)
    seen = (out.theta + 1) // 0.5
    seen = np.bincount((4 * seen[:, 0] + seen[:, 1]).astype(int), minlength=16)
    wanted *= seen.sum() / wanted.sum()
    assert stats.chisquare(seen, wanted).pvalue > 1e-6
    assert stats.chisquare(seen).pvalue < 1e-6  # a uniform draw would be seen
    grid_low = D.risk(points).min()
    low = Rejection().lower_bound(D) + D.risk(np.zeros(2))
    assert low <= grid_low
    assert low >= grid_low - 1e-3


def test_ball_sampler_refuses_other_losses():
    D = Problem(np.eye(3), np.ones(3), losses.logistic, constraints.L2Ball(2.0))
    with pytest.raises(ValueError, match="linear loss on an L2Ball"):
        LinearOnBall().sample(D, 1.0, np.random.default_rng(0), (2,))


def test_rejection_on_a_ball_follows_the_density():
    """KS at 1e-6 with 20,000 draws: one record along an axis tilts that axis alone."""
    X, R, c = np.array([[1.0, 0.0, 0.0]]), 2.0, 1.5
    D = Problem(X, np.ones(1), losses.logistic, constraints.L2Ball(R))
    theta = Rejection().sample(D, c, np.random.default_rng(5), (20_000,))
    u = np.linspace(-R, R, 4001)  # a slice of the ball has the area π(R² − u²)
    mass = integrate.cumulative_simpson((R**2 - u**2) * (1 + np.exp(-u)) ** -c, x=u,
                                        initial=0.0)  # fmt: skip
    along = stats.kstest(theta[:, 0], lambda t: np.interp(t, u, mass / mass[-1]))
    assert along.pvalue > 1e-6
    # given that, uniform on a disk
    across = theta[:, 1:] / np.sqrt(R**2 - theta[:, :1] ** 2)
    area = np.sum(across**2, axis=1)
    angle = np.arctan2(across[:, 0], across[:, 1])
    assert stats.kstest(area, "uniform").pvalue > 1e-6
    assert stats.kstest((angle / np.pi + 1) / 2, "uniform").pvalue > 1e-6
    # power: without the record
    even = stats.kstest(theta[:, 0], lambda t: (3 * t / R - (t / R) ** 3 + 2) / 4)
    assert even.pvalue < 1e-6


def test_rejection_without_data_is_uniform():
    D = Problem(np.zeros((0, 3)), np.zeros(0), losses.logistic, constraints.L2Ball(2.0))
    assert Rejection().lower_bound(D) == 0
    theta = Rejection().sample(D, 1.0, np.random.default_rng(6), (5000,))
    radii = np.linalg.norm(theta, axis=1)
    assert stats.kstest(radii, lambda r: np.clip(r / 2, 0, 1) ** 3).pvalue > 1e-6


def test_rejection_on_a_ball_stays_there():
    D = Problem(np.eye(3), np.ones(3), losses.logistic, constraints.L2Ball(2.0))
    theta = Rejection().sample(D, 0.5, np.random.default_rng(0), (50, 4))
    assert theta.shape == (50, 4, 3)
    assert np.max(np.linalg.norm(theta, axis=-1)) <= 2


BAD_INPUT = {
    LinearOnBall: {},
    Rejection: {"steps": 5},
}
