"""Section 6.5.1. Tracing: a mean that is too accurate reveals its records."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import erf, expm1, sqrt

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng


def tracing_lower_bound(mu: float, *, n: int, p: int) -> float:
    r"""Bound from below how well a μ-GDP estimate knows a population's means.

    .. math:: \alpha \ge \frac{(2/3)\sqrt p}
              {n\sqrt{e^{\mu^2} - 1} + (2/\sqrt 3)\sqrt p}

    Parameters
    ----------
    mu : float
        :math:`\mu` of Gaussian differential privacy under replacement; for ρ-zCDP,
        :math:`\mu = \sqrt{2\rho}`.
    n, p : int
        How many records there are, and how many signs each has.

    Returns
    -------
    float
        α: the root mean square error per coordinate, against the means of the
        population, for records in {±1}^p whose means are drawn from [−1, 1]; also the
        ℓ₂ error after records are scaled by 1/√p. If it is below :math:`\sqrt{2/(3n)}`,
        even the exact mean of the records is no better: see ``marginals_lower_bound``.

    Notes
    -----
    Source: a step toward Theorem 6.25, part 2; O-02. Correlations of the output with
    the records add up to at least p(2/3 − 2α/√3) (see ``fingerprint``); a record's own
    is at most √(e^{μ²} − 1) standard deviations from that of a stranger.

    References
    ----------
    * Steinke and Ullman (2017), Tight Lower Bounds for Differentially Private
      Selection.
    * Bun, Ullman and Vadhan (2018), Fingerprinting Codes and the Price of Approximate
      Differential Privacy.

    Examples
    --------
    >>> round(tracing_lower_bound(1.0, n=100, p=100), 4)
    0.0467
    """
    mu = checks.moderate(mu=mu)
    n, p = checks.count(n=n, p=p)
    reach = n * sqrt(expm1(min(mu * mu, 700.0)))
    return 2 / 3 * sqrt(p) / (reach + 2 / sqrt(3) * sqrt(p))


def tracing_cap(mu: float) -> float:
    r"""Bound how well a test separates a μ-GDP mechanism's records from strangers.

    Parameters
    ----------
    mu : float
        :math:`\mu`, under replacement.

    Returns
    -------
    float
        :math:`\Phi(\mu/\sqrt 2)`, the largest area under the curve of hits against
        false alarms.

    Raises
    ------
    ValueError, TypeError
        If ``mu`` is not a finite number above 0.

    Examples
    --------
    >>> round(tracing_cap(1.0), 3)
    0.76
    """
    mu = checks.moderate(mu=mu)
    return (1 + erf(mu / 2)) / 2


def fingerprint(
    statistic: Callable[[np.ndarray], np.ndarray], *, n: int
) -> tuple[float, float]:
    r"""Compute both sides of the fingerprinting identity for one sign per record.

    .. math:: \mathbb E\Bigl[f\sum_i (x_i - P)\Bigr]
              = \mathbb E f^2 + \tfrac13 - \alpha^2,\qquad P \sim U[-1, 1]

    Parameters
    ----------
    statistic : callable
        Maps signs, shape ``(k, n)``, to k numbers.
    n : int
        How many records, at most 16: all 2ⁿ samples are summed.

    Returns
    -------
    tuple of float
        The left and the right side; :math:`\alpha^2 = \mathbb E (f - P)^2`. Exact up to
        rounding, because the integrand is a polynomial in P.

    Examples
    --------
    >>> left, right = fingerprint(lambda x: x.mean(axis=1), n=3)
    >>> round(left, 12), round(right, 12)
    (0.666666666667, 0.666666666667)
    """
    n = checks.count(n=n)
    if n > 16:
        raise ValueError(f"`n` must be at most 16, got {n}: there are 2**n samples.")
    if not callable(statistic):
        raise TypeError(f"`statistic` must be a function, got {statistic!r}.")
    x = np.array(list(product([-1.0, 1.0], repeat=n)))
    f = np.asarray(statistic(x), dtype=float)
    if f.shape != (len(x),):
        raise ValueError(
            f"`statistic` must give one number per row, shape ({len(x)},), got "
            f"{f.shape}."
        )
    P, weight = np.polynomial.legendre.leggauss(n + 2)
    chance = np.prod((1 + x * P[:, None, None]) / 2, axis=2)  # (nodes, samples)
    mass = chance * weight[:, None] / 2
    left = np.sum(mass * f * (x.sum(axis=1) - n * P[:, None]))
    error = np.sum(mass * (f - P[:, None]) ** 2)
    return float(left), float(np.sum(mass * f**2) + 1 / 3 - error)


@dataclass(frozen=True)
class TracingScores:
    r"""What a tracing attack saw.

    Parameters
    ----------
    inside, outside : ndarray
        Scores :math:`\langle a - P, x - P\rangle` of records, and of strangers with the
        same means.
    error : float
        The mechanism's root mean square error per coordinate.
    """

    inside: np.ndarray
    outside: np.ndarray
    error: float

    @property
    def area(self) -> float:
        """How often a record's score exceeds a stranger's: 1/2 is chance, 1 certain."""
        from scipy.stats import mannwhitneyu  # scipy here: importing stays fast

        pairs = len(self.inside) * len(self.outside)
        return float(mannwhitneyu(self.inside, self.outside).statistic / pairs)


def tracing_attack(
    mechanism: Callable[[np.ndarray, np.random.Generator], np.ndarray],
    *,
    n: int,
    p: int,
    repetitions: int,
    rng: Rng,
) -> TracingScores:
    r"""Trace: score records and strangers by their correlation with a published mean.

    Parameters
    ----------
    mechanism : callable
        ``mechanism(X, rng)`` estimates the mean of X's rows, which are in {±1}^p.
    n, p : int
        How many records there are, and how many signs each has.
    repetitions : int
        How many data sets to play.
    rng : int, Generator or None
        The source of the data and of the noise.

    Returns
    -------
    TracingScores
        n scores of either kind for each repetition, and the error.

    References
    ----------
    * Dwork and others (2015), Robust Traceability from Trace Amounts.

    Examples
    --------
    >>> out = tracing_attack(lambda X, rng: X.mean(axis=0), n=20, p=1000,
    ...                      repetitions=5, rng=0)
    >>> round(out.area, 2)  # an exact mean gives every record away
    1.0
    """
    n, p, repetitions = checks.count(n=n, p=p, repetitions=repetitions)
    checks.fits(2 * n * p, n=n, p=p)
    if not callable(mechanism):
        raise TypeError(f"`mechanism` must be a function, got {mechanism!r}.")
    rng, inside, outside, errors = as_rng(rng), [], [], []

    # 1: for each repetition do
    for _ in range(repetitions):
        # 2: P ← p means, uniform on [−1, 1]
        P = 2 * rng.random(p) - 1
        # 3: n records and n strangers ← independent signs with means P
        draws = rng.random((2, n, p))
        records, strangers = np.where(draws < (1 + P) / 2, 1.0, -1.0)
        # 4: a ← the mechanism's mean of the records
        a = mechanism(records, rng)
        # 5: score each record x, and each stranger x, by ⟨a − P, x − P⟩
        inside.append((records - P) @ (a - P))
        outside.append((strangers - P) @ (a - P))
        errors.append(np.mean((a - P) ** 2))
    # 6: end for
    # 7: return the scores: does a record's exceed a stranger's?
    return TracingScores(
        np.concatenate(inside), np.concatenate(outside), sqrt(np.mean(errors))
    )
