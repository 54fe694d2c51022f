"""Drawings of the chapter on convex optimization: what the constants promise."""

from math import cosh, sinh

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, note, ring

_AT = -0.6
_MOST, _LEAST = 1.536 * cosh(2.4), 1.536  # curvature of f on [-1.5, 1.5]
_CURVE = Axes(16, 186, 280, 160, across=(-1.5, 1.5), up=(0, 3.6))
_PLACES = [k / 20 for k in range(-30, 31)]
_VALUE, _SLOPE = 0.6 * cosh(1.6 * _AT), 0.96 * sinh(1.6 * _AT)


def _around(curvature: float) -> list[tuple[float, float]]:
    away = [(u, u - _AT) for u in _PLACES]
    near = [(u, _VALUE + _SLOPE * d + curvature * d * d / 2) for u, d in away]
    return [(u, value) for u, value in near if 0 <= value <= 3.6]


def _end(points: list[tuple[float, float]], name: str, *, up: float = 4) -> str:
    x, y = _CURVE.at(*points[-1])
    return note(x + 6, y + up, name, anchor="start")


_RISK = [(u, 0.6 * cosh(1.6 * u)) for u in _PLACES]

three_bounds = Drawing(
    (
        _CURVE.curve(_around(_MOST), role="bound"),
        _CURVE.curve(_RISK, role="reference"),
        _CURVE.curve(_around(_LEAST), role="measured"),
        _CURVE.curve(_around(0.0), role="private"),
        ring(*_CURVE.at(_AT, _VALUE), 4, role="non-private", filled=True),
        _end(_around(_MOST), "curvature β"),
        _end(_RISK, "f"),
        _end(_around(_LEAST), "curv. m"),
        _end(_around(0.0), "tangent", up=-4),
        note(_CURVE.at(_AT, 0)[0], _CURVE.at(_AT, _VALUE)[1] + 22, "u"),
    ),
    200,
    "A convex curve, and three things that touch it at one point: a parabola of "
    f"curvature {_MOST:.1f}, the most that the curve has, which stays above it; a "
    f"parabola of curvature {_LEAST:.1f}, the least, which stays below; and the "
    "tangent, which lies lower still.",
)

_NAMES = ("₁", "₂", "₃", "₄")

fresh_records = Drawing(
    (
        *(box(10 + 92 * k, 14, 52, 34, f"θ{name}", role="private")
          for k, name in enumerate(_NAMES)),
        *(box(10 + 92 * k, 92, 52, 34, f"d{name}") for k, name in enumerate(_NAMES)),
        *(arrow((62 + 92 * k, 31), (102 + 92 * k, 31)) for k in range(3)),
        *(arrow((62 + 92 * k, 98), (106 + 92 * k, 50)) for k in range(3)),
        *(arrow((36 + 92 * k, 90), (36 + 92 * k, 50), role="bound") for k in range(4)),
        note(10, 152, "orange: the loss of a model on a record it", anchor="start"),
        note(10, 168, "has never seen. Gray: what a model is made of.", anchor="start"),
    ),
    178,
    "Four models in a row, and four records below them. Each model is made of the one "
    "before it and of the record of that one, as gray arrows show. Each record also "
    "has an arrow straight up: it tests its model before any model is made of it.",
)  # fmt: skip
