"""Figures of the chapter on Frank-Wolfe: step rules, and how many steps help."""

from functools import cache
from typing import Any

import numpy as np

from ... import checks, losses
from ...algorithms.geometry.frank_wolfe import decreasing_step, frank_wolfe
from ...algorithms.geometry.frank_wolfe_bounds import private_frank_wolfe_risk_bound
from ...algorithms.geometry.private_frank_wolfe import (
    private_frank_wolfe,
    private_frank_wolfe_noise,
)
from ...constraints import L1Ball
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
from ...figures.style import write
from ...problem import Problem

DELTA = 1e-6
STEPS = (2, 4, 8, 16, 32, 64, 128)
RECORDS, FEATURES, RUNS = 2000, 60, 12


@cache
def _lasso() -> tuple[Problem, float]:
    """Signs as features, two of which matter; and the least risk."""
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], (RECORDS, FEATURES))
    noise = 0.1 * rng.standard_normal(RECORDS)
    y = np.clip(0.6 * X[:, 0] - 0.4 * X[:, 1] + noise, -1, 1)
    D = Problem(X, y, losses.squared, L1Ball(1.0))
    return D, float(D.risk(frank_wolfe(D, steps=1500)).min())


@figure(
    axes=Axes(
        "model t",
        "excess risk, a sum",
        xlim=(1, 1000),
        ylim=(1e-3, 3000),
        xscale="log",
        yscale="log",
    ),
    title="A constant step never forgets its start",
    alt="One curve falls toward 0, and the other stops at a share of its start.",
    caption=f"LASSO, {RECORDS:,} records and {FEATURES} features. Not private.",
    identity="polytope-rules",
    plays="steps",
    steps=Slider((5, 10, 20, 50, 100, 200, 400, 1000), start=100),
)
def step_rules(steps: int) -> list[Mark]:
    """Draw the excess risk along Frank-Wolfe's path for two step rules.

    Examples
    --------
    >>> good, constant, *_ = step_rules(200)
    >>> bool(good.y[-1] < constant.y[-1] / 2)
    True
    """
    checks.count(2, steps=steps)
    T = int(steps)
    at = np.unique(np.geomspace(1, 1000, 25).astype(int))
    place = np.minimum(at, T)  # the same points for every T: the path ends at T
    D, least = _lasso()
    # The printed step does not depend on t.
    rules = {"2/(t + 1)": decreasing_step, "1/T, as printed": lambda _: 1 / T}
    excess = [
        np.maximum(D.risk(frank_wolfe(D, steps=T, step=rule)) - least, 1e-3)
        for rule in rules.values()
    ]
    roles = ("measured", "broken")
    share = excess[1][-1] / excess[1][0]
    return [
        *[
            Line(place, values[place - 1], label, role)
            for values, label, role in zip(excess, rules, roles, strict=True)
        ],
        Sentence(
            f"After {{steps}} models the constant step 1/T still has {write(share)} of "
            f"the first excess; 2/(t + 1) has {write(excess[0][-1] / excess[0][0])}."
        ),
    ]


@figure(
    axes=Axes(
        "steps T",
        "excess risk, a sum",
        xlim=(1.8, 140),
        ylim=(0.1, 20000),
        xscale="log",
        yscale="log",
    ),
    title="How many private steps are worth it",
    alt="The private excess falls, then rises with T, far below its bound.",
    caption=(
        f"{RECORDS:,} records, {FEATURES} features, the unit ball. The bound is valid, "
        "but loose. T is a public choice."
    ),
    identity="polytope-excess",
    epsilon=Slider((0.3, 0.5, 1, 2, 3, 5, 10), start=1),
)
def excess_against_steps(epsilon: float) -> list[Mark]:
    """Draw private LASSO's excess risk against the number of steps, with its bound.

    Examples
    --------
    >>> bound, private, *_ = excess_against_steps(4.0)
    >>> bool((private.y <= bound.y).all())
    True
    """
    checks.positive(epsilon=epsilon)
    D, least = _lasso()
    kind: dict[str, Any] = {"lipschitz_l1": 2.0, "epsilon": epsilon, "delta": DELTA}
    runs = [private_frank_wolfe(D, **kind, steps=T, rng=T, runs=(RUNS,)) for T in STEPS]
    excess = np.array([np.mean(D.risk(run.theta)) - least for run in runs])
    plain = [float(D.risk(frank_wolfe(D, steps=T)[-1])) - least for T in STEPS]
    best = STEPS[int(np.argmin(excess))]
    return [
        Line(STEPS, _bounds(epsilon), "bound", "bound"),
        Points(STEPS, excess, "private, mean of 12 runs", "private"),
        Line(STEPS, np.maximum(plain, 1e-1), "without privacy", "non_private"),
        Sentence(
            f"With ε = {{epsilon}} the best of these T is {best}; more steps share the "
            "same budget, so each choice gets worse."
        ),
        Spent(tuple(run.event for run in runs), DELTA),
    ]


def _bounds(epsilon: float) -> list[float]:
    kind: dict[str, Any] = {"lipschitz_l1": 2.0, "l1_radius": 1.0}
    about: dict[str, Any] = {"n": RECORDS, "corners": 2 * FEATURES}
    return [
        private_frank_wolfe_risk_bound(
            **about,
            steps=T,
            curvature_constant=4.0,
            scale=private_frank_wolfe_noise(epsilon, DELTA, steps=T, **kind),
        )
        for T in STEPS
    ]
