"""Figure of the chapter on accountants: the middle of the loss, and its tail."""

from functools import cache
from math import exp, pi, sqrt
from typing import Any

import numpy as np
from scipy.special import ndtr

from ... import checks, numerics
from ...accounting import epsilon_of
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...privacy import Relation, SampledGaussian

DELTA = 1e-6
STEPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
POINTS = 2**17
_Z = np.linspace(-4, 6, 101)
_EDGES = np.append(_Z - 0.05, _Z[-1] + 0.05)
_FAR = np.linspace(0, 9, 46)


def normal_cells(edges: np.ndarray) -> np.ndarray:
    """Compute how likely a standard normal number falls between each two edges.

    It is computed from the smaller tail, so that nothing cancels.

    Examples
    --------
    >>> float(normal_cells(np.array([30.0, 31.0]))[0]) > 0
    True
    """
    return np.where(edges[1:] < 0, np.diff(ndtr(edges)), -np.diff(ndtr(-edges)))


def convolved(mass: np.ndarray, steps: int, exponent: np.ndarray | float = 0.0):
    """Convolve a distribution on a circle of points with itself, ``steps`` times.

    With c times the loss at each point as ``exponent``, losses are tilted before and
    sums tilted back: that changes nothing but the digits.

    Examples
    --------
    >>> convolved(np.array([0.5, 0.5, 0.0, 0.0]), 2).round(12)
    array([0.25, 0.5 , 0.25, 0.  ])
    """
    transform = np.fft.rfft(mass * np.exp(exponent)) ** steps
    return np.fft.irfft(transform, len(mass)) * np.exp(-np.asarray(exponent))


@cache
def moments_of_loss(rate: float) -> tuple[float, float]:
    """Compute mean and standard deviation of one sampled loss at λ = 1.

    Examples
    --------
    >>> mean, deviation = moments_of_loss(1.0)
    >>> round(mean, 9), round(deviation, 9)  # of N(1/2, 1)
    (0.5, 1.0)
    """
    y, width = np.linspace(-12, 13, 5001, retstep=True)
    normal = np.exp(-(y**2) / 2) * width / sqrt(2 * pi)
    loss = np.log1p(rate * np.expm1(y - 0.5))
    mass = normal * np.exp(loss)
    mean = float(mass @ loss)
    return mean, sqrt(float(mass @ (loss - mean) ** 2))


