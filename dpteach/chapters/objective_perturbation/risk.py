"""Figures of the chapter on objective perturbation: its risk, and a stopped solver."""

from functools import cache
from math import exp
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_parameters,
    objective_perturbation_risk_bound,
)
from ...algorithms.pure.output import output_perturbation
from ...auditing import Tape
from ...constraints import Everywhere
from ...data.synthetic import planted_logistic
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...losses import logistic
from ...privacy import Approximate, Event, Relation
from ...problem import Problem
from . import questions as ask

RUNS = 30


@cache
def _problem() -> tuple[Problem, float, float]:
    """Make a problem in ten dimensions; find its least risk and that model's norm."""
    drawn = planted_logistic(n=1000, p=10, strength=5.0, rng=1)
    D = Problem(drawn.X, drawn.y, logistic, Everywhere())
    kind: dict[str, Any] = {"lipschitz": 1.0, "regularization": 1e-6}
    kind["noise_multiplier"] = 1e-9
    best = output_perturbation(D, rng=Tape(), tolerance=1e-6, **kind).theta
    return D, float(D.risk(best)), float(np.linalg.norm(best))


def _regularizations(epsilon: float) -> np.ndarray:
    # From a little above the least Λ that leaves anything of ε for the noise
    least = 0.25 / np.expm1(epsilon)
    return np.geomspace(max(1.2 * least, 0.1), 300, 8)


@cache
def _excess(epsilon: float, Lam: float) -> tuple[float, float, float, Event]:
    """Measure mean excess risks per record: tilt, its bound, and output noise."""
    D, least, W = _problem()
    kind: dict[str, Any] = {"lipschitz": 1.0, "regularization": Lam}
    run: dict[str, Any] = {"rng": 0, "runs": (RUNS,), "tolerance": 1e-4}
    lam, _ = objective_perturbation_parameters(
        epsilon, smoothness=0.25, regularization=Lam
    )
    tilted = objective_perturbation(
        D, smoothness=0.25, noise_multiplier=lam, **kind, **run
    )
    noised = output_perturbation(D, noise_multiplier=1 / epsilon, **kind, **run)
    bound = objective_perturbation_risk_bound(
        p=D.p, noise_multiplier=lam, distance=W, **kind
    )
    mean = [float(np.mean(D.risk(out.theta))) - least for out in (tilted, noised)]
    return mean[0] / D.n, bound / D.n, mean[1] / D.n, tilted.event


@figure(
    asks=Choose(
        ask.AGAINST,
        hides=["objective perturbation", "best Λ"],
        ghosts=[
            [(0.3, 9), (1, 4), (4, 0.7), (15, 0.3), (100, 0.35), (280, 0.5)],
            [(0.18, 5), (0.5, 1.4), (2, 0.2), (10, 0.04), (40, 0.07), (280, 0.13)],
            [(280, 0.1), (40, 0.06), (10, 0.02), (2, 0.004), (0.5, 0.04), (0.2, 3)],
        ],
    ),
    axes=Axes(
        "regularization Λ",
        "mean excess risk per record",
        xlim=(0.1, 300),
        ylim=(3e-4, 10),
        xscale="log",
        yscale="log",
    ),
    title="Tilting the objective, or adding noise to its minimum",
    alt=(
        "Two valleys over the regularization. The one of objective perturbation lies "
        "lower and farther left; its bound lies above it."
    ),
    caption=(
        "Means of 30 runs, 1,000 synthetic records in 10 dimensions, logistic loss. "
        "The best Λ was read off these runs, and that use of the data is not charged "
        "to ε."
    ),
    identity="objective-risk",
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3), start=1),
)
def risk_against_regularization(epsilon: float) -> list[Mark]:
    """Measure objective and output perturbation at one ε, for every regularization.

    Examples
    --------
    >>> bound, tilted, noised, *_ = risk_against_regularization(1.0)
    >>> bool((tilted.y < bound.y).all()), float(noised.y.min() / tilted.y.min()) > 3
    (True, True)
    """
    checks.positive(epsilon=epsilon)
    tilted, bound, noised, events = zip(
        *[_excess(epsilon, float(Lam)) for Lam in _regularizations(epsilon)],
        strict=True,
    )
    best = int(np.argmin(tilted)), int(np.argmin(noised))
    Lam = _regularizations(epsilon)
    return [
        Line(Lam, bound, "bound of the theorem", "bound"),
        Line(Lam, tilted, "objective perturbation", "private"),
        Line(Lam, noised, "output perturbation", "measured"),
        Points(Lam[[*best]], [tilted[best[0]], noised[best[1]]], "best Λ", "reference"),
        Sentence(
            f"At ε = {{epsilon}} the best mean excess risk is "
            f"{write(tilted[best[0]])} per record with a tilt, and "
            f"{write(noised[best[1]])} with noise on the minimum."
        ),
        Spent(events[0]),
    ]


