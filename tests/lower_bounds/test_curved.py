"""What (ε, δ)-privacy forbids for curved risks and for the LASSO."""

from math import sinh, sqrt

import numpy as np
import pytest

from dpteach import Relation, constraints, losses
from dpteach.accounting import epsilon_of
from dpteach.algorithms.geometry.lasso import private_lasso
from dpteach.lower_bounds import (
    hardest_lasso,
    lasso_excess_lower_bound,
    lasso_hard_problem,
    pure_excess_lower_bound,
    strongly_convex_excess_lower_bound,
)
from dpteach.problem import Problem


def test_strongly_convex_bounds_have_the_rates_of_section_6_5_2():
    n, p, epsilon = 10**6, 10**4, 0.1
    bound = strongly_convex_excess_lower_bound(epsilon, 1e-12, n=n, p=p)
    assert bound == pytest.approx(p / (72 * n * sinh(epsilon) ** 2), rel=0.01)
    pure = strongly_convex_excess_lower_bound(epsilon, 0.0, n=n, p=p)
    assert pure == pytest.approx(6.9e-4 * p**2 / (n * epsilon**2), rel=0.01)
    # gradients twice as long: four times the risk; twice the curvature: half of it
    kind = {"n": 100, "p": 50}
    one = strongly_convex_excess_lower_bound(0.5, 1e-6, **kind)
    two = strongly_convex_excess_lower_bound(0.5, 1e-6, **kind, lipschitz=2.0)
    half = strongly_convex_excess_lower_bound(0.5, 1e-6, **kind, strong_convexity=2.0)
    assert two == pytest.approx(4 * one)
    assert half == pytest.approx(one / 2)


def test_the_excess_of_a_quadratic_is_a_distance_and_so_is_the_pure_bound():
    """‖θ − (m/n)v‖ ≥ ⟨(m/n)v − θ, v⟩, whose mean is the bound on linear risk over n."""
    rng = np.random.default_rng(2)
    X = rng.choice([-0.5, 0.5], (30, 4))
    theta = rng.standard_normal((10, 4))
    risk = 0.5 * np.sum((theta[:, None] - X) ** 2, axis=(1, 2))
    best = X.mean(axis=0)
    excess = risk - 0.5 * np.sum((best - X) ** 2)
    assert excess == pytest.approx(15 * np.sum((theta - best) ** 2, axis=1))
    kind = {"n": 1000, "p": 100}
    linear = pure_excess_lower_bound(0.1, **kind)
    bound = strongly_convex_excess_lower_bound(0.1, 0.0, **kind)
    assert bound == pytest.approx(linear**2 / (8 * 1000))


def test_the_lasso_bound_grows_as_the_third_root_of_n():
    ratio = [
        lasso_excess_lower_bound(epsilon, 1e-12, n=n, p=10**6)
        / (n / sinh(epsilon) ** 2) ** (1 / 3)
        for epsilon, n in ((0.1, 10**5), (1.0, 10**6), (0.3, 10**7))
    ]
    assert min(ratio) > 0.25
    assert max(ratio) < 0.35
    with pytest.raises(ValueError, match="`epsilon` must be smaller"):
        hardest_lasso(50.0, 1e-6, n=100, p=4)


@pytest.mark.parametrize(("epsilon", "n", "p"), [(0.1, 3000, 1024), (1.0, 2000, 600)])
def test_the_hard_lasso_keeps_its_promises(epsilon, n, p):
    """The best short multiple of the sum gains what the bound takes it to gain.

    Means of 40 instances: at most six standard errors below, and at most a tenth above.
    A private LASSO gains far less, so its excess is above the bound too.
    """
    hard = hardest_lasso(epsilon, 1e-6, n=n, p=p)
    assert lasso_excess_lower_bound(epsilon, 1e-6, n=n, p=p) == hard.excess
    sizes = {"columns": hard.columns, "informative": hard.informative}
    rng, gains, excess = np.random.default_rng(0), [], []
    for i in range(40):
        D = lasso_hard_problem(n=n, p=p, repeats=hard.repeats, rng=rng, **sizes)
        S, N = D.X[: hard.informative].sum(axis=0), hard.columns * hard.repeats
        gamma = np.linspace(0, 1, 101)
        models = (gamma[gamma * np.abs(S).sum() <= N, None] * S) / N
        risk = D.risk(models)
        gains.append(hard.informative / 2 - risk.min())
        if i < 3:
            fit = private_lasso(
                D.X, D.y, l1_radius=1.0, epsilon=epsilon, delta=1e-6, steps=8,
                relation=Relation.REPLACE, rng=i,
            )  # fmt: skip
            assert epsilon_of(fit.event, 1e-6) <= epsilon
            excess.append(D.risk(fit.theta) - risk.min())
    known = hard.informative * (hard.informative + 2) / 2
    private = known**2 * sinh(epsilon) ** 2 / (2 * N)
    promised = hard.excess + private  # of the comparator alone
    assert np.mean(gains) + 6 * np.std(gains) / sqrt(40) > promised
    assert np.mean(gains) < 1.1 * promised
    assert min(excess) > hard.excess


def test_the_hard_lasso_is_a_bowl_with_a_few_labels():
    D = lasso_hard_problem(n=50, p=9, columns=8, informative=4, repeats=5, rng=0)
    np.testing.assert_array_equal(D.X[4:44].T @ D.X[4:44], np.diag([40.0] * 8 + [0.0]))
    assert D.y.sum() == 4
    assert np.abs(D.X).max() == 1
    assert np.abs(D.X[44:]).max() == 0
    assert isinstance(D, Problem)
    assert D.loss is losses.squared
    assert isinstance(D.constraint, constraints.L1Ball)
    with pytest.raises(ValueError, match="`columns` must be a power of 2"):
        lasso_hard_problem(n=50, p=9, columns=6, informative=4, repeats=5, rng=0)
    with pytest.raises(ValueError, match="`n` must be at least"):
        lasso_hard_problem(n=40, p=9, columns=8, informative=4, repeats=5, rng=0)


BAD_INPUT = {
    strongly_convex_excess_lower_bound: {
        "epsilon": 0.1,
        "delta": 1e-6,
        "n": 100,
        "p": 50,
        "lipschitz": 1.0,
        "strong_convexity": 1.0,
    },
    lasso_excess_lower_bound: {"epsilon": 0.1, "delta": 1e-6, "n": 99, "p": 90},
    hardest_lasso: {"epsilon": 0.1, "delta": 1e-6, "n": 99, "p": 90},
    lasso_hard_problem: {
        "n": 30,
        "p": 9,
        "columns": 8,
        "informative": 2,
        "repeats": 2,
        "rng": 0,
    },
}
