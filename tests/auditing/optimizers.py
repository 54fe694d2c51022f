"""Optimizers, sound and broken, that audits run on."""

import numpy as np


def descend(
    problem, rng, *, steps=4, sigma=2.0, clipped=True, fresh=True, scalar=False
):
    """DP-SGD with momentum in five lines, and three ways to get it wrong."""
    theta, velocity, path, b = problem.zeros(), problem.zeros(), [], None
    for _ in range(steps):
        g = problem.clipped_gradient(theta, 1.0) if clipped else problem.gradient(theta)
        if fresh or b is None:
            b = sigma * rng.standard_normal(None if scalar else theta.shape)
        velocity = 0.9 * velocity + g + b
        theta = theta - 0.1 * velocity
        path.append(theta)
    return np.array(path)
