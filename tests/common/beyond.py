"""What the chapter leaves out."""

from dpteach import Relation, constraints, losses
from dpteach.algorithms.gradients.mirror_descent import private_mirror_descent
from dpteach.algorithms.gradients.sgd import dp_sgd_noise_multiplier
from tests.common.case import Case

EPSILON, DELTA, T = 0.7, 1e-6, 5
CASES = {
    "private_mirror_descent": Case(
        private_mirror_descent,
        losses.logistic,
        constraints.Simplex(),
        {
            "clip_norm": 0.6,
            "steps": T,
            "noise_multiplier": dp_sgd_noise_multiplier(
                EPSILON, DELTA, steps=T, relation=Relation.REPLACE
            ),
            "learning_rate": 0.01,
            "relation": Relation.REPLACE,
        },
        path=T + 1,
        epsilon=EPSILON,
        delta=DELTA,
    ),
}
