"""A figure of the chapter on objective perturbation: the benefit of a curved risk.

The names in capitals beside the experiment are what ``explore`` needs to know.
"""

from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_parameters,
    objective_perturbation_risk_bound,
)
from ...constraints import L2Ball
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Sentence,
    Spent,
)
from ...figures.style import write
from ...losses import squared
from ...privacy import Event
from ...problem import Problem

FEATURES = 5
RECORDS = (30, 100, 300, 1000, 3000, 10_000)
RUNS = 200
# Of squared loss in the unit ball, with rows of norm 1 and labels in [−1, 1]
KNOWN: dict[str, Any] = {"p": FEATURES, "lipschitz": 2.0, "distance": 1.0}


@cache
def _curved(epsilon: float, n: int) -> tuple[float, float, float, Event]:
    """Measure the mean excess risk; compute its bounds with and without curvature."""
    rows = np.eye(FEATURES)[np.arange(n) % FEATURES]
    rng = np.random.default_rng(n)
    y = rows @ np.full(FEATURES, 0.25) + rng.uniform(-0.5, 0.5, n)
    D = Problem(rows, y, squared, L2Ball(1.0))
    lam = 2 / epsilon
    _, Lam = objective_perturbation_parameters(epsilon, smoothness=1.0)
    out = objective_perturbation(
        D, lipschitz=2.0, smoothness=1.0, regularization=Lam, noise_multiplier=lam,
        rng=0, runs=(RUNS,),
    )  # fmt: skip
    count = rows.sum(axis=0)
    least = float(D.risk(rows.T @ y / count))
    bound = objective_perturbation_risk_bound(
        **KNOWN,
        noise_multiplier=lam,
        regularization=Lam,
        strong_convexity=n // FEATURES,
    )
    flat = max(2 * lam * sqrt(FEATURES * (FEATURES + 1)), Lam)
    general = objective_perturbation_risk_bound(
        **KNOWN, noise_multiplier=lam, regularization=flat
    )
    return float(np.mean(D.risk(out.theta))) - least, bound, general, out.event


@figure(
    axes=Axes(
        "records n",
        "excess risk, a sum",
        xlim=(30, 10_000),
        ylim=(0.01, 1000),
        xscale="log",
        yscale="log",
    ),
    title="More records help where the risk is curved",
    alt=(
        "A level line, the general bound. Below it the bound with curvature falls as "
        "one over the number of records, and the measured risk below that."
    ),
    caption=(
        "Squared loss in five dimensions on the unit ball, synthetic records; the "
        "curvature of the risk is a fifth of their number. λ = 2/ε, and Λ is the "
        "least that leaves half of ε to the noise."
    ),
    identity="curved-risk",
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3), start=1),
)
def curved_risk(epsilon: float) -> list[Mark]:
    """Measure the tilt on a strongly convex risk, over the number of records.

    Examples
    --------
    >>> general, curved, measured, *_ = curved_risk(1.0)
    >>> bool((measured.y < curved.y).all()), bool(curved.y[-1] < general.y[-1] / 20)
    (True, True)
    """
    checks.positive(epsilon=epsilon)
    rows, bounds, generals, events = zip(
        *[_curved(epsilon, n) for n in RECORDS], strict=True
    )
    falls = rows[2] / rows[-1]
    return [
        Line(RECORDS, generals, "general bound", "reference"),
        Line(RECORDS, bounds, "bound with curvature", "bound"),
        Line(RECORDS, rows, "measured, mean of 200 runs", "private"),
        Sentence(
            f"At ε = {{epsilon}} the measured excess falls {falls:.0f} times from 300 "
            f"to 10,000 records, to {write(rows[-1])}. The general bound, at its best "
            f"Λ, stays at {write(generals[-1])}."
        ),
        Spent(events[0]),
    ]
