"""Figure of the chapter on machines: what seventeen programs promise, and allow."""

from functools import cache

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
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


@figure(
    axes=Axes(
        "right guesses in 100",
        "pitfall",
        xlim=(48, 102),
        ylim=(0.4, 17.6),
        yticks=(1, 3, 5, 7, 9, 11, 13, 15, 17),
    ),
    title="Seventeen ways to break a proof",
    alt=(
        "Seventeen rows. In each, a dot for what is promised, at 55 to 73 in 100, and "
        "a cross for the program as it is, in most rows at 100."
    ),
    caption=(
        "How often the best guess about one record is right, at even odds. Every row "
        "runs a broken program, or computes it exactly; the first is measured on 2,000 "
        "releases. Where noise is Gaussian, ε is meant at δ = 10⁻⁶."
    ),
    identity="pitfalls",
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
        Line([50, 50], [0.4, 17.6], "a blind guess", "reference"),
        Line([told[here], found[here]], [leak, leak], "this pitfall", "bound"),
        Points(told, NUMBERS, "promised", "private"),
        Points(found, NUMBERS, "as it is", "broken"),
        Sentence(
            f"Pitfall {{leak}}, {name}: {severity}. At ε = {{epsilon}}, "
            f"{write(float(told[here]))} right guesses in 100 are promised; this "
            f"program allows {write(float(found[here]))}."
        ),
        Spent((budget_event(epsilon), _pure_event(epsilon)), DELTA, at_least=True),
    ]


def _pure_event(epsilon: float) -> Pure:
    return Pure(epsilon, relation=budget_event(epsilon).relation)
