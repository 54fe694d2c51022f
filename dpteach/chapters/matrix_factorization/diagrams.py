"""Diagrams of the chapter on matrix factorization: encode and decode, and buffers."""

from itertools import accumulate

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, note

encode_and_decode = Drawing(
    (
        note(26, 62, "stream"),
        note(26, 78, "x"),
        arrow((50, 66), (72, 66)),
        box(72, 44, 62, 44, "encode", "C"),
        arrow((134, 66), (156, 66)),
        box(156, 52, 28, 28, "+", role="bound"),
        note(170, 14, "noise z"),
        arrow((170, 22), (170, 52), role="bound"),
        arrow((184, 66), (206, 66)),
        box(206, 44, 62, 44, "decode", "B"),
        arrow((268, 66), (292, 66)),
        note(324, 62, "sums"),
        note(324, 78, "Ax + Bz"),
        note(103, 110, "a record is in one", soft=True),
        note(103, 126, "column of C", soft=True),
        note(237, 110, "a sum’s noise is one", soft=True),
        note(237, 126, "row of B, times z", soft=True),
    ),
    134,
    "From left to right: the stream x enters the encoder C, noise z of equal size is "
    "added to every entry, and the decoder B makes noisy sums of it, Ax + Bz. A "
    "record is in one column of C; the noise of a sum is one row of B times z.",
)

two_buffers = Drawing(
    (
        note(36, 58, "fresh z"),
        arrow((60, 54), (98, 54)),
        box(100, 38, 32, 32, "−", role="bound"),
        arrow((132, 54), (258, 54), role="private"),
        note(196, 46, "x"),
        note(306, 50, "added to the"),
        note(306, 66, "gradient"),
        arrow((196, 54), (196, 92)),
        box(150, 94, 200, 34, "S₁ ← ϑ₁ S₁ + x", role="private"),
        arrow((196, 128), (196, 142)),
        box(150, 144, 200, 34, "S₂ ← ϑ₂ S₂ + x", role="private"),
        arrow((150, 111), (124, 111), (124, 72)),
        arrow((150, 161), (108, 161), (108, 72)),
        note(100, 104, "ω₁S₁ + ω₂S₂", anchor="end"),
        note(250, 200, "all that is kept: two vectors", soft=True),
    ),
    210,
    "One step with two buffers. From the fresh noise z the weighted buffers, omega 1 "
    "times S 1 plus omega 2 times S 2, are subtracted. The result x is added to the "
    "gradient. Then each buffer shrinks by its own factor and takes x in. These two "
    "vectors are all that is kept.",
)


def _taken() -> list[float]:
    """Return the first column of the inverse square root."""
    column = [1.0]
    for k in range(1, 12):
        column.append(column[-1] * (2 * k - 3) / (2 * k))
    return column


_COLUMN = _taken()
_LEFT_OVER = list(accumulate(_COLUMN))
_DRAW = Axes(30, 120, 310, 90, across=(-0.7, 11.7), up=(0, 1.1))


def _step(k: int) -> str:
    x, zero = _DRAW.at(k, 0)
    top = _DRAW.at(k, max(_COLUMN[k], 0))[1]
    tall = 90 * abs(_COLUMN[k]) / 1.1
    role = "private" if k == 0 else "bound"
    return bar(x - 8, top, 16, tall, role=role) + note(x, zero + 76, f"{k + 1}")


taken_back = Drawing(
    (
        *(_step(k) for k in range(12)),
        _DRAW.base(),
        _DRAW.curve(enumerate(_LEFT_OVER), role="private", dashed=True),
        note(62, 22, "drawn (blue), then taken back (orange)", anchor="start"),
        note(160, 92, "still in the sum (dashed)", anchor="start"),
        note(180, 214, "step", soft=True),
    ),
    224,
    "Bars for how one draw enters the noise of twelve steps. In the first step it "
    "enters with weight 1. In the second one half of it is taken back, in the third an "
    "eighth, then a sixteenth, and so on. A dashed curve shows what is left of it in "
    "the sum: 1, a half, three eighths, five sixteenths, falling slowly.",
)


def _root(size: int) -> list[float]:
    coefficients = [1.0]
    for k in range(1, size):
        coefficients.append(coefficients[-1] * (2 * k - 1) / (2 * k))
    return coefficients


_SIZE, _ROOT = 8, _root(8)


def _entry(t: int, j: int) -> str:
    x, y, size = 40 + 22 * j, 30 + 22 * t, 19 * _ROOT[t - j] ** 0.5
    role = "private" if j == 2 else "reference"
    return bar(x + (19 - size) / 2, y + (19 - size) / 2, size, size, role=role)


one_column = Drawing(
    (
        note(128, 18, "encoder C"),
        *(_entry(t, j) for t in range(_SIZE) for j in range(t + 1)),
        note(236, 60, "a vector of the", anchor="start"),
        note(236, 76, "stream moves Cx", anchor="start"),
        note(236, 92, "along one column", anchor="start"),
        note(236, 124, "noise: the same", anchor="start", soft=True),
        note(236, 140, "in all rows", anchor="start", soft=True),
    ),
    214,
    "The encoder of the square root for eight steps, as squares whose areas are its "
    "entries; they fall away from the diagonal. The third column is marked: a vector "
    "of the stream moves the encoded vector along one column, while the noise is the "
    "same in all rows.",
)

_COMES = (  # in twelve steps, of which three apart
    ("Poisson", (1, 2, 6, 8, 11)),
    ("cyclic Poisson", (2, 8, 11)),
    ("balls and bins", (2, 5, 8, 11)),
    ("b-min-sep", (1, 5, 8, 12)),
)


def _visits(row: int) -> str:
    name, comes = _COMES[row]
    y = 24 + 34 * row
    return note(10, y + 14, name, anchor="start") + "".join(
        bar(132 + 18 * (t - 1), y, 15, 20, role="private" if t in comes else "grid")
        for t in range(1, 13)
    )


when_a_record_comes = Drawing(
    (
        *(_visits(row) for row in range(len(_COMES))),
        note(180, 176, "filled: the record comes in this step", soft=True),
    ),
    186,
    "Twelve steps in four rows, and in which of them one record comes. Poisson: steps "
    "1, 2, 6, 8 and 11. Cyclic Poisson: 2, 8 and 11, some of every third step. Balls "
    "and bins: 2, 5, 8 and 11, all of every third. b-min-sep: 1, 5, 8 and 12, always "
    "at least three apart.",
)
