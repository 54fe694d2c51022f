"""Draws from a tilted distribution, of which no weight exceeds a known number."""

from math import exp, log

import numpy as np

from ... import checks
from ._random_visits import Bins, Separated

TILTS = np.geomspace(0.02, 1e6, 200)  # s − 1 if a record leaves, −s if one comes
LEAST = -600.0  # the ln of a bound on weights; a smaller one would not be a number
LARGEST = 1e9  # of the ε for which δ is bounded
HOPELESS = 1e8  # a squared distance beyond which there is no privacy to bound
CHUNK = 1 << 21  # numbers that are drawn at once


def visits_of(
    column: np.ndarray, separation: int, probability: float | None
) -> Bins | Separated:
    """Check what the proofs need of the encoder."""
    if (column < 0).any():
        raise ValueError(
            "`encoder` must have no coefficient below 0, because the worst records "
            "are known for no other."
        )
    if separation > len(column):
        raise ValueError(
            f"`separation` must be at most `steps`={len(column)}, got {separation}."
        )
    if probability is None:
        return Bins(column, separation)
    probability = checks.moderate(probability=probability)
    probability = checks.probability(probability=probability)
    if column[separation:].any():
        raise ValueError(
            f"`encoder` must have at most `separation`={separation} bands, got more. "
            "The columns of two visits must not overlap."
        )
    return Separated(column, separation, probability)


def delta_bound(
    visits: Bins | Separated,
    epsilon: float,
    draws: int,
    claimed: int,
    beta: float,
    rng: np.random.Generator,
) -> float:
    """Bound δ as if ``claimed`` outcomes had been drawn, of which ``draws`` were."""
    if visits.largest() > HOPELESS:
        return 1.0
    epsilon = min(epsilon, LARGEST)  # δ falls with ε
    return max(
        bounded(*weighed(visits, epsilon, leaves, draws, rng), claimed, beta / 2)
        for leaves in (True, False)
    )


def weighed(
    visits: Bins | Separated,
    epsilon: float,
    leaves: bool,
    draws: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the mean of the weights over the largest one, and the latter's ln."""
    s, log_largest = _tilt(visits, epsilon, leaves)
    if log_largest >= 0:  # then draws of the first distribution itself are better
        s, log_largest = float(leaves), 0.0
    total, left = 0.0, draws
    while left > 0:
        size = min(max(1, CHUNK // len(visits.column)), left)
        log_p, log_r = visits.draw(s, size, rng)
        first, second = (log_p, epsilon) if leaves else (0.0, epsilon + log_p)
        excess = -np.expm1(np.minimum(second - first, 0.0))  # (1 − e^ε second/first)₊
        with np.errstate(divide="ignore"):
            log_weights = np.log(excess) + (first - log_r - log_largest)
        # above 0 by rounding alone
        total += float(np.sum(np.exp(np.minimum(log_weights, 0.0))))
        left -= size
    return total / draws, log_largest


def _tilt(
    visits: Bins | Separated, epsilon: float, leaves: bool
) -> tuple[float, float]:
    """Choose s so that the largest weight is least; return both, it as a logarithm."""
    x = TILTS
    s = 1 + x if leaves else -x
    largest = s * visits.log_mean((s - 1) / 2) - x * epsilon
    largest = largest + x * np.log(x) - (1 + x) * np.log1p(x)
    best = int(np.argmin(largest))
    return float(s[best]), max(float(largest[best]), LEAST)


def bounded(mean: float, log_largest: float, draws: int, beta: float) -> float:
    """Bound the expectation by Chernoff's method, for numbers in an interval."""
    from scipy.special import rel_entr

    allowed, low, high = log(1 / beta) / draws, mean, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        apart = float(rel_entr(mean, middle) + rel_entr(1 - mean, 1 - middle))
        low, high = (middle, high) if apart < allowed else (low, middle)
    return min(1.0, exp(log_largest) * high)
