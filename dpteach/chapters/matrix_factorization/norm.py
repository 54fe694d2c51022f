"""Figure of the chapter on matrix factorization: how large the norm of A is."""

from functools import cache
from math import log, pi

import numpy as np

from ... import checks
from ...algorithms.matrices.optimal_factorization import (
    gamma_2_bounds,
    optimal_factorization,
)
from ...algorithms.matrices.optimal_inverse_bands import inverse_power_bands
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence
from ...figures.style import write

LENGTHS = tuple(2**i for i in range(1, 17))
COMPUTED = tuple(T for T in LENGTHS if T <= 256)


@cache
def _optimum(steps: int) -> float:
    return optimal_factorization(steps, objective="max", tolerance=1e-3)[0].max_error


@cache
def _square_root(steps: int) -> float:
    c = np.cumsum(inverse_power_bands(steps, power=0.5).coefficients)  # C = AC⁻¹
    return float(c @ c)  # the last row, times the first column


def _constant(error: float, steps: int) -> float:
    return error - log(steps) / pi


@figure(
    axes=Axes(
        "sums T",
        "noise of the worst sum, less (ln T)/π",
        xlim=(2, 65536),
        ylim=(0.65, 1.1),
        xscale="log",
        xticks=(2, 16, 128, 1024, 8192, 65536),
        yticks=(0.7, 0.8, 0.9, 1.0, 1.1),
    ),
    title="What is known beside the logarithm",
    alt=(
        "Four curves that become level. The square root ends near 1.07, the bound of "
        "Mathias at 0.98, and the lower bound at 0.70. Between the last two the "
        "optimum falls as far as it was computed, to 0.77 at 256 sums."
    ),
    caption=(
        "The error is that of the worst of T sums, at noise multiplier 1. All four "
        "grow like (ln T)/π, which is taken off here. The optimum is drawn to within "
        "0.1%, up to T = 256."
    ),
    identity="beside-the-logarithm",
    steps=Slider(LENGTHS, start=64),
)
def beside_the_logarithm(steps: int) -> list[Mark]:
    """Draw bounds on γ₂(A), and the square root, less (ln T)/π.

    Examples
    --------
    >>> root, upper, best, lower, *_ = beside_the_logarithm(64)
    >>> bool(root.y[5] > upper.y[5] > best.y[5] > lower.y[5])  # T = 64
    True
    """
    checks.one_of(LENGTHS, steps=steps)
    bounds = {T: gamma_2_bounds(T) for T in LENGTHS}
    low, high = bounds[steps]
    near, far = (_constant(error, steps) for error in (low, high))

    def line(errors: list[float], label: str, role: str) -> Line:
        T = LENGTHS[: len(errors)]
        return Line(T, list(map(_constant, errors, T)), label, role)

    return [
        line([_square_root(T) for T in LENGTHS], "square root", "reference"),
        line([bounds[T][1] for T in LENGTHS], "Mathias", "measured"),
        line([_optimum(T) for T in COMPUTED], "optimum", "private"),
        line([bounds[T][0] for T in LENGTHS], "nothing is below", "bound"),
        Points([steps] * 2, [near, far], "your T", "private", moves="steps"),
        Sentence(
            f"Over {{steps}} sums, the least worst error lies between {write(low)} and "
            f"{write(high)}: (ln T)/π is {write(log(steps) / pi)}, and the constant "
            f"beside it lies between {write(near)} and {write(far)}. The square root "
            f"has the worst error {write(_square_root(steps))}."
        ),
    ]
