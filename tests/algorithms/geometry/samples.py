"""Problems on polytopes that several test modules use."""

import numpy as np
from scipy import integrate, stats

from dpteach import (
    Problem,
    constraints,
    losses,
)

BALL = constraints.L1Ball(1.0)

TINY = Problem(
    np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]]),
    np.array([1.0, 1.0, 0.5]),
    losses.squared,
    BALL,
)


def lasso_problem(n, p, seed=0, radius=1.0):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (n, p))
    y = np.clip(0.6 * X[:, 0] - 0.4 * X[:, 1] + 0.1 * rng.normal(size=n), -1, 1)
    return Problem(X, y, losses.squared, constraints.L1Ball(radius))


def curvature(D, scale=1.0):
    """Γ of scale·‖Xθ − y‖²/… by brute force over corners and step sizes."""
    corners = np.concatenate([np.eye(D.p), -np.eye(D.p)]) * D.constraint.radius
    return max(
        2
        / g**2
        * scale
        * (D.risk(a + g * (b - a)) - D.risk(a) - g * (D.gradient(a) @ (b - a)))
        for a in corners
        for b in corners
        for g in (1e-3, 0.5, 1.0)
    )


def noisy_minimum_pmf(scores, noise, scale):
    """Compute P[argmin(score + noise)], by quadrature over the winner's noise."""
    kind = (
        stats.laplace(scale=scale)
        if noise == "laplace"
        else stats.gumbel_l(scale=scale)
    )
    grid = np.linspace(-60 * scale, 60 * scale, 48_001)
    out = []
    for i, score in enumerate(scores):
        rest = np.prod(
            [kind.sf(grid + score - s) for j, s in enumerate(scores) if j != i], axis=0
        )
        out.append(integrate.simpson(kind.pdf(grid) * rest, x=grid))
    return np.array(out)
