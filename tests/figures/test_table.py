"""What the table holds, decoded anew here, is what Python draws in every state."""

import re

import numpy as np
import pytest

from dpteach.figures import Band, Cells, Line
from dpteach.figures._render import paths
from tests.figures.decoded import column, decode, words
from tests.figures.sample import sample


@pytest.fixture(scope="module")
def figure():
    return sample()


@pytest.fixture(scope="module")
def table(figure):
    return decode(figure.table()[0])


def test_every_state_decodes_to_what_python_draws(figure, table):
    for state in range(len(figure.states.values)):
        for mark, entry in zip(figure.marks(state), table["marks"], strict=True):
            place = figure.panels[mark.panel].place(mark)
            assert np.array_equal(column(table, entry["x"], state), place[:, 0])
            assert np.array_equal(column(table, entry["y"], state), place[:, 1])
            if isinstance(mark, Cells):
                shade = column(table, entry["shade"], state)
                assert np.array_equal(shade, mark.shade)


def test_places_are_the_renderers_pixels_to_a_tenth(figure):
    """The SVG's numbers are matplotlib's own, but for rounding to tenths of a pixel."""
    picture = figure.pictures["wide"]
    for mark in figure.marks(5):
        if not isinstance(mark, Line | Band):
            continue
        axes, box = figure.panels[mark.panel], picture.boxes[mark.panel]
        data = paths(mark, axes.place(mark), box)[0]
        seen = np.array(re.findall(r"-?[\d.]+", data), dtype=float).reshape(-1, 2)
        (x0, x1), (y0, y1) = axes.xlim, axes.ylim
        left, top, width, height = box
        across = left + width * (mark.outline[:, 0] - x0) / (x1 - x0)
        down = top + height * (1 - (mark.outline[:, 1] - y0) / (y1 - y0))
        assert np.abs(seen - np.c_[across, down]).max() <= 0.1


def test_texts_values_and_positions_decode(figure, table):
    states = figure.states
    for state in range(len(states.values)):

        def word(entry, state=state):
            return words(table, entry, state)

        assert tuple(map(word, table["texts"])) == figure.texts(state)
        said = [states.text(state, key) for key in states.keys]
        assert list(map(word, table["values"])) == said
        positions = column(table, table["positions"], state)
        assert np.array_equal(positions, states.positions[state])


def test_sliders_on_which_nothing_depends_are_dropped(table):
    band, _, still, bound, points, *_ = table["marks"]
    assert band["x"]["axes"] == []
    assert band["y"]["axes"] == [0]
    assert still["y"]["axes"] == []
    assert bound["y"]["axes"] == [0, 1]
    assert points["y"]["axes"] == [1]


def test_the_hash_follows_the_content(figure):
    script, digest = figure.table()
    assert decode(script)["hash"] == digest
    assert figure.table()[1] == digest
