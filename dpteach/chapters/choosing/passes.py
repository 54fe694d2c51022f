"""Figure of the chapter on choosing: how often the data can be read."""

from functools import cache

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Pure
from .options import MOST_PASSES, ZERO_OUT, Option, options, stopped_early

EPSILON, DELTA = 1.0, 1e-6
RECORDS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
FEATURES = (10, 20, 50, 100, 200, 500, 1000)
PASSES = (1, 3, 10, 30, 100, 300, 1000, 3000, MOST_PASSES)
LEAST, MOST = 1e-4, 2.0  # of the axis


def _drawn(bounds: list[float]) -> np.ndarray:
    return np.clip(bounds, LEAST, MOST)


@cache
def _known(n: int, p: int) -> tuple[list[Option], list[Option]]:
    """List what is promised at most passes, and DP-SGD at each number of them."""
    early = [stopped_early(n, p, EPSILON, delta=DELTA, passes=k) for k in PASSES]
    return options(n, p, EPSILON, delta=DELTA), early


def _staircase(solved: list[Option]) -> tuple[list[float], list[float]]:
    """Fall to each algorithm's bound where its solver is sure to be done."""
    x, y, least = [], [], MOST
    for each in sorted(solved, key=lambda each: each.passes):
        x += [each.passes] * 2
        y += [least, min(least, each.bound)]
        least = y[-1]
    return [*x, MOST_PASSES], [*y, least]


@figure(
    axes=Axes(
        "passes over the data",
        "excess risk per record, at most",
        xlim=(1, MOST_PASSES),
        ylim=(LEAST, MOST),
        xscale="log",
        yscale="log",
        xticks=(1, 10, 100, 1000, 10_000),
        yticks=(0.001, 0.01, 0.1, 1.0),
    ),
    title="How often can you read the data?",
    alt=(
        "A curve for DP-SGD falls as it makes more passes. A staircase for algorithms "
        "with a solver begins further right and ends lower; a level line for DP-FTRL "
        "begins at one pass. A point marks the least bound at the chosen passes."
    ),
    caption=(
        "Logistic regression, models of norm 1, a trusted server; ε = 1, δ = 10⁻⁶. At "
        "each stair accelerated descent is proved to have arrived."
    ),
    identity="passes",
    passes=Slider(PASSES, start=100),
    n=Slider(RECORDS, start=10_000),
    p=Slider(FEATURES, start=100),
)
def by_passes(passes: int, n: int, p: int) -> list[Mark]:
    """Draw what each algorithm promises against the passes that it makes.

    Examples
    --------
    >>> *_, said, _ = by_passes(100, 10_000, 100)
    >>> said.text[:55]
    'Allowed passes: {passes}. The best promise is then that'
    """
    checks.one_of(PASSES, passes=int(passes))
    known, early = _known(int(n), int(p))
    solved = [each for each in known if not each.steps]
    (stream,) = (each for each in known if each.algorithm == "DP-FTRL, tree")
    stopped = early[PASSES.index(int(passes))]
    done = [each for each in (*solved, stream, stopped) if each.passes <= passes]
    best = min(done, key=lambda each: each.bound)
    x, y = _staircase(solved)
    spent: Pure | Approximate = Pure(EPSILON, relation=ZERO_OUT)
    if not best.pure:
        spent = Approximate(EPSILON, DELTA, relation=ZERO_OUT)
    return [
        Line(PASSES, _drawn([each.bound for each in early]), "DP-SGD, stopped early",
             "private"),
        Line(x, _drawn(y), "with a solver, once it is done", "bound"),
        Line([1, MOST_PASSES], _drawn([stream.bound] * 2), "DP-FTRL, one pass",
             "reference"),
        Points([passes], _drawn([best.bound]), "the least bound", "measured"),
        Sentence(
            f"Allowed passes: {{passes}}. The best promise is then that of "
            f"{best.algorithm}: an excess of at most {write(best.bound)} per record. "
            "This is for n = {n} and p = {p}."
        ),
        Spent(spent, 0.0 if best.pure else DELTA),
    ]  # fmt: skip
