"""The picture for print: all that is said under it fits the paper's width."""

import io
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.image import imread

from dpteach import Slider, explore
from dpteach.figures import (
    Axes,
    Line,
    Points,
    Sentence,
    _paint,
    _render,
)
from dpteach.figures._paint import legend_columns, text_width, wrapped

LONG = "After so many records the learner has paid more than the best fixed model. " * 3
WORDS = (
    "a curve with a name that is rather long",
    "another one, not any shorter at all",
    "the third one of all of these",
)


def said(steps):
    marks = [Line([0, 1], [k, steps], name, "bound") for k, name in enumerate(WORDS)]
    return [*marks, Sentence(LONG)]


def drawn():
    """Draw it for paper; return where there is ink in the part under the panel."""
    axes = Axes("x", "y", xlim=(0, 1), ylim=(0, 9))
    about = {"title": "Long", "alt": "Lines.", "identity": "long", "caption": "Words."}
    figure = explore(said, axes=axes, steps=Slider((1, 2), start=2), **about)
    image = imread(io.BytesIO(figure.png()))[:, :, :3]
    return (image.min(axis=2) < 0.9)[2 * figure.pictures["wide"].layout.height :]


def edge(ink):
    """Measure the blank strip on the right, in points of 1/144 inch."""
    return ink.shape[1] - 1 - np.flatnonzero(ink.any(axis=0)).max()


def test_words_under_the_picture_end_before_its_edge():
    ink = drawn()
    assert edge(ink) >= 12
    rows = np.flatnonzero(np.diff(ink.any(axis=1).astype(int)) == 1)
    assert len(rows) >= 2 + len(wrapped(LONG, 12.5, 694.0))  # two rows of legend


@pytest.mark.parametrize(
    ("name", "broken"),
    [("wrapped", lambda text, *_: [text]), ("legend_columns", lambda *_: 3)],
)
def test_on_one_line_they_would_not(monkeypatch, name, broken):
    """Power: what is not broken into lines runs over the edge, and is seen to."""
    monkeypatch.setattr(_render, name, broken)
    assert edge(drawn()) < 12


def test_no_word_is_lost_and_each_line_is_full():
    lines = wrapped(LONG.strip(), 12.5, 300.0)
    assert " ".join(lines) == LONG.strip()
    assert max(text_width(line, 12.5) for line in lines) <= 300.0
    for line, following in pairwise(lines):
        assert text_width(f"{line} {following.split()[0]}", 12.5) > 300.0
    assert wrapped("unbreakable", 12.5, 1.0) == ["unbreakable"]


def test_short_names_stand_in_three_columns_and_long_ones_in_fewer():
    assert legend_columns(["a", "b"], 12.5, 694.0) == 3
    assert legend_columns(WORDS, 12.5, 694.0) == 2
    assert legend_columns([LONG], 12.5, 694.0) == 1


def ink_of(x, y):
    """Draw points on the unit square; return where there is ink in the picture."""
    axes = Axes("x", "y", xlim=(0, 1), ylim=(0, 1))

    def points(steps):
        said = Sentence(f"The same after {steps}.")
        return [Points(x, y, "here", "measured"), said]

    about = {"title": "Points", "alt": "Points.", "identity": "points", "caption": ""}
    figure = explore(points, axes=axes, steps=Slider((1, 2), start=1), **about)
    panel = figure.pictures["wide"]
    png = panel.png(figure.marks(figure.states.start), "")
    return (imread(io.BytesIO(png))[:, :, :3].min(axis=2) < 0.6)[: 2 * 340]


def test_a_point_beyond_the_frame_is_not_drawn_over_what_stands_there(monkeypatch):
    """It was: a walk that runs away ran over the title. Power: with room for it."""
    above = slice(2 * _paint.WIDE.top)  # rows of pixels
    within, beyond = ink_of([0.5], [0.5]), ink_of([0.5, 0.5], [0.5, 1.05])
    assert (within[above] == beyond[above]).all()
    assert (within != beyond).any()  # a triangle at the edge points there
    monkeypatch.setattr(_paint, "MARKER_ROOM", 100)
    assert (within[above] != ink_of([0.5, 0.5], [0.5, 1.05])[above]).any()


def middle(x, y):
    left, top, wide, high = _paint.WIDE.box(0, 1)  # at two pixels a point
    row, column = int(2 * top + high), int(2 * left + wide)
    return ink_of(x, y)[row - 32 : row + 32, column - 34 : column + 34]


def test_points_that_coincide_stay_whole(monkeypatch):
    """The rim of each ate the others. Power: so it is with rims drawn on top."""
    few, many = ([0.5], [0.5]), (np.full(31, 0.5), np.full(31, 0.5))
    size = 0.72**2 * middle(*few).sum()  # many points are drawn smaller
    assert middle(*many).sum() > 0.8 * size
    monkeypatch.setattr(_paint, "PAPER", dict(_paint.PAPER))
    assert middle(*many).sum() < 0.7 * size
