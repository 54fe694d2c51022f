"""Floor 2. The accountants: each one bounds ln δ at a given ε, and ε at a given δ."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ... import numerics
from ...checks import LEAST
from ..integration.contour import Contour
from ..integration.loss_distribution import compose, good_tilts
from ..moments.conversion import OutOfDigits
from ..pairs.pair import Pair, log_lost
from ..pairs.releases import Releases
from ..rules.concentrated import zcdp_log_delta
from ..rules.gaussian import MARGIN
from ..rules.pure_mixture import TooManyTerms
from .closed_forms import closed_form
from .renyi import renyi_log_delta

Bounds = tuple[float, float]
Pairs = Sequence[tuple[Pair, int]]
# If the two sides differ by more than this share, other upper bounds are compared.
WIDE = 1e-5


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
        What kind of figure the upper bound is, and the accountant in words.
    reached : Curve, optional
        What some neighbors reach, if the curve's own lower bounds are only about a
        dominating pair.
    """

    log_delta: Callable[[float], Bounds]
    least_epsilon: Callable[[float], Bounds]
    kind: str
    method: str
    reached: "Curve | None" = None

    def evaluate(self, figure: Callable[["Curve"], Bounds]) -> tuple[Bounds, float]:
        """Bound a figure from both sides, and say how sharp the computation is."""
        try:
            lower, upper = figure(self)
        except OverflowError:
            raise OutOfDigits("its numbers leave the range of floats") from None
        gap = upper - lower
        if self.reached is not None:
            try:
                lower = figure(self.reached)[0]
            except OutOfDigits:
                lower = 0.0
        return (lower, upper), gap


def excess(log_delta: float, delta: float) -> float:
    """Positive exactly where δ is too large, compared as δ: exp may round up."""
    gap = log_delta - math.log(delta)
    rounded_up = math.exp(log_delta) + (LEAST if log_delta > -math.inf else 0.0)
    return max(gap, 1e-300) if rounded_up > delta else min(gap, 0.0)


def _inverse(
    releases: Releases, log_delta: Callable[[float], float]
) -> Callable[[float], float]:
    # Sampling only lowers a price, so the price without sampling shows where to stop.
    mu = releases.spread

    def least_epsilon(delta: float) -> float:
        if excess(log_delta(0.0), delta) <= 0:
            return 0.0
        enough = mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta))
        # above 0 where μ² is below every float
        enough = max(1.001 * enough + (1 + 1e-12) * releases.basic, LEAST)
        while excess(log_delta(enough), delta) > 0:  # a loose bound may need more
            enough *= 2
            if enough > 1e15:  # more than δ is lost outright: no ε is enough
                return math.inf
        return numerics.safe_root(lambda e: excess(log_delta(e), delta), 0.0, enough)

    return least_epsilon


def _upper_bound(
    releases: Releases, log_delta: Callable[[float], float], method: str
) -> Curve:
    # about which nothing is known from below
    inverse = _inverse(releases, log_delta)
    return Curve(
        lambda epsilon: (-math.inf, log_delta(epsilon)),
        lambda delta: (0.0, inverse(delta)),
        "upper bound",
        method,
    )


def _largest_loss(releases: Releases) -> float:
    # Basic composition: beyond it δ is 0
    return releases.basic if releases.bounded else math.inf


def _exact(releases: Releases) -> Curve:
    """Use the closed form."""
    found = closed_form(releases)
    if found is None:
        raise Unsuited("a mixture with samples or choices has no closed form")
    curve, method = found
    most = _largest_loss(releases)
    rounding = 1e-15 * (releases.spread**2 / 2 + releases.basic)

    def upper(epsilon: float) -> float:
        if epsilon >= most:
            return -math.inf
        # A slightly lower ε than was asked for, because rounding may have raised a loss
        return min(curve(epsilon - 1e-15 * epsilon - rounding) + MARGIN, 0.0)

    def lower(epsilon: float) -> float:
        epsilon = epsilon + 1e-15 * epsilon + rounding
        return -math.inf if epsilon >= most else curve(epsilon) - MARGIN

    above, below = _inverse(releases, upper), _inverse(releases, lower)
    return Curve(
        lambda epsilon: (lower(epsilon), upper(epsilon)),
        lambda delta: (below(delta) * (1 - 1e-14), above(delta)),
        "exact",
        method,
    )


def _contour(releases: Releases) -> Curve:
    """Integrate the moments, in each direction of a change."""
    curve = _integrated(releases, releases.pairs)
    if all(kind.tight for kind in releases.kinds):
        return curve
    return replace(curve, reached=_integrated(releases, releases.reached))


def _integrated(releases: Releases, pairs: Callable[[bool], Pairs]) -> Curve:
    integrals = [Contour(pairs(removed)) for removed in releases.directions]
    # choices of bounded range may be better than their dominating pair
    tight, most = not releases.selections, _largest_loss(releases)

    def log_delta(epsilon: float) -> Bounds:
        found = -math.inf, -math.inf
        for integral in integrals:
            found = _worse_delta(integral, epsilon, *found)
        return (found[0] if tight else -math.inf), found[1]

    def least_epsilon(delta: float) -> Bounds:
        target = math.log(delta) - 1e-15
        for integral in integrals:
            _log_kept(integral.pairs, delta)
        first, *others = integrals
        found = first.least_epsilon(target)
        for integral in others:
            found = _worse_epsilon(integral, target, *found)
        return (found[0] if tight else 0.0), min(found[1], most)

    return Curve(log_delta, least_epsilon, "upper bound", "contour integral of moments")


