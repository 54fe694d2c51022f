"""Pens: how each kind of mark is drawn on the page, by the player and on paper.

``pen_of(mark)`` chooses the pen of a mark. The player in ``explore.js`` draws the same
five kinds: it knows a pen by its ``letter``, and writes the characters of ``data``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path

from .marks import Band, Bars, Cells, Drawn, Line, Points
from .style import (
    BAND_OPACITY,
    CHIP_OPACITY,
    LINE_WIDTH,
    MARKERS,
    ROLES,
    SHADES,
    css_color,
)

MOST_AT_FULL_SIZE = 30  # more points than these are drawn smaller


@dataclass(frozen=True)
class Pen(ABC):
    """Draws one mark; there is a subclass for each kind of mark."""

    mark: Drawn
    letter: ClassVar[str]
    # Whether each point has a rim in the color of the paper, beneath all points
    rimmed: ClassVar[bool] = False

    @property
    def count(self) -> int:
        """How many paths the mark is drawn with."""
        return 1

    @abstractmethod
    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        """Write the data of its SVG paths, from the pixels of its outline."""

    @abstractmethod
    def shapes(self, at: np.ndarray, scale: float) -> list[Path]:
        """Build the same paths for matplotlib, whose y is upward."""

    def edged(self, at: np.ndarray) -> tuple[np.ndarray, bool]:
        """Return what is marked where it leaves the panel: points, and if joined."""
        return at, False

    def entry(self) -> dict[str, Any]:
        """Return what the player must know about it, besides its place."""
        return {}

    def looks(self, colors: dict[str, str]) -> list[dict[str, Any]]:
        """Return how matplotlib fills and strokes each of its paths."""
        color = colors[self.mark.role]
        return [{"facecolor": color, "edgecolor": "none", "linewidth": 0}]

    def chip(self) -> str:
        """Write its sample in the page's legend, in a box of 30 by 14."""
        return self._swatch()

    def _swatch(self, more: str = "") -> str:
        color = css_color(self.mark.role)
        return f'<rect x="2" y="1" width="26" height="12" style="fill:{color}"{more}/>'

    def sample(self, colors: dict[str, str]) -> Line2D | Patch:
        """Draw its sample in the legend on paper."""
        return Patch(color=colors[self.mark.role])


class LinePen(Pen):
    """Strokes a path, dashed as its role is."""

    letter = "line"

    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        return ["M" + "L".join(_ends(across, down))]

    def edged(self, at: np.ndarray) -> tuple[np.ndarray, bool]:
        return at, True

    def shapes(self, at: np.ndarray, _scale: float) -> list[Path]:
        return [Path(at)]

    def looks(self, colors: dict[str, str]) -> list[dict[str, Any]]:
        look = {"facecolor": "none", "edgecolor": colors[self.mark.role]}
        look |= {"linewidth": LINE_WIDTH, "linestyle": self._dashes()}
        return [look | {"capstyle": "butt", "joinstyle": "round"}]

    def chip(self) -> str:
        dash = " ".join(f"{LINE_WIDTH * d:g}" for d in ROLES[self.mark.role].dash)
        more = f' stroke-dasharray="{dash}"' if dash else ""
        return (
            f'<path d="M1 7H29" fill="none" style="stroke:{css_color(self.mark.role)}" '
            f'stroke-width="{LINE_WIDTH}"{more}/>'
        )

    def sample(self, colors: dict[str, str]) -> Line2D:
        return Line2D(
            *([], []), color=colors[self.mark.role],
            linewidth=LINE_WIDTH, linestyle=self._dashes(),
        )  # fmt: skip

    def _dashes(self) -> Any:
        dash = tuple(LINE_WIDTH * length for length in ROLES[self.mark.role].dash)
        return (0, dash) if dash else "-"


class BandPen(Pen):
    """Fills a region transparently."""

    letter = "area"

    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        return ["M" + "L".join(_ends(across, down)) + "z"]

    def edged(self, at: np.ndarray) -> tuple[np.ndarray, bool]:
        return np.r_[at, at[:1]], True

    def shapes(self, at: np.ndarray, _scale: float) -> list[Path]:
        return [closed([at])]

    def looks(self, colors: dict[str, str]) -> list[dict[str, Any]]:
        return [super().looks(colors)[0] | {"alpha": BAND_OPACITY}]

    def chip(self) -> str:
        return self._swatch(f' opacity="{CHIP_OPACITY}"')

    def sample(self, colors: dict[str, str]) -> Patch:
        return Patch(color=colors[self.mark.role], alpha=BAND_OPACITY)


