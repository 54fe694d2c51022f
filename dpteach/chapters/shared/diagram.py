"""Drawn diagrams: boxes and arrows that follow the page's colors, light or dark."""

from dataclasses import dataclass, field
from html import escape

from ... import checks

# The page's colors where there are any; in a notebook, those of its text.
INK, NOISE, SOFT = "currentColor", "var(--accent-2, #b36b00)", "var(--rule, #999)"


@dataclass
class Diagram:
    """A picture of boxes and arrows; the last line of a cell displays it.

    Parameters
    ----------
    width, height : float
        The size of the drawing, in its own units: text is 13 high.
    title : str
        What is drawn, in a few words.
    alt : str
        What it looks like, for readers who do not see it.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> two = Diagram(100, 40, title="One arrow", alt="An arrow from left to right.")
    >>> two.arrow(10, 20, 90, 20)
    >>> two
    One arrow. An arrow from left to right.
    """

    width: float
    height: float
    title: str
    alt: str
    parts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.positive(width=self.width, height=self.height)
        checks.instance(str, title=self.title, alt=self.alt)

    def text(
        self, x: float, y: float, words: str, *, color: str = INK, bold: bool = False
    ) -> None:
        """Write words whose middle is at (x, y)."""
        weight = ' font-weight="650"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="middle" '
            f'style="fill:{color}"{weight}>{escape(words)}</text>'
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *lines: str,
        color: str = INK,
    ) -> None:
        """Draw a box around the point (x, y), with lines of text in it."""
        self.parts.append(
            f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" '
            f'height="{height:g}" rx="6" fill="none" style="stroke:{color}"/>'
        )
        for k, line in enumerate(lines):
            self.text(x, y + 16 * (k - (len(lines) - 1) / 2), line)

    def phone(self, x: float, y: float, *, noise: bool = False) -> None:
        """Draw a phone around the point (x, y), with a wavy line if it adds noise."""
        self.parts.append(
            f'<rect x="{x - 11:g}" y="{y - 18:g}" width="22" height="36" rx="4" '
            f'fill="none" style="stroke:{INK}"/><circle cx="{x:g}" cy="{y + 13:g}" '
            f'r="1.6" style="fill:{INK};stroke:none"/>'
        )
        if noise:
            points = ((-7, 0), (-4, -7), (-1, 4), (2, -9), (5, 3), (7, -2))
            wave = " ".join(f"{x + a:g},{y - 3 + b:g}" for a, b in points)
            self.parts.append(
                f'<polyline points="{wave}" fill="none" style="stroke:{NOISE}"/>'
            )

    def arrow(
        self, x1: float, y1: float, x2: float, y2: float, *, color: str = INK
    ) -> None:
        """Draw an arrow from (x1, y1) to (x2, y2)."""
        long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        a, b = (x2 - x1) / long, (y2 - y1) / long
        head = " ".join(
            f"{x2 - 7 * a + s * 3.5 * b:.1f},{y2 - 7 * b - s * 3.5 * a:.1f}"
            for s in (1, -1)
        )
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2 - 5 * a:.1f}" '
            f'y2="{y2 - 5 * b:.1f}" style="stroke:{color}"/><polygon '
            f'points="{x2:g},{y2:g} {head}" style="fill:{color};stroke:none"/>'
        )

    def strike(self, x1: float, x2: float, y: float) -> None:
        """Cross out what stands between two places."""
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y + 7:g}" x2="{x2:g}" y2="{y - 7:g}" '
            f'style="stroke:{NOISE}"/>'
        )

    def _repr_html_(self) -> str:
        label = escape(f"{self.title}. {self.alt}", quote=True)
        return (
            f'<figure class="diagram" style="margin:1.4em 0;max-width:36rem">'
            f'<svg role="img" aria-label="{label}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" '
            'style="width:100%;height:auto" stroke-width="1.4" '
            'font-family="system-ui, sans-serif" font-size="13">'
            f"{''.join(self.parts)}</svg></figure>"
        )

    def __repr__(self) -> str:
        """Say what is drawn."""
        return f"{self.title}. {self.alt}"
