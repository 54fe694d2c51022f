"""Floor 2. Sums of exponentials at many frequencies: a nonuniform Fourier transform.

The losses of a sampled release lie wherever a rule of quadrature puts them, not on a
grid. So each loss is spread over a few points of a grid by a known bump. One transform
then takes the grid to all frequencies at once, and division by the bump's own transform
removes the spreading. [Dutt and Rokhlin 1993; the Kaiser-Bessel bump as in Barnett,
Magland and af Klinteberg 2019]
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

UNIT = 2.0**-53  # the unit of rounding of double precision
# How many grid points a bump covers, and its shape, for a grid twice as fine as needed.
WIDTH = 16
SHAPE = 2.30 * WIDTH
# Share of a weight that the bump may miss; the tests measure less than half of it.
LEFT_BEHIND = 4e-15
# Between two grid points each of the bump's values is a polynomial, to rounding.
DEGREE = 16
# At least so many nodes are spread at once: their bumps fit into a fast memory.
BLOCK = 2048


def exponential_sums(
    at: np.ndarray, weights: np.ndarray, period: float, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Compute Σ_k weight_k e^{2πij·at_k/period} for j = 0, …, count − 1.

    Each row of ``weights`` gives a row of sums, and a bound of the error of each, in
    the usual model of double precision: an output of the transform passes log₂(points)
    additions, each after a product with a root of unity, and so errs by 6 units a stage
    of the sum of sizes. A relative error of two units in ``at`` comes on top, for the
    caller to count.
    """
    from scipy.fft import next_fast_len, rfft

    points: Any = next_fast_len(4 * count, real=True)
    grid = np.zeros((len(weights), points + WIDTH))
    for k in range(0, len(at), max(BLOCK, points)):
        block = slice(k, k + max(BLOCK, points))
        _spread(grid, at[block] / period * points, weights[:, block])
    grid[:, :WIDTH] += grid[:, points:]  # the grid is a circle
    grid = grid[:, :points]
    # the bump's own transform, WIDTH sinh(r)/r over e^SHAPE
    r = np.sqrt(SHAPE**2 - (math.pi * WIDTH * np.arange(count) / points) ** 2)
    own = WIDTH * np.exp(r - SHAPE) * -np.expm1(-2 * r) / (2 * r)
    total = np.sum(np.abs(weights), axis=1)
    # a bump's own sum is about own[0]; its exponent, at most SHAPE, was rounded
    smeared = own[0] * total * (SHAPE + 20)
    transformed = 6 * math.log2(points) * np.sum(np.abs(grid), axis=1)
    error = UNIT * (smeared + transformed) / float(own[-1]) + LEFT_BEHIND * total
    transform: Any = rfft(grid)
    return np.conj(transform[:, :count]) / own, error


def _spread(grid: np.ndarray, place: np.ndarray, weights: np.ndarray) -> None:
    """Add a bump of each weight around its place to the circle in front of its end."""
    points = grid.shape[1] - WIDTH
    first = np.ceil(place - WIDTH / 2)
    between = 2 * (first - place) + WIDTH - 1  # from −1 to 1
    bump = chebyshev.chebvander(between, DEGREE) @ _bump()
    index = (first.astype(np.intp) % points)[:, None] + np.arange(WIDTH)
    for row, weight in zip(grid, weights, strict=True):
        spread = (bump * weight[:, None]).ravel()
        row += np.bincount(index.ravel(), spread, points + WIDTH)


@cache
def _bump() -> np.ndarray:
    """Interpolate each of the bump's values, as the place moves between two points."""
    from scipy.special import i0e

    def values(between: np.ndarray) -> np.ndarray:
        from_center = (np.arange(WIDTH) + (between[:, None] + 1) / 2) * 2 / WIDTH - 1
        root = np.sqrt(np.maximum(1 - from_center**2, 0))
        return i0e(SHAPE * root) * np.exp(SHAPE * (root - 1))

    interpolate: Any = chebyshev.chebinterpolate
    return interpolate(values, DEGREE)
