"""The figure in a real kernel: core widgets, one string a move, the latest wins."""

import ipywidgets
import nbformat
import pytest
from nbclient import NotebookClient

from tests.figures.sample import sample

CELLS = [
    "from tests.figures.sample import sample\nsample()",
    """
import asyncio
from dpteach.figures._live import Live

figure = sample()
live = Live(figure.states, lambda state: figure.html(state, layouts=("wide",)))
first = live.picture.value
await asyncio.sleep(0.1)
live.sliders["epsilon"].value = 3
moved = live.picture.value
expected = live.html(live.state)
print(moved == expected, first != moved, live.states.values[live.state])
print({key: slider.label for key, slider in live.sliders.items()})
print({key: mark.value for key, mark in live.follows.items()})
""",
    """
drawn = []
live.picture.observe(lambda change: drawn.append(live.state), "value")
await asyncio.sleep(0.1)
for to in (0, 1, 2, 0, 2):  # five moves at once, as a drag sends them
    live.sliders["steps"].value = to
await asyncio.sleep(0.2)
print(len(drawn) <= 3, live.states.values[drawn[-1]]["steps"])
live.sliders["noise_multiplier"].value = 0
await asyncio.sleep(0.1)
print({key: mark.value for key, mark in live.follows.items()})
live.reset()
print(live.picture.value == first)
kinds = {type(each).__name__ for each in live.box.children}
print(sorted(kinds), sorted({type(s).__name__ for s in live.sliders.values()}))
""",
]


@pytest.fixture(scope="module")
def outputs():
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS]
    )
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells]


def printed(outputs):
    return "".join(out.text for out in outputs if out.output_type == "stream").split(
        "\n"
    )


def test_a_cell_shows_widgets_and_words(outputs):
    (shown,) = [out for out in outputs[0] if out.output_type == "execute_result"]
    assert "application/vnd.jupyter.widget-view+json" in shown.data
    assert shown.data["text/plain"] == repr(sample())


def test_a_cell_shows_widgets_where_these_cannot_say_how(monkeypatch):
    """As in Colab, whose ipywidgets 7.7 has no ``_repr_mimebundle_``."""
    monkeypatch.delattr(ipywidgets.Widget, "_repr_mimebundle_")
    shown = sample()._repr_mimebundle_()
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"]


def test_a_move_redraws_and_the_tied_slider_follows(outputs):
    said, labels, follows, _ = printed(outputs[1])
    assert said == (
        "True True {'epsilon': 4.0, 'steps': 100, 'relation': 'add', "
        "'noise_multiplier': 2.5}"
    )
    assert labels == (
        "{'epsilon': '4', 'noise_multiplier': '2.5', 'steps': '100', 'relation': 'add'}"
    )
    assert follows == (
        "{'epsilon': '', 'noise_multiplier': 'follows', 'steps': '', 'relation': ''}"
    )


def test_of_many_moves_the_latest_wins_and_reset_goes_back(outputs):
    latest, follows, back, kinds, _ = printed(outputs[2])
    assert latest == "True 400"
    assert "'epsilon': 'follows'" in follows
    assert back == "True"
    assert kinds == "['Button', 'HBox', 'HTML'] ['SelectionSlider', 'ToggleButtons']"
