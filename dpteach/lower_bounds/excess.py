"""Section 6.5.1. The least excess risk that a private algorithm can promise."""

from math import expm1, floor, pi, sqrt

from .. import checks
from .marginals import membership_leak


def _even_rest(m: float, n: int) -> int:
    """Find the largest whole number up to m and n with an even remainder; else 0."""
    whole = floor(min(float(n), m))
    return max(0, whole - (n - whole) % 2)


def pure_excess_lower_bound(epsilon: float, *, n: int, p: int) -> float:
    r"""Bound from below the mean excess risk of every ε-DP algorithm. [Theorem 6.26]

    .. math:: m\Bigl(1 - \sqrt{\tfrac{2\varepsilon m}{p}} - \sqrt{\tfrac{\pi}{2p}}\,
              e^{\varepsilon m}\,\mathrm{erfc}\sqrt{\varepsilon m}\Bigr),\qquad
              m \le \min\Bigl(n, \frac{2p}{9\varepsilon}\Bigr)

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, in nats, under replacement, zeroing out, or adding and
        removing.
    n, p : int
        How many records there are, in :math:`\{\pm 1/\sqrt p\}^p`, and how many entries
        each has.

    Returns
    -------
    float
        For each ε-DP algorithm with models in the unit ball there are data on which its
        expected excess of the linear risk is at least this, a sum over records; about
        :math:`0.074\,p/\varepsilon` if n is large.

    Notes
    -----
    Source: Theorem 6.26 has Ω(min(n, p/ε)). Plant m copies of a random word v. Without
    them the model θ knows nothing about v, and ⟨θ, v⟩ exceeds t with probability at
    most e^{−pt²/2}; with them, at most e^{εm} times that, by group privacy. The excess
    is m(1 − ⟨θ, v⟩).

    References
    ----------
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> round(pure_excess_lower_bound(1.0, n=1000, p=100), 2)
    7.08
    """
    from scipy.special import erfcx  # scipy here: importing stays fast

    epsilon = checks.moderate(epsilon=epsilon)
    n, p = checks.count(n=n, p=p)
    m = _even_rest(2 * p / (9 * epsilon), n)
    known = sqrt(2 * epsilon * m / p)
    known += sqrt(pi / (2 * p)) * float(erfcx(sqrt(epsilon * m)))
    return m * max(0.0, 1 - known)


def tracing_excess_lower_bound(mu: float, *, n: int, p: int) -> float:
    r"""Bound from below the mean excess of every μ-GDP algorithm. [Section 6.5.1]

    .. math:: \mathbb E\|S_k\|_2 - \frac{k(k+2)}{2}\sqrt{\frac{e^{\mu^2} - 1}{p}},\qquad
              k \le \min\Bigl(n, \sqrt{\frac{p}{3(e^{\mu^2} - 1)}}\Bigr)

    Parameters
    ----------
    mu : float
        :math:`\mu` of Gaussian differential privacy under replacement; for ρ-zCDP,
        :math:`\mu = \sqrt{2\rho}`, and for ε-DP :math:`\mu = \varepsilon`.
    n, p : int
        How many records there are, in :math:`\{\pm 1/\sqrt p\}^p`, and how many entries
        each has.

    Returns
    -------
    float
        For each such algorithm with models in the unit ball there are data on which its
        expected excess of the linear risk is at least this, a sum over records; about
        :math:`\sqrt p/(6\mu)` if n is large and μ small.

    Notes
    -----
    Source: the remark after Theorem 6.26, which has Ω(·) for (ε, δ). The signs of k
    records have random means P; the rest cancel in pairs. A model's correlation with
    its records, ⟨θ, S − kP⟩, is twice that with the means (see ``fingerprint``), and
    privacy keeps each record's part below √((e^{μ²} − 1)/p). So ⟨θ, S⟩ is small on
    average, and the best model has ‖S‖₂; its mean is bounded by its moments.

    References
    ----------
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> round(tracing_excess_lower_bound(0.25, n=1000, p=100), 2)
    6.51
    """
    mu = checks.moderate(mu=mu)
    n, p = checks.count(n=n, p=p)
    return _tracing(sqrt(expm1(min(mu * mu, 700.0)) / p), n, p)


def approximate_excess_lower_bound(
    epsilon: float, delta: float, *, n: int, p: int
) -> float:
    r"""Bound from below the mean excess of every (ε, δ)-DP algorithm. [Section 6.5.1]

    .. math:: \mathbb E\|S_k\|_2 - \frac{k(k+2)}{2}
              \Bigl(\frac{\sinh\varepsilon}{\sqrt p} + 2\delta'\Bigr)

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n, p : int
        How many records there are, in :math:`\{\pm 1/\sqrt p\}^p`, and how many entries
        each has.

    Returns
    -------
    float
        For each such algorithm with models in the unit ball there are data on which its
        expected excess of the linear risk is at least this, a sum over records; about
        :math:`\sqrt p/(6\sinh\varepsilon)` if n is large and δ small.

    Notes
    -----
    Source: the remark after Theorem 6.26. As ``tracing_excess_lower_bound``, with
    ``membership_leak`` as the bound on each record's part.

    Examples
    --------
    >>> round(approximate_excess_lower_bound(1.0, 1e-6, n=1000, p=100), 2)
    1.41
    """
    slope, rest = membership_leak(epsilon, delta)
    n, p = checks.count(n=n, p=p)
    return _tracing(slope / sqrt(p) + 2 * rest, n, p)


def _tracing(leak: float, n: int, p: int) -> float:
    """Subtract what k records can reveal from the norm of their sum, at the best k."""
    k = _even_rest(1 / (sqrt(3) * leak), n)
    if k == 0:
        return 0.0
    # A sum of k signs whose mean is uniform is itself uniform: its moments are exact.
    second = k * (k + 2) / 3
    fourth = second * (3 * k * k + 6 * k - 4) / 5
    longest = sqrt(second) / sqrt(1 + (fourth / second**2 - 1) / p)
    return max(0.0, longest - k * (k + 2) / 2 * leak)
