"""A figure in hand: the page computes its states by a function in JavaScript.

The script that it loads has the sliders' stops, the axes, the sentences with braces for
their numbers, and the function itself, which stands beside the Python that it equals.
Where sliders are tied it also has the stop of the one that follows, in each state.
``closed-forms.js`` puts these together. A test holds the marks and the sentences of
each figure equal to Python's.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._pens import pen_of
from ._states import States
from ._table import sliders
from .axes import Axes
from .marks import Drawn
from .style import write


def write_form(
    identity: str, states: States, panels: Sequence[Axes], boxes: Mapping[str, Any],
    marks: Sequence[Drawn], texts: Sequence[str], form: str, given: Mapping[str, Any],
) -> tuple[str, str]:  # fmt: skip
    """Write the script that lets the page compute a figure.

    Parameters
    ----------
    identity : str
        The figure's id.
    states : States
        Its sliders.
    panels : sequence of Axes
        Of the figure.
    boxes : mapping
        Where each panel lies, in each layout.
    marks : sequence of marks
        What is drawn at the start.
    texts : sequence of str
        What is said, with names in braces where numbers stand.
    form : str
        The function, in JavaScript.
    given : mapping
        What the function needs to know besides the sliders' values.

    Returns
    -------
    str, str
        The script, and the hash of its content, which the page carries too.
    """
    content = {
        **sliders(states),
        "stops": [states.stops[key] for key in states.keys],
        "values": [
            [write(stop) for stop in states.stops[key]] if key in states.base else None
            for key in states.keys
        ],
        "follower": _follower(states),
        "boxes": boxes,
        "axes": [_axes(axes) for axes in panels],
        "marks": [
            {"pen": pen_of(m).letter, "panel": m.panel, **pen_of(m).entry()}
            for m in marks
        ],
        "texts": texts,
        "given": given,
    }
    body = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    body = f'{body[:-1]},"form":{form.strip()}}}'
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f'dpteachTable("{identity}","{digest}",{body});\n', digest


def _follower(states: States) -> list[int]:
    at = [states.keys.index(key) for key in states.order[:1]]
    return states.positions[:, at].ravel().tolist()


def _axes(axes: Axes) -> list[list[Any]]:
    return [[*axes.xlim, axes.xscale == "log"], [*axes.ylim, axes.yscale == "log"]]
