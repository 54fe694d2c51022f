"""Figure of the chapter on fleets: noise against the pause between two turns."""

from math import sqrt
from typing import Any

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...algorithms.matrices import (
    matrix_mechanism,
    multi_participation,
    optimal_bands,
    optimal_buffers,
    optimal_inverse_bands,
    participation_bound,
    sensitivity,
    toeplitz_encoder,
)
from ...algorithms.matrices.factorization import tree_factorization
from ...algorithms.matrices.multi_participation import (
    multi_participation_factorization,
)
from ...algorithms.streams import participation
from ...algorithms.streams.participation import separated_squared_sensitivity
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...privacy import Gaussian, Relation
from .board import DELTA
from .board import EPSILONS as ROUNDS_EPSILONS

ROUNDS, COHORT = 1024, 20
PAUSES = (16, 32, 64, 128, 256, 512, 1024)
MEMORIES = (1, 3, 15)
EPSILONS = tuple(sorted((*ROUNDS_EPSILONS, 1.2, 1.75, 2.6, 3.75)))


@stored(
    uses=(
        matrix_mechanism,
        multi_participation,
        optimal_bands,
        optimal_buffers,
        optimal_inverse_bands,
        participation,
        participation_bound,
        sensitivity,
        toeplitz_encoder,
    ),
    steps=ROUNDS,
    pauses=PAUSES,
    memories=MEMORIES,
    seed=0,
)
def error_of_pauses(
    steps: int,
    pauses: tuple[int, ...],
    memories: tuple[int, ...],
    seed: int,  # noqa: ARG001  (nothing is drawn)
) -> dict:
    """Compute the mean error for each pause: of the best noise, of a tree, at least.

    Nothing is drawn, so the seed has no effect here.
    """
    rules = [{"participations": -(-steps // d), "separation": d} for d in pauses]
    best = [
        [multi_participation_factorization(steps, memory=m, **rule) for rule in rules]
        for m in memories
    ]
    tree = tree_factorization(steps, estimator="honaker")
    rows = sqrt(np.sum(tree.decoder**2) / steps)
    kind: dict[str, Any] = {"steps": steps, "estimator": "honaker"}
    return {
        "best": [[_short(made.mean_error) for made, _ in row] for row in best],
        "bound": [_short(bound.lower_bound * (1 - 1e-5)) for _, bound in best[0]],
        "tree": [
            _short(rows * sqrt(separated_squared_sensitivity(**kind, **rule)))  # pyright: ignore[reportArgumentType]
            for rule in rules
        ],
        "each": [
            _short(sqrt(rule["participations"] * (steps + 1) / 2)) for rule in rules
        ],
    }


def _short(value: float) -> float:
    return float(f"{value:.6g}")


@figure(
    axes=Axes(
        "rounds from one turn to the next, at least: d",
        "noise of a sum, in clip norms",
        xlim=(16, 1024),
        ylim=(3, 2000),
        xscale="log",
        yscale="log",
        xticks=PAUSES,
    ),
    title="What a pause buys",
    alt=(
        "On logarithmic axes four falling lines. Fresh noise in each round is highest, "
        "the tree is below it, and the best noise for the memory below the tree, close "
        "above the line that no noise is below."
    ),
    caption=(
        "1,024 rounds, as many turns as fit. Root mean square over all sums, at one "
        "price for a device with all that it holds."
    ),
    identity="pause-and-noise",
    picks="separation",
    epsilon=Slider(EPSILONS, start=ROUNDS_EPSILONS[2]),
    memory=Slider(MEMORIES, start=1),
    separation=Slider(PAUSES, start=128),
)
def pauses(epsilon: float, memory: int, separation: int) -> list[Mark]:
    """Draw the noise of sums against the pause, for one memory, above what is least.

    Examples
    --------
    >>> each, tree, best, least, *_ = pauses(2.0, 1, 128)
    >>> bool((least.y <= best.y).all() and (best.y < each.y).all())
    True
    """
    checks.one_of(MEMORIES, memory=memory)
    checks.one_of(PAUSES, separation=separation)
    values, lam = error_of_pauses(), 1 / gaussian_mu(epsilon, DELTA)
    i, j = MEMORIES.index(memory), PAUSES.index(separation)
    each, tree, best, bound = (
        lam * np.array(row)
        for row in (values["each"], values["tree"], values["best"][i], values["bound"])
    )
    kept = "1 vector" if memory == 1 else "{memory} vectors"
    return [
        Line(PAUSES, each, "fresh in each round", "reference"),
        Line(PAUSES, tree, "tree, best estimate", "non_private"),
        Line(PAUSES, best, "best in this memory", "private"),
        Line(PAUSES, bound, "no noise is below", "bound"),
        Points([separation], [best[j]], "your pause", "private", moves="separation"),
        Sentence(
            f"At ε = {{epsilon}}, with {kept} and a pause of {{separation}} rounds, a "
            f"sum has noise of {write(best[j])} clip norms. Nothing is below "
            f"{write(bound[j])}. With {COHORT} devices in a round, the rule "
            f"needs a fleet of {COHORT * separation:,}."
        ),
        Spent(Gaussian(lam, relation=Relation.ZERO_OUT), DELTA),
    ]
