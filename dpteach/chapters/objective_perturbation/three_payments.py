"""A figure of the chapter on objective perturbation: tilt, determinant and solver."""

from functools import cache
from math import log1p

import numpy as np

from ... import checks
from ...algorithms.pure.objective import objective_perturbation_risk_bound
from ...arrays import l2_laplace
from ...constraints import L2Ball
from ...data.synthetic import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Linked, Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...losses import logistic
from ...privacy import Composed, Pure, Relation
from ...problem import Problem

# Public: at least as many records as there are, β, the ball's radius, the cover's scale
MOST, SMOOTHNESS, RADIUS, COVER = 500, 0.25, 5.0, 0.01
REGULARIZATIONS = (1, 2, 3, 5, 10, 20, 30)
STEPS = (50, 100, 200, 300, 400, 600, 1000)
RUNS = 40


def distance_left(regularization: float, steps: int) -> float:
    """Bound how far T projected gradient steps end from the tilted minimum.

    Examples
    --------
    >>> [round(distance_left(3.0, T), 5) for T in (50, 400)]
    [1.52747, 0.00038]
    """
    Lam = checks.positive(regularization=regularization)
    return RADIUS * (1 - Lam / (Lam + MOST * SMOOTHNESS)) ** checks.count(steps=steps)


def payments(
    noise_multiplier: float, regularization: float, steps: int
) -> tuple[float, float, float]:
    """Compute what a run costs: its tilt, its determinant and its solver.

    Examples
    --------
    >>> [round(part, 3) for part in payments(1.0, 3.0, 400)]
    [1.0, 0.08, 0.076]
    """
    lam = checks.positive(noise_multiplier=noise_multiplier)
    left = distance_left(regularization, int(steps))
    return 1 / lam, log1p(SMOOTHNESS / regularization), 2 * left / COVER


def spent(noise_multiplier: float, regularization: float, steps: int) -> float:
    """Compute the ε of a run, the sum of its three payments.

    Examples
    --------
    >>> round(spent(1.0, 3.0, 400), 2), round(spent(1.0, 3.0, 100), 1)
    (1.16, 94.4)
    """
    return sum(payments(noise_multiplier, regularization, steps))


def solve(problem: Problem, tilt: np.ndarray, *, regularization: float) -> np.ndarray:
    """Take projected gradient steps on tilted risks, and keep those of ``STEPS``.

    Examples
    --------
    >>> from dpteach import constraints, losses
    >>> D = Problem(np.ones((1, 1)), np.ones(1), losses.linear, constraints.L2Ball(5.0))
    >>> solve(D, np.zeros((1, 1)), regularization=10.0)[-1].round(3)  # 1/Λ
    array([[0.1]])
    """
    Lam = checks.positive(regularization=regularization)
    eta, theta, kept = 1 / (Lam + MOST * SMOOTHNESS), 0 * tilt, []
    for step in range(1, STEPS[-1] + 1):
        slope = problem.gradient(theta) + Lam * theta + tilt
        theta = problem.constraint.project(theta - eta * slope)
        if step in STEPS:
            kept.append(theta)
    return np.stack(kept)


@cache
def _problem() -> tuple[Problem, float, float]:
    """Make a problem in five dimensions; find its least risk and that model's norm."""
    drawn = planted_logistic(n=MOST, p=5, strength=4.0, rng=1)
    D, theta = Problem(drawn.X, drawn.y, logistic, L2Ball(RADIUS)), np.zeros(5)
    for _ in range(2000):
        theta = D.constraint.project(theta - 0.02 * D.gradient(theta))
    return D, float(D.risk(theta)), float(np.linalg.norm(theta))


@cache
def _excess(noise_multiplier: float, regularization: float) -> np.ndarray:
    """Measure the mean excess risk per record after each number of steps."""
    D, least, _ = _problem()
    tilt, cover = (
        l2_laplace(np.random.default_rng(seed), scale, D.zeros(RUNS))
        for seed, scale in ((0, noise_multiplier), (1, COVER))
    )
    ends = solve(D, tilt, regularization=regularization) + cover
    return (D.risk(ends).mean(axis=1) - least) / D.n


