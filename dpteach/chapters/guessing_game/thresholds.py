"""A figure of the chapter on privacy: a threshold is a test, and a point of a curve."""

from typing import Any

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Band,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ._curves import corner_line, least_misses
from .noisy_counts import Distribution, least_noise

THRESHOLDS = even(-4, 5, 0.05)
_COUNTS = np.linspace(-8, 9, 69)  # every quarter of a count
_WIDE = np.linspace(-30, 31, 245)
_UNIT = {"xlim": (0, 1), "ylim": (0, 1), "xticks": (0, 0.5, 1), "yticks": (0, 0.5, 1)}


@figure(
    axes=(
        Axes(
            "noisy count",
            "density, its peak at 1",
            xlim=(-8, 9),
            ylim=(0, 1.12),
            yticks=(0, 0.5, 1),
            title="Above the threshold, say “in”",
        ),
        Axes("false alarms", "misses", **_UNIT, title="What the test is worth"),
    ),
    title="A threshold, and its two errors",
    alt=(
        "In the panel “Above the threshold, say ‘in’”, two bell curves, one shifted by "
        "1, and an upright line between them; the tails that it cuts off are shaded. "
        "In the panel “What the test is worth”, a falling curve with a point on it, "
        "below the straight line of blind guessing."
    ),
    caption=(
        "A count, with noise: without Ann it is centered at 0, with her at 1. Noise "
        "as in the figure before. Each point of the falling curve is one threshold. "
        "Shaded: better than blind, and allowed by the promise."
    ),
    identity="threshold-test",
    in_hand="threshold_test",
    epsilon=Slider(even(0.3, 4, 0.05), start=1),
    noise=Slider(("Laplace", "normal"), start="normal"),
    threshold=Slider(THRESHOLDS, start=0.5),
)
def threshold_test(epsilon: float, noise: str, threshold: float) -> list[Mark]:
    """Say “in” if a noisy count is above a threshold, and see how often that is wrong.

    Examples
    --------
    >>> *_, said, spent = threshold_test(1.0, "Laplace", 0.5)
    >>> said.written[-56:]
    'The promise alone would let a test miss as few as 25.6%.'
    """
    checks.finite(threshold=threshold)
    distribution = least_noise(epsilon, noise)
    alarms, misses = (
        float(distribution.above(threshold)),
        float(1 - distribution.above(threshold - 1)),
    )
    least = least_misses(alarms, epsilon, distribution.delta)
    return [
        *_two_tails(distribution, threshold),
        *_all_tests(distribution, epsilon),
        Points([alarms], [misses], "your test", "measured", panel=1, moves="threshold"),
        Sentence(
            "Say “in” above {threshold}. Then {alarms}% of those who are not in are "
            "accused, and {misses}% of those who are in are missed, under {noise} "
            "noise for ε = {epsilon}. The promise alone would let a test miss as few "
            "as {least}%.",
            {"alarms": 100 * alarms, "misses": 100 * misses, "least": 100 * least},
        ),
        Spent(distribution.event, distribution.delta),
    ]


def _two_tails(distribution: Distribution, threshold: float) -> list[Mark]:
    def density(x: Any) -> Any:
        return np.exp(distribution.log_density(x))

    tail, head = np.maximum(_COUNTS, threshold), np.minimum(_COUNTS, threshold)
    return [
        Band(tail, 0 * tail, density(tail), "false alarms", "broken"),
        Band(head, 0 * head, density(head - 1), "misses", "non_private"),
        Line(_COUNTS, density(_COUNTS - 1), "with Ann", "private"),
        Line(_COUNTS, density(_COUNTS), "without Ann", "reference"),
        Line([threshold, threshold], [0, 1.06], "your test", "measured"),
        Points([threshold], [1.06], "your test", "measured", moves="threshold"),
    ]


def _all_tests(distribution: Distribution, epsilon: float) -> list[Mark]:
    x, y = corner_line(epsilon, distribution.delta, "all of (ε, δ)", "bound").outline.T
    alarms, misses = distribution.above(_WIDE), 1 - distribution.above(_WIDE - 1)
    return [
        Band(x, y, 1 - x, "what the promise allows", "bound", panel=1),
        Line([0, 1], [1, 0], "blind guessing", "reference", panel=1),
        Line(alarms, misses, "all thresholds", "private", panel=1),
    ]
