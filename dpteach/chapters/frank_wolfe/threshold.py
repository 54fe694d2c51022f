"""A diagram of the chapter on Frank-Wolfe: why a vote's price has no p in it."""

from math import exp

from ..shared.drawing import Drawing, arrow, line, note

_MIDDLE, _SCALE, _BASE, _HIGH = 180, 44, 128, 92


def _density(x: float) -> float:
    return _BASE - _HIGH * exp(-abs(x - _MIDDLE) / _SCALE)


def _under(end: float) -> list[tuple[float, float]]:
    at = [12 + 2 * k for k in range(int((end - 12) / 2) + 1)]
    return [(12, _BASE), *((x, _density(x)) for x in at), (end, _BASE)]


moved_threshold = Drawing(
    (
        note(8, 16, "Noise of one corner, given that of all others", anchor="start"),
        line(*((12 + 2 * k, _density(12 + 2 * k)) for k in range(169))),
        line(*_under(120), role="private", fill="private"),
        line(*_under(164), role="private", dashed=True, fill="private"),
        line((12, _BASE), (348, _BASE)),
        arrow((164, 152), (120, 152), role="bound"),
        line((120, _BASE), (120, 146), role="bound", dashed=True),
        line((164, _BASE), (164, 146), role="bound", dashed=True),
        note(164, 172, "τ, on D", anchor="start"),
        note(120, 172, "τ − 2Δ₁, on D′", anchor="end"),
        note(8, 200, "The corner wins if its noise is left of the threshold.",
             anchor="start", soft=True),
        note(8, 216, "One record moves the threshold by at most 2Δ₁,",
             anchor="start", soft=True),
        note(8, 232, "however many corners there are, so the area shrinks",
             anchor="start", soft=True),
        note(8, 248, "by a factor of at most exp(2Δ₁/b).", anchor="start", soft=True),
    ),
    258,
    "The density of Laplace noise, with two thresholds. The area left of the first is "
    "the chance that a corner wins on D. On a neighbor the threshold lies further left "
    "by at most twice the sensitivity, and the area left of it is smaller by a bounded "
    "factor.",
)  # fmt: skip
