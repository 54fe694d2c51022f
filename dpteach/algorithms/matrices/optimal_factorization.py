"""Beyond trees. The least error of all factorizations: with a proof, and for any T."""

from math import pi

import numpy as np

from ... import checks
from ._matrices import decoder_of
from .factorization import Factorization, prefix_sum_lower_bound

_ROUNDS = 1000


def optimal_factorization(
    steps: int, *, objective: str = "mean", tolerance: float = 1e-5
) -> tuple[Factorization, float]:
    r"""Minimize the error over all factorizations, to within certified bounds.

    For probability vectors p and q,
    :math:`\|\mathrm{diag}(\sqrt p)\,A\, \mathrm{diag}(\sqrt q)\|_*` is a lower bound on
    the error of every factorization, and its singular vectors give a factorization,
    whose error is an upper bound. At the best p and q the two agree. For the mean error
    p is uniform: the dual of Denisov and others (2022). A⁻¹ is bidiagonal, so a round
    is one tridiagonal eigenproblem.

    Parameters
    ----------
    objective : {"mean", "max"}, optional
        Which error to minimize: the root of the mean variance, or the largest.
    tolerance : float, optional
        Stop when upper and lower bound are within this relative distance.

    Returns
    -------
    tuple of Factorization and float
        The factorization, with a lower-triangular encoder, and the lower bound.

    Raises
    ------
    RuntimeError
        If 1000 rounds do not bring the bounds together; fewer than 100 always did.

    Examples
    --------
    >>> best, bound = optimal_factorization(64)
    >>> round(best.mean_error, 4), best.mean_error / bound < 1 + 1e-5
    (2.0999, True)
    """
    steps = checks.count(steps=steps)
    checks.fits(6 * steps**2, steps=steps)
    checks.one_of(("mean", "max"), objective=objective)
    tolerance = checks.moderate(tolerance=tolerance)
    p = q = np.full(steps, 1 / steps)
    bound = 0.0
    for _ in range(_ROUNDS):
        s, V, rows, columns = _singular(p, q)
        bound = max(bound, float(s.sum()))
        squares = rows.mean() if objective == "mean" else rows.max()
        if np.sqrt(columns.max() * squares) <= (1 + tolerance) * bound:
            return _factorization(q, s, V), bound
        # The fixed point has equal columns (and rows). Squaring the correction halves
        # the rounds; a higher power overshoots.
        q = q * columns**2 / np.sum(q * columns**2)
        if objective == "max":
            p = p * rows**2 / np.sum(p * rows**2)
    raise RuntimeError(
        f"`tolerance`={tolerance} was not reached in {_ROUNDS} rounds, got to "
        f"{np.sqrt(columns.max() * squares) / bound - 1:.1e}. Ask for less."
    )


def _singular(p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, ...]:
    """Decompose M = diag(√p) A diag(√q) = U diag(s) Vᵀ.

    Returns s, V, and the squared norms of the rows of B = diag(p)^{−1/2} U diag(√s) and
    of the columns of C = diag(√s) Vᵀ diag(q)^{−1/2}.
    """
    from scipy.linalg import eigh_tridiagonal  # scipy here: importing stays fast

    # (MᵀM)⁻¹ = diag(q)^{−1/2} A⁻¹ diag(1/p) A⁻ᵀ diag(q)^{−1/2} is tridiagonal
    diagonal = 1 / p
    diagonal[1:] += 1 / p[:-1]
    beside = -1 / (p * np.sqrt(q))[:-1] / np.sqrt(q)[1:]
    inverse_squares, V = eigh_tridiagonal(diagonal / q, beside)
    s = 1 / np.sqrt(inverse_squares)
    MV = np.sqrt(p)[:, None] * np.cumsum(np.sqrt(q)[:, None] * V, axis=0)
    return s, V, (MV**2 @ (1 / s)) / p, (V**2 @ s) / q


def _factorization(q: np.ndarray, s: np.ndarray, V: np.ndarray) -> Factorization:
    C = np.sqrt(s)[:, None] * V.T / np.sqrt(q)
    # Rotate C to a lower triangle: QR from the last column back. BB^T stays, and step t
    # then needs no later noise.
    R = np.linalg.qr(C[:, ::-1])[1][::-1, ::-1]
    lower = np.tril(R * np.sign(np.diag(R))[:, None])
    return Factorization(decoder_of(lower), lower)


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

    J is all ones. Source: Mathias (1993).

    Returns
    -------
    Factorization
        All columns of C have the same norm, and so have all rows of B: every sum has
        the same error.

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
