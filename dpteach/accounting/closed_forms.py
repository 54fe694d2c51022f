"""Floor 2. The prices that have a closed form: ln δ at ε, exact but for rounding."""

import math
from collections.abc import Callable

from .allocation import OneOfSteps
from .gaussian import log_delta as log_delta_gaussian
from .pure_mixture import log_delta_mixture
from .sampled import both_directions
from .spending import Spending


def closed_form(spent: Spending) -> tuple[Callable[[float], float], str] | None:
    """Find ε ↦ ln δ and its name, or None where there is no closed form."""
    kinds = (spent.selections, spent.sampled, spent.kinds)
    if not any(kinds):
        method = "Gaussian differential privacy"
        if spent.pure:
            method = "optimal composition of pure releases"
            if spent.mu:
                method = "average of Gaussian prices over the pure loss"
        return lambda e: log_delta_mixture(spent.pure, spent.mu, e), method
    if spent.pure or spent.mu or sum(map(len, kinds)) > 1:
        return None
    if list(spent.selections.values()) == [1]:
        (eta,) = spent.selections
        return lambda e: _log_delta_selection(eta, e), "bounded range of one choice"
    if list(spent.sampled.values()) == [1]:
        ((sigma, q),) = spent.sampled
        return lambda e: _log_delta_sampled(sigma, q, e), "sampling, in closed form"
    if list(spent.kinds.values()) == [1]:
        (kind,) = spent.kinds
        if not isinstance(kind, OneOfSteps) and kind.has_closed_form:
            return kind.log_delta, kind.method
    return None


def _log_delta_selection(eta: float, epsilon: float) -> float:
    # (e^{η/2} − e^{ε/2})²/(e^η − 1), at the worst place of the range
    if epsilon >= eta:
        return -math.inf
    gap = -math.expm1(-(eta - max(epsilon, 0.0)) / 2)
    return 2 * math.log(gap) - math.log(-math.expm1(-eta))


def _log_delta_sampled(sigma: float, q: float, epsilon: float) -> float:
    return max(
        log_weight + float(log_delta_gaussian(1 / sigma, inner))
        for log_weight, inner in both_directions(q, epsilon)
    )
