"""What a budget buys, on tables that are drawn from the schema: no data are read."""

from typing import Any

import numpy as np

from .. import checks
from ..arrays import Rng, as_rng
from .encoding import encode
from .fitting import check_epsilon, planned, require_width, trained
from .publishing import numbers_of
from .rule import require_enough_rows
from .schema import Column, Schema

MOST_ROWS = 5_000  # that are drawn
MOST_ENTRIES = 10_000_000  # of a drawn table
FRESH_ROWS = 2_000  # on which a drawn model is tried
SPREADS = (1.0, 2.0, 4.0)


def preview(
    schema: Schema,
    *,
    target: str,
    epsilon: float,
    n: int,
    rng: Rng,
    delta: float | None = None,
) -> str:
    """Say what ``fit`` would do with a table of n rows, and what to expect of it.

    Parameters
    ----------
    schema : Schema
        What is public about the columns.
    target : str
        The column to predict.
    n : int
        The number of rows, which is public.
    delta : float, optional
        By default the smaller of 1e-6 and 1/(10 n).

    Returns
    -------
    str
        Lines to print: the encoding, the algorithm and its numbers, and how good it is
        on tables with uniform columns and a random model behind them.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or n is too small for the budget.

    Examples
    --------
    >>> from dpteach.chapters.choosing.recipe import PATIENT_SCHEMA
    >>> said = preview(PATIENT_SCHEMA, target="progression", epsilon=2.0, n=442, rng=0)
    >>> print(said.splitlines()[0])
    10 columns become 11 of the encoding; 442 rows (public)
    """
    checks.instance(Schema, schema=schema)
    checks.instance(str, target=target)
    epsilon, n = checks.moderate(epsilon=epsilon), checks.count(n=n)
    delta = min(1e-6, 0.1 / n) if delta is None else delta
    delta, rng = checks.probability(delta=delta), as_rng(rng)
    features, goal = schema.features(target), schema.column(target)
    p, share = require_width(features), check_epsilon(n, epsilon)
    plan = planned(goal, n, p, epsilon - share, delta, schema.contributions)
    require_enough_rows(plan["agreement"], n, p, epsilon)
    lines = [
        f"{len(features)} columns become {p} of the encoding; {n} rows (public)",
        *(f"  {column.name}: {_encoded(column)}" for column in features),
        f"target {target}: {_encoded(goal)}; unit of privacy: {schema.unit}, with at "
        f"most {schema.contributions} row(s)",
        f"ε = {epsilon:g}, δ = {delta:.3g}, of which ε = {share:.3g} asks whether the "
        "columns are as declared",
        f"{plan['algorithm']}, loss {plan['loss']}: {numbers_of(plan)}",
    ]  # fmt: skip
    return "\n".join([*lines, *_expected(features, goal, plan, n, rng)])


def _encoded(column: Column) -> str:
    kind = f"{len(column.levels)} categories"
    if column.kind == "number":
        kind = f"a number from {column.low:g} to {column.high:g}"
    return kind + ("" if column.required else ", may be missing")


def _expected(
    features: tuple[Column, ...], goal: Column, plan: dict, n: int, rng: Any
) -> list[str]:
    """Train on drawn tables, and compare with the model that was behind them."""
    rows = max(1, min(n, MOST_ROWS, MOST_ENTRIES // plan["width"]))
    lines = [f"on drawn tables of {rows} rows" + (" (yours has more):" * (n > rows))]
    for spread in SPREADS:
        X, y, best = drawn(features, goal, rows + FRESH_ROWS, spread, rng)
        theta, _ = trained(X[:rows], y[:rows], goal, plan, rng)
        z, y, best = X[rows:] @ theta, y[rows:], best[rows:]
        if goal.kind == "number":
            half = (goal.high - goal.low) / 2
            errors = [_root_mean_square(half * (v - y)) for v in (z, best, 0 * y)]
            said = "off by {:.3g} (best possible {:.3g}, without a model {:.3g})"
        else:
            guess = z.argmax(axis=1) if z.ndim == 2 else z > 0
            errors = [float(np.mean(v == y)) for v in (guess, best)]
            said = "accuracy {:.3f} (best possible {:.3f})"
        lines.append(f"  if scores spread by {spread:g}: " + said.format(*errors))
    return lines


def _root_mean_square(error: np.ndarray) -> float:
    return float(np.sqrt(np.mean(error**2)))


def drawn(
    features: tuple[Column, ...], goal: Column, n: int, spread: float, rng: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw encoded rows, targets, and the best predictions of those targets."""
    block = [
        tuple(rng.uniform(column.low, column.high, n).tolist())
        if column.kind == "number"
        else tuple(np.array(column.levels)[rng.integers(len(column.levels), size=n)])
        for column in features
    ]
    X, _ = encode(block, features)
    K = len(goal.levels) if len(goal.levels) > 2 else 1
    z = X[:, :-1] @ rng.standard_normal((X.shape[1] - 1, K))
    z = spread * (z - z.mean(axis=0)) / (z.std(axis=0) + 1e-12)
    if goal.kind == "number":  # a target, too, is seldom at its limits
        best = np.clip(0.15 * z[:, 0], -1, 1)
        return X, np.clip(best + 0.2 * rng.standard_normal(n), -1, 1), best
    z = z if K > 1 else np.hstack([0 * z, z])
    gumbel = rng.gumbel(size=z.shape)  # the largest of score + Gumbel is softmax
    return X, (z + gumbel).argmax(axis=1).astype(float), z.argmax(axis=1)
