"""The check-ins paper. How much is hidden if nobody knows whose report is whose."""

from math import ceil, exp, expm1, log, sqrt

from ... import checks
from ...privacy import Relation
from .._fixed_length import require_fixed_length
from ._amplification import (
    check_budget,
    check_probability,
    check_window,
    composed,
    composed_squares,
    slot_epsilons,
)

# The sum over slots, its refined closed form, and the closed form as published.
BOUNDS = ("sum", "refined", "textbook")


def fixed_window_epsilon(
    local_epsilon: float,
    delta: float,
    *,
    slots: int,
    check_in_probability: float = 1.0,
    relation: Relation = Relation.REPLACE,
    method: str = "sum",
    clip: bool = True,
) -> float:
    r"""Bound the ε of random check-ins into one window of m slots. [Theorem 3.2]

    .. math:: \varepsilon = p_0(e^{\varepsilon_0}-1)\sqrt{2c\ln(1/\delta)/m}
              + p_0^2 (e^{\varepsilon_0}-1)^2 c/(2m)

    Source: Balle and others (2020), Theorem 3.2, whose formula was derived anew.

    Parameters
    ----------
    local_epsilon : float
        :math:`\varepsilon_0`, for each pair of records and for the dummy's zero.
    relation : Relation, optional
        ``REPLACE``, which covers ``ZERO_OUT``, or ``ADD_REMOVE``, where the client may
        never check in. Then m and :math:`p_0` must not depend on n.
    method : {"sum", "refined", "textbook"}, optional
        :math:`c = e^{\varepsilon_0}` as published; refined,
        :math:`c = 1/(1 - p_0(1 - e^{-\varepsilon_0}))`; or the sum over slots that
        these two bound.
    clip : bool, optional
        Return at most :math:`\varepsilon_0`, which holds because a client reports once.

    Returns
    -------
    float
        An upper bound on :math:`\varepsilon`.

    Examples
    --------
    >>> round(fixed_window_epsilon(0.5, 1e-6, slots=100, check_in_probability=0.01), 4)
    0.0034
    >>> fixed_window_epsilon(3.0, 1e-4, slots=10, method="textbook", clip=False) > 400
    True
    """
    local_epsilon, check_in_probability = checks.moderate(
        local_epsilon=local_epsilon, check_in_probability=check_in_probability
    )
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, clip)
    slots = checks.count(slots=slots)
    checks.fits(20 * slots, slots=slots)
    check_probability(check_in_probability)
    checks.instance(Relation, relation=relation)
    checks.one_of(BOUNDS, method=method)
    e0, p0, m = local_epsilon, check_in_probability, slots
    if method == "sum":
        bound = composed(slot_epsilons(e0, p0, m), 1, delta)
    else:
        published, refined = exp(e0), 1 / (1 - p0 + p0 * exp(-e0))
        c = published if method == "textbook" else refined
        # the integral that bounds the sum of all slots' squared ε  [Lemma A.2]
        bound = composed_squares((p0 * expm1(e0)) ** 2 * c / m, delta)
    return min(bound, e0) if clip else bound


def pooled_epochs_epsilon(
    local_epsilon: float,
    delta: float,
    *,
    n: int,
    slots: int,
    relation: Relation = Relation.REPLACE,
    clip: bool = True,
) -> float:
    """Bound the ε of n/m check-in runs, n updates in all. [Corollary 3.3]

    Parameters
    ----------
    n : int
        :math:`n`, how many clients, public: a multiple of m. Each run has p₀ = m/n.
    relation : Relation, optional
        ``REPLACE`` or ``ZERO_OUT``; p₀ and the number of runs reveal n.
    clip : bool, optional
        Return at most (n/m)ε₀: a client may report once in each run, so ε₀ alone is not
        a bound.

    Returns
    -------
    float
        An upper bound: one sum over all slots of all runs, not the source's composition
        of (ε, δ) pairs.

    Examples
    --------
    >>> round(pooled_epochs_epsilon(0.5, 1e-6, n=10_000, slots=100), 4)
    0.0342
    """
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, clip)
    n, slots = checks.count(n=n, slots=slots)
    require_fixed_length(relation, "m/n and the number of runs reveal n")
    if n % slots:
        raise ValueError(f"`slots` must divide `n` = {n}, got {slots}.")
    checks.fits(20 * slots, slots=slots)
    runs = ceil(n / slots)
    bound = composed(slot_epsilons(local_epsilon, slots / n, slots), runs, delta)
    return min(bound, runs * local_epsilon) if clip else bound


