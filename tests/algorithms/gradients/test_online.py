"""Online gradient descent, greedy and lazy, and its regret."""

import array_api_strict
import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients.gradient_descent import (
    gradient_descent,
    online_to_batch,
    stochastic_gradient_descent,
)
from dpteach.algorithms.gradients.online import (
    lazy_gradient_descent,
    online_gradient_descent,
    regrets,
)
from dpteach.algorithms.streams.ftrl import dp_ftrl
from dpteach.auditing import Tape
from tests import problems
from tests.algorithms.gradients.samples import SETS, records

LOSSES = (losses.logistic, losses.squared, losses.hinge, losses.huber(0.5))

every_set = pytest.mark.parametrize("C", SETS, ids=lambda C: type(C).__name__)


@pytest.mark.claim(
    "05-convex-optimization",
    "Lazy descent is DP-FTRL without noise and clip, for every loss and set.",
    order=2,
)
@every_set
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_lazy_descent_is_dp_ftrl_without_noise_and_clip(C, loss):
    D = Problem(*records(), loss, C)
    path = lazy_gradient_descent(D, regularization=5.0)
    private = dp_ftrl(
        D, clip_norm=32.0, noise_multiplier=1.0, regularization=5.0, rng=Tape([])
    )
    # The totals of DP-FTRL lie on a grid of 2⁻⁴¹ here.
    np.testing.assert_allclose(path, private.path, rtol=0, atol=1e-10)


@pytest.mark.claim(
    "05-convex-optimization",
    "Without a constraint, lazy is greedy to twelve digits.",
    order=3,
)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_lazy_is_greedy_without_a_constraint(loss):
    D = Problem(*records(), loss, constraints.Everywhere())
    lazy = lazy_gradient_descent(D, regularization=40.0)
    greedy = online_gradient_descent(D, learning_rate=1 / 40)
    np.testing.assert_allclose(lazy, greedy, rtol=0, atol=1e-12)


def test_lazy_is_not_greedy_at_a_constraint():
    """Power: at the rim the two part."""
    D = Problem(*records(), losses.logistic, constraints.L2Ball(0.1))
    lazy = lazy_gradient_descent(D, regularization=1.0)
    greedy = online_gradient_descent(D, learning_rate=1.0)
    assert np.abs(lazy - greedy).max() > 0.05


@every_set
def test_a_lazy_model_minimizes_what_the_pseudocode_says(C):
    """⟨s_t + Λθ_{t+1}, v − θ_{t+1}⟩ ≥ 0 for all v in C, and no other point has that."""
    D = Problem(*records(), losses.linear, C)
    path, Lam = lazy_gradient_descent(D, regularization=3.0), 3.0
    corners = C.project(10 * np.random.default_rng(0).normal(size=(500, D.p)))
    sums = np.cumsum(-D.y[:, None] * D.X, axis=0)
    for s, theta in zip(sums, path[1:], strict=True):
        assert ((corners - theta) @ (s + Lam * theta)).min() > -1e-9


def test_regrets_are_losses_minus_losses():
    X, _ = records()
    for loss, y in (
        (losses.squared, X[:, 0]),
        (losses.softmax(3), np.arange(20) % 3),
    ):
        D = Problem(X, y, loss, constraints.Everywhere())
        rng = np.random.default_rng(1)
        path, theta = rng.normal(size=(21, D.p)), rng.normal(size=D.p)
        found = regrets(D, path, theta)
        for t in range(20):
            one = Problem(D.X[t : t + 1], D.y[t : t + 1], loss, D.constraint)
            assert found[t] == pytest.approx(one.risk(path[t]) - one.risk(theta))


def test_other_array_libraries_give_the_same_models():
    X, y = records()
    put = array_api_strict.asarray
    C = constraints.L2Ball(0.5)
    D, other = Problem(X, y, losses.logistic, C), None
    other = Problem(put(X), put(y), losses.logistic, C)
    for run in (
        lambda D: gradient_descent(D, steps=5, learning_rate=0.1),
        lambda D: stochastic_gradient_descent(D, steps=5, learning_rate=0.01, rng=0),
        lambda D: online_gradient_descent(D, learning_rate=0.1),
        lambda D: lazy_gradient_descent(D, regularization=10.0),
        lambda D: online_to_batch(
            gradient_descent(D, steps=5, learning_rate=0.1), weighted=True
        ),
    ):
        np.testing.assert_allclose(np.asarray(run(other)), run(D), rtol=1e-12)


BAD_INPUT = {
    online_gradient_descent: {"problem": problems.LOGISTIC, "learning_rate": 0.1},
    lazy_gradient_descent: {"problem": problems.LOGISTIC, "regularization": 10.0},
    regrets: {
        "problem": problems.LOGISTIC,
        "path": np.linspace(0.0, 0.5, 8).reshape(4, 2),
        "theta": np.linspace(0.0, 0.5, 8).reshape(4, 2)[1],
    },
}
