"""A figure with every mark, two panels, tied sliders and a slider of words."""

from math import sqrt

import numpy as np

from dpteach.figures import (
    Axes,
    Band,
    Bars,
    Cells,
    Line,
    Points,
    Sentence,
    Spent,
)
from dpteach.figures.explore import (
    Linked,
    Slider,
    explore,
)
from dpteach.privacy import Gaussian, Relation

EPSILONS, STEPS = (0.5, 1.0, 2.0, 4.0), (25, 100, 400)
X = np.linspace(0, 10, 21)


def solve(epsilon: float, steps: int) -> float:
    """Tie the three by a simple rule: twice the budget, half the noise."""
    return sqrt(steps) / epsilon


def everything(epsilon, noise_multiplier, steps, relation):
    """Return one of each mark; each depends on the sliders in its own way."""
    rng = np.random.default_rng(steps)
    wave = epsilon * (1.2 + np.sin(X))  # at 4, it leaves its panel
    return [
        Band(X, wave, wave + 3, "band", "measured"),
        Line(X, wave + 1.5, "line", "measured"),
        Line(X, 0 * X + 2, "still", "reference"),
        Line(X, np.sqrt(X) * noise_multiplier / 20, "bound", "bound"),
        Points(X[::5], rng.uniform(-1, 12, 5), "points", "private"),
        Bars([1, 2, 3], rng.uniform(1, 150, 3), "bars", "broken", panel=1, base=1.0),
        Cells([4, 5, 6, 9], [20, 20, 20, 20], rng.uniform(0, 1, 4),
              "cells", "non_private", panel=1, height=15.0),
        Sentence(f"{{steps}} steps <with> noise {noise_multiplier:.3g}, {relation}."),
        Spent(
            Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE),
            1e-6,
        ),
    ]  # fmt: skip


AXES = (
    Axes("x", "y", xlim=(0, 10), ylim=(0, 10), title="Left"),
    Axes("k", "count", xlim=(0, 8), ylim=(1, 100), yscale="log", title="Right"),
)


def sample(identity: str = "everything", plays: str = "") -> explore:
    """Declare the figure."""
    return explore(
        everything,
        axes=AXES,
        title="Every mark & <more>",
        alt='Curves, bars and cells; "all" of them.',
        caption="Made up for a test.",
        identity=identity,
        plays=plays,
        linked=Linked(("noise_multiplier", "epsilon", "steps"), solve),
        epsilon=Slider(EPSILONS, 1.0),
        noise_multiplier=Slider(),
        steps=Slider(STEPS, 100),
        relation=Slider(("add", "replace"), "add"),
    )
