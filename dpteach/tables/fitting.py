"""A private model of a table: one run, one budget, no choice by the data."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from .. import checks
from ..algorithms.gradients.sgd import dp_sgd, dp_sgd_noise_multiplier
from ..algorithms.pure.gaussian_objective import gaussian_objective_perturbation
from ..arrays import Rng, as_rng
from ..constraints import Everywhere
from ..losses import huber, logistic, softmax
from ..mechanisms.laplace import laplace_mechanism
from ..mechanisms.noisy_max import report_noisy_max
from ..privacy import Approximate, Composed, Event, Gaussian, Pure, Relation
from ..problem import Problem
from . import reading
from .encoding import codes, encode, numbers, width_of
from .models import Model
from .rule import (
    CURVATURE,
    SPREAD,
    expected_agreement,
    public_regularization,
    require_enough_rows,
)
from .schema import Column, Schema

ZERO_OUT = Relation.ZERO_OUT
MOST_WIDTH = 4_000  # a Newton step solves for as many numbers
HUBER = 0.25  # width, where the target goes from −1 to 1


class UnreadableColumn(ValueError):
    """Most cells of a column are not what the schema says: a private answer.

    Parameters
    ----------
    message : str
        What was found, and what it cost.
    column : str
        The column's name.
    event : Event
        What the answer has spent.
    """

    def __init__(self, message: str, column: str, event: Event) -> None:
        super().__init__(message)
        self.column, self.event = column, event


def fit(
    table: Any,
    schema: Schema,
    *,
    target: str,
    epsilon: float,
    rng: Rng,
    delta: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Model:
    r"""Train a private linear model of one column of a table.

    Two classes: objective perturbation with normal noise. Several classes: noisy
    gradient descent on the softmax loss. Numbers: objective perturbation on a Huber
    loss. A unit with several rows: noisy gradient descent.

    Parameters
    ----------
    table : path or data frame
        A CSV file, a Parquet file, or a frame of pandas, polars or pyarrow. A row is a
        record, whatever is in it, and the number of rows is public.
    schema : Schema
        What is public about the columns.
    target : str
        The column to predict. A row without a valid target counts, and pulls nothing.
    epsilon, delta : float
        The whole budget. δ is by default the smaller of 1e-6 and 1/(10 n).
    progress : callable, optional
        Called with the number of rows that were read.

    Returns
    -------
    Model
        The model with its event: ``predict`` with it, or ``model.save(folder)``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the header does not fit the schema, or the
        number of rows is too small for the budget: all this is public.
    UnreadableColumn
        If a private count finds that most cells of a column are not as declared. It
        takes a small part of ε, and is not made for few rows.

    Notes
    -----
    Data decide no other exception, message or warning. Time and memory depend on the
    length of cells, on whether lines hold quotes, and on how many steps a solver takes:
    do not publish them.

    Examples
    --------
    >>> from dpteach.chapters.choosing.recipe import PATIENTS, PATIENT_SCHEMA
    >>> model = fit(PATIENTS, PATIENT_SCHEMA, target="progression", epsilon=2.0, rng=0)
    >>> model.theta.shape, model.delta
    ((11,), 1e-06)
    """
    checks.instance(Schema, schema=schema)
    checks.instance(str, target=target)
    epsilon = checks.moderate(epsilon=epsilon)
    features, goal = schema.features(target), schema.column(target)
    require_width(features)
    X, y, unreadable = _load(table, schema, features, goal, progress)
    n, m = X.shape[0], schema.contributions
    delta = min(1e-6, 0.1 / max(n, 1)) if delta is None else delta
    delta, rng = checks.probability(delta=delta), as_rng(rng)
    # 1: refuse what public numbers already say
    share = check_epsilon(n, epsilon)
    plan = planned(goal, n, width_of(features), epsilon - share, delta, m)
    require_enough_rows(plan["agreement"], n, width_of(features), epsilon)
    # 2: is a column not what the schema says? for a small part of ε
    checked = _require_readable(unreadable, n, share, m, [*features, goal], rng)
    # 3: train, with the rest of ε
    theta, event = trained(X, y, goal, plan, rng)
    event = Composed((*checked, event)) if checked else event
    return Model(schema, target, theta, event, epsilon, delta, n, plan)


def _load(
    table: Any,
    schema: Schema,
    features: tuple[Column, ...],
    goal: Column,
    progress: Callable[[int], None] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Encode all rows; a row without a valid target becomes zero."""
    read = numbers if goal.kind == "number" else codes
    unreadable, labels = np.zeros(len(features) + 1), [np.zeros(0)]
    X, n = np.zeros((reading.BLOCK, width_of(features))), 0
    names = [*(column.name for column in features), goal.name]
    for block in reading.blocks(table, schema, names, progress):
        part, counts = encode(block[:-1], features)
        y, count = read(block[-1], goal)
        absent = np.isnan(y) if goal.kind == "number" else y < 0
        part[absent], y[absent] = 0, 0
        if n + len(part) > len(X):  # grows in place, without a second copy
            X.resize((n + max(len(part), n // 8), X.shape[1]), refcheck=False)
        X[n : n + len(part)], n = part, n + len(part)
        labels.append(y.astype(float))
        unreadable += [*counts, count]
    X.resize((n, X.shape[1]), refcheck=False)
    return X, np.concatenate(labels), unreadable


def check_epsilon(n: int, epsilon: float) -> float:
    """Say what the question for unreadable columns costs: little, or 0 for few rows.

    With these sizes it errs, if all cells are readable, less often than once in 10⁵.
    """
    return min(0.05 * epsilon, 150 / n) if n * epsilon >= 1000 else 0.0


def _require_readable(
    unreadable: np.ndarray,
    n: int,
    epsilon: float,
    m: int,
    columns: list[Column],
    rng: np.random.Generator,
) -> tuple[Event, ...]:
    """Ask privately whether most cells of the worst column are unreadable.

    A row moves each count by at most 1, all the same way.
    """
    if epsilon == 0:
        return ()
    kind: dict[str, Any] = {
        "sensitivity": float(m), "epsilon": epsilon / 2, "rng": rng,
        "relation": ZERO_OUT,
    }  # fmt: skip
    worst = int(report_noisy_max(unreadable, monotone=True, **kind).theta)
    count = float(laplace_mechanism(unreadable[worst : worst + 1], **kind).theta[0])
    event = Pure(epsilon, relation=ZERO_OUT)
    if count <= n / 2:
        return (event,)
    column = columns[worst]
    declared = "a number" if column.kind == "number" else f"{list(column.levels)[:5]}"
    raise UnreadableColumn(
        f"`table` must fit the schema, got a column {column.name!r}, declared as "
        f"{declared}, of which most cells are not. This is a private answer: it has "
        f"cost ε = {epsilon:.3g}, and no model was made. Correct the schema.",
        column.name,
        event,
    )


def require_width(features: tuple[Column, ...]) -> int:
    """Count the columns of the encoding; refuse more than can be solved for."""
    p = width_of(features)
    if p > MOST_WIDTH:
        raise ValueError(
            f"`schema` must have at most {MOST_WIDTH} columns of the encoding, got "
            f"{p}. Ignore columns, or group their categories."
        )
    return p


def planned(
    goal: Column, n: int, p: int, epsilon: float, delta: float, m: int
) -> dict[str, Any]:
    """Choose the algorithm and all its numbers, from public ones alone."""
    delta = 0.999 * delta  # the rest lets a label state ε at δ
    if m == 1 and (goal.kind == "number" or len(goal.levels) == 2):
        plan = _tilt(goal.kind == "number", n, p, epsilon, delta)
    else:
        plan = _descent(goal, n, p, epsilon, delta, m)
    return {"width": p, **plan}


def _descent(
    goal: Column, n: int, p: int, epsilon: float, delta: float, m: int
) -> dict[str, Any]:
    """Plan noisy gradient descent: fewer steps where there is more noise."""
    regression = goal.kind == "number"
    clip_norm, curvature, spread = (HUBER, 1.0, 0.3) if regression else (0.5, 0.15, 2.0)
    known: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "relation": ZERO_OUT}
    one = m * clip_norm * dp_sgd_noise_multiplier(steps=1, **known)
    T = round(min(max(50 * n * curvature / (p * one), 50), 200))
    ridge = (p * one**2 / (max(n, 1) * curvature) + 0.1) / spread**2
    fastest = 1.0 if regression else min(16.0, 4.0 * len(goal.levels))
    return {
        "algorithm": "noisy gradient descent",
        "loss": f"huber({HUBER})" if regression else f"softmax({len(goal.levels)})",
        "steps": T,
        "clip_norm": clip_norm,
        "noise_multiplier": dp_sgd_noise_multiplier(steps=T, **known),
        "contributions": m,
        "learning_rate": min(4 / (T * ridge), fastest / max(n, 1)),
        "agreement": expected_agreement(
            one, n=n, p=p, curvature=curvature, spread=spread
        ),
    }


def _tilt(regression: bool, n: int, p: int, epsilon: float, delta: float) -> dict:
    kind: dict[str, Any] = {"smoothness": 1.0, "curvature": 1.0} if regression else {}
    if regression:  # scores spread by 0.3, in units of the largest slope
        kind |= {"spread": 0.3 / HUBER, "sign_monotone": False}
    Lam, lam = public_regularization(epsilon, delta, n=n, p=p, **kind)
    kind = {"spread": SPREAD, "curvature": CURVATURE} | kind
    return {
        "algorithm": "objective perturbation with normal noise",
        "loss": f"huber({HUBER})" if regression else "logistic",
        "regularization": Lam,
        "noise_multiplier": lam,
        "W": lam * sqrt(p) / Lam,
        "epsilon": epsilon,
        "delta": delta,
        "agreement": expected_agreement(
            lam, n=n, p=p, curvature=kind["curvature"], spread=kind["spread"]
        ),
    }


def trained(
    X: np.ndarray, y: np.ndarray, goal: Column, plan: dict, rng: np.random.Generator
) -> tuple[np.ndarray, Event]:
    """Run the planned algorithm; θ has shape ``(p,)``, or ``(p, K)`` for classes.

    The rows of X may be scaled in place.
    """
    regression, everywhere = goal.kind == "number", Everywhere()
    if plan["algorithm"] == "noisy gradient descent":
        loss = huber(HUBER) if regression else softmax(len(goal.levels))
        T, lam, m = plan["steps"], plan["noise_multiplier"], plan["contributions"]
        out = dp_sgd(
            Problem(X, y, loss, everywhere), clip_norm=plan["clip_norm"], steps=T,
            noise_multiplier=m * lam, learning_rate=plan["learning_rate"], rng=rng,
            relation=ZERO_OUT,
        )  # fmt: skip
        # A unit's m rows together move a sum by at most m clip norms.
        event = Gaussian(lam, releases=T, relation=ZERO_OUT)
        theta = out.path[T // 2 :].mean(axis=0)  # every model of the path is paid for
        return theta if regression else theta.reshape(X.shape[1], -1), event
    loss, y = (huber(HUBER), y) if regression else (logistic, 2 * y - 1)
    D = Problem(X, y, loss, everywhere)
    out = gaussian_objective_perturbation(
        D, lipschitz=loss.lipschitz, smoothness=loss.smoothness,
        regularization=plan["regularization"], epsilon=plan["epsilon"],
        delta=plan["delta"], rng=rng, relation=ZERO_OUT, tolerance=1e-6,
        overwrite=True,
    )  # fmt: skip
    return out.theta, Approximate(plan["epsilon"], plan["delta"], relation=ZERO_OUT)
