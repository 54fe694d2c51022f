"""A diagram of the chapter on objective perturbation: a tilt goes in before."""

from collections.abc import Callable

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note, ring

tilt_before = Drawing(
    (
        box(8, 30, 84, 38, "risk of", "the records"),
        arrow((92, 49), (112, 49)),
        box(112, 30, 96, 38, "+ (Λ/2)‖θ‖²"),
        arrow((208, 49), (228, 49)),
        box(228, 30, 76, 38, "+ ⟨b, θ⟩", role="bound"),
        arrow((266, 68), (266, 96)),
        box(204, 96, 124, 38, "exact minimum"),
        arrow((204, 115), (176, 115)),
        box(92, 96, 84, 38, "model", role="private"),
        note(8, 18, "One random tilt b, drawn first, of a public size", anchor="start"),
        note(8, 160, "No noise is added to the minimum. It moves the", anchor="start",
             soft=True),
        note(8, 176, "less, the more steeply the bowl is curved.", anchor="start",
             soft=True),
    ),
    186,
    "Boxes and arrows: to the risk of the records a quadratic and a random linear "
    "term are added; the exact minimum of the sum is the model that is published.",
)  # fmt: skip

_SLOPE = Axes(14, 160, 150, 124, across=(-0.2, 2.2), up=(0, 1.6))
_FLAT = Axes(198, 160, 150, 124, across=(-1.2, 1.2), up=(0, 1.6))
_MOVE = 0.5


def _away(axes: Axes, start: float, risk: Callable[[float], float]) -> str:
    before, after = axes.at(start, risk(start)), axes.at(
        start + _MOVE, risk(start + _MOVE))  # fmt: skip
    return "".join(
        (
            line(before, (after[0], before[1]), role="soft", dashed=True),
            line((after[0], before[1]), after, role="bound"),
            ring(*before, 4, role="non-private", filled=True),
            ring(*after, 4, role="private", filled=True),
        )
    )


def _slope(theta: float) -> float:
    return 0.2 + 0.6 * theta


def _bottom(theta: float) -> float:
    return 0.3 + 0.6 * theta * theta


def _all_of(axes: Axes, risk: Callable[[float], float]) -> str:
    low, high = axes.across
    points = [low + k * (high - low) / 40 for k in range(41)]
    return axes.curve([(t, risk(t)) for t in points], role="reference") + axes.base()


slope_or_square = Drawing(
    (
        note(89, 16, "on a slope"),
        note(273, 16, "at a minimum"),
        _all_of(_SLOPE, _slope),
        _away(_SLOPE, 0.9, _slope),
        _all_of(_FLAT, _bottom),
        _away(_FLAT, 0.0, _bottom),
        note(89, 180, "cost (orange): slope"),
        note(89, 196, "times distance, 0.30"),
        note(273, 180, "cost: curvature times"),
        note(273, 196, "distance², halved, 0.15"),
    ),
    206,
    "Two pictures of a model that is moved by one half. On a slope of 0.6 this costs "
    "0.30, the slope times the distance. At the minimum of a bowl with curvature 1.2 "
    "it costs 0.15, half the curvature times the square of the distance.",
)
