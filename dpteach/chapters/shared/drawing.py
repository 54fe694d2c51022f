"""Drawn diagrams of a chapter: boxes and arrows, in the colors of the page."""

import os
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files

WIDTH = 360  # in the drawing's units; a letter is about 6.4 wide and 13 high


@dataclass(frozen=True)
class Drawing:
    """A diagram; the last line of a cell displays it.

    Parameters
    ----------
    parts : tuple of str
        Pieces of SVG, as ``box``, ``arrow`` and ``note`` write them.
    height : int
        How high it is; every drawing is 360 wide, so that it fits a phone.
    alt : str
        What it shows, for readers who do not see it.
    """

    parts: tuple[str, ...]
    height: int
    alt: str

    def html(self) -> str:
        """Write the drawing for the page."""
        # a page may have several drawings, each with a head for its arrows
        head = f"dpt-head-{sha256(self.alt.encode()).hexdigest()[:8]}"
        page = (
            f'<div class="dpt dpt-drawing" role="img" aria-label="{escape(self.alt)}">'
            f'<svg viewBox="0 0 {WIDTH} {self.height}" width="500" '
            'font-family="system-ui, sans-serif" font-size="13" '
            f'fill="var(--dpt-ink)" aria-hidden="true">{_HEAD}{"".join(self.parts)}'
            "</svg></div>"
        )
        return page.replace("dpt-head", head)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show it, in a notebook together with its colors."""
        page = self.html()
        if not os.environ.get("DPTEACH_BOOK"):
            sheet = files("dpteach.figures") / "static" / "explore.css"
            page = f"<style>{sheet.read_text(encoding='utf-8')}</style>{page}"
        return {"text/html": page, "text/plain": self.alt}


_HEAD = (
    '<defs><marker id="dpt-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto-start-reverse"><path d="M0 0.5L8 4L0 7.5z" '
    'fill="var(--dpt-soft)"/></marker></defs>'
)


def box(
    x: float, y: float, width: float, height: float, *lines: str, role: str = "soft"
) -> str:
    """Draw a box with centered lines of text.

    Examples
    --------
    >>> "user t" in box(0, 0, 100, 30, "user t")
    True
    """
    frame = (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" '
        f'fill="var(--dpt-raised)" stroke="var(--dpt-{role})" stroke-width="1.5"/>'
    )
    first = y + height / 2 - 8 * (len(lines) - 1) + 4.5
    return frame + "".join(
        note(x + width / 2, first + 16 * k, line) for k, line in enumerate(lines)
    )


def arrow(*points: tuple[float, float], role: str = "soft") -> str:
    """Draw an arrow along points.

    Examples
    --------
    >>> "M0,0 L5,9" in arrow((0, 0), (5, 9))
    True
    """
    path = " L".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<path d="M{path}" fill="none" stroke="var(--dpt-{role})" stroke-width="1.5" '
        'marker-end="url(#dpt-head)"/>'
    )


def note(
    x: float, y: float, text: str, *, anchor: str = "middle", soft: bool = False
) -> str:
    """Write a line of text.

    Examples
    --------
    >>> note(3, 4, "a < b")
    '<text x="3" y="4" text-anchor="middle">a &lt; b</text>'
    """
    color = ' fill="var(--dpt-soft)"' if soft else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{color}>{escape(text)}</text>'
    )


def line(
    *points: tuple[float, float],
    role: str = "soft",
    dashed: bool = False,
    fill: str | None = None,
) -> str:
    """Draw a line through points, or a shape.

    Examples
    --------
    >>> "M0,0 L5,9" in line((0, 0), (5, 9), dashed=True)
    True
    """
    path = " L".join(f"{x:g},{y:g}" for x, y in points)
    inside = f'fill="var(--dpt-{fill})" fill-opacity="0.25"' if fill else 'fill="none"'
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<path d="M{path}" {inside} stroke="var(--dpt-{role})"{dash}/>'


def ring(x: float, y: float, radius: float, *, role: str, filled: bool = False) -> str:
    """Draw a circle.

    Examples
    --------
    >>> 'r="4"' in ring(10, 10, 4, role="private", filled=True)
    True
    """
    fill = f'fill="var(--dpt-{role})"' if filled else 'fill="none"'
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {fill} '
        f'stroke="var(--dpt-{role})" stroke-width="1.5"/>'
    )


def bar(x: float, y: float, width: float, height: float, *, role: str) -> str:
    """Draw a filled bar.

    Examples
    --------
    >>> 'height="40"' in bar(10, 10, 8, 40, role="private")
    True
    """
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'fill="var(--dpt-{role})" fill-opacity="0.7"/>'
    )
