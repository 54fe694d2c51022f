"""The check-ins paper, Section 5, and later: amplification by shuffling reports."""

from collections.abc import Callable
from math import exp, expm1, log, log1p, sqrt

import numpy as np

from ... import checks, numerics
from ...privacy import Relation
from .._fixed_length import require_fixed_length
from ._amplification import check_budget, composed_squares

SHUFFLE_BOUNDS = ("numerical", "closed", "textbook", "swap")


def shuffling_epsilon(
    local_epsilon: float,
    delta: float,
    *,
    n: int,
    relation: Relation = Relation.REPLACE,
    method: str = "numerical",
    clip: bool = True,
) -> float:
    r"""Bound the ε of n local reports in a random order. [Theorem 5.1]

    Parameters
    ----------
    local_epsilon : float
        :math:`\varepsilon_0` of each report.
    n : int
        :math:`n`, how many reports, public. The work of "numerical" grows as √n: a
        second or two for a million, up to a minute for a billion.
    relation : Relation, optional
        ``REPLACE`` or ``ZERO_OUT``, because the reports can be counted.
    method : {"numerical", "closed", "textbook", "swap"}, optional
        In the order of their power, nearly always: Feldman, McMillan and Talwar's pair
        of clones, evaluated; their closed form (their Theorem 3.1); Theorem 5.1; and
        Theorem 7 of Erlingsson and others (2019), which it improves.
    clip : bool, optional
        Return at most :math:`\varepsilon_0`, which holds because a client reports once.

    Returns
    -------
    float
        :math:`\varepsilon`, an upper bound. The closed form needs
        :math:`\varepsilon_0 \le \ln(n/(16\ln(2/\delta)))` and is :math:`\varepsilon_0`
        if that fails.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the relation is ADD_REMOVE.

    Notes
    -----
    Source: Theorem 5.1, whose formula was derived anew.

    References
    ----------
    * Erlingsson and others (2019), Amplification by Shuffling: From Local to Central
      Differential Privacy via Anonymity.
    * Balle and others (2020), Privacy Amplification via Random Check-Ins.
    * Feldman, McMillan and Talwar (2021), Hiding Among the Clones: A Simple and Nearly
      Optimal Analysis of Privacy Amplification by Shuffling.

    Examples
    --------
    >>> [round(shuffling_epsilon(1.0, 1e-6, n=10_000, method=m, clip=False), 3)
    ...  for m in SHUFFLE_BOUNDS]
    [0.053, 0.214, 0.408, 1.399]
    """
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, clip)
    n = checks.count(n=n)
    require_fixed_length(relation, "the n reports can be counted")
    checks.one_of(SHUFFLE_BOUNDS, method=method)
    checks.fits(200 * sqrt(n), n=n)
    if local_epsilon < 1e-12:
        raise ValueError(
            f"`local_epsilon` must be at least 1e-12, got {local_epsilon!r}: below, "
            "rounding hides it. It is its own bound."
        )
    e0 = local_epsilon
    if method == "numerical":
        bound = _numerical(e0, delta, n)
    elif method == "closed":
        bound = _clones(e0, delta, n)
    elif method == "textbook":
        bound = composed_squares(exp(3 * e0) * expm1(e0) ** 2 / n, delta)
    else:
        step = 2 * exp(2 * e0) * expm1(e0) / n
        growth = expm1(step) if step < 700 else float("inf")
        bound = n * step * growth + step * sqrt(-2 * n * log(delta))
    return min(bound, e0) if clip else bound


def _clones(e0: float, delta: float, n: int) -> float:
    if e0 > log(n / (16 * log(2 / delta))):
        return e0
    spread = 8 * sqrt(exp(e0) * log(4 / delta) / n) + 8 * exp(e0) / n
    return log1p(expm1(e0) / (exp(e0) + 1) * spread)


def _numerical(e0: float, delta: float, n: int) -> float:
    curve = _clone_curve(e0, n)
    if curve(e0) > delta:
        return e0  # its own ε₀ always holds: the dropped tail exceeds δ
    if curve(0.0) <= delta:
        return 0.0
    # In logarithms the curve is nearly a parabola, which suits the root finder.
    return numerics.safe_root(
        lambda epsilon: float(numerics.log_of(curve(epsilon))) - log(delta), 0.0, e0
    )


def _clone_curve(e0: float, n: int) -> Callable[[float], float]:
    """Return ε ↦ an upper bound of δ(ε) for the pair of clones.

    With probability e^{−ε₀}, each of the other n − 1 reports is a clone of client 1's,
    and a coin decides on which of her two records: of C clones, A are clones of the
    first record. Client 1's own report then adds to one side or the other. Given C, the
    best event is a threshold on A, because the likelihood ratio grows with A.
    """
    from scipy.stats import binom  # scipy here: importing dpteach stays fast

    mean, spread = (n - 1) * exp(-e0), sqrt((n - 1) * exp(-e0) * -expm1(-e0))
    low = max(0, int(mean - 12 * spread - 20))
    c = np.arange(low, min(n - 1, int(mean + 12 * spread + 20)) + 1)
    weight = binom.pmf(c, n - 1, exp(-e0))
    dropped = max(0.0, 1 - float(np.sum(weight)))
    own = 1 / (1 + exp(-e0))  # her report is on her record's side

    def delta(epsilon: float) -> float:
        grow = exp(epsilon)
        # Where A > k, the likelihood ratio is above e^ε
        share = (grow * own - (1 - own)) / ((2 * own - 1) * (1 + grow))
        k = np.floor((c + 1) * share)
        less = binom.sf(k, c, 0.5)
        more = less + binom.pmf(k, c, 0.5)  # A ≥ k: her own report makes it one more
        first, second = own * more + (1 - own) * less, (1 - own) * more + own * less
        return dropped + float(weight @ np.maximum(first - grow * second, 0))

    return delta
