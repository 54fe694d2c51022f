"""The bounds of convex optimization hold, come close, and have the right constants."""

from math import inf, sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients.convex_bounds import (
    best_learning_rate,
    convex_constants,
    regret_bound,
    strongly_convex_descent_bound,
)
from dpteach.algorithms.gradients.gradient_descent import (
    gradient_descent,
    online_to_batch,
    smooth_descent_bound,
    stochastic_gradient_descent,
)
from dpteach.algorithms.gradients.online import (
    lazy_gradient_descent,
    online_gradient_descent,
    regrets,
)
from dpteach.algorithms.streams.regret import dp_ftrl_regret_bound
from tests import problems
from tests.algorithms.gradients.samples import SETS, records

LOSSES = (losses.logistic, losses.squared, losses.hinge, losses.huber(0.5))

SMOOTH = (losses.logistic, losses.squared, losses.huber(0.5))


def minimum(D, steps=20_000):
    """The risk and the model after many steps: the least, to nine digits or more."""
    beta = convex_constants(D)["smoothness"]
    path = gradient_descent(D, steps=steps, learning_rate=1 / beta)
    return float(D.risk(path[-1])), path[-1]


@pytest.mark.claim(
    "05-convex-optimization",
    "The bound for Lipschitz losses holds at every step size, against many models.",
    order=4,
)
@pytest.mark.parametrize("T", [1, 9, 100])
@pytest.mark.parametrize("C", SETS[:3], ids=lambda C: type(C).__name__)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_the_bound_for_lipschitz_losses_holds(C, loss, T):
    """Against many models of C at once, whatever the step: no minimum is needed."""
    D = Problem(*records(), loss, C)
    L, R = convex_constants(D)["lipschitz"], C.diameter(D.p)
    best = best_learning_rate(steps=T, lipschitz=L, distance=R)
    others = C.project(np.random.default_rng(2).normal(size=(200, D.p)))
    for eta in (best / 10, best, 10 * best):
        path = gradient_descent(D, steps=T, learning_rate=eta)
        risk = D.risk(online_to_batch(path))
        R = np.linalg.norm(others - path[0], axis=1)
        bound = R**2 / (2 * eta * T) + eta * L**2 / 2
        assert np.all(risk - D.risk(others) <= bound + 1e-12)
        far = float(R.max())
        assert bound.max() == pytest.approx(
            regret_bound(steps=T, lipschitz=L, distance=far, learning_rate=eta)
        )


@pytest.mark.claim(
    "05-convex-optimization",
    "The bound on regret holds in any order, lazy and greedy.",
    order=6,
)
@pytest.mark.parametrize("C", SETS[:3], ids=lambda C: type(C).__name__)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("lazy", [False, True])
def test_the_bound_on_regret_holds_in_any_order(C, loss, lazy):
    X, y = records(n=60)
    L = convex_constants(Problem(X[:1], y[:1], loss, C))["lipschitz"]
    for order in (np.arange(60), np.argsort(y), np.argsort(X[:, 0])):
        D = Problem(X[order], y[order], loss, C)
        each = [Problem(X[i : i + 1], y[i : i + 1], loss, C) for i in range(60)]
        L = max(convex_constants(one)["lipschitz"] for one in each)
        for eta in (0.003, 0.03, 0.3):
            if lazy:
                path = lazy_gradient_descent(D, regularization=1 / eta)
            else:
                path = online_gradient_descent(D, learning_rate=eta)
            others = C.project(np.random.default_rng(2).normal(size=(20, D.p)))
            for theta in others:
                # The lazy one is told from 0, the greedy one from where it begins.
                far = np.linalg.norm(theta if lazy else theta - path[0])
                bound = regret_bound(
                    steps=60, lipschitz=L, distance=max(far, 1e-9), learning_rate=eta
                )
                assert regrets(D, path, theta).mean() <= bound + 1e-12


@pytest.mark.claim(
    "05-convex-optimization",
    "A loss with a kink meets it, but for one part in 4T.",
    order=5,
)
@pytest.mark.parametrize("k", [2, 5, 16])
@pytest.mark.parametrize("kind", ["descent", "greedy", "lazy"])
def test_the_bound_for_lipschitz_losses_is_attained(k, kind):
    """|θ − R| from 0: walk, then step over the minimum for ever; 1 in 4T is missing."""
    T = (k + 1) ** 2
    eta = 1 / (k + 0.5)  # the minimum, at 1, lies in the middle of a step
    X, y = np.ones((T, 1)), np.ones(T)
    D = Problem(X, y, losses.absolute, constraints.Everywhere())
    if kind == "descent":
        one = Problem(X[:1], y[:1], losses.absolute, constraints.Everywhere())
        path = gradient_descent(one, steps=T, learning_rate=eta)
    elif kind == "greedy":
        path = online_gradient_descent(D, learning_rate=eta)
    else:
        path = lazy_gradient_descent(D, regularization=1 / eta)
    measured = regrets(D, path, np.array([1.0])).mean()
    bound = regret_bound(steps=T, lipschitz=1.0, distance=1.0, learning_rate=eta)
    assert bound - measured == pytest.approx(eta / (8 * T), abs=1e-12)
    assert measured > 0.95 * bound
    best = regret_bound(steps=T, lipschitz=1.0, distance=1.0)
    assert best == pytest.approx(1 / sqrt(T))
    assert bound < 1.03 * best