@cache
def run_of_losses(rate: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute the losses of all steps and their probabilities, for a picture.

    The loss of one step is rounded to the nearest point of a grid, which is right to
    the eye and bounds nothing.

    Examples
    --------
    >>> loss, mass = run_of_losses(0.1, 64)
    >>> mean, _ = moments_of_loss(0.1)
    >>> round(float(mass.sum()), 9), round(float(mass @ loss) / (64 * mean), 4)
    (1.0, 1.0)
    """
    mean, deviation = moments_of_loss(rate)
    width = 2 * (12 * sqrt(steps) * deviation + 10) / POINTS
    index = np.arange(-POINTS // 2, POINTS // 2)
    above = _chance_above(rate, width * (np.append(index, POINTS // 2) - 0.5))
    sums = convolved(np.roll(above[:-1] - above[1:], POINTS // 2), steps)
    first = round(steps * mean / width) - POINTS // 2
    loss = width * (first + np.arange(POINTS))
    return loss, np.maximum(np.roll(sums, -(first % POINTS)), 0.0)


def _chance_above(rate: float, loss: np.ndarray) -> np.ndarray:
    # under P, with a record that is sampled at λ = 1: the loss rises with the output
    beyond = np.expm1(np.minimum(loss, 600.0)) / rate
    y = 0.5 + np.log1p(np.maximum(beyond, -1 + 1e-15))
    return (1 - rate) * ndtr(-y) + rate * ndtr(1 - y)


def bell_delta(epsilon: float, mean: float, deviation: float) -> float:
    """Compute δ of a loss that is normal: what a limit theorem would report.

    Examples
    --------
    >>> from dpteach.accounting import gaussian_delta
    >>> round(bell_delta(1.0, 0.5, 1.0) / gaussian_delta(1.0, 1.0), 9)
    1.0
    """
    x = (epsilon - mean) / deviation
    tails = numerics.mills_drop(np.asarray(x), deviation)
    return exp(-(x**2) / 2) / sqrt(2 * pi) * float(tails)


def bell_epsilon(delta: float, mean: float, deviation: float) -> float:
    """Solve for the ε that a normal loss would have at this δ.

    Examples
    --------
    >>> round(bell_epsilon(1e-6, 0.5, 1.0), 3)
    4.887
    """

    def excess(epsilon: float) -> float:
        return bell_delta(epsilon, mean, deviation) - delta

    return numerics.safe_root(excess, mean, mean + 12 * deviation)


def _curves(rate: float, steps: int, mean: float, deviation: float) -> Any:
    # the density of the loss, its δ, and the δ of a bell
    loss, mass = run_of_losses(rate, steps)
    below = np.interp(mean + _EDGES * deviation, loss, np.cumsum(mass))
    epsilons = mean + _FAR * deviation
    tail = [float(mass @ -np.expm1(np.minimum(e - loss, 0))) for e in epsilons]
    bell = [bell_delta(e, mean, deviation) for e in epsilons]
    middle = np.diff(below) / np.diff(_EDGES)
    return middle, np.maximum(tail, 1e-14), np.maximum(bell, 1e-30)


@figure(
    axes=(
        Axes(
            "loss, in deviations from its mean",
            "density",
            xlim=(-4, 6),
            ylim=(0, 0.8),
            title="The middle",
        ),
        Axes(
            "ε, in deviations above the mean loss",
            "δ",
            xlim=(0, 9),
            ylim=(1e-9, 1),
            yscale="log",
            title="The tail",
        ),
    ),
    title="The middle is normal soon, the tail late",
    alt=(
        "In the panel “The middle” the distribution of the loss lies close to a bell "
        "curve. In the panel “The tail” δ falls with ε, and that of the run lies far "
        "above that of the bell where δ is small."
    ),
    caption=(
        "Poisson samples at rate q, Gaussian noise with λ = 1, and a record that is "
        "removed. The bell has the same mean and deviation as the loss of the run. "
        "Curves are computed on a grid, the price of the run is certified."
    ),
    identity="middle-and-tail",
    plays="steps",
    rate=Slider(RATES, start=0.01),
    steps=Slider(STEPS, start=64),
)
def middle_and_tail(rate: float, steps: int) -> list[Mark]:
    """Compare the loss of T sampled releases with a bell, in the middle and far out.

    Examples
    --------
    >>> middle, bell, tail, other, *_ = middle_and_tail(0.01, 1024)
    >>> bool(np.abs(middle.y - bell.y).max() < 0.05)  # the middle is normal
    True
    >>> bool(tail.y[30] > 20 * other.y[30])  # and six deviations up it is not
    True
    """
    checks.one_of(RATES, rate=rate)
    checks.one_of(STEPS, steps=steps)
    event = SampledGaussian(
        1.0, rate=rate, releases=steps, relation=Relation.ADD_REMOVE
    )
    one, apart = moments_of_loss(rate)
    mean, deviation = steps * one, sqrt(steps) * apart
    here, there = epsilon_of(event, DELTA), bell_epsilon(DELTA, mean, deviation)
    middle, tail, bell = _curves(rate, steps, mean, deviation)
    return [
        Line(_Z, middle, "loss of the run", "private"),
        Line(_Z, np.exp(-(_Z**2) / 2) / sqrt(2 * pi), "bell", "reference"),
        Line(_FAR, tail, "loss of the run", "private", panel=1),
        Line(_FAR, bell, "bell", "reference", panel=1),
        Line([0, 9], [DELTA, DELTA], "δ = 10⁻⁶", "bound", panel=1),
        Points(
            [(here - mean) / deviation], [DELTA], "ε of the run", "private", panel=1
        ),
        Sentence(
            "At T = {steps} and q = {rate} the loss has mean {mean} and deviation "
            "{deviation}. At δ = 10⁻⁶ the run costs ε = {price}. A bell would cost "
            "{limit}.",
            {"mean": mean, "deviation": deviation, "price": here, "limit": there},
        ),
        Spent(event, DELTA),
    ]
