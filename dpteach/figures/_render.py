"""The one renderer: matplotlib draws a picture once, then states replace path data.

A ``Picture`` is drawn with the marks of the start state, as SVG whose text is text and
whose colors are CSS variables. For another state only the paths are written anew, from
whole numbers (parts of a panel), so that the player on the page, which has the same
numbers, writes the same characters.
"""

import html
import io
import re
from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ._edges import exits, triangles
from ._paint import (
    PAGE,
    PAPER,
    RC,
    Layout,
    furnish,
    inked,
    legend_columns,
    paint,
    relative,
    wrapped,
)
from ._pens import pen_of
from .axes import UNIT, Axes
from .marks import Drawn
from .style import (
    GRID,
    INK,
    PAGE_LIGHT,
    SENTINEL,
    SHEET,
)

# Left and right of the text under a picture on paper, as shares of its width.
MARGIN = 0.018


def paths(mark: Drawn, place: np.ndarray, box: Sequence[float]) -> list[str]:
    """Write the path data of a mark whose place in its panel is known.

    Returns
    -------
    list of str
        One, or for cells one for each shade; then that of the triangles at the edge.
    """
    # Tenths of a pixel, rounded half up as the player's Math.round does.
    left, top, width, height = box
    across = np.floor((left + place[:, 0] * (width / UNIT)) * 10 + 0.5) / 10
    down = np.floor((top + height - place[:, 1] * (height / UNIT)) * 10 + 0.5) / 10
    pen, frame = pen_of(mark), (left, top, left + width, top + height)
    points, joined = pen.edged(np.c_[across, down])
    found = triangles(exits(points, frame, joined=joined))
    return [*pen.data(across, down), "".join(map(_closed, found))]


def _closed(corners: np.ndarray) -> str:
    tenths = np.floor(corners * 10 + 0.5) / 10
    return "M" + "L".join(f"{x:.10g} {y:.10g}" for x, y in tenths) + "z"


