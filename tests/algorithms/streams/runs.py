"""Streams, and every algorithm of the DP-FTRL family on them."""

import numpy as np

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.streams.composite_ftrl import (
    ElasticNet,
    GroupLasso,
    composite_dp_ftrl,
)
from dpteach.algorithms.streams.ftrl import dp_ftrl
from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from dpteach.arrays import clip

EVERYWHERE = constraints.Everywhere()

VARIANTS = {
    "plain": (dp_ftrl, {}),
    "momentum": (momentum_dp_ftrl, {"momentum": 0.9}),
    "elastic net": (composite_dp_ftrl, {"penalty": ElasticNet(0.0, 0.3)}),
    "group lasso": (composite_dp_ftrl, {"penalty": GroupLasso(0.0, 2)}),
}


def logistic(n=40, p=4, constraint=EVERYWHERE, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, p)), rng.choice([-1.0, 1.0], n)
    return Problem(X, y, losses.logistic, constraint)


def regression(n=40, p=3, radius=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = clip(rng.standard_normal((n, p)), 1.0)
    y = X @ np.linspace(-0.5, 0.5, p) + 0.1 * rng.standard_normal(n)
    return Problem(X, y, losses.squared, constraints.L2Ball(radius))
