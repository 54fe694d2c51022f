"""What the bounds on privacy amplification by check-ins and shuffling share."""

from math import expm1, log, sqrt

import numpy as np

from ... import checks


def check_budget(local_epsilon: float, delta: float, clip: bool) -> None:
    """Check the budget of one report, and the target for all of them together."""
    local_epsilon = checks.moderate(local_epsilon=local_epsilon)
    if local_epsilon > 100:
        raise ValueError(
            f"`local_epsilon` must be at most 100, got {local_epsilon}. No bound here "
            "is meaningful at such a budget."
        )
    delta = checks.probability(delta=delta)
    checks.flag(clip=clip)


def check_probability(check_in_probability: float) -> None:
    """Refuse what is not a probability above 0."""
    check_in_probability = checks.moderate(check_in_probability=check_in_probability)
    check_in_probability = checks.between(
        0, 1, check_in_probability=check_in_probability
    )


def check_window(window: int, n: int) -> None:
    """Refuse a window that is longer than the stream of clients."""
    window = checks.count(window=window)
    if window > n:
        raise ValueError(
            f"`window` must be at most n = {n}, got {window}. Updates begin once the "
            "first m clients are awake."
        )


def slot_epsilons(e0: float, p0: float, m: int) -> np.ndarray:
    """Bound the ε of each slot, given all earlier slots. [Lemma A.1]"""
    weight = p0 / (m + p0 * expm1(-e0) * np.arange(m))  # at least the posterior
    return np.log1p(weight * expm1(e0))


def composed(steps: np.ndarray, runs: int, delta: float) -> float:
    """Compose adaptive pure steps. [Kairouz, Oh and Viswanath 2017]"""
    mean = runs * float(np.sum(steps * np.tanh(steps / 2)))
    return mean + sqrt(-2 * log(delta) * runs * float(np.sum(steps**2)))


def composed_squares(squares: float, delta: float) -> float:
    """Compose adaptive pure steps whose squared ε add up to at most ``squares``."""
    return squares / 2 + sqrt(-2 * log(delta) * squares)
