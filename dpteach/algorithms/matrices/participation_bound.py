"""Beyond trees. What no noise is below if records come again, for any T."""

from math import pi, sqrt

import numpy as np

from ... import checks
from .factorization import prefix_sum_lower_bound

MOST_OPTIMIZED = 128  # participations up to which correlations are optimized


def participation_lower_bound(
    steps: int, *, participations: int, separation: int
) -> float:
    r"""Bound the mean error of all factorizations if records take part k times.

    A record comes in steps o, o + d, o + 2d, …, each o ≤ d alike, and its vectors have
    the correlations K, so :math:`W = K \otimes I_d/d` in ``DualCertificate``. Split
    the steps of a pass into constant vectors and those of mean 0, on both sides of
    :math:`AW^{1/2}`: its nuclear norm is at least that of both parts. On the constants
    A acts as :math:`A_k - \frac{d-1}{2d}I` does, times d; on the others it is the
    pseudo-inverse of a cyclic difference.

    .. math:: \frac{1}{\sqrt k}\Bigl(\bigl\|(A_k - \tfrac{d-1}{2d}I)K^{1/2}\bigr\|_* +
        \frac{1}{d}\sum_{n<d}\frac{1}{2\sin(\pi n/d)}\,\mathrm{tr}\,K^{1/2}\Bigr)

    Parameters
    ----------
    participations : int
        :math:`k`, how often a record may take part, at most.
    separation : int
        :math:`d`, the least number of steps between two participations. The bound holds
        as well if they are always d apart, and dk = T.

    Returns
    -------
    float
        The largest of this for the best K that was found, if k is at most 128; of √k
        times the bound for one visit; and of a bound for skew-circulant K. Within 10%
        of the optimum for equal spacing, as far as that was computed.

    Examples
    --------
    >>> rules = {"participations": 16, "separation": 16}
    >>> round(participation_lower_bound(256, **rules), 2)  # the optimum is 13.30
    12.88
    """
    T = checks.count(steps=steps)
    k, d = checks.count(participations=participations, separation=separation)
    k = max(min(k, T // d), 1)
    d = T // k  # wider patterns are allowed too, and use more of the steps
    checks.fits(3 * T, steps=T)
    bounds = [sqrt(k) * prefix_sum_lower_bound(k * d), _skew_circulant(k, d)]
    if 1 < k <= MOST_OPTIMIZED:
        bounds.append(_optimized(k, d))
    return max(bounds) * sqrt(k * d / T) * (1 - 1e-9)  # more than rounding


def _skew_circulant(k: int, d: int) -> float:
    r"""Bound ‖A W^{1/2}‖_* by ⟨A W^{1/2}, Q⟩, with Q the polar factor of S = 2A − J.

    S and W are skew-circulant, so they commute; the best eigenvalues of K are the
    squares of sums of S's.
    """
    T = k * d
    sines = np.sin(pi * (2 * np.arange(T) + 1) / (2 * T))
    return (
        (T + 1)
        / (2 * T)
        / d
        * float(np.linalg.norm(np.sum(1 / sines.reshape(d, k), axis=0)))
    )


def _optimized(k: int, d: int) -> float:
    from scipy.optimize import minimize  # scipy here: importing stays fast

    n = np.arange(1, d)
    within = float(np.sum(0.5 / np.sin(pi * n / d))) / d
    between = np.tri(k) - (d - 1) / (2 * d) * np.eye(k)

    def negative_log(x: np.ndarray) -> tuple[float, np.ndarray]:
        v = x.reshape(k, k)
        lengths = np.linalg.norm(v, axis=1, keepdims=True)
        u = v / lengths  # K = u uᵀ
        a, s, b = np.linalg.svd(between @ u)
        p, t, q = np.linalg.svd(u)
        total = s.sum() + within * t.sum()
        by_u = between.T @ a @ b + within * p @ q
        by_v = (by_u - u * np.sum(by_u * u, axis=1, keepdims=True)) / lengths
        return -float(np.log(total)), -by_v.ravel() / total

    start = np.eye(k) + 0.05 * np.random.default_rng(0).standard_normal((k, k))
    best = minimize(
        negative_log,
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 200, "ftol": 1e-9},
    )
    return float(np.exp(-best.fun)) / sqrt(k)
