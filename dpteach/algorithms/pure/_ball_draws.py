"""Exact draws with density ∝ e^{−c𝒥} from small balls, 𝒥 = 𝓛 + (Λ/2)‖θ‖², within C."""

import numpy as np

from ...arrays import Array, as_like, l2_norm, to_numpy
from ...problem import Problem
from ._minimum import best_iterate
from ._risks import risk_differences
from ._segments import released

BLOCK = 2**20  # losses evaluated at a time
PROPOSALS = 10**7  # for each draw on average, at most


def _objective(D: Problem, Lam: float, points: np.ndarray) -> np.ndarray:
    """Compute 𝒥 at the points, less 𝒥(0)."""
    scores = D.scores(as_like(points, D.X))
    risk = to_numpy(risk_differences(D, scores, 0 * scores)).astype(float)
    return risk + Lam / 2 * np.sum(points**2, axis=-1)


def _floor(D: Problem, Lam: float, gamma: float) -> float:
    """Bound 𝒥 on C from below: its minimum is within (residual)/Λ of the solver's."""
    theta, residual = best_iterate(D, Lam, D.zeros(), gamma)
    slope = float(l2_norm(D.gradient(theta) + Lam * theta)[0])
    far = max(gamma, float(residual[0])) / Lam
    return float(_objective(D, Lam, to_numpy(theta))) - slope * far


def draw_in_balls(
    D: Problem,
    Lam: float,
    gamma: float,
    centers: Array,
    r: float,
    c: float,
    rng: np.random.Generator,
) -> Array:
    """Draw from each ball by rejection: keep a uniform point w.p. e^{−c(𝒥 − floor)}.

    After ``PROPOSALS`` the center of the ball, which is published, is the answer.
    """
    floor = _floor(D, Lam, gamma)
    flat = to_numpy(centers).reshape(-1, D.p).astype(float)
    theta, waiting = flat.copy(), np.arange(len(flat))
    most = max(1, BLOCK // max(1, D.n))
    left = PROPOSALS * len(flat)
    while len(waiting) and left > 0:
        now = waiting[:most]
        left -= len(now)
        points = flat[now] + _in_ball(rng, r, flat[now].shape)
        kept = np.log(1 - rng.random(len(now))) <= -c * (
            _objective(D, Lam, points) - floor
        )
        kept &= _inside(D, points)
        theta[now[kept]] = points[kept]
        waiting = np.concatenate([waiting[most:], now[~kept]])
    return released(theta, D, tuple(centers.shape[:-1]))


def _in_ball(rng: np.random.Generator, r: float, shape: tuple[int, ...]) -> np.ndarray:
    # uniform on the ball: a direction, and a length with density ∝ r^{p−1}
    direction = rng.standard_normal(shape)
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    return r * direction * rng.random((*shape[:-1], 1)) ** (1 / shape[-1])


def _inside(D: Problem, points: np.ndarray) -> np.ndarray:
    like = as_like(points, D.X)
    return to_numpy(l2_norm(D.constraint.project(like) - like)[..., 0]) == 0
