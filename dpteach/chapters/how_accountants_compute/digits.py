"""Figures of the chapter on accountants: how many points give how many digits.

T Gaussian releases that have μ = 1 together, so that the true δ is known.
"""

from functools import cache
from math import exp, pi, sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_delta
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation
from .losses import convolved, normal_cells

SIZES = tuple(2**k for k in range(3, 15))
GRIDS = SIZES[2:]
STEPS = (1, 4, 16, 64, 256, 1024)
EPSILONS = even(1, 8, 0.25)
LOW, HIGH = -9.5, 10.5  # ten deviations about the mean loss of all releases, 1/2


def _event(steps: int) -> Gaussian:
    return Gaussian(sqrt(steps), releases=steps, relation=Relation.ADD_REMOVE)


def grid_delta(epsilon: float, steps: int, points: int, shared: bool) -> float:
    """Compute δ on a grid: losses are rounded up, or shared between two points.

    Where the sum may leave the grid, nothing is claimed: δ = 1.

    Examples
    --------
    >>> up, dots = (grid_delta(1.0, 16, 4096, shared) for shared in (False, True))
    >>> gaussian_delta(1.0, 1.0) < dots < up < 1.1 * dots
    True
    """
    mu, h = 1 / sqrt(steps), (HIGH - LOW) / points
    k = np.arange(-points // 2, points // 2)  # cell k is from hk to h(k + 1)
    edges = h * np.append(k, points // 2) / mu
    p, q = (normal_cells(edges - mean * mu) for mean in (0.5, -0.5))
    up = p
    if shared:  # so that the totals under P and under Q stay
        up = np.clip((p - q * np.exp(h * k)) / -np.expm1(-h), 0.0, p)
    mass = np.bincount((k + 1) % points, up, points)
    mass += np.bincount(k % points, p - up, points)
    loss = h * np.roll(k, points // 2)
    mean = float(mass @ loss)
    spread = sqrt(steps * float(mass @ (loss - mean) ** 2))
    if steps * mean + 6 * spread > HIGH:
        return 1.0
    sums = convolved(mass, steps)
    at = round(LOW / h) + np.arange(points)
    return float(sums[at % points] @ -np.expm1(np.minimum(epsilon - h * at, 0)))


def saddle(epsilon: float) -> tuple[float, float]:
    """Find the c where the integrand is least, and what δ is by its height and width.

    Examples
    --------
    >>> c, rough = saddle(4.0)
    >>> round(c, 2), round(rough / gaussian_delta(1.0, 4.0), 3)
    (3.96, 0.997)
    """
    c = np.linspace(0.05, 20, 4000)
    height = (c + c**2) / 2 - c * epsilon - np.log(c * (c + 1))
    least = float(c[np.argmin(height)])
    width = 1 + 1 / least**2 + 1 / (least + 1) ** 2
    return least, exp(float(height.min())) / sqrt(2 * pi * width)


def contour_delta(epsilon: float, points: int) -> float:
    """Compute δ as a sum along a line in the complex plane.

    Examples
    --------
    >>> round(contour_delta(4.0, 64) / gaussian_delta(1.0, 4.0), 12)
    1.0
    """
    c, _ = saddle(epsilon)
    s, ds = np.linspace(c - 9j, c + 9j, points, retstep=True)
    bump = np.exp((s + s**2) / 2 - s * epsilon) / (s * (s + 1))
    return float(np.sum(bump * ds).imag) / (2 * pi)


def _error(found: float, true: float) -> float:
    return min(max(abs(found - true) / true, 1e-16), 1e6)


@cache
def _errors(epsilon: float, steps: int) -> tuple[list[float], ...]:
    true = gaussian_delta(1.0, epsilon)
    up, dots = (
        [_error(grid_delta(epsilon, steps, size, shared), true) for size in GRIDS]
        for shared in (False, True)
    )
    line = [_error(contour_delta(epsilon, size), true) for size in SIZES]
    return up, dots, line, [_error(saddle(epsilon)[1], true)] * 2


@figure(
    axes=Axes(
        "points",
        "relative error of δ",
        xlim=(SIZES[0], SIZES[-1]),
        ylim=(1e-16, 1e6),
        xscale="log",
        yscale="log",
        xticks=(8, 64, 512, 4096),
    ),
    title="Points, and digits",
    alt=(
        "On logarithmic axes the error of a grid with losses rounded up falls slowly "
        "as a straight line, that of shared losses twice as steeply. The error of the "
        "contour falls off a cliff to rounding at about forty points. The saddle "
        "point’s error is level, at some percent."
    ),
    caption=(
        "Gaussian releases with μ = 1 together, whose δ is known. Grids of losses "
        "reach ten deviations up and down and are convolved by a Fourier transform "
        "without a tilt; the line of the contour reaches 9 up and down."
    ),
    identity="points-and-digits",
    epsilon=Slider(EPSILONS, start=4),
    steps=Slider(STEPS, start=16),
)
def points_and_digits(epsilon: float, steps: int) -> list[Mark]:
    """Draw the error of δ against the number of points, for four ways to compute it.

    Examples
    --------
    >>> up, dots, line, *_ = points_and_digits(4, 16)
    >>> bool(up.y[-1] > 1e-3), bool(dots.y[-1] < 1e-4), bool(line.y[-1] < 1e-13)
    (True, True, True)
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(STEPS, steps=steps)
    up, dots, line, rough = _errors(float(epsilon), steps)
    digits = SIZES.index(32)
    return [
        Line(GRIDS, up, "grid, rounded up", "bound"),
        Line(GRIDS, dots, "grid, shared", "measured"),
        Line(SIZES, line, "contour", "private"),
        Line([SIZES[0], SIZES[-1]], rough, "saddle point alone", "reference"),
        Sentence(
            f"At T = {{steps}}, take δ at ε = {{epsilon}}. With 32 points the "
            f"contour is off by {write(line[digits])} of it. With {SIZES[-1]:,} points "
            f"a grid is off by {write(up[-1])} of it if losses are rounded up, and by "
            f"{write(dots[-1])} if they are shared."
        ),
        Spent(_event(steps), gaussian_delta(1.0, float(epsilon))),
    ]
