"""Exact prices of one instance, randomized response: lower bounds on the worst case.

Use these to see how tight a bound can be, but never to price a release, because other
records and other randomizers cost more.
"""

from math import exp, expm1, log

import numpy as np

from ... import checks, numerics
from ._amplification import check_budget, check_probability


def check_in_likelihood_ratio(
    losses: np.ndarray,
    *,
    check_in_probability: float,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    r"""Compute how much likelier m reports are if client 1 may be among them.

    .. math:: \Lambda(s) = 1 - \frac{p_0}{m}\sum_i w_i + \frac{p_0}{m}\sum_i w_i e^{l_i}

    Parameters
    ----------
    losses : ndarray
        Shape ``(samples, m)``: :math:`l_i`, the log-likelihood ratio of the report in
        slot i: its distribution if client 1 reports over its distribution if she does
        not.
    weights : ndarray, optional
        Shape ``(samples, m)``: :math:`w_i`, the probability that she is chosen in slot
        i if she picks it; 1 if not given.

    Returns
    -------
    ndarray
        Shape ``(samples,)``: the likelihood ratio of her presence to her absence. To
        compare two records of hers, divide their ratios.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the shapes differ.

    Examples
    --------
    >>> import numpy as np
    >>> reports = np.log([[2.0, 0.5, 0.5]])  # one of three reports speaks for her
    >>> check_in_likelihood_ratio(reports, check_in_probability=1.0)
    array([1.])
    """
    check_in_probability = checks.moderate(check_in_probability=check_in_probability)
    checks.finite_array(ndim=2, losses=losses)
    check_probability(check_in_probability)
    w = np.ones_like(losses) if weights is None else weights
    checks.finite_array(ndim=2, weights=w)
    if w.shape != losses.shape:
        raise ValueError(f"`weights` must have shape {losses.shape}, got {w.shape}.")
    if losses.shape[1] == 0 or np.any(np.abs(losses) > 700):
        raise ValueError(
            "`losses` must have at least one entry per row, each at most 700, got "
            f"{losses!r:.60}."
        )
    if np.any((w < 0) | (w > 1)):
        raise ValueError(f"`weights` must be probabilities, got {weights!r:.60}.")
    return 1 + check_in_probability * np.mean(w * np.expm1(losses), axis=-1)


def fixed_window_instance(
    local_epsilon: float,
    delta: float,
    *,
    slots: int,
    check_in_probability: float = 1.0,
    runs: int = 1,
) -> float:
    r"""Compute the exact ε of check-ins with randomized response, for one instance.

    Client 1 holds 1 or 0 and is chosen wherever she checks in. Every other slot holds
    0, dummies included.

    Parameters
    ----------
    local_epsilon, delta : float
        :math:`\varepsilon_0` and :math:`\delta`.
    runs : int, optional
        How many runs; more than one only with a single slot each.

    Returns
    -------
    float
        ε under REPLACE in the worse direction: a lower bound on the worst case.

    Examples
    --------
    >>> one = fixed_window_instance(1.0, 1e-6, slots=1000)
    >>> from dpteach.algorithms.local.check_in_privacy import fixed_window_epsilon
    >>> round(one, 3), round(fixed_window_epsilon(1.0, 1e-6, slots=1000), 3)
    (0.127, 0.474)
    >>> pooled = {"slots": 1, "check_in_probability": 1 / 20, "runs": 20}
    >>> round(fixed_window_instance(3.0, 1e-4, **pooled), 3)  # above ε₀ = 3
    4.329
    """
    local_epsilon, check_in_probability = checks.moderate(
        local_epsilon=local_epsilon, check_in_probability=check_in_probability
    )
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, True)
    slots, runs = checks.count(slots=slots, runs=runs)
    checks.fits(10 * runs, runs=runs)
    checks.fits(10 * slots, slots=slots)
    check_probability(check_in_probability)
    if runs > 1 and slots > 1:
        raise ValueError(
            f"`runs` must be 1 unless `slots` is 1, got {runs} runs of {slots} slots. "
            "Only then do the reports reveal nothing but the number of ones."
        )
    if runs * local_epsilon > 700:
        raise ValueError(
            f"`runs` must be at most 700/ε₀ = {700 / local_epsilon:.4g}, got {runs}: "
            "beyond, e^(ε₀ · runs) leaves the range of numbers."
        )
    e0, p0 = local_epsilon, check_in_probability
    q, size = 1 / (1 + exp(e0)), slots * runs
    ones = np.arange(size + 1)
    log_without = numerics.log_binomial(ones, size, e0)
    if runs == 1:  # the mean over slots of what each report says
        more = p0 * (ones * expm1(e0) + (size - ones) * expm1(-e0)) / size
        less = 1 - p0 + p0 * (ones * exp(e0) + (size - ones) * exp(-e0)) / size
        log_ratio = np.log1p(more, out=np.log(less), where=more > -0.5)
        return _least_epsilon(log_without + log_ratio, log_without, delta, e0)
    # each run on its own: with probability p₀ its report is hers
    flipped, kept = q + p0 * (1 - 2 * q), (1 - p0) * (1 - q) + p0 * q
    log_with = numerics.log_binomial(ones, size, np.log(kept / flipped))
    return _least_epsilon(log_with, log_without, delta, runs * e0)


def shuffling_instance(
    local_epsilon: float, delta: float, *, n: int, others_with_one: int = 0
) -> float:
    r"""Compute the exact ε of shuffled randomized response, for one instance.

    Parameters
    ----------
    local_epsilon, delta : float
        :math:`\varepsilon_0` and :math:`\delta`.
    n : int
        :math:`n`, how many reports.
    others_with_one : int, optional
        How many of the other n - 1 clients hold 1; 0 is the worst or close to it.

    Returns
    -------
    float
        ε under REPLACE in the worse direction: a lower bound on the worst case.

    Examples
    --------
    >>> round(shuffling_instance(1.0, 1e-6, n=10_000), 4)
    0.0357
    """
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    delta = checks.probability(delta=delta)
    check_budget(local_epsilon, delta, True)
    n = checks.count(n=n)
    checks.fits(10 * n, n=n)
    others_with_one = checks.count(0, others_with_one=others_with_one)
    if others_with_one > n - 1:
        raise ValueError(
            f"`others_with_one` must be at most n - 1 = {n - 1}, got {others_with_one}."
        )
    e0, k = local_epsilon, others_with_one
    zeros = np.exp(numerics.log_binomial(np.arange(n - k), n - 1 - k, e0))
    base = np.convolve(zeros, np.exp(numerics.log_binomial(np.arange(k + 1), k, -e0)))
    base = base if k else zeros
    q = 1 / (1 + exp(e0))
    up, stay = np.append(0, base), np.append(base, 0)
    log_with = numerics.log_of((1 - q) * up + q * stay)
    log_without = numerics.log_of(q * up + (1 - q) * stay)
    return _least_epsilon(log_with, log_without, delta, e0)


def _least_epsilon(
    log_p: np.ndarray, log_q: np.ndarray, delta: float, most: float
) -> float:
    """Find the least ε at which neither direction's hockey stick exceeds δ."""
    p, q = np.exp(log_p), np.exp(log_q)

    def excess(epsilon: float) -> float:
        sticks = (p - exp(epsilon) * q, q - exp(epsilon) * p)
        worst = max(np.sum(np.maximum(each, 0)) for each in sticks)
        return float(numerics.log_of(worst)) - log(delta)

    if excess(most) > 0:  # it is not, but so small a δ is lost in rounding
        return most
    return 0.0 if excess(0.0) <= 0 else numerics.safe_root(excess, 0.0, most)
