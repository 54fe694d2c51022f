"""Valid arguments of local SGD, BANCO and their bounds, for the bad-input matrix."""

import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms import banco, betting, local_sgd

X = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
PROBLEM = Problem(X, np.ones(3), losses.absolute, constraints.Everywhere())
USERS = {"epsilon": 1.0, "n": 100, "p": 3, "clip_norm": 1.0, "distance": 1.0}
ONE_PASS = {
    "problem": PROBLEM,
    "epsilon": 1.0,
    "clip_norm": 1.0,
    "rng": 0,
    "path_every": 1,
    "runs": (2,),
}
NOISE = {"epsilon": 1.0, "p": 3, "clip_norm": 1.0}

CASES = {
    local_sgd.local_randomizer: {
        "v": np.ones((2, 3)),
        "epsilon": 1.0,
        "clip_norm": 1.0,
        "rng": 0,
    },
    local_sgd.local_noise_variance: NOISE,
    local_sgd.local_sgd: {**ONE_PASS, "learning_rate": 0.1},
    local_sgd.local_sgd_learning_rate: USERS,
    local_sgd.local_sgd_risk_bound: {**USERS, "learning_rate": 0.1},
    banco.banco: {**ONE_PASS, "method": "exact", "direction_rate": 1.0},
    banco.banco_tail: {**NOISE, "method": "exact"},
    banco.banco_risk_bound: {**USERS, "method": "exact", "direction_rate": 1.0},
    betting.bet: {"x": 1.0, "y": 2.0, "a": 0.5},
    betting.log_bet: {"x": 1.0, "y": 2.0, "a": 0.5},
}
