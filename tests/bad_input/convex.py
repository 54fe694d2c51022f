"""Valid arguments of the convex toolkit, for the bad-input matrix."""

import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients import convex_bounds, gradient_descent, online

PROBLEM = Problem(
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.array([1.0, -1.0, 1.0]),
    losses.logistic,
    constraints.L2Ball(1.0),
)
STEPS = {"steps": 4}
REACH = {**STEPS, "lipschitz": 2.0, "distance": 1.0}
DESCENT = {
    "problem": PROBLEM,
    **STEPS,
    "learning_rate": 0.1,
    "start": np.array([0.3, 0.4]),
}
PATH = np.linspace(0.0, 0.5, 8).reshape(4, 2)

CASES = {
    gradient_descent.gradient_descent: DESCENT,
    gradient_descent.stochastic_gradient_descent: {**DESCENT, "rng": 0},
    gradient_descent.online_to_batch: {"path": PATH, "weighted": False},
    online.online_gradient_descent: {"problem": PROBLEM, "learning_rate": 0.1},
    online.lazy_gradient_descent: {"problem": PROBLEM, "regularization": 10.0},
    online.regrets: {"problem": PROBLEM, "path": PATH, "theta": PATH[1]},
    convex_bounds.best_learning_rate: REACH,
    convex_bounds.regret_bound: {**REACH, "learning_rate": 0.1},
    convex_bounds.smooth_descent_bound: {**STEPS, "smoothness": 2.0, "distance": 1.0},
    convex_bounds.strongly_convex_descent_bound: {
        **STEPS,
        "lipschitz": 2.0,
        "strong_convexity": 1.0,
    },
    convex_bounds.convex_constants: {"problem": PROBLEM},
}
