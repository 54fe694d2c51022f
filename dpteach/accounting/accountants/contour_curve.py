"""Floor 2. The contour accountant: the worse of both directions of a change."""

import functools
import math
from collections.abc import Callable
from dataclasses import replace

from ..integration.contour import Contour
from ..integration.saddle import saddle_at_delta, saddle_at_epsilon
from ..moments.conversion import OutOfDigits
from ..pairs.pair import log_lost
from ..pairs.releases import Pairs, Releases
from .curve import Bounds, Curve, demand_pairs, largest_loss

# Where a lower bound of ε is this close to the upper one, relatively, it is enough
ENOUGH = 1e-7


def contour(releases: Releases) -> Curve:
    """Integrate the moments along a contour, in each direction of a change."""
    demand_pairs(releases)
    curve = _integrated(releases, lambda removed, _: releases.pairs(removed))
    if not releases.selections and all(kind.tight for kind in releases.kinds):
        return curve
    upper = functools.cache(curve.least_epsilon)
    reached = _integrated(releases, releases.reached, lambda delta: upper(delta)[1])
    return replace(curve, least_epsilon=upper, reached=reached)


def _integrated(
    releases: Releases,
    pairs: Callable[[bool, float], Pairs],
    start: Callable[[float], float] | None = None,
) -> Curve:
    """Bound δ and ε by integrals; ``start`` is an upper bound of ε, where one is known.

    Then lower bounds alone are of use, and they are looked for beside it.
    """
    most = largest_loss(releases)

    def log_delta(epsilon: float) -> Bounds:
        order = 1.0  # for choices alone
        if releases.selections:
            order = saddle_at_epsilon(pairs(True, order), epsilon)
        found = -math.inf, -math.inf
        for removed in releases.directions:
            integral = Contour(pairs(removed, order))
            found = _worse_delta(integral, epsilon, *found)
        return found

    def least_epsilon(delta: float) -> Bounds:
        target = math.log(delta) - 1e-15
        order, lower, upper = 1.0, 0.0, 0.0  # the order is for choices alone
        if releases.selections:
            order = saddle_at_delta(pairs(True, order), target)[0]
        near = start(delta) if start else None
        for removed in releases.directions:
            integral = Contour(pairs(removed, order))
            log_kept(integral.pairs, delta)
            lower, upper = _worse_epsilon(integral, target, lower, upper, near)
            if near is not None and lower >= (1 - ENOUGH) * near:
                break
        return lower, min(upper, most)

    return Curve(log_delta, least_epsilon, "upper bound", "contour integral of moments")


def log_kept(pairs: Pairs, delta: float) -> float:
    """Compute ln of what is left of δ after what counts as lost outright."""
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
    integral: Contour,
    target: float,
    lower: float,
    upper: float,
    near: float | None,
) -> Bounds:
    if upper and integral.chernoff(upper) <= target:
        return lower, upper
    try:
        if upper and integral.bounds(upper)[1] <= target:
            return lower, upper
        low, high = integral.least_epsilon(target, near)
    except OutOfDigits:
        low, high = 0.0, integral.chernoff_epsilon(target, upper)
    return max(lower, low), max(upper, high)
