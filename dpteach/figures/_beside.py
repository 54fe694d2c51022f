"""Names of curves beside them: which have room where a figure starts, and where.

A name stands next to its own curve, in its color, and on nothing. An entry that finds
such a place, in one panel or more, leaves the legend on the screen. ``labels.js`` looks
at the same places by the same rule, and moves the names with the sliders.
"""

import html
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ._page import legend
from ._pens import pen_of
from .axes import UNIT, Axes
from .marks import Cells, Drawn, Points
from .predict import Ask
from .style import css_color

if TYPE_CHECKING:
    from ._render import Picture

CELL = 3  # the drawing is looked at in squares of this many pixels
GAPS = (3, 7, 12)  # between a curve and its name; nothing else is nearer to it
LINE = 15  # the height of a name
SPOTS = 40  # places along a curve at which it may stand
MOST_POINTS = 60  # more of them have no one place that is theirs
RADIUS, HAND = 6, 13  # of a point, and of the ring around one that can be dragged
BOLD = 1.12  # how much wider bold letters are
MOST_ENTRIES = 30  # each is a bit in the browser's integers

Box = Sequence[float]
Place = tuple[float, float, float]


@dataclass
class Name:
    """A name, the mark that it names, and the left end of its middle in the panel."""

    label: str
    mark: int
    panel: int
    width: float
    left: float = 0.0
    middle: float = 0.0


def beside(
    marks: Sequence[Drawn],
    panels: Sequence[Axes],
    boxes: Sequence[Box],
    font: float,
    avoid: Sequence[tuple[int, np.ndarray]] = (),
) -> list[Name]:
    """Find the names that have room beside their curves.

    Parameters
    ----------
    marks : sequence of marks
        What is drawn.
    panels, boxes : sequence
        The axes of each panel, and its left, top, width and height.
    font : float
        The size of the names.
    avoid : sequence of tuple
        A panel, and points of a line in it, on which no name may stand.

    Returns
    -------
    list of Name
        In the order in which they chose their places: what has the fewest comes first.
    """
    labels = list(dict.fromkeys(mark.label for mark in marks))
    if len(labels) > MOST_ENTRIES:
        return []
    at = [_pixels(panels[m.panel].place(m), boxes[m.panel]) for m in marks]
    inks = [_Ink(box) for box in boxes]
    for mark, points in zip(marks, at, strict=True):
        inks[mark.panel].draw(mark, points, 1 << labels.index(mark.label))
    for panel, points in avoid:
        inks[panel].stroke(points, 1 << MOST_ENTRIES)

    def places(name: Name) -> list[tuple[float, float]]:
        ink, bit = inks[name.panel], 1 << labels.index(name.label)
        around = _around(marks[name.mark], at[name.mark], name.width, boxes[name.panel])
        return [
            (left, middle)
            for left, middle, gap in around
            if ink.free(left, middle, name.width, gap, bit)
        ]

    names = [n for label in labels for n in _names(label, marks, at, font)]
    names.sort(key=lambda name: len(places(name)))
    return [name for name in names if _stands(name, places(name), inks[name.panel])]


def drawn(
    pictures: Mapping[str, "Picture"],
    marks: Sequence[Drawn],
    ask: Ask | None,
    *,
    names: bool,
) -> tuple[dict[str, str], str]:
    """Draw each layout, with names beside curves if so said, and the legend for all."""
    svgs = {layout: picture.svg(marks) for layout, picture in pictures.items()}
    hides, named = ask.hides if ask else (), {}
    for layout, picture in pictures.items() if names else ():
        avoid = []
        if ask:
            lines = ask.covers(picture.panels, picture.boxes[ask.panel])
            avoid = [(ask.panel, line) for line in lines]
        font = picture.layout.font
        found = beside(marks, picture.panels, picture.boxes, font, avoid)
        svgs[layout] = _written(svgs[layout], found, marks, picture.boxes, hides)
        named[layout] = [name.label for name in found]
    return svgs, legend(marks, hides, named)


def _written(
    svg: str,
    names: Sequence[Name],
    marks: Sequence[Drawn],
    boxes: Sequence[Box],
    hides: Sequence[str],
) -> str:
    # For the eye alone: a screen reader has the legend.
    texts = []
    for name in names:
        left, top = boxes[name.panel][:2]
        hidden = " data-hides" if name.label in hides else ""
        texts.append(
            f'<text data-mark="{name.mark}"{hidden} transform="translate('
            f'{left + name.left:.0f} {top + name.middle:.0f})" '
            f'style="--dpt-name:{css_color(marks[name.mark].role)}">'
            f"{html.escape(name.label)}</text>"
        )
    group = f'<g class="dpt-names" aria-hidden="true">{"".join(texts)}</g>'
    return svg.removesuffix("</svg>") + group + "</svg>"


def _stands(name: Name, places: Sequence[tuple[float, float]], ink: "_Ink") -> bool:
    # Put it far to the right, as one reads; of those the first side
    if not places:
        return False
    name.left, name.middle = max(places, key=lambda place: round(place[0] / 8))
    ink.write(name)
    return True


def _pixels(place: np.ndarray, box: Box) -> np.ndarray:
    _, _, width, height = box
    return np.c_[place[:, 0] * (width / UNIT), height - place[:, 1] * (height / UNIT)]


def _names(
    label: str, marks: Sequence[Drawn], at: Sequence[np.ndarray], font: float
) -> list[Name]:
    # One for each panel, of a line rather than of its band; cells and clouds of points
    # have no place that is theirs.
    from ._paint import text_width

    own = [k for k, mark in enumerate(marks) if mark.label == label]
    own.sort(key=lambda k: pen_of(marks[k]).letter == "area")
    first = {marks[k].panel: k for k in reversed(own)}
    width = BOLD * text_width(label, font)
    return [
        Name(label, k, panel, width)
        for panel, k in first.items()
        if _has_place(marks[k], at[k])
    ]


