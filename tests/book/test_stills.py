"""Stills: the figure at its place in the text, in the state that the text names."""

import json
import re

import pytest
from dpteach_book import stills
from dpteach_book.tables import load

from dpteach.chapters.composition.prices import drift
from tests.public import ROOT

LINKED = re.compile(r"\*\*One picture\.\*\*.*?\]\(#([^)?]+)\??([^)]*)\)", re.S)
CHAPTERS = [row for row in load("chapters.yml") if "opens" in row]


@pytest.mark.parametrize("row", CHAPTERS, ids=lambda row: row["file"])
def test_each_chapter_has_its_stills(row):
    """Of what opens it, and of the picture to remember, in a state that there is."""
    figures = stills.figures(row["file"])
    assert row["opens"] in figures
    notebook = json.loads((ROOT / f"{row['file']}.ipynb").read_text("utf-8"))
    text = "".join(line for cell in notebook["cells"] for line in cell["source"])
    name, query = LINKED.search(text).groups()
    figure, source = figures[name]
    assert source.exists()
    explorer = figure.explorer
    assert explorer.identity == name
    state = stills.state_of(explorer.states, query)
    asked = dict(stills.parse_qsl(query))
    for key, value in asked.items():
        position = explorer.states.positions[state][explorer.states.keys.index(key)]
        assert stills.link(explorer.states.stops[key][position]) == value


def test_a_still_has_ids_of_its_own():
    """The figure itself is on the page, too."""
    explorer = drift.explorer
    one, two = (stills.still(explorer, "steps=16", k).astext() for k in (1, 2))
    ids = [set(re.findall(r'\bid="([^"]*)"', page)) for page in (one, two)]
    figure = set(re.findall(r'\bid="([^"]*)"', explorer.html(0)))
    assert len(ids[0]) > 10
    assert not ids[0] & (ids[1] | figure)
    referred = re.findall(r'url\(#([^)]*)\)|xlink:href="#([^"]*)"', one)
    assert {a or b for a, b in referred} <= ids[0]
    assert 'href="#drift?steps=16"' in one
    assert "aria-label" not in one


def test_a_state_that_is_not_there_stops_the_build():
    with pytest.raises(ValueError, match="not in list"):
        stills.state_of(drift.explorer.states, "steps=17.5")
