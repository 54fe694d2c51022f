"""Every chapter: its figures at the corners of their sliders, page against Python."""

import itertools
import random
import warnings

import pytest

from tests.book import figures_of
from tests.browser import frame
from tests.public import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


def corners(explorer) -> list[int]:
    """Return the states in which every slider stands at one of its ends."""
    states = explorer.states
    ends = [(0, len(states.stops[key]) - 1) for key in states.base]
    columns = [states.keys.index(key) for key in states.base]
    positions = states.positions[:, columns].tolist()
    return [positions.index(list(each)) for each in itertools.product(*ends)]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_figures_at_the_corners_of_their_sliders(path):
    """No warning, and marks refuse what is not finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for explorer in figures_of.chapter(path):
            for state in corners(explorer):
                assert explorer.marks(state)
                assert all(text.strip() for text in explorer.texts(state))


@pytest.mark.browser
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_page_equals_python(path, book, visit):
    """Each path and sentence of each figure, in three states (seed 8)."""
    page = visit((book / "chapters" / f"{path.stem}.html").as_uri(), width=1280).page
    for explorer in figures_of.chapter(path):
        figure = page.locator(f"figure#{explorer.identity}")
        figure.scroll_into_view_if_needed()
        figure.locator("fieldset:not([disabled])").wait_for()
        states = explorer.states
        count = len(states.values)
        for state in random.Random(8).sample(range(count), min(3, count)):
            for k, key in enumerate(states.keys):
                if key not in states.order[:1]:
                    position = states.positions[state][k]
                    figures_of.move(page, explorer.identity, key, position)
            frame(page)
            assert figures_of.differences(page, explorer, state) == []
