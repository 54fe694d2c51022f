"""Small problems, and the densities of their tilted minima."""

import numpy as np

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.pure.objective import (
    objective_perturbation_log_density,
)

ANYWHERE = constraints.Everywhere()


def logistic_line(*signs):
    """Records x = 1 with the given labels."""
    return Problem(
        np.ones((len(signs), 1)), np.array(signs, float), losses.logistic, ANYWHERE
    )


PAIRS = [
    (logistic_line(*signs), logistic_line(*signs, new))
    for signs in ([], [1] * 3 + [-1] * 3, [1] * 8, [-1] * 8)
    for new in (1, -1)
]

NEAR, TAIL = np.linspace(-12, 12, 24_001), np.geomspace(12, 200, 200)

LINE = np.concatenate([-TAIL, NEAR, TAIL])[:, None]


def exact_epsilon(pair, lam, Lam):
    """max |log density ratio| of the package's own density, on a fine line."""
    kind = {"lipschitz": 1.0, "regularization": Lam, "noise_multiplier": lam}
    first, second = (objective_perturbation_log_density(D, LINE, **kind) for D in pair)
    return float(np.max(np.abs(first - second)))
