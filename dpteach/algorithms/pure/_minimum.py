"""The minimum of 𝓛(θ) + (Λ/2)‖θ‖² + ⟨b, θ⟩ over C, to a certified distance.

Every answer lies within γ/Λ of the exact minimum: without a constraint because the
gradient's norm is at most γ, with one because a projected gradient step moves by at
most γ over the smoothness. If γ cannot be reached, an error is raised; γ is never
enlarged.
"""

import numpy as np

from ...arrays import (
    Array,
    as_like,
    l2_norm,
    namespace,
    to_numpy,
)
from ...constraints import Everywhere
from ...problem import Problem

NEWTON_STEPS = 60
PROJECTED_STEPS = 200_000


def minimum(D: Problem, Lam: float, b: Array, gamma: float) -> Array:
    """Find the minimum for each tilt b, shape ``(*runs, p)``, within γ/Λ."""
    if not isinstance(D.constraint, Everywhere):
        return _projected(D, Lam, b, gamma)
    curved, theta = D.loss.curvature is not None, 0 * b
    # With many runs, or another array library, take Newton steps from the start.
    if not curved or (b.ndim == 1 and type(b) is np.ndarray):
        theta = _quasi_newton(D, Lam, b, gamma)
    theta, g = _newton(D, Lam, b, gamma, theta, steps=curved * NEWTON_STEPS)
    return _reached(theta, l2_norm(g), gamma)


def _reached(theta: Array, residual: Array, tolerance: float) -> Array:
    worst = float(namespace(theta).max(residual))
    if not worst <= tolerance:
        raise ValueError(
            f"`tolerance`={tolerance!r} was not reached: the residual is {worst:.3g}. "
            "Nothing is released. Fix a larger tolerance or regularization in advance, "
            "never after looking at the data; or use float64."
        )
    return theta


def _value_and_gradient(D: Problem, Lam: float, b: Array, theta: Array) -> tuple:
    # One product with X is enough for both.
    xp = namespace(theta)
    scores = D.scores(theta)
    value = xp.sum(D.loss.value(scores, D.y), axis=-1)
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
    xp, X = namespace(b), D.X
    ridge = Lam * xp.eye(D.p, dtype=b.dtype, device=b.device)
    value, g = _value_and_gradient(D, Lam, b, theta)
    for _ in range(steps):
        if float(xp.max(l2_norm(g))) <= gamma:
            break
        h = D.loss.curvature(theta @ X.T, D.y)  # pyright: ignore[reportOptionalCall]
        H = (X.T * h[..., None, :]) @ X + ridge
        step = xp.linalg.solve(H, g[..., None])[..., 0]
        theta, value, g = _damped(D, Lam, b, theta, step, value, g)
    return theta, g


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


def _projected(D: Problem, Lam: float, b: Array, gamma: float) -> Array:
    """Take accelerated projected gradient steps, for any constraint set."""
    xp, C, X = namespace(b), D.constraint, D.X
    gram = X.T @ X if X.shape[1] <= X.shape[0] else X @ X.T
    top = float(xp.linalg.eigvalsh(gram)[-1]) if X.shape[0] else 0.0
    beta = Lam + D.loss.smoothness * top * (1 + 1e-6)
    momentum = (beta**0.5 - Lam**0.5) / (beta**0.5 + Lam**0.5)
    theta = point = C.project(0 * b)
    for _ in range(PROJECTED_STEPS):
        _, g = _value_and_gradient(D, Lam, b, point)
        new = C.project(point - g / beta)
        moved = beta * l2_norm(new - point)
        if float(xp.max(moved)) <= gamma:
            return new
        theta, point = new, new + momentum * (new - theta)
    return _reached(theta, moved, gamma)
