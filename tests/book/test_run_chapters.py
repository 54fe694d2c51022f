"""The tool that runs all chapters sees what fails no cell: a figure that is dead."""

import nbformat
import pytest
import run_chapters
from nbformat.v4 import new_code_cell, new_notebook

FIGURE = """
class Figure:
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "a figure", "%s": {"model_id": "1"}}
Figure()
"""
DEAD = """
class Figure:
    def _ipython_display_(self):
        raise AttributeError("no view")
Figure()
"""
SLIDER = """
import ipywidgets
slider = ipywidgets.SelectionSlider(options=["a", "b"], description="steps T")
picture = ipywidgets.HTML()
slider.observe(lambda change: %s, "value")
slider
"""
REDRAWS = "picture.set_trait('value', '<svg>' + change['new'])"


def run(folder, monkeypatch, *cells, wanted="0"):
    """Run one notebook of these cells as the workflow does."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, folder / "chapter.ipynb")
    monkeypatch.setattr("sys.argv", ["run_chapters.py", str(folder), wanted])
    run_chapters.main()


def test_figures_that_come_alive_are_counted(tmp_path, monkeypatch, capsys):
    run(tmp_path, monkeypatch, FIGURE % run_chapters.VIEW, "1 + 1", wanted="1")
    assert "1 figures came alive in 1 notebooks" in capsys.readouterr().out


def test_sliders_are_moved(tmp_path, monkeypatch, capsys):
    run(tmp_path, monkeypatch, SLIDER % REDRAWS, wanted="1")
    assert "1 sliders were moved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("move", "said"),
    [("None", "steps T: nothing followed"), ("1 / 0", "ZeroDivisionError")],
)
def test_a_dead_slider_is_an_error(tmp_path, monkeypatch, capsys, move, said):
    with pytest.raises(SystemExit, match=r"failed: chapter\.ipynb"):
        run(tmp_path, monkeypatch, SLIDER % move)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cell", "wanted", "said"),
    [
        (DEAD, "0", "failed: chapter.ipynb"),
        ("1 / 0", "0", "failed: chapter.ipynb"),
        (FIGURE % run_chapters.VIEW, "2", "1 figures came alive, not 2"),
        (FIGURE % run_chapters.VIEW, "0", "1 figures came alive, not 0"),
    ],
    ids=["no view", "an error", "too few", "too many"],
)
def test_a_dead_figure_is_an_error(tmp_path, monkeypatch, cell, wanted, said):
    with pytest.raises(SystemExit, match=said):
        run(tmp_path, monkeypatch, cell, wanted=wanted)
