"""A figure in a kernel: core ipywidgets only, which Colab and Binder have too."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ._notation import row
from ._page import STATIC
from ._states import States

if TYPE_CHECKING:
    import ipywidgets

# A move that comes sooner after the last drawing waits for moves already on their way.
PAUSE = 0.02
VIEW = "application/vnd.jupyter.widget-view+json"


def bundle(states: States, html: Callable[[int], str]) -> dict[str, Any]:
    """Make the sliders and the picture of a figure, and say what a notebook displays.

    Parameters
    ----------
    states : States
        The states of the figure.
    html : callable
        Writes the figure in a state, given by its number.

    Returns
    -------
    dict
        The view of a widget, whose children are the style sheet, the picture, the
        sliders and the button. Colab's ipywidgets 7.7 has no method that writes it.
    """
    model = Live(states, html).box.model_id
    return {VIEW: {"version_major": 2, "version_minor": 0, "model_id": model}}


class Live:
    """The state of one figure in one kernel.

    Parameters
    ----------
    states : States
        The states of the figure.
    html : callable
        Writes the figure in a state, given by its number.
    """

    def __init__(self, states: States, html: Callable[[int], str]) -> None:
        import ipywidgets as widgets

        self.states, self.html = states, html
        self.state = self.states.start
        self.recent = list(self.states.order)
        self.finished, self.waiting, self.setting = 0.0, False, False
        self.picture = widgets.HTML()
        self.sliders = {key: self._slider(key) for key in self.states.keys}
        self.follows = {key: widgets.HTML() for key in self.states.keys}
        reset = widgets.Button(description="Reset")
        reset.on_click(lambda _: self.reset())
        style = widgets.HTML(f"<style>{(STATIC / 'explore.css').read_text()}</style>")
        rows = [
            widgets.HBox([self.sliders[key], self.follows[key]])
            for key in self.states.keys
        ]
        self.box = widgets.VBox([style, self.picture, *rows, reset])
        self.draw()

    def _slider(
        self, key: str
    ) -> "ipywidgets.SelectionSlider | ipywidgets.ToggleButtons":
        import ipywidgets as widgets

        from .style import write

        stops = self.states.stops[key]
        words = isinstance(stops[0], str)
        slider = (widgets.ToggleButtons if words else widgets.SelectionSlider)(
            options=[(write(stop), k) for k, stop in enumerate(stops)],
            index=int(self.states.positions[self.state, self.states.keys.index(key)]),
            description=f"{row(key)['name']} {row(key)['symbol'] or ''}".strip(),
            style={"description_width": "15em"}
            | ({"button_width": "auto"} if words else {}),
            layout={"width": "38em", "max_width": "95%"},
        )
        slider.observe(lambda change: self.move(key, change["new"]), "value")
        return slider

    def move(self, key: str, to: int) -> None:
        """Set the state after a slider is moved; draw it now, or with the next move."""
        if self.setting:
            return
        self.state = self.states.move(self.state, key, to, self.recent)
        if key in self.recent:
            self.recent.remove(key)
            self.recent.append(key)
        if perf_counter() - self.finished > PAUSE:
            self.draw()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no loop, no queue of moves
            self.draw()
            return
        if not self.waiting:
            self.waiting = True
            loop.call_later(PAUSE / 4, self._late)

    def _late(self) -> None:
        self.waiting = False
        self.draw()

    def reset(self) -> None:
        """Go back to the start state."""
        self.state, self.recent = self.states.start, list(self.states.order)
        self.draw()

    def draw(self) -> None:
        """Show the state: the picture, the words, and every slider at its place."""
        self.picture.value = self.html(self.state)
        self.setting = True
        for k, (key, slider) in enumerate(self.sliders.items()):
            slider.index = int(self.states.positions[self.state, k])
            self.follows[key].value = "follows" if key in self.recent[:1] else ""
        self.setting = False
        self.finished = perf_counter()
