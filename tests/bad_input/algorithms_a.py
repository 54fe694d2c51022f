"""Valid arguments of the public functions of chapters 5 to 7, 14 and 15."""

import numpy as np
from scipy.sparse import eye_array

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
    privacy,
)
from dpteach import lower_bounds as lower
from dpteach.algorithms.geometry import (
    frank_wolfe as polytope,
)
from dpteach.algorithms.geometry import (
    frank_wolfe_bounds as polytope_bounds,
)
from dpteach.algorithms.geometry import (
    lasso,
)
from dpteach.algorithms.geometry import (
    private_frank_wolfe as private_polytope,
)
from dpteach.algorithms.geometry.sparse import SparseProblem
from dpteach.algorithms.gradients import bolt_on, noisy_moments
from dpteach.algorithms.pure import (
    approximate_minima,
    exponential,
    exponential_chains,
    gaussian_objective,
    logistic_objective,
    objective,
    output,
)
from dpteach.algorithms.pure.exponential_samplers import Grid, Piecewise
from dpteach.algorithms.pure.rejection_samplers import LinearOnBall, Rejection
from dpteach.privacy import Trace

MEDIAN = Problem(
    np.ones((3, 1)),
    np.array([-0.5, 0.2, 0.9]),
    losses.absolute,
    constraints.Box(-1.0, 1.0),
)

SIGNS = Problem(
    np.eye(2), np.array([1.0, -1.0]), losses.logistic, constraints.Everywhere()
)
TILT = {
    "problem": SIGNS,
    "lipschitz": 1.0,
    "regularization": 1.0,
    "noise_multiplier": 1.0,
    "rng": 0,
    "relation": Relation.REPLACE,
    "tolerance": 1e-6,
    "runs": (2,),
}
SQUARES = Problem(
    np.eye(2), np.array([1.0, -1.0]), losses.squared, constraints.L1Ball(1.0)
)
WALK = {"lipschitz_l1": 2.0, "l1_radius": 1.0, "relation": Relation.REPLACE}
BUDGET = {"epsilon": 1.0, "delta": 1e-6}
LASSO = {
    "steps": 4,
    "rng": 0,
    "relation": Relation.REPLACE,
    "noise": "laplace",
    "path_every": 2,
    "runs": (2,),
}

