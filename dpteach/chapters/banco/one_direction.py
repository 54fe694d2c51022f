"""A drawing of the chapter on BANCO: how much the noise moves a bet, at most."""

from math import log

from ...algorithms import banco_tail
from ..shared.axes import Axes
from ..shared.drawing import Drawing, line, note

_OURS, _LEAST = banco_tail(1.0, p=1, clip_norm=1.0)
_SOURCES, _ = banco_tail(1.0, p=1, clip_norm=1.0, method="textbook")
_END = 1 / _LEAST  # no stake above it
_STAKES = [k * _END / 50 for k in range(51)]
_GROWTH = Axes(40, 176, 250, 140, across=(0, _END), up=(0, 0.6))

one_direction = Drawing(
    (
        note(10, 18, "logarithm of the mean of exp(stake × noise)", anchor="start"),
        _GROWTH.base(),
        _GROWTH.curve(((b, b * b * _SOURCES / 2) for b in _STAKES), role="reference"),
        _GROWTH.curve(((b, b * b * _OURS / 2) for b in _STAKES), role="bound"),
        _GROWTH.curve(((b, -log(1 - (2 * b) ** 2)) for b in _STAKES), role="measured"),
        line(_GROWTH.at(_END, 0), _GROWTH.at(_END, 0.6), dashed=True),
        note(296, _GROWTH.at(0, 0.56)[1] + 4, "source", anchor="start"),
        note(296, _GROWTH.at(0, 0.287)[1] + 4, "ours", anchor="start"),
        note(_GROWTH.at(0.14, 0)[0], 166, "exact", anchor="start"),
        *(note(34, _GROWTH.at(0, y)[1] + 4, f"{y:g}", anchor="end") for y in (0, 0.5)),
        note(_GROWTH.at(_END, 0)[0], 194, "1/b"),
        note(_GROWTH.at(0, 0)[0], 194, "0"),
        note(165, 208, "stake β"),
    ),
    216,
    "Three curves against the stake, from 0 to 1/b. The exact one lies below our "
    "parabola and meets it at both ends, so no smaller parabola would do. The "
    f"parabola of the source is {_SOURCES / _OURS:.1f} times as high.",
)
