"""How large a private model may be: W, the knob that decides, measured and by the rule.

Objective perturbation with normal noise on the benchmark's four data sets, without a
ball: at each ε and for parts of the records, from a strong ridge to nearly none.
"""

from dataclasses import replace
from functools import cache
from math import log1p, sqrt
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.pure import gaussian_objective
from ...algorithms.pure.gaussian_objective import (
    SIGN_MONOTONE,
    gaussian_objective_noise_multiplier,
    gaussian_objective_perturbation,
)
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...losses import huber, logistic, squared
from ...privacy import Approximate
from ...problem import Problem
from ...tables.rule import public_regularization
from .benchmark import DELTA, EPSILONS, TASKS, ZERO_OUT, task

PARTS = ("a quarter", "half", "all")
RIDGES = tuple(2.0**k for k in range(6, -6, -1))  # multiples of the rule's
WIDTH = 0.25  # of the Huber loss for numbers
HIGHEST, WIDEST = 200.0, 1000.0  # loss and W that are drawn
NUMBERS: dict[str, Any] = {
    "smoothness": 1.0, "curvature": 1.0, "spread": 0.3 / WIDTH, "sign_monotone": False,
}  # fmt: skip


def _private(D: Problem) -> Problem:
    """Take the records without a ball, and a loss with bounded slopes."""
    loss = huber(WIDTH) if D.loss is squared else logistic
    return Problem(D.X, D.y, loss, Everywhere())


