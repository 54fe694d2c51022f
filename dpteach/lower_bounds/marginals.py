"""Section 6.5.1. How well an (ε, δ)-private algorithm can know the mean of its data."""

from math import ceil, exp, sinh, sqrt

import numpy as np

from .. import checks


def membership_leak(epsilon: float, delta: float) -> tuple[float, float]:
    r"""Bound how well a score separates records from strangers. [Theorem 6.25, part 2]

    If a stranger's score has mean 0, mean size s and no score exceeds B in size, then
    a record's score has a mean of at most :math:`\sinh(\varepsilon)\,s + B\delta'` with
    :math:`\delta' = (1 + e^{-\varepsilon})\,\delta`.

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced; δ may
        be 0.

    Returns
    -------
    tuple of float
        :math:`\sinh\varepsilon` and :math:`\delta'`.

    Notes
    -----
    Source: not in the chapter. The positive part of a record's score is at most
    :math:`e^\varepsilon` times a stranger's, plus :math:`B\delta`; the negative part is
    at least :math:`e^{-\varepsilon}` times a stranger's, minus :math:`B\delta`; and the
    two parts of a stranger's score are equal on average.

    Examples
    --------
    >>> slope, rest = membership_leak(0.1, 1e-6)
    >>> round(slope, 4), round(1e6 * rest, 3)
    (0.1002, 1.905)
    """
    epsilon = checks.moderate(epsilon=epsilon)
    delta = checks.below_one(delta=delta)
    return sinh(min(epsilon, 300.0)), (1 + exp(-epsilon)) * delta


def _informative(n: int, p: int, slope: float) -> np.ndarray:
    """List how many of n records may be informative, if the others cancel in pairs."""
    # From here on both bounds are 0, because 3s·sinh(ε)/2 exceeds √p.
    useful = ceil(min(float(n), 2 * sqrt(p) / slope)) + 2
    checks.fits(10 * min(n, useful), n=n)
    return np.arange(n % 2 or 2, min(n, useful) + 1, 2, dtype=float)


def marginals_lower_bound(epsilon: float, delta: float, *, n: int, p: int) -> float:
    r"""Bound from below the error of every (ε, δ)-DP mean. [Theorem 6.25, part 2]

    For each (ε, δ)-DP algorithm there is a data set in :math:`\{\pm 1/\sqrt p\}^p` on
    which, with probability at least 1/3, :math:`\|\mathcal A(D) - q(D)\|_2` is at least
    this.

    .. math:: \max_k\; \frac{s}{n}\Bigl(\frac13 - \frac1{\sqrt{5p}}
              - \frac{3s}{2}\Bigl(\frac{\sinh\varepsilon}{\sqrt p} + 2\delta'\Bigr)
              \Bigr), \qquad s^2 = \frac{k(k+2)}{3}

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n, p : int
        How many records there are, and how many entries each has.

    Returns
    -------
    float
        The bound; about :math:`\sqrt p/(54\,n\sinh\varepsilon)` if n and p are large,
        and at least 0.

    Notes
    -----
    Source: Theorem 6.25 has :math:`\Omega(\min(1, \sqrt p/(\varepsilon n)))`. The signs
    of k records have random means, and the rest cancel in pairs. See
    ``membership_leak``.

    References
    ----------
    * Bun, Ullman and Vadhan (2018), Fingerprinting Codes and the Price of Approximate
      Differential Privacy.
    * Steinke and Ullman (2016), Between Pure and Approximate Differential Privacy.

    Examples
    --------
    >>> round(marginals_lower_bound(0.1, 1e-6, n=10_000, p=1000), 5)
    0.00054
    """
    slope, rest = membership_leak(epsilon, delta)
    n, p = checks.count(n=n, p=p)
    k = _informative(n, p, slope)
    second = k * (k + 2) / 3
    s = np.sqrt(second)
    part = 1 / 3 - 1 / sqrt(5 * p) - 1.5 * s * (slope / sqrt(p) + 2 * rest)
    return float(np.max(s / n * part, initial=0.0))


def marginals_rms_lower_bound(epsilon: float, delta: float, *, n: int, p: int) -> float:
    r"""Bound from below the root mean square error of every (ε, δ)-DP mean.

    .. math:: \max_k\; \frac sn\sqrt{1 - \frac{9 s^2\sinh^2\varepsilon}{4p}
              - 6k\delta'}, \qquad s^2 = \frac{k(k+2)}{3}

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n, p : int
        How many records there are, and how many entries each has.

    Returns
    -------
    float
        For each such algorithm there is a data set in :math:`\{\pm 1/\sqrt p\}^p` on
        which the root of the mean of :math:`\|\mathcal A(D) - q(D)\|_2^2` is at least
        this; about :math:`\sqrt p/(3\,n\sinh\varepsilon)` if n and p are large.

    Notes
    -----
    Source: Theorem 6.25, part 2, for the mean square. It speaks only about the mean of
    the data, so it also holds for an algorithm whose data are the whole population.

    Examples
    --------
    >>> round(marginals_rms_lower_bound(0.1, 1e-6, n=10_000, p=1000), 4)
    0.0105
    """
    slope, rest = membership_leak(epsilon, delta)
    n, p = checks.count(n=n, p=p)
    k = _informative(n, p, slope)
    second = k * (k + 2) / 3
    part = 1 - 2.25 * second * slope**2 / p - 6 * k * rest
    return sqrt(float(np.max(second / n**2 * part, initial=0.0)))
