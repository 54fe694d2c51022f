"""Floor 2. Rényi differential privacy: one moment of the loss at a time.

The Rényi divergence of order α is ln E[e^{(α−1)L}]/(α − 1), where L is the privacy
loss. It adds up over releases, and every order gives an upper bound of δ.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import checks, numerics
from ..moments.conversion import OutOfDigits, log_delta_from_moment
from ..pairs.pair import Pair, SelectionPair
from ..pairs.sampled_gaussian import SampledPair


def sampled_gaussian_rdp(
    order: float, *, rate: float, noise_multiplier: float
) -> float:
    r"""Compute the Rényi divergence of one Poisson-sampled Gaussian release.

    Parameters
    ----------
    order : float
        :math:`\alpha > 1`, whole or not.
    rate : float
        :math:`q`, the probability that a record is in the sample, above 0, at most 1.
    noise_multiplier : float
        :math:`\lambda`, the noise's standard deviation over the clip norm.

    Returns
    -------
    float
        :math:`D_\alpha` in nats, for adding or removing a record, whichever is larger:
        :math:`\frac{1}{\alpha-1}\ln\mathbb E[(1-q+q\,e^{(2x-1)/2\lambda^2})^\alpha]`
        over :math:`x \sim \mathcal N(0,\lambda^2)`.

    Examples
    --------
    >>> small, large = (sampled_gaussian_rdp(order, rate=0.01, noise_multiplier=1.0)
    ...                 for order in (8, 32))
    >>> round(small / 8, 6), round(large / 32, 2)  # α q²/2λ² holds for low orders alone
    (0.000112, 0.35)
    """
    order = checks.finite(order=order)
    if not order > 1:
        raise ValueError(
            f"`order` must be above 1, got {order!r}. Order 1 is the limit, where the "
            "divergence is the mean loss; take 1.0001."
        )
    rate, noise_multiplier = checks.positive(
        rate=rate, noise_multiplier=noise_multiplier
    )
    if rate > 1:
        raise ValueError(
            f"`rate` must be a probability, at most 1, got {rate!r}. "
            "Give the expected share of the records in one sample."
        )
    _within_reach("noise_multiplier", noise_multiplier, 0.05, 1e8)
    _within_reach("order", order, 1, 1e4)
    alpha, q, sigma = float(order), float(rate), float(noise_multiplier)
    if q == 1:
        return alpha / (2 * sigma**2)
    if alpha.is_integer():
        return _whole_order(int(alpha), q, sigma) / (alpha - 1)
    return _moment(SampledPair(sigma, q, True), alpha - 1) / (alpha - 1)


def _within_reach(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(
            f"`{name}` must be between {low:g} and {high:g} here, got {value!r}. "
            "Outside of that range the integral is not computed."
        )


def _whole_order(alpha: int, q: float, sigma: float) -> float:
    # ln Σ_i C(α, i) (1 − q)^{α−i} q^i e^{(i² − i)/2σ²} = ln (1 + Σ_i binomial · (e^… −
    # 1))
    i = np.arange(2, alpha + 1, dtype=float)
    log_odds = math.log1p(-q) - math.log(q)
    log_mass = numerics.log_binomial(i, alpha, log_odds)
    exponent = (i * i - i) / (2 * sigma**2)
    size = np.where(exponent < 30, np.log(np.expm1(np.minimum(exponent, 30))), exponent)
    terms = log_mass + size
    top = float(np.max(terms))
    return float(np.logaddexp(0, top + math.log(float(np.sum(np.exp(terms - top))))))


def _moment(pair: Pair, s: float) -> float:
    return float(pair.log_moments(np.asarray([s]))[0])


def renyi_moment(pair: Pair, s: float) -> float:
    """Compute ln E[e^{sL}] of one release at its worst for this s > 0."""
    if not isinstance(pair, SelectionPair):
        return _moment(pair, s)
    # Losses t and t − ε; the worst t for this s, in closed form. At most s(s+1)ε²/8.
    epsilon = pair.epsilon
    quadratic = s * (s + 1) * epsilon**2 / 8
    if epsilon * (s + 1) < 1e-3 or epsilon > 500:
        return min(quadratic, s * epsilon)
    log_a = epsilon + math.log1p(-math.exp(-(s + 1) * epsilon))
    log_b = math.log1p(-math.exp(-s * epsilon))
    t = min(max(math.log(s / (s + 1)) + log_a - log_b, 0.0), epsilon)
    rest = math.exp(log_a - t) - math.exp(log_b)
    return min(quadratic, (s + 1) * t + math.log(rest) - math.log(math.expm1(epsilon)))


def renyi_log_delta(pairs: Sequence[tuple[Pair, int]], epsilon: float) -> float:
    """Bound ln δ by the best order. [Canonne, Kamath and Steinke 2020]"""

    def bound(s: float) -> float:
        try:
            total = sum(k * renyi_moment(pair, s) for pair, k in pairs)
        except OutOfDigits:  # this order is left out: the others bound δ too
            return math.inf
        return float(log_delta_from_moment(total, s, epsilon))

    found = _least(bound)
    if found == math.inf:
        raise OutOfDigits("no order has a moment that can be computed")
    return found


def _least(bound: Callable[[float], float]) -> float:
    from scipy.optimize import minimize_scalar

    coarse = np.geomspace(1e-6, 1e4, 50)
    values = [bound(float(s)) for s in coarse]
    at = int(np.argmin(values))
    ends = coarse[max(at - 1, 0)], coarse[min(at + 1, len(coarse) - 1)]
    found: Any = minimize_scalar(
        lambda log_s: bound(math.exp(log_s)),
        bounds=tuple(np.log(ends)),
        method="bounded",
        options={"xatol": 1e-6},
    )
    return min(float(found.fun), values[at])
