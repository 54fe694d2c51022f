"""The mechanisms that add noise, called alike."""

from dpteach.mechanisms import gaussian_mechanism, k_norm_mechanism, laplace_mechanism
from dpteach.privacy import Relation

ADD, REPLACE = Relation.ADD_REMOVE, Relation.REPLACE

CALLS = {
    laplace_mechanism: {"sensitivity": 2.0, "epsilon": 0.5, "relation": ADD},
    k_norm_mechanism: {"sensitivity": 2.0, "epsilon": 0.5, "relation": ADD},
    gaussian_mechanism: {
        "sensitivity": 2.0,
        "epsilon": 0.5,
        "delta": 1e-6,
        "relation": ADD,
    },
}