def _log_kept(pairs: Pairs, delta: float) -> float:
    # ln of what is left of δ after what counts as lost outright
    kept = delta - math.exp(log_lost(pairs))
    if kept <= 0:
        raise OutOfDigits("more than δ is lost outright in listing the losses")
    return math.log(kept)


def _worse_delta(
    integral: Contour, epsilon: float, lower: float, upper: float
) -> Bounds:
    # Account for one more direction; a moment's bound is cheap and often sufficient.
    at_most = integral.chernoff(epsilon)
    if at_most <= upper:
        return lower, upper
    try:
        low, high = integral.bounds(epsilon)
    except OutOfDigits:
        low, high = -math.inf, at_most
    return max(lower, low), max(upper, min(high, at_most))


def _worse_epsilon(
    integral: Contour, target: float, lower: float, upper: float
) -> Bounds:
    if integral.chernoff(upper) <= target:
        return lower, upper
    try:
        if integral.bounds(upper)[1] <= target:
            return lower, upper
        low, high = integral.least_epsilon(target)
    except OutOfDigits:
        low, high = 0.0, integral.chernoff_epsilon(target, upper)
    return max(lower, low), max(upper, high)


def _loss_distribution(releases: Releases) -> Curve:
    """Convolve the distributions of losses, tilted in several ways: all are valid."""
    most = _largest_loss(releases)
    directions = [releases.pairs(removed) for removed in releases.directions]

    def log_delta(epsilon: float) -> float:
        value = -math.inf
        for pairs in directions if epsilon < most else ():
            tilts, bound, _ = good_tilts(pairs, epsilon=epsilon)
            if bound > value:  # else this direction cannot matter
                grids = (compose(pairs, c, bound, epsilon) for c in tilts)
                value = max(value, min(bound, *(g.log_delta(epsilon) for g in grids)))
        return value

    def least_epsilon(delta: float) -> float:
        epsilon = 0.0
        for pairs in directions:
            tilts, bound, near = good_tilts(pairs, log_delta=_log_kept(pairs, delta))
            if bound > epsilon:
                grids = (compose(pairs, c, math.log(delta), near / 2) for c in tilts)
                found = [_inverse(releases, grid.log_delta)(delta) for grid in grids]
                epsilon = max(epsilon, min(bound, *found))
        return min(epsilon, most)

    return Curve(
        lambda epsilon: (-math.inf, log_delta(epsilon)),
        lambda delta: (0.0, least_epsilon(delta)),
        "upper bound",
        "privacy loss distribution on a grid",
    )


def _renyi(releases: Releases) -> Curve:
    """Take the best Rényi order."""
    most = _largest_loss(releases)
    pairs = releases.pairs(removed=True)  # the larger moments of the two directions
    if releases.with_known_steps():
        raise Unsuited("for random steps it is not proved which moments are larger")

    def log_delta(epsilon: float) -> float:
        if epsilon >= most:
            return -math.inf
        by_moments = renyi_log_delta(pairs, epsilon)
        return min(float(np.logaddexp(by_moments, log_lost(pairs))) + MARGIN, 0.0)

    return _upper_bound(releases, log_delta, "best Rényi order")


def _concentrated(releases: Releases) -> Curve:
    """Add up ρ."""
    rho = releases.rho
    if rho is None:
        raise Unsuited("a sampled release is not ρ-zCDP for any useful ρ")

    def log_delta(epsilon: float) -> float:
        return min(zcdp_log_delta(rho, epsilon) + MARGIN, 0.0)

    return _upper_bound(releases, log_delta, "concentrated privacy")


ACCOUNTANTS = {
    "exact": _exact,
    "contour": _contour,
    "loss_distribution": _loss_distribution,
    "renyi": _renyi,
    "concentrated": _concentrated,
}


def best(releases: Releases, figure: Callable[[Curve], Bounds]) -> tuple[Bounds, Curve]:
    """Take the exact figure, else the contour's, else the least upper bound."""
    known = releases.with_known_steps()
    if known is None:
        return _best(releases, figure)
    # a random step costs no more than a known one, and its own price may be coarse
    (_, upper), curve = best(known, figure)
    curve = replace(curve, kind="upper bound")
    lower = 0.0
    try:
        (lower, least), sharper = _best(releases, figure)
    except OutOfDigits:
        return (lower, upper), curve
    return (lower, min(least, upper)), (sharper if least <= upper else curve)


def _best(
    releases: Releases, figure: Callable[[Curve], Bounds]
) -> tuple[Bounds, Curve]:
    if closed_form(releases) is not None:
        try:
            curve = _exact(releases)
            return figure(curve), curve
        except TooManyTerms:
            pass
    found = []
    for accountant in (_contour, _loss_distribution, _renyi):
        try:
            curve = accountant(releases)
            (lower, upper), gap = curve.evaluate(figure)
        except (OutOfDigits, Unsuited, OverflowError):  # its numbers are no floats
            continue
        if gap <= max(WIDE * upper, LEAST):
            return (lower, upper), curve
        found.append(((lower, upper), curve))
    if not found:
        raise OutOfDigits("every accountant found too few digits")
    (_, upper), curve = min(found, key=lambda each: each[0][1])
    return (max(lower for (lower, _), _ in found), upper), curve
