"""Valid arguments of DP-FTRL in practice, for the bad-input matrix."""

import numpy as np

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.streams import batched_ftrl

X = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]])
CASES = {
    batched_ftrl.batched_ftrl: {
        "problem": Problem(X, np.ones(4), losses.absolute, constraints.Everywhere()),
        "factorization": square_root_factorization(2),
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "epochs": 2,
        "momentum": 0.5,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
    },
}
