"""Exact samplers of the density ∝ exp(−c 𝓛(θ; D)) on C: on a line, and on a grid.

They would be exact if uniforms and normals were real numbers. Floating-point numbers
are not, so these samplers are for teaching. Each refuses what it cannot draw exactly.
"""

from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from ... import checks
from ...arrays import Array, as_like, to_numpy
from ...constraints import Box, L1Ball, L2Ball
from ...problem import Problem
from ._assumptions import bounded
from ._risks import risks_above_center
from ._segments import (
    draw_index,
    draw_on_segments,
    released,
    segment_masses,
)

BLOCK = 2**20  # losses evaluated at a time on a grid


def _interval(problem: Problem) -> tuple[float, float]:
    """Return the ends of C in one dimension."""
    C = problem.constraint
    if problem.p != 1 or not isinstance(C, Box | L2Ball | L1Ball):
        raise ValueError(
            f"`problem` must have one column and an interval as constraint set here, "
            f"got p={problem.p} and {C!r}. Use a grid, or rejection."
        )
    return (C.low, C.high) if isinstance(C, Box) else (-C.radius, C.radius)


@dataclass(frozen=True)
class Piecewise:
    """One dimension and a piecewise-linear loss: absolute, hinge or linear.

    Between adjacent kinks y_i/x_i the density is exponential, so the inverse of its
    distribution function has a closed form. It takes one sort, and then O(log n) per
    draw.
    """

    def segments(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Compute the edges of 𝓛's linear pieces, and 𝓛 there less 𝓛 at the first."""
        low, high = _interval(problem)
        loss = problem.loss
        if loss.name not in ("absolute", "hinge", "linear"):
            raise ValueError(
                f"`problem` must have an absolute, hinge or linear loss "
                f"for Piecewise(), got {loss.name}. Use Rejection() or Grid(spacing)."
            )
        x, y = (to_numpy(a).astype(float) for a in (problem.X[:, 0], problem.y))
        off = 1 + np.abs(y)  # far enough that rounding does not hide it
        with np.errstate(over="ignore"):  # of φ′ at its kink z = y
            jump = loss.slope(y + off, y) - loss.slope(y - off, y)
        bends = (x != 0) & (jump != 0)
        x, y, jump = x[bends], y[bends], jump[bends]
        with np.errstate(over="ignore"):  # what no float holds lies outside, too
            kinks = y / x
        inside = (kinks > low) & (kinks < high)
        order = np.argsort(kinks[inside])
        edges = np.concatenate([[low], kinks[inside][order], [high]])
        # Just to the right of the lower end there is no kink: this is the first slope.
        first = problem.gradient(as_like(np.array([edges[:2].mean()]), problem.X))[0]
        slopes = float(first) + np.concatenate(
            [[0.0], np.cumsum((np.abs(x) * jump)[inside][order])]
        )
        return edges, np.concatenate([[0.0], np.cumsum(slopes * np.diff(edges))])

    def log_density(
        self, problem: Problem, exponent: float, theta: np.ndarray
    ) -> np.ndarray:
        """Compute the log of the density at the points ``theta``, shape ``(...)``."""
        edges, heights = self.segments(problem)
        mass, _ = segment_masses(edges, heights, exponent)
        return -exponent * np.interp(theta, edges, heights) - np.logaddexp.reduce(mass)

    def sample(
        self,
        problem: Problem,
        exponent: float,
        rng: np.random.Generator,
        runs: tuple[int, ...],
    ) -> Array:
        """Draw one model for each of ``runs``, shape ``(*runs, 1)``."""
        edges, heights = self.segments(problem)
        draws = draw_on_segments(edges, heights, exponent, rng, prod(runs))
        return released(draws, problem, runs)


@dataclass(frozen=True)
class Grid:
    """A fixed grid of cell centers in a box or ball, at most three dimensions.

    The grid does not look at the data, so drawing one of its points is itself an
    exponential mechanism, with the same ε. The price is accuracy: about n L h √p/2,
    for cells of side h (measured on random convex losses, not proved).

    Parameters
    ----------
    spacing : float
        Side h of a cell, at most; cells fill the box (or the ball's box) exactly.
    """

    spacing: float

    def __post_init__(self) -> None:
        """Check the spacing."""
        checks.fields(self, checks.moderate, "spacing")

    def points(self, problem: Problem) -> np.ndarray:
        """List the grid's points, shape ``(G, p)``: they depend on C and h alone."""
        C, p = problem.constraint, problem.p
        bounded(problem)
        if p > 3 or not isinstance(C, Box | L2Ball):
            raise ValueError(
                f"`problem` must have at most 3 dimensions and a Box or an L2Ball for "
                f"Grid(spacing), got p={p} and {C!r}. A grid of side h has h⁻ᵖ points."
            )
        low, high = (C.low, C.high) if isinstance(C, Box) else (-C.radius, C.radius)
        cells = max(1, ceil((high - low) / self.spacing))
        axis = low + (high - low) * (np.arange(cells) + 0.5) / cells
        points = np.stack(np.meshgrid(*[axis] * p, indexing="ij"), -1).reshape(-1, p)
        if isinstance(C, L2Ball):
            points = points[np.linalg.norm(points, axis=1) <= C.radius]
        return points

    def log_probabilities(
        self, problem: Problem, exponent: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute the grid's points and the log of each one's probability."""
        points = self.points(problem)
        rows = max(1, BLOCK // max(1, problem.n))
        risk = np.concatenate(
            [
                risks_above_center(problem, points[i : i + rows])
                for i in range(0, len(points), rows)
            ]
        )
        score = -exponent * risk
        return points, score - np.logaddexp.reduce(score)

    def sample(
        self,
        problem: Problem,
        exponent: float,
        rng: np.random.Generator,
        runs: tuple[int, ...],
    ) -> Array:
        """Draw one point for each of ``runs``, shape ``(*runs, p)``."""
        points, score = self.log_probabilities(problem, exponent)
        return released(points[draw_index(score, rng, prod(runs))], problem, runs)