CASES = {
    Piecewise: {},
    LinearOnBall: {},
    Grid: {"spacing": 0.5},
    Rejection: {"steps": 5},
    exponential.exponential_mechanism_exponent: {
        "epsilon": 1.0,
        "lipschitz": 1.0,
        "diameter": 2.0,
        "relation": Relation.REPLACE,
        "method": "exact",
    },
    exponential.exponential_mechanism: {
        "problem": MEDIAN,
        "epsilon": 1.0,
        "lipschitz": 1.0,
        "sampler": Piecewise(),
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "method": "exact",
        "runs": (2,),
    },
    exponential.exponential_mechanism_risk_bound: {
        "exponent": 0.5,
        "p": 3,
        "failure_probability": 0.1,
    },
    exponential.exponential_mechanism_nonconvex_risk_bound: {
        "exponent": 0.5,
        "n": 10,
        "p": 3,
        "lipschitz": 1.0,
        "diameter": 2.0,
        "failure_probability": 0.1,
    },
    exponential_chains.hit_and_run: {
        "problem": MEDIAN,
        "exponent": 0.5,
        "steps": 2,
        "rng": 0,
        "runs": (2,),
    },
    exponential_chains.langevin: {
        "problem": MEDIAN,
        "exponent": 0.5,
        "steps": 2,
        "step_size": 0.1,
        "rng": 0,
        "runs": (2,),
    },
    exponential_chains.metropolis_transitions: {
        "risk": np.array([1.0, 0.0, 2.0]),
        "exponent": 0.5,
    },
    output.output_perturbation_sensitivity: {
        "lipschitz": 1.0,
        "regularization": 1.0,
        "tolerance": 0.1,
        "relation": Relation.REPLACE,
    },
    output.output_perturbation: {**TILT, "noise": "gamma"},
    output.output_perturbation_risk_bound: {
        "n": 10,
        "p": 3,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
        "distance": 1.0,
        "noise": "gaussian",
    },
    objective.objective_perturbation_parameters: {
        "epsilon": 1.0,
        "smoothness": 0.25,
        "rank": 1,
        "regularization": 1.0,
        "relation": Relation.REPLACE,
        "method": "exact",
    },
    objective.objective_perturbation: {**TILT, "smoothness": 0.25},
    objective.objective_perturbation_log_density: {
        "problem": SIGNS,
        "theta": np.zeros((3, 2)),
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
    },
    objective.objective_perturbation_risk_bound: {
        "p": 3,
        "lipschitz": 1.0,
        "regularization": 1.0,
        "noise_multiplier": 1.0,
        "distance": 1.0,
        "strong_convexity": 1.0,
    },
    approximate_minima.approximate_minima_perturbation: {
        **TILT,
        "smoothness": 0.25,
        "cover_multiplier": 10.0,
    },
    lower.packing_copies: {"epsilon": 0.1, "n": 100, "p": 50},
    lower.packing_lower_bound: {"epsilon": 0.1, "n": 100, "p": 50},
    lower.pure_excess_lower_bound: {"epsilon": 0.1, "n": 100, "p": 50},
    lower.tracing_excess_lower_bound: {"mu": 1.0, "n": 100, "p": 50},
    lower.membership_leak: {"epsilon": 0.1, "delta": 1e-6},
    lower.marginals_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 100, "p": 50},
    lower.marginals_rms_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 9, "p": 5},
    lower.approximate_excess_lower_bound: {
        "epsilon": 0.1,
        "delta": 1e-6,
        "n": 100,
        "p": 50,
    },
    lower.strongly_convex_excess_lower_bound: {
        "epsilon": 0.1,
        "delta": 1e-6,
        "n": 100,
        "p": 50,
        "lipschitz": 1.0,
        "strong_convexity": 1.0,
    },
    lower.lasso_excess_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 99, "p": 90},
    lower.hardest_lasso: {"epsilon": 0.1, "delta": 1e-6, "n": 99, "p": 90},
    lower.lasso_hard_problem: {
        "n": 30,
        "p": 9,
        "columns": 8,
        "informative": 2,
        "repeats": 2,
        "rng": 0,
    },
    lower.packing_excess_lower_bound: {"epsilon": 0.1, "n": 100, "p": 50},
    lower.packing_success_cap: {"epsilon": 0.1, "copies": 5, "codewords": 64},
    lower.packing_code: {"p": 24, "codewords": 3, "rng": 0},
    lower.packing_data: {"word": np.array([0.5, -0.5, 0.5, 0.5]), "n": 4, "copies": 2},
    lower.packing_attack: {
        "mechanism": lambda X, rng: X.mean(axis=0) + 0 * rng.random(),
        "code": np.array([[0.5, 0.5, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]]),
        "n": 4,
        "copies": 2,
        "repetitions": 3,
        "rng": 0,
    },
    lower.tracing_lower_bound: {"mu": 1.0, "n": 100, "p": 50},
    lower.tracing_cap: {"mu": 1.0},
    lower.fingerprint: {"statistic": lambda x: x.mean(axis=1), "n": 3},
    lower.tracing_attack: {
        "mechanism": lambda X, rng: X.mean(axis=0) + 0 * rng.random(),
        "n": 4,
        "p": 3,
        "repetitions": 2,
        "rng": 0,
    },
    lower.hard_problem: {"X": np.eye(2)},
    lower.excess_from_distance: {"distance": 0.5, "planted": 8.0},
    lower.mean_from_model: {"theta": np.ones((1, 2)), "planted": 5.0, "n": 10},
    SparseProblem: {
        "X": eye_array(3),
        "y": np.ones(3),
        "loss": losses.squared,
        "constraint": constraints.L1Ball(1.0),
    },
    polytope.decreasing_step: {"t": 3},
    polytope.frank_wolfe: {
        "problem": SQUARES,
        "steps": 4,
        "step": lambda t: 2 / (t + 1),
    },
    polytope.frank_wolfe_gap: {"problem": SQUARES, "theta": np.zeros((1, 2))},
    polytope.frank_wolfe_risk_bound: {"curvature_constant": 4.0, "steps": 7},
    private_polytope.private_frank_wolfe_noise: {
        **BUDGET,
        **WALK,
        "steps": 4,
        "method": "textbook",
    },
    private_polytope.private_frank_wolfe: {
        **BUDGET,
        **LASSO,
        "problem": SQUARES,
        "lipschitz_l1": 2.0,
        "trace": Trace(),
    },
    polytope_bounds.private_frank_wolfe_risk_bound: {
        "n": 100,
        "steps": 4,
        "corners": 4,
        "curvature_constant": 4.0,
        "scale": 10.0,
        "noise": "laplace",
        "failure_probability": 0.1,
    },
    polytope_bounds.private_frank_wolfe_steps: {
        **BUDGET,
        **WALK,
        "n": 100,
        "corners": 4,
        "curvature_constant": 4.0,
    },
    lasso.lasso_constants: {
        "l1_radius": 1.0,
        "feature_bound": 1.0,
        "label_bound": 1.0,
    },
    lasso.private_lasso_steps: {**BUDGET, "n": 1000, "p": 5},
    lasso.private_lasso_risk_bound: {**BUDGET, "n": 1000, "p": 5},
    lasso.private_lasso: {
        **BUDGET,
        **LASSO,
        "X": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "l1_radius": 1.0,
        "feature_bound": 1.0,
        "label_bound": 1.0,
    },
    bolt_on.bolt_on_sensitivity: {
        "lipschitz": 1.0,
        "learning_rate": 0.5,
        "passes": 2,
        "relation": Relation.REPLACE,
    },
    bolt_on.bolt_on_sgd: {
        "problem": SIGNS,
        "lipschitz": 1.0,
        "smoothness": 0.25,
        "learning_rate": 0.5,
        "passes": 2,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "noise": "gamma",
        "runs": (2,),
    },
    noisy_moments.moments_sensitivity: {
        "row_norm": 1.0,
        "label_bound": 1.0,
        "relation": Relation.REPLACE,
    },
    noisy_moments.least_squares_by_moments: {
        "X": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "row_norm": 1.0,
        "label_bound": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 10.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
    noisy_moments.principal_components: {
        "X": np.eye(2),
        "row_norm": 1.0,
        "components": 1,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
    gaussian_objective.gaussian_objective_delta: {
        "noise_multiplier": 4.0,
        "epsilon": 1.0,
        "smoothness": 0.25,
        "regularization": 1.0,
        "sign_monotone": False,
        "relation": Relation.REPLACE,
    },
    gaussian_objective.gaussian_objective_noise_multiplier: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "smoothness": 0.25,
        "regularization": 1.0,
        "sign_monotone": False,
        "relation": Relation.REPLACE,
    },
    gaussian_objective.gaussian_objective_perturbation: {
        "problem": SIGNS,
        "lipschitz": 1.0,
        "smoothness": 0.25,
        "regularization": 10.0,
        "epsilon": 1.0,
        "delta": 1e-6,
        "rng": 0,
        "relation": Relation.REPLACE,
        "tolerance": 1e-6,
        "runs": (2,),
    },
    privacy.Approximate: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "relation": Relation.REPLACE,
    },
    logistic_objective.logistic_objective_epsilon: {
        "noise_multiplier": 2.0,
        "smoothness": 0.25,
        "regularization": 1.0,
    },
    logistic_objective.logistic_objective_noise_multiplier: {
        "epsilon": 1.0,
        "smoothness": 0.25,
        "regularization": 1.0,
    },
}
