"""Valid arguments of local and correlated algorithms, for the bad-input matrix."""

import numpy as np

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
    secure,
)
from dpteach.algorithms.local import (
    banco,
    betting,
    check_in_privacy,
    check_ins,
    local_sgd,
    response_instances,
    shuffling,
)
from dpteach.algorithms.matrices import (
    buffered_toeplitz,
    factorization,
    matrix_ftrl,
    optimal_factorization,
    toeplitz,
)
from dpteach.privacy import Trace

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
    "trace": Trace(),
}
REPORTS = {
    "problem": PROBLEM,
    "local_epsilon": 1.0,
    "clip_norm": 1.0,
    "learning_rate": 0.1,
    "rng": 0,
    "trace": Trace(),
}
PRICE = {"local_epsilon": 0.5, "delta": 1e-6}
BOUND = {**PRICE, "relation": Relation.REPLACE, "clip": True}
ROOT = toeplitz.square_root_factorization(3)
STEPS = {"steps": 4}
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
    betting.bet: {"x": np.array([1.0, -300.0]), "y": 2.0, "a": 0.5},
    betting.log_bet: {"x": np.array([1.0, -300.0]), "y": 2.0, "a": 0.5},
    factorization.Factorization: {"decoder": np.eye(3), "encoder": np.tri(3)},
    factorization.prefix_sum_matrix: STEPS,
    factorization.naive_factorization: STEPS,
    factorization.independent_factorization: STEPS,
    factorization.tree_factorization: {**STEPS, "estimator": "honaker"},
    factorization.prefix_sum_lower_bound: STEPS,
    factorization.correlated_noise: {
        "factorization": ROOT,
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
    },
    toeplitz.square_root_factorization: {**STEPS, "normalized": True},
    toeplitz.banded_factorization: {**STEPS, "bands": 2},
    toeplitz.participation_sensitivity: {
        "factorization": ROOT,
        "participations": 2,
        "separation": 2,
    },
    toeplitz.banded_event: {
        **STEPS,
        "bands": 2,
        "sampling_rate": 0.1,
        "noise_multiplier": 1.0,
        "relation": Relation.ADD_REMOVE,
    },
    optimal_factorization.optimal_factorization: {
        **STEPS,
        "objective": "max",
        "tolerance": 1e-3,
    },
    buffered_toeplitz.Buffers: {"decay": (0.5,), "weights": (0.2,)},
    buffered_toeplitz.optimal_buffers: {**STEPS, "buffers": 2, "objective": "mean"},
    buffered_toeplitz.BufferedStream: {
        "buffers": buffered_toeplitz.Buffers((0.5,), (0.2,)),
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
    },
    matrix_ftrl.matrix_ftrl: {
        "problem": PROBLEM,
        "factorization": ROOT,
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
        "trace": Trace(),
    },
    check_ins.fixed_window: {
        **REPORTS,
        "slots": 5,
        "check_in_probability": 0.5,
        "batch_size": 2,
    },
    check_ins.fixed_window_risk_bound: {
        "local_epsilon": 1.0,
        "n": 20,
        "slots": 5,
        "p": 2,
        "clip_norm": 1.0,
        "diameter": 2.0,
        "check_in_probability": 0.5,
    },
    check_ins.averaged_updates: {**REPORTS, "slots": 5},
    check_ins.sliding_window: {**REPORTS, "window": 2},
    check_in_privacy.fixed_window_epsilon: {
        **BOUND,
        "slots": 5,
        "check_in_probability": 0.5,
        "method": "sum",
    },
    check_in_privacy.pooled_epochs_epsilon: {**BOUND, "n": 20, "slots": 5},
    check_in_privacy.averaged_updates_epsilon: {
        **BOUND,
        "n": 20,
        "slots": 5,
        "delta_sizes": 1e-6,
    },
    check_in_privacy.sliding_window_epsilon: {
        **BOUND,
        "window": 5,
        "method": "refined",
    },
    check_in_privacy.fixed_window_dummies: {
        "n": 20,
        "slots": 5,
        "check_in_probability": 0.5,
    },
    check_in_privacy.sliding_window_dummies: {"n": 20, "window": 5},
    shuffling.shuffling_epsilon: {**BOUND, "n": 100, "method": "numerical"},
    response_instances.check_in_likelihood_ratio: {
        "losses": np.array([[0.5, -0.5], [0.5, 0.5]]),
        "check_in_probability": 0.5,
        "weights": np.ones((2, 2)),
    },
    response_instances.fixed_window_instance: {
        **PRICE,
        "slots": 1,
        "check_in_probability": 0.5,
        "runs": 2,
    },
    response_instances.shuffling_instance: {**PRICE, "n": 20, "others_with_one": 3},
    secure.bernoulli_exp: {"exponent": 0.5},
    secure.discrete_laplace: {"scale": 2.0},
    secure.discrete_gaussian: {"variance": 2.0},
    secure.release_number: {
        "value": 3.5,
        "sensitivity": 1.0,
        "epsilon": 1.0,
        "grid": 0.5,
        "relation": Relation.ADD_REMOVE,
    },
    secure.release_histogram: {
        "counts": [3, 0, 5],
        "sensitivity": 2,
        "epsilon": 1.0,
        "relation": Relation.REPLACE,
    },
    secure.exponential_choice: {
        "scores": [1.0, 0.5],
        "sensitivity": 1.0,
        "epsilon": 1.0,
    },
}
