"""Wrong private means that many write, and what each reveals: for ``laplace_mean``."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import sqrt

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
        "You divide by the number of records that came. Where records come and go, "
        "that number is private. Divide by n.",
    ),
    (
        lambda x, low, high, n: np.clip(x, low, high).sum(),
        "That is the sum; the mean is asked for.",
    ),
    (
        lambda x, low, high, n: np.clip(x, low, high).sum() / n**2,
        "The sum is divided by n twice.",
    ),
    (
        lambda x, low, high, n: x[(x >= low) & (x <= high)].sum() / n,
        "Numbers outside of the limits are dropped. Move them to the nearest limit.",
    ),
    (
        lambda x, low, high, n: np.clip(x, -high, high).sum() / n,
        "The lower limit is low, not −high.",
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
        lambda low, high, n, eps, replace, m: 1 / n,
        "The noise is divided by n twice: too little of it by a factor of n.",
    ),
    (
        lambda low, high, n, eps, replace, m: n / max(m, 1),
        "The size of the noise depends on how many records came. Take the public n.",
    ),
    (
        lambda low, high, n, eps, replace, m: 2.0,
        "That is twice what is needed: the distance was doubled once too often.",
    ),
    (
        lambda low, high, n, eps, replace, m: eps**2,
        "It grows with eps. A larger eps promises less, and asks for less noise.",
    ),
    (
        lambda low, high, n, eps, replace, m: 1 / sqrt(2),
        "A root of 2 too little: Laplace noise of scale s has deviation √2 s, and the "
        "guarantee is told by the scale.",
    ),
    (
        lambda low, high, n, eps, replace, m: abs(high) / moves(low, high, replace),
        "Which of the two limits is farther from 0? It need not be the upper one.",
    ),
    (
        lambda low, high, n, eps, replace, m: 1 / moves(low, high, replace),
        "The limits do not enter: do numbers in [0, 100] need no more than in [0, 1]?",
    ),
    (
        lambda low, high, n, eps, replace, m: eps,
        "eps does not enter.",
    ),
)
