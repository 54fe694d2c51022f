"""Runs of DP-SGD with a canary and without it: their scores, and how they are drawn."""

from functools import cache
from math import sqrt

import numpy as np

from ... import checks
from ...algorithms.gradients.sgd import dp_sgd
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.marks import Line
from ...losses import linear
from ...problem import Problem

RUNS = (30, 100, 300, 1000, 3000, 10_000, 30_000)
VIEW = Axes(
    "score of a run",
    "how often",
    xlim=(-4, 5),
    ylim=(0, 1.7),
    yticks=(),
    title="What the attacker sees",
)
_EDGES = np.linspace(*VIEW.xlim, 46)


@cache
def scores(
    noise_multiplier: float, steps: int, noise_share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Run DP-SGD on a canary, and without it, and score each run.

    Examples
    --------
    >>> having, lacking = scores(1.0, 1, 1.0)
    >>> bool(abs(having.mean() - lacking.mean() - 1) < 0.05)
    True
    """
    checks.positive(noise_share=noise_share)
    lam, out = noise_share * noise_multiplier, []
    for seed, gradient in ((0, 1000.0), (1, 0.0)):  # the clip shortens the canary to 1
        canary = Problem(np.array([[gradient]]), np.ones(1), linear, Everywhere())
        path = dp_sgd(
            canary,
            clip_norm=1.0,
            steps=steps,
            noise_multiplier=lam,
            learning_rate=1.0,
            rng=seed,
            runs=(RUNS[-1],),
        ).path
        out.append(-path[-1, :, 0] / (sqrt(steps) * noise_multiplier))
    # the loss is −⟨θ, x⟩ or ⟨θ, x⟩: only how far apart the two are matters
    sign = np.sign(out[0].mean() - out[1].mean())
    return sign * out[0], sign * out[1]


def histogram(scores: np.ndarray, label: str, role: str) -> Line:
    """Draw how often scores fall near each value, per unit, in the second panel.

    Examples
    --------
    >>> drawn = histogram(np.zeros(100), "runs without it", "reference")
    >>> round(float(drawn.y.sum() * (drawn.x[1] - drawn.x[0])), 9)
    1.0
    """
    counts, edges = np.histogram(scores, _EDGES)
    middle, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    return Line(middle, counts / (len(scores) * width), label, role, panel=1)
