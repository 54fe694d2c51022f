"""Small problems, for the rows of bad input: one of each kind."""

import numpy as np

from dpteach import Problem, constraints, losses

MEDIAN = Problem(
    np.ones((3, 1)),
    np.array([-0.5, 0.2, 0.9]),
    losses.absolute,
    constraints.Box(-1.0, 1.0),
)
SIGNS = Problem(
    np.eye(2), np.array([1.0, -1.0]), losses.logistic, constraints.Everywhere()
)
SQUARES = Problem(
    np.eye(2), np.array([1.0, -1.0]), losses.squared, constraints.L1Ball(1.0)
)
ABSOLUTE = Problem(
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.ones(3),
    losses.absolute,
    constraints.Everywhere(),
)
LOGISTIC = Problem(
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.array([1.0, -1.0, 1.0]),
    losses.logistic,
    constraints.L2Ball(1.0),
)
# Some rows are longer than 1.
ROWS = np.array([[0.6, 0.8, 0.0], [0.0, -1.0, 0.5], [2.0, 0.0, 1.0], [0.0, 0.0, 0.1]])
LONG_ROWS = Problem(
    ROWS, np.array([1.0, -1.0, 1.0, -1.0]), losses.logistic, constraints.L2Ball(2.0)
)
CLASSES = Problem(
    ROWS, np.array([0, 1, 2, 1]), losses.softmax(3), constraints.L2Ball(2.0)
)
