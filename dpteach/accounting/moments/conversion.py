"""Floor 2. What one moment of the loss says about δ; every conversion rests on it."""

from typing import Any

import numpy as np


class OutOfDigits(ArithmeticError):
    """Raised when moments are useless: rounding spoils them, or they are too many."""


def log_delta_from_moment(moment: Any, s: Any, epsilon: float) -> Any:
    """Compute the ln of the largest E[(1 − e^{ε−L})₊] that ln E[e^{sL}] allows.

    [Canonne, Kamath and Steinke 2020]
    """
    # s ln s − (1 + s) ln(1 + s), in which two large numbers would cancel
    return moment - s * epsilon - s * np.log1p(1 / s) - np.log1p(s)
