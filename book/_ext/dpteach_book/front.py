"""The front page's first screen: what this is, for whom, and figures that move.

The numbers are counted where the things are: chapters that have a page, figures that
their cells show, exercises with a grader. A thumbnail is the first or second panel of a
real figure in its narrow layout. Python draws its frames while the book is built, and
``front.js`` shows one after the other, so the page needs neither tables nor the player.
"""

import html
import json
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import counts
import numpy as np
from docutils import nodes
from sphinx.application import Sphinx

from dpteach.figures._render import paths

from . import ROOT
from .tables import Generated

MOST_FRAMES = 9


@dataclass(frozen=True)
class Thumbnail:
    """A figure on the front page: its place, the panel shown, and what moves."""

    module: str
    figure: str
    panel: int
    moves: str
    page: str
    title: str
    small: str


THUMBNAILS = (
    Thumbnail(
        "tour.tour", "guess_who_left", 1, "patient", "chapters/00-tour",
        "Guess who left", "One record moves a line",
    ),
    Thumbnail(
        "guessing_game.thresholds", "threshold_test", 0, "threshold",
        "chapters/01-guessing-game", "What a guess is worth",
        "A threshold and its two errors",
    ),
    Thumbnail(
        "composition.prices", "drift", 0, "steps", "chapters/03-composition",
        "Where √T comes from", "What many steps cost together",
    ),
    Thumbnail(
        "dp_sgd.descent", "fan", 0, "elapsed", "chapters/09-dp-sgd",
        "Eight private runs", "DP-SGD on its way",
    ),
    Thumbnail(
        "prefix_sums.nodes", "nodes_of_a_sum", 0, "t", "chapters/12-prefix-sums",
        "Sums from a tree", "A few noisy nodes each",
    ),
    Thumbnail(
        "matrix_factorization.matrices", "two_matrices", 0, "factorization",
        "chapters/15-matrix-factorization", "Two matrices", "Noise that cancels",
    ),
)  # fmt: skip


WAYS = (
    (
        " class=go", "chapters/00-tour", "Start reading",
        "Curious? Ten minutes and no formula: see what one record changes.",
    ),
    (
        "", "chapters/24-choosing", "Your own table",
        "You have data and a deadline: choose an algorithm, ε and δ.",
    ),
    (
        "", "book/instructors", "Teach with it",
        "A lecture for each chapter, slides, and exercises with marks.",
    ),
)  # fmt: skip


class What(Generated):
    """What this is in one line, with its numbers, and three ways in."""

    depends = ("chapters.yml",)

    def make(self) -> list[nodes.Node]:
        """Return the first lines of the front page."""
        count = counts.numbers()
        what = (
            '<p class="what"><b>An interactive textbook on training models with '
            f"differential privacy.</b> {count['chapters']} chapters, "
            f"{count['figures']} figures that you can move, {count['exercises']} "
            "exercises that check themselves, one Python package. Free, with proofs. "
            "For students, researchers and engineers who know some linear algebra and "
            "some Python.</p>"
        )
        items = "".join(
            f'<li><a{kind} href="{self.uri(page)}"><b>{word}</b>{words}</a></li>'
            for kind, page, word, words in WAYS
            if page in self.env.found_docs
        )
        return [nodes.raw("", f'{what}<ul class="ways">{items}</ul>', format="html")]

    def uri(self, page: str) -> str:
        """Return where a page is, seen from this one."""
        return self.env.app.builder.get_relative_uri(self.env.docname, page)


class Thumbnails(Generated):
    """Six figures of the book that move by themselves, one at a time."""

    def make(self) -> list[nodes.Node]:
        """Return a list of links with pictures."""
        items = "".join(
            self.item(each) for each in THUMBNAILS if each.page in self.env.found_docs
        )
        return [nodes.raw("", f'<ul class="thumbs">{items}</ul>', format="html")]

    def item(self, thumbnail: Thumbnail) -> str:
        """Write one picture and its link."""
        self.env.note_dependency(
            str(ROOT / f"dpteach/chapters/{thumbnail.module.replace('.', '/')}.py")
        )
        module = import_module(f"dpteach.chapters.{thumbnail.module}")
        explorer = getattr(module, thumbnail.figure).explorer
        page = self.env.app.builder.get_relative_uri(self.env.docname, thumbnail.page)
        number = int(thumbnail.page.partition("/")[2][:2])
        small = f"<small>{number} · {html.escape(thumbnail.small)}</small>"
        return (
            f'<li class="thumb">{drawn(explorer, thumbnail.panel, thumbnail.moves)}'
            f'<a href="{page}#{explorer.identity}">{html.escape(thumbnail.title)}'
            f"{small}</a></li>"
        )


def drawn(explorer: Any, panel: int, key: str) -> str:
    """Draw one panel of a figure, with the paths of its frames beside it."""
    states = explorer.states
    picture = explorer.pictures["narrow"]
    left, top, width, height = picture.boxes[panel]
    start = explorer.marks(states.start)
    inside = [k for k, mark in enumerate(start) if mark.panel == panel]
    frames = [
        [
            path
            for k in inside
            for path in paths(
                marks[k], picture.panels[panel].place(marks[k]), picture.boxes[panel]
            )
        ]
        for marks in map(explorer.marks, along(states, key))
    ]
    moving = [
        i for i, each in enumerate(zip(*frames, strict=True)) if len(set(each)) > 1
    ]
    ids = [identity for k in inside for identity in picture.path_ids(start)[k]]
    svg = re.sub(r"<text\b.*?</text>", "", picture.svg(start), flags=re.S)
    box = f"{left - 6:g} {top - 6:g} {width + 12:g} {height + 12:g}"
    svg = re.sub(r'<svg [^>]*viewBox="[^"]*"[^>]*>',
                 f'<svg viewBox="{box}" aria-hidden="true">', svg, count=1)  # fmt: skip
    for i, identity in enumerate(ids):
        svg = svg.replace(f'id="{identity}"', f'data-path="{i}"')
    svg = re.sub(rf' id="{explorer.identity}-[^"]*"', "", svg)
    shown = [[frame[i] for i in moving] for frame in frames]
    data = {"paths": moving, "frames": shown}
    text = json.dumps(data, separators=(",", ":"))  # numbers and letters of paths
    return f"<div class=\"dpt dpt-picture\" data-frames='{text}'>{svg}</div>"


def along(states: Any, key: str) -> list[int]:
    """List at most nine states in which one slider moves and the others stay."""
    k = states.keys.index(key)
    others = [i for i in range(len(states.keys)) if i != k]
    start = states.positions[states.start]
    same = [
        state
        for state, position in enumerate(states.positions)
        if all(position[i] == start[i] for i in others)
    ]
    same.sort(key=lambda state: states.positions[state][k])
    picked = np.linspace(0, len(same) - 1, min(MOST_FRAMES, len(same)))
    return [same[int(i)] for i in picked.round()]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.add_directive("what", What)
    app.add_directive("thumbnails", Thumbnails)
