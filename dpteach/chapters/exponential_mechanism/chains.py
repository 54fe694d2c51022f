"""Figure of the chapter on the exponential mechanism: a chain stopped early."""

from functools import cache
from math import exp

import numpy as np

from ... import checks
from ...algorithms.pure.exponential import exponential_mechanism_exponent
from ...algorithms.pure.exponential_chains import metropolis_transitions
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Line,
    Mark,
    Points,
    Sentence,
    Spent,
)
from ...figures.predict import Choose
from ...figures.style import write
from ...mechanisms.finite_exponential import exponential_choice_probabilities
from ...privacy import Approximate, Pure, Relation
from . import questions as ask

MODELS = np.linspace(-1, 1, 21)
STEPS = (1, 3, 10, 30, 100, 300, 1000)
TIMES = tuple(sorted({*STEPS, *(round(T) for T in np.geomspace(1, 1000, 31))}))
FLOOR = 1e-6  # the panel's lower end
# Ten records that prefer no model, and one more that does.
_RECORDS = np.repeat([-1.0, 1.0], 5), np.repeat([-1.0, 1.0], [5, 6])


@cache
def _distributions(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute the chain's distributions for both data sets, and the targets."""
    c = exponential_mechanism_exponent(epsilon, lipschitz=1.0, diameter=2.0)
    risks = [np.abs(MODELS[:, None] - records).sum(axis=1) for records in _RECORDS]
    steps = np.stack([metropolis_transitions(risk, exponent=c) for risk in risks])
    start = np.eye(len(MODELS))[len(MODELS) // 2]  # the middle, for all data
    distributions = [start @ np.linalg.matrix_power(steps, T) for T in TIMES]
    targets = [exponential_choice_probabilities(-risk, exponent=c) for risk in risks]
    return np.array(distributions), np.array(targets)


def _delta(P: np.ndarray, Q: np.ndarray, epsilon: float) -> np.ndarray:
    """Compute the least δ at ε, exactly, from two tables of probabilities."""
    both = [np.maximum(a - exp(epsilon) * b, 0) for a, b in ((P, Q), (Q, P))]
    return np.max(np.sum(both, axis=-1), axis=0)


@figure(
    asks=Choose(
        ask.CHAIN,
        hides=["exact δ", "your T"],
        ghosts=[
            [(1, 2e-6), (30, 2e-6), (900, 2e-6)],
            [(1, 0.5), (3, 0.05), (8, 1e-3), (20, 8e-6), (30, 3e-6)],
            [(1, 0.04), (5, 0.12), (40, 0.4), (100, 0.06), (300, 4e-4), (800, 5e-5)],
        ],
        panel=1,
    ),
    axes=(
        Axes(
            "model θ",
            "probability",
            xlim=(-1, 1),
            ylim=(0, 0.5),
            title="Where the chain stands",
        ),
        Axes(
            "steps T",
            "δ at this ε",
            xlim=(1, 1000),
            ylim=(FLOOR, 1),
            xscale="log",
            yscale="log",
            title="What stopping costs",
        ),
    ),
    title="A chain that was stopped early",
    alt=(
        "In the panel “Where the chain stands”, two distributions: one jagged, with "
        "every other model left out, and one smooth. In the panel “What stopping "
        "costs”, the exact delta rises first, and only falls after dozens of steps."
    ),
    caption=(
        "Exact, by powers of the chain’s matrix. Five records at −1 and five at +1; "
        "the neighbor has one more at +1. Other pairs may cost more."
    ),
    identity="exponential-chain",
    epsilon=Slider((0.3, 0.5, 0.7, 1, 1.5, 2, 3), start=1),
    plays="steps",
    steps=Slider(TIMES, start=10),
)
def stopped_chain(epsilon: float, steps: int) -> list[Mark]:
    """Show the distribution of a chain after T steps, and what it costs by then.

    Examples
    --------
    >>> *_, spent = stopped_chain(1.0, 30)
    >>> round(spent.delta, 3)  # for ε = 1 this δ would have to be 0
    0.3
    """
    checks.one_of(TIMES, steps=steps)
    distributions, targets = _distributions(epsilon)
    at = TIMES.index(steps)
    far = np.abs(distributions - targets).sum(axis=-1).max(axis=-1) / 2
    delta = _delta(distributions[:, 0], distributions[:, 1], epsilon)
    promise = np.minimum((1 + exp(epsilon)) * far, 1)
    alone = float(distributions[at, 1][distributions[at, 0] == 0].sum())
    seen = float(delta[at])
    event = (
        Approximate(epsilon, seen, relation=Relation.ADD_REMOVE)
        if seen
        else Pure(epsilon, relation=Relation.ADD_REMOVE)
    )
    return [
        Line(MODELS, targets[1], "target", "reference"),
        Line(MODELS, distributions[at, 0], "chain without the record", "private"),
        Line(MODELS, distributions[at, 1], "chain with the record", "broken"),
        Line(TIMES, np.maximum(promise, FLOOR), "(1 + exp ε)·τ", "bound", panel=1),
        Line(TIMES, np.maximum(delta, FLOOR), "exact δ", "measured", panel=1),
        Points(
            [steps], [max(seen, FLOOR)], "your T", "private", panel=1, moves="steps"
        ),
        Sentence(_told(seen, alone)),
        Spent(event, seen, at_least=True),  # the audit saw one pair of data sets
    ]


def _told(delta: float, alone: float) -> str:
    if delta == 0:
        return (
            "At step {steps} the chain meets ε = {epsilon} on these two data sets. "
            "That says nothing about other data sets."
        )
    where = f", and {write(alone)} for every ε" if alone > 0 else ""
    return (
        "At step {steps} the chain meets ε = {epsilon} only with "
        f"δ = {write(delta)}{where}. An exact draw has δ = 0."
    )
