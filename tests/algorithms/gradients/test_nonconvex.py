"""The bound for losses that are not convex: it holds, and its constants are right."""

from math import sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import dp_sgd, stationary_bound, stationary_learning_rate
from dpteach.chapters.training_a_network.gradients import Vote
from dpteach.networks import Dense, Network, Tanh

KNOWN = {
    "n": 1000, "p": 50, "lipschitz": 1.0, "smoothness": 1.0, "gap": 700.0,
    "steps": 400, "noise_multiplier": 80.0,
}  # fmt: skip


def test_the_rate_is_the_best_one():
    """No allowed rate has a smaller bound, on either side of the cap 1/(nβ)."""
    for lam in (0.01, 80.0):
        known = {**KNOWN, "noise_multiplier": lam}
        best, cap = stationary_learning_rate(**known), 1 / 1000
        least = stationary_bound(**known)
        assert best <= cap
        for eta in np.geomspace(cap / 1e4, cap, 200):
            assert stationary_bound(**known, learning_rate=eta) >= least * (1 - 1e-12)


@pytest.mark.parametrize("steps", [300, 10_000])
def test_at_one_price_the_bound_is_what_the_theorem_says(steps):
    mu = 0.24
    known = {**KNOWN, "steps": steps, "noise_multiplier": sqrt(steps) / mu}
    assert steps >= mu * sqrt(2 * 1000 * 700 / 50)
    said = 2 / mu * sqrt(2 * 1000 * 700 * 50)
    assert stationary_bound(**known) == pytest.approx(said, rel=1e-12)
    first = 2 * 1000 * 700 / steps + 50 * steps / mu**2
    assert stationary_bound(**known, learning_rate=1e-3) == pytest.approx(first)


def test_longer_steps_than_the_theorem_allows_are_refused():
    with pytest.raises(ValueError, match=r"at most 1/\(nβ\)"):
        stationary_bound(**KNOWN, learning_rate=0.0011)


@pytest.mark.claim(
    "11-training-a-network",
    "Without convexity, the mean squared gradient along runs stays below its bound, at "
    "three learning rates.",
    order=2,
)
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_measured_gradients_stay_below_the_bound(share):
    """A network whose constants are proved; mean of 20 runs, whose error is small."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    loss = Network((3,), [Dense(4), Tanh(), Vote()], loss=losses.logistic, seed=2)
    D = Problem(X, y, loss, constraints.Everywhere())
    beta = 2 * (1 / 4 + 4 / (3 * sqrt(3)) / 2)
    known = {
        "n": 60, "p": D.p, "steps": 50, "noise_multiplier": 4.0,
        "lipschitz": sqrt(2), "smoothness": beta, "gap": float(D.risk(D.zeros())),
    }  # fmt: skip
    eta = share / (60 * beta)
    path = dp_sgd(
        D, clip_norm=sqrt(2), steps=50, noise_multiplier=4.0, learning_rate=eta,
        rng=3, runs=(20,),
    ).path  # fmt: skip
    models = np.concatenate([D.zeros(1, 20), path[:-1]])
    measured = float((D.gradient(models) ** 2).sum(axis=-1).mean())
    assert measured < stationary_bound(**known, learning_rate=eta)


@pytest.mark.claim(
    "11-training-a-network",
    "On a single quadratic the bound is met, up to one part in T.",
    order=3,
)
def test_a_quadratic_meets_the_bound():
    """Power: without either of its terms the bound would be broken. 4,000 runs."""
    D = Problem(
        np.ones((1, 1)), np.full(1, 0.5), losses.squared, constraints.Everywhere()
    )
    path = dp_sgd(
        D, clip_norm=1.0, steps=50, noise_multiplier=0.1, learning_rate=1.0, rng=5,
        runs=(4000,),
    ).path  # fmt: skip
    models = np.concatenate([D.zeros(1, 4000), path[:-1]])
    measured = float((D.gradient(models) ** 2).mean())
    bound = stationary_bound(
        n=1, p=1, steps=50, noise_multiplier=0.1, lipschitz=1.0, smoothness=1.0,
        gap=0.125, learning_rate=1.0,
    )  # fmt: skip
    assert bound == pytest.approx(0.25 / 50 + 0.01)
    assert measured == pytest.approx(bound - 0.01 / 50, rel=0.03)
    assert measured > max(0.25 / 50, 0.01)


BAD_INPUT = {
    stationary_learning_rate: KNOWN,
    stationary_bound: {**KNOWN, "learning_rate": 1e-4},
}
