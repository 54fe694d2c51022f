"""Mechanisms that publish one model: exponential, objective and output perturbation."""

from dpteach import Relation, constraints, losses
from dpteach.accounting import noise_multiplier
from dpteach.algorithms.geometry.private_frank_wolfe import private_frank_wolfe
from dpteach.algorithms.gradients.bolt_on import bolt_on_sgd
from dpteach.algorithms.pure.approximate_minima import approximate_minima_perturbation
from dpteach.algorithms.pure.exponential import exponential_mechanism
from dpteach.algorithms.pure.exponential_samplers import Grid, Piecewise
from dpteach.algorithms.pure.gaussian_objective import gaussian_objective_perturbation
from dpteach.algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_parameters,
)
from dpteach.algorithms.pure.output import output_perturbation
from dpteach.algorithms.pure.rejection_samplers import LinearOnBall
from tests.common.case import Case

EPSILON, DELTA = 0.7, 1e-9


def _exponential(loss, constraint, sampler, d):
    return Case(
        exponential_mechanism,
        loss,
        constraint,
        {"epsilon": EPSILON, "lipschitz": 1.0, "sampler": sampler},
        path=1,
        epsilon=EPSILON,
        delta=DELTA,
        d=d,
        normal=False,
    )


def _perturbation(algorithm, constraint, inside=True, normal=True, **keywords):
    return Case(
        algorithm,
        losses.logistic,
        constraint,
        {"lipschitz": 1.0, **keywords},
        path=1,
        epsilon=EPSILON,
        delta=DELTA,
        inside=inside,
        normal=normal,
        rtol=1e-7,
    )


LAM, REGULARIZATION = objective_perturbation_parameters(EPSILON, smoothness=0.25)
NORMAL = noise_multiplier(EPSILON, DELTA, relation=Relation.ADD_REMOVE)
SMOOTH = {"smoothness": 0.25, "regularization": REGULARIZATION}
STILL = noise_multiplier(EPSILON, DELTA, relation=Relation.ZERO_OUT)
CASES = {
    "private_frank_wolfe": Case(
        private_frank_wolfe,
        losses.logistic,
        constraints.L1Ball(1.0),
        {"lipschitz_l1": 1.0, "epsilon": EPSILON, "delta": DELTA, "steps": 6},
        path=6,
        epsilon=EPSILON,
        delta=DELTA,
        normal=False,
    ),
    "bolt_on_sgd": _perturbation(
        bolt_on_sgd,
        constraints.L2Ball(1.0),
        inside=False,
        normal=False,  # the order of the records is drawn too
        smoothness=0.25,
        learning_rate=0.5,
        passes=2,
        noise_multiplier=STILL,
    ),
    "objective_perturbation": _perturbation(
        objective_perturbation, constraints.L2Ball(1.0), **SMOOTH, noise_multiplier=LAM
    ),
    "output_perturbation": _perturbation(
        output_perturbation,
        constraints.Everywhere(),
        regularization=2.0,
        noise_multiplier=1 / EPSILON,
    ),
    "output_perturbation gaussian": _perturbation(
        output_perturbation,
        constraints.L2Ball(1.0),
        inside=False,
        regularization=2.0,
        noise_multiplier=NORMAL,
        noise="gaussian",
    ),
    "approximate_minima_perturbation": _perturbation(
        approximate_minima_perturbation,
        constraints.Everywhere(),
        smoothness=0.25,
        regularization=1.0,
        noise_multiplier=5.0,
        tolerance=1e-6,
        cover_multiplier=100.0,
    ),
    "gaussian_objective_perturbation": _perturbation(
        gaussian_objective_perturbation,
        constraints.Everywhere(),
        smoothness=0.25,
        regularization=5.0,
        epsilon=EPSILON,
        delta=DELTA,
    ),
    "exponential in one dimension": _exponential(
        losses.absolute, constraints.Box(-1.0, 1.0), Piecewise(), 1
    ),
    "exponential on a grid": _exponential(
        losses.hinge, constraints.Box(-1.0, 1.0), Grid(spacing=0.5), 2
    ),
    "exponential, linear": _exponential(
        losses.linear, constraints.L2Ball(1.0), LinearOnBall(), 3
    ),
}
