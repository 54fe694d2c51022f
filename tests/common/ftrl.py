"""The DP-FTRL family."""

import dataclasses
from math import sqrt

from dpteach import Relation, constraints, losses
from dpteach.algorithms.matrices.matrix_ftrl import matrix_ftrl
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.algorithms.streams.composite_ftrl import (
    ElasticNet,
    GroupLasso,
    composite_dp_ftrl,
)
from dpteach.algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from dpteach.algorithms.streams.least_squares_ftrl import (
    least_squares_dp_ftrl,
    least_squares_dp_ftrl_noise_multiplier,
)
from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from tests.common.case import Case

EPSILON, DELTA, N = 0.7, 1e-6, 12
RELATION = Relation.REPLACE
LAM = dp_ftrl_noise_multiplier(EPSILON, DELTA, steps=N, relation=RELATION)


def _case(algorithm, loss=losses.logistic, noise_multiplier=LAM, clip=True, **keywords):
    arguments = {
        "noise_multiplier": noise_multiplier,
        "regularization": 40.0,
        "relation": RELATION,
        **({"clip_norm": 0.6} if clip else {}),
        **keywords,
    }
    return Case(
        algorithm,
        loss,
        constraints.L2Ball(1.0),
        arguments,
        path=N + 1,
        epsilon=EPSILON,
        delta=DELTA,
        n=N,
    )


THREE = square_root_factorization(3)
ROOT = square_root_factorization(N, normalized=True)
CASES = {
    "dp_ftrl": _case(dp_ftrl),
    "dp_ftrl honaker": _case(dp_ftrl, losses.absolute, estimator="honaker"),
    "dp_ftrl momentum": _case(momentum_dp_ftrl, momentum=0.5),
    "dp_ftrl elastic net": _case(composite_dp_ftrl, penalty=ElasticNet(0.1, 0.2)),
    "dp_ftrl groups": _case(composite_dp_ftrl, penalty=GroupLasso(0.1, 3)),
    "dp_ftrl least squares": _case(
        least_squares_dp_ftrl,
        losses.squared,
        least_squares_dp_ftrl_noise_multiplier(
            EPSILON, DELTA, steps=N, relation=RELATION
        ),
        clip=False,
        row_norm=1.0,
    ),
    "matrix_ftrl": _case(
        matrix_ftrl,
        # One release of sensitivity 1: the tree's noise is for √levels of it.
        noise_multiplier=LAM / sqrt(4),
        factorization=ROOT,
    ),
    "batched_ftrl": dataclasses.replace(
        # Two epochs, so √2 times the noise of one release; three batches each.
        _case(
            batched_ftrl,
            noise_multiplier=LAM / sqrt(4) * sqrt(2),
            factorization=THREE,
            epochs=2,
            momentum=0.5,
        ),
        path=7,
    ),
}
