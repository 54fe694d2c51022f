"""Valid arguments of prefix sums and the DP-FTRL family, for the bad-input matrix."""

import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms.streams import (
    composite_ftrl,
    ftrl,
    least_squares_ftrl,
    momentum_ftrl,
    participation,
    prefix_noise,
    regret,
    tree,
)
from dpteach.algorithms.streams import (
    streaming_tree as streams,
)
from dpteach.auditing import leaky_trees
from dpteach.privacy import Relation, Trace

ZERO = Relation.ZERO_OUT
X = np.array([[0.6, 0.0], [0.0, 0.8], [0.5, 0.5]])
LOGISTIC = Problem(
    X, np.array([1.0, -1.0, 1.0]), losses.logistic, constraints.L2Ball(1.0)
)
SQUARES = Problem(
    X, np.array([0.5, -0.5, 0.2]), losses.squared, constraints.L2Ball(1.0)
)
TREE = tree.initialize_tree(5, sigma=1.0, shape=(2,), rng=0)

NOISE = {
    "epsilon": 1.0, "delta": 1e-6, "steps": 8, "relation": ZERO, "method": "exact",
}  # fmt: skip
STREAM = {"steps": 5, "sigma": 1.0, "shape": (2,), "rng": 0}
RUN = {
    "noise_multiplier": 2.0,
    "regularization": 4.0,
    "rng": 0,
    "relation": ZERO,
    "estimator": "plain",
    "runs": (2,),
}
FTRL = {"problem": LOGISTIC, "clip_norm": 1.0, **RUN}
TUNE = {
    "steps": 8,
    "p": 2,
    "noise_multiplier": 2.0,
    "lipschitz": 1.0,
    "distance": 1.0,
    "estimator": "honaker",
    "failure_probability": 0.01,
}
PLAN = {"estimator": "plain", "restart_every": 4, "complete": True}

CASES = {
    tree.Tree: {"steps": 1, "nodes": (None, np.zeros(2))},
    tree.levels: {"steps": 8},
    tree.tree_noise_multiplier: NOISE,
    tree.initialize_tree: STREAM,
    tree.add_to_tree: {"tree": TREE, "t": 3, "v": np.array([1.0, 2.0])},
    tree.get_sum: {"tree": TREE, "t": 3},
    tree.prefix_variance: {"t": 3, "estimator": "honaker"},
    tree.prefix_noise_bound: {
        "steps": 8,
        "p": 2,
        "sigma": 1.0,
        "failure_probability": 0.01,
        "estimator": "plain",
    },
    streams.StreamingTree: {**STREAM, "estimator": "honaker"},
    streams.RestartedTree: {
        **STREAM, "restart_every": 3, "estimator": "plain", "complete": True,
    },
    prefix_noise.tree_noise: {**STREAM, "estimator": "honaker"},
    participation.squared_sensitivity: {
        "participations": (1, 4), "steps": 8, **PLAN,
    },
    participation.epochs_squared_sensitivity: {
        "steps_per_epoch": 4, "epochs": 2, **PLAN,
    },
    participation.separated_squared_sensitivity: {
        "steps": 8, "participations": 2, "separation": 3, "estimator": "honaker",
    },
    participation.resampling_multiplicity: {"n": 10, "failure_probability": 0.01},
    ftrl.dp_ftrl_noise_multiplier: NOISE,
    ftrl.dp_ftrl: {**FTRL, "trace": Trace()},
    momentum_ftrl.momentum_dp_ftrl: {**FTRL, "momentum": 0.5},
    composite_ftrl.ElasticNet: {"l1_weight": 0.1, "l2_weight": 0.2},
    composite_ftrl.GroupLasso: {"weight": 0.1, "group_size": 2},
    composite_ftrl.composite_dp_ftrl: {
        **FTRL, "penalty": composite_ftrl.ElasticNet(0.1, 0.2),
    },
    least_squares_ftrl.least_squares_dp_ftrl_noise_multiplier: NOISE,
    least_squares_ftrl.least_squares_dp_ftrl: {
        "problem": SQUARES, "row_norm": 1.0, **RUN,
    },
    leaky_trees.leaky_trees: {"steps": 4},
    leaky_trees.prefix_audit: {
        "mechanism": lambda rng: rng.standard_normal(4),
        "steps": 4,
    },
    regret.dp_ftrl_regularization: TUNE,
    regret.dp_ftrl_regret_bound: {**TUNE, "regularization": 4.0, "penalty": 0.1},
    regret.least_squares_regret_bound: {
        "steps": 8, "p": 2, "noise_multiplier": 2.0, "regularization": 4.0,
        "row_norm": 1.0, "radius": 1.0, "estimator": "plain",
    },
    regret.online_to_batch_bound: {
        "regret": 0.1,
        "steps": 8,
        "lipschitz": 1.0,
        "diameter": 2.0,
        "failure_probability": 0.01,
    },
}  # fmt: skip
