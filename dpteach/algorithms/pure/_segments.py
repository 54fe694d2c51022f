"""Draws of indices, and from piecewise exponential densities on the line."""

from collections.abc import Callable

import numpy as np

from ...arrays import Array, as_like
from ...problem import Problem

PROPOSALS = 100  # on an interval; a smooth F takes about five


def segment_masses(
    edges: np.ndarray, heights: np.ndarray, exponent: float
) -> tuple[np.ndarray, np.ndarray]:
    """Compute ln ∫ exp(−c F) over each segment of a piecewise-linear F, and c|ΔF|."""
    tilt = exponent * np.abs(np.diff(heights))
    low = exponent * np.minimum(heights[1:], heights[:-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        # (1 − e^{−t})/t, which is 1 at t = 0; a segment of no width has no mass
        spread = np.where(tilt > 0, -np.expm1(-tilt) / tilt, 1.0)
        return -low + np.log(np.diff(edges)) + np.log(spread), tilt


def draw_on_segments(
    edges: np.ndarray,
    heights: np.ndarray,
    exponent: float,
    rng: np.random.Generator,
    size: int,
) -> np.ndarray:
    """Draw from the density ∝ exp(−c F), F piecewise linear: a segment, a point."""
    mass, tilt = segment_masses(edges, heights, exponent)
    k = draw_index(mass, rng, size)
    u, t, a, b = rng.random(size), tilt[k], edges[k], edges[k + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        # how far from the segment's lower end, as a share of its width
        share = np.where(t > 0, -np.log1p(u * np.expm1(-t)) / t, u)
    rising = heights[k + 1] >= heights[k]
    return np.where(rising, a + share * (b - a), b - share * (b - a))


def draw_index(
    log_weights: np.ndarray, rng: np.random.Generator, size: int
) -> np.ndarray:
    """Draw ``size`` indices with probability ∝ exp(log_weights): one uniform each."""
    total = np.cumsum(np.exp(log_weights - np.max(log_weights)))
    index = np.searchsorted(total, rng.random(size) * total[-1], side="right")
    return np.minimum(index, len(total) - 1)


def draw_log_concave(
    tangents: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    low: float,
    high: float,
    exponent: float,
    rng: np.random.Generator,
) -> float | None:
    """Draw exactly from the density ∝ exp(−c F) on an interval, F convex.

    ``tangents`` maps points to F and a subgradient there. The largest of the tangents
    lies below F everywhere, so its exp(−c ·) is an envelope that is easy to draw from.
    Rounding may hide F; no draw after ``PROPOSALS`` is None.
    """
    at = np.linspace(low, high, 5)
    value, slope = tangents(at)
    for _ in range(PROPOSALS):
        bend = np.diff(slope)
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = (np.diff(slope * at) - np.diff(value)) / bend
        cross = np.where(bend > 0, cross, (at[1:] + at[:-1]) / 2)
        cross = np.clip(cross, at[:-1], at[1:])
        edges = np.concatenate([[low], cross, [high]])
        hull = value[:-1] + slope[:-1] * (cross - at[:-1])
        heights = np.concatenate([value[:1], hull, value[-1:]])
        s = draw_on_segments(edges, heights, exponent, rng, 1)
        f, g = tangents(s)
        excess = exponent * (f - np.interp(s, edges, heights))[0]
        if np.log(1 - rng.random()) <= -excess:
            return float(s[0])
        order = np.argsort(at := np.append(at, s), kind="stable")
        at, value, slope = (
            at[order],
            np.append(value, f)[order],
            np.append(slope, g)[order],
        )
    return None


def released(points: np.ndarray, problem: Problem, runs: tuple[int, ...]) -> Array:
    """Convert drawn points to the shape of ``runs`` and the library of X."""
    return as_like(points.reshape(*runs, problem.p), problem.X)
