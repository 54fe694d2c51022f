"""Draws where the gradient is short: their exact price, convex or not."""

import numpy as np
import pytest
from scipy import stats

from dpteach import Problem, Relation, constraints, losses
from dpteach.accounting import epsilon_of
from dpteach.algorithms.pure.exponential_samplers import Grid
from dpteach.algorithms.pure.gradient_norm import (
    gradient_lengths,
    gradient_norm_mechanism,
)
from tests import problems
from tests.algorithms.case import Case

INTERVAL = constraints.Box(-2.0, 2.0)
GRID = np.linspace(-2, 2, 401)[:, None]
LOSSES = (losses.logistic, losses.absolute, losses.hinge, losses.huber(0.2))


def spent(first, second, epsilon, relation, Lam=0.0):
    """Compute the exact ε and range of two neighbors on a grid of 401 models."""
    c = epsilon / 2 / relation.sensitivity
    log = [
        -c * gradient_lengths(D, GRID, clip_norm=1.0, regularization=Lam)
        for D in (first, second)
    ]
    gap = np.diff([each - np.logaddexp.reduce(each) for each in log], axis=0)
    return float(np.abs(gap).max()), float(np.ptp(gap))


def wells(*records):
    """Rows of either sign: the loss below bends down, so the sum is not convex."""
    X = np.array(records)[:, None]
    return Problem(X, np.ones(len(X)), BENT, INTERVAL)


# Its slope is 1 near 0 and falls off: a bounded loss with two saddles, not convex.
BENT = losses.Loss(
    "bent",
    lambda z, y: -y * np.exp(-z * z),
    lambda z, y: 2 * y * z * np.exp(-z * z),
    None, lipschitz=0.86, smoothness=2.0,
)  # fmt: skip


@pytest.mark.claim(
    "08-objective-perturbation",
    "A draw where the gradient is short keeps to ε without convexity: exactly, on 300 "
    "random pairs of neighbors.",
    order=40,
)
@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.REPLACE])
def test_no_pair_of_neighbors_spends_more_than_epsilon(relation):
    rng, largest = np.random.default_rng(0), 0.0
    for trial in range(150):
        n = int(rng.integers(1, 8))
        x, y = rng.normal(0, 2, n + 1), rng.choice([-1.0, 1.0], n + 1)
        loss = (*LOSSES, BENT)[trial % 5]
        if relation is Relation.ADD_REMOVE:
            pair = [(x[:n], y[:n]), (x, y)]
        else:
            other = x.copy(), y.copy()
            other[0][0], other[1][0] = -x[0], y[0]
            pair = [(x, y), other]
        pair = [Problem(a[:, None], b, loss, INTERVAL) for a, b in pair]
        epsilon, width = spent(*pair, 1.0, relation, Lam=trial % 3)
        assert epsilon <= 1 + 1e-9
        assert width <= 1 + 1e-9
        largest = max(largest, epsilon)
    assert largest > 0.6


def test_the_constant_is_tight_and_half_of_it_is_too_little():
    """Records at one end all pull one way; a few models near 0 do not feel the last.

    The weights of the two data sets differ most where one record's pull turns around.
    """
    X = np.r_[np.full(400, 1.0), np.full(400, -1.0)][:, None]
    y = np.zeros(800)
    D = Problem(X, y, losses.absolute, INTERVAL)
    more = Problem(np.r_[X, [[1.0]]], np.r_[y, -2.0], losses.absolute, INTERVAL)
    epsilon, width = spent(D, more, 1.0, Relation.ADD_REMOVE)
    assert 0.49 < epsilon <= 1
    assert width <= 1 + 1e-9
    # a mechanism that takes ε/L in place of ε/(2L) would spend twice as much
    assert spent(D, more, 4.0, Relation.ADD_REMOVE)[0] > 1


