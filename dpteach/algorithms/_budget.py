"""The ρ of zero-concentrated privacy that guarantees (ε, δ), for the time being.

Floor 2 is about to price choices of bounded range. Until then this root stands here,
and an event of choices is stated as ``Pure``, which never understates its price.
"""

from math import exp, log, log1p

from ..numerics import safe_root
from ..privacy import Pure as Selection

__all__ = ["Selection", "zcdp_rho"]


def zcdp_rho(epsilon: float, delta: float) -> float:
    """Compute the largest ρ that guarantees (ε, δ), by the best single order."""
    from scipy.optimize import minimize_scalar  # scipy where used

    def log_delta(rho: float) -> float:
        def at(t: float) -> float:
            a = 1 + exp(t)
            return (a - 1) * (a * rho - epsilon) - log(a - 1) + a * log1p(-1 / a)

        options = {"xatol": 1e-12}
        best = minimize_scalar(at, bounds=(-20, 20), method="bounded", options=options)
        return best.fun  # pyright: ignore[reportAttributeAccessIssue]

    root = log(1 / delta) ** 0.5
    low = (epsilon / ((epsilon + root * root) ** 0.5 + root)) ** 2  # surely private
    high = low
    while log_delta(high) <= log(delta):
        high *= 2
    return safe_root(lambda rho: log_delta(rho) - log(delta), high, 0.999 * low)
