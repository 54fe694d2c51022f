r"""Beyond trees. The least error of all factorizations is a norm, γ₂(A)."""

from math import pi

import numpy as np

from ... import checks
from .factorization import Factorization, prefix_sum_lower_bound


def gamma_2_bounds(steps: int) -> tuple[float, float]:
    r"""Bound γ₂(A), the least largest error of all factorizations, from both sides.

    .. math:: \gamma_2(A) = \min_{BC = A}\ \max_t \|B_t\|\ \max_j \|Ce_j\|

    Returns
    -------
    tuple of float
        ‖A‖_*/T = ln(T)/π + 0.702 + o(1), which bounds the mean error too; and the error
        of ``mathias_factorization``, ln(T)/π + 0.981 + o(1).

    Examples
    --------
    >>> [round(bound, 4) for bound in gamma_2_bounds(1024)]  # the optimum is 2.9615
    [2.9096, 3.1876]
    """
    steps = checks.count(steps=steps)
    lower = prefix_sum_lower_bound(steps)
    angles = (2 * np.arange(1, steps + 1) - 1) * (pi / (2 * steps))
    return lower, 0.5 + float(np.sum(0.5 / np.sin(angles))) / steps


def mathias_factorization(steps: int) -> Factorization:
    """Factor A = (S + J)/2 by the polar decomposition of S, which is skew-circulant.

    J is all ones. Source: Mathias (1993), The Hadamard Operator Norm of a Circulant and
    Applications.

    Returns
    -------
    Factorization
        All columns of C have the same norm, and so have all rows of B: the mean error
        is the largest one.

    Examples
    --------
    >>> round(mathias_factorization(64).max_error, 3)  # the square root's is 2.389
    2.305
    """
    steps = checks.count(steps=steps)
    checks.fits(8 * steps**2, steps=steps)
    A, ones = np.tri(steps), np.ones((steps, 1))
    U, s, V = np.linalg.svd(2 * A - 1)
    root = (V.T * np.sqrt(s)) @ V  # |S|^{1/2}
    B = np.hstack([U @ V @ root, ones])
    C = np.vstack([root, ones.T])
    return Factorization(B / np.sqrt(2), C / np.sqrt(2))
