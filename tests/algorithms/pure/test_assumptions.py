"""What proofs assume about data: the largest gradient on a set, to the last digit."""

from math import inf, sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.pure._assumptions import require_lipschitz, require_smooth
from dpteach.algorithms.pure._minimum import _reached


def squares(X, y, constraint):
    return Problem(np.array(X), np.array(y), losses.squared, constraint)


LONG = [[0.5, -2.0]]  # its largest entry is negative


@pytest.mark.parametrize(
    ("problem", "order", "largest"),
    [
        # attained in a corner: θ = (−3, −3, −3, −3) or its mirror image
        (squares([[0.5] * 4], [1.0], constraints.Box(-3.0, 1.0)), 2, 7.0),
        (squares([[0.5] * 4], [-1.0], constraints.Box(-1.0, 3.0)), 2, 7.0),
        (squares(LONG, [0.0], constraints.Simplex()), inf, 4.0),
        (squares(LONG, [0.0], constraints.Simplex()), 2, 2 * sqrt(4.25)),
        (squares(LONG, [0.0], constraints.L1Ball(3.0)), inf, 12.0),
        (squares(LONG, [0.0], constraints.L2Ball(2.0)), 2, 8.5),
        # the steep record is short, and the long one is not steep
        (squares([[4.0, 0], [0, 0.1]], [0.0, 100], constraints.L2Ball(1.0)), 2, 16.0),
    ],
)
def test_the_largest_gradient_is_asked_for_and_no_more(problem, order, largest):
    require_lipschitz(problem, order=order, lipschitz=largest)
    with pytest.raises(ValueError, match="`lipschitz` must be at least"):
        require_lipschitz(problem, order=order, lipschitz=largest * (1 - 1e-9))


def test_no_gradient_is_larger_anywhere_on_the_set():
    """A grid over each set, corners and sphere included."""
    angle = np.linspace(0, 2 * np.pi, 721)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for constraint in (
        constraints.Box(-3.0, 1.0),
        constraints.L1Ball(2.0),
        constraints.L2Ball(2.0),
        constraints.Simplex(),
    ):
        D = squares(LONG, [0.7], constraint)
        models = constraint.project(9 * circle)
        lengths = np.linalg.norm(models, axis=1)
        assert lengths.max() == pytest.approx(constraint.largest_norm(2), rel=1e-4)
        scores = np.abs(D.X @ models.T).max(axis=1)
        assert scores <= constraint.largest_scores(D.X) * (1 + 1e-12)
        seen = np.linalg.norm(D.gradient(models), axis=1).max()
        with pytest.raises(ValueError, match="`lipschitz` must be at least"):
            require_lipschitz(D, lipschitz=seen * (1 - 1e-9))


def test_a_row_of_zeros_does_not_hide_an_unbounded_one():
    Everywhere = constraints.Everywhere()
    with pytest.raises(ValueError, match="must have bounded gradients"):
        require_lipschitz(
            squares([[0.0, 0], [1, 0]], [0.0, 0], Everywhere), lipschitz=9
        )
    require_lipschitz(squares([[0.0, 0]], [0.0], Everywhere), lipschitz=9)


def test_the_largest_curvature_is_that_of_the_longest_row():
    X = np.array([[0.1, 0.0], [0.0, 3.0]])
    D = Problem(X, np.ones(2), losses.logistic, constraints.Everywhere())
    require_smooth(D, 2.25)  # 9/4
    with pytest.raises(ValueError, match=r"`smoothness` must be at least 2\.25"):
        require_smooth(D, 2.2499)


def test_no_run_of_a_batch_is_released_if_one_did_not_reach_the_tolerance():
    theta, residual = np.zeros((2, 3)), np.array([[1e-12], [1e-3]])
    assert _reached(theta, residual, 1e-3) is theta
    with pytest.raises(ValueError, match="was not reached"):
        _reached(theta, residual, 1e-4)
