"""The book's own Sphinx extension: what Jupyter Book does not do for us.

* ``katex``           typesets formulas; one that it cannot read is an error
* ``formula_curves``  ties parts of formulas to the curves of figures
* ``symbols``         finds the symbols of a formula in the notation
* ``tables``          what pages that are made from YAML have in common
* ``notation``, ``errata``, ``theorems``, ``api``, ``status``, ``published``,
  ``rates``           such pages
* ``citations``       how the list of references is set
* ``numbering``       gives chapter 9 the number 9, whatever stands before it
* ``folding``         folds proofs and answers into ``<details>``; no script is needed
* ``figure_links``    links in the text that set a figure
* ``guided_steps``    puts a list of steps into the card of their figure
* ``answers``         folds what follows a question until its reader has chosen
* ``openings``        puts a chapter's picture below its title
* ``progress``        what the chapters ask, and where a reader keeps what is done
* ``previews``        gathers what a link shows before it is followed
* ``search``          cuts pages into what the search page looks through
* ``chapters``        the map of the chapters
* ``floors``          the drawing of the package
* ``front``           the front page's first lines, and its thumbnails
* ``game``            the front page's game
* ``frame``           what stands around the text of every page
* ``missing``         the page that a host sends where there is none
* ``writing``         an editor below every exercise, and Python for it
* ``running``         a button below every cell that runs on its page
* ``runs``            runs the chapters side by side, and keeps the runs
* ``selection``       which pages a build is about
* ``page_cache``      keeps what is made of finished pages
* ``slides``          puts what a cell of a chapter shows on a slide
* ``plain``           copies of the notebooks in plain Markdown, for Colab
* ``install``         the first cell of every notebook, which brings dpteach
* ``publish``         files that leave with the book, and those that do not

``dpteach`` is imported from the repository; notebooks find the folder for the tables of
their figures in the environment variable DPTEACH_BOOK.
"""

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[3]


def parse_yaml(path: Path) -> Any:
    """Read a file of YAML, with the parser in C where there is one."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)


read_yaml = cache(parse_yaml)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect each module to Sphinx."""
    sys.path[:0] = [str(ROOT), str(ROOT / "book" / "_tools")]
    paths = [str(ROOT), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    os.environ.setdefault("OMP_NUM_THREADS", "1")

    from . import (
        answers,
        api,
        chapters,
        citations,
        errata,
        figure_links,
        floors,
        folding,
        frame,
        front,
        game,
        guided_steps,
        katex,
        missing,
        notation,
        numbering,
        openings,
        plain,
        previews,
        progress,
        publish,
        published,
        rates,
        running,
        runs,
        search,
        selection,
        slides,
        status,
        stills,
        tables,
        theorems,
        writing,
    )

    for module in (
        selection,
        publish,
        runs,
        katex,
        tables,
        notation,
        errata,
        theorems,
        api,
        status,
        published,
        rates,
        chapters,
        floors,
        front,
        game,
        citations,
        numbering,
        folding,
        figure_links,
        guided_steps,
        answers,
        openings,
        previews,
        search,
        frame,
        missing,
        writing,
        running,
        plain,
        slides,
        stills,
        progress,
    ):
        module.setup(app)
    # Jupyter Book hands this to an extension that we leave out.
    app.add_config_value("comments_config", {}, "html", [dict])
    app.add_html_theme("dpteach", str(ROOT / "book" / "_theme"))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
