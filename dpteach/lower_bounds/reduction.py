"""Section 6.5.1. The reduction: the minimum of a linear risk reveals the mean."""

import numpy as np

from .. import checks, losses
from ..arrays import Array, namespace
from ..constraints import L2Ball
from ..problem import Problem
from .packing import packing_copies


def hard_problem(X: Array) -> Problem:
    r"""Make the hard instance: 𝓛(θ) = −⟨θ, Σ_i d_i⟩ on the unit ball. [Section 6.5.1]

    Parameters
    ----------
    X : Array
        Shape ``(n, p)``: the records, such as ``packing_data`` gives.

    Returns
    -------
    Problem
        With L = 1 if rows have norm 1, and ‖C‖₂ = 2. ``LinearOnBall()`` draws exactly
        from its exponential mechanism.

    Raises
    ------
    ValueError, TypeError
        If X is not a finite array of two axes.

    Examples
    --------
    >>> import numpy as np
    >>> D = hard_problem(np.eye(2))
    >>> float(D.risk(np.array([1.0, 0.0])))
    -1.0
    """
    checks.finite_array(ndim=2, X=X)
    ones = namespace(X).ones((X.shape[0],), dtype=X.dtype, device=X.device)
    return Problem(X, ones, losses.linear, L2Ball(1.0))


def excess_from_distance(distance: float, *, planted: float) -> float:
    r"""Bound the excess risk of a model by its distance from the best. [Theorem 6.26]

    .. math:: \mathcal L(\theta) - \mathcal L(\theta^*)
              \ge \tfrac12\,\|\textstyle\sum_i d_i\|_2\,\|\theta - \theta^*\|_2^2

    Parameters
    ----------
    distance : float
        :math:`\|\theta - \theta^*\|_2`.
    planted : float
        :math:`\|\sum_i d_i\|_2`, the M of the source, to within 1.

    Returns
    -------
    float
        A lower bound on the excess risk, a sum over records.

    Examples
    --------
    >>> excess_from_distance(0.5, planted=8.0)
    1.0
    """
    distance, planted = checks.nonnegative(distance=distance, planted=planted)
    return planted * distance * distance / 2


def mean_from_model(theta: np.ndarray, *, planted: float, n: int) -> np.ndarray:
    r"""Rescale a model into an estimate of the mean, (M/n)θ. [Theorem 6.26]

    Parameters
    ----------
    theta : ndarray
        Models, one per row, shape ``(k, p)``. They are rescaled, not normalized.
    planted : float
        M, public, within 1 of :math:`\|\sum_i d_i\|_2`.

    Returns
    -------
    ndarray
        Estimates, at most :math:`(M/n)\|\theta - \theta^*\|_2 + 1/n` from the mean.

    Examples
    --------
    >>> import numpy as np
    >>> mean_from_model(np.array([[0.6, 0.8]]), planted=5.0, n=10)
    array([[0.3, 0.4]])
    """
    checks.finite_array(ndim=2, theta=theta)
    planted = checks.between(0, 1e100, planted=planted)
    n = checks.count(n=n)
    return planted / n * theta


def packing_excess_lower_bound(epsilon: float, *, n: int, p: int) -> float:
    r"""Bound from below the excess risk of every ε-DP algorithm. [Theorem 6.26]

    For each ε-DP algorithm with outputs in the unit ball there is a data set in
    :math:`\{\pm 1/\sqrt p\}^p` on which the excess of the linear risk is at least m/8
    with probability at least 1/2.

    Parameters
    ----------
    n, p : int
        How many records there are, and how many entries each has.

    Returns
    -------
    float
        m/8, see ``packing_copies``; half of it bounds the expected excess.

    Notes
    -----
    Source: Theorem 6.26 has Ω(min(n, p/ε)). The planted data sets sum to exactly m
    times a word, so θ* is the word; words lie 1 apart, so with probability 1/2 the
    model is at least 1/2 from its own word, and the excess is at least ½·m·¼.

    References
    ----------
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> packing_excess_lower_bound(0.1, n=1000, p=50)
    7.25
    """
    return excess_from_distance(0.5, planted=float(packing_copies(epsilon, n=n, p=p)))
