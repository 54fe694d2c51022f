"""A figure once more, small and still, where the text comes back to it.

That is where the figure stood that now opens the chapter, and below the picture to
remember, in the state that the text speaks of. Each leads to the figure itself.
"""

import html
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.parse import parse_qsl

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from dpteach.figures._declared import address
from dpteach.figures._table import link
from dpteach.figures.figure import Figure

LED_BY = ("One picture.", "The picture again.")


@cache
def figures(docname: str) -> dict[str, tuple[Figure, Path]]:
    """Collect a chapter's figures by their names, and the files that declare them.

    None is computed yet: few get a still. A figure that a cell makes by itself is not
    among them, and gets none.
    """
    room = f"dpteach.chapters.{docname.partition('-')[2].replace('-', '_')}"
    found = {}
    for info in iter_modules(import_module(room).__path__, f"{room}."):
        if not info.ispkg:
            module = import_module(info.name)
            found |= {
                address(figure.declaration.get("identity", ""), figure.experiment): (
                    figure,
                    Path(module.__file__),
                )
                for figure in vars(module).values()
                if isinstance(figure, Figure) and figure.__module__ == info.name
            }
    return found


def state_of(states: Any, query: str) -> int:
    """Find the state that an address asks for; what it leaves open is as at the start.

    Examples
    --------
    >>> from dpteach.chapters.composition.prices import drift
    >>> states = drift.explorer.states
    >>> states.values[state_of(states, "noise_multiplier=40")]["noise_multiplier"]
    40
    """
    position = list(states.positions[states.start])
    for key, value in parse_qsl(query):
        if key in states.keys and key not in states.order[:1]:
            stops = [link(stop) for stop in states.stops[key]]
            position[states.keys.index(key)] = stops.index(value)
    free = [k for k, key in enumerate(states.keys) if key not in states.order[:1]]
    same = (states.positions[:, free] == [position[k] for k in free]).all(axis=1)
    return int(same.argmax())


def still(explorer: Any, query: str, number: int) -> nodes.raw:
    """Draw a figure in one state; the number keeps its ids apart from others."""
    marks = explorer.marks(state_of(explorer.states, query))
    svg = "".join(picture.svg(marks) for picture in explorer.pictures.values())
    svg = re.sub(r'\bid="|url\(#|href="#', rf"\g<0>still-{number}-", svg)
    svg = re.sub(r' role="img" aria-label="[^"]*"', ' aria-hidden="true"', svg)
    to = f"#{explorer.identity}" + (f"?{query}" if query else "")
    return nodes.raw(
        "",
        f'<div class="dpt dpt-still"><a href="{html.escape(to)}">'
        f'<span class="dpt-picture">{svg}</span>'
        f"<span>{html.escape(explorer.title)}: move it</span></a></div>",
        format="html",
    )


class Still(SphinxPostTransform):
    """Put the stills of a chapter where they belong."""

    default_priority = 896  # after its picture went to the top
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Change the tree of a chapter's page."""
        if not self.env.docname.startswith("chapters/"):
            return
        number, there = 0, figures(self.env.docname)
        for node in list(self.document.findall(nodes.Element)):
            name, _, query = self.asked(node).partition("?")
            if name in there:
                figure, source = there[name]
                self.env.note_dependency(str(source))
                number += 1
                drawn = still(figure.explorer, query, number)
                if isinstance(node, nodes.raw):
                    node.replace_self(drawn)
                else:
                    node.parent.insert(node.parent.index(node) + 1, drawn)

    def asked(self, node: nodes.Element) -> str:
        """Return the figure, and the state, that a node wants below it, or nothing."""
        if isinstance(node, nodes.raw):
            back = re.fullmatch(r'<p class="above"><a href="#(.+)">.*', node.astext())
            return back[1] if back else ""
        if isinstance(node, nodes.paragraph) and node.astext().startswith(LED_BY):
            named = node.next_node(nodes.reference)
            if named is not None and named.get("refuri", "").startswith("#"):
                return named["refuri"][1:]
        return ""


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(Still)
