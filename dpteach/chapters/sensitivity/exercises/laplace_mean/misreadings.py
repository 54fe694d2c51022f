"""Wrong private means that many write, and what each reveals: for ``laplace_mean``."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

import numpy as np


def moves(low: float, high: float, replace: bool) -> float:
    """Compute how far one record moves the sum of clipped numbers, at most."""
    return high - low if replace else max(abs(low), abs(high))


def noiseless(x: np.ndarray, low: float, high: float, n: int) -> float:
    """Add up the clipped numbers, and divide by n."""
    return float(np.clip(x, low, high).sum()) / n


# Functions of (x, low, high, n) that give a wrong mean without noise.
MEANS = (
    (
        lambda x, low, high, n: x.sum() / n,
        "Nothing was clipped: then one record may move the sum by any amount.",
    ),
    (
        lambda x, low, high, n: np.clip(x.sum() / n, low, high),
        "Each number is clipped, before they are added up.",
    ),
    (
        lambda x, low, high, n: np.clip(x, low, high).mean(),
        "You divide by the number of records that came. If records come and go, "
        "that number is private. Divide by the public n.",
    ),
    (
        lambda x, low, high, n: np.clip(x, low, high).sum(),
        "That is the sum; the mean is asked for.",
    ),
    (
        lambda x, low, high, n: x[(x >= low) & (x <= high)].sum() / n,
        "Numbers outside the limits are dropped. Move them to the nearer limit.",
    ),
)

# Functions of (low, high, n, eps, replace, len(x)) that the noise may be off by.
SCALES = (
    (
        lambda low, high, n, eps, replace, m: (
            moves(low, high, not replace) / moves(low, high, replace)
        ),
        "That is the scale for the other relation. What does a neighbor change here: "
        "one number's value, or whether it is there at all?",
    ),
    (
        lambda low, high, n, eps, replace, m: n,
        "That is the noise of the sum, on a mean: n times too much.",
    ),
    (
        lambda low, high, n, eps, replace, m: n / max(m, 1),
        "The size of the noise depends on how many records came. Take the public n.",
    ),
    (
        lambda low, high, n, eps, replace, m: abs(high) / moves(low, high, replace),
        "Which of the two limits is farther from 0? It need not be the upper one.",
    ),
    (
        lambda low, high, n, eps, replace, m: 1 / moves(low, high, replace),
        "The limits do not enter: do numbers in [0, 100] need no more than in [0, 1]?",
    ),
)