def _risk_bound(noise_multiplier: float, regularization: float, steps: int) -> float:
    """Add the solver's error and the cover: the mean risk is 1-Lipschitz."""
    D, _, W = _problem()
    exact = objective_perturbation_risk_bound(
        p=D.p,
        lipschitz=1.0,
        regularization=regularization,
        noise_multiplier=noise_multiplier,
        distance=W,
    )
    return exact / D.n + D.p * COVER + distance_left(regularization, steps)


@figure(
    axes=(
        Axes(
            "solver steps T",
            "ε spent, in nats",
            xlim=(50, 1000),
            ylim=(0.1, 1000),
            xscale="log",
            yscale="log",
            xticks=(50, 100, 200, 400, 1000),
            title="Three payments",
        ),
        Axes(
            "regularization Λ",
            "mean excess risk per record",
            xlim=(0.8, 40),
            ylim=(1e-3, 10),
            xscale="log",
            yscale="log",
            xticks=(1, 3, 10, 30),
            title="What they buy",
        ),
    ),
    title="Tilt, curvature, solver: what epsilon pays for",
    alt=(
        "In the panel “Three payments”, the total epsilon falls steeply with the "
        "solver's steps, down to a level line, the tilt's part. In the panel “What "
        "they buy”, the excess risk over the regularization, under its bound."
    ),
    caption=(
        "Logistic loss, 500 synthetic records in 5 dimensions, a ball of radius 5; "
        "projected gradient steps from 0 and a second noise of scale 0.01. Means of 40 "
        "runs. Move any slider, and another one follows."
    ),
    identity="three-payments",
    linked=Linked(("epsilon", "noise_multiplier", "regularization", "steps"), spent),
    epsilon=Slider((0.3, 0.5, 1, 2, 10, 20, 40, 100, 200, 300, 700)),
    noise_multiplier=Slider((0.5, 0.7, 1, 1.5, 2, 3, 4), start=1),
    regularization=Slider(REGULARIZATIONS, start=3),
    steps=Slider(STEPS, start=400),
)
def three_payments(
    epsilon: float, noise_multiplier: float, regularization: float, steps: int
) -> list[Mark]:
    """Split the ε of a run into its tilt, its determinant and its solver.

    Examples
    --------
    >>> total, tilt, *_ = three_payments(spent(1, 3, 400), 1, 3, 400)
    >>> bool((total.y > tilt.y).all()), float(total.y[-1] / tilt.y[-1]) < 1.1
    (True, True)
    """
    checks.one_of(STEPS, steps=int(steps))
    checks.one_of(REGULARIZATIONS, regularization=int(regularization))
    lam, Lam, T = noise_multiplier, regularization, int(steps)
    tilt, bend, left = payments(lam, Lam, T)
    at = STEPS.index(T)
    risk = [float(_excess(lam, each)[at]) for each in REGULARIZATIONS]
    bound = [_risk_bound(lam, each, T) for each in REGULARIZATIONS]
    mine = risk[REGULARIZATIONS.index(int(Lam))]
    parts = (Pure(part, relation=Relation.ADD_REMOVE) for part in (tilt + bend, left))
    return [
        Line(STEPS, [spent(lam, Lam, each) for each in STEPS], "all of ε", "private"),
        Line(STEPS, [tilt] * len(STEPS), "of it, the tilt 1/λ", "reference"),
        Points([T], [epsilon], "your run", "private", moves="steps"),
        Line(REGULARIZATIONS, bound, "bound", "bound", panel=1),
        Line(REGULARIZATIONS, risk, "measured", "measured", panel=1),
        Points([Lam], [mine], "your run", "private", panel=1, moves="regularization"),
        Sentence(
            f"ε = {{epsilon}} is {write(tilt)} for the tilt with λ = "
            f"{{noise_multiplier}}, {write(bend)} for the curvature with Λ = "
            f"{{regularization}}, and {write(left)} for the solver, which takes "
            f"{{steps}} steps. The excess risk is {write(mine)} per record."
        ),
        Spent(Composed(tuple(parts))),
    ]
