"""DP-SGD, on every kind of loss and constraint set."""

from dataclasses import replace

from dpteach import (
    Relation,
    constraints,
    dp_sgd,
    losses,
)
from dpteach.accounting import epsilon_of
from dpteach.algorithms.gradients.sampled_sgd import sampled_dp_sgd
from dpteach.algorithms.gradients.sgd import dp_sgd_noise_multiplier
from dpteach.algorithms.gradients.strongly_convex_sgd import strongly_convex_dp_sgd
from dpteach.privacy import Gaussian
from tests.common.case import Case

EPSILON, DELTA, STEPS = 0.7, 1e-6, 6


def _case(loss, constraint, relation=Relation.ADD_REMOVE):
    lam = dp_sgd_noise_multiplier(EPSILON, DELTA, steps=STEPS, relation=relation)
    return Case(
        dp_sgd,
        loss,
        constraint,
        {
            "clip_norm": 0.6,
            "steps": STEPS,
            "noise_multiplier": lam,
            "learning_rate": 0.02,
            "relation": relation,
        },
        path=STEPS,
        epsilon=EPSILON,
        delta=DELTA,
    )


def _sampled():
    # Never dearer than the same noise on everybody.
    full = Gaussian(3.0, releases=STEPS, relation=Relation.ADD_REMOVE)
    return Case(
        sampled_dp_sgd,
        losses.logistic,
        constraints.L2Ball(1.5),
        {
            "rate": 0.4,
            "clip_norm": 0.6,
            "steps": STEPS,
            "noise_multiplier": 3.0,
            "learning_rate": 0.02,
        },
        path=STEPS,
        epsilon=epsilon_of(full, DELTA),
        delta=DELTA,
        batched=False,
        normal=False,
    )


def _curved():
    case = _case(losses.squared, constraints.L2Ball(1.0))
    curved = {**case.arguments, "strong_convexity": 5.0}
    del curved["learning_rate"]
    return replace(case, algorithm=strongly_convex_dp_sgd, arguments=curved)


CASES = {
    "strongly_convex_dp_sgd": _curved(),
    "sampled_dp_sgd": _sampled(),
    "dp_sgd": _case(losses.logistic, constraints.L2Ball(1.5)),
    "dp_sgd replace": _case(losses.hinge, constraints.L1Ball(1.0), Relation.REPLACE),
    "dp_sgd squared": _case(losses.squared, constraints.Box(-1.0, 1.0)),
    "dp_sgd huber": _case(losses.huber(0.5), constraints.Simplex()),
    "dp_sgd absolute": _case(losses.absolute, constraints.Everywhere()),
    "dp_sgd linear": _case(losses.linear, constraints.L2Ball(1.0)),
    "dp_sgd classes": _case(losses.softmax(4), constraints.L2Ball(1.0)),
}
