"""The drawing of the chapter on DP-SGD: one step, as in its worked example."""

from ..shared.drawing import Drawing, arrow, bar, box, line, note

_UNIT = 26  # how long a vector of the clip norm is
_GRADIENTS = ((3.0, 4.0), (0.6, 0.0), (0.0, -0.5), (-0.3, 0.4))
_CLIPPED = ((0.6, 0.8), *_GRADIENTS[1:])
_SUM, _NOISY = (0.9, 0.7), (2.0, -1.8)


def _at(
    origin: tuple[float, float], vector: tuple[float, float]
) -> tuple[float, float]:
    return origin[0] + _UNIT * vector[0], origin[1] - _UNIT * vector[1]


def _vectors(origin: tuple[float, float], *vectors: tuple[float, float]) -> str:
    return "".join(arrow(origin, _at(origin, each)) for each in vectors)


def _circle(place: tuple[float, float], radius: float, role: str) -> str:
    return (
        f'<circle cx="{place[0]:g}" cy="{place[1]:g}" r="{radius:g}" fill="none" '
        f'stroke="var(--dpt-{role})" stroke-width="1.5" stroke-dasharray="4 3"/>'
    )


_FIRST, _SECOND, _THIRD = (42.0, 142.0), (168.0, 142.0), (272.0, 142.0)

one_step = Drawing(
    (
        note(62, 20, "1. gradients"),
        _circle(_FIRST, _UNIT, "private"),
        _vectors(_FIRST, *_GRADIENTS),
        note(42, 184, "norm L", soft=True),
        note(168, 20, "2. clipped"),
        _circle(_SECOND, _UNIT, "private"),
        _vectors(_SECOND, *_CLIPPED),
        note(168, 184, "none is longer", soft=True),
        note(292, 20, "3. sum, and noise"),
        _vectors(_THIRD, _SUM),
        _circle(_at(_THIRD, _SUM), 2 * _UNIT, "measured"),
        arrow(_at(_THIRD, _SUM), _at(_THIRD, _NOISY), role="measured"),
        note(294, 62, "noise Lλ", soft=True),
        note(180, 222, "4. The step goes against the noisy sum,"),
        note(180, 240, "and then back to the set, if it has left it."),
    ),
    250,
    "One step of DP-SGD. First, four gradients start at one point; one of them is "
    "five times as long as the clip norm. Second, that one is cut to the clip norm, "
    "and the others stay. Third, their sum gets noise of twice the clip norm in each "
    "direction. The step goes against the noisy sum.",
)


def _draw(x: float, y: float, radius: float, role: str) -> str:
    return _circle((x, y), radius, role) + (
        f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="var(--dpt-{role})"/>'
    )


added_or_exchanged = Drawing(
    (
        note(10, 18, "A coin for each record: its gradient is added", anchor="start"),
        _draw(110, 70, 34, "reference"),
        arrow((110, 70), (168, 70), role="private"),
        _draw(172, 70, 34, "private"),
        note(141, 124, "moved by L", soft=True),
        note(10, 152, "One draw: it takes the place of another", anchor="start"),
        _draw(110, 206, 34, "reference"),
        arrow((110, 206), (168, 206), role="bound"),
        arrow((172, 206), (230, 206), role="private"),
        _draw(234, 206, 34, "private"),
        note(172, 260, "moved by 2L", soft=True),
        note(274, 74, "circle: noise", anchor="start", soft=True),
        note(276, 202, "orange: the", anchor="start", soft=True),
        note(276, 218, "other leaves", anchor="start", soft=True),
    ),
    270,
    "Two pictures of a noisy sum without the record and with it. With a coin for "
    "each record the sum moves by one clip norm. With one draw an opposite gradient "
    "leaves as well, so the sum moves by two clip norms, and the circles of noise "
    "lie apart.",
)

