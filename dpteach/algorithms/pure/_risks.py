"""Risks as differences, so that no record's label hides what the others say.

A label of 1e100 makes a loss of 1e100 or more, of which a float keeps 16 digits: the
losses of all other records would vanish beside it, although its gradients are bounded.
"""

from dataclasses import replace

import numpy as np

from ...arrays import Array, as_like, l2_norm, namespace, to_numpy
from ...constraints import Box
from ...problem import Problem
from ._assumptions import steepest_slopes


def in_double(problem: Problem) -> Problem:
    """Give the same problem in 64 bits, where its library has them."""
    xp = namespace(problem.X)
    if problem.X.dtype == xp.float64:
        return problem
    return replace(problem, X=xp.astype(problem.X, xp.float64))


def risk_differences(D: Problem, scores: Array, at: Array) -> Array:
    """Compute Σ_i φ(z_i, y_i) − φ(a_i, y_i) for scores z and a, shape ``(...)``.

    By its slopes no term exceeds max|φ′| · |z_i − a_i| in size, nor may rounding.
    """
    xp, phi = namespace(scores), D.loss.value
    with np.errstate(all="ignore"):  # a warning would tell of a record
        gap = scores - at
        far = xp.abs(gap) if D.loss.classes is None else l2_norm(gap)[..., 0]
        most = xp.where(far > 0, steepest_slopes(D) * far, far)
        terms = phi(scores, D.y) - phi(at, D.y)
        terms = xp.where(xp.isfinite(terms), terms, 0 * most)
        return xp.sum(xp.minimum(xp.maximum(terms, -most), most), axis=-1)


def risks_above_center(D: Problem, points: np.ndarray) -> np.ndarray:
    """Compute 𝓛 at the points less 𝓛 at the center of C, a box or a ball around 0."""
    C = D.constraint
    center = (C.low + C.high) / 2 if isinstance(C, Box) else 0.0
    at = D.scores(as_like(np.full(D.p, center), D.X))
    risks = risk_differences(D, D.scores(as_like(points, D.X)), at)
    return to_numpy(risks).astype(float)
