"""Floor 2. Rényi differential privacy: one moment of the loss at a time.

The Rényi divergence of order α is ln E[e^{(α−1)L}]/(α − 1), where L is the privacy
loss. It adds up over releases, and every order gives an upper bound of δ.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import checks, numerics
from ..integration.saddle import tilts
from ..moments.conversion import OutOfDigits, log_delta_from_moment
from ..pairs.mixtures import MixedGaussian
from ..pairs.pair import GaussianPair, log_lost
from ..pairs.releases import Pairs, Releases
from ..pairs.sampled_gaussian import SampledPair
from ..pairs.truncated import TruncatedSample
from ..rules.gaussian import MARGIN
from .contour_curve import log_kept
from .curve import Bounds, Curve, Unsuited, largest_loss


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
    return SampledPair(sigma, q, True).renyi_moment(alpha - 1) / (alpha - 1)


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


def renyi(releases: Releases) -> Curve:
    """Take the best Rényi order."""
    if releases.with_known_steps():
        raise Unsuited("for random steps it is not proved which moments are larger")
    most = largest_loss(releases)
    directions = moment_pairs(releases)
    lost = max(map(log_lost, directions))

    def log_delta(epsilon: float) -> Bounds:
        if epsilon >= most:
            return -math.inf, -math.inf
        bound = _least(
            directions, lambda moment, s: log_delta_from_moment(moment, s, epsilon)
        )
        return -math.inf, min(float(np.logaddexp(bound, lost)) + MARGIN, 0.0)

    def least_epsilon(delta: float) -> Bounds:
        target = min(log_kept(pairs, delta) for pairs in directions) - MARGIN
        bound = _least(
            directions,
            lambda moment, s: (log_delta_from_moment(moment, s, 0.0) - target) / s,
        )
        return 0.0, min(max(bound, 0.0) * (1 + 1e-14), most)

    return Curve(log_delta, least_epsilon, "upper bound", "best Rényi order")


def moment_pairs(releases: Releases) -> list[Pairs]:
    """List pairs whose moments, the larger of all directions, bound those of all.

    Where noise on a sample is symmetric, a removed record has the larger ones.
    [Mironov, Talwar and Zhang 2019, Theorem 5]
    """
    mixed = any(isinstance(k, MixedGaussian | TruncatedSample) for k in releases.kinds)
    directions = releases.directions if mixed else (True,)
    found = [releases.pairs(removed) for removed in directions]
    if releases.concentrated:  # a Gaussian release of this ρ has just these moments
        gaussian = GaussianPair(math.sqrt(2 * releases.concentrated))
        found = [[*pairs, (gaussian, 1)] for pairs in found]
    return found


def log_moment(pairs: Pairs, s: float) -> float:
    """Add up ln E[e^{sL}]."""
    return sum(k * float(pair.renyi_moment(s)) for pair, k in pairs)


def _least(directions: list[Pairs], bound: Callable[[float, float], float]) -> float:
    """Minimize a bound over the orders: (ln E[e^{sL}], s) ↦ ln δ at an ε, or ε at a δ.

    [Canonne, Kamath and Steinke 2020]
    """
    from scipy.optimize import minimize_scalar

    def at(log_s: float) -> float:
        s = math.exp(log_s)
        try:
            moment = max(log_moment(pairs, s) for pairs in directions)
        except ArithmeticError:  # this order is left out: the others bound δ too
            return math.inf
        return bound(moment, s) if math.isfinite(moment) else math.inf

    coarse = np.log(tilts(directions[0]))
    values = np.array([at(float(log_s)) for log_s in coarse])
    best = int(np.nanargmin(values))
    if not values[best] < math.inf:
        raise OutOfDigits("no order has a moment that can be computed")
    ends = coarse[max(best - 1, 0)], coarse[min(best + 1, len(coarse) - 1)]
    with np.errstate(invalid="ignore"):  # beside an order that was left out
        found: Any = minimize_scalar(
            at, bounds=ends, method="bounded", options={"xatol": 1e-6}
        )
    return float(np.nanmin([found.fun, values[best]]))
