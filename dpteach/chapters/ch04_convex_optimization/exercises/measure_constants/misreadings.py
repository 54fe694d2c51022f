"""Wrong numbers for L, β and m of logged points, and what they reveal."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Log = tuple[np.ndarray, np.ndarray, np.ndarray]  # points, values, gradients


class Pairs(NamedTuple):
    """All ordered pairs (u, v) of different logged points; row k is that of pair k."""

    d: np.ndarray  # v − u
    far: np.ndarray  # ‖v − u‖₂
    rise: np.ndarray  # f(v) − f(u)
    slope: np.ndarray  # ∇f(u)
    turn: np.ndarray  # ∇f(v) − ∇f(u)
    v: np.ndarray
    gap: np.ndarray  # f(v) − f(u) − ⟨∇f(u), v − u⟩
    later: np.ndarray  # whether v was logged after u
    near: np.ndarray  # whether v was logged right before or right after u
    again: bool  # whether a point was logged twice


def pairs(U: np.ndarray, f: np.ndarray, G: np.ndarray) -> Pairs:
    """Form all ordered pairs of different points."""
    differ = (U[:, None] != U).any(axis=2)
    i, j = np.nonzero(differ)
    d, rise = U[j] - U[i], f[j] - f[i]
    gap = rise - (G[i] * d).sum(axis=1)
    far = np.linalg.norm(d, axis=1)
    near, again = abs(j - i) == 1, bool((~differ).sum() > len(U))
    return Pairs(d, far, rise, G[i], G[j] - G[i], U[j], gap, j > i, near, again)


def _steep(of: Pairs) -> np.ndarray:
    return np.abs(of.rise) / of.far


def _bends(of: Pairs) -> np.ndarray:
    return 2 * of.gap / of.far**2


def reference(U: np.ndarray, f: np.ndarray, G: np.ndarray) -> np.ndarray:
    """Return the least L, the least β and the largest m that no pair refutes."""
    of = pairs(U, f, G)
    bends = _bends(of)
    return np.array([_steep(of).max(), bends.max(), bends.min()])


Formula = Callable[[Pairs], float]
_ONE_ORDER = (
    "Each pair is taken in one order only. From the other end the tangent is another "
    "one."
)
_NEIGHBORS = (
    "Only neighbors in the log are compared. The definition speaks of any two points."
)
_RISE = "No tangent is taken off: that is the rise of f, not its gap."
_AVERAGE = "That is an average over pairs. One pair is enough to refute a claim."
# Wrong numbers that many give for L, and what they reveal.
_SLOPES: tuple[tuple[Formula, str], ...] = (
    (
        lambda of: np.linalg.norm(of.slope, axis=1).max(),
        "That is the longest gradient. It is a bound on L as well, but the definition "
        "compares values.",
    ),
    (
        lambda of: (of.rise / of.far)[of.later].max(),
        "Falls are not seen, only rises. A fall is a slope, too.",
    ),
    (
        lambda of: (np.abs(of.rise) / of.far**2).max(),
        "The difference of values is divided by the squared distance. A slope is a "
        "height over a length.",
    ),
    (lambda of: _steep(of).mean(), _AVERAGE),
    (
        lambda of: _steep(of).min(),
        "That is the flattest pair. Does the claim hold for the others?",
    ),
    (lambda of: _steep(of)[of.near].max(), _NEIGHBORS),
    (
        lambda of: np.abs(of.rise).max(),
        "That is the largest difference of values, whatever the distance.",
    ),
    (
        lambda of: (np.abs(of.rise) / np.abs(of.d).sum(axis=1)).max(),
        "The distance is the sum of absolute differences, not the Euclidean one.",
    ),
    (
        lambda of: (np.abs(of.rise) / np.abs(of.d).max(axis=1)).max(),
        "The distance is the largest absolute difference, not the Euclidean one.",
    ),
)  # fmt: skip
# Wrong curvatures of all pairs, of which β is the largest and m the least.
_CURVATURES: tuple[tuple[Callable[[Pairs], np.ndarray], str], ...] = (
    (
        lambda of: of.gap / of.far**2,
        "Half of it: in the definition the constant is divided by 2.",
    ),
    (
        lambda of: of.gap / (2 * of.far**2),
        "A quarter of it: on which side does the 2 of the definition end up?",
    ),
    (
        lambda of: 2 * of.gap / of.far,
        "The gap is divided by the distance, not by its square.",
    ),
    (
        lambda of: -_bends(of),
        "The sign is turned around: in each pair the gradient is that of the other "
        "end. A tangent touches f where its gradient was taken.",
    ),
    (
        lambda of: np.abs(_bends(of)),
        "The sign of the gap is lost. Where f lies below its tangent, the gap is "
        "negative.",
    ),
    (lambda of: 2 * of.rise / of.far**2, _RISE),
    (lambda of: 2 * np.abs(of.rise) / of.far**2, _RISE),
    (
        lambda of: 2 * (of.rise - (of.slope * of.v).sum(axis=1)) / of.far**2,
        "The gradient is multiplied with a point. A tangent rises with the way from "
        "one point to the other.",
    ),
    (
        lambda of: 2 * (of.rise + (of.slope * of.d).sum(axis=1)) / of.far**2,
        "The tangent is added to the rise, not taken off.",
    ),
    (lambda of: _bends(of)[of.later], _ONE_ORDER),
    (lambda of: _bends(of)[~of.later], _ONE_ORDER),
    (lambda of: _bends(of)[of.near & of.later], _NEIGHBORS),
    (lambda of: _bends(of)[of.near], _NEIGHBORS),
    (
        lambda of: np.linalg.norm(of.turn, axis=1) / of.far,
        "That is how fast the gradient turns. For a convex function it bounds β as "
        "well, but the definition compares f with its tangent.",
    ),
    (
        lambda of: (of.turn * of.d).sum(axis=1) / of.far**2,
        "That is the mean of both orders of a pair: one of the two says more.",
    ),
)  # fmt: skip
_BETAS: tuple[tuple[Formula, str], ...] = (
    (
        lambda of: _bends(of).min(),
        "That is the pair with the least curvature; β has to reach all of them.",
    ),
    (lambda of: _bends(of).mean(), _AVERAGE),
    (
        lambda of: max(_bends(of).max(), 0.0),
        "Below 0 your answer stays at 0. The pairs say more than that.",
    ),
    *((lambda of, each=each: each(of).max(), told) for each, told in _CURVATURES),
)
_LEAST: tuple[tuple[Formula, str], ...] = (
    (
        lambda of: _bends(of).max(),
        "That is the pair with the largest curvature; m has to stay below all of them.",
    ),
    (lambda of: _bends(of).mean(), _AVERAGE),
    (
        lambda of: max(_bends(of).min(), 0.0),
        "Below 0 your answer stays at 0. The pairs say more than that f is not "
        "convex: they say by how much.",
    ),
    (
        lambda of: min(_bends(of).min(), 0.0),
        "Something keeps m at 0 or below, though no pair of different points does.",
    ),
    (
        lambda of: min(_bends(of).min(), 0.0 if of.again else np.inf),
        "Two equal points count as a pair without curvature. They prove nothing.",
    ),
    *((lambda of, each=each: each(of).min(), told) for each, told in _CURVATURES),
)
MISREAD = (_SLOPES, _BETAS, _LEAST)


def waves(U: np.ndarray, sign: int = 1) -> Log:
    """Log a function that is not convex."""
    f = np.cos(U).sum(axis=1) + 0.1 * (U**2).sum(axis=1) + U[:, 0]
    G = -np.sin(U) + 0.2 * U
    G[:, 0] += 1
    return U, sign * f, sign * G


_POINTS = np.array([[-0.9, -1.2], [0.3, 1.7], [-0.3, 0.5], [1.1, 1.4], [-1.8, 0.9]])
# On these two all the wrong numbers above differ.
PROBES = waves(_POINTS), waves(_POINTS[::-1], sign=-1)
