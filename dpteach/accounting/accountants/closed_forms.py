"""Floor 2. The prices that have a closed form: ln δ at ε, exact but for rounding."""

import math
from collections.abc import Callable
from typing import Any

from ..pairs.pair import SelectionPair
from ..pairs.releases import Releases
from ..rules.gaussian import MARGIN
from ..rules.pure_mixture import log_delta_mixture
from .curve import Curve, Unsuited, demand_pairs, inverse, largest_loss


def closed_form(releases: Releases) -> tuple[Callable[[float], float], str] | None:
    """Find ε ↦ ln δ and its name, or None where there is no closed form."""
    pure, mu = releases.pure, releases.mu
    selections, kinds = releases.selections, releases.kinds
    if not selections and not kinds:
        method = "Gaussian differential privacy"
        if pure:
            method = "optimal composition of pure releases"
            if mu:
                method = "average of Gaussian prices over the pure loss"
        return lambda e: log_delta_mixture(pure, mu, e), method
    if pure or mu or sum((*selections.values(), *kinds.values())) > 1:
        return None
    for epsilon in selections:
        return SelectionPair(epsilon).log_delta, "bounded range of one choice"
    kind: Any = next(iter(kinds))
    return (kind.log_delta, kind.method) if kind.has_closed_form else None


def exact(releases: Releases) -> Curve:
    """Price by the closed form."""
    demand_pairs(releases)
    form = closed_form(releases)
    if form is None:
        raise Unsuited("a mixture with samples or choices has no closed form")
    curve, method = form
    most = largest_loss(releases)
    rounding = 1e-15 * (releases.spread**2 / 2 + releases.basic)

    def upper(epsilon: float) -> float:
        if epsilon >= most:
            return -math.inf
        # A slightly lower ε than was asked for, because rounding may have raised a loss
        return min(curve(epsilon - 1e-15 * epsilon - rounding) + MARGIN, 0.0)

    def lower(epsilon: float) -> float:
        epsilon = epsilon + 1e-15 * epsilon + rounding
        return -math.inf if epsilon >= most else curve(epsilon) - MARGIN

    above, below = inverse(releases, upper), inverse(releases, lower)
    return Curve(
        lambda epsilon: (lower(epsilon), upper(epsilon)),
        lambda delta: (below(delta) * (1 - 1e-14), above(delta)),
        "exact",
        method,
    )
