"""A drawing of the chapter on convex optimization: steps over a kink."""

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, line, note, ring

_RATE, _STEPS = 0.4, 9  # 1/2.5, as in the chapter's cell
_VALLEY = Axes(40, 172, 280, 150, across=(-0.15, 1.65), up=(-0.06, 1.1))


def _path() -> list[float]:
    path = [0.0]
    while len(path) < _STEPS:
        path.append(round(path[-1] + (_RATE if path[-1] < 1 else -_RATE), 9))
    return path


_PATH = _path()
_MEAN_RISK = sum(abs(theta - 1) for theta in _PATH) / _STEPS
_NAMES = ("θ₁", "θ₂", "θ₃, θ₅, θ₇, θ₉", "θ₄, θ₆, θ₈")


def _model(number: int) -> str:
    theta = _PATH[number]
    x, y = _VALLEY.at(theta, abs(theta - 1))
    named = (
        note(x - 9, y + 8, _NAMES[number], anchor="end")
        if theta < 1
        else note(x + 9, y + 8, _NAMES[number], anchor="start")
    )
    return ring(x, y, 4, role="private", filled=True) + named


over_the_kink = Drawing(
    (
        _VALLEY.curve([(-0.1, 1.1), (1, 0), (1.6, 0.6)], role="reference"),
        line(_VALLEY.at(0.6, _MEAN_RISK), _VALLEY.at(1.4, _MEAN_RISK), role="bound"),
        note(*_VALLEY.at(0.95, 0.4), f"mean risk {_MEAN_RISK:.2f}"),
        *(_model(number) for number in range(4)),
        line(_VALLEY.at(0.8, 0.2), _VALLEY.at(1.2, 0.2), role="private", dashed=True),
        note(_VALLEY.at(1, 0)[0], 184, "θ* = 1"),
        note(110, 18, "risk |θ − 1|, nine models, η = 0.4", anchor="start"),
    ),
    194,
    "The risk, a valley with a kink at 1. Nine models at the rate 0.4: the first "
    "three walk down from 0 to 0.4 and 0.8, and from then on the models jump between "
    "0.8 and 1.2, on both sides of the kink. Their mean risk is 0.33.",
)

_SET = ((30, 60), (150, 30), (216, 96), (196, 176), (60, 186), (30, 60))
_MODEL, _STEPPED, _NEAREST, _BEST = (92, 112), (300, 64), (216, 96), (150, 160)


def _named(place: tuple[float, float], name: str, role: str) -> str:
    return ring(*place, 4, role=role, filled=True) + note(place[0], place[1] - 10, name)


step_and_projection = Drawing(
    (
        line(*_SET, role="reference", fill="reference"),
        line(_BEST, _STEPPED, role="bound", dashed=True),
        line(_BEST, _NEAREST, role="private", dashed=True),
        arrow(_MODEL, (_STEPPED[0] - 6, _STEPPED[1] + 2)),
        arrow(_STEPPED, (_NEAREST[0] + 6, _NEAREST[1] - 2), role="private"),
        _named(_MODEL, "θₜ", "private"),
        _named(_STEPPED, "θₜ − ηₜgₜ", "reference"),
        ring(*_NEAREST, 4, role="private", filled=True),
        note(226, 134, "θₜ₊₁, the nearest", anchor="start"),
        note(226, 150, "point of the set", anchor="start"),
        ring(*_BEST, 4, role="non-private", filled=True),
        note(142, 164, "θ*", anchor="end"),
        note(46, 78, "the set", anchor="start", soft=True),
    ),
    196,
    "A set with five corners. A step leads from a model inside to a point outside, and "
    "the projection back to the nearest point of the set, a corner. From the best "
    "model, the corner is nearer than the point outside.",
)
