"""Figure of the chapter on accountants: a tilt keeps the digits of the tail."""

from math import pi, sqrt

import numpy as np

from ... import checks
from ...accounting import gaussian_delta
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation
from .losses import convolved, normal_cells

STEPS = 16
TILTS = even(0, 20, 0.5)
EPSILON = 12.0
WIDTH, SIZE = 0.0015, 2**15  # of a cell of losses, and how many there are
LEAST = 1e-45


def sums_of_losses(tilt: float) -> tuple[np.ndarray, np.ndarray]:
    """Convolve the loss of 16 releases with μ = 1 together, through a tilt.

    Examples
    --------
    >>> loss, mass = sums_of_losses(0)
    >>> round(float(mass @ loss), 2)  # μ²/2, and half a cell for each of 16 releases
    0.51
    """
    mu, k = 1 / sqrt(STEPS), np.arange(-SIZE // 2, SIZE // 2)
    edges = WIDTH * np.append(k - 1, k[-1]) / mu - mu / 2
    circle = np.roll(normal_cells(edges), SIZE // 2)
    sums = convolved(circle, STEPS, tilt * WIDTH * np.roll(k, SIZE // 2))
    return WIDTH * k, np.roll(sums, SIZE // 2)


@figure(
    axes=Axes(
        "privacy loss of all releases",
        "density",
        xlim=(0, 20),
        ylim=(LEAST, 10),
        yscale="log",
    ),
    title="A tilt keeps the digits of the tail",
    alt=(
        "On a logarithmic axis the true density falls as a parabola. The points from a "
        "Fourier transform follow it near the tilt, and scatter in a cloud far above "
        "it elsewhere: without a tilt, beyond a loss of 9."
    ),
    caption=(
        "16 Gaussian releases with μ = 1 together. Losses are rounded up to a grid, "
        "convolved by a Fourier transform in double precision, and drawn where the "
        "result is above 0."
    ),
    identity="tilted-losses",
    loss_tilt=Slider(TILTS, start=0),
)
def tilted_losses(loss_tilt: float) -> list[Mark]:
    """Compare a convolution by Fourier transform with the true density.

    Examples
    --------
    >>> from dpteach.figures.marks import Sentence
    >>> [said] = [m for m in tilted_losses(12) if isinstance(m, Sentence)]
    >>> "where it is" in said.text
    True
    """
    checks.one_of(TILTS, loss_tilt=loss_tilt)
    loss, mass = sums_of_losses(loss_tilt)
    z = np.linspace(0, 20, 81)
    true = np.exp(-((z - 0.5) ** 2) / 2) / sqrt(2 * pi)
    drawn = (loss >= 0) & (loss <= 20) & (np.arange(SIZE) % 64 == 0)
    # What is not above 0 lies below the panel, where it is not drawn.
    density = np.clip(mass[drawn] / WIDTH, LEAST / 1e3, 100)
    delta = float(mass @ -np.expm1(np.minimum(EPSILON - loss, 0)))
    event = Gaussian(sqrt(STEPS), releases=STEPS, relation=Relation.ADD_REMOVE)
    exact = gaussian_delta(1.0, EPSILON)
    return [
        Points(loss[drawn], density, "computed", "measured"),
        Line(z, np.maximum(true, LEAST / 10), "true", "reference"),
        Line([EPSILON] * 2, [LEAST, 10], "ε = 12", "bound"),
        Sentence(
            f"With the tilt c = {{loss_tilt}} the transform says δ = {write(delta)} at "
            f"ε = 12, where it is {write(exact)}."
        ),
        Spent(event, exact),
    ]
