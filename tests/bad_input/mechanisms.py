"""Valid arguments of the mechanisms."""

import numpy as np

from dpteach import mechanisms
from dpteach.privacy import Relation

NOISE = {
    "values": np.array([1.0, 2.0]),
    "sensitivity": 1.0,
    "epsilon": 1.0,
    "rng": 0,
    "relation": Relation.ADD_REMOVE,
    "runs": (2,),
}
CHOICE = {
    "scores": np.array([1.0, 2.0]),
    "sensitivity": 1.0,
    "epsilon": 1.0,
    "rng": 0,
    "relation": Relation.ADD_REMOVE,
    "monotone": True,
    "runs": (2,),
}
LAW = {"scores": np.array([1.0, 2.0]), "exponent": 1.0}

CASES = {
    mechanisms.laplace_mechanism: NOISE,
    mechanisms.k_norm_mechanism: NOISE,
    mechanisms.gaussian_mechanism: {**NOISE, "delta": 1e-6, "method": "exact"},
    mechanisms.exponential_choice: {**CHOICE, "method": "gumbel"},
    mechanisms.report_noisy_max: CHOICE,
    mechanisms.permute_and_flip_choice: CHOICE,
    mechanisms.exponential_choice_law: LAW,
    mechanisms.noisy_max_law: LAW,
    mechanisms.permute_and_flip_law: LAW,
    mechanisms.randomized_response: {
        "answers": np.array([0, 1, 2]),
        "classes": 3,
        "epsilon": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
    mechanisms.randomized_response_law: {"classes": 3, "epsilon": 1.0},
}
