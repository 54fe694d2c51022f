"""Floor 2. What an accountant says about an event: bounds of δ at ε, and of ε at δ."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from ... import numerics
from ...checks import LEAST
from ..moments.conversion import OutOfDigits
from ..pairs.releases import Releases

Bounds = tuple[float, float]


class Unsuited(ArithmeticError):
    """Raised when an accountant cannot price an event; the message says why."""


@dataclass(frozen=True)
class Curve:
    """What an accountant says about an event.

    Parameters
    ----------
    log_delta : callable
        ε ↦ a lower and an upper bound of ln δ.
    least_epsilon : callable
        δ ↦ a lower and an upper bound of ε. A lower bound of 0 carries no information.
    kind, method : str
        What kind of number the upper bound is, and the accountant in words.
    reached : Curve, optional
        What some neighbors reach, if the curve's own lower bounds are only about a
        dominating pair.
    """

    log_delta: Callable[[float], Bounds]
    least_epsilon: Callable[[float], Bounds]
    kind: str
    method: str
    reached: "Curve | None" = None

    def evaluate(self, query: Callable[["Curve"], Bounds]) -> tuple[Bounds, float]:
        """Bound a number from both sides, and say how sharp the computation is."""
        try:
            lower, upper = query(self)
        except OverflowError:
            raise OutOfDigits("its numbers leave the range of floats") from None
        gap = upper - lower
        if self.reached is not None:
            try:
                lower = query(self.reached)[0]
            except ArithmeticError:
                lower = 0.0
        return (min(lower, upper), upper), gap


def demand_pairs(releases: Releases) -> None:
    """Refuse releases of which only Rényi divergences are known."""
    if releases.concentrated:
        raise Unsuited("of a ρ-zCDP release no distribution of losses is known")


def upper_bound(
    releases: Releases, log_delta: Callable[[float], float], method: str
) -> Curve:
    """Make a curve of an upper bound, about which nothing is known from below."""
    least_epsilon = inverse(releases, log_delta)
    return Curve(
        lambda epsilon: (-math.inf, log_delta(epsilon)),
        lambda delta: (0.0, least_epsilon(delta)),
        "upper bound",
        method,
    )


def excess(log_delta: float, delta: float) -> float:
    """Positive exactly where δ is too large, compared as δ: exp may round up."""
    gap = log_delta - math.log(delta)
    rounded_up = math.exp(log_delta) + (LEAST if log_delta > -math.inf else 0.0)
    return max(gap, 1e-300) if rounded_up > delta else min(gap, 0.0)


def inverse(
    releases: Releases, log_delta: Callable[[float], float]
) -> Callable[[float], float]:
    """Invert ε ↦ ln δ, on the side where δ is not too large."""
    # Sampling only lowers a price, so the price without sampling shows where to stop.
    mu = releases.spread

    def least_epsilon(delta: float) -> float:
        if excess(log_delta(0.0), delta) <= 0:
            return 0.0
        enough = mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta))
        # above 0 where μ² is below every float
        enough = max(1.001 * enough + (1 + 1e-12) * releases.basic, LEAST)
        if not math.isfinite(enough):
            raise OutOfDigits("its numbers leave the range of floats")
        for _ in range(60):
            if excess(log_delta(enough), delta) <= 0:
                break
            enough *= 2  # a loose bound may need more
        else:
            return math.inf  # more than δ is lost outright: no ε is enough
        return numerics.safe_root(lambda e: excess(log_delta(e), delta), 0.0, enough)

    return least_epsilon


def largest_loss(releases: Releases) -> float:
    """Return the loss beyond which δ is 0: by basic composition."""
    return releases.basic if releases.bounded else math.inf


def largest_loss_of_pairs(releases: Releases) -> float:
    """Return the same; refuse releases of which only Rényi divergences are known."""
    demand_pairs(releases)
    return largest_loss(releases)
