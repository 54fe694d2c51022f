"""Runs behind the chapter on DP-FTRL in practice: batches four times as large.

Four passes with a quarter of the steps each make as many steps as one pass of DP-SGD,
at four times its work.
"""

from ...data import _copies, real
from ...figures.results import stored
from . import one_pass
from .one_pass import USES, choose, digits_in_splits


@stored(
    uses=(*USES, one_pass, real, _copies),
    epsilons=(1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    delta=1e-4,
    steps=75,
    epochs=4,
    methods=("independent", "tree", "root"),
    rates=(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0),
    runs=(4, 8),  # to choose, to measure
    splits=5,
    seed=0,
)
def accuracy_with_larger_batches(
    epsilons: tuple,
    delta: float,
    steps: int,
    epochs: int,
    methods: tuple,
    rates: tuple,
    runs: tuple,
    splits: int,
    seed: int,
) -> dict:
    """Measure DP-FTRL on digits, with batches of 16 and four passes: over ε."""
    parts = digits_in_splits(splits)
    return {
        method: [
            choose(
                method,
                parts,
                (epsilon, delta, steps, epochs),
                rates=rates,
                runs=runs,
                seed=seed,
            )
            for epsilon in epsilons
        ]
        for method in methods
    }