class Picture:
    """The drawing of one figure in one layout.

    Parameters
    ----------
    identity : str
        The figure's id, which starts every id within the picture.
    panels : tuple of Axes
        One for each panel.
    marks : tuple of marks
        Of the start state.
    layout : Layout
        The size to draw in.
    alt : str
        What the picture shows, for those who do not see it.
    """

    def __init__(
        self,
        identity: str,
        panels: tuple[Axes, ...],
        marks: tuple[Drawn, ...],
        layout: Layout,
        alt: str,
    ) -> None:
        layout = layout.fitted(panels)
        self.identity, self.panels, self.layout = identity, panels, layout
        self.boxes = [layout.box(k, len(panels)) for k in range(len(panels))]
        salt: dict[Any, Any] = {"svg.hashsalt": f"{identity}-{layout.name}"}
        with rc_context(RC | inked(PAGE) | salt):
            figure = self._draw(marks, PAGE)
            self._pieces = self._cut(self._page_ready(_save(figure), alt), marks)

    def path_ids(self, marks: Sequence[Drawn]) -> list[list[str]]:
        """List the ids of the paths that each mark is drawn with."""
        stem = f"{self.identity}-{self.layout.name}"
        return [
            [f"{stem}-{k}-{s}" for s in range(pen_of(mark).count + 1)]
            for k, mark in enumerate(marks)
        ]

    def all_paths(self, marks: Sequence[Drawn]) -> list[str]:
        """Write the path data of all marks, in the order in which they are drawn."""
        return [
            path
            for mark in marks
            for path in paths(
                mark, self.panels[mark.panel].place(mark), self.boxes[mark.panel]
            )
        ]

    def svg(self, marks: Sequence[Drawn]) -> str:
        """Write the picture with the marks of one state in it."""
        out = [self._pieces[0]]
        for path, piece in zip(self.all_paths(marks), self._pieces[1:], strict=True):
            out += [path, piece]
        return "".join(out)

    def png(self, marks: tuple[Drawn, ...], note: str) -> bytes:
        """Draw the picture on white paper, with the legend and a note below it."""
        proxies = {mark.label: pen_of(mark).sample(PAPER) for mark in marks}
        font, wide = self.layout.font - 1, self.layout.size(len(self.panels))[0]
        room = wide * (1 - 2 * MARGIN)
        lines = [
            line for each in note.split("\n") for line in wrapped(each, font, room)
        ]
        columns = legend_columns(list(proxies), font, room)
        below = 26 * ceil(len(proxies) / columns) + 20 * len(lines) + 24
        with rc_context(RC | inked(PAPER)):
            figure = self._draw(marks, PAPER, below=below, dpi=144)
            total = figure.get_figheight() * 72
            figure.legend(
                *(list(proxies.values()), list(proxies)),
                loc="upper left",
                bbox_to_anchor=(0.0, (below - 2) / total),
                ncols=columns,
                frameon=False,
                handlelength=2.6,
                fontsize=font,
            )
            for k, line in enumerate(reversed(lines)):
                figure.text(MARGIN, (12 + 20 * k) / total, line, fontsize=font)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", facecolor=PAGE_LIGHT)
        return buffer.getvalue()

    def _draw(
        self,
        marks: tuple[Drawn, ...],
        colors: dict[str, str],
        below: int = 0,
        dpi: int = 72,
    ) -> Figure:
        width, height = self.layout.size(len(self.panels))
        height += below
        figure = Figure(figsize=(width / 72, height / 72), dpi=dpi)
        FigureCanvasAgg(figure)
        drawn = []
        for axes, box in zip(self.panels, self.boxes, strict=True):
            panel = figure.add_axes(relative(box, width, height))
            furnish(panel, axes, self.layout)
            drawn.append(panel)
        for mark, ids in zip(marks, self.path_ids(marks), strict=True):
            panel, axes = drawn[mark.panel], self.panels[mark.panel]
            paint(panel, mark, axes, ids, colors)
        return figure

    def _page_ready(self, text: str, alt: str) -> str:
        text = text[text.index("<svg") :]
        text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.S)
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        # matplotlib's style sheet would reach every picture of the page
        text = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S)
        text = re.sub(r"[^<>]+", _joined, re.sub(r"\s+<", "<", text))
        text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
        # The page's own font, at the size that the layout fixed
        text = re.sub(r"font-family: ?[^;\"]*;? ?", "", text)
        text = re.sub(r"font: ?([\d.]+)px [^;\"]*", r"font-size: \1px", text)
        # ids of grid lines and ticks are of no use, and would occur twice on the page
        text = re.sub(rf'<g id="(?!{re.escape(self.identity)}-)[^"]*"', "<g", text)
        width, height = self.layout.size(len(self.panels))
        head = (
            f'<svg class="dpt-{self.layout.name}" viewBox="0 0 {width} {height}" '
            'xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
            f'aria-label="{html.escape(alt)}">'
        )
        text = re.sub(r"<svg [^>]*>", lambda _: head, text, count=1)
        for role, color in SENTINEL.items():
            text = text.replace(color, f"var(--dpt-{role.replace('_', '-')})")
        for name, color in (("ink", INK), ("grid", GRID), ("paper", SHEET)):
            text = text.replace(color, f"var(--dpt-{name})")
        return text.strip()

    def _cut(self, text: str, marks: tuple[Drawn, ...]) -> list[str]:
        # The path data stand between the pieces; ids move from <g> to their <path>.
        pieces = []
        for mark, ids in zip(marks, self.path_ids(marks), strict=True):
            # Rims of points first, so that they do not cover points nearby
            order = ' paint-order="stroke"' if pen_of(mark).rimmed else ""
            for identity in ids:
                found = re.search(rf'<g id="{identity}"><path d="[^"]*"', text)
                if found is None:
                    raise RuntimeError(f"matplotlib drew no path for {identity}")
                head = f'<g><path id="{identity}"{order} d="'
                pieces.append(text[: found.start()] + head)
                text = text[found.end() - 1 :]
        return [*pieces, text]


def _joined(part: re.Match) -> str:
    # matplotlib breaks the lines of a path: what stands in quotes becomes one line
    quoted, quote, rest = part[0].rpartition('"')
    return re.sub(r" *\n", "", quoted) + quote + rest


def _save(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(
        buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
    )
    return buffer.getvalue()
