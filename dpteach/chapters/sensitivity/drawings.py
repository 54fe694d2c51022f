"""Drawings of the chapter on mechanisms: densities that fall at a known rate."""

from math import cos, exp, pi, sin, sqrt

from ...figures.style import write
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, line, note, ring

_GRID = [k / 20 for k in range(-80, 101)]
_PEAKS = Axes(20, 158, 320, 120, across=(-4, 5), up=(0, 0.52))
_AT = 2.4


def _laplace(x: float, center: float) -> float:
    return exp(-abs(x - center)) / 2


two_peaks = Drawing(
    (
        _PEAKS.curve([(x, _laplace(x, 0)) for x in _GRID], role="reference"),
        _PEAKS.curve([(x, _laplace(x, 1)) for x in _GRID], role="private"),
        _PEAKS.base(),
        line(_PEAKS.at(_AT, 0), _PEAKS.at(_AT, _laplace(_AT, 1))),
        ring(*_PEAKS.at(_AT, _laplace(_AT, 0)), 3.5, role="reference", filled=True),
        ring(*_PEAKS.at(_AT, _laplace(_AT, 1)), 3.5, role="private", filled=True),
        note(_PEAKS.at(_AT, 0)[0] + 8, _PEAKS.at(0, 0.2)[1], "e times as high",
             anchor="start"),
        *(note(_PEAKS.at(x, 0)[0], 176, write(x)) for x in (-3, 0, 1, 4)),
        note(180, 196, "without the record (gray), with it (blue)", soft=True),
    ),
    206,
    "Two Laplace densities of scale 1, one around 0 and one around 1. To the right "
    "of both peaks the second is e times as high as the first, everywhere; to the "
    "left of both it is lower by the same factor, and between them the ratio goes "
    "from one value to the other.",
)  # fmt: skip

_UNIT, _Y = 40, 114


def _rings(x: float, shape: str) -> str:
    parts = []
    for level in (1, 2):
        size = _UNIT * level * (sqrt(2) if shape == "diamond" else 1) * 0.75
        if shape == "diamond":
            turns = [(x + size, _Y), (x, _Y - size), (x - size, _Y), (x, _Y + size)]
            turns.append(turns[0])
        else:
            turns = [(x + size * cos(a * pi / 30), _Y + size * sin(a * pi / 30))
                     for a in range(61)]  # fmt: skip
        placed = [(round(a, 1), round(b, 1)) for a, b in turns]
        parts.append(line(*placed, role="private", dashed=level > 1))
    reach = 0.75 * _UNIT
    parts.append(
        f'<circle cx="{x:g}" cy="{_Y}" r="{reach:g}" fill="var(--dpt-bound)" '
        'fill-opacity="0.3"/>'
    )
    side = reach / sqrt(2)
    parts.append(
        arrow((x, _Y), (round(x + side, 1), round(_Y - side, 1)), role="bound")
    )
    return "".join(parts)


two_shapes = Drawing(
    (
        note(90, 16, "Laplace"),
        note(276, 16, "K-norm"),
        _rings(90, "diamond"),
        _rings(276, "circle"),
        note(180, 222, "orange: where a record can move the sum"),
        note(180, 240, "blue: where the density falls to 1/e^ε, and 1/e^(2ε)"),
    ),
    250,
    "Left, a disk of radius 1, where a record can move a sum of two numbers, inside "
    "the diamonds of equal Laplace density: the diamond on which the density has "
    "fallen by the factor e to the epsilon has corners far outside the disk. Right, "
    "the same disk with the circles of equal density of the K-norm noise: the first "
    "circle is the border of the disk.",
)
