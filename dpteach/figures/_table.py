"""The table behind a figure on the page: every state, as computed by Python.

Places are whole numbers (parts of a panel). A slider on which a column does not depend
is dropped from it. The rest is delta coded along the points, deflated, and written in
base64 into one script, which works both from a web server and from disk.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._pens import pen_of
from ._states import States
from .axes import Axes
from .marks import Cells, Drawn


def squeeze(column: np.ndarray, axes: int) -> tuple[np.ndarray, list[int]]:
    """Drop the slider axes along which a column does not change.

    Parameters
    ----------
    column : Array
        Shape ``(*shape, n)``, with one axis for each slider first.
    axes : int
        How many of those there are.

    Returns
    -------
    Array, list of int
        The column with the axes left, and which axes those are.

    Examples
    --------
    >>> x = np.array([[[1, 2], [1, 2]], [[3, 4], [3, 4]]])  # the second slider is idle
    >>> squeeze(x, 2)
    (array([[1, 2],
           [3, 4]]), [0])
    """
    kept = [
        k
        for k in range(axes)
        if not np.array_equal(
            column, np.repeat(column.take([0], k), column.shape[k], k)
        )
    ]
    for k in sorted(set(range(axes)) - set(kept), reverse=True):
        column = column.take(0, k)
    return column, kept


def write_table(
    identity: str,
    states: States,
    panels: Sequence[Axes],
    boxes: Mapping[str, Any],
    all_marks: Sequence[tuple[Drawn, ...]],
    all_texts: Sequence[tuple[str, ...]],
) -> tuple[str, str]:
    """Write the script that hands a figure's table to the player.

    Parameters
    ----------
    identity : str
        The figure's id.
    states : States
        The last two arguments are in their order.
    panels : sequence of Axes
        Of the figure.
    boxes : mapping
        Where each panel lies, in each layout.
    all_marks, all_texts : sequence of tuple
        What is drawn, and what is said, in each state.

    Returns
    -------
    str, str
        The script, and the hash of its content, which the page carries too.
    """
    blob = _Blob(states.shape)
    drawn, said = zip(*all_marks, strict=True), zip(*all_texts, strict=True)
    content = {
        **_sliders(states),
        "boxes": boxes,
        "positions": blob.add(states.positions.astype(np.int16)),
        "marks": [_entry(blob, panels, column) for column in drawn],
        "texts": [words(column, states.shape) for column in said],
        "data": blob.text(),
    }
    body = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f'dpteachTable("{identity}","{digest}",{body});\n', digest


def _sliders(states: States) -> dict[str, Any]:
    every, keys = range(len(states.values)), states.keys
    texts = [[states.text(s, key) for s in every] for key in keys]
    return sliders(states) | {
        "values": [words(column, states.shape) for column in texts]
    }


def sliders(states: States) -> dict[str, Any]:
    """Return what the player must know about the sliders, but for their words."""
    return {
        "shape": states.shape,
        "keys": states.keys,
        "order": states.order,
        "start": states.start,
        "links": [[link(stop) for stop in states.stops[key]] for key in states.keys],
    }


def _entry(
    blob: "_Blob", panels: Sequence[Axes], column: Sequence[Drawn]
) -> dict[str, Any]:
    first = column[0]
    place = np.stack([panels[first.panel].place(mark) for mark in column])
    pen = pen_of(first)
    entry: dict[str, Any] = {
        "pen": pen.letter,
        "panel": first.panel,
        "x": blob.add(place[..., 0]),
        "y": blob.add(place[..., 1]),
        **pen.entry(),
    }
    if shades := [mark.shade for mark in column if isinstance(mark, Cells)]:
        entry["shade"] = blob.add(np.stack(shades))
    return entry


def link(value: Any) -> str:
    """Write a value as an address carries it."""
    return value if isinstance(value, str) else f"{value:.6g}"


def words(column: Sequence[str], shape: tuple[int, ...]) -> dict[str, Any]:
    """Code a column of texts: each distinct text once, and which text is where."""
    distinct = list(dict.fromkeys(column))
    number = {word: k for k, word in enumerate(distinct)}
    which = np.array([number[word] for word in column]).reshape(*shape, 1)
    left, kept = squeeze(which, len(shape))
    return {"axes": kept, "words": distinct, "which": left.ravel().tolist()}


class _Blob:
    """Columns of whole numbers, one after the other."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape, self.columns, self.length = shape, [], 0

    def add(self, column: np.ndarray) -> dict[str, Any]:
        """Append a column of shape ``(states, n)`` and return its position."""
        left, kept = squeeze(column.reshape(*self.shape, -1), len(self.shape))
        # int16 wraps around in both languages, so differences need no wider numbers
        steps = np.diff(left.astype("<i2"), axis=-1, prepend=np.int16(0)).astype("<i2")
        at, self.length = self.length, self.length + steps.size
        self.columns.append(steps.ravel())
        return {"axes": kept, "at": at, "n": column.shape[-1]}

    def text(self) -> str:
        """Deflate all columns."""
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
        raw = np.concatenate(self.columns).tobytes()
        return base64.b64encode(squeezer.compress(raw) + squeezer.flush()).decode()
