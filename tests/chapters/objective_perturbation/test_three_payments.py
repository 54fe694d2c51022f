"""A solver with a fixed number of steps: how far it ends, and what that costs."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import objective_perturbation_parameters as parameters
from dpteach.algorithms.pure._minimum import minimum
from dpteach.arrays import l2_laplace
from dpteach.chapters.objective_perturbation import three_payments as three


@pytest.mark.claim(
    "08-objective-perturbation",
    "After T projected gradient steps the solver is within (1 − ηΛ)^T R of the tilted "
    "minimum; with zero losses and a tilt that reaches the border this is met.",
    order=31,
)
def test_a_fixed_number_of_steps_ends_as_near_as_stated():
    """Random data and tilts, and the case that is met: no curvature but Λ's."""
    rng, ball = np.random.default_rng(4), constraints.L2Ball(three.RADIUS)
    X = rng.normal(size=(60, 3))
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    D = Problem(X, rng.choice([-1.0, 1.0], 60), losses.logistic, ball)
    tilt = l2_laplace(rng, 4.0, D.zeros(20))
    for Lam in (1.0, 10.0):
        ends = three.solve(D, tilt, regularization=Lam)
        best = minimum(D, Lam, tilt, 1e-8)
        far = np.linalg.norm(ends - best, axis=-1).max(axis=1)
        for steps, found in zip(three.STEPS, far, strict=True):
            assert found <= three.distance_left(Lam, steps) * (1 + 1e-6) + 1e-7
    none = Problem(np.zeros((1, 1)), np.ones(1), losses.linear, ball)
    ends = three.solve(none, np.array([[-three.RADIUS * 3.0]]), regularization=3.0)
    for steps, found in zip(three.STEPS, ends[:, 0, 0], strict=True):
        left = three.RADIUS - float(found)
        assert left == pytest.approx(three.distance_left(3.0, steps), rel=1e-6)


def test_the_bound_on_the_risk_holds_in_every_state():
    """Means of 40 runs; the bound is at least twice them, so chance is no matter."""
    for lam in (0.5, 1, 2, 4):
        for steps in (50, 400, 1000):
            epsilon = three.spent(lam, 3, steps)
            _, _, _, bound, risk, *_ = three.three_payments(epsilon, lam, 3, steps)
            assert np.all(2 * risk.y <= bound.y)


def test_what_the_text_says_of_50_steps_is_so():
    """Nothing is gained after 50, to two digits; ε is 307 then, and 1.16 at 400."""
    lam, Lam = 1.0, 3.0
    assert three.spent(lam, Lam, 50) == pytest.approx(307, abs=0.5)
    assert three.spent(lam, Lam, 400) == pytest.approx(1.16, abs=0.005)
    risks = three._excess(lam, Lam)
    assert risks == pytest.approx(np.full(len(three.STEPS), risks[-1]), rel=0.015)


def test_the_budget_by_hand():
    """The chapter's example: noise at Λ = 1 and 10, and the least Λ."""
    for Lam, wanted in ((1.0, 1.287), (10.0, 1.025)):
        lam, _ = parameters(1.0, smoothness=0.25, regularization=Lam)
        assert lam == pytest.approx(wanted, abs=5e-4)
    with pytest.raises(ValueError, match="regularization"):
        parameters(1.0, smoothness=0.25, regularization=0.145)
    assert parameters(1.0, smoothness=0.25, regularization=0.146)[0] > 100