def _some(name: str, part: str, seed: int) -> Problem:
    """Take a part of a task's records, drawn once."""
    D = _private(task(name).problem)
    order = np.random.default_rng([seed, TASKS.index(name)]).permutation(D.n)
    rows = order[: D.n // (4, 2, 1)[PARTS.index(part)]]
    return replace(D, X=D.X[rows], y=D.y[rows])


@cache
def ruled(name: str, epsilon: float, n: int) -> tuple[float, float]:
    r"""Choose :math:`\Lambda` and :math:`\lambda` for a task as ``fit`` does.

    Examples
    --------
    >>> Lam, lam = ruled("digits odd or even", 1.0, 1797)
    >>> round(lam * 65**0.5 / Lam, 1)
    25.0
    """
    D = task(name).problem
    kind = NUMBERS if D.loss is squared else {}
    return public_regularization(epsilon, DELTA, n=n, p=D.p, **kind)


def missed(D: Problem, theta: np.ndarray) -> tuple[float, float]:
    """Compute what models lose, and how often they are wrong, in percent: means.

    The loss is that of the task, in percent of what the zero model loses. A prediction
    is wrong if it has the wrong sign.
    """
    risk = D.risk(theta) / float(D.risk(D.zeros()))
    wrong = np.mean((D.scores(theta) > 0) != (D.y > 0), axis=-1)
    return 100 * float(np.mean(risk)), 100 * float(np.mean(wrong))


def trained(
    D: Problem, epsilon: float, Lam: float, runs: int, rng: np.random.Generator
) -> np.ndarray:
    """Run objective perturbation with normal noise, shape ``(runs, p)``."""
    known: dict[str, Any] = {
        "lipschitz": D.loss.lipschitz, "smoothness": D.loss.smoothness,
        "regularization": Lam, "epsilon": epsilon, "delta": DELTA, "rng": rng,
        "relation": ZERO_OUT, "tolerance": 1e-6,
    }  # fmt: skip
    # One by one: the solver of a single run is faster than that of many.
    models = [gaussian_objective_perturbation(D, **known).theta for _ in range(runs)]
    return np.stack(models)


def size(D: Problem, epsilon: float, Lam: float) -> float | None:
    r"""Compute :math:`W = \lambda\sqrt p/\Lambda`, or None where ε is too small."""
    beta = D.loss.smoothness
    if log1p(beta / Lam) > 0.97 * epsilon:
        return None
    lam = gaussian_objective_noise_multiplier(
        epsilon, DELTA, smoothness=beta, regularization=Lam,
        sign_monotone=D.loss.name in SIGN_MONOTONE, relation=ZERO_OUT,
    )  # fmt: skip
    return lam * sqrt(D.p) / Lam


@stored(
    uses=(gaussian_objective,),
    tasks=TASKS,
    parts=PARTS,
    epsilons=EPSILONS,
    ridges=RIDGES,
    runs=10,
    seed=0,
)
def sizes_of_models(
    tasks: tuple[str, ...],
    parts: tuple[str, ...],
    epsilons: tuple[float, ...],
    ridges: tuple[float, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure W, loss and wrong predictions at multiples of the rule's ridge."""
    return {
        name: {
            part: [_row(name, part, e, ridges, runs, seed) for e in epsilons]
            for part in parts
        }
        for name in tasks
    }


def _row(
    name: str,
    part: str,
    epsilon: float,
    ridges: tuple[float, ...],
    runs: int,
    seed: int,
) -> list[list[float]]:
    D, all_records = _some(name, part, seed), task(name).problem
    Lam, _ = ruled(name, epsilon, D.n)
    rng, points = np.random.default_rng(seed), []
    for ridge in ridges:
        W = size(D, epsilon, ridge * Lam)
        if W is not None:
            models = trained(D, epsilon, ridge * Lam, runs, rng)
            points.append([W, *missed(all_records, models)])
    return [[float(f"{value:.4g}") for value in point] for point in points]


def count(name: str, part: str) -> int:
    """Count the records of a part of a task.

    Examples
    --------
    >>> count("diabetes", "half")
    221
    """
    checks.one_of(TASKS, task=name)
    checks.one_of(PARTS, part=part)
    return task(name).problem.n // (4, 2, 1)[PARTS.index(part)]


def measured(name: str, part: str, epsilon: float) -> tuple[np.ndarray, int]:
    """Read W, loss and wrong predictions, one row each, and the row of the rule.

    Examples
    --------
    >>> rows, k = measured("digits odd or even", "all", 1.0)
    >>> rows.shape, rows[k].tolist()
    ((10, 3), [25.03, 43.77, 11.9])
    """
    n = count(name, part)
    checks.one_of(EPSILONS, epsilon=epsilon)
    rows = np.array(sizes_of_models()[name][part][EPSILONS.index(epsilon)])
    Lam, lam = ruled(name, epsilon, n)
    W = lam * sqrt(task(name).problem.p) / Lam
    return rows, int(np.argmin(abs(np.log(rows[:, 0] / W))))


def _drawn(rows: np.ndarray) -> np.ndarray:
    """Repeat the last point, so that every state has as many."""
    last = np.repeat(rows[-1:], len(RIDGES) - len(rows), axis=0)
    return np.concatenate([rows, last])


@figure(
    axes=Axes(
        "size of the model W",
        "in %",
        xlim=(0.01, WIDEST),
        ylim=(0.5, HIGHEST),
        xscale="log",
        yscale="log",
        xticks=(0.01, 0.1, 1, 10, 100, 1000),
        yticks=(1, 3, 10, 30, 100),
    ),
    title="How large may the model be?",
    alt=(
        "Two curves over the size W of the model, for the loss and for wrong "
        "predictions. Both fall from the left, are least in the middle, and rise to "
        "the right; the point of the public rule lies near the least of both."
    ),
    caption=(
        "Objective perturbation with normal noise, means of 10 runs. 100% is the loss "
        "of the zero model. Trained on a part of the records and measured on all; "
        "wrong is a wrong sign. Losses above 200% are not drawn."
    ),
    identity="model-size",
    task=Slider(TASKS, start=TASKS[3]),
    part=Slider(PARTS, start=PARTS[2]),
    epsilon=Slider(EPSILONS, start=1.0),
)
def model_size(task: str, part: str, epsilon: float) -> list[Mark]:
    """Draw loss and wrong predictions against the size W of a private model.

    Examples
    --------
    >>> *_, said, _ = model_size("digits odd or even", "all", 1.0)
    >>> said.text[-47:]
    '% and 14.3%, the best of all W 43.8% and 11.9%.'
    """
    rows, k = measured(task, part, epsilon)
    small = int(np.argmin(abs(np.log(rows[:, 0]))))
    high = rows[rows[:, 0] <= WIDEST]
    low, high = _drawn(high[high[:, 1] <= HIGHEST]), _drawn(high)
    (W, loss, wrong), (w, more, false) = rows[k], rows[small]
    best = rows[:, 1:].min(axis=0)
    return [
        Line(low[:, 0], low[:, 1], "loss", "private"),
        Line(high[:, 0], high[:, 2], "wrong predictions", "measured"),
        Points([W, W], [loss, wrong], "by the public rule", "reference"),
        Sentence(
            f"On {{task}} at ε = {{epsilon}}, with {count(task, part)} records "
            f"({{part}}): the rule takes W = {write(W)}, which loses {write(loss)}% "
            f"and is wrong on {write(wrong)}%. W = {write(w)} has {write(more)}% and "
            f"{write(false)}%, the best of all W {write(best[0])}% and "
            f"{write(best[1])}%."
        ),
        Spent(Approximate(epsilon, DELTA, relation=ZERO_OUT), DELTA),
    ]  # fmt: skip
