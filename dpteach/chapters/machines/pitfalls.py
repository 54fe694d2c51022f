"""Figure of the chapter on machines: what seventeen programs promise, and allow."""

from functools import cache

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Cells, Line, Mark, Points, Sentence, Spent
from ...figures.style import write
from ...privacy import Pure
from ..shared.tied_noise import DELTA
from .floats import EPSILONS
from .leaks import LEAKS, budget_event

NUMBERS = tuple(range(1, len(LEAKS) + 1))


@cache
def guesses(epsilon: float) -> np.ndarray:
    """Run every pitfall at one budget.

    Examples
    --------
    >>> told, found = guesses(1.0)
    >>> bool((found > told).all())
    True
    """
    return 100 * np.array([run(epsilon) for _, _, run in LEAKS]).T


# What stands beside the rows: nine in the first panel, eight in the second.
SHORT = (
    "floats", "seed", "rounding", "running time", "best of ten", "scaling",
    "stopping", "exception", "BatchNorm", "micro-batches", "generator", "devices",
    "a layer", "logged loss", "actual batch", "single sum", "overflow",
)  # fmt: skip
FIRST = 9
PANELS = (slice(0, FIRST), slice(FIRST, len(LEAKS)))


def _panel(rows: slice) -> Axes:
    numbers, words = NUMBERS[rows], SHORT[rows]
    return Axes(
        "right guesses in 100",
        "",
        xlim=(48, 102),
        ylim=(0.4, FIRST + 0.6),
        xticks=(50, 60, 70, 80, 90, 100),
        yticks={
            FIRST - k: f"{word} {number}"
            for k, (number, word) in enumerate(zip(numbers, words, strict=True))
        },
        title=f"Pitfalls {numbers[0]} to {numbers[-1]}",
    )


@figure(
    axes=tuple(_panel(rows) for rows in PANELS),
    title="Seventeen ways to break a proof",
    alt=(
        "Seventeen rows in two panels. In each row, a dot for what is promised, at 55 "
        "to 73 in 100, and a cross for the program as it is, in most rows at 100."
    ),
    caption=(
        "How often the best guess about one record is right, at even odds. Every row "
        "runs a broken program, or computes it exactly; the first is measured on 2,000 "
        "releases. Where noise is Gaussian, ε is meant at δ = 10⁻⁶."
    ),
    identity="pitfalls",
    plays="leak",
    epsilon=Slider(EPSILONS, start=1),
    leak=Slider(NUMBERS, start=1),
)
def promised_and_kept(epsilon: float, leak: int) -> list[Mark]:
    """Draw how much each pitfall gives away, beside what was promised.

    Examples
    --------
    >>> *_, said, _ = promised_and_kept(1.0, 8)
    >>> said.text
    'Pitfall {leak}, an exception: total. At ε = {epsilon}, 54.7 right guesses in 100 \
are promised; this program allows 100.'
    """
    checks.one_of(NUMBERS, leak=leak)
    told, found = guesses(epsilon)
    name, severity, _ = LEAKS[leak - 1]
    here = leak - 1
    return [
        *(mark for k in range(len(PANELS)) for mark in _rows(epsilon, leak, k)),
        Sentence(
            f"Pitfall {{leak}}, {name}: {severity}. At ε = {{epsilon}}, "
            f"{write(float(told[here]))} right guesses in 100 are promised; this "
            f"program allows {write(float(found[here]))}."
        ),
        Spent((budget_event(epsilon), _pure_event(epsilon)), DELTA, at_least=True),
    ]


def _rows(epsilon: float, leak: int, panel: int) -> list[Mark]:
    told, found = guesses(epsilon)[:, PANELS[panel]]
    height = FIRST - np.arange(len(told))
    lit = np.where(np.array(NUMBERS[PANELS[panel]]) == leak, 0.3, 0.0)
    middle = np.full(len(told), 75.0)
    marks: list[Mark] = [
        Cells(
            middle, height, lit, "this pitfall", "measured",
            width=54, height=0.9, panel=panel,
        ),
        Line([50, 50], [0.4, FIRST + 0.6], "a blind guess", "reference", panel=panel),
        Points(told, height, "promised", "private", panel=panel),
        Points(found, height, "as it is", "broken", panel=panel),
    ]  # fmt: skip
    return marks


def _pure_event(epsilon: float) -> Pure:
    return Pure(epsilon, relation=budget_event(epsilon).relation)
