"""Sampled audits: what a number of runs proves about privacy, with a stated error.

A lower bound that exceeds the claim refutes it; one that does not proves nothing.
Choose events, thresholds and guesses before looking at the runs that are counted.
"""

from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from .. import checks
from ._binomial import at_least, at_most


def _check_counts(hits: int, runs: int, hits_without: int, runs_without: int) -> None:
    runs, runs_without = checks.count(runs=runs, runs_without=runs_without)
    hits, hits_without = checks.count(0, hits=hits, hits_without=hits_without)
    for name, part, whole in (
        ("hits", hits, runs),
        ("hits_without", hits_without, runs_without),
    ):
        if part > whole:
            raise ValueError(
                f"`{name}` must be at most the number of runs, {whole}, got {part}."
            )


def event_epsilon_lower_bound(
    hits: int,
    runs: int,
    hits_without: int,
    runs_without: int,
    *,
    delta: float,
    false_alarm: float,
    either_way: bool = False,
) -> float:
    r"""Bound ε from below by how often an event happens on two neighboring data sets.

    .. math:: \ln\frac{\underline{P}[S \mid D] - \delta}{\overline{P}[S \mid D']}

    with Clopper and Pearson's bounds. For every (ε, δ)-private mechanism the result
    exceeds ε with probability ``false_alarm`` at most.

    Parameters
    ----------
    hits, runs : int
        How many of how many runs on D fell in the event S, chosen beforehand.
    hits_without, runs_without : int
        The same on the neighbor D', without the record.
    delta : float
        :math:`\delta` of the claim; 0 for a pure one.
    false_alarm : float
        The largest probability that the bound is wrong, such as 1e-6.
    either_way : bool, optional
        Take the best of S and its complement, with D and D' in either role, for an
        event whose side was not known. Each bound then uses half of ``false_alarm``.

    Returns
    -------
    float
        The bound; minus infinity if the runs prove nothing.

    References
    ----------
    * Clopper and Pearson (1934), The Use of Confidence or Fiducial Limits Illustrated
      in the Case of the Binomial.
    * Jagielski, Ullman and Oprea (2020), Auditing Differentially Private Machine
      Learning: How Private Is Private SGD?

    Examples
    --------
    >>> bound = event_epsilon_lower_bound(900, 1000, 20, 1000, delta=1e-6,
    ...                                   false_alarm=1e-6)
    >>> round(bound, 2)  # the claim ε = 1 is refuted
    2.82
    """
    _check_counts(hits, runs, hits_without, runs_without)
    hits, hits_without = checks.count(0, hits=hits, hits_without=hits_without)
    runs, runs_without = checks.count(runs=runs, runs_without=runs_without)
    delta = checks.below_one(delta=delta)
    false_alarm = checks.probability(false_alarm=false_alarm)
    checks.flag(either_way=either_way)
    k1, n1, k0, n0 = hits, runs, hits_without, runs_without
    sides = [(k1, n1, k0, n0)]
    if either_way:
        sides += [(k0, n0, k1, n1), (n1 - k1, n1, n0 - k0, n0)]
        sides += [(n0 - k0, n0, n1 - k1, n1)]
    alpha = false_alarm / (4 if either_way else 2)
    bounds = []
    for k, n, j, m in sides:
        excess = at_least(k, n, alpha) - delta
        bounds.append(log(excess / at_most(j, m, alpha)) if excess > 0 else -inf)
    return max(bounds)


def mu_lower_bound(
    hits: int, runs: int, hits_without: int, runs_without: int, *, false_alarm: float
) -> float:
    r"""Bound the μ of a Gaussian mechanism from below by a threshold test.

    .. math:: \Phi^{-1}(1 - \overline{\mathrm{FPR}})
              - \Phi^{-1}(\overline{\mathrm{FNR}})

    Parameters
    ----------
    hits, runs : int
        How many of how many runs on D scored above the threshold: true positives.
    hits_without, runs_without : int
        The same on the neighbor D', without the record: false positives.
    false_alarm : float
        The largest probability that the bound is wrong, such as 1e-6.

    Returns
    -------
    float
        The bound; minus infinity if the runs prove nothing.

    Notes
    -----
    Only for continuous Gaussian noise in which every record takes part: under sampling,
    or after a conversion from (ε, δ), a private mechanism may exceed its claim.

    References
    ----------
    * Nasr and others (2023), Tight Auditing of Differentially Private Machine Learning.

    Examples
    --------
    >>> round(mu_lower_bound(950, 1000, 50, 1000, false_alarm=1e-6), 2)  # truth: 3.29
    2.66
    """
    _check_counts(hits, runs, hits_without, runs_without)
    hits, runs = checks.count(0, hits=hits, runs=runs)
    false_alarm = checks.probability(false_alarm=false_alarm)
    from scipy.special import ndtri

    false_positive = at_most(hits_without, runs_without, false_alarm / 2)
    false_negative = at_most(runs - hits, runs, false_alarm / 2)
    if 1.0 in (false_positive, false_negative):
        return -inf
    return float(-ndtri(false_positive) - ndtri(false_negative))


