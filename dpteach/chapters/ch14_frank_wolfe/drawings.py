"""The drawing of the chapter on Frank-Wolfe: one step's vote."""

from ..shared.drawing import Drawing, arrow, box, note

_TOP = 118


def _bar(x: float, height: float, role: str) -> str:
    return (
        f'<rect x="{x:g}" y="{_TOP + 60 - height:g}" width="30" height="{height:g}" '
        f'fill="var(--dpt-{role})" fill-opacity="0.75"/>'
    )


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
    "One step of private Frank-Wolfe. The records give a gradient, and the gradient a "
    "score for each corner. Noise is added to the scores. Without noise the right "
    "corner "
    "would win; with it, the bottom one does, because its noisy score is the lowest. "
    "Only "
    "the winner’s name is published, and the model walks a part of the way to it.",
)
