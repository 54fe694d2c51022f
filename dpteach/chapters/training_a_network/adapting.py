"""Figure of the chapter on networks: a clip norm follows a quantile, and its price."""

from functools import cache

import numpy as np

from ... import checks
from ...algorithms.gradients.adaptive_clipping import (
    adaptive_dp_sgd,
    adaptive_noise_multiplier,
)
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Trace
from .digits import problem

NOISES = (1.25, 2.5, 5.0, 12.5, 25.0, 50.0, 100.0, 200.0)
QUANTILES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
LAM, BATCH, STEPS, EVERY = 2.0, 240, 128, 4
CURVE = np.geomspace(1.1, 250, 200)


@cache
def followed(count_noise: float, quantile: float) -> tuple:
    """Train once; return the clip norms, the quantile of all norms, and the event.

    Examples
    --------
    >>> clip_norms, norms, event = followed(12.5, 0.5)
    >>> len(clip_norms), len(norms), event.noise_multiplier
    (128, 32, 2.0)
    """
    count_noise = checks.moderate(count_noise=count_noise)
    quantile = checks.probability(quantile=quantile)
    D, trace = problem("network"), Trace()
    out = adaptive_dp_sgd(
        D, rate=BATCH / D.n, batch_size=BATCH, clip_norm=0.1, quantile=quantile,
        count_noise=count_noise, clip_learning_rate=0.2, steps=STEPS,
        noise_multiplier=LAM, learning_rate=2 / D.n, rng=0, trace=trace,
    )  # fmt: skip
    seen = [D.zeros(), *out.path[EVERY - 1 : STEPS - 1 : EVERY]]  # the models θ_t
    norms = [np.quantile(D.gradient_norms(theta), quantile) for theta in seen]
    return np.array(trace["clip_norm"]), np.array(norms), out.event


def _extra(count_noise: float) -> float:
    return 100 * (adaptive_noise_multiplier(LAM, count_noise=count_noise) / LAM - 1)


@figure(
    axes=[
        Axes(
            "step t",
            "norm of the gradient",
            xlim=(0, STEPS),
            ylim=(0.03, 30),
            yscale="log",
            title="A clip norm that follows",
        ),
        Axes(
            "noise on the count, in records",
            "more noise on the gradients, in %",
            xlim=(1, 250),
            ylim=(0.001, 200),
            xscale="log",
            yscale="log",
            title="What the count costs",
        ),
    ],
    title="A clip norm that adapts",
    alt=(
        "Left, over 128 steps, the clip norm starts at a tenth, far below the median "
        "of all norms, reaches it after some thirty steps, and follows it down as "
        "training goes on. Right, on logarithmic axes, the extra noise that the count "
        "costs falls as a straight line: far below one percent at the point."
    ),
    caption=(
        "1,200 images of digits, a network of 2,442 weights, batches of about 240, "
        "λ = 2 for a step with its count, η_L = 0.2. The clip norm is published. The "
        "quantile of all norms is private: this is the curator’s view."
    ),
    identity="adaptive-clip-norm",
    count_noise=Slider(NOISES, start=12.5),
    quantile=Slider(QUANTILES, start=0.5),
)
def following(count_noise: float, quantile: float) -> list[Mark]:
    """Draw a run's clip norm beside the quantile, and what its count costs.

    Examples
    --------
    >>> clip_norm, wanted, *_ = following(12.5, 0.5)
    >>> bool(clip_norm.y[0] < wanted.y[0] / 10)  # ten times too small at first
    True
    """
    clip_norms, norms, event = followed(count_noise, quantile)
    curve = np.array([_extra(float(each)) for each in CURVE])
    here, last = _extra(count_noise), STEPS - EVERY
    counted = write(100 * count_noise / BATCH)
    return [
        Line(np.arange(STEPS), clip_norms, "clip norm", "private"),
        Line(np.arange(0, STEPS, EVERY), norms, "quantile of all norms", "reference"),
        Line(CURVE, curve, "price of the count", "bound", panel=1),
        Points([count_noise], [here], "this noise", "private", panel=1),
        Sentence(
            f"With noise of {{count_noise}} the count is off by about {counted}% of a "
            f"batch, and the gradients get {write(here)}% more noise. In step {last} "
            f"the clip norm is {write(float(clip_norms[last]))}, and a share of "
            f"{{quantile}} of all norms is at most {write(float(norms[-1]))}."
        ),
        Spent(event, 1e-6),
    ]
