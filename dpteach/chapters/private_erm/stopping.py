"""A figure of the chapter on private risk minimization: a solver that stops early."""

from functools import cache

import numpy as np

from ... import checks
from ...algorithms.pure._minimum import minimum
from ...arrays import l2_laplace
from ...constraints import Everywhere
from ...data.synthetic import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...losses import logistic
from ...privacy import Pure, Relation
from ...problem import Problem

# Public: the regularization Λ, at least as many records as there are, and β
REGULARIZATION, MOST, SMOOTHNESS = 3.0, 1000, 0.25
RATE = 1 / (REGULARIZATION + MOST * SMOOTHNESS)
STEPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
NOISES = 200


def part_after(steps: int) -> float:
    """Compute which part of L/Λ one record moves the model after T gradient steps.

    Examples
    --------
    >>> round(part_after(1), 4), round(part_after(512), 3)
    (0.0119, 0.998)
    """
    return 1 - (1 - RATE * REGULARIZATION) ** checks.count(steps=steps)


def noise_after(epsilon: float, steps: int) -> float:
    """Compute the noise multiplier that hides one record after T gradient steps.

    Examples
    --------
    >>> round(noise_after(1.0, 32), 3), round(noise_after(1.0, 512), 3)
    (0.317, 0.998)
    """
    return part_after(int(steps)) / checks.positive(epsilon=epsilon)


def descend(problem: Problem, *, steps: int) -> np.ndarray:
    """Take T gradient steps on the regularized risk, from 0.

    Examples
    --------
    >>> from dpteach.data import example
    >>> descend(example(), steps=3).shape
    (3, 10)
    """
    checks.instance(Problem, problem=problem)
    theta, path = problem.zeros(), []
    for _ in range(checks.count(steps=steps)):
        theta = theta - RATE * (problem.gradient(theta) + REGULARIZATION * theta)
        path.append(theta)
    return np.stack(path)


@cache
def _trained() -> tuple[Problem, np.ndarray, np.ndarray, float, float]:
    """Make data, the path and noises of scale 1; find the least risk, and W."""
    drawn = planted_logistic(n=MOST, p=10, strength=5.0, rng=1)
    D = Problem(drawn.X, drawn.y, logistic, Everywhere())
    path = descend(D, steps=STEPS[-1])
    noise = l2_laplace(np.random.default_rng(0), 1.0, D.zeros(NOISES))
    best = minimum(D, 1e-6, D.zeros(), 1e-3)
    return D, path, noise, float(D.risk(best)), float(np.linalg.norm(best))


@cache
def _excess(scale: float, steps: int) -> float:
    D, path, noise, least, _ = _trained()
    return (float(np.mean(D.risk(path[steps - 1] + scale * noise))) - least) / D.n


def risk_bound(epsilon: float, steps: int) -> float:
    """Bound the mean excess risk per record of noise on the T-th model.

    Examples
    --------
    >>> [round(risk_bound(1.0, T), 2) for T in (8, 64, 512)]
    [2.9, 1.22, 1.56]
    """
    D, *_, W = _trained()
    n, p, Lam, beta = D.n, D.p, REGULARIZATION, SMOOTHNESS
    s = noise_after(epsilon, steps) / Lam
    left = 1 - part_after(steps)
    noise = min(p * s * n, n * beta * p * (p + 1) * s * s / 2)
    return (noise + left**2 * (Lam + n * beta) * W * W / 2 + Lam * W * W / 2) / n


@figure(
    axes=Axes(
        "gradient steps T",
        "mean excess risk per record",
        xlim=(1, 512),
        ylim=(0.01, 10),
        xscale="log",
        yscale="log",
        xticks=STEPS,
    ),
    title="Stop early, and hide less",
    alt=(
        "A valley over the number of steps. To its right, the risk climbs to that of "
        "the exact minimum; noise for the exact minimum has a far larger risk at every "
        "number of steps."
    ),
    caption=(
        "Logistic loss, 1,000 synthetic records in 10 dimensions, Λ = 3, steps from 0 "
        "at the rate 1/(Λ + nβ); means over 200 draws. The best T was read off these "
        "runs, and that is not charged to ε. Move any slider, and another one follows."
    ),
    identity="stop-early",
    linked=Linked(("noise_multiplier", "epsilon", "steps"), noise_after),
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3), start=1),
    noise_multiplier=Slider(),
    steps=Slider(STEPS, start=32),
)
def stop_early(epsilon: float, noise_multiplier: float, steps: int) -> list[Mark]:
    """Measure the risk of a model that is published after T gradient steps.

    Examples
    --------
    >>> _, exact, stopped, *_ = stop_early(1.0, noise_after(1.0, 32), 32)
    >>> bool((stopped.y <= exact.y).all()), float(exact.y[5] / stopped.y[5]) > 5
    (True, True)
    """
    checks.positive(epsilon=epsilon, noise_multiplier=noise_multiplier)
    checks.one_of(STEPS, steps=int(steps))
    stopped = [_excess(noise_after(epsilon, T) / REGULARIZATION, T) for T in STEPS]
    exact = [_excess(1 / epsilon / REGULARIZATION, T) for T in STEPS]
    bound = [min(risk_bound(epsilon, T), 10.0) for T in STEPS]
    at = STEPS.index(int(steps))
    return [
        Line(STEPS, bound, "bound of the theorem", "bound"),
        Line(STEPS, np.minimum(exact, 10), "noise for the minimum", "reference"),
        Line(STEPS, stopped, "noise for T steps", "private"),
        Points([steps], [stopped[at]], "your T", "private", moves="steps"),
        Sentence(
            f"At T = {{steps}} one record has moved the model by at most "
            f"{write(part_after(int(steps)))} of L/Λ. So at ε = {{epsilon}} the noise "
            f"is λ = {{noise_multiplier}}, and the excess risk {write(stopped[at])}; "
            f"with the noise for the exact minimum it would be {write(exact[at])}."
        ),
        Spent(Pure(epsilon, relation=Relation.ADD_REMOVE)),
    ]
