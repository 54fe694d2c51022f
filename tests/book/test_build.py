"""The book builds, and a fault in it stops the build."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.public import ROOT

sys.path.insert(0, str(ROOT / "book" / "_tools"))

import build

TOC = """format: jb-book
root: book/index
parts:
  - numbered: 2
    chapters:
      - file: chapters/01-small
"""


def small_book(folder, *cells):
    """Make a book of one chapter with the real machinery."""
    skip = shutil.ignore_patterns("_build", "__pycache__", "*.ipynb", "api")
    shutil.copytree(ROOT / "book", folder / "book", ignore=skip)
    for name in ("_config.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    (folder / "dpteach").symlink_to(ROOT / "dpteach")
    (folder / "book" / "_toc.yml").write_text(TOC)
    (folder / "book" / "index.md").write_text("# Small\n\nA book.\n")
    for page in (folder / "book").glob("*.md"):
        if page.stem not in ("index",):
            page.unlink()
    (folder / "chapters").mkdir()
    notebook = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5, "cells": []}
    for place, (kind, source) in enumerate([("markdown", "# One"), *cells]):
        cell = {"cell_type": kind, "id": str(place), "metadata": {}, "source": source}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        notebook["cells"].append(cell)
    (folder / "chapters" / "01-small.ipynb").write_text(json.dumps(notebook))
    return subprocess.run(
        build.command(folder, folder / "out"),
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.slow
def test_a_sound_chapter_builds(tmp_path):
    done = small_book(
        tmp_path,
        ("code", "import dpteach\nprint(dpteach.__version__)"),
        (
            "markdown",
            "A formula $\\lambda^2$.\n\n$$x = 1$$ (eq-one)\n\nSee {eq}`eq-one`.",
        ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "out/_build/html/chapters/01-small.html").read_text()
    assert "dpteach-" not in page  # no figure, so no script of figures
    assert 'class="katex' in page
    assert "<math" in page
    assert '<span class="eqno">(1.1)' in page  # the chapter's number is its file's
    assert (tmp_path / "out/_build/html/chapters/01-small.ipynb").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "source", "told"),
    [
        ("code", "1 / 0", "ZeroDivisionError"),
        ("code", "import warnings; warnings.warn('look out')", "stderr was found"),
        ("markdown", "$\\frac{1}{$", "KaTeX cannot read"),
        ("markdown", "See {doc}`nowhere`.", "nowhere"),
    ],
    ids=["a cell fails", "a cell warns", "a formula", "a link"],
)
def test_a_fault_stops_the_build(tmp_path, kind, source, told):
    done = small_book(tmp_path, (kind, source))
    assert done.returncode != 0
    assert told in done.stdout + done.stderr
