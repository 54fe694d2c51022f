"""Triangles at the edge: whatever leaves its panel has one there, and nothing else."""

from itertools import pairwise

import numpy as np
import pytest

from dpteach.figures import Band, Bars, Cells, Line, Points
from dpteach.figures._edges import APART, SLACK, exits, triangles
from dpteach.figures._render import paths
from dpteach.figures.axes import Axes
from tests.figures.sample import sample

BOX = (10.0, 20.0, 110.0, 80.0)  # left, top, right, bottom
AXES = Axes("x", "y", xlim=(0, 10), ylim=(0, 10))


def corners(*points, joined=True):
    return exits(np.array(points), BOX, joined=joined)


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ([(50, 50), (50, 100)], [(50, 80, 0, 1)]),
        ([(50, 50), (150, 50)], [(110, 50, 1, 0)]),
        ([(0, 50), (150, 50)], [(10, 50, -1, 0), (110, 50, 1, 0)]),
        ([(50, 50), (50, 0), (80, 0), (80, 50)], [(50, 20, 0, -1), (80, 20, 0, -1)]),
        ([(10, 20), (110, 20), (110, 80)], []),  # it runs along the frame
        ([(10, 20 - SLACK), (110, 80 + SLACK)], []),
        ([(30, 5), (60, 12), (90, 0)], [(60, 20, 0, -1)]),  # all of it is outside
        ([(0, 30), (40, 0)], [(10, 22.5, -1, 0), (13.3, 20, 0, -1)]),  # a corner cut
        ([(0, 30), (20, 0)], [(10, 30, -1, 0)]),  # beside a corner
    ],
)
def test_a_line_is_marked_where_it_leaves(points, found):
    assert np.allclose(np.array(corners(*points)), np.array(found), atol=0.9)


def test_a_point_is_marked_where_it_is_nearest():
    assert corners((50, 50), (10, 80), joined=False) == []
    assert corners((50, 0), (150, 30), joined=False) == [
        (50, 20, 0, -1),
        (110, 30, 1, 0),
    ]
    # of those close together one stands for both, but not of two at different sides
    assert len(corners((50, 0), (50 + APART - 1, 5), joined=False)) == 1
    assert len(corners((50, 0), (50 + APART + 1, 5), joined=False)) == 2
    assert len(corners((111, 18), (112, 19), (109, 15), joined=False)) == 2


def test_a_triangle_lies_within_the_panel_and_points_out():
    for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        ((tip, *base),) = triangles([(50.0, 50.0, *way)])
        assert tip.tolist() == [50.0, 50.0]
        assert all((each - tip) @ way < -5 for each in base)


def brute(points):
    """Walk along a line in small steps; list where it crosses the frame."""
    low, high = np.array(BOX[:2]) - SLACK, np.array(BOX[2:]) + SLACK
    share = np.linspace(0, 1, 4001)[:, None]
    out = []
    for start, end in pairwise(points):
        at = start + share * (end - start)
        inside = ((at > low) & (at < high)).all(axis=1)
        out += at[1:][inside[1:] != inside[:-1]].tolist()
    return np.array(out).reshape(-1, 2)


def test_random_lines_are_marked_where_a_slow_walk_crosses_the_frame():
    rng, marked = np.random.default_rng(0), 0
    for _ in range(200):
        points = rng.uniform((-40, -30), (160, 130), (rng.integers(2, 7), 2))
        crossed, found = brute(points), exits(points, BOX, joined=True)
        places = np.array([each[:2] for each in found]).reshape(-1, 2)
        for place in crossed:
            assert np.abs(places - place).max(axis=1).min() < APART + 2
        for place in places if len(crossed) else ():
            assert np.abs(crossed - place).max(axis=1).min() < 3
        marked += len(crossed)
    assert marked > 300


@pytest.mark.parametrize(
    ("mark", "leaves"),
    [
        (lambda y: Line([1, 2], [1, y], "line", "bound"), 11),
        (lambda y: Band([1, 2], [1, 1], [2, y], "band", "bound"), 11),
        (lambda y: Points([1, 2], [1, y], "points", "bound"), 11),
        (lambda y: Bars([1, 2], [1, y], "bars", "bound"), 11),
        (lambda y: Cells([1, 2], [1, y], [1, 1], "cells", "bound"), 10),
    ],
)
def test_each_kind_of_mark_has_its_triangle(mark, leaves):
    assert paths(mark(8), AXES.place(mark(8)), BOX)[-1] == ""
    assert paths(mark(leaves), AXES.place(mark(leaves)), BOX)[-1].count("z") == 1


def test_an_empty_cell_is_not_seen_and_has_none():
    cells = Cells([1, 2], [1, 12], [1, 0], "cells", "bound")
    assert paths(cells, AXES.place(cells), BOX)[-1] == ""


def test_the_sample_that_the_page_is_compared_with_leaves_its_panels():
    """So the player's triangles are compared with Python's: see test_page."""
    figure = sample()
    with_triangles = {
        type(mark).__name__
        for state in range(len(figure.states.values))
        for mark in figure.marks(state)
        if paths(mark, figure.panels[mark.panel].place(mark), BOX)[-1]
    }
    assert with_triangles == {"Line", "Band", "Points", "Bars", "Cells"}