@dataclass(frozen=True)
class Conformance:
    """How well samples fit a distribution: exact p-values of three questions.

    Parameters
    ----------
    scale_p_value : float
        Is the noise too small or too large? A two-sided χ² test.
    independence_p_value : float
        Does one draw tell anything about the next? An exact test of consecutive draws.
    shape_p_value : float
        Do the samples follow the distribution at all? A Kolmogorov-Smirnov test.
    """

    scale_p_value: float
    independence_p_value: float
    shape_p_value: float

    @property
    def p_value(self) -> float:
        """One p-value for the three questions together."""
        least = min(self.scale_p_value, self.independence_p_value, self.shape_p_value)
        return min(1.0, 3 * least)


def conformance(samples: np.ndarray, *, distribution: Any) -> Conformance:
    """Test whether samples are independent draws of a known distribution.

    Run a mechanism on data that do nothing: its output is then its noise alone. The
    test is two-sided, so it also catches too much noise, which no audit can do.

    Parameters
    ----------
    samples : ndarray
        Shape ``(k,)`` or ``(runs, k)``; a row holds draws in their order.
    distribution : frozen SciPy distribution
        A continuous one, such as ``scipy.stats.norm(scale=2.0)``.

    Returns
    -------
    Conformance
        Exact p-values; under the distribution each is uniform on (0, 1).

    Raises
    ------
    ValueError, TypeError
        If ``samples`` is not a finite array, or ``distribution`` has no ``cdf`` and
        ``sf``.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> noise = np.random.default_rng(0).normal(scale=2.0, size=(50, 20))
    >>> conformance(noise, distribution=norm(scale=2.0)).p_value > 1e-6
    True
    >>> conformance(noise, distribution=norm(scale=2.4)).p_value < 1e-6
    True
    """
    samples = np.asarray(samples)[None, :] if np.ndim(samples) == 1 else samples
    if type(samples) is np.ndarray and samples.dtype == float:
        # farther out no test tells draws apart, and their squares are still numbers
        near = np.clip(samples, -checks.LARGEST_ENTRY, checks.LARGEST_ENTRY)
        samples = np.where(np.isfinite(samples), near, samples)
    checks.finite_array(ndim=2, samples=samples)
    if samples.shape[0] == 0 or samples.shape[1] < 2:
        raise ValueError(
            "`samples` must have at least two draws per row, got shape "
            f"{samples.shape}."
        )
    if not (hasattr(distribution, "cdf") and hasattr(distribution, "sf")):
        raise TypeError(
            f"`distribution` must be a continuous distribution, such as "
            f"scipy.stats.norm(scale=2.0), got {distribution!r}."
        )
    from scipy.stats import kstest

    z = _as_normals(samples, distribution)
    return Conformance(
        scale_p_value=_scale_p_value(z),
        independence_p_value=_independence_p_value(z),
        shape_p_value=float(kstest(z.ravel(), "norm").pvalue),
    )


def _as_normals(samples: np.ndarray, distribution: Any) -> np.ndarray:
    # Φ⁻¹(F(x)) is standard normal for every F; the nearer tail keeps the digits.
    from scipy.special import ndtri

    low, high = distribution.cdf(samples), distribution.sf(samples)
    z = np.where(low < high, ndtri(low), -ndtri(high))
    return np.clip(z, -40.0, 40.0)  # beyond the floating-point tails: impossible draws


def _scale_p_value(z: np.ndarray) -> float:
    from scipy.stats import chi2

    chi_square, squares = chi2(z.size), float(np.sum(z**2))
    return min(1.0, 2 * float(min(chi_square.cdf(squares), chi_square.sf(squares))))


def _independence_p_value(z: np.ndarray) -> float:
    """Given every other draw, Σ z_t (z_{t−1} + z_{t+1}) over the rest is normal."""
    from scipy.stats import norm

    beside = np.zeros_like(z)
    beside[:, 1:] += z[:, :-1]
    beside[:, :-1] += z[:, 1:]
    inner = float(np.sum(z[:, 1::2] * beside[:, 1::2]))
    size = float(np.linalg.norm(beside[:, 1::2]))
    return 2 * float(norm.sf(abs(inner) / size)) if size else 1.0
