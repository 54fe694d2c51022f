"""Figures of the chapter on DP-SGD: the benefit of curvature and of low rank."""

from functools import cache
from typing import Any

import numpy as np

from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate, dp_sgd_risk_bound
from ...algorithms.gradients.strongly_convex_sgd import (
    strongly_convex_dp_sgd,
    strongly_convex_risk_bound,
)
from ...constraints import Everywhere, L2Ball
from ...data import diabetes
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
from ...losses import absolute, squared
from ...privacy import Event
from ...problem import Problem
from ..shared.tied_noise import DELTA, noise_for

STEPS = (1, 4, 16, 64, 256, 1024)
# Public: under add or remove the number of records is private, and must not set a rate.
PATIENTS = 442
RECORDS = 200


@cache
def _patients() -> Problem:
    """Pose it: one number near 442 targets in [-1, 1]; the curvature is 442."""
    y = diabetes().y
    return Problem(np.ones((len(y), 1)), y, squared, L2Ball(1.0))


@cache
def _curved(epsilon: float, steps: int) -> tuple[tuple[float, ...], Event]:
    """Compute bounds and excess risks per record, with curvature and without."""
    D, lam = _patients(), noise_for(epsilon, steps)
    known: dict[str, Any] = {"n": PATIENTS, "p": 1, "steps": steps}
    known |= {"noise_multiplier": lam, "lipschitz": 2.0}
    curved: dict[str, Any] = {"strong_convexity": PATIENTS}
    far = 1.0  # θ_0 = 0 is within 1 of every model
    run: dict[str, Any] = {"clip_norm": 2.0, "steps": steps, "noise_multiplier": lam}
    run |= {"rng": 0, "runs": (50,)}
    eta = dp_sgd_learning_rate(**known, distance=far)
    fast = strongly_convex_dp_sgd(D, **run, **curved)
    slow = dp_sgd(D, **run, learning_rate=eta)
    least = D.risk(np.array([D.y.mean()]))
    return (
        strongly_convex_risk_bound(**known, **curved) / PATIENTS,
        float(np.mean(D.risk(fast.theta) - least)) / PATIENTS,
        dp_sgd_risk_bound(**known, distance=far) / PATIENTS,
        float(np.mean(D.risk(slow.theta) - least)) / PATIENTS,
    ), fast.event


@figure(
    axes=Axes(
        "steps T",
        "excess risk per record",
        xlim=(1, 1024),
        ylim=(1e-6, 10),
        xscale="log",
        yscale="log",
    ),
    title="A curved risk is minimized faster",
    alt=(
        "Four falling lines. The bound with curvature falls as one over T, the "
        "general bound only as one over the root of T; both measured lines lie far "
        "below."
    ),
    caption=(
        "Squared loss in one dimension: one number near the disease targets of 442 "
        "patients. Means of 50 runs. The search is not charged to ε."
    ),
    identity="curvature",
    epsilon=Slider((0.1, 0.3, 0.5, 1, 2, 3, 10), start=10),
)
def curvature(epsilon: float) -> list[Mark]:
    """Compare two bounds with what they bound, on a curved risk.

    Examples
    --------
    >>> bound, measured, general, *_ = curvature(1.0)
    >>> bool((measured.y < bound.y).all()), bool(bound.y[-1] < general.y[-1] / 7)
    (True, True)
    """
    rows, events = zip(*[_curved(epsilon, T) for T in STEPS], strict=True)
    fast_bound, fast, slow_bound, slow = np.transpose(rows)
    return [
        Line(STEPS, fast_bound, "bound with curvature", "bound"),
        Line(STEPS, fast, "measured, shrinking steps", "private"),
        Line(STEPS, slow_bound, "general bound", "reference"),
        Line(STEPS, slow, "measured, fixed step", "measured"),
        Sentence(
            f"At ε = {{epsilon}} and 1,024 steps the bound with curvature is "
            f"{slow_bound[-1] / fast_bound[-1]:.1f} times below the general one. "
            f"Measured: {write(float(fast[-1]))} with shrinking steps, "
            f"{write(float(slow[-1]))} with a fixed one."
        ),
        Spent(events[-1], DELTA),
    ]


RANK = 4
COLUMNS = (4, 16, 64, 256)


@cache
def _thin(columns: int) -> Problem:
    """Hide 200 records of rank 4 in more columns, without changing any length."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((RECORDS, RANK))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = X @ np.full(RANK, 0.5)  # a unit vector, without error: the best risk is 0
    turn = np.linalg.qr(rng.standard_normal((columns, RANK)))[0]
    return Problem(X @ turn.T, y, absolute, Everywhere())


@cache
def _excess(epsilon: float, columns: int) -> tuple[tuple[float, ...], Event]:
    """Compute the bound with p, the bound with the rank, and the measured excess."""
    D, T = _thin(columns), 300
    lam = noise_for(epsilon, T)
    known: dict[str, Any] = {"n": RECORDS, "steps": T, "noise_multiplier": lam}
    known |= {"lipschitz": 1.0, "distance": 1.0}  # the best model is a unit vector
    eta = dp_sgd_learning_rate(**known, p=RANK)
    run: dict[str, Any] = {"clip_norm": 1.0, "steps": T, "learning_rate": eta}
    out = dp_sgd(D, noise_multiplier=lam, rng=0, runs=(20,), **run)
    return (
        dp_sgd_risk_bound(**known, p=columns) / RECORDS,
        dp_sgd_risk_bound(**known, p=RANK) / RECORDS,
        float(np.mean(D.risk(out.theta))) / RECORDS,
    ), out.event


@figure(
    axes=Axes(
        "columns p",
        "excess risk per record",
        xlim=(4, 256),
        ylim=(0.01, 10),
        xscale="log",
        yscale="log",
        xticks=COLUMNS,
    ),
    title="Noise that the loss does not see",
    alt=(
        "The bound with p rises with the number of columns; the bound with the rank "
        "and the measured risk stay level."
    ),
    caption="200 synthetic records of rank 4, absolute loss, no constraint; 300 steps.",
    identity="rank",
    epsilon=Slider((0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10), start=1),
)
def rank(epsilon: float) -> list[Mark]:
    """Measure the same records in ever more columns, beside both bounds.

    Examples
    --------
    >>> with_p, with_rank, measured, *_ = rank(1.0)
    >>> bool(with_p.y[-1] > 4 * with_p.y[0]), bool((measured.y < with_rank.y).all())
    (True, True)
    """
    rows, events = zip(*[_excess(epsilon, p) for p in COLUMNS], strict=True)
    with_p, with_rank, measured = np.transpose(rows)
    return [
        Line(COLUMNS, with_p, "bound with p", "reference"),
        Line(COLUMNS, with_rank, "bound with the rank", "bound"),
        Line(COLUMNS, measured, "measured, mean of 20 runs", "measured"),
        Sentence(
            f"At ε = {{epsilon}}: from 4 to 256 columns the bound with p grows "
            f"{with_p[-1] / with_p[0]:.1f} times, and the measured risk is "
            f"{measured[-1] / measured[0]:.2f} times what it was."
        ),
        Spent(events[-1], DELTA),
    ]
