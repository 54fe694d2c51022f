"""Figure of the chapter on composition: five notions, read from one curve."""

from functools import cache

import numpy as np

from ... import checks
from ...accounting import renyi_divergence
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation, SampledGaussian, SampledLaplace

ORDERS = (1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
RATES = even(0.01, 0.3, 0.01)
_CURVE = np.geomspace(1.1, 64, 40)
_ADDED = Relation.ADD_REMOVE


def _runs(rate: float) -> tuple[Gaussian, SampledLaplace, SampledGaussian]:
    return (
        Gaussian(2.0, relation=_ADDED),
        SampledLaplace(1.0, rate=1.0, relation=_ADDED),
        SampledGaussian(1.0, rate=rate, relation=_ADDED),
    )


@cache
def _curves(rate: float) -> list[list[float]]:
    return [[renyi_divergence(run, a) for a in _CURVE.tolist()] for run in _runs(rate)]


@figure(
    axes=Axes(
        "order α",
        "Rényi divergence",
        xlim=(1.1, 64),
        ylim=(5e-5, 100),
        xscale="log",
        yscale="log",
        xticks=(1.1, 2, 4, 8, 16, 32, 64),
    ),
    title="One curve, and what each notion reads from it",
    alt=(
        "On logarithmic axes three rising curves. That of Gaussian noise is a straight "
        "line. That of Laplace noise rises below a line and levels off at a height. "
        "That of sampled Gaussian noise lies low, and takes off at an order that falls "
        "as the sampling rate grows."
    ),
    caption=(
        "A record is added or removed. Gaussian noise with λ = 2; Laplace noise of "
        "scale 1; Gaussian noise with λ = 1 on a Poisson sample at rate q."
    ),
    identity="one-curve",
    order=Slider(ORDERS, start=8),
    rate=Slider(RATES, start=0.1),
)
def one_curve(order: float, rate: float) -> list[Mark]:
    """Draw the Rényi divergence over all orders, and read the notions from it.

    Examples
    --------
    >>> gaussian, laplace, sampled, pure, line, points, *_ = one_curve(8, 0.1)
    >>> points.y.round(3).tolist()  # α/8; below the pure ε; and beyond both
    [1.0, 0.91, 1.378]
    """
    checks.one_of(ORDERS, order=order)
    checks.one_of(RATES, rate=rate)
    runs = _runs(rate)
    normal, laplace, sampled = _curves(rate)
    here = [renyi_divergence(run, float(order)) for run in runs]
    return [
        Line(_CURVE, normal, "Gaussian", "private"),
        Line(_CURVE, laplace, "Laplace", "measured"),
        Line(_CURVE, sampled, "sampled Gaussian", "non_private"),
        Line([1.1, 64], [1, 1], "pure ε of Laplace", "bound"),
        Line(_CURVE, _CURVE / 2, "αρ of Laplace", "reference"),
        Points([order] * 3, here, "at your order", "private"),
        Sentence(
            f"At order α = {{order}} the divergence is {write(here[0])} for Gaussian, "
            f"{write(here[1])} for Laplace and {write(here[2])} for sampled Gaussian "
            "noise at q = {rate}. Laplace noise never exceeds 1, its pure ε."
        ),
        Spent(runs, 1e-6),
    ]
