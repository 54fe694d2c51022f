"""Valid arguments of the nouns, the data and DP-SGD, for the bad-input matrix."""

import numpy as np

from dpteach import (
    Problem,
    Relation,
    constraints,
    data,
    dp_sgd,
    losses,
    sweep,
)
from dpteach.algorithms.gradients import sgd
from dpteach.algorithms.gradients.sampled_sgd import (
    fixed_batches_event,
    poisson_sample,
    sampled_dp_sgd,
)
from dpteach.algorithms.gradients.strongly_convex_sgd import (
    strongly_convex_dp_sgd,
    strongly_convex_risk_bound,
)
from dpteach.privacy import (
    Composed,
    Gaussian,
    Pure,
    Trace,
)

X = np.array([[0.6, 0.8, 0.0], [0.0, -1.0, 0.5], [2.0, 0.0, 1.0], [0.0, 0.0, 0.1]])
SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
D = Problem(X, SIGNS, losses.logistic, constraints.L2Ball(2.0))
MANY = Problem(X, np.array([0, 1, 2, 1]), losses.softmax(3), constraints.L2Ball(2.0))
EVENT = Gaussian(5.0, relation=Relation.ADD_REMOVE)
BOUND = {
    "n": 10, "p": 3, "steps": 5, "noise_multiplier": 2.0, "lipschitz": 1.0,
    "distance": 1.0,
}  # fmt: skip


def experiment(*, scale, seeds):
    """The least that a sweep can run."""
    return [scale * seed for seed in seeds]


# A list of seeds is as good as their number.
# A sample of no records is empty.
ACCEPTS = {
    (sweep, "seeds"): {"a list", "an array"},
    (poisson_sample, "n"): {"0"},
}
CASES = {
    sweep: {
        "experiment": experiment, "grid": {"scale": [1, 2]}, "seeds": 2,
        "progress": False,
    },
    Problem: {
        "X": X, "y": SIGNS, "loss": losses.logistic,
        "constraint": constraints.L2Ball(1.0),
    },
    losses.huber: {"width": 0.5},
    losses.softmax: {"classes": 3},
    constraints.Everywhere: {},
    constraints.Simplex: {},
    constraints.L2Ball: {"radius": 1.0},
    constraints.L1Ball: {"radius": 1.0},
    constraints.Box: {"low": -1.0, "high": 1.0},
    Pure: {"epsilon": 1.0, "releases": 2, "relation": Relation.REPLACE},
    Gaussian: {"noise_multiplier": 1.0, "releases": 2, "relation": Relation.REPLACE},
    Composed: {"events": (EVENT, EVENT)},
    data.digits: {},
    data.body_mass: {},
    data.breast_cancer: {},
    data.diabetes: {},
    data.example: {},
    data.planted_logistic: {"n": 5, "p": 3, "strength": 2.0, "rng": 0},
    data.sparse_regression: {
        "n": 5, "p": 3, "sparsity": 2, "label_noise": 0.1, "rng": 0,
    },
    data.mean_estimation: {"n": 5, "p": 3, "bias": 0.5, "rng": 0},
    sgd.dp_sgd_noise_multiplier: {
        "epsilon": 1.0, "delta": 1e-6, "steps": 3, "relation": Relation.ADD_REMOVE,
        "method": "exact",
    },
    dp_sgd: [
        {
            "problem": problem, "clip_norm": 1.0, "steps": 3, "noise_multiplier": 2.0,
            "learning_rate": 0.1, "rng": 0, "relation": Relation.ZERO_OUT,
            "runs": (2,), "trace": Trace(),
        }
        for problem in (D, MANY)
    ],
    poisson_sample: {"n": 5, "rate": 0.2, "rng": 0},
    fixed_batches_event: {
        "noise_multiplier": 2.0, "batch_size": 2, "n": 5, "releases": 3,
    },
    strongly_convex_dp_sgd: {
        "problem": D, "clip_norm": 1.0, "steps": 3, "noise_multiplier": 2.0,
        "strong_convexity": 4.0, "rng": 0, "relation": Relation.REPLACE, "runs": (2,),
        "trace": None,
    },
    strongly_convex_risk_bound: {
        "n": 10, "p": 3, "steps": 5, "noise_multiplier": 2.0, "lipschitz": 1.0,
        "strong_convexity": 4.0,
    },
    sampled_dp_sgd: {
        "problem": D, "rate": 0.2, "clip_norm": 1.0, "steps": 3,
        "noise_multiplier": 2.0, "learning_rate": 0.1, "rng": 0,
        "relation": Relation.ADD_REMOVE, "trace": Trace(),
    },
    sgd.dp_sgd_learning_rate: BOUND,
    sgd.dp_sgd_risk_bound: BOUND,
    sgd.dp_sgd_steps: {"epsilon": 1.0, "n": 10, "p": 3},
}  # fmt: skip
