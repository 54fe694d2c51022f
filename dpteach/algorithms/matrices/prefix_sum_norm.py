r"""Beyond trees. The least error of all factorizations is a norm, γ₂(A)."""

from math import pi

import numpy as np

from ... import checks
from .factorization import Factorization, prefix_sum_lower_bound


def gamma_2_bounds(steps: int) -> tuple[float, float]:
    r"""Bound γ₂(A), the least largest error of all factorizations, from both sides.

    .. math:: \gamma_2(A) = \min_{BC = A}\ \max_t \|B_t\|\ \max_j \|Ce_j\|

    Parameters
    ----------
    steps : int
        :math:`T`, how many terms are added: a few million a second.

    Returns
    -------
    tuple of float
        :math:`\|A\|_*/T = \ln(T)/\pi + 0.702 + o(1)`, which bounds the mean error too,
        and :math:`\frac12 + \frac{1}{2T}\sum_{j\le T} 1/\sin\frac{(2j-1)\pi}{2T} =
        \ln(T)/\pi + 0.981 + o(1)`, the error of ``mathias_factorization``.

    Notes
    -----
    γ₂ is a norm: stack the decoders of two matrices side by side, and their encoders
    one above the other. So :math:`\gamma_2(A) \le \frac12\gamma_2(2A - J) +
    \frac12\gamma_2(J)`, with J all ones and :math:`\gamma_2(J) = 1`. What the constant
    beside ln(T)/π tends to is not known to us.

    References
    ----------
    * Mathias (1993), The Hadamard Operator Norm of a Circulant and Applications.

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
    r"""Factor A = (S + J)/2 by the polar decomposition of S, which is skew-circulant.

    Returns
    -------
    Factorization
        All columns of C, and all rows of B, have the same norm: the mean error is the
        largest one, and is the upper bound of ``gamma_2_bounds``.

    Notes
    -----
    S = 2A - J has the eigenvectors :math:`(\omega_j^t)_t/\sqrt T` with
    :math:`\omega_j^T = -1`, whose entries are equal in size. So both factors of
    :math:`S = (Q|S|^{1/2})\,|S|^{1/2}` have equal rows and columns.

    References
    ----------
    * Mathias (1993), The Hadamard Operator Norm of a Circulant and Applications.

    Examples
    --------
    >>> from dpteach.algorithms import square_root_factorization
    >>> [round(make(64).max_error, 3)
    ...  for make in (mathias_factorization, square_root_factorization)]
    [2.305, 2.389]
    """
    steps = checks.count(steps=steps)
    checks.fits(8 * steps**2, steps=steps)
    A, ones = np.tri(steps), np.ones((steps, 1))
    U, s, V = np.linalg.svd(2 * A - 1)
    root = (V.T * np.sqrt(s)) @ V  # |S|^{1/2}
    B = np.hstack([U @ V @ root, ones])
    C = np.vstack([root, ones.T])
    return Factorization(B / np.sqrt(2), C / np.sqrt(2))
