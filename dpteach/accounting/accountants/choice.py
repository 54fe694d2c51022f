"""Floor 2. Which accountant prices an event: the exact one, or the sharpest bounds."""

import contextlib
import math
from collections.abc import Callable
from dataclasses import replace

from ...checks import LEAST
from ..moments.conversion import OutOfDigits
from ..pairs.releases import Releases
from ..rules.pure_mixture import TooManyTerms
from .closed_forms import closed_form, exact
from .concentrated import concentrated
from .contour_curve import contour
from .curve import Bounds, Curve
from .elementary import elementary
from .grid import loss_distribution
from .renyi import renyi

ACCOUNTANTS = {
    "exact": exact,
    "contour": contour,
    "loss_distribution": loss_distribution,
    "renyi": renyi,
    "concentrated": concentrated,
}
# If the two sides differ by more than this share, other bounds are compared.
WIDE = 1e-5

Query = Callable[[Curve], Bounds]


def best(releases: Releases, query: Query) -> tuple[Bounds, Curve]:
    """Take the exact number, else the contour's, else the sharpest bounds of all."""
    if releases.beyond:
        (_, upper), curve = best(releases.within(), query)
        method = f"{curve.method}, {next(iter(releases.beyond)).simpler}"
        lower = min(query(elementary(releases))[0], upper)
        return (lower, upper), replace(curve, kind="upper bound", method=method)
    if releases.concentrated:
        return _concentrated(releases, query)
    if closed_form(releases) is not None:
        try:
            curve = exact(releases)
            return query(curve), curve
        except TooManyTerms:
            pass
    results = _integrated(releases, query)
    # a random step costs no more than a known one, and its own price may be coarse
    known = releases.with_known_steps()
    if known is not None:
        (_, upper), curve = best(known, query)
        results.append(((0.0, upper), replace(curve, kind="upper bound")))
    if not results:
        raise OutOfDigits("every accountant found too few digits")
    (_, upper), curve = min(results, key=lambda result: result[0][1])
    return (max(lower for (lower, _), _ in results), upper), curve


def _concentrated(releases: Releases, query: Query) -> tuple[Bounds, Curve]:
    """Bound from above by ρ and orders; from below by Gaussian releases of this ρ."""
    results = []
    for accountant in (renyi, concentrated, elementary):
        with contextlib.suppress(ArithmeticError, MemoryError):
            curve = accountant(releases)
            results.append((query(curve)[1], curve))
    if not results:
        raise OutOfDigits("every accountant found too few digits")
    upper, curve = min(results, key=lambda result: result[0])
    lower = 0.0
    with contextlib.suppress(ArithmeticError, MemoryError):
        lower = best(releases.as_gaussian(), query)[0][0]
    return (min(lower, upper), upper), replace(curve, kind="upper bound")


def _integrated(releases: Releases, query: Query) -> list[tuple[Bounds, Curve]]:
    """Ask the accountants in turn, until one is sharp, or all of them together are.

    The grid takes longest and is asked last.
    """
    results, sharp, highest, least = [], False, 0.0, math.inf
    for accountant in (contour, renyi, elementary, loss_distribution):
        # Rényi moments are those of the worst choices, not of a pair that dominates all
        if sharp and not (accountant is renyi and releases.selections):
            continue
        try:
            curve = accountant(releases)
            (lower, upper), gap = curve.evaluate(query)
        except (ArithmeticError, MemoryError):  # no digits, no memory: ask the next one
            continue
        results.append(((lower, upper), curve))
        highest, least = max(highest, lower), min(least, upper)
        gap = min(gap, least - highest)
        sharp = sharp or gap <= max(WIDE * least, LEAST)
    return results
