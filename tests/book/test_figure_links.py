"""Live prose: what a text offers to set can be set in a figure of its page."""

import ast
import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote

import numpy as np
import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document
from dpteach_book import ROOT
from dpteach_book.figure_links import FigureLinks
from playwright.sync_api import expect

from dpteach.figures._states import MOST_IN_HAND, States
from dpteach.figures._table import link
from dpteach.figures.explore import Slider
from dpteach.figures.figure import Figure

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
LIVE = re.compile(r"\]\(#([\w-]+)\?([^()\s]*)\)")


def cells(path: Path, kind: str) -> list[str]:
    """The text of a chapter's cells of a kind, without the one that installs."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == kind and cell["id"] != "install"
    ]


@cache
def figures(path: Path) -> dict[str, Figure]:
    """Read off a chapter which figures it shows; no experiment runs."""
    space, found = {}, {}
    for cell in cells(path, "code"):
        body = ast.parse(cell).body
        for line in body:
            if isinstance(line, ast.ImportFrom) and "chapters" in (line.module or ""):
                exec(compile(ast.Module([line], []), str(path), "exec"), space)
        if isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Attribute):
            last = ast.unparse(body[-1].value)
            value = eval(last, space) if last.split(".")[0] in space else None
            if isinstance(value, Figure):
                name = value.experiment.__name__.strip("_").replace("_", "-")
                found[value.declaration.get("identity") or name] = value
    return found


@cache
def states_of(figure: Figure) -> States:
    sliders = {
        key: each
        for key, each in figure.declaration.items()
        if isinstance(each, Slider)
    }
    return States(sliders, figure.declaration.get("linked"), MOST_IN_HAND)


def wrong(figures: dict[str, Figure], identity: str, query: str) -> str:
    """Say what is wrong with a link, if something is."""
    if identity not in figures:
        return f"no figure {identity}"
    states, fits = states_of(figures[identity]), True
    for key, value in parse_qsl(query, strict_parsing=True):
        if key not in states.keys:
            return f"no slider {key}"
        links = [link(stop) for stop in states.stops[key]]
        if value in links:
            at = links.index(value)
        else:
            numbers = [float(stop) == float(value) for stop in links]
            if True not in numbers:
                return f"{key} does not stop at {value}"
            at = numbers.index(True)
        if states.order:  # what is not tied goes with everything
            fits = fits & (states.positions[:, states.keys.index(key)] == at)
    return "" if np.any(fits) else f"no state of {identity} has {query}"


def links(path: Path) -> list[tuple[str, str]]:
    return LIVE.findall("\n".join(cells(path, "markdown")))


LINKED = [path for path in CHAPTERS if links(path)]


@pytest.mark.parametrize("path", LINKED, ids=lambda path: path.stem)
def test_every_link_names_a_state_of_a_figure_of_its_page(path):
    said = {
        f"{name}?{query}": wrong(figures(path), name, unquote(query))
        for name, query in links(path)
    }
    assert {text: why for text, why in said.items() if why} == {}


@pytest.mark.parametrize(
    ("identity", "query", "why"),
    [
        ("five", "rate=1", "no figure five"),
        ("five-accountants", "q=1", "no slider q"),
        ("five-accountants", "rate=0.9", "rate does not stop at 0.9"),
        ("five-accountants", "rate=1.0&steps=1e3", ""),
    ],
)
def test_a_link_that_leads_astray_is_found(identity, query, why):
    assert (
        wrong(figures(ROOT / "chapters/03-composition.ipynb"), identity, query) == why
    )


def test_a_state_that_the_ties_exclude_is_found():
    tour = figures(ROOT / "chapters/00-tour.ipynb")
    query = "epsilon=0.1&steps=5&noise_multiplier={:.6g}"
    stops = states_of(tour["eight-runs"]).stops["noise_multiplier"]
    tried = [wrong(tour, "eight-runs", query.format(stop)) for stop in stops]
    assert tried.count("") == 1


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        (nodes.math("", "q = 1"), "Set noise multiplier = 1, steps = 64"),
        (nodes.Text("Move it"), None),
    ],
)
def test_a_link_that_is_a_formula_has_a_name_in_words(shown, title):
    address = "#five-accountants?noise_multiplier=1&steps=64"
    page = new_document("page", get_default_settings())
    link = nodes.reference("", "", shown, refuri=address, id_link=True)
    page += nodes.paragraph("", "", link)
    FigureLinks(page).apply()
    assert "live" in link["classes"]
    assert link.get("reftitle") == title


def test_most_chapters_set_their_figures():
    assert sum(len(links(path)) >= 2 for path in CHAPTERS) >= 10


@pytest.mark.browser
@pytest.mark.parametrize("phone", [False, True])
def test_on_the_page_one_tap_sets_the_figure(phone, gallery, site, visit):
    """Also on a phone, where a link to a theorem first shows what it leads to."""
    how = {"width": 390, "has_touch": True} if phone else {}
    seen = visit(f"{site(gallery)}/chapters/09-dp-sgd.html", **how)
    live = seen.page.locator("main a.live")
    assert live.inner_text().startswith("Take")
    live.scroll_into_view_if_needed()
    live.tap() if phone else live.click()
    steps = seen.page.locator("#growth .dpt-slider[data-key=steps] output")
    expect(steps).to_have_text("1,000")
    box = seen.page.locator("#growth .dpt-picture").bounding_box()
    assert box["y"] >= 0
    assert seen.errors == []
