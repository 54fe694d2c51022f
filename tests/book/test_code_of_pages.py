"""The code cells of pages that are no notebooks run, without building the book."""

import re

import pytest

from tests.book import figures_of
from tests.public import ROOT

PAGES = sorted(
    path
    for path in (ROOT / "book").rglob("*.md")
    if "_build" not in path.parts and "kernelspec:" in path.read_text("utf-8")
)


def cells(text):
    """The code of each cell, without its options."""
    found = re.findall(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", text, re.S | re.M)
    return [re.sub(r"^:.*\n", "", cell, flags=re.M) for cell in found]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_runs_and_shows_figures(path):
    assert figures_of.source(*cells(path.read_text("utf-8")))


def test_a_page_that_imports_what_is_gone_is_noticed():
    (cell,) = cells("```{code-cell} ipython3\n:tags: [x]\nimport dpteach.gone\n```\n")
    with pytest.raises(ModuleNotFoundError):
        figures_of.source(cell)
