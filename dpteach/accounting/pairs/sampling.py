"""Floor 2. What a sample of records does to a loss, and to a δ."""

import math

import numpy as np


def log_mixed(q: float, log_ratio: np.ndarray) -> np.ndarray:
    """Compute ln(1 − q + q e^ℓ), where ℓ is ln of a likelihood ratio, to rounding."""
    gained = q * np.expm1(np.minimum(log_ratio, 500))
    near = np.log1p(np.maximum(gained, -0.5))
    if q > 0.5:  # then 1 − q is exact, and its digits count where little is left
        low = np.log((1 - q) + q * np.exp(np.minimum(log_ratio, 0)))
        near = np.where(gained < -0.5, low, near)
    return np.where(log_ratio < 500, near, math.log(q) + log_ratio)


def both_directions(q: float, epsilon: float) -> list[tuple[float, float]]:
    """List ln w and ε' so that w δ(ε') is the δ of a sampled release, if δ is its own.

    Removing: q δ(ln(1 + (e^ε − 1)/q)). Adding: what remains after e^ε (1 − q) of the
    part without the record cancels against itself; there may be nothing left.
    """
    epsilon = max(epsilon, 0.0)
    inner = (
        math.log1p(math.expm1(epsilon) / q) if epsilon < 500 else epsilon - math.log(q)
    )
    found = [(math.log(q), inner)]
    log_other = epsilon + math.log1p(-q) if q < 1 else -math.inf
    if log_other < 0:
        log_left = math.log(-math.expm1(log_other))
        found.append((log_left, epsilon + math.log(q) - log_left))
    return found
