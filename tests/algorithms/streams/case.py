"""A case of the DP-FTRL family, for the common properties, and a small problem."""

import numpy as np

from dpteach import Problem, Relation, constraints, losses
from dpteach.algorithms.streams.ftrl import dp_ftrl_noise_multiplier
from tests.algorithms.case import Case

BUDGET = {"epsilon": 0.7, "delta": 1e-6}
LAM = dp_ftrl_noise_multiplier(**BUDGET, steps=12, relation=Relation.REPLACE)


def ftrl_case(
    algorithm, loss=losses.logistic, *, noise_multiplier=LAM, path=13, **arguments
):
    """Run it on 12 records that may be replaced, with the tree's noise."""
    arguments = {
        "noise_multiplier": noise_multiplier,
        "regularization": 40.0,
        "relation": Relation.REPLACE,
        **arguments,
    }
    ball = constraints.L2Ball(1.0)
    return Case(algorithm, loss, ball, arguments, path=path, n=12, **BUDGET)


def problem(n=12, constraint=None, loss=losses.logistic):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, 3))
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return Problem(X, y, loss, constraint or constraints.Everywhere())