same_noise = Drawing(
    (
        note(86, 18, "fresh noise"),
        note(270, 18, "the same noise"),
        *(
            box(x, y, 130, 32, text, role=role)
            for x, y, text, role in (
                (20, 30, "g₁ + z₁", "private"),
                (20, 70, "g₂ + z₂", "private"),
                (204, 30, "g₁ + z", "broken"),
                (204, 70, "g₂ + z", "broken"),
            )
        ),
        arrow((85, 102), (85, 132)),
        arrow((269, 102), (269, 132)),
        note(93, 122, "subtract", anchor="start", soft=True),
        note(277, 122, "subtract", anchor="start", soft=True),
        box(10, 134, 150, 32, "g₁ − g₂ + z₁ − z₂", role="private"),
        box(204, 134, 130, 32, "g₁ − g₂", role="broken"),
        note(85, 186, "still hidden", soft=True),
        note(269, 186, "exact", soft=True),
    ),
    196,
    "Two released steps, subtracted from each other. With fresh noise the difference "
    "is that of the gradients plus two draws of noise. With the same noise in both "
    "steps it is the difference of the gradients, exactly.",
)

_CHAIN = ((0.9, 0.3), (-0.2, 0.8), (0.8, -0.1), (0.5, 0.6), (0.6, -0.7))


def _chain(start: tuple[float, float]) -> str:
    parts, place = [], start
    for k, each in enumerate(_CHAIN):
        end = _at(place, (1.8 * each[0], 1.8 * each[1]))
        last = k == len(_CHAIN) - 1
        parts.append(arrow(place, end, role="private" if last else "soft"))
        if last:
            parts.append(note(end[0] + 8, end[1] + 4, "with it", anchor="start"))
            parts.append(note(place[0], place[1] - 8, "without the last record"))
        place = end
    return "".join(parts)


end_to_end = Drawing(
    (
        _chain((60.0, 150.0)),
        note(60, 172, "0"),
        note(220, 172, "gray: the others’ gradients", soft=True),
        note(220, 190, "blue: the record’s, at most L long", soft=True),
    ),
    200,
    "Five gradients drawn end to end. Their sum with the last record and their sum "
    "without it are one arrow apart, which is at most L long.",
)

one_more_step = Drawing(
    (
        arrow((60, 150), (220, 150), role="private"),
        arrow((220, 150), (220, 40), role="private"),
        arrow((60, 150), (216, 43), role="bound"),
        '<path d="M208 150V138H220" fill="none" stroke="var(--dpt-soft)"/>',
        note(140, 170, "what step 1 shows: μ₁"),
        note(228, 100, "step 2: μ₂", anchor="start"),
        note(126, 84, "both: μ", anchor="end"),
        note(180, 198, "fresh noise makes the angle right: μ² = μ₁² + μ₂²", soft=True),
    ),
    208,
    "A right triangle. One leg is what the first step shows, mu 1, the other what the "
    "second step shows, mu 2. The hypotenuse is what both show together, so its square "
    "is the sum of the squares.",
)

_HEIGHT = 108  # of the squared distance before the step


def _part(k: int, top: float, size: float, role: str, *names: str) -> str:
    """Draw a bar from a level down by its size, and its names below."""
    x = 14 + 70 * k
    y = 160 - _HEIGHT * top
    amount = f"{size:.3g}" if k in (0, 4) else f"{'−' if k == 1 else '+'}{size:.3g}"
    below = (note(x + 25, 178 + 16 * j, name) for j, name in enumerate(names))
    return "".join(
        (bar(x, y, 50, _HEIGHT * size, role=role), note(x + 25, y - 6, amount), *below)
    )


one_step_nearer = Drawing(
    (
        note(10, 18, "squared distance from the best model", anchor="start"),
        line((8, 160), (352, 160)),
        _part(0, 1, 1, "reference", "before"),
        _part(1, 1, 0.5, "private", "gain"),
        _part(2, 0.625, 0.125, "bound", "gradient,", "squared"),
        _part(3, 0.75, 0.125, "measured", "noise,", "squared"),
        _part(4, 0.75, 0.75, "reference", "after"),
    ),
    202,
    "Bars for one step. The squared distance is 1 before it. The gain takes away 0.5, "
    "the squared gradient brings back 0.125, and so does the squared noise. After the "
    "step it is 0.75.",
)
