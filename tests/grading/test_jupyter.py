"""One notebook in a real Jupyter kernel: the report shows, and a loop ends."""

import nbclient
import nbformat
import pytest

from tests.public import ROOT

ENDLESS = """\
def clip(G, C):
    while True:
        pass

from dataclasses import replace
from dpteach.chapters.catalog import load
replace(load("clip"), seconds=0.5).grade(clip, 1)
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_notebook_runs_in_jupyter_and_an_endless_loop_ends():
    path = ROOT / "exercises" / "clip.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "install"]
    notebook.cells.append(nbformat.v4.new_code_cell(ENDLESS))
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3",
        resources={"metadata": {"path": str(ROOT)}},
    )  # fmt: skip
    client.execute()
    first, endless = (cell.outputs[-1].data for cell in notebook.cells[-2:])
    assert first["text/html"].startswith("<div")
    assert "not yet, 0 of 7 checks" in first["text/plain"]
    assert "no result after 0.5 s" in endless["text/plain"]