def averaged_updates_epsilon(
    local_epsilon: float,
    delta: float,
    *,
    n: int,
    slots: int,
    delta_sizes: float,
    relation: Relation = Relation.REPLACE,
    clip: bool = True,
) -> float:
    r"""Bound the ε of averaging all clients of a slot. [Theorem 4.1]

    Parameters
    ----------
    delta_sizes : float
        :math:`\delta_2`, the probability of uneven slots: the whole protocol is
        :math:`(\varepsilon, \delta + \delta_2)`-private.
    relation : Relation, optional
        ``REPLACE`` or ``ZERO_OUT``; empty slots and divisors reveal an absent client.
    clip : bool, optional
        Return at most :math:`\varepsilon_0`. If there are few slots, the bound exceeds
        it.

    Returns
    -------
    float
        An upper bound on :math:`\varepsilon`; n is public.

    Examples
    --------
    >>> many = {"n": 10**6, "slots": 10**4, "delta_sizes": 1e-6}
    >>> round(averaged_updates_epsilon(0.5, 1e-6, **many), 3)
    0.128
    """
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, clip)
    n, slots = checks.count(n=n, slots=slots)
    delta_sizes = checks.probability(delta_sizes=delta_sizes)
    require_fixed_length(relation, "a slot's size is the divisor of its update")
    e0 = local_epsilon
    uneven = sqrt(1 / n + 1 / slots) + sqrt(-log(delta_sizes) / n)
    bound = composed_squares((exp(2 * e0) * expm1(e0) * uneven) ** 2, delta)
    return min(bound, e0) if clip else bound


def sliding_window_epsilon(
    local_epsilon: float,
    delta: float,
    *,
    window: int,
    relation: Relation = Relation.REPLACE,
    method: str = "sum",
    clip: bool = True,
) -> float:
    """Bound the ε of check-ins into windows of m slots. [Theorem 4.3]

    Parameters
    ----------
    relation : Relation, optional
        ``REPLACE`` or ``ZERO_OUT``; if a client is removed, all later windows shift.
    method, clip : optional
        As in ``fixed_window_epsilon``.

    Returns
    -------
    float
        An upper bound: that of a fixed window with p₀ = 1.

    Examples
    --------
    >>> round(sliding_window_epsilon(0.5, 1e-6, window=1000), 3)
    0.139
    """
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    delta = checks.probability(delta=delta)
    window = checks.count(window=window)
    checks.fits(20 * window, window=window)
    require_fixed_length(relation, "the windows of all later clients shift")
    return fixed_window_epsilon(
        local_epsilon, delta, slots=window, method=method, clip=clip
    )


def fixed_window_dummies(
    n: int, *, slots: int, check_in_probability: float = 1.0
) -> float:
    """Compute the expected number of empty slots. [Proposition 3.4]

    Returns
    -------
    float
        :math:`m(1 - p_0/m)^n`, exactly; at most :math:`m e^{-np_0/m}`.

    Examples
    --------
    >>> round(fixed_window_dummies(1000, slots=1000))  # about m/e
    368
    """
    check_in_probability = checks.moderate(check_in_probability=check_in_probability)
    n, slots = checks.count(n=n, slots=slots)
    check_probability(check_in_probability)
    return slots * (1 - check_in_probability / slots) ** n


def sliding_window_dummies(n: int, *, window: int) -> float:
    """Compute the expected number of empty slots, for m at most n. [Proposition 4.4]

    Returns
    -------
    float
        :math:`(n - m + 1)(1 - 1/m)^m`, exactly; at most :math:`(n - m + 1)/e`.

    Examples
    --------
    >>> round(sliding_window_dummies(100, window=10), 3)
    31.73
    """
    window = checks.count(window=window)
    n = checks.count(n=n)
    check_window(window, n)
    return (n - window + 1) * (1 - 1 / window) ** window