def _has_place(mark: Drawn, points: np.ndarray) -> bool:
    pen = pen_of(mark).letter
    return pen in ("line", "area", "bars") or (
        pen == "points" and len(points) <= MOST_POINTS
    )


def _around(mark: Drawn, points: np.ndarray, width: float, box: Box) -> Iterator[Place]:
    # Where the name of a mark may stand, and how far from the mark that is.
    spots, pen = _spots(mark, points, box), pen_of(mark).letter
    if pen == "area":  # in the middle of the band
        yield from ((x - width / 2, y, 0) for x, y in spots)
        return
    radius = 0
    if isinstance(mark, Points):
        radius = HAND if mark.moves else RADIUS
    for spot in spots:
        for gap in GAPS:
            for left, middle in _sides(spot, width, radius + gap):
                yield left, middle, gap


def _spots(mark: Drawn, points: np.ndarray, box: Box) -> np.ndarray:
    # Points at equal distances along what of a mark is in its panel.
    _, _, width, height = box
    match pen_of(mark).letter:
        case "line":
            points = _along(points, 4)
        case "area":
            ends = points[: len(points) // 2], points[len(points) // 2 :][::-1]
            high = abs(ends[0][:, 1] - ends[1][:, 1]) >= LINE
            points = ((ends[0] + ends[1]) / 2)[high]
        case "bars":
            corners = points[::2], points[1::2]
            middle = (corners[0][:, 0] + corners[1][:, 0]) / 2
            points = np.c_[middle, np.minimum(corners[0][:, 1], corners[1][:, 1])]
    seen = points[((points >= 0) & (points <= [width, height])).all(axis=1)]
    if not len(seen):
        return np.clip(points[-1:], 0, [width, height])  # where it went
    count = min(SPOTS, len(seen))
    return seen[np.round(np.linspace(0, len(seen) - 1, count)).astype(int)]


def _along(points: np.ndarray, apart: float) -> np.ndarray:
    parts = [points[:1]]
    for start, end in itertools.pairwise(points):
        steps = int(np.clip(round(float(np.hypot(*(end - start))) / apart), 1, 400))
        parts.append(start + (end - start) * np.arange(1, steps + 1)[:, None] / steps)
    return np.concatenate(parts)


def _sides(spot: np.ndarray, w: float, r: float) -> list[tuple[float, float]]:
    # Where a name may stand around a point: right, above, below, left, at corners.
    (x, y), up = spot, r + LINE / 2
    return [
        (x + r, y), (x - w / 2, y - up), (x - w / 2, y + up), (x - w - r, y),
        (x - w, y - up), (x, y - up), (x - w, y + up), (x, y + up),
    ]  # fmt: skip


class _Ink:
    """Which entries have ink in which squares of a panel: one bit for each."""

    def __init__(self, box: Box) -> None:
        _, _, self.width, self.height = box
        shape = ceil(self.height / CELL), ceil(self.width / CELL)
        self.bits = np.zeros(shape, dtype=np.int64)

    def draw(self, mark: Drawn, points: np.ndarray, bit: int) -> None:
        match pen_of(mark).letter:
            case "line":
                self.stroke(points, bit)
            case "points":
                moves = isinstance(mark, Points) and mark.moves
                for k, (x, y) in enumerate(points):
                    r = HAND if moves and k == 0 else RADIUS
                    self.block(x - r, y - r, x + r, y + r, bit)
            case "bars" | "cells":
                shown = mark.shade > 0 if isinstance(mark, Cells) else [True]
                corners = np.c_[points[::2], points[1::2]]
                for box in corners[np.broadcast_to(shown, len(corners))]:
                    (x, to), (y, end) = sorted(box[::2]), sorted(box[1::2])
                    self.block(x, y, to, end, bit)

    def stroke(self, points: np.ndarray, bit: int) -> None:
        dense = _along(points, 2)
        for corner in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            i, j = np.floor((dense + corner) / CELL).T.astype(int)
            rows, columns = self.bits.shape
            seen = (i >= 0) & (i < columns) & (j >= 0) & (j < rows)
            self.bits[j[seen], i[seen]] |= bit

    def block(self, x: float, y: float, to: float, end: float, bit: int) -> None:
        self.bits[self._squares(x, y, to, end)] |= bit

    def write(self, name: Name) -> None:
        """Keep other names off this one."""
        x, y = name.left, name.middle - LINE / 2
        self.block(x - 6, y - 2, x + name.width + 6, y + LINE + 2, 1 << 62)

    def free(
        self, left: float, middle: float, width: float, away: float, bit: int
    ) -> bool:
        """Say if a name may stand here: within the panel, on nothing, near its own."""
        top, right, bottom = middle - LINE / 2, left + width, middle + LINE / 2
        if left < 2 or top < 1 or right > self.width - 2 or bottom > self.height - 1:
            return False
        if self.bits[self._squares(left, top, right, bottom)].any():
            return False
        around = (left - away, top - away, right + away, bottom + away)
        near = np.bitwise_or.reduce(self.bits[self._squares(*around)], axis=None)
        return not near & ~(bit | 1 << 62)

    def _squares(self, x: float, y: float, to: float, end: float) -> tuple:
        def span(low: float, high: float) -> slice:
            return slice(max(0, int(low // CELL)), max(0, ceil(high / CELL)))

        return span(y, end), span(x, to)
