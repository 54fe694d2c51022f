"""Runs behind the chapter on convex optimization: paths, a learner, noisy averages.

Nothing here is private.
"""

from functools import cache
from math import cos, radians, sin

import numpy as np

from ...algorithms.gradients.convex_bounds import convex_constants
from ...algorithms.gradients.gradient_descent import (
    gradient_descent,
    online_to_batch,
    stochastic_gradient_descent,
)
from ...algorithms.gradients.online import online_gradient_descent, regrets
from ...constraints import Everywhere, L2Ball
from ...data import diabetes, example
from ...losses import absolute, squared
from ...problem import Problem

# Risk (θ₁² + 4θ₂²)/2: curvature 1 along the first axis, 4 along the second.
BOWL = Problem(np.diag([1.0, 2.0]), np.zeros(2), squared, Everywhere())
WALK_STEPS = 20
RECORDS = 96
NOISY_STEPS = (8, 16, 32, 64, 128, 256, 512)
NOISY_RUNS = 10
PAIRS = 50
RIVAL_RATES = (3e-4, 5e-4)


@cache
def walk(direction: float, learning_rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Take twenty steps from distance 2; return the models and their risks."""
    turn = radians(direction)
    start = 2 * np.array([cos(turn), sin(turn)])
    path = gradient_descent(
        BOWL, steps=WALK_STEPS, learning_rate=learning_rate, start=start
    )
    return path, BOWL.risk(path)


@cache
def stream() -> tuple[Problem, float]:
    """Guess a number near 96 disease scores, one after the other; find the best one."""
    y = diabetes().y[:RECORDS].clip(-1, 1)
    D = Problem(np.ones((RECORDS, 1)), y, absolute, L2Ball(1.0))
    return D, float(np.median(y))


@cache
def paid(learning_rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute what the learner pays for each record, and its regret."""
    D, best = stream()
    path = online_gradient_descent(D, learning_rate=learning_rate)
    return np.abs(path[:-1, 0] - D.y), regrets(D, path, np.array([best]))


@cache
def _least() -> float:
    D = example()
    beta = convex_constants(D)["smoothness"]
    return float(D.risk(gradient_descent(D, steps=300, learning_rate=1 / beta)[-1]))


@cache
def averages(learning_rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Measure the averages' excess risks: exact gradients (7,), noisy (10, 7)."""
    D, most = example(), NOISY_STEPS[-1]

    def excess(path: np.ndarray) -> np.ndarray:
        ends = np.stack([online_to_batch(path[: T + 1]) for T in NOISY_STEPS])
        return (D.risk(ends) - _least()) / D.n

    exact = gradient_descent(D, steps=most, learning_rate=learning_rate)
    noisy = [
        stochastic_gradient_descent(
            D, steps=most, learning_rate=learning_rate, rng=seed
        )
        for seed in range(NOISY_RUNS)
    ]
    return excess(exact), np.stack([excess(path) for path in noisy])


@cache
def differences() -> np.ndarray:
    """Compute the second rival's risk minus the first's, in 50 pairs of runs."""
    D = example()
    ends = [
        [
            online_to_batch(
                stochastic_gradient_descent(
                    D, steps=150, learning_rate=rate, rng=1000 * which + seed
                )
            )
            for seed in range(PAIRS)
        ]
        for which, rate in enumerate(RIVAL_RATES)
    ]
    risk = D.risk(np.array(ends)) / D.n
    return 1000 * (risk[1] - risk[0])
