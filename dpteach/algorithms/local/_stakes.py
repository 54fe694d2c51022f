"""BANCO's bet without checks, because the algorithm needs it at every step."""

from math import pi, sqrt
from typing import TypeAlias

import numpy as np

from ...numerics import log_sinh_integral

LARGEST = 709.0  # e^709 is a float, e^710 is not
Number: TypeAlias = float | np.ndarray


def stake(x: np.ndarray, y: float, a: float) -> np.ndarray:
    """Compute m for many x at one y > 0, without checks."""
    h = x * (0.5 / sqrt(y))
    size = np.abs(h).max()
    if size < 26 and a * sqrt(y) > size + 6.5:
        # The bump at β = x/2y nearly always lies so far inside (−a, a) that its tails
        # outside hold less than 1e-18 of it: then the closed form reduces to this.
        return sqrt(pi) / (2 * a * y) * h * np.exp(h * h)
    return capped(x, y, a)


def capped(x: Number, y: float, a: float) -> np.ndarray:
    """Compute m without checks, and at most e^709 in size."""
    log_m = np.log(a) + log_sinh_integral(a * np.abs(x), a * a * y)
    return np.sign(x) * np.exp(np.minimum(log_m, LARGEST))
