"""Below the code of a chapter's cell: "Run this cell".

``book/cells.json`` lists the cells that were run under the page's Python and printed
there what the book prints (``book/_tools/chapter_cells.py``). A page holds the button
alone; book.js and cells.js do the rest.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from .writing import weight

PLACE = (
    '<div class="run script" data-run="{name}">'
    '<button type="button">Run this cell</button></div>'
)


def offer(app: Sphinx, doctree: nodes.document) -> None:
    """Put a button below the code of each cell that runs on the page."""
    listed = Path(app.srcdir) / "book" / "cells.json"
    chapter = Path(app.env.docname).name
    source = Path(app.env.doc2path(app.env.docname))
    if not weight() or source.suffix != ".ipynb" or not listed.exists():
        return
    runs = json.loads(listed.read_text("utf-8")).get(chapter, {}).get("run", [])
    named = [cell.get("id") for cell in json.loads(source.read_text("utf-8"))["cells"]]
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") != "cell_code":
            continue
        name = named[cell["cell_index"]]
        if name in runs:
            cell.insert(1, nodes.raw("", PLACE.format(name=name), format="html"))


def setup(app: Sphinx) -> None:
    """Find the cells when pages are read."""
    app.connect("doctree-read", offer)
