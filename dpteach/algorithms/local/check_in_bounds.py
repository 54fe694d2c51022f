"""The check-ins paper. How good the model of a fixed window is."""

from math import exp, log, sqrt

from ... import checks
from ._amplification import check_probability
from .local_sgd import local_noise_variance


def fixed_window_risk_bound(
    local_epsilon: float,
    *,
    n: int,
    slots: int,
    p: int,
    clip_norm: float,
    diameter: float,
    check_in_probability: float = 1.0,
) -> float:
    r"""Bound the expected excess population risk, a mean over clients. [Theorem 3.5]

    .. math:: \mathbb E[R(\theta)] - R(\theta^*) \le \frac{2\|\mathcal C\|_2
              \sqrt{G^2 + \sigma^2}\,(2 + \ln m)}{(1 - q)\sqrt m},
              \quad q = e^{-np_0/m}

    The source states the rate; the constants are ours. For the last model of SGD we use
    the argument of Shamir and Zhang (2013); chapter 21 has it.

    Parameters
    ----------
    n : int
        :math:`n`, how many clients there are on average. Their number is a Poisson
        variable, so each slot is empty with probability q, independently.
    clip_norm : float
        :math:`G`, at least the norm of every gradient, so that clipping changes
        nothing.
    diameter : float
        :math:`\|\mathcal C\|_2`; the bound is for the learning rate
        :math:`\eta = \|\mathcal C\|_2/\sqrt{G^2 + \sigma^2}`.

    Returns
    -------
    float
        The bound, for a convex loss and clients drawn independently.

    Examples
    --------
    >>> same = dict(n=10**6, p=2, clip_norm=1.0, diameter=2.0)
    >>> [round(fixed_window_risk_bound(1.0, slots=m, **same), 2)
    ...  for m in (10**4, 10**6, 10**8)]  # slots help until most of them are empty
    [2.24, 0.5, 4.1]
    """
    local_epsilon, diameter = checks.moderate(
        local_epsilon=local_epsilon, diameter=diameter
    )
    n, slots = checks.count(n=n, slots=slots)
    clip_norm, check_in_probability = checks.moderate(
        clip_norm=clip_norm, check_in_probability=check_in_probability
    )
    check_probability(check_in_probability)
    if n * check_in_probability < 1e-12 * slots:
        raise ValueError(
            f"`check_in_probability` must be larger, got {check_in_probability!r}: "
            f"hardly one of n={n} clients would ever check in, and nothing is learned."
        )
    variance = local_noise_variance(local_epsilon, p=p, clip_norm=clip_norm)
    used = 1 - exp(-n * check_in_probability / slots)
    second_moment = clip_norm**2 + variance
    return 2 * diameter * sqrt(second_moment / slots) * (2 + log(slots)) / used
