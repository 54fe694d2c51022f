"""How the book draws: what each role looks like, and how numbers are written.

A role fixes color, dash and marker throughout the book, on light and on dark pages. The
colors are at a distance of at least 18 (CIELAB) from each other, also for readers with
protanopia, deuteranopia or tritanopia, and have a contrast of at least 4 with the page.
Dash and marker carry the same information again.
"""

import html
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Role:
    """How one kind of curve looks.

    Parameters
    ----------
    light, dark : str
        Its color on a light and on a dark page.
    dash : tuple of float
        Lengths of strokes and gaps, in widths of the line; empty for a solid line.
    marker : str
        Key of ``MARKERS``.
    """

    light: str
    dark: str
    dash: tuple[float, ...]
    marker: str


ROLES = {
    "private": Role("#1f4fb8", "#5b8be0", (), "circle"),
    "non_private": Role("#8138ee", "#b4d4ff", (6, 2), "diamond"),
    "bound": Role("#d65214", "#f79d1d", (3.5, 1.8), "triangle"),
    "measured": Role("#17915f", "#34ea90", (), "circle"),
    "reference": Role("#4c4c4c", "#a6a6a6", (1.2, 1.6), "square"),
    "broken": Role("#8b2d13", "#ee4470", (5, 1.6, 1.2, 1.6), "cross"),
}

# Colors that matplotlib draws with; the page puts a CSS variable in their place.
INK, GRID, SHEET = "#010203", "#010204", "#010205"
SENTINEL = {role: f"#0102{16 + k:02x}" for k, role in enumerate(ROLES)}
INK_LIGHT, GRID_LIGHT, PAGE_LIGHT = "#24292f", "#d9dde3", "#ffffff"

LINE_WIDTH = 2.25
BAND_OPACITY = 0.16
CHIP_OPACITY = 0.22  # of a band in the legend, where it is small
SHADES = 9  # a cell's level is drawn in one of these many opacities, 0 to 1


def _polygon(*corners: tuple[float, float]) -> np.ndarray:
    return np.array(corners, dtype=float)


_TURN = 2 * np.pi * np.arange(20) / 20
_C, _S = 4.6, 1.2  # half the length and half the breadth of a cross's strokes
# Outlines around (0, 0), in pixels, y downwards; each a closed polygon.
MARKERS = {
    "circle": 3.9 * np.c_[np.cos(_TURN), np.sin(_TURN)],
    "square": _polygon((-3.4, -3.4), (3.4, -3.4), (3.4, 3.4), (-3.4, 3.4)),
    "diamond": _polygon((0, -4.9), (4.9, 0), (0, 4.9), (-4.9, 0)),
    "triangle": _polygon((0, -4.8), (4.6, 3.6), (-4.6, 3.6)),
    "cross": _polygon(
        *[(-_S, -_C), (_S, -_C), (_S, -_S), (_C, -_S), (_C, _S), (_S, _S)],
        *[(_S, _C), (-_S, _C), (-_S, _S), (-_C, _S), (-_C, -_S), (-_S, -_S)],
    ),
}

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def write(value: Any) -> str:
    """Write a number as the book does: three digits, plain where that is readable.

    Parameters
    ----------
    value : float, int or str
        A string is returned as it is.

    Returns
    -------
    str
        With thousands separated, and powers of ten instead of many zeros.

    Raises
    ------
    TypeError
        If ``value`` is neither a number nor a string.

    Examples
    --------
    >>> [write(v) for v in (1e-6, 0.25, 42.2468, 1.0, 1024, 250_000.0, 3.2e7)]
    ['10⁻⁶', '0.25', '42.2', '1', '1,024', '250,000', '3.2·10⁷']
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(
            f"`value` must be a number or a string, got {value!r}. "
            "Convert it to one of those first."
        )
    if isinstance(value, int | np.integer) and abs(value) < 10**7:
        return f"{value:,}".replace("-", "−")
    if value == 0 or not np.isfinite(value):
        return f"{value:g}".replace("-", "−").replace("inf", "∞")
    number = float(f"{value:.3g}")
    power = floor(log10(abs(number)))
    if -4 < power < 7:
        digits = max(0, 2 - power)
        plain = f"{number:,.{digits}f}"
        plain = plain.rstrip("0").rstrip(".") if digits else plain
        return plain.replace("-", "−")
    factor = f"{number / 10.0**power:.3g}".replace("-", "−")
    ten = "10" + str(power).translate(_SUPERSCRIPT)
    return ten if factor == "1" else f"{factor}·{ten}"


def css_color(role: str) -> str:
    """Name the CSS variable of a role's color."""
    return f"var(--dpt-{role.replace('_', '-')})"


def escaped(text: str) -> str:
    """Escape words for a page, and keep ``ε = 1`` on one line."""
    return html.escape(text).replace(" = ", "\u00a0=\u00a0")