@pytest.mark.parametrize("C", [*SETS[:3], constraints.Everywhere()], ids=repr)
@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
def test_the_bound_for_smooth_losses_holds(C, loss):
    D = Problem(*records(n=40), loss, C)
    beta, (least, best) = convex_constants(D)["smoothness"], minimum(D)
    path = gradient_descent(D, steps=50, learning_rate=1 / beta)
    excess = D.risk(path) - least
    R = float(np.linalg.norm(path[0] - best))
    for T in range(1, 51):
        bound = smooth_descent_bound(steps=T, smoothness=beta, distance=R)
        assert -1e-9 <= excess[T] <= bound
    assert np.all(np.diff(excess) <= 1e-12)  # and no step makes it worse


@pytest.mark.claim(
    "05-convex-optimization",
    "The bound for smooth losses holds, and a Huber loss comes within 2 + 1/T.",
    order=7,
)
@pytest.mark.parametrize("T", [1, 10, 100])
def test_the_bound_for_smooth_losses_is_attained_within_a_factor_of_two(T):
    """A Huber loss: excess risk βR²/(4T + 2), exactly."""
    width = 1 / (2 * T + 1)
    C = constraints.Everywhere()
    D = Problem(np.ones((1, 1)), np.ones(1), losses.huber(width), C)
    path = gradient_descent(D, steps=T, learning_rate=1.0)
    measured = float(D.risk(path[-1]))
    assert measured == pytest.approx(1 / (4 * T + 2), rel=1e-12)
    bound = smooth_descent_bound(steps=T, smoothness=1.0, distance=1.0)
    assert bound / measured == pytest.approx(2 + 1 / T)


@pytest.mark.claim(
    "05-convex-optimization",
    "The bound for strongly convex losses holds for the weighted average.",
    order=8,
)
@pytest.mark.parametrize("C", SETS[:3], ids=lambda C: type(C).__name__)
def test_the_bound_for_strongly_convex_losses_holds(C):
    D = Problem(*records(n=40), losses.squared, C)
    found, (least, _) = convex_constants(D), minimum(D)
    m, L = found["strong_convexity"], found["lipschitz"]
    assert m > 5
    path = gradient_descent(D, steps=60, learning_rate=lambda t: 2 / (m * (t + 1)))
    for T in (1, 2, 10, 60):
        excess = D.risk(online_to_batch(path[: T + 1], weighted=True)) - least
        assert excess <= strongly_convex_descent_bound(
            steps=T, lipschitz=L, strong_convexity=m
        )


def test_the_bound_for_strongly_convex_losses_is_met_within_a_factor_of_eight():
    """The mean of ±1: SGD's excess risk is measured over 300 runs with fixed seeds."""
    C, T = constraints.L2Ball(1.0), 60
    D = Problem(np.ones((2, 1)), np.array([-1.0, 1.0]), losses.squared, C)
    m = convex_constants(D)["strong_convexity"]
    assert m == 2

    def rate(t):
        return 2 / (m * (t + 1))

    paths = [
        stochastic_gradient_descent(D, steps=T, learning_rate=rate, rng=seed)
        for seed in range(300)
    ]
    square = np.mean([4 * (path[:-1] ** 2 + 1) for path in paths])
    ends = np.stack([online_to_batch(path, weighted=True) for path in paths])
    excess = np.mean(D.risk(ends) - 1.0)
    bound = strongly_convex_descent_bound(
        steps=T, lipschitz=sqrt(square), strong_convexity=m
    )
    assert bound / 8 < excess < bound


def test_noise_aside_dp_ftrl_has_the_same_bound():
    settings = {"steps": 100, "lipschitz": 2.0, "distance": 3.0}
    private = dp_ftrl_regret_bound(
        **settings, p=5, noise_multiplier=1e-15, regularization=4.0
    )
    plain = regret_bound(**settings, learning_rate=1 / 4)
    assert plain == pytest.approx(private["total"], rel=1e-12)


