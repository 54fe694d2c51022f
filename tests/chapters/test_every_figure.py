"""Every figure that is declared: all its states, and the cell that shows it."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from dpteach.figures import Axes, Cells, Line
from dpteach.figures._declared import address
from dpteach.figures._edges import SLACK
from dpteach.figures._render import paths
from tests.chapters.figures import (
    LEAVE_THE_FRAME,
    declared,
    demand_sound,
    one_as_many,
    shown,
)

FIGURES = declared()
# The first of each chapter, or where that has many states the next one. Of the others
# `tests/book/test_tables.py` looks at all states as the book's build drew them, unless
# the page itself draws them.
MANY_STATES = "frank_wolfe.corners.votes_and_walks"
FIRST = {
    place.partition(".")[0]: place
    for place in reversed(FIGURES)
    if place != MANY_STATES
}.values()
EACH = [
    place
    if place in FIRST
    else pytest.param(
        place,
        marks=pytest.mark.thorough
        if "in_hand" in FIGURES[place].declaration
        else pytest.mark.built,
    )
    for place in FIGURES
]


def _far_out(mark, axes, box):
    """How many pixels a mark leaves its panel by, at most: from its numbers alone."""
    seen = np.repeat(mark.shade > 0, 2) if isinstance(mark, Cells) else slice(None)
    far = [0.0]
    for values, limits, scale, length in zip(
        mark.outline[seen].T,
        (axes.xlim, axes.ylim),
        (axes.xscale, axes.yscale),
        box[2:],
        strict=True,
    ):
        rule = np.log if scale == "log" else np.asarray
        low, high = rule(limits)
        parts = (rule(values) - low) / (high - low)
        far += [length * each for part in parts for each in (-part, part - 1)]
    return max(far)


def _unmarked(mark, axes, boxes):
    """Say whether a mark leaves its panel, and in which layouts nothing shows it."""
    far = {box: _far_out(mark, axes, box) for box in boxes}
    triangles = {box: paths(mark, axes.place(mark), box)[-1] for box in boxes}
    return max(far.values()) > SLACK, [
        box for box in boxes if far[box] > SLACK + 0.1 and not triangles[box]
    ]


def test_what_leaves_without_a_triangle_is_found(monkeypatch):
    axes, box = Axes("x", "y", xlim=(0, 1), ylim=(0, 1)), (50, 30, 200, 100)
    line = Line([0, 1], [0, 1.5], "line", "bound")
    assert _unmarked(line, axes, [box]) == (True, [])
    monkeypatch.setattr("dpteach.figures._render.exits", lambda *_, **__: [])
    assert _unmarked(line, axes, [box]) == (True, [box])


def test_one_is_not_said_as_many():
    said = "After {t} steps the risk is {risk}, and {t} is all"
    assert [*one_as_many(said, {"t": 1})] == ["1 steps"]
    assert [*one_as_many(said, {"t": "1"})] == ["1 steps"]  # as a page has it
    assert not [*one_as_many(said, {"t": 2})]


@pytest.mark.parametrize("said", ["ε = nan", "at most -inf", "", "{t} steps"])
def test_what_should_not_be_said_is_noticed(said):
    demand_sound(["an informant"], {"t": 1})
    with pytest.raises(AssertionError):
        demand_sound(["words", said], {"t": 1})


def _looked_at(explorer):
    every, shape = range(len(explorer.states.values)), explorer.states.shape
    if not explorer.form:
        return every
    ends = itertools.product(*[(0, count - 1) for count in shape])
    corners = [int(np.ravel_multi_index(each, shape)) for each in ends]
    return [*corners, *random.Random(0).sample(every, 200)]


@pytest.mark.slow
@pytest.mark.parametrize("place", EACH)
def test_every_state_can_be_drawn(place):
    """``at`` refuses marks that change in kind, label or number; these are finite.

    Of a figure in hand, which has many more, the ends of its sliders and 200 others.
    """
    explorer, left, unmarked = FIGURES[place].explorer, set(), []
    boxes = [picture.boxes for picture in explorer.pictures.values()]
    for state in _looked_at(explorer):
        values = explorer.states.values[state]
        marks, texts = explorer.at(state)
        assert marks, values
        for mark in marks:
            assert not np.isinf(mark.outline).any(), (mark.label, values)
            at = [each[mark.panel] for each in boxes]
            leaves, bare = _unmarked(mark, explorer.panels[mark.panel], at)
            left |= {mark.label} if leaves else set()
            unmarked += [(mark.label, values)] if bare else []
        demand_sound(texts, values)
    assert bool(left) == (place in LEAVE_THE_FRAME), left
    assert not unmarked


def test_a_figure_has_an_address_of_its_own():
    assert len(FIGURES) >= 75
    counted = Counter(
        address(figure.declaration.get("identity", ""), figure.experiment)
        for figure in FIGURES.values()
    )
    assert not [identity for identity, times in counted.items() if times > 1]


def test_each_figure_is_shown_once_by_the_chapter_whose_room_it_is_in():
    found = [(chapter, place) for chapter in shown() for place in shown()[chapter]]
    assert sorted(place for _, place in found) == sorted(FIGURES)
    for chapter, place in found:
        assert place.startswith((f"{chapter[3:].replace('-', '_')}.", "shared.")), (
            chapter,
            place,
        )
