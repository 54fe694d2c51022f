"""Floor 2. Where to look: the saddle points of the integral for δ, to a few percent.

At real c, e^{−cε} E[e^{cL}]/(c (c + 1)) is least where c is the saddle point, and there
a Gaussian integral gives δ roughly. No bound that is promised rests on these numbers.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import numerics
from ..pairs.listed import ListedPair
from ..pairs.pair import Pair, cumulants

# Tilts are sought from here to there, in units of one over the losses' spread where it
# is far from 1, so many a decade
LEAST, MOST, DENSE = 1e-4, 1e10, 4


def tilts(pairs: Sequence[tuple[Pair, int]]) -> np.ndarray:
    """List the tilts among which a saddle point is sought."""
    spread = _spread(coarse(pairs))
    low, high = LEAST / max(spread, 1.0), MOST / min(max(spread, 1e-290), 1.0)
    return np.geomspace(low, high, int(DENSE * math.log10(high / low)) + 1)


def coarse(pairs: Sequence[tuple[Pair, int]]) -> list[tuple[Pair, int]]:
    """Take lists of losses with fewer of them, for a search alone."""
    return [(p.coarse if isinstance(p, ListedPair) else p, k) for p, k in pairs]


def _spread(pairs: Sequence[tuple[Pair, int]]) -> float:
    # the standard deviation of all losses together, hardly tilted
    c = LEAST
    for _ in range(8):
        variance = float(cumulants(pairs, np.asarray([c]))[2, 0])
        if math.isfinite(variance) and c * c * variance <= 1:
            return math.sqrt(variance) if variance > 0 else 1.0
        c = 0.1 / math.sqrt(variance) if math.isfinite(variance) else c / 1e4
    return 1.0


def _rough(
    pairs: Sequence[tuple[Pair, int]], c: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # The ε whose saddle point is c, and roughly ln δ there
    value, first, second = cumulants(pairs, c)
    far = ~np.isfinite(value)  # out of the accountants' range
    value, first, second = (np.where(far, 0.0, x) for x in (value, first, second))
    epsilon = first - 1 / c - 1 / (1 + c)
    spread = second + (1 / c) ** 2 + (1 / (1 + c)) ** 2
    size = np.log(c) + np.log1p(c) + numerics.log_of(2 * np.pi * spread) / 2
    rough = value - c * epsilon - size
    return np.where(far, np.inf, epsilon), np.where(far, -np.inf, rough)


def saddle_at_epsilon(pairs: Sequence[tuple[Pair, int]], epsilon: float) -> float:
    """Find the saddle point c for this ε."""
    # the ε of which c is the saddle point rises with c
    return _saddle(pairs, lambda epsilons, _: np.searchsorted(epsilons, epsilon))[0]


def saddle_at_delta(
    pairs: Sequence[tuple[Pair, int]], log_delta: float
) -> tuple[float, float]:
    """Find the saddle point c for this ln δ, and its ε."""
    # the rough δ falls as c grows
    return _saddle(pairs, lambda _, rough: np.searchsorted(-rough, -log_delta))


def _saddle(
    pairs: Sequence[tuple[Pair, int]], place: Callable[..., Any]
) -> tuple[float, float]:
    """Narrow tilts down to where ε no longer changes much from one to the next."""
    pairs = coarse(pairs)
    c = tilts(pairs)
    epsilon, rough = _rough(pairs, c)
    for level in range(8):
        at = min(max(int(place(epsilon, rough)), 1), len(c) - 1)
        low, high = epsilon[at - 1], epsilon[at]
        close = abs(high - low) <= 0.1 * abs(high) or c[at] < c[at - 1] * (1 + 1e-9)
        if close and level > 1:
            break
        c = np.geomspace(c[at - 1], c[at], 17)
        epsilon, rough = _rough(pairs, c)
    return float(c[at]), max(float(epsilon[at]), 0.0)


def saddle_of_difference(
    pairs: Sequence[tuple[Pair, int]],
    less: Sequence[tuple[Pair, int]],
    epsilon: float,
    most: float,
) -> float:
    """Find a good c, at most ``most``, for the moments minus those of other pairs."""
    c = most * np.geomspace(1e-3, 1, 61)
    pairs, less = coarse(pairs), coarse(less)
    here, there = cumulants(pairs, c)[0], cumulants(less, c)[0]
    difference = here + np.log(np.maximum(-np.expm1(there - here), 1e-15))
    return float(c[np.argmin(difference - c * epsilon - np.log(c * (c + 1)))])
