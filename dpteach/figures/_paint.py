"""What matplotlib draws: the axes of a panel, and marks whose place is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes as Panel
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.patheffects import withStroke
from matplotlib.textpath import text_to_path
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    Locator,
    LogLocator,
    MaxNLocator,
)

from ._edges import exits, triangles
from ._pens import closed, pen_of
from .axes import UNIT, Axes, Ticks
from .marks import Drawn
from .style import (
    GRID,
    GRID_LIGHT,
    INK,
    INK_LIGHT,
    PAGE_LIGHT,
    ROLES,
    SENTINEL,
    SHEET,
    write,
)


@dataclass(frozen=True)
class Layout:
    """A size to draw in: panels side by side on a screen, stacked on a phone.

    Lengths are in CSS pixels; at most ``columns`` panels stand in one row. Where there
    are several rows, each is ``stacked`` high, so that all are seen on one screen. The
    name of a y-axis stands ``beside`` the panel's title, or below it.
    """

    name: str
    width: int
    height: int
    stacked: int
    font: float
    columns: int
    left: int = 56
    right: int = 22
    top: int = 30
    bottom: int = 48
    beside: bool = False

    def fitted(self, panels: Sequence[Axes]) -> "Layout":
        """Return the layout for these panels.

        Several rows are lower; titles and all words of a y-axis have room.
        """
        height = self.stacked if len(panels) > self.columns else self.height
        room = self.width / min(self.columns, len(panels)) - 8 - self.right
        titled = any(axes.title for axes in panels)
        beside = titled and all(
            self.title_width(axes) + text_width(axes.y, self.font) <= room
            for axes in panels
        )
        above = 20 if titled and not beside else 0
        widths = [
            text_width(word, self.font)
            for axes in panels
            for word in tick_words(axes.ylim, axes.yscale, axes.yticks)
        ]
        left = max(self.left, ceil(max(widths, default=0)) + 8)
        # Rows that have names are a line apart.
        named = [len(axes.yticks) for axes in panels if isinstance(axes.yticks, dict)]
        lines = ceil(max(named, default=0) * (self.font + 1))
        height = max(height, self.top + lines + self.bottom)
        return replace(
            self, left=left, top=self.top + above, height=height + above, beside=beside
        )

    def title_width(self, axes: Axes) -> float:
        """Measure a panel's title, which is bold, with the gap after it."""
        return 1.15 * text_width(axes.title, self.font) + 10 if axes.title else 0.0

    def box(self, k: int, panels: int) -> tuple[float, float, float, float]:
        """Compute the left, top, width and height of the k-th of so many panels."""
        columns = min(self.columns, panels)
        wide = self.width / columns
        row, column = divmod(k, columns)
        return (
            column * wide + self.left,
            row * self.height + self.top,
            wide - self.left - self.right,
            self.height - self.top - self.bottom,
        )

    def size(self, panels: int) -> tuple[int, int]:
        """Compute the width and height of the whole picture."""
        return self.width, self.height * ceil(panels / min(self.columns, panels))


WIDE = Layout("wide", 720, 322, 220, 13.5, columns=2)
NARROW = Layout("narrow", 320, 270, 184, 12.5, columns=1, left=47, right=18, bottom=46)

RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "path.simplify": False,
    "grid.linewidth": 1.0,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.linewidth": 1.0,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.major.size": 4.0,
    "xtick.major.width": 1.0,
    "ytick.major.size": 0.0,
    "xtick.minor.size": 0.0,
    "ytick.minor.size": 0.0,
    "xtick.major.pad": 4.0,
    "ytick.major.pad": 6.0,
}
INKED = (
    "text.color",
    "axes.edgecolor",
    "axes.labelcolor",
    "xtick.color",
    "ytick.color",
)
# What matplotlib draws with: for the page, and for paper.
PAGE = SENTINEL | {"ink": INK, "grid": GRID, "paper": SHEET}
PAPER = {role: look.light for role, look in ROLES.items()}
PAPER |= {"ink": INK_LIGHT, "grid": GRID_LIGHT, "paper": PAGE_LIGHT}
MARKER_ROOM = 6  # half a marker with its rim, in pixels


def relative(
    box: Sequence[float], width: float, height: float
) -> tuple[float, float, float, float]:
    left, top, wide, high = box
    return left / width, 1 - (top + high) / height, wide / width, high / height


