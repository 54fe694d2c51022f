"""A figure of the chapter on mechanisms: three private ways to choose a winner."""

from functools import cache

import numpy as np

from ... import checks
from ...figures.axes import Axes
from ...figures.explore import Slider, even
from ...figures.figure import figure
from ...figures.marks import (
    Bars,
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.style import write
from ...mechanisms import (
    exponential_choice_probabilities,
    noisy_max_probabilities,
    permute_and_flip_probabilities,
)
from ...privacy import (
    Pure,
    Relation,
)

VOTES = np.array([30.0, 28.0, 25.0, 20.0, 4.0])

CHOICES = (
    ("exponential mechanism", "private", exponential_choice_probabilities),
    ("report noisy max", "reference", noisy_max_probabilities),
    ("permute and flip", "measured", permute_and_flip_probabilities),
)

BUDGETS = even(0.03, 0.09, 0.01) + even(0.1, 0.95, 0.05) + even(1, 3, 0.25)

_BUDGETS = np.geomspace(0.03, 3, 31)


@cache
def _lost(budget: float) -> tuple[float, ...]:
    """Compute the votes that a choice loses on average; counts all move one way."""
    gap = VOTES.max() - VOTES
    return tuple(
        float(chances(VOTES, exponent=budget) @ gap) for *_, chances in CHOICES
    )


@figure(
    axes=(
        Axes(
            "candidate",
            "probability",
            xlim=(0.4, 5.6),
            ylim=(0, 1),
            xticks=(1, 2, 3, 4, 5),
            title="Who wins",
        ),
        Axes(
            "privacy ε",
            "votes short of the best",
            xlim=(0.03, 3),
            ylim=(0, 10),
            xscale="log",
            title="What it loses",
        ),
    ),
    title="Three ways to choose",
    alt=(
        "In the panel “Who wins”, bars for five candidates; permute and flip gives the "
        "first the most. In the panel “What it loses”, three falling curves; that of "
        "permute and flip is the lowest."
    ),
    caption=(
        "Five candidates with 30, 28, 25, 20 and 4 votes. Another voter adds to one "
        "count and subtracts from none, so the exponent is ε. The probabilities are "
        "exact."
    ),
    identity="selection",
    epsilon=Slider(BUDGETS, start=0.3),
)
def selection(epsilon: float) -> list[Mark]:
    """Choose the winner of a vote in three private ways.

    Examples
    --------
    >>> exponential, noisy_max, flip, *_ = selection(0.3)
    >>> [round(float(bars.height[0]), 2) for bars in (exponential, noisy_max, flip)]
    [0.55, 0.56, 0.64]
    """
    checks.positive(epsilon=epsilon)
    names, here = np.arange(1, 6), _lost(float(epsilon))
    marks: list[Mark] = [
        Bars(names + shift, chances(VOTES, exponent=epsilon), label, role, width=0.26)
        for shift, (label, role, chances) in zip((-0.28, 0, 0.28), CHOICES, strict=True)
    ]
    curves = np.transpose([_lost(float(budget)) for budget in _BUDGETS])
    for curve, (label, role, _) in zip(curves, CHOICES, strict=True):
        marks.append(Line(_BUDGETS, curve, label, role, panel=1))
    for lost, (label, role, _) in zip(here, CHOICES, strict=True):
        marks.append(Points([epsilon], [lost], label, role, panel=1))
    said = ", ".join(
        f"{write(lost)} ({label})"
        for lost, (label, *_) in zip(here, CHOICES, strict=True)
    )
    return [
        *marks,
        Sentence(f"Votes that are lost on average, at ε = {{epsilon}}: {said}."),
        Spent(Pure(epsilon, relation=Relation.ADD_REMOVE)),
    ]
