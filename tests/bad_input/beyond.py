"""Valid arguments of what the chapter leaves out, for the bad-input matrix."""

import numpy as np

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.gradients import adaptive_ridge, mirror_descent

X = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]])
BOUND = {"n": 100, "p": 3, "steps": 4, "noise_multiplier": 2.0, "lipschitz": 1.0}
CASES = {
    mirror_descent.private_mirror_descent: {
        "problem": Problem(X, np.ones(4), losses.absolute, constraints.Simplex()),
        "clip_norm": 1.0,
        "steps": 3,
        "noise_multiplier": 1.0,
        "learning_rate": 0.1,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
    },
    mirror_descent.mirror_descent_learning_rate: BOUND,
    mirror_descent.mirror_descent_risk_bound: BOUND,
    adaptive_ridge.adaptive_least_squares: {
        "X": X,
        "y": np.array([0.5, -0.5, 0.2, 0.1]),
        "row_norm": 1.0,
        "label_bound": 0.5,
        "noise_multiplier": 2.0,
        "rng": 0,
        "failure_probability": 0.1,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
    },
}