TOLERANCES = (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
TILTS = 100_000
_SIDE = 0.02  # of a bin that is drawn
_ENDS = np.arange(-150, 152) * _SIDE - _SIDE / 2


@cache
def _solved(label: float, tolerance: float) -> np.ndarray:
    """Find where a solver stops, for tilts at quantiles of their distribution, ε = 1.

    Records +1 and −1 on a line, and a third one if ``label`` is not 0. The solver takes
    gradient steps from 0 until the gradient is at most ``tolerance``.
    """
    labels = np.array([1.0, -1.0] + [label] * (label != 0))
    D = Problem(np.ones((len(labels), 1)), labels, logistic, Everywhere())
    lam, Lam = objective_perturbation_parameters(
        1.0, smoothness=0.25, regularization=1.0
    )
    u = (np.arange(TILTS) + 0.5) / TILTS - 0.5
    b = -lam * np.sign(u) * np.log1p(-2 * np.abs(u))
    theta = np.zeros(TILTS)
    while True:
        slope = D.gradient(theta[:, None])[:, 0] + Lam * theta + b
        if (np.abs(slope) <= tolerance).all():
            return theta
        theta = np.where(np.abs(slope) <= tolerance, theta, theta - slope / 3.5)


@figure(
    asks=Choose(
        ask.STOPPED,
        hides=["δ at ε = 1, at least", "your γ"],
        ghosts=[
            [(0.028, 0.0105), (1.05, 0.0105)],
            [(0.028, 0.0115), (0.2, 0.014), (1.05, 0.022)],
            [(0.028, 0.035), (0.1, 0.09), (0.3, 0.23), (1.05, 0.13)],
        ],
        panel=1,
    ),
    axes=(
        Axes(
            "model θ",
            "probability of a bin",
            xlim=(-2, 2),
            ylim=(0, 0.04),
            title="Where the solver ends",
        ),
        Axes(
            "tolerance γ",
            "δ at ε = 1",
            xlim=(0.025, 1.2),
            ylim=(0.01, 1),
            xscale="log",
            yscale="log",
            title="What stopping costs",
        ),
    ),
    title="A solver that stops early reveals records",
    alt=(
        "In the panel “Where the solver ends”, two jagged distributions with gaps in "
        "different places. In the panel “What stopping costs”, delta at "
        "seven tolerances."
    ),
    caption=(
        "Two records against three, Λ = 1, gradient steps from 0; 100,000 tilts at "
        "the quantiles of their distribution. The bin at 0 is cut off. Bins are "
        "post-processing, so δ is at least this."
    ),
    identity="objective-solver",
    tolerance=Slider(TOLERANCES, start=0.3),
)
def stopped_solver(tolerance: float) -> list[Mark]:
    """Show where a solver stops if it accepts a small gradient.

    Examples
    --------
    >>> *_, spent = stopped_solver(0.3)
    >>> round(spent.delta, 2)  # the exact minimum has δ = 0
    0.17
    """
    checks.positive(tolerance=tolerance)
    first, second = (_solved(label, tolerance) for label in (0, 1))
    P, Q = (np.histogram(ends, _ENDS)[0] / TILTS for ends in (first, second))
    alone = float(Q[P == 0].sum())
    delta = np.array([_leak(gamma) for gamma in TOLERANCES])
    at = _leak(tolerance)
    middle = (_ENDS[1:] + _ENDS[:-1]) / 2
    return [
        Line(middle, P, "without the record", "private"),
        Line(middle, Q, "with the record", "measured"),
        Line(TOLERANCES, delta, "δ at ε = 1, at least", "broken", panel=1),
        Points([tolerance], [at], "your γ", "private", panel=1, moves="tolerance"),
        Sentence(
            f"A solver that stops at a gradient of {{tolerance}} meets ε = 1 with δ of "
            f"at least {write(at)}. In {write(100 * alone)}% of its runs with the "
            "record it ends where it cannot end without it."
        ),
        Spent(Approximate(1.0, at, relation=Relation.ADD_REMOVE), at, at_least=True),
    ]


@cache
def _leak(tolerance: float) -> float:
    """Bound δ at ε = 1 from below, by bins of 0.003."""
    edges = np.linspace(-3, 3, 2001)
    P, Q = (
        np.histogram(_solved(label, tolerance), edges)[0] / TILTS for label in (0, 1)
    )
    return float(max(np.maximum(a - exp(1) * b, 0).sum() for a, b in ((P, Q), (Q, P))))