@pytest.mark.claim(
    "05-convex-optimization",
    "Online to batch: over every order of draws, risk is below regret, exactly.",
    order=9,
)
def test_online_to_batch_is_below_the_regret_for_every_distribution():
    """Every order of draws from two records, exactly: no sampling."""
    C, T = constraints.L2Ball(1.0), 8
    values, chance = np.array([1.0, -1.0]), np.array([0.7, 0.3])
    risk = lambda theta: float(chance @ np.abs(theta - values))  # noqa: E731  (one line is clearer)
    excess = regret = 0.0
    for code in range(2**T):
        drawn = np.array([(code >> t) & 1 for t in range(T)])
        D = Problem(np.ones((T, 1)), values[drawn], losses.absolute, C)
        path = online_gradient_descent(D, learning_rate=0.3)
        weight = np.prod(chance[drawn])
        excess += weight * (risk(online_to_batch(path)[0]) - risk(1.0))
        regret += weight * regrets(D, path, np.array([1.0])).mean()
    assert 0 < excess <= regret
    assert regret <= regret_bound(
        steps=T, lipschitz=1.0, distance=1.0, learning_rate=0.3
    )


@pytest.mark.claim(
    "05-convex-optimization",
    "The constants hold between thousands of pairs of models.",
    order=10,
)
@pytest.mark.parametrize("C", SETS, ids=lambda C: type(C).__name__)
@pytest.mark.parametrize("loss", [*LOSSES, losses.absolute], ids=lambda loss: loss.name)
def test_the_constants_hold_between_all_pairs(C, loss):
    D, rng = Problem(*records(), loss, C), np.random.default_rng(5)
    found = convex_constants(D)
    a, b = (C.project(rng.normal(size=(2000, D.p))) for _ in range(2))
    between, gap = np.linalg.norm(b - a, axis=1), D.risk(b) - D.risk(a)
    assert np.all(np.abs(gap) <= found["lipschitz"] * between + 1e-9)
    over = gap - np.sum(D.gradient(a) * (b - a), axis=1)
    assert np.all(over >= found["strong_convexity"] / 2 * between**2 - 1e-9)
    if found["smoothness"] < inf:
        assert np.all(over <= found["smoothness"] / 2 * between**2 + 1e-9)
        # Definition 6.16, at a step of 1 and at one of a tenth
        part = a + 0.1 * (b - a)
        short = D.risk(part) - D.risk(a) - 0.1 * (gap - over)
        most = max(np.max(2 * over), np.max(2 / 0.1**2 * short))
        assert most <= found["curvature_constant"] + 1e-6


def test_the_constants_are_attained_by_one_record():
    C = constraints.L2Ball(2.0)
    x = np.array([[0.6, 0.8]])
    for loss in (losses.squared, losses.logistic):
        D = Problem(x, np.ones(1), loss, C)
        found, end = convex_constants(D), -2.0 * x[0]
        slope = np.linalg.norm(D.gradient(end))
        assert found["lipschitz"] == pytest.approx(slope, rel=1e-12)
        h = 1e-4
        bend = (D.risk(h * x[0]) + D.risk(-h * x[0]) - 2 * D.risk(0 * end)) / h**2
        assert found["smoothness"] == pytest.approx(bend, rel=1e-5)
        assert found["strong_convexity"] == pytest.approx(0, abs=1e-12)
    D = Problem(np.eye(2), np.ones(2), losses.squared, constraints.Everywhere())
    assert convex_constants(D)["strong_convexity"] == 1
    assert convex_constants(D)["curvature_constant"] == inf
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    assert convex_constants(D)["strong_convexity"] < 1e-300


def test_a_kink_has_no_smoothness():
    D = Problem(*records(), losses.hinge, constraints.L2Ball(1.0))
    found = convex_constants(D)
    assert found["smoothness"] == found["curvature_constant"] == inf
    assert found["strong_convexity"] == 0


STEPS = {"steps": 4}
REACH = {**STEPS, "lipschitz": 2.0, "distance": 1.0}
BAD_INPUT = {
    best_learning_rate: REACH,
    regret_bound: {**REACH, "learning_rate": 0.1},
    smooth_descent_bound: {**STEPS, "smoothness": 2.0, "distance": 1.0},
    strongly_convex_descent_bound: {**STEPS, "lipschitz": 2.0, "strong_convexity": 1.0},
    convex_constants: {"problem": problems.LOGISTIC},
}


class Orthant:
    """A set of a reader's own: θ_j ≥ 0."""

    def project(self, v):
        return np.maximum(v, 0.0)

    def diameter(self, p):
        return np.inf * p


def test_of_a_set_of_ones_own_the_constants_are_those_of_all_models():
    X, y = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([1.0, -1.0])
    own, everywhere = (
        convex_constants(Problem(X, y, losses.logistic, C))
        for C in (Orthant(), constraints.Everywhere())
    )
    assert own == everywhere
    assert own["lipschitz"] == 5.0
