"""Problems, and what moves in them, that several test modules use."""

from math import sqrt

import numpy as np

from dpteach import constraints


def moved(x, y, other=None, label=0.0):
    """Length of the change of (XᵀX, Xᵀy), off-diagonal entries counted twice."""
    A, v = np.outer(x, x), y * x
    if other is not None:
        A, v = A - np.outer(other, other), v - label * other
    return sqrt(np.sum(A**2) + np.sum(v**2))


SETS = (
    constraints.L2Ball(0.7),
    constraints.L1Ball(0.7),
    constraints.Box(-0.2, 0.5),
    constraints.Simplex(),
)


def records(n=20, p=4, seed=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], n)