def furnish(panel: Panel, axes: Axes, layout: Layout) -> None:
    panel.set(xscale=axes.xscale, yscale=axes.yscale, xlim=axes.xlim, ylim=axes.ylim)
    panel.tick_params(labelsize=layout.font)
    panel.set_xlabel(axes.x, fontsize=layout.font, labelpad=5)
    _name(panel, axes, layout)
    for axis, limits, scale, ticks in (
        (panel.xaxis, axes.xlim, axes.xscale, axes.xticks),
        (panel.yaxis, axes.ylim, axes.yscale, axes.yticks),
    ):
        axis.set_major_locator(_locator(limits, scale, ticks))
        axis.set_minor_locator(FixedLocator([]))
        axis.set_major_formatter(
            FuncFormatter(lambda x, _, ticks=ticks: _tick_word(x, ticks))
        )
    panel.xaxis.grid(False)


def _name(panel: Panel, axes: Axes, layout: Layout) -> None:
    # The name of the axis is above it and upright, so that it is easy to read.
    after, above = (layout.title_width(axes), 12) if layout.beside else (0.0, 33)
    for text, place, weight in (
        (axes.y, (8 - layout.left + after, 12), "normal"),
        (axes.title, (8 - layout.left, above), "bold"),
    ):
        panel.annotate(
            text,
            (0, 1),
            xytext=place,
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=layout.font,
            fontweight=weight,
        )


def tick_words(
    limits: tuple[float, float], scale: str, ticks: Ticks | None
) -> list[str]:
    """List what stands at the ticks of an axis."""
    low, high = min(limits), max(limits)
    places = _locator(limits, scale, ticks).tick_values(low, high)
    return [_tick_word(x, ticks) for x in places if low <= x <= high]


def _tick_word(x: float, ticks: Ticks | None) -> str:
    words = ticks if isinstance(ticks, Mapping) else {}
    return words.get(x) or write(_whole(x))


def _locator(limits: tuple[float, float], scale: str, ticks: Ticks | None) -> Locator:
    if ticks is not None:
        return FixedLocator(list(ticks))
    if scale == "log":
        near = limits[1] / limits[0] < 200
        return LogLocator(subs=(1.0, 2.0, 5.0) if near else (1.0,), numticks=9)
    return MaxNLocator(5, steps=[1, 2, 2.5, 5, 10])


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def inked(colors: dict[str, str]) -> dict[Any, Any]:
    return dict.fromkeys(INKED, colors["ink"]) | {"grid.color": colors["grid"]}


def paint(
    panel: Panel, mark: Drawn, axes: Axes, ids: list[str], colors: dict[str, str]
) -> None:
    pen = pen_of(mark)
    at = panel.transAxes.transform(axes.place(mark) / UNIT)
    scale = panel.figure.dpi / 72
    shapes = zip(ids, pen.shapes(at, scale), pen.looks(colors), strict=False)
    for identity, shape, look in shapes:
        patch = PathPatch(shape, transform=None, gid=identity, zorder=3, **look)
        panel.add_artist(patch)  # which clips it to the panel
        if pen.rimmed:
            _rim(patch, panel, colors)
    points, joined = pen.edged(at)
    found = exits(points, tuple(panel.bbox.extents), joined=joined)
    edges = closed(triangles(found, scale))
    look = {"facecolor": colors[mark.role], "linewidth": 0}
    panel.add_artist(PathPatch(edges, transform=None, gid=ids[-1], zorder=3, **look))


def _rim(patch: PathPatch, panel: Panel, colors: dict[str, str]) -> None:
    # A point on the frame is drawn whole, but one outside it is not.
    patch.set_clip_box(panel.bbox.padded(MARKER_ROOM * panel.figure.dpi / 72))
    if colors is PAPER:  # rims first, so that they cover no other point
        rim = withStroke(linewidth=patch.get_linewidth(), foreground=PAPER["paper"])
        patch.set(linewidth=0, path_effects=[rim])


def text_width(text: str, size: float) -> float:
    """Measure one line of text, in points."""
    font = FontProperties(size=size)
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Break a text between words, so that no line is wider than ``width`` points."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def legend_columns(labels: Sequence[str], size: float, width: float) -> int:
    """Count the columns of a legend, three at most, that ``width`` points can hold."""
    # A column holds a key of 2.6 em and a gap of 0.8; 2 em part it from the next.
    widths = [text_width(label, size) + (2.6 + 0.8 + 2) * size for label in labels]
    for columns in (3, 2):
        parts = [part for part in np.array_split(widths, columns) if part.size]
        if sum(part.max() for part in parts) <= width:
            return columns
    return 1
