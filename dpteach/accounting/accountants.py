"""Floor 2. The accountants side by side: each turns what was spent into ε ↦ ln δ."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import numerics
from .closed_forms import closed_form
from .composition import TooManyTerms
from .concentrated import event_rho, zcdp_log_delta
from .contour import Contour, DoesNotDecay
from .gaussian import MARGIN
from .loss_distribution import compose
from .renyi import best_order, renyi_log_delta
from .spending import Spending

# Beside the allowance for rounding that a line makes, a price adds this to ln δ: two
# cuts of a line agree to 1e-9.
CONTOUR_MARGIN = 1e-9


class Unsuited(ArithmeticError):
    """Raised where an accountant cannot price an event; the words say why."""


@dataclass(frozen=True)
class Curve:
    """ε ↦ ln δ, its inverse, what kind of figure it is, and the method in words."""

    log_delta: Callable[[float], float]
    least_epsilon: Callable[[float], float]
    kind: str
    method: str


def excess(log_delta: float, delta: float) -> float:
    """Positive exactly where δ is too large, compared as δ: exp may round up."""
    gap = log_delta - math.log(delta)
    return max(gap, 1e-300) if math.exp(log_delta) > delta else min(gap, 0.0)


def _inverse(
    spent: Spending, log_delta: Callable[[float], float]
) -> Callable[[float], float]:
    # Sampling only lowers a price, so Gaussian releases of all records tell where to
    # stop.
    squares = sum(k / sigma**2 for (sigma, _), k in spent.sampled.items())
    mu = math.sqrt(spent.mu**2 + squares)

    def least_epsilon(delta: float) -> float:
        if excess(log_delta(0.0), delta) <= 0:
            return 0.0
        enough = mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta))
        enough = 1.001 * enough + (1 + 1e-12) * spent.basic
        while excess(log_delta(enough), delta) > 0:  # a loose bound may need more
            enough *= 2
            if enough > 1e15:  # what is lost outright exceeds δ: no ε serves
                return math.inf
        return numerics.safe_root(lambda e: excess(log_delta(e), delta), 0.0, enough)

    return least_epsilon


def _largest_loss(spent: Spending) -> float:
    # Basic composition: beyond it δ is 0
    return math.inf if spent.mu or spent.sampled else spent.basic


def _exact(spent: Spending) -> Curve:
    """Use the closed form."""
    found = closed_form(spent)
    if found is None:
        raise Unsuited("a mixture with samples or choices has no closed form")
    curve, method = found
    most = _largest_loss(spent)
    squares = sum(1 / sigma**2 for sigma, _ in spent.sampled)
    rounding = 1e-15 * ((spent.mu**2 + squares) / 2 + spent.basic)

    def log_delta(epsilon: float) -> float:
        if epsilon >= most:
            return -math.inf
        # A lower ε than asked for, by what rounding may have added to a loss
        return min(curve(epsilon - 1e-15 * epsilon - rounding) + MARGIN, 0.0)

    return Curve(log_delta, _inverse(spent, log_delta), "exact", method)


def _contour(spent: Spending) -> Curve:
    """Integrate the moments."""
    if spent.pure and not spent.mu:
        raise Unsuited("the moments of pure releases alone do not die out")
    integrals = [Contour(spent.pairs(removed)) for removed in spent.directions]

    def log_delta(epsilon: float) -> float:
        value = -math.inf
        for integral in integrals:
            if integral.chernoff(epsilon) > value:  # a bound is cheap, and often enough
                value = max(value, integral.log_delta(epsilon))
        return min(value + CONTOUR_MARGIN, 0.0)

    def least_epsilon(delta: float) -> float:
        target = math.log(delta) - 1.1 * CONTOUR_MARGIN
        epsilon = integrals[0].least_epsilon(target)
        for other in integrals[1:]:
            close = other.chernoff(epsilon) > target
            if close and other.log_delta(epsilon) > target:
                epsilon = max(epsilon, other.least_epsilon(target))
        return epsilon

    return Curve(log_delta, least_epsilon, "estimate", "contour integral of moments")


def _loss_distribution(spent: Spending) -> Curve:
    """Convolve the laws of the losses."""
    most = _largest_loss(spent)

    def log_delta(epsilon: float) -> float:
        value = -math.inf
        if epsilon >= most:
            return value
        for removed in spent.directions:
            pairs = spent.pairs(removed)
            tilt, bound = best_order(pairs, epsilon=epsilon)
            if bound > value:  # else this direction cannot matter
                value = max(value, compose(pairs, tilt, bound).log_delta(epsilon))
        return value

    def least_epsilon(delta: float) -> float:
        epsilon = 0.0
        for removed in spent.directions:
            pairs = spent.pairs(removed)
            tilt, bound = best_order(pairs, log_delta=math.log(delta))
            if bound > epsilon:
                law = compose(pairs, tilt, math.log(delta))
                epsilon = max(epsilon, _inverse(spent, law.log_delta)(delta))
        return min(epsilon, most)

    return Curve(
        log_delta, least_epsilon, "upper bound", "privacy loss distribution on a grid"
    )


def _renyi(spent: Spending) -> Curve:
    """Take the best Rényi order."""
    most = _largest_loss(spent)
    pairs = spent.pairs(removed=True)  # the larger moments of the two directions

    def log_delta(epsilon: float) -> float:
        if epsilon >= most:
            return -math.inf
        return min(renyi_log_delta(pairs, epsilon) + MARGIN, 0.0)

    return Curve(
        log_delta, _inverse(spent, log_delta), "upper bound", "best Rényi order"
    )


def _concentrated(spent: Spending) -> Curve:
    """Add up ρ."""
    rho = event_rho(spent)
    if rho is None:
        raise Unsuited("a sampled release is not ρ-zCDP for any useful ρ")

    def log_delta(epsilon: float) -> float:
        return min(zcdp_log_delta(rho, epsilon) + MARGIN, 0.0)

    return Curve(
        log_delta, _inverse(spent, log_delta), "upper bound", "concentrated privacy"
    )


ACCOUNTANTS = {
    "exact": _exact,
    "contour": _contour,
    "loss_distribution": _loss_distribution,
    "renyi": _renyi,
    "concentrated": _concentrated,
}
Figure = Callable[[Curve], float]


def best(spent: Spending, figure: Figure) -> tuple[float, Curve]:
    """Take the exact figure, else the estimate, else the least upper bound."""
    if closed_form(spent) is not None:
        try:
            curve = _exact(spent)
            return figure(curve), curve
        except TooManyTerms:
            pass
    if spent.sampled and not spent.selections:
        try:
            curve = _contour(spent)
            return figure(curve), curve
        except (DoesNotDecay, Unsuited):
            pass
    curves = _loss_distribution(spent), _renyi(spent)
    figures = [figure(curve) for curve in curves]
    least = int(np.argmin(figures))
    return figures[least], curves[least]
