"""Figure of the chapter on networks: how short gradients become, beside the bound.

A network whose last layer is fixed, so that the constants of the theorem are proved:
16 units with tanh vote on whether a digit is odd.
"""

from dataclasses import dataclass
from functools import cache
from math import exp, log1p, sqrt
from typing import Any

import numpy as np

from ... import checks, data, losses
from ...algorithms.gradients.nonconvex import (
    stationary_bound,
    stationary_learning_rate,
)
from ...algorithms.gradients.sgd import dp_sgd
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...networks import Dense, Network, Tanh
from ...privacy import Gaussian, Relation
from ...problem import Problem
from ..shared.tied_noise import DELTA, noise_for
from .digits import EPSILONS, tied

UNITS = 16
N_DIGITS = 1797  # as the set was published
STEPS = (1, 2, 4, 8, 16, 32, 64)
# With a constant 1 beside its features, which have norm at most 1, an input of a unit
# has norm at most √2; logistic loss has slopes up to 1 and curvatures up to 1/4; and
# |tanh″| is at most 4/(3√3).
LIPSCHITZ = sqrt(2.0)
SMOOTHNESS = 2 * (1 / 4 + 4 / (3 * sqrt(3.0)) / sqrt(UNITS))


@dataclass(frozen=True)
class Vote:
    """Half of the units vote for, half against, each with weight 1/√m; none is trained.

    Examples
    --------
    >>> Vote().forward(np.array([[1.0, 1.0, -1.0, -1.0]]), [])[0]
    array([[2.]])
    """

    def shapes(self, shape: tuple[int, ...]) -> tuple[list, tuple[int, ...]]:
        """Return no weights, and one score."""
        return [], (1,) if shape else shape

    def forward(self, x: np.ndarray, w: list) -> tuple[np.ndarray, Any]:  # noqa: ARG002
        """Add up the votes, each record by itself."""
        votes = _votes(x.shape[1])
        return (x * votes).sum(axis=1, keepdims=True), votes

    def backward(self, g: np.ndarray, w: list, saved: Any) -> np.ndarray:  # noqa: ARG002
        """Hand the gradient to every unit, with its sign."""
        return g * saved


def _votes(units: int) -> np.ndarray:
    return np.repeat([1.0, -1.0], units // 2) / sqrt(units)


@cache
def problem() -> Problem:
    """Pose it: is a digit odd?

    Examples
    --------
    >>> problem().n, problem().p
    (1797, 1056)
    """
    digits = data.digits()
    layers = [Dense(UNITS), Tanh(), Vote()]
    loss = Network((65,), layers, loss=losses.logistic, seed=1)
    return Problem(digits.X, 2.0 * (digits.y % 2) - 1, loss, Everywhere())


@cache
def gap() -> float:
    """Bound the risk of the start, over all records of norm at most 1: it is public.

    Examples
    --------
    >>> round(gap() / N_DIGITS, 2)
    1.65
    """
    W = problem().loss.model(problem().zeros())[0][0]
    return N_DIGITS * log1p(exp(np.linalg.norm(W, 2)))


def constants(epsilon: float, steps: int) -> dict[str, Any]:
    """Collect what the theorem asks for.

    Examples
    --------
    >>> sorted(constants(1.0, 64))[:3]
    ['gap', 'lipschitz', 'n']
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    return {
        "n": N_DIGITS,
        "p": problem().p,
        "steps": checks.count(steps=steps),
        "noise_multiplier": noise_for(epsilon, steps),
        "lipschitz": LIPSCHITZ,
        "smoothness": SMOOTHNESS,
        "gap": gap(),
    }


@cache
def _squared_gradients(epsilon: float, steps: int) -> float:
    """Measure the mean squared norm of the gradient per record, over one run."""
    known, D = constants(epsilon, steps), problem()
    path = dp_sgd(
        D, clip_norm=LIPSCHITZ, steps=steps,
        noise_multiplier=known["noise_multiplier"],
        learning_rate=stationary_learning_rate(**known),
        rng=np.random.default_rng([EPSILONS.index(epsilon), steps]),
    ).path  # fmt: skip
    models = [D.zeros(), *path[:-1]]
    return float(np.mean([(D.gradient(w) ** 2).sum() for w in models])) / D.n**2


@figure(
    axes=Axes(
        "steps T",
        "squared norm of the mean gradient",
        xlim=(1, 64),
        ylim=(0.001, 10),
        xscale="log",
        yscale="log",
        xticks=(1, 4, 16, 64),
    ),
    title="Short gradients, and the bound",
    alt=(
        "On logarithmic axes the bound falls with the steps, and then stays level. "
        "What is measured lies far below it and falls slowly. The level L² lies above "
        "both if there are many steps."
    ),
    caption=(
        "Is a digit odd? 16 units with tanh, whose 1,056 weights are trained, on 1,797 "
        "images; the last layer is fixed, so that all constants are proved. Averages "
        "over the steps of one run at the theorem’s learning rate."
    ),
    identity="short-gradients",
    linked=tied,
    epsilon=Slider(EPSILONS, start=EPSILONS[3]),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=16),
)
def short_gradients(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Draw the mean squared gradient along runs of DP-SGD, beside its bound.

    Examples
    --------
    >>> bound, _, measured, *_ = short_gradients(1.0, noise_for(1.0, 64), 64)
    >>> bool((measured.y < bound.y).all())
    True
    """
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(STEPS, steps=steps)
    j = STEPS.index(steps)
    bound = [stationary_bound(**constants(epsilon, T)) / N_DIGITS**2 for T in STEPS]
    mean = [_squared_gradients(epsilon, T) for T in STEPS]
    return [
        Line(STEPS, bound, "bound of the theorem", "bound"),
        Line([1, 64], [LIPSCHITZ**2] * 2, "what is always true, L²", "reference"),
        Line(STEPS, mean, "measured", "measured"),
        Points([steps], [mean[j]], "your choice of T", "private", moves="steps"),
        Sentence(
            f"At T = {{steps}} and ε = {{epsilon}} the mean gradient has a squared "
            f"norm of {write(mean[j])} on average; the bound allows {write(bound[j])}."
        ),
        Spent(
            Gaussian(noise_multiplier, releases=steps, relation=Relation.ADD_REMOVE),
            DELTA,
        ),
    ]
