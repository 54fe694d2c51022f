"""Floor 2. The prices that have a closed form: ln δ at ε, exact but for rounding."""

import math
from collections.abc import Callable

from ..pairs.allocation import OneOfSteps
from ..pairs.releases import Releases
from ..pairs.sampled_gaussian import both_directions
from ..rules.gaussian import log_delta as log_delta_gaussian
from ..rules.pure_mixture import log_delta_mixture


def closed_form(releases: Releases) -> tuple[Callable[[float], float], str] | None:
    """Find ε ↦ ln δ and its name, or None where there is no closed form."""
    kinds = (releases.selections, releases.sampled, releases.kinds)
    if not any(kinds):
        method = "Gaussian differential privacy"
        if releases.pure:
            method = "optimal composition of pure releases"
            if releases.mu:
                method = "average of Gaussian prices over the pure loss"
        return lambda e: log_delta_mixture(releases.pure, releases.mu, e), method
    if releases.pure or releases.mu or sum(map(len, kinds)) > 1:
        return None
    if list(releases.selections.values()) == [1]:
        (eta,) = releases.selections
        return lambda e: _log_delta_selection(eta, e), "bounded range of one choice"
    if list(releases.sampled.values()) == [1]:
        ((sigma, q),) = releases.sampled
        return lambda e: _log_delta_sampled(sigma, q, e), "sampling, in closed form"
    if list(releases.kinds.values()) == [1]:
        (kind,) = releases.kinds
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
