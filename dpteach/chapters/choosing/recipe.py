"""A recipe for the reader's own table: from a CSV file to a model with a label."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.gradients.sgd import dp_sgd, dp_sgd_learning_rate
from ...arrays import Rng, clip
from ...constraints import L2Ball
from ...data.real import DIABETES_LIMITS, DIABETES_TARGET
from ...losses import squared
from ...privacy import Composed, Gaussian, Relation, Release
from ...problem import Problem
from ...tables.schema import Schema
from ...tuning import random_stopping, random_stopping_epsilon

ADD_REMOVE = Relation.ADD_REMOVE
INTERCEPT = 0.1
SCORE_SHARE = 0.1  # of a run's μ²: what its score costs
FACTORS = (0.25, 1.0, 4.0, 16.0)  # of the learning rate of the theorem
# The file that ships with the chapter, and what is known without looking into it.
PATIENTS = Path(__file__).with_name("patients.csv")
_COLUMNS = (
    "age", "sex", "body_mass", "blood_pressure", "cholesterol", "ldl", "hdl",
    "cholesterol_over_hdl", "log_triglycerides", "glucose",
)  # fmt: skip
PATIENT_LIMITS = dict(zip(_COLUMNS, DIABETES_LIMITS, strict=True))
PATIENT_TARGET = {"progression": DIABETES_TARGET}
PATIENT_SCHEMA = Schema.read(PATIENTS.with_suffix(".schema.json"))


def read_table(
    path: str | Path,
    *,
    limits: Mapping[str, tuple[float, float]],
    target: Mapping[str, tuple[float, float]],
) -> tuple[np.ndarray, np.ndarray]:
    """Read a CSV file, and scale it by limits that were fixed without looking into it.

    Every line that is not blank becomes a record, whatever is in it: a value beyond its
    limits is moved to them, and what is missing or is no number becomes the middle. So
    no line can be told by an error. Lines are read one by one, so that none moves
    another one: a quotation mark that is never closed ends with its line.

    Examples
    --------
    >>> X, y = read_table(PATIENTS, limits=PATIENT_LIMITS, target=PATIENT_TARGET)
    >>> X.shape, bool((np.linalg.norm(X, axis=1) <= 1 + 1e-12).all())
    ((442, 11), True)
    """
    if len(target) != 1:
        raise ValueError(
            f"`target` must name exactly one column, got {list(target)}. "
            'Give it as {"price": (0, 1000)}.'
        )
    columns = {**_ascending("limits", limits), **_ascending("target", target)}
    with Path(path).open(newline="\n", encoding="utf-8-sig", errors="replace") as lines:
        header = _cells(next(lines, ""))
        absent = [name for name in columns if name not in header]
        if absent:
            raise ValueError(
                f"`limits` and `target` must name columns of the file, got {absent}. "
                f"The header has {header}."
            )
        named = [dict(zip(header, _cells(line), strict=False)) for line in lines]
    rows = [
        [_scaled(row.get(name), *columns[name]) for name in columns]
        for row in named
        if row
    ]
    table = np.array(rows, dtype=float).reshape(-1, len(columns))
    constant = np.full((len(table), 1), INTERCEPT)
    features = clip(table[:, :-1], sqrt(1 - INTERCEPT**2))
    return np.hstack([features, constant]), table[:, -1]


def _ascending(name: str, limits: Any) -> dict[str, tuple[float, float]]:
    for column, (low, high) in limits.items():
        checks.finite(**{name: low})
        checks.finite(**{name: high})
        if not low < high:
            raise ValueError(
                f"`{name}` must ascend, got ({low!r}, {high!r}) for {column!r}. "
                "Swap them, or leave the column out."
            )
    return dict(limits)


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r\n")]), [])
    except csv.Error:  # a field of more than 131,072 characters, for example
        return [""]


def _scaled(text: Any, low: float, high: float) -> float:
    try:
        value = float(text)
    except (TypeError, ValueError):
        return 0.0
    if np.isnan(value):
        return 0.0
    return 2 * (min(max(value, low), high) - low) / (high - low) - 1


@dataclass(frozen=True)
class Plan:
    """How a budget is spent, before the data are touched.

    Parameters
    ----------
    epsilon, delta : float
        What the whole search may spend.
    expected_runs : float
        How many runs there are on average.
    steps : int
        T of each run.
    noise_multiplier : float
        λ of DP-SGD in each run.
    score_noise : float
        Noise on a run's score, over how far a record moves it.
    """

    epsilon: float
    delta: float
    expected_runs: float
    steps: int
    noise_multiplier: float
    score_noise: float

    @property
    def event(self) -> Composed:
        """What one run spends: its model and its score."""
        return Composed(
            (
                Gaussian(
                    self.noise_multiplier, releases=self.steps, relation=ADD_REMOVE
                ),
                Gaussian(self.score_noise, relation=ADD_REMOVE),
            )
        )


@cache
def plan(
    epsilon: float, delta: float, *, expected_runs: float = 4.0, steps: int = 200
) -> Plan:
    """Divide a budget between the steps, the scores and the search.

    Examples
    --------
    >>> one, four = plan(2.0, 1e-6, expected_runs=1.0), plan(2.0, 1e-6)
    >>> round(one.noise_multiplier, 1), round(four.noise_multiplier, 1)
    (33.2, 42.8)
    """
    epsilon = checks.moderate(epsilon=epsilon)
    steps = checks.count(steps=steps)

    def with_mu(mu: float) -> Plan:
        return Plan(
            epsilon, delta, expected_runs, steps,
            sqrt(steps / (1 - SCORE_SHARE)) / mu, 1 / (sqrt(SCORE_SHARE) * mu),
        )  # fmt: skip

    def cost(mu: float) -> float:
        return random_stopping_epsilon(
            with_mu(mu).event, delta, expected_runs=expected_runs
        )

    low, high = 1e-4, 1.0
    while cost(high) <= epsilon:
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if cost(middle) <= epsilon else (low, middle)
    return with_mu(low)


def fit(X: np.ndarray, y: np.ndarray, n: int, plan: Plan, *, rng: Rng) -> Release:
    """Search for a linear model, and publish the best: all of it is paid for.

    Examples
    --------
    >>> X, y = read_table(PATIENTS, limits=PATIENT_LIMITS, target=PATIENT_TARGET)
    >>> best = fit(X, y, 442, plan(2.0, 1e-6), rng=0)
    >>> round(best.event.epsilon, 3), best.theta.shape
    (2.0, (11,))
    """
    checks.instance(Plan, plan=plan)
    radius = 2.0
    # On this ball a prediction is at most 2 and a residual at most 3.
    D = Problem(X, y, squared, L2Ball(radius))
    lipschitz, most = radius + 1, (radius + 1) ** 2 / 2
    known: dict[str, Any] = {
        "steps": plan.steps, "noise_multiplier": plan.noise_multiplier
    }  # fmt: skip
    rate = dp_sgd_learning_rate(
        n=n, p=D.p, lipschitz=lipschitz, distance=radius, **known
    )

    def run(rng: np.random.Generator) -> tuple[float, Release]:
        factor = FACTORS[rng.integers(len(FACTORS))]
        out = dp_sgd(
            D, clip_norm=lipschitz, learning_rate=factor * rate, rng=rng,
            relation=ADD_REMOVE, **known,
        )  # fmt: skip
        noise = most * plan.score_noise * rng.standard_normal()
        score = -float(D.risk(out.theta)) + float(noise)
        return score, Release(out.theta, out.path, plan.event)

    return random_stopping(
        run, expected_runs=plan.expected_runs, delta=plan.delta, rng=rng
    )
