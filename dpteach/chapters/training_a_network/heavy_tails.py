"""Figure of the chapter on networks: what clipping takes, and what noise adds."""

from functools import cache

import numpy as np

from ... import checks
from ...algorithms.gradients.heavy_tails import (
    clipping_bias_bound,
    heavy_tailed_clip_norm,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Gaussian, Relation

CLIPS = np.geomspace(1, 1000, 61)
MEASURED = CLIPS[::6]
MEANS = 400  # of n records each
COUNTS = (100, 200, 300, 500, 1000, 2000, 3000)


def pareto_bias(tail: float) -> np.ndarray:
    """Compute exactly what clipping takes from the mean of Pareto numbers above 1.

    Examples
    --------
    >>> round(float(pareto_bias(2.0)[0]), 6)  # all above 1: the mean is 2
    1.0
    """
    tail = checks.moderate(tail=tail)
    return CLIPS ** (1 - tail) / (tail - 1)


def _variance(tail: float, bias: np.ndarray) -> np.ndarray:
    # E min(x, L)² = 1 + ∫₁^L 2t · t^{−α} dt
    grown = np.log(CLIPS) if tail == 2 else (CLIPS ** (2 - tail) - 1) / (2 - tail)
    return 1 + 2 * grown - (tail / (tail - 1) - bias) ** 2


@cache
def _measured(tail: float, n: int, mu: float) -> tuple[np.ndarray, np.ndarray]:
    """Measure the squared bias and the variance of noisy means of clipped numbers."""
    rng = np.random.default_rng(0)
    means, cut = np.zeros((2, len(MEASURED), MEANS))
    for i in range(MEANS):
        x = rng.pareto(tail, n) + 1
        kept = np.minimum(x, MEASURED[:, None])
        means[:, i], cut[:, i] = kept.mean(axis=1), (x - kept).mean(axis=1)
    noise = MEASURED[:, None] / (mu * n) * rng.standard_normal(means.shape)
    bias = np.maximum(cut.mean(axis=1), 1e-9)  # below the frame: nothing was cut
    return bias**2, (means + noise).var(axis=1)


@figure(
    axes=Axes(
        "clip norm L",
        "squared error of the mean",
        xlim=(1, 1000),
        ylim=(1e-8, 1e5),
        xscale="log",
        yscale="log",
    ),
    title="Heavy tails: cut, or drown",
    alt=(
        "On logarithmic axes the squared bias falls in a straight line as the clip "
        "norm grows, and its bound runs above it. The variance rises. Points from "
        "simulated means lie on both lines; the best clip norm of the bound is near "
        "the place where they cross."
    ),
    caption=(
        "The mean of n Pareto numbers, 400 times; one of them may be zeroed out. The "
        "measured bias is the mean of what was cut off. The bound uses the moment of "
        "order r = (1 + α)/2, where α is the tail’s exponent."
    ),
    identity="heavy-tails",
    tail=Slider((1.5, 1.75, 2, 2.5, 3, 4, 5), start=3),
    n=Slider(COUNTS, start=1000),
    mu=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3), start=1),
)
def cut_or_drown(tail: float, n: int, mu: float) -> list[Mark]:
    """Compare the bias that clipping makes with the noise that it saves.

    Examples
    --------
    >>> bias, bound, *_ = cut_or_drown(3, 1000, 1)
    >>> bool((bias.y <= bound.y).all())
    True
    """
    mu = checks.moderate(mu=mu)
    checks.one_of(COUNTS, n=n)
    order = (1 + tail) / 2
    known = {"moment": tail / (tail - order), "moment_order": order}
    bias = pareto_bias(tail)
    bound = np.array([clipping_bias_bound(float(L), **known) for L in CLIPS])
    variance = _variance(tail, bias) / n + (CLIPS / (mu * n)) ** 2
    best = heavy_tailed_clip_norm(n=n, p=1, mu=mu, **known)
    seen = _measured(tail, n, mu)
    at = float(np.interp(np.log(best), np.log(CLIPS), bias**2 + variance))
    least = float((bias**2 + variance).min())
    return [
        Line(CLIPS, bias**2, "squared bias", "reference"),
        Line(CLIPS, bound**2, "its bound", "bound"),
        Line(CLIPS, variance, "variance, with the noise", "private"),
        Points(MEASURED, seen[0], "squared bias, measured", "measured"),
        Points(MEASURED, seen[1], "variance, measured", "measured"),
        Sentence(
            f"With α = {{tail}}, {{n}} numbers and μ = {{mu}} the bound’s best clip "
            f"norm is {write(best)}, with a mean squared error of {write(at)}. The "
            f"least over all clip norms is {write(least)}."
        ),
        Spent(Gaussian(1 / mu, relation=Relation.ZERO_OUT), 1e-6),
    ]
