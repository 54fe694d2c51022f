"""Valid arguments of the accounting functions and their events."""

import numpy as np

from dpteach import accounting
from dpteach.privacy import (
    AllocatedGaussian,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    FixedSizeGaussian,
    Gaussian,
    MixtureOfGaussians,
    Pure,
    RandomizedResponse,
    Relation,
    SampledDiscreteGaussian,
    SampledGaussian,
    SampledLaplace,
    Selection,
    TruncatedSampledGaussian,
)

ADD = Relation.ADD_REMOVE
EVENT = Composed((Gaussian(2.0, relation=ADD), Pure(0.5, relation=ADD)))
TARGET = {"epsilon": 1.0, "delta": 1e-6}

BAD_INPUT = {
    Selection: {"epsilon": 1.0, "releases": 3, "relation": ADD},
    SampledGaussian: {
        "noise_multiplier": 1.0,
        "rate": 0.1,
        "releases": 3,
        "relation": ADD,
    },
    SampledLaplace: {
        "noise_multiplier": 1.0,
        "rate": 0.1,
        "releases": 3,
        "relation": ADD,
    },
    DiscreteGaussian: {
        "noise_multiplier": 1.0,
        "sensitivity": 2,
        "releases": 3,
        "relation": ADD,
    },
    SampledDiscreteGaussian: {
        "noise_multiplier": 1.0,
        "rate": 0.1,
        "sensitivity": 2,
        "releases": 3,
        "relation": ADD,
    },
    DiscreteLaplace: {
        "noise_multiplier": 1.0,
        "sensitivity": 2,
        "releases": 3,
        "relation": ADD,
    },
    RandomizedResponse: {
        "epsilon": 1.0,
        "categories": 3,
        "releases": 3,
        "relation": ADD,
    },
    MixtureOfGaussians: {
        "noise_multiplier": 1.0,
        "sensitivities": (0.0, 1.0),
        "probabilities": (0.5, 0.5),
        "releases": 3,
        "relation": ADD,
    },
    TruncatedSampledGaussian: {
        "noise_multiplier": 1.0,
        "rate": 0.1,
        "batch_size": 10,
        "n": 50,
        "releases": 3,
        "relation": ADD,
    },
    Concentrated: {"rho": 0.5, "releases": 3, "relation": ADD},
    AllocatedGaussian: {
        "noise_multiplier": 1.0,
        "steps": 10,
        "releases": 3,
        "relation": ADD,
    },
    FixedSizeGaussian: {
        "noise_multiplier": 1.0,
        "batch_size": 10,
        "n": 100,
        "releases": 3,
        "relation": Relation.REPLACE,
    },
    accounting.gaussian_delta: {"mu": 1.0, "epsilon": 1.0},
    accounting.gaussian_epsilon: {"mu": 1.0, "delta": 1e-6},
    accounting.gaussian_mu: TARGET,
    accounting.noise_multiplier: {
        **TARGET,
        "releases": 3,
        "relation": ADD,
        "method": "exact",
        "accountant": "best",
    },
    accounting.delta_of: {"event": EVENT, "epsilon": 1.0, "accountant": "best"},
    accounting.epsilon_of: {"event": EVENT, "delta": 1e-6, "accountant": "best"},
    accounting.price_of: [
        {"event": EVENT, "delta": 1e-6, "accountant": "best"},
        {"event": EVENT, "epsilon": 1.0, "accountant": "loss_distribution"},
    ],
    accounting.calibrate: {
        **TARGET,
        "event_of": lambda x: Gaussian(x, relation=ADD),
        "accountant": "best",
    },
    accounting.sampled_gaussian_rdp: {
        "order": 2.5,
        "rate": 0.1,
        "noise_multiplier": 1.0,
    },
    accounting.renyi_epsilon: {
        "order": np.array([2.0, 4.0]),
        "divergence": np.array([1.0, 2.0]),
        "delta": 1e-6,
        "method": "basic",
    },
    accounting.zcdp_delta: {"rho": 0.5, "epsilon": 1.0, "method": "basic"},
    accounting.zcdp_epsilon: {"rho": 0.5, "delta": 1e-6, "method": "basic"},
    accounting.zcdp_rho: TARGET,
    accounting.basic_composition: {**TARGET, "releases": 3},
    accounting.advanced_composition: {**TARGET, "releases": 3, "slack": 1e-6},
    accounting.group_privacy: {**TARGET, "size": 3},
    accounting.for_group: {"event": EVENT, "size": 3},
    accounting.restate: {"event": EVENT, "relation": Relation.REPLACE},
    accounting.posterior_bounds: {"prior": 0.5, "epsilon": 1.0},
    accounting.guess_probability: {"event": EVENT, "prior": 0.5},
    accounting.true_positives: {"event": EVENT, "false_alarms": 0.05},
    accounting.mu_of: {"event": EVENT, "slack": 1e-6},
    accounting.renyi_divergence: {"event": EVENT, "order": 2.5},
    accounting.trade_off: {"event": EVENT, "false_alarms": 0.05},
}
