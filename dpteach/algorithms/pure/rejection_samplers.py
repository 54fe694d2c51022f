"""Exact samplers by rejection: a linear loss on a ball, smooth losses on few axes.

They would be exact if uniforms and normals were real numbers. Floating-point numbers
are not, so these samplers are for teaching. Each refuses what it cannot draw exactly.
"""

from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from ... import checks
from ...arrays import Array, to_numpy
from ...constraints import Box, L2Ball
from ...problem import Problem
from ._risks import risks_above_center
from ._segments import released

BLOCK = 2**20  # losses evaluated at a time


@dataclass(frozen=True)
class LinearOnBall:
    """The linear loss on a ball, in any dimension: the lower bounds' hard instance.

    With S = Σ_i y_i x_i the density is ∝ exp(κ u), u along S. The ball in R^p is the
    projection of the sphere in R^{p+2}, so u is von Mises–Fisher distributed there,
    drawn by rejection from a transformed beta variable; the rest of θ is uniform.
    """

    def sample(
        self,
        problem: Problem,
        exponent: float,
        rng: np.random.Generator,
        runs: tuple[int, ...],
    ) -> Array:
        """Draw one model for each of ``runs``, shape ``(*runs, p)``."""
        C, p, size = problem.constraint, problem.p, prod(runs)
        if problem.loss.name != "linear" or not isinstance(C, L2Ball):
            raise ValueError(
                f"`problem` must have the linear loss on an L2Ball for LinearOnBall(), "
                f"got {problem.loss.name} on {C!r}. Use Grid(spacing) or Rejection()."
            )
        S = to_numpy(-problem.gradient(problem.zeros())).astype(float)
        length = float(np.linalg.norm(S))
        axis = S / length if length > 0 else np.eye(1, p)[0]
        v = _draw_versine(exponent * C.radius * length, p, rng, size)[:, None]
        across = rng.standard_normal((size, p))
        across = across - (across @ axis)[:, None] * axis
        extra = 2 * rng.standard_gamma(1.0, size)  # two more coordinates of the sphere
        norm = np.sqrt(np.sum(across**2, axis=1) + extra)[:, None]
        theta = (1 - v) * axis + np.sqrt(v * (2 - v)) * across / norm
        return released(C.radius * theta, problem, runs)


def _draw_versine(
    kappa: float, p: int, rng: np.random.Generator, size: int
) -> np.ndarray:
    """Draw v = 1 − u for u of density ∝ e^{κu}(1 − u²)^{(p−1)/2} on [−1, 1]."""
    m = p + 1.0
    b = m / (np.hypot(2 * kappa, m) + 2 * kappa)  # 1 at κ = 0, about m/(4κ) at large κ
    x0, wanted = (1 - b) / (1 + b), np.empty(0)
    top = kappa * x0 + m * np.log(4 * b / (1 + b) ** 2)
    while len(wanted) < size:
        g, h = rng.standard_gamma(m / 2, (2, size))
        v = 2 * b * g / (h + b * g)  # the proposal, in a form that keeps small v exact
        log_ratio = kappa * (1 - v) + m * np.log(2 * b / (1 + b) + x0 * v) - top
        wanted = np.concatenate([wanted, v[np.log(1 - rng.random(size)) <= log_ratio]])
    return wanted[:size]


@dataclass(frozen=True)
class Rejection:
    """Any smooth convex loss on a box or ball: propose uniformly, keep e^{−c(𝓛−𝓛₀)}.

    𝓛₀ is a certified lower bound of 𝓛 on C; a better one only saves time. Expect up to
    about (e n ε/p)^p proposals per draw, so use it in few dimensions only. The running
    time depends on the data, so do not publish it.

    Parameters
    ----------
    steps : int
        Gradient steps toward the minimum, for the lower bound.
    proposals : int
        How many proposals a draw takes on average, at most. What is missing then is
        drawn uniformly, which the event does not cover: where a proposal is kept with
        probability a, one draw needs more with probability (1 − a)^proposals.
    """

    steps: int = 300
    proposals: int = 10**7

    def __post_init__(self) -> None:
        """Check the steps and the proposals."""
        checks.fields(self, checks.count, "steps", "proposals")

    def lower_bound(self, problem: Problem) -> float:
        """Bound 𝓛 on C, less 𝓛 at its center: 𝓛(θ̂) + min over C of ⟨∇𝓛(θ̂), θ − θ̂⟩."""
        C, D = problem.constraint, problem
        if not np.isfinite(D.loss.smoothness) or not isinstance(C, Box | L2Ball):
            raise ValueError(
                f"`problem` must have a smooth loss and a Box or an L2Ball for "
                f"Rejection(), got {D.loss.name} on {C!r}. Use another sampler."
            )
        X = to_numpy(D.X).astype(float)
        beta = D.loss.smoothness * float(np.linalg.norm(X)) ** 2
        theta = C.project(D.zeros())
        for _ in range(self.steps if beta > 0 else 0):
            theta = C.project(theta - D.gradient(theta) / beta)
        g, at = (to_numpy(a).astype(float) for a in (D.gradient(theta), theta))
        if isinstance(C, Box):
            least = np.sum(np.minimum(g * C.low, g * C.high))
        else:
            least = -C.radius * np.linalg.norm(g)
        return float(risks_above_center(D, at)) + float(least - g @ at)

    def sample(
        self,
        problem: Problem,
        exponent: float,
        rng: np.random.Generator,
        runs: tuple[int, ...],
    ) -> Array:
        """Draw one model for each of ``runs``, shape ``(*runs, p)``."""
        floor, size, kept, count = self.lower_bound(problem), prod(runs), [], 0
        batch = max(1, min(4 * size + 64, BLOCK // max(1, problem.n)))
        for _ in range(ceil(self.proposals * size / batch)):
            points = _propose(problem, rng, batch)
            risk = risks_above_center(problem, points)
            accepted = np.log(1 - rng.random(batch)) <= -exponent * (risk - floor)
            kept.append(points[accepted])
            count += int(accepted.sum())
            if count >= size:
                break
        kept.append(_propose(problem, rng, max(0, size - count)))
        return released(np.concatenate(kept)[:size], problem, runs)


def _propose(problem: Problem, rng: np.random.Generator, batch: int) -> np.ndarray:
    """Draw uniformly from the box or ball C, shape ``(batch, p)``."""
    C, p = problem.constraint, problem.p
    if isinstance(C, Box):
        return C.low + (C.high - C.low) * rng.random((batch, p))
    assert isinstance(C, L2Ball)
    # The ball is the projection of the sphere with two more coordinates.
    sphere = rng.standard_normal((batch, p + 2))
    length = np.linalg.norm(sphere, axis=1, keepdims=True)
    return C.radius * (sphere / length)[:, :p]