@dataclass(frozen=True)
class PointsPen(Pen):
    """Stamps the role's marker on each point, with a rim."""

    mark: Points
    letter = "points"
    rimmed = True

    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        glyph = self._glyph()
        return ["".join(f"M{end}{glyph}" for end in _ends(across, down))]

    def shapes(self, at: np.ndarray, scale: float) -> list[Path]:
        marker = self._marker() * [scale, -scale]
        return [closed([center + marker for center in at])]

    def entry(self) -> dict[str, Any]:
        moves = {"moves": self.mark.moves} if self.mark.moves else {}
        return {"glyph": self._glyph(), **moves}

    def looks(self, colors: dict[str, str]) -> list[dict[str, Any]]:
        rim = 0.6 if self._many else 1.0
        (look,) = super().looks(colors)
        return [look | {"edgecolor": colors["paper"], "linewidth": rim}]

    def chip(self) -> str:
        style = f"fill:{css_color(self.mark.role)};stroke:var(--dpt-paper)"
        return f'<path d="M15 7{self._glyph()}" style="{style}"/>'

    def sample(self, colors: dict[str, str]) -> Line2D:
        return Line2D(
            *([], []), marker=closed([self._marker() * [1, -1]]), markersize=9,
            linestyle="none", color=colors[self.mark.role],
            markeredgecolor=colors["paper"],
        )  # fmt: skip

    @property
    def _many(self) -> bool:
        return len(self.mark.x) > MOST_AT_FULL_SIZE

    def _marker(self) -> np.ndarray:
        return MARKERS[ROLES[self.mark.role].marker] * (0.72 if self._many else 1.0)

    def _glyph(self) -> str:
        # The marker as a path relative to its center
        steps = np.diff(self._marker(), axis=0, prepend=[[0.0, 0.0]])
        (x, y), *rest = [(f"{a:.2f}", f"{b:.2f}") for a, b in steps]
        return f"m{x} {y}" + "".join(f"l{a} {b}" for a, b in rest) + "z"


class BarsPen(Pen):
    """Fills boxes, all of one color."""

    letter = "bars"

    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        return ["".join(_boxes(across, down))]

    def edged(self, at: np.ndarray) -> tuple[np.ndarray, bool]:
        return _middles(at), False

    def shapes(self, at: np.ndarray, _scale: float) -> list[Path]:
        return [closed(_corners(at))]


@dataclass(frozen=True)
class CellsPen(Pen):
    """Fills boxes in shades: one path for each shade."""

    mark: Cells
    letter = "cells"

    @property
    def count(self) -> int:
        return SHADES

    def data(self, across: np.ndarray, down: np.ndarray) -> list[str]:
        # Empty cells are invisible, so they are not written: half of a triangular
        # matrix.
        boxes = np.array(_boxes(across, down))
        seen = [boxes[self.mark.shade == k] for k in range(1, SHADES)]
        return ["", *map("".join, seen)]

    def edged(self, at: np.ndarray) -> tuple[np.ndarray, bool]:
        return _middles(at)[np.repeat(self.mark.shade > 0, 2)], False

    def shapes(self, at: np.ndarray, _scale: float) -> list[Path]:
        # A shade without cells needs a path for later states: one invisible point.
        boxes, shade = _corners(at), self.mark.shade
        return [
            closed([box for box, s in zip(boxes, shade, strict=True) if s == k])
            for k in range(SHADES)
        ]

    def entry(self) -> dict[str, Any]:
        return {"shades": SHADES}

    def looks(self, colors: dict[str, str]) -> list[dict[str, Any]]:
        (look,) = super().looks(colors)
        return [look | {"alpha": k / (SHADES - 1)} for k in range(SHADES)]

    @property
    def _alone(self) -> float:
        # The level of all that is seen, if it is one
        seen = {*self.mark.level[self.mark.shade > 0].tolist()}
        return seen.pop() if len(seen) == 1 else 1.0

    def sample(self, colors: dict[str, str]) -> Patch:
        return Patch(color=colors[self.mark.role], alpha=self._alone)

    def chip(self) -> str:
        if not self.mark.scattered:
            return self._swatch(f' opacity="{self._alone:g}"')
        squares = "".join(f"M{x} {y}h4v4h-4z" for x, y in ((4, 7), (13, 2), (22, 6)))
        style = f'style="fill:{css_color(self.mark.role)}"'
        return f'<path d="{squares}" {style} opacity="{self.mark.level[0]:g}"/>'


def pen_of(mark: Drawn) -> Pen:
    """Choose the pen that draws a mark."""
    match mark:
        case Line():
            return LinePen(mark)
        case Band():
            return BandPen(mark)
        case Points():
            return PointsPen(mark)
        case Bars():
            return BarsPen(mark)
        case Cells():
            return CellsPen(mark)


def _ends(across: np.ndarray, down: np.ndarray) -> list[str]:
    return [f"{x:.10g} {y:.10g}" for x, y in zip(across, down, strict=True)]


def _boxes(across: np.ndarray, down: np.ndarray) -> list[str]:
    # Two opposite corners of each box follow one another.
    return [
        f"M{x:.10g} {y:.10g}H{right:.10g}V{up:.10g}H{x:.10g}z"
        for x, y, right, up in zip(
            across[::2], down[::2], across[1::2], down[1::2], strict=True
        )
    ]


def _middles(at: np.ndarray) -> np.ndarray:
    # Of the lower and of the upper end of each box
    across = (at[::2, 0] + at[1::2, 0]) / 2
    return np.c_[np.repeat(across, 2), at[:, 1]]


def _corners(at: np.ndarray) -> list[np.ndarray]:
    return [
        np.array([(x, y), (right, y), (right, up), (x, up)])
        for (x, y), (right, up) in zip(at[::2], at[1::2], strict=True)
    ]


def closed(polygons: list[np.ndarray]) -> Path:
    """Build one path of polygons; of none, an invisible point."""
    if not polygons:
        polygons = [np.zeros((1, 2))]
    return Path.make_compound_path(
        *[Path(np.r_[each, each[:1]], closed=True) for each in polygons]
    )
