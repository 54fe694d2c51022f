"""What proofs assume about data: the largest gradient on a set, to the last digit."""

from math import inf, sqrt

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.pure._assumptions import shares, within_bounds
from dpteach.algorithms.pure._minimum import best_iterate, minimum, require_tolerance
from dpteach.algorithms.pure._risks import risk_differences


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
    refuse = {"out_of_bounds": "refuse", "order": order}
    assert shares(problem, **refuse, lipschitz=largest) == pytest.approx(1, abs=1e-15)
    with pytest.raises(ValueError, match="`lipschitz` must bound every record, got"):
        shares(problem, **refuse, lipschitz=largest * (1 - 1e-9))
    clipped = shares(problem, "clip", order=order, lipschitz=largest / 4)
    assert np.min(clipped) == pytest.approx(1 / 4)


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
        with pytest.raises(ValueError, match="`lipschitz` must bound every record"):
            shares(D, "refuse", lipschitz=seen * (1 - 1e-9))
        # the row that is scaled down keeps to it everywhere on the set
        less = within_bounds(D, "clip", lipschitz=seen / 2)
        assert np.linalg.norm(less.gradient(models), axis=1).max() <= seen / 2


def test_a_loss_without_a_largest_slope_is_refused_whatever_the_data():
    for X in ([[0.0, 0], [1, 0]], [[0.0, 0], [0, 0]]):
        with pytest.raises(ValueError, match="must have bounded gradients"):
            shares(
                squares(X, [0.0, 0], constraints.Everywhere()), "clip", lipschitz=9.0
            )


def test_the_largest_curvature_is_that_of_the_longest_row():
    X = np.array([[0.1, 0.0], [0.0, 3.0]])
    D = Problem(X, np.ones(2), losses.logistic, constraints.Everywhere())
    within = {"lipschitz": 9.0, "smoothness": 2.25}  # 9/4
    assert list(shares(D, "refuse", **within)) == [1, 1]
    with pytest.raises(ValueError, match=r"and `smoothness` must bound every record"):
        shares(D, "refuse", **within | {"smoothness": 2.2499})
    less = within_bounds(D, "clip", **within | {"smoothness": 0.25})
    np.testing.assert_allclose(less.X, [[0.1, 0.0], [0.0, 1.0]])
    assert less.X[0, 0] == 0.1  # a record within the bounds keeps every bit


FAR = (3.4e38, -3.4028235e38, 9.96921e36, 1e30, 1.0, 1e-30, 1e-38, 1e-45, -0.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("L", [1e-30, 1e-6, 1.0, 1e20])
def test_any_finite_record_keeps_to_any_bound(dtype, L):
    """By the largest gradient in 64 bits, against L and 24 roundings of the dtype."""
    far = np.array(FAR if dtype == "float32" else [*FAR, 1e150, -1e-300, 5e-324])
    X = np.array([[a, b] for a in far for b in far], dtype=dtype)
    for loss, C in (
        (losses.squared, constraints.L2Ball(2.0)),
        (losses.absolute, constraints.Box(-1.0, 3.0)),
        (losses.huber(2.0), constraints.Everywhere()),
        (losses.logistic, constraints.Everywhere()),
    ):
        for label in (1.0, -1.0, 3.4e38, 1e-45):
            if loss is losses.logistic and abs(label) != 1:
                continue
            y = np.full(len(X), label, dtype=dtype)
            D = within_bounds(Problem(X, y, loss, C), "clip", lipschitz=L)
            assert D.X.dtype == X.dtype
            rows = D.X.astype(float)
            norms = np.hypot(rows[:, 0], rows[:, 1])
            reach = 2.0 * norms + abs(label)
            slope = {"squared": reach, "huber(2)": 2.0}.get(loss.name, 1.0)
            room = 1 + 24 * float(np.finfo(dtype).eps)
            assert np.isfinite(norms).all()
            assert (np.where(norms > 0, norms * slope, 0) <= L * room).all()


def test_a_label_of_any_size_hides_no_other_record():
    """Without differences the other record would be rounded away, and move nothing."""
    X, y = np.array([[1.0], [1e-101]]), np.array([0.5, 1e100])
    points = np.array([[-1.0], [0.0], [0.75], [1.0]])
    for loss in (losses.squared, losses.absolute, losses.huber(1.0)):
        D = Problem(X, y, loss, constraints.Box(-1.0, 1.0))
        one = Problem(X[:1], y[:1], loss, constraints.Box(-1.0, 1.0))
        assert len(np.unique(D.risk(points))) == 1
        wanted = one.risk(points) - one.risk(np.zeros(1))
        found = risk_differences(D, D.scores(points), D.scores(np.zeros(1)))
        np.testing.assert_allclose(found, wanted, atol=0.11)


def test_no_run_of_a_batch_is_taken_for_a_minimum_if_one_did_not_reach_it():
    """Two large records pull against each other, and the second tilt hides neither."""
    X, y = np.array([[1e3, 2e3], [1e3, -1e3]]), np.array([1.0, -1.0])
    D = Problem(X, y, losses.logistic, constraints.Everywhere())
    tilts = np.array([[-1.0, 3.0], [1.0, 3e2]])
    with pytest.raises(ValueError, match="was not reached"):
        minimum(D, 1.0, tilts, 1e-300)
    theta, residual = best_iterate(D, 1.0, tilts, 1e-300)
    found = D.gradient(theta) + theta + tilts
    np.testing.assert_array_equal(np.linalg.norm(found, axis=1), residual[:, 0])
    assert (residual > 1e-300).any()
    assert (residual < 1e-9).all()


def test_a_tolerance_below_rounding_is_refused_from_public_numbers():
    require_tolerance(1e-8, 1e3)
    with pytest.raises(ValueError, match="`tolerance` must be at least"):
        require_tolerance(1e-8, 1e5)
    with pytest.raises(ValueError, match="`tolerance` must be at least"):
        require_tolerance(1e-8, 1.0, tilt=1e8)
