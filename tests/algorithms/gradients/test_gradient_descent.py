"""Gradient descent and its stochastic form."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients.gradient_descent import (
    gradient_descent,
    online_to_batch,
    stochastic_gradient_descent,
)
from dpteach.algorithms.gradients.sgd import dp_sgd
from dpteach.auditing import Tape
from tests import problems
from tests.algorithms.gradients.samples import SETS, records

LOSSES = (losses.logistic, losses.squared, losses.hinge, losses.huber(0.5))

every_set = pytest.mark.parametrize("C", SETS, ids=lambda C: type(C).__name__)


@pytest.mark.claim(
    "05-convex-optimization",
    "Gradient descent is DP-SGD without noise and clip, for every loss and set.",
    order=1,
)
@every_set
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_gradient_descent_is_dp_sgd_without_noise_and_clip(C, loss):
    D = Problem(*records(), loss, C)
    path = gradient_descent(D, steps=7, learning_rate=0.02)
    private = dp_sgd(
        D, clip_norm=1e6, steps=7, noise_multiplier=1.0, learning_rate=0.02,
        rng=Tape([]),
    )  # fmt: skip
    np.testing.assert_allclose(path[1:], private.path, rtol=0, atol=1e-13)


def test_one_records_gradient_has_the_right_mean():
    D = Problem(*records(), losses.logistic, constraints.L2Ball(1.0))
    theta = np.full(4, 0.1)
    each = np.stack([D.n * D.record_gradient(theta, i) for i in range(D.n)])
    np.testing.assert_allclose(each.mean(axis=0), D.gradient(theta), atol=1e-12)

    class Next(np.random.Generator):
        def integers(self, *_, **__):
            return np.arange(3)

    rng = Next(np.random.PCG64(0))
    path = stochastic_gradient_descent(
        D, steps=3, learning_rate=0.01, rng=rng, start=theta
    )
    wanted = D.constraint.project(theta - 0.01 * each[0])
    np.testing.assert_allclose(path[1], wanted, atol=1e-15)


def test_steps_that_overshoot_are_refused_and_named():
    D = Problem(*records(), losses.squared, constraints.Everywhere())
    for run in (
        lambda eta: gradient_descent(D, steps=2000, learning_rate=eta),
        lambda eta: stochastic_gradient_descent(
            D, steps=2000, learning_rate=eta, rng=0
        ),
    ):
        with pytest.raises(ValueError, match=r"`learning_rate` .*got 50"):
            run(50.0)


STEPS = {"steps": 4}
DESCENT = {
    "problem": problems.LOGISTIC,
    **STEPS,
    "learning_rate": 0.1,
    "start": np.array([0.3, 0.4]),
}
BAD_INPUT = {
    gradient_descent: DESCENT,
    stochastic_gradient_descent: {**DESCENT, "rng": 0},
    online_to_batch: {
        "path": np.linspace(0.0, 0.5, 8).reshape(4, 2),
        "weighted": False,
    },
}
