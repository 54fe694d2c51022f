"""Floor 2. Where to look: the saddle points of the integral for δ, to a few percent.

At real c, e^{−cε} E[e^{cL}]/(c (c + 1)) is least where c is the saddle point, and there
a Gaussian integral gives δ roughly. No bound that is promised rests on these numbers.
"""

from collections.abc import Sequence

import numpy as np

from ..pairs.pair import Pair, cumulants

# The tilts among which a saddle point is sought
TILTS = np.geomspace(1e-4, 1e10, 57)


def _rough(
    pairs: Sequence[tuple[Pair, int]], c: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # The ε whose saddle point is c, and roughly ln δ there
    value, first, second = cumulants(pairs, c)
    far = ~np.isfinite(value)  # out of the accountants' range
    value, first, second = (np.where(far, 0.0, x) for x in (value, first, second))
    epsilon = first - 1 / c - 1 / (1 + c)
    spread = second + 1 / c**2 + 1 / (1 + c) ** 2
    size = np.log(c * (1 + c)) + np.log(2 * np.pi * spread) / 2
    rough = value - c * epsilon - size
    return np.where(far, np.inf, epsilon), np.where(far, -np.inf, rough)


def saddle_at_epsilon(pairs: Sequence[tuple[Pair, int]], epsilon: float) -> float:
    """Find the saddle point c for this ε."""
    c = TILTS
    for _ in range(2):  # the ε of which c is the saddle point rises with c
        at = int(np.searchsorted(_rough(pairs, c)[0], epsilon))
        at = min(max(at, 1), len(c) - 1)
        c = np.geomspace(c[at - 1], c[at], 17)
    return float(c[-1])


def saddle_at_delta(
    pairs: Sequence[tuple[Pair, int]], log_delta: float
) -> tuple[float, float]:
    """Find the saddle point c for this ln δ, and its ε."""
    c = TILTS
    for _ in range(2):  # the rough δ falls as c grows
        at = int(np.searchsorted(-_rough(pairs, c)[1], -log_delta))
        at = min(max(at, 1), len(c) - 1)
        c = np.geomspace(c[at - 1], c[at], 17)
    return float(c[-1]), max(float(_rough(pairs, c[-1:])[0][0]), 0.0)


def saddle_of_difference(
    pairs: Sequence[tuple[Pair, int]],
    less: Sequence[tuple[Pair, int]],
    epsilon: float,
    most: float,
) -> float:
    """Find a good c, at most ``most``, for the moments minus those of other pairs."""
    c = most * np.geomspace(1e-3, 1, 61)
    here, there = cumulants(pairs, c)[0], cumulants(less, c)[0]
    difference = here + np.log(np.maximum(-np.expm1(there - here), 1e-15))
    return float(c[np.argmin(difference - c * epsilon - np.log(c * (c + 1)))])
