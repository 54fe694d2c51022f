"""Figure of the chapter on choosing: how often the data can be read."""

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Pure
from .benchmark import EPSILONS
from .decision import FEATURES, RECORDS, stored_options
from .options import MOST_PASSES, SETTINGS, ZERO_OUT, Option, stopped_early

DELTAS = (1e-9, 1e-6)
PASSES = (1, 3, 10, 30, 100, 300, 1000, 3000, MOST_PASSES)
LEAST, MOST = 1e-4, 2.0  # of the axis


def _drawn(bounds: list[float]) -> np.ndarray:
    return np.clip(bounds, LEAST, MOST)


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
        "Logistic regression, models of norm 1, a trusted server. At each stair "
        "accelerated descent is proved to have arrived."
    ),
    identity="passes",
    passes=Slider(PASSES, start=100),
    n=Slider(RECORDS[1:], start=10_000),
    p=Slider(FEATURES[:3], start=100),
    epsilon=Slider(EPSILONS[1:4], start=1.0),
    delta=Slider(DELTAS, start=1e-6),
)
def by_passes(passes: int, n: int, p: int, epsilon: float, delta: float) -> list[Mark]:
    """Draw what each algorithm promises against the passes that it makes.

    Examples
    --------
    >>> *_, said, _ = by_passes(100, 10_000, 100, 1.0, 1e-6)
    >>> said.text[:48]
    'With {passes} passes the best promise is that of'
    """
    checks.one_of(PASSES, passes=int(passes))
    known = stored_options(n, p, epsilon, delta, SETTINGS[0])
    solved = [each for each in known if not each.steps]
    (stream,) = (each for each in known if each.algorithm == "DP-FTRL, tree")
    early = [stopped_early(n, p, epsilon, delta=delta, passes=k) for k in PASSES]
    stopped = early[PASSES.index(int(passes))]
    done = [each for each in (*solved, stream, stopped) if each.passes <= passes]
    best = min(done, key=lambda each: each.bound)
    x, y = _staircase(solved)
    spent: Pure | Approximate = Pure(epsilon, relation=ZERO_OUT)
    if not best.pure:
        spent = Approximate(epsilon, delta, relation=ZERO_OUT)
    return [
        Line(PASSES, _drawn([each.bound for each in early]), "DP-SGD, stopped early",
             "private"),
        Line(x, _drawn(y), "with a solver, once it is done", "bound"),
        Line([1, MOST_PASSES], _drawn([stream.bound] * 2), "DP-FTRL, one pass",
             "reference"),
        Points([passes], _drawn([best.bound]), "the least bound", "measured"),
        Sentence(
            f"With {{passes}} passes the best promise is that of {best.algorithm}: an "
            f"excess of at most {write(best.bound)} per record. This is for n = {{n}}, "
            "p = {p}, ε = {epsilon} and δ = {delta}."
        ),
        Spent(spent, 0.0 if best.pure else delta),
    ]  # fmt: skip
