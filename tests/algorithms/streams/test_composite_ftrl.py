"""DP-FTRL with a penalty: its leaders, on every set."""

import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.streams.composite_ftrl import (
    ElasticNet,
    GroupLasso,
    composite_dp_ftrl,
)
from dpteach.algorithms.streams.ftrl import dp_ftrl
from dpteach.algorithms.streams.momentum_ftrl import momentum_dp_ftrl
from dpteach.privacy import Relation
from tests import problems
from tests.algorithms.streams.case import ftrl_case
from tests.algorithms.streams.runs import EVERYWHERE, VARIANTS, logistic


def test_variants_reduce_to_the_plain_algorithm():
    for constraint in (EVERYWHERE, constraints.L2Ball(0.5), constraints.Box(-0.1, 0.2)):
        D = logistic(constraint=constraint)
        settings = {
            "clip_norm": 1.0, "noise_multiplier": 1.0, "regularization": 2.0, "rng": 3,
        }  # fmt: skip
        plain = dp_ftrl(D, **settings).path
        still = momentum_dp_ftrl(D, momentum=0.0, **settings).path
        free = composite_dp_ftrl(D, penalty=ElasticNet(0.0), **settings).path
        assert np.allclose(still, plain, rtol=0, atol=1e-14)
        assert np.allclose(free, plain, rtol=0, atol=1e-14)


S = np.array([3.0, -0.5, 1.2, -7.25, 0.0])


@pytest.mark.parametrize(
    ("penalty", "constraint", "expected"),
    [
        (ElasticNet(0.25), EVERYWHERE, [-1, 0, -0.1, 3.125, 0]),
        (ElasticNet(0.25, 0.5), EVERYWHERE, [-0.5, 0, -0.05, 1.5625, 0]),
        (
            ElasticNet(0.25),
            constraints.L2Ball(1.5),
            [-0.45695141, 0, -0.04569514, 1.42797317, 0],
        ),
        (ElasticNet(0.0), constraints.Box(-1.0, 1.0), [-1, 0.25, -0.6, 1, 0]),
        (ElasticNet(0.0), constraints.L1Ball(2.0), [0, 0, 0, 2, 0]),
    ],
)
def test_leaders_after_four_steps(penalty, constraint, expected):
    found = constraint.project(penalty.leader(S, 4, 2.0))
    assert np.allclose(found, expected, rtol=0, atol=1e-8)


def test_the_leader_on_the_simplex():
    assert constraints.Simplex().project(-S / 2.0).tolist() == [0, 0, 0, 1, 0]


@pytest.mark.claim(
    "13-dp-ftrl",
    "Each leader is the least point of its set, for every penalty.",
    order=5,
)
@pytest.mark.parametrize("constraint", [
    EVERYWHERE, constraints.L2Ball(0.7), constraints.L1Ball(0.9),
    constraints.Box(-0.3, 0.4),
])  # fmt: skip
@pytest.mark.parametrize(
    "penalty", [ElasticNet(0.1), ElasticNet(0.1, 0.2), GroupLasso(0.2, 2)]
)
def test_a_leader_is_the_least_point_of_the_set(penalty, constraint):
    """No feasible point nearby, and none far away, has a smaller value."""
    if not isinstance(constraint, penalty.sets):
        with pytest.raises(ValueError, match="`penalty` GroupLasso has a closed form"):
            composite_dp_ftrl(
                logistic(constraint=constraint), penalty=penalty, clip_norm=1.0,
                noise_multiplier=1.0, regularization=1.0, rng=0,
            )  # fmt: skip
        return
    rng = np.random.default_rng(0)
    for _ in range(20):
        s, t, Lam = (
            2 * rng.standard_normal(4),
            int(rng.integers(1, 8)),
            rng.uniform(1, 4),
        )

        def objective(theta, s=s, t=t, Lam=Lam):
            quadratic = Lam / 2 * np.sum(theta**2, axis=-1)
            return theta @ s + t * penalty.value(theta) + quadratic

        best = constraint.project(penalty.leader(s, t, Lam))
        scale = 10 ** rng.uniform(-6, 0.5, (4000, 1))
        others = constraint.project(best + scale * rng.standard_normal((4000, 4)))
        assert objective(best) <= objective(others).min() + 1e-12


def test_thresholds_grow_with_the_steps_and_noise_does_not():
    """The gradients are 0: every nonzero weight is noise, and the last ones are 0.

    At t = n the noise has one node, of deviation 5, and the threshold is 256.
    """
    D = Problem(np.zeros((512, 50)), np.ones(512), losses.linear, EVERYWHERE)
    out = composite_dp_ftrl(
        D, penalty=ElasticNet(0.5), clip_norm=1.0, noise_multiplier=5.0,
        regularization=1.0, rng=0,
    )  # fmt: skip
    zeros = np.mean(out.path == 0, axis=-1)
    assert zeros[1:9].mean() < 0.8
    assert zeros[-100:].min() == 1.0


def test_models_that_would_overflow_are_refused():
    for dtype, least in ((np.float64, 1e-300), (np.float32, 1e-30)):
        D = logistic()
        single = Problem(D.X.astype(dtype), D.y, D.loss, D.constraint)
        for algorithm, extra in VARIANTS.values():
            with pytest.raises(ValueError, match="`regularization` must"):
                algorithm(
                    single, clip_norm=1.0, noise_multiplier=1.0, regularization=least,
                    rng=0, **extra,
                )  # fmt: skip


def test_groups_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="`group_size` must divide"):
        composite_dp_ftrl(
            logistic(p=4), penalty=GroupLasso(0.1, 3), clip_norm=1.0,
            noise_multiplier=1.0, regularization=1.0, rng=0,
        )  # fmt: skip


def test_penalties_are_what_they_say():
    theta = np.array([[3.0, -4.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0]])
    assert ElasticNet(2.0, 0.5).value(theta).tolist() == [20.25, 4.5]
    assert GroupLasso(2.0, 2).value(theta).tolist() == [10.0, 4.0]


BAD_INPUT = {
    ElasticNet: {"l1_weight": 0.1, "l2_weight": 0.2},
    GroupLasso: {"weight": 0.1, "group_size": 2},
    composite_dp_ftrl: {
        "problem": problems.LOGISTIC,
        "clip_norm": 1.0,
        "noise_multiplier": 2.0,
        "regularization": 4.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "estimator": "plain",
        "runs": (2,),
        "penalty": ElasticNet(0.1, 0.2),
    },
}

COMMON = {
    "composite_dp_ftrl elastic net": ftrl_case(
        composite_dp_ftrl, clip_norm=0.6, penalty=ElasticNet(0.1, 0.2)
    ),
    "composite_dp_ftrl groups": ftrl_case(
        composite_dp_ftrl, clip_norm=0.6, penalty=GroupLasso(0.1, 3)
    ),
}
