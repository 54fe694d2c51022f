"""The drawings of the chapter on Frank-Wolfe: a best corner, and one step's vote."""

from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_TOP = 118


def _bar(x: float, height: float, role: str) -> str:
    return bar(x, _TOP + 60 - height, 30, height, role=role)


_CORNERS = ("right", "top", "left", "bottom")
_SCORES, _NOISES = (14, 42, 56, 22), (12, -8, -10, -12)

one_vote = Drawing(
    (
        box(10, 8, 340, 34, "all records: the gradient g at θ", role="measured"),
        arrow((180, 42), (180, 66)),
        note(190, 59, "a score for each corner", anchor="start", soft=True),
        note(
            10,
            90,
            "score (gray), with noise (blue); the lowest wins",
            anchor="start",
        ),
        *(_bar(30 + 84 * k, score, "reference") for k, score in enumerate(_SCORES)),
        *(
            _bar(62 + 84 * k, score + noise, "private")
            for k, (score, noise) in enumerate(zip(_SCORES, _NOISES, strict=True))
        ),
        '<path d="M20 178H346" stroke="var(--dpt-soft)" stroke-width="1"/>',
        *(note(61 + 84 * k, 195, name) for k, name in enumerate(_CORNERS)),
        arrow((329, 200), (329, 224), role="private"),
        box(10, 226, 340, 34, "published: the winner’s name, “bottom”", role="private"),
        arrow((180, 260), (180, 284)),
        box(10, 286, 340, 34, "the model walks a part of the way to it", role="soft"),
        note(180, 342, "scores, noise and the gradient stay secret", soft=True),
    ),
    352,
    "One step of private Frank-Wolfe. The records give a gradient, and the gradient "
    "a score for each corner. Noise is added to the scores. Without noise the right "
    "corner would win; with it, the bottom one does, because its noisy score is the "
    "lowest. Only the winner’s name is published, and the model walks a part of the "
    "way to it.",
)

_X, _Y, _S = 150, 112, 84
_SLOPE = 0.45  # the levels of the tangent are lines of this slope


def _level(height: float) -> str:
    left, right = 34, 290
    return line(
        (left, round(height - _SLOPE * (left - _X), 1)),
        (right, round(height - _SLOPE * (right - _X), 1)),
        role="grid",
    )


best_corner = Drawing(
    (
        *(_level(_Y + _S - 42 * k) for k in range(5)),
        line(
            (_X + _S, _Y), (_X, _Y - _S), (_X - _S, _Y), (_X, _Y + _S), (_X + _S, _Y),
            role="private", fill="private",
        ),
        arrow((_X + 12, _Y - 16), (_X - 6, _Y - 56), role="bound"),
        note(_X - 14, _Y - 48, "g", anchor="end"),
        arrow((_X + 12, _Y - 16), (_X + 4, _Y + 40), role="non-private"),
        ring(_X + 12, _Y - 16, 4, role="private", filled=True),
        note(_X + 20, _Y - 10, "θ", anchor="start"),
        ring(_X, _Y + _S, 5, role="non-private", filled=True),
        note(_X + 10, _Y + _S + 12, "the best corner", anchor="start"),
        note(352, 26, "lines: one", anchor="end", soft=True),
        note(352, 42, "score each", anchor="end", soft=True),
    ),
    218,
    "A polytope with four corners, and the parallel lines on which a linear function "
    "is constant. The gradient g points across them, upward. The lowest line that "
    "still meets the polytope meets it in the bottom corner, and the step goes from "
    "the model toward that corner.",
)  # fmt: skip
