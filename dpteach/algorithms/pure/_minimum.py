"""The minimum of 𝓛(θ) + (Λ/2)‖θ‖² + ⟨b, θ⟩ over C, and how far from it one may be.

An answer lies within (its residual)/Λ of the exact minimum: without a constraint the
residual is the gradient's norm, with one it is how far a projected gradient step moves,
times the smoothness. The numbers of steps are public. What is best after them is the
answer, because an error would tell of the data.
"""

from math import inf

import numpy as np

from ...arrays import (
    Array,
    as_like,
    block_sum,
    l2_norm,
    namespace,
    to_numpy,
)
from ...constraints import Everywhere
from ...problem import Problem
from ._risks import in_double, risk_differences

NEWTON_STEPS = 60
PROJECTED_STEPS = 200_000


def minimum(D: Problem, Lam: float, b: Array, gamma: float) -> Array:
    """Find the minimum for each tilt b, shape ``(*runs, p)``, within γ/Λ, or raise.

    For figures and tests: whether it is reached depends on the data.
    """
    theta, residual = best_iterate(D, Lam, b, gamma)
    worst = float(namespace(theta).max(residual))
    if not worst <= gamma:
        raise ValueError(
            f"`tolerance`={gamma!r} was not reached: the residual is {worst:.3g}. "
            "Fix a larger tolerance or regularization in advance, never after looking "
            "at the data; or use float64."
        )
    return theta


def require_tolerance(gamma: float, lipschitz: float, tilt: float = 0.0) -> None:
    """Refuse a γ that rounding hides: a gradient has a size of up to L, b of its own.

    ``tilt`` is the usual length of b.
    """
    least = max(2.0**-40 * lipschitz, 2.0**-50 * tilt)
    if gamma < least:
        raise ValueError(
            f"`tolerance` must be at least {least:.3g} for gradients and noise of this "
            f"size, got {gamma!r}: rounding hides what is smaller. Give a larger one, "
            "from public numbers."
        )


def best_iterate(D: Problem, Lam: float, b: Array, gamma: float) -> tuple[Array, Array]:
    """Stop at a residual of γ, or at a public number of steps: best θ, its residual."""
    D = in_double(D)
    b = as_like(b, D.X)
    with np.errstate(all="ignore"):  # a warning would tell of a record
        if not isinstance(D.constraint, Everywhere):
            return _projected(D, Lam, b, gamma)
        curved, theta = D.loss.curvature is not None, 0 * b
        # With many runs, or another array library, take Newton steps from the start.
        if not curved or (b.ndim == 1 and type(b) is np.ndarray):
            theta = _quasi_newton(D, Lam, b, gamma)
        return _newton(D, Lam, b, gamma, theta, steps=curved * NEWTON_STEPS)


def _value_and_gradient(D: Problem, Lam: float, b: Array, theta: Array) -> tuple:
    # One product with X is enough for both.
    xp = namespace(theta)
    scores = D.scores(theta)
    value = risk_differences(D, scores, 0 * scores)
    value = value + xp.sum((Lam / 2 * theta + b) * theta, axis=-1)
    gradient = D.combine(D.loss.slope(scores, D.y)) + Lam * theta + b
    return value, gradient


def _quasi_newton(D: Problem, Lam: float, b: Array, gamma: float) -> Array:
    from scipy.optimize import minimize  # scipy here: importing stays fast

    def run(tilt: np.ndarray) -> np.ndarray:
        like = as_like(tilt, D.X)

        def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = _value_and_gradient(D, Lam, like, as_like(theta, D.X))
            return float(value), to_numpy(gradient).astype(float)

        # Each entry within γ/√p, so that the norm is within γ, with room for rounding.
        options = {"gtol": 0.99 * gamma / D.p**0.5, "ftol": 0.0, "maxiter": 5000}
        kind = {"jac": True, "method": "L-BFGS-B", "options": options | {"maxcor": 20}}
        return minimize(objective, np.zeros(D.p), **kind).x

    tilts = to_numpy(b).astype(float).reshape(-1, D.p)
    return as_like(np.stack([run(t) for t in tilts]).reshape(b.shape), b)


def _newton(
    D: Problem, Lam: float, b: Array, gamma: float, theta: Array, steps: int
) -> tuple:
    """Take damped Newton steps, many runs at once, until every gradient is within γ."""
    xp, X, squares = namespace(b), D.X, D.row_norms**2
    identity = xp.eye(D.p, dtype=b.dtype, device=b.device)
    value, g = _value_and_gradient(D, Lam, b, theta)
    best, residual = theta, l2_norm(g)
    for _ in range(steps):
        if float(xp.max(residual)) <= gamma:
            break
        h = D.loss.curvature(theta @ X.T, D.y)  # pyright: ignore[reportOptionalCall]
        # What rounding of H may hide is added, so that no H is singular.
        ridge = Lam + 2.0**-50 * xp.sum(h * squares, axis=-1)[..., None, None]
        H = _weighted_squares(X, h) + ridge * identity
        step = xp.linalg.solve(H, g[..., None])[..., 0]
        theta, value, g = _damped(D, Lam, b, theta, step, value, g)
        best, residual = _better(best, residual, theta, l2_norm(g))
    return best, residual


def _weighted_squares(X: Array, h: Array) -> Array:
    """Compute Σ_i h_i x_i x_iᵀ for each run, without a weighted copy of X."""
    return block_sum(lambda i: (X[i, :].T * h[..., None, i]) @ X[i, :], X.shape[0])


def _better(best: Array, least: Array, theta: Array, residual: Array) -> tuple:
    """Keep each run's iterate of the least residual; NaN is not less."""
    xp = namespace(theta)
    less = residual < least
    return xp.where(less, theta, best), xp.where(less, residual, least)


def _damped(
    D: Problem, Lam: float, b: Array, theta: Array, step: Array, value: Array, g: Array
) -> tuple:
    # Halve a run's step until its objective falls enough, or its gradient does: next to
    # the minimum rounding hides differences of the objective, but not of the gradient.
    xp = namespace(theta)
    slope, scale = xp.sum(step * g, axis=-1), 1 + 0 * value
    for _ in range(40):
        new = theta - scale[..., None] * step
        lower, push = _value_and_gradient(D, Lam, b, new)
        good = (lower <= value - 0.25 * scale * slope) | (
            l2_norm(push)[..., 0] <= 0.5 * l2_norm(g)[..., 0]
        )
        if bool(xp.all(good)):
            break
        scale = xp.where(good, scale, scale / 2)
    return new, lower, push


def _projected(D: Problem, Lam: float, b: Array, gamma: float) -> tuple:
    """Take accelerated projected gradient steps, for any constraint set."""
    xp, C, X = namespace(b), D.constraint, D.X
    gram = X.T @ X if X.shape[1] <= X.shape[0] else X @ X.T
    top = float(xp.linalg.eigvalsh(gram)[-1]) if X.shape[0] else 0.0
    beta = Lam + D.loss.smoothness * top * (1 + 1e-6)
    momentum = (beta**0.5 - Lam**0.5) / (beta**0.5 + Lam**0.5)
    theta = point = best = C.project(0 * b)
    residual = xp.full((*b.shape[:-1], 1), inf, dtype=b.dtype, device=b.device)
    for _ in range(PROJECTED_STEPS):
        new = C.project(point - (D.gradient(point) + Lam * point + b) / beta)
        best, residual = _better(best, residual, new, beta * l2_norm(new - point))
        if float(xp.max(residual)) <= gamma:
            break
        theta, point = new, new + momentum * (new - theta)
    return best, residual
