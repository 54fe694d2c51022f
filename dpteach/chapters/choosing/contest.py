"""Figure of the chapter on choosing: the benchmark, algorithm by algorithm."""

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Approximate, Pure
from .benchmark import (
    ALGORITHMS,
    DELTA,
    EPSILONS,
    PURE,
    TASKS,
    ZERO_OUT,
    four_data_sets,
    task,
)

TUNING = ("as the theorem says", "best of five factors")
LOW, HIGH, OUT = 0.1, 400.0, 1200.0
SHORT = (
    "output", "output, N", "objective", "obj., N", "DP-SGD", "bolt-on",
    "FTRL, tree", "FTRL, root", "Fr.-Wolfe", "moments", "local SGD", "BANCO",
)  # fmt: skip


def measured(name: str, epsilon: float, tuning: str) -> dict[str, list[float]]:
    """Read what each algorithm lost on a data set.

    Examples
    --------
    >>> said = measured("breast cancer", 1.0, "as the theorem says")
    >>> min(said, key=lambda each: said[each][0])
    'objective, normal noise'
    """
    checks.one_of(TASKS, task=name)
    checks.one_of(EPSILONS, epsilon=epsilon)
    checks.one_of(TUNING, factor=tuning)
    at, found = EPSILONS.index(epsilon), {}
    for algorithm, rows in four_data_sets()[name].items():
        tried = [rows["1"]] if tuning == TUNING[0] else list(rows.values())
        found[algorithm] = min((row[at] for row in tried), key=lambda row: row[0])
    return found


@figure(
    axes=Axes(
        "loss in % of what can be learned",
        "",
        xlim=(LOW, 2500.0),
        ylim=(0.4, len(ALGORITHMS) + 0.6),
        xscale="log",
        xticks={0.1: "0.1", 1.0: "1", 10.0: "10", 100.0: "100", OUT: "no"},
        yticks={len(ALGORITHMS) - k: word for k, word in enumerate(SHORT)},
    ),
    title="Twelve algorithms, four data sets",
    alt=(
        "A row for each of twelve algorithms, with a dot for the mean loss of 40 runs "
        "and a bar for the middle 80 percent. Objective perturbation with normal noise "
        "is usually farthest left; a line marks 100 percent."
    ),
    caption=(
        "0% is the best model of the ball, 100% one that ignores the data. 40 runs "
        "each, bars: the middle 80%. N: normal noise; “no”: cannot run. The best "
        "factor was found by looking, which is not charged to ε."
    ),
    identity="benchmark",
    task=Slider(TASKS, start=TASKS[3]),
    epsilon=Slider(EPSILONS, start=1.0),
    factor=Slider(TUNING, start=TUNING[0]),
)
def benchmark(task: str, epsilon: float, factor: str) -> list[Mark]:
    """Draw what each algorithm lost on one data set.

    Examples
    --------
    >>> *_, said, _ = benchmark("diabetes", 1.0, "as the theorem says")
    >>> said.text[:50]
    'On {task} (n = 442, p = 11) at ε = {epsilon}, {fac'
    """
    found = measured(task, epsilon, factor)
    first, second = sorted(found, key=lambda name: found[name][0])[:2]
    return [
        Line([100, 100], [0.4, len(ALGORITHMS) + 0.6], "no better than no data",
             "reference"),
        *_bars(found),
        _means(found, PURE, "mean, δ = 0", "bound"),
        _means(found, _OTHERS, "mean, δ = 10⁻⁶", "private"),
        Sentence(
            f"On {{task}} ({_sizes(task)}) at ε = {{epsilon}}, {{factor}}: {first} "
            f"loses {write(found[first][0])}% of what can be learned, {second} "
            f"{write(found[second][0])}%, and DP-SGD {write(found['DP-SGD'][0])}%."
        ),
        Spent(
            (Pure(epsilon, relation=ZERO_OUT),
             Approximate(epsilon, DELTA, relation=ZERO_OUT)),
            DELTA,
        ),
    ]  # fmt: skip


_OTHERS = tuple(name for name in ALGORITHMS if name not in PURE)
_HEIGHTS = dict(zip(ALGORITHMS, range(len(ALGORITHMS), 0, -1), strict=True))


def _shown(found: dict[str, list[float]], name: str) -> np.ndarray:
    """Return mean and ends within the frame, or the place that says no."""
    return np.clip(found[name], LOW, HIGH) if name in found else np.full(3, OUT)


def _bars(found: dict[str, list[float]]) -> list[Mark]:
    return [
        Line(_shown(found, name)[1:], [_HEIGHTS[name]] * 2, "middle 80%", "measured")
        for name in ALGORITHMS
    ]


def _means(
    found: dict[str, list[float]], names: tuple[str, ...], label: str, role: str
) -> Points:
    places = [_shown(found, name)[0] for name in names]
    return Points(places, [_HEIGHTS[name] for name in names], label, role)


def _sizes(name: str) -> str:
    D = task(name).problem
    return f"n = {D.n}, p = {D.p}"
