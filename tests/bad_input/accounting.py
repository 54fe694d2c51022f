"""Valid arguments of the accounting functions, for the bad-input matrix."""

from dpteach import accounting
from dpteach.privacy import Composed, Gaussian, Pure, Relation

ADD = Relation.ADD_REMOVE
EVENT = Composed((Gaussian(2.0, relation=ADD), Pure(0.5, relation=ADD)))
TARGET = {"epsilon": 1.0, "delta": 1e-6}

CASES = {
    accounting.gaussian_delta: {"mu": 1.0, "epsilon": 1.0},
    accounting.gaussian_epsilon: {"mu": 1.0, "delta": 1e-6},
    accounting.gaussian_mu: TARGET,
    accounting.noise_multiplier: {
        **TARGET,
        "releases": 3,
        "relation": ADD,
        "method": "exact",
    },
    accounting.delta_of: {"event": EVENT, "epsilon": 1.0},
    accounting.epsilon_of: {"event": EVENT, "delta": 1e-6},
    accounting.price_of: [
        {"event": EVENT, "delta": 1e-6},
        {"event": EVENT, "epsilon": 1.0},
    ],
    accounting.calibrate: {
        **TARGET,
        "event_of": lambda x: Gaussian(x, relation=ADD),
    },
}
