"""Checks of the arguments of ``explore``: axes, words, parameters, marks."""

import html
import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .. import checks
from ._states import Slider
from .axes import Axes
from .marks import Points


def panels(axes: Any) -> tuple[Axes, ...]:
    """Accept an Axes, or one for each panel."""
    panels = (axes,) if isinstance(axes, Axes) else axes
    if not isinstance(panels, tuple | list) or not panels:
        raise TypeError(
            f"`axes` must be an Axes, or one for each panel, got {axes!r}. "
            "Declare what the figure's axes show."
        )
    for panel in panels:
        checks.instance(Axes, axes=panel)
    return tuple(panels)


def words(**named: str) -> str:
    """Accept a text that a figure needs."""
    checks.instance(str, **named)
    ((name, text),) = named.items()
    if not text.strip():
        raise ValueError(
            f"`{name}` must say what the figure shows, got {text!r}. "
            "Write it for a reader who does not see the figure."
        )
    return html.unescape(text)


def address(identity: str, experiment: Callable) -> str:
    """Accept a figure's id, or make one from the experiment's name."""
    checks.instance(str, identity=identity)
    identity = identity or experiment.__name__.strip("_").replace("_", "-")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", identity):
        raise ValueError(
            f"`identity` must consist of lowercase letters, digits and dashes, got "
            f"{identity!r}. It becomes part of an address."
        )
    return identity


def form(name: str, given: Any, experiment: Callable) -> str:
    """Accept a figure that the page computes, and read its function."""
    checks.instance(str, in_hand=name)
    if not callable(given):
        raise TypeError(
            f"`given` must be a function, got {given!r}. "
            "It returns what the page needs to know besides the sliders' values."
        )
    if not name:
        return ""
    path = Path(inspect.getfile(inspect.unwrap(experiment))).parent / f"{name}.js"
    if not path.exists():
        raise ValueError(
            f"`in_hand` must name a file beside the experiment's module, got {name!r}, "
            f"and {path} is missing. Write its function there."
        )
    return path.read_text(encoding="utf-8")


def check_parameters(experiment: Callable, sliders: Mapping[str, Slider]) -> None:
    """Check that an experiment takes what the sliders give."""
    parameters = inspect.signature(experiment).parameters.values()
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return
    names = {each.name for each in parameters}
    needed = {each.name for each in parameters if each.default is each.empty}
    if unknown := set(sliders) - names:
        raise ValueError(
            f"`{min(unknown)}` must be a parameter of {experiment.__name__}, "
            f"which has {', '.join(sorted(names)) or 'none'}."
        )
    if missing := needed - set(sliders):
        raise ValueError(
            f"`{min(missing)}` must have a slider, got none: "
            f"{experiment.__name__} needs its value."
        )


def kind(mark: Any) -> tuple[Any, ...]:
    """List what must not change in a mark from state to state."""
    same = type(mark).__name__, mark.label, mark.role, mark.panel, len(mark.x)
    return (*same, mark.moves) if isinstance(mark, Points) else same
