"""Every chapter: what its page shows is what Python has."""

import random

import numpy as np
import pytest

from dpteach.figures import Points
from dpteach.figures.axes import UNIT
from tests.book import figures_of
from tests.browser import frame, put
from tests.public import ROOT
from tests.samples import sampled

CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
SAMPLE = ("03-composition", "12-prefix-sums", "21-check-ins")
each_chapter = pytest.mark.parametrize("name", sampled(CHAPTERS, SAMPLE))


@each_chapter
def test_a_chapter_shows_figures(name):
    """Or the tests below would look at nothing."""
    assert figures_of.chapter(name)


@each_chapter
def test_a_point_that_is_dragged_goes_along_with_its_slider(name):
    """At each stop it lies elsewhere, or a hand could not choose between them."""
    for explorer in figures_of.chapter(name):
        states, start = explorer.states, explorer.states.start
        for k, mark in enumerate(explorer.marks(start)):
            if not isinstance(mark, Points) or not mark.moves:
                continue
            stops = range(len(states.stops[mark.moves]))
            reached = {states.move(start, mark.moves, to) for to in stops}
            axes = explorer.panels[mark.panel]
            places = {tuple(axes.place(explorer.marks(s)[k])[0]) for s in reached}
            assert len(places) == len(reached), (explorer.identity, mark.label)
            assert np.ptp(list(places), axis=0).max() > UNIT / 20


@pytest.mark.browser
@each_chapter
def test_the_page_equals_python(name, book, visit):
    """Each path and sentence of each figure, in three states (seed 8)."""
    address = (book / "chapters" / f"{name}.html").as_uri()
    page = visit(address, reduced_motion="reduce").page  # an opening would play on
    for explorer in figures_of.chapter(name):
        figure = page.locator(f"figure#{explorer.identity}")
        figure.scroll_into_view_if_needed()
        figure.locator("fieldset.dpt-controls:not([disabled])").wait_for()
        states = explorer.states
        count = len(states.values)
        for state in random.Random(8).sample(range(count), min(3, count)):
            for k, key in enumerate(states.keys):
                if key not in states.order[:1]:
                    position = states.positions[state][k]
                    put(page, explorer.identity, key, position)
            frame(page)
            assert figures_of.differences(page, explorer, state) == []
