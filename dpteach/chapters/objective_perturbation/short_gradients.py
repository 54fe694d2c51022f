"""A figure of the chapter on objective perturbation: a draw without a determinant."""

import numpy as np

from ... import checks
from ...algorithms.pure.gradient_norm import gradient_lengths
from ...constraints import Box
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Band, Line, Mark, Sentence, Spent
from ...figures.style import write
from ...losses import Loss
from ...privacy import Relation, Selection
from ...problem import Problem

LINE = np.linspace(-3, 3, 601)


def _value(z: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 1 - np.exp(-((z - y) ** 2) / 2)


def _slope(z: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (z - y) * np.exp(-((z - y) ** 2) / 2)


# A loss with a dip at each label, which forgets labels that are far away: not convex.
DIP = Loss("dip", _value, _slope, None, lipschitz=float(np.exp(-0.5)), smoothness=1.0)


def wells(n: int, *more: float) -> Problem:
    """Put half of n labels at −1 and half at 1.2, and perhaps some more.

    Examples
    --------
    >>> wells(10, 1.2).n
    11
    """
    half = checks.count(2, n=n) // 2
    y = np.concatenate([np.full(half, -1.0), np.full(n - half, 1.2), more])
    return Problem(np.ones((len(y), 1)), y, DIP, Box(-3.0, 3.0))


@figure(
    axes=(
        Axes(
            "model θ",
            "part of the largest",
            xlim=(-3, 3),
            ylim=(0, 1.05),
            title="Where it draws",
        ),
        Axes(
            "model θ",
            "log ratio, in nats",
            xlim=(-3, 3),
            ylim=(-3.5, 3.5),
            title="How far apart two neighbors are",
        ),
    ),
    title="A draw that needs no bowl",
    alt=(
        "In the panel “Where it draws”, a risk with two dips, and a density with three "
        "sharp peaks: one in each dip, and one on the hill between them. In the panel "
        "“How far apart two neighbors are”, the log ratio bends but stays within ε."
    ),
    caption=(
        "Exact, on a grid of 601 models: labels at −1 and 1.2, a loss that is not "
        "convex, clip norm L = 0.61, and one more record at 1.2."
    ),
    identity="two-dips",
    epsilon=Slider((0.3, 0.5, 0.7, 1, 1.5, 2, 3), start=1),
    n=Slider((4, 6, 10, 20, 30, 50, 100), start=30),
)
def three_peaks(epsilon: float, n: int) -> list[Mark]:
    """Draw the distribution of the gradient-norm mechanism on a risk with two dips.

    Examples
    --------
    >>> *_, ratio, _, _ = three_peaks(1.0, 30)
    >>> bool(abs(ratio.y).max() <= 1)
    True
    """
    epsilon = checks.moderate(epsilon=epsilon)
    L, points = DIP.lipschitz, LINE[:, None]
    pair = wells(n), wells(n, 1.2)
    first, second = (
        -epsilon / (2 * L) * gradient_lengths(D, points, clip_norm=L) for D in pair
    )
    ratio = (second - np.logaddexp.reduce(second)) - (
        first - np.logaddexp.reduce(first)
    )
    risk = pair[0].risk(points)
    chance = np.exp(first - np.logaddexp.reduce(first))
    hill = float(chance[np.abs(LINE - 0.1) < 0.3].sum())
    return [
        Line(LINE, risk / risk.max(), "risk, its largest value = 1", "non_private"),
        Line(LINE, np.exp(first - first.max()), "probability", "private"),
        Band(LINE, -epsilon, epsilon, "what ε allows", "bound", panel=1),
        Line(LINE, ratio, "log of the ratio", "measured", panel=1),
        Sentence(
            f"With ε = {{epsilon}} and {{n}} records, one more moves the logarithm by "
            f"at most {write(float(np.abs(ratio).max()))}. A share of {write(hill)} of "
            "the draws lies within 0.3 of θ = 0.1: on the hill between the dips."
        ),
        Spent(Selection(epsilon, relation=Relation.ADD_REMOVE)),
    ]
