"""More drawings of the chapter on local privacy: one pass, and reports on a side."""

from math import exp, pi, tanh

import numpy as np

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, line, note, ring

_CHANCES = np.random.default_rng(16)
_USERS, _RATE = 400, 0.08
_BEST = (0.6, 0.8)


def _pass() -> np.ndarray:
    """Let 400 users report on ½‖w − v‖² with ε = 2, p = 2 and G = 1: their models."""
    w, models = np.zeros(2), []
    long = _CHANCES.gamma(2.0, 1.0, _USERS)
    turn = _CHANCES.uniform(0, 2 * pi, _USERS)
    noise = long[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    for each in noise:
        models.append(w)
        gradient = w - _BEST
        clipped = gradient / max(1.0, float(np.linalg.norm(gradient)))
        w = w - _RATE * (clipped + each)
    return np.array(models)


_MODELS = _pass()
_MEANS = np.cumsum(_MODELS, axis=0) / np.arange(1, _USERS + 1)[:, None]
_FAR = np.linalg.norm(_MODELS - _BEST, axis=1)
_FAR_MEAN = np.linalg.norm(_MEANS - _BEST, axis=1)
_TIME = Axes(34, 166, 290, 132, across=(0, _USERS), up=(0, 1.15))

walk_and_average = Drawing(
    (
        note(34, 18, "distance from the best model", anchor="start"),
        _TIME.base(),
        _TIME.curve(enumerate(_FAR.tolist()), role="reference"),
        _TIME.curve(enumerate(_FAR_MEAN.tolist()), role="private"),
        *(note(28, _TIME.at(0, y)[1] + 4, f"{y:g}", anchor="end") for y in (0, 0.5, 1)),
        *(note(_TIME.at(t, 0)[0], 183, f"{t}") for t in (0, 200, 400)),
        note(179, 202, "users so far"),
        note(179, 224, "gray: the last model. Blue: the average of all so far"),
    ),
    232,
    "The distance from the best model while 400 users report, once each. That of the "
    f"last model jumps up and down until the end, about {_FAR[200:].mean():.1f} on "
    "average over the second half. That of the average of all models so far falls "
    f"smoothly, to {_FAR_MEAN[-1]:.2f}.",
)

_LENGTH = pi / 2 / tanh(1.0)  # B of the theorem for G = 1, p = 2 and ε = 2
_NEAR = exp(2.0) / (1 + exp(2.0))  # how often a report is on the side of the vector
_REPORTS = 120


def _on_circle() -> np.ndarray:
    """Draw reports on the side of a vector of norm 1, shape (120, 2)."""
    toward = float(np.arctan2(_BEST[1], _BEST[0]))
    turn = toward + _CHANCES.uniform(-pi / 2, pi / 2, _REPORTS)
    turn = turn + pi * (_CHANCES.random(_REPORTS) >= _NEAR)
    return _LENGTH * np.stack([np.cos(turn), np.sin(turn)], axis=1)


_SIDES = _on_circle()
_AROUND = Axes(90, 210, 180, 180, across=(-2.3, 2.3), up=(-2.3, 2.3))
_EDGE = (2.3 * 0.8, -2.3 * 0.6)
_HERE = int((_SIDES @ _BEST > 0).sum())

two_sides = Drawing(
    (
        line(_AROUND.at(*_EDGE), _AROUND.at(-_EDGE[0], -_EDGE[1]), dashed=True),
        *(
            ring(
                *_AROUND.at(x, y), 2.5, filled=True,
                role="private" if 0.6 * x + 0.8 * y > 0 else "broken",
            )
            for x, y in _SIDES.tolist()
        ),
        arrow(_AROUND.at(0, 0), _AROUND.at(*_BEST), role="non-private"),
        ring(*_AROUND.at(*_SIDES.mean(axis=0)), 6, role="bound"),
        note(180, 232, f"{_HERE} of {_REPORTS} reports lie on the vector’s side"),
        note(180, 250, "the ring is the mean of all reports", soft=True),
    ),
    258,
    f"A circle of radius {_LENGTH:.2f} with {_REPORTS} reports on it, and inside it a "
    "vector of length 1. A dashed line through the origin, at a right angle to the "
    f"vector, cuts the circle in two. {_HERE} reports lie on the vector’s side and "
    f"{_REPORTS - _HERE} on the other. No report is at the vector, but their mean lies "
    "close to its end.",
)  # fmt: skip

_TENTS = Axes(24, 160, 312, 120, across=(-3, 3), up=(-2, 0.2))  # G = 1, ε = 1


def _tent(center: float, role: str) -> str:
    return _TENTS.curve(
        [(-3, -abs(-3 - center) / 2), (center, 0), (3, -abs(3 - center) / 2)], role=role
    )


two_tents = Drawing(
    (
        note(10, 18, "logarithm of the density of a report", anchor="start"),
        _TENTS.base(),
        _tent(-1, "reference"),
        _tent(1, "private"),
        *(
            line(_TENTS.at(x, -abs(x - 1) / 2), _TENTS.at(x, -abs(x + 1) / 2),
                 role="bound")
            for x in (-2, 2)
        ),
        note(_TENTS.at(2, 0)[0] + 7, _TENTS.at(0, -1)[1] + 4, "ε", anchor="start"),
        note(_TENTS.at(-2, 0)[0] - 7, _TENTS.at(0, -1)[1] + 4, "ε", anchor="end"),
        note(_TENTS.at(-1, 0)[0], 178, "v′ = −G"),
        note(_TENTS.at(1, 0)[0], 178, "v = G"),
        note(180, 198, "report z", soft=True),
    ),
    206,
    "Two tents, the logarithms of the densities of reports on minus G and on G. Their "
    "distance is epsilon to the left of both peaks and to the right of both. Between "
    "the peaks it is smaller.",
)  # fmt: skip
