"""Valid arguments of every public function of ``dpteach.auditing``."""

import numpy as np
from scipy.stats import norm

from dpteach import Relation
from dpteach.auditing import (
    Tape,
    conformance,
    event_epsilon_lower_bound,
    exact_mu,
    linear_audit,
    mu_lower_bound,
    noise_map,
    one_run_epsilon_lower_bound,
)
from dpteach.auditing.leaky_answers import leaky_responses

COUNTS = {"hits": 9, "runs": 10, "hits_without": 1, "runs_without": 10}

CASES = {
    Tape: {"normals": [1.0, 2.0], "others": np.random.default_rng(0)},
    noise_map: {
        "mechanism": lambda rng: rng.normal(size=2),
        "others": lambda: np.random.default_rng(0),
    },
    exact_mu: {"B": np.eye(2), "d": np.ones(2)},
    linear_audit: {
        "release": lambda D, rng: (
            D.clipped_gradient(D.zeros(), 1.0) + rng.standard_normal(D.p)
        ),
        "n": 2,
        "relation": Relation.ZERO_OUT,
        "p": 2,
        "scale": 1.0,
    },
    event_epsilon_lower_bound: {
        **COUNTS,
        "delta": 0.01,
        "false_alarm": 0.05,
        "either_way": True,
    },
    mu_lower_bound: {**COUNTS, "false_alarm": 0.05},
    one_run_epsilon_lower_bound: {
        "correct": 8,
        "guesses": 10,
        "canaries": 20,
        "delta": 0.01,
        "false_alarm": 0.05,
    },
    leaky_responses: {"epsilon": 1.0},
    conformance: {"samples": np.linspace(-1.0, 1.0, 12).reshape(3, 4), "law": norm()},
}