def test_a_quadratic_pays_half():
    """Its gradients are translations of each other, and the normalizer stays."""
    line = constraints.Box(-200.0, 200.0)
    y = np.array([0.5, -0.5])
    D, more = (
        Problem(np.ones((len(each), 1)), each, losses.linear, line)
        for each in (y, np.append(y, 1.0))
    )
    grid = np.linspace(-200, 200, 40_001)[:, None]
    log = [
        -gradient_lengths(each, grid, clip_norm=1.0, regularization=1.0) / 2
        for each in (D, more)
    ]
    gap = np.diff([each - np.logaddexp.reduce(each) for each in log], axis=0)
    assert np.abs(gap).max() == pytest.approx(0.5, rel=1e-6)


def test_draws_have_the_probabilities_of_the_formula():
    """χ² at 1e-6 with 20,000 draws on 40 models; uniform draws are seen."""
    D = wells(0.7, -1.2, 1.0)
    out = gradient_norm_mechanism(
        D, epsilon=2.0, clip_norm=0.5, sampler=Grid(0.1), regularization=0.3, rng=0,
        runs=(20_000,),
    )  # fmt: skip
    models = np.linspace(-1.95, 1.95, 40)
    pull = np.array([
        sum(np.clip(D.record_gradient(np.array([t]), i)[0], -0.5, 0.5)
            for i in range(3)) + 0.3 * t
        for t in models
    ])  # fmt: skip
    weight = np.exp(-2.0 / (2 * 0.5) * np.abs(pull))
    count = np.bincount(np.round((out.theta[:, 0] + 1.95) / 0.1).astype(int),
                        minlength=40)  # fmt: skip
    assert stats.chisquare(count, 20_000 * weight / weight.sum()).pvalue > 1e-6
    assert stats.chisquare(count).pvalue < 1e-6
    replaced = gradient_norm_mechanism(
        D, epsilon=4.0, clip_norm=0.5, sampler=Grid(0.1), regularization=0.3, rng=0,
        runs=(20_000,), relation=Relation.REPLACE,
    )  # fmt: skip
    assert (replaced.theta == out.theta).all()


def test_hostile_records_move_a_length_by_at_most_the_clip_norm():
    """In every dtype: fills, infinities of the slope, subnormal rows."""
    grid = np.linspace(-2, 2, 41)[:, None]
    for kind in (np.float32, np.float64):
        X = np.array([[1.0], [-0.3], [0.5]], dtype=kind)
        y = np.array([0.2, -0.1, 0.4], dtype=kind)
        D = Problem(X, y, losses.squared, INTERVAL)
        before = gradient_lengths(D, grid, clip_norm=1.0)
        for x in (3e38, -3e38, 1e30, 1e-40, 0.0, 9.96921e36):
            for label in (0.0, 1e30, -3e38):
                more = Problem(
                    np.append(X, [[x]], axis=0).astype(kind),
                    np.append(y, label).astype(kind), losses.squared, INTERVAL,
                )  # fmt: skip
                after = gradient_lengths(more, grid, clip_norm=1.0)
                assert np.abs(after - before).max() <= 1.0


BAD_INPUT = {
    gradient_lengths: {
        "problem": problems.SIGNS,
        "theta": np.zeros((2, problems.SIGNS.p)),
        "clip_norm": 1.0,
        "regularization": 0.5,
    },
    gradient_norm_mechanism: {
        "problem": wells(0.5, 1.0),
        "epsilon": 1.0,
        "clip_norm": 1.0,
        "sampler": Grid(0.5),
        "rng": 0,
        "regularization": 0.5,
        "relation": Relation.REPLACE,
        "runs": (2,),
    },
}
COMMON = {
    "gradient norm": Case(
        gradient_norm_mechanism,
        losses.logistic,
        constraints.L2Ball(1.0),
        {"epsilon": 0.7, "clip_norm": 1.0, "sampler": Grid(0.25)},
        path=1,
        epsilon=epsilon_of(
            gradient_norm_mechanism(
                wells(0.5), epsilon=0.7, clip_norm=1.0, sampler=Grid(1.0), rng=0
            ).event,
            1e-9,
        ),
        delta=1e-9,
        normal=False,
        rtol=1e-7,
    ),
}
