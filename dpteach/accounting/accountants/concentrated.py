"""Floor 2. The accountant that adds up ρ."""

from ..pairs.releases import Releases
from ..rules.concentrated import zcdp_log_delta
from ..rules.gaussian import MARGIN
from .curve import Curve, Unsuited, upper_bound


def concentrated(releases: Releases) -> Curve:
    """Add up ρ."""
    rho = releases.rho
    if rho is None:
        raise Unsuited("a sampled release is not ρ-zCDP for any useful ρ")

    def log_delta(epsilon: float) -> float:
        return min(zcdp_log_delta(rho, epsilon) + MARGIN, 0.0)

    return upper_bound(releases, log_delta, "concentrated privacy")
