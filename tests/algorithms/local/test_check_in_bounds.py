"""How good the model of a fixed window is."""

from math import exp, log, sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.local.check_in_bounds import fixed_window_risk_bound
from dpteach.algorithms.local.check_ins import fixed_window
from dpteach.algorithms.local.local_sgd import local_noise_variance


@pytest.mark.claim(
    "21-check-ins",
    "Measured risk stays below the bound, with a Poisson number of clients.",
    order=9,
)
def test_theorem_3_5_the_bound_holds_with_a_poisson_number_of_clients():
    """20 runs; the bound has so much room that chance does not enter."""
    e0, m, p0, left = 2.0, 1000, 0.5, []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = rng.poisson(4000)
        X = rng.standard_normal((n, 2))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        D = Problem(X, X[:, 0] / 2, losses.absolute, constraints.L2Ball(1.0))
        variance = local_noise_variance(e0, p=2, clip_norm=1.0)
        out = fixed_window(
            D, slots=m, check_in_probability=p0, local_epsilon=e0, clip_norm=1.0,
            learning_rate=2 / sqrt(1 + variance), rng=rng,
        )  # fmt: skip
        # E|<x, theta - theta*>| of a uniform direction in the plane
        left.append(2 / np.pi * np.linalg.norm(out.theta - [0.5, 0.0]))
    known = {"n": 4000, "slots": m, "p": 2, "clip_norm": 1.0, "diameter": 2.0}
    bound = fixed_window_risk_bound(e0, check_in_probability=p0, **known)
    assert np.mean(left) < bound / 5
    more = fixed_window_risk_bound(e0, check_in_probability=1.0, **known)
    assert more / bound == pytest.approx((1 - exp(-2)) / (1 - exp(-4)))


def test_slots_are_empty_independently_with_a_poisson_number_of_clients():
    """What Theorem 3.5 is told with: the pair of slots is empty with chance q²."""
    n, m, p0 = 30.0, 10, 0.6
    q = exp(-n * p0 / m)
    many = np.arange(400)  # P(both empty) = E (1 − 2p₀/m)^N, and one E (1 − p₀/m)^N
    logs = many * log(n) - n - np.cumsum(np.log(np.maximum(many, 1)))
    chance = np.exp(logs)
    assert chance @ (1 - p0 / m) ** many == pytest.approx(q, rel=1e-12)
    assert chance @ (1 - 2 * p0 / m) ** many == pytest.approx(q * q, rel=1e-12)


BAD_INPUT = {
    fixed_window_risk_bound: {
        "local_epsilon": 1.0,
        "n": 20,
        "slots": 5,
        "p": 2,
        "clip_norm": 1.0,
        "diameter": 2.0,
        "check_in_probability": 0.5,
    },
}
