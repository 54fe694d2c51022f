"""Figure of the chapter on DP-SGD: what the last model costs, beside the path."""

from functools import cache
from math import inf

import numpy as np

from ...algorithms.gradients.last_model import last_model_event, noisy_gradient_descent
from ...auditing import exact_mu, noise_map
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence
from ...figures.style import write
from ...losses import linear
from ...privacy import Gaussian, Relation
from ...problem import Problem

NOISE = 10.0
STEPS = np.unique(np.round(np.geomspace(1, 10_000, 81))).astype(int)
AUDITED = (1, 3, 10, 30, 100)
RATE = 0.1


def _records(x: float) -> Problem:
    """Pose the worst case: one linear record, which pulls one way in every step."""
    return Problem(np.array([[x]]), np.ones(1), linear, Everywhere())


@cache
def _audited(contraction: float, steps: int) -> float:
    """Compute the exact μ of the last model from the running code."""

    def last(x: float, rng: np.random.Generator) -> np.ndarray:
        return noisy_gradient_descent(
            _records(x),
            lipschitz=1.0,
            smoothness=1e-3,  # a linear loss has none
            regularization=(1 - contraction) / RATE,
            learning_rate=RATE,
            steps=steps,
            noise_multiplier=NOISE,
            rng=rng,
        ).theta

    having, zeroed = (noise_map(lambda rng, x=x: last(x, rng)) for x in (1.0, 0.0))
    return exact_mu(having.matrix, having.mean - zeroed.mean)


def _price(steps: int, contraction: float, pulls_across: float) -> float:
    return last_model_event(
        NOISE, steps=steps, contraction=contraction, pulls_across=pulls_across
    ).mu


@figure(
    axes=Axes(
        "steps T",
        "price μ",
        xlim=(1, 10_000),
        ylim=(0.05, 20),
        xscale="log",
        yscale="log",
    ),
    title="The price of the last model stops",
    alt=(
        "On logarithmic axes the price of the whole path rises in a straight line. "
        "That of the last model leaves this line early and becomes level; in a small "
        "set it is level lower. Points from the running code lie on its curve."
    ),
    caption=(
        "Noise multiplier λ = 10, one record zeroed out. Points: exact, recovered from "
        "the running code for linear losses on an unbounded set."
    ),
    identity="last-model",
    contraction=Slider((0.5, 0.8, 0.9, 0.97, 0.99, 0.997, 1), start=0.97),
    pulls_across=Slider((1, 3, 10, 30, 100, 300, 1000), start=1000),
)
def price(contraction: float, pulls_across: float) -> list[Mark]:
    """Compare the price of all models with that of the last one alone.

    Examples
    --------
    >>> path, last, bounded, audited, *_ = price(0.9, 3)
    >>> bool(path.y[-1] > 20 * last.y[-1]), bool(bounded.y[-1] < last.y[-1])
    (True, True)
    """
    path = [
        Gaussian(NOISE, releases=int(T), relation=Relation.ZERO_OUT).mu for T in STEPS
    ]
    last = [_price(int(T), contraction, inf) for T in STEPS]
    bounded = [_price(int(T), contraction, pulls_across) for T in STEPS]
    audited = [_audited(contraction, T) for T in AUDITED]
    return [
        Line(STEPS, path, "the whole path, √T/λ", "reference"),
        Line(STEPS, last, "the last model", "bound"),
        Line(STEPS, bounded, "the last model, C of w pulls", "private"),
        Points(AUDITED, audited, "exact, from running code", "measured"),
        Sentence(
            f"At c = {{contraction}}, after 10,000 steps: the path costs "
            f"μ = {write(path[-1])}; the last model costs "
            f"{write(last[-1])}, and {write(bounded[-1])} in a set with "
            f"w = {{pulls_across}}."
        ),
    ]
