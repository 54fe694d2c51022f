"""Progress: what each chapter asks, and the place where a reader keeps what is done.

What is done stays in the reader's browser. A page knows what it asks itself; what the
other chapters ask is in ``_static/asked.js``, which book.js brings once something is
done.
"""

import json
import re
from pathlib import Path

import atomic
from docutils import nodes
from sphinx.application import Sphinx

from . import page_cache
from .answers import QUIZ
from .tables import Generated

PLACE = """\
<div class="kept script" data-kept>
<p role="status"></p>
<p class="buttons"><button type="button" data-do="save">Save as a file</button>
<label class="button">Load from a file
<input type="file" accept=".json,application/json"></label>
<button type="button" data-do="delete">Delete</button></p>
</div>"""


class Progress(Generated):
    """How much is done, and buttons that save, load and delete it."""

    depends = ()

    def make(self) -> list[nodes.Node]:
        """Return what progress.js fills in."""
        return [nodes.raw("", PLACE, format="html")]


def asks(page: str) -> dict[str, list[str]]:
    """Return what a page asks: its questions, and the exercises that are checked."""
    return {
        "questions": QUIZ.findall(page),
        "exercises": re.findall(r' data-write="(\w+)"', page),
    }


def write(app: Sphinx, exception: Exception | None) -> None:
    """List what the chapters ask."""
    if exception or app.builder.name != "html":
        return
    listed = {
        name: asks(text)
        for name, text in page_cache.texts(app).items()
        if name.startswith("chapters/")
    }
    table = json.dumps(listed, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "asked.js"
    atomic.write(path, f"window.dpteachAsked={table};\n")


def setup(app: Sphinx) -> None:
    """Register the directive, and write the list after the pages."""
    app.add_directive("progress", Progress)
    app.connect("build-finished", write, priority=700)
