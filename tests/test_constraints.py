"""Each set: its projection is the nearest point, its diameter the largest distance."""

from itertools import product
from math import inf, sqrt

import numpy as np
import pytest

from dpteach import constraints
from dpteach.constraints import (
    Box,
    Everywhere,
    L1Ball,
    L2Ball,
    Simplex,
)

SETS = [L2Ball(0.7), L1Ball(0.7), Box(-0.5, 0.25), Simplex(), Everywhere()]
every_set = pytest.mark.parametrize("C", SETS, ids=repr)


def inside(C, v, slack=1e-12):
    """Membership by the set's definition, written anew."""
    if isinstance(C, L2Ball):
        return np.linalg.norm(v) <= C.radius + slack
    if isinstance(C, L1Ball):
        return np.abs(v).sum() <= C.radius + slack
    if isinstance(C, Box):
        return np.all((v >= C.low - slack) & (v <= C.high + slack))
    if isinstance(C, Simplex):
        return np.all(v >= -slack) and abs(v.sum() - 1) <= slack
    return True


def corners(C, p):
    """Points whose hull is the set; for a ball, points of its sphere."""
    if isinstance(C, L1Ball):
        return C.radius * np.vstack([np.eye(p), -np.eye(p)])
    if isinstance(C, Box):
        return np.array(list(product((C.low, C.high), repeat=p)))
    if isinstance(C, Simplex):
        return np.eye(p)
    v = np.random.default_rng(1).standard_normal((500, p))
    v = np.vstack([v, -v])
    return getattr(C, "radius", 100.0) * v / np.linalg.norm(v, axis=1, keepdims=True)


@every_set
@pytest.mark.parametrize("p", [1, 2, 5])
def test_a_projection_is_the_nearest_point(C, p):
    """⟨v − Πv, c − Πv⟩ ≤ 0 for every corner c characterizes the nearest point."""
    for v in np.random.default_rng(0).standard_normal((50, p)) * 3:
        u = C.project(v)
        assert inside(C, u)
        assert np.all((corners(C, p) - u) @ (v - u) <= 1e-12)


@every_set
def test_a_projection_keeps_what_is_inside_and_takes_batches(C):
    v = np.random.default_rng(0).standard_normal((4, 3, 5)) * 2
    u = C.project(v)
    np.testing.assert_allclose(C.project(u), u, atol=1e-15)
    for i in range(4):
        for j in range(3):
            np.testing.assert_array_equal(C.project(v[i, j]), u[i, j])
    assert C.project(v.astype(np.float32)).dtype == np.float32


@every_set
def test_a_projection_of_extremes(C):
    """Zero, ties, and vectors so long that a naive threshold would cancel."""
    for v in (np.zeros(4), np.ones(4), -np.ones(4), np.array([1e8, 1e8, -1e8, 0.0])):
        assert inside(C, C.project(v), slack=1e-7)


@every_set
@pytest.mark.parametrize("p", [1, 2, 5])
def test_the_diameter_is_the_largest_distance(C, p):
    if isinstance(C, Everywhere):
        assert C.diameter(p) == inf
        return
    c = corners(C, p)
    largest = np.linalg.norm(c[:, None] - c[None], axis=2).max()
    assert C.diameter(p) == pytest.approx(largest, rel=1e-9)


def test_known_projections():
    v = np.array([2.0, 0.5])
    np.testing.assert_allclose(L1Ball(1.0).project(v), [1.0, 0.0])
    np.testing.assert_allclose(L1Ball(2.0).project(v), [1.75, 0.25])
    np.testing.assert_allclose(L1Ball(9.0).project(v), v)
    np.testing.assert_allclose(Simplex().project(v), [1.0, 0.0])
    np.testing.assert_allclose(L2Ball(1.0).project(v), v / sqrt(4.25))
    np.testing.assert_allclose(Box(0.0, 1.0).project(v), [1.0, 0.5])


def test_an_empty_box_is_refused():
    for low, high in ((1.0, 1.0), (2.0, 1.0)):
        with pytest.raises(ValueError, match="`high` must be above `low`"):
            Box(low, high)


@every_set
def test_a_dimension_below_one_is_refused(C):
    with pytest.raises(ValueError, match="`p` must be"):
        C.diameter(0)


def test_sets_are_values():
    assert constraints.L2Ball(1.0) == constraints.L2Ball(1.0)
    assert hash(Box(0.0, 1.0)) == hash(Box(0.0, 1.0))


BAD_INPUT = {
    constraints.Everywhere: {},
    constraints.Simplex: {},
    constraints.L2Ball: {"radius": 1.0},
    constraints.L1Ball: {"radius": 1.0},
    constraints.Box: {"low": -1.0, "high": 1.0},
}
