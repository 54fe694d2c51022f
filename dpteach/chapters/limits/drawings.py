"""The drawings of the chapter on lower bounds: an attack, and steps of its proofs."""

from math import cos, exp, radians, sin, sqrt

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note, ring

attack_and_bound = Drawing(
    (
        box(10, 8, 120, 50, "n records,", "one is hers", role="private"),
        arrow((130, 33), (216, 33)),
        note(173, 25, "mean", soft=True),
        box(218, 8, 132, 50, "published,", "with an error α", role="measured"),
        arrow((284, 58), (284, 86)),
        box(190, 88, 160, 50, "attacker: does it", "agree with her?", role="broken"),
        box(10, 88, 120, 50, "her data, known", "from elsewhere", role="soft"),
        arrow((130, 113), (188, 113)),
        '<path d="M10 160H350" stroke="var(--dpt-grid)" stroke-width="1"/>',
        box(10, 176, 162, 50, "if α is small,", "the attack wins", role="broken"),
        box(188, 176, 162, 50, "if ε is small,", "no attack wins", role="private"),
        arrow((91, 226), (91, 252), (140, 266)),
        arrow((269, 226), (269, 252), (220, 266)),
        box(60, 268, 240, 36, "if ε is small, α is not", role="bound"),
    ),
    314,
    "Above, the attack: a mean of records is published with some error, and an "
    "attacker who knows a person’s data asks whether the mean agrees with her more "
    "than chance would have it. Below, the bound: if the error were small, the "
    "attack would win; if epsilon is small, no attack wins; so if epsilon is small, "
    "the error is not.",
)

_SIGNS = ("+++−+−", "−+++−+", "+−++++", "+−+−+−", "−+−+−+", "+++−−−", "−−−+++")
_INFORMED = 3
_SUMS = ["+1" if sum(s == "+" for s in column) == 2 else "+3"
         for column in zip(*_SIGNS[:_INFORMED], strict=True)]  # fmt: skip


def _row(number: int) -> str:
    told = number < _INFORMED
    y = 30 + 24 * number + 10 * (number >= _INFORMED)
    y += 6 * (number >= _INFORMED + 2)
    shape = ((96, y - 15), (252, y - 15), (252, y + 5), (96, y + 5), (96, y - 15))
    role = "private" if told else "grid"
    frame = line(*shape, role=role, fill=role)
    return frame + "".join(
        note(110 + 25 * k, y, sign) for k, sign in enumerate(_SIGNS[number])
    )


pairs_cancel = Drawing(
    (
        *(_row(number) for number in range(len(_SIGNS))),
        note(86, 52, "informative", anchor="end"),
        note(262, 52, "k records", anchor="start", soft=True),
        note(86, 124, "a pair", anchor="end"),
        note(262, 124, "adds up to 0", anchor="start", soft=True),
        note(86, 178, "a pair", anchor="end"),
        note(262, 178, "adds up to 0", anchor="start", soft=True),
        line((96, 204), (252, 204)),
        note(86, 222, "sum S", anchor="end"),
        *(note(110 + 25 * k, 222, each) for k, each in enumerate(_SUMS)),
    ),
    232,
    "Seven records of six signs each. The first three have signs of their own. The "
    "other four form two pairs of opposites, each of which adds up to zero. So the "
    "sum of all seven is the sum of the first three.",
)  # fmt: skip

_P, _U = 100, 22.0  # entries of a word, and epsilon times m at the best m
_KNOWN = sqrt(2 * _U / _P)
_TAIL = Axes(34, 170, 300, 124, across=(0, 1), up=(0, 1.05))
_STEPS = [k / 100 for k in range(101)]

what_a_model_may_know = Drawing(
    (
        _TAIL.curve(
            [(t, min(1.0, exp(_U - _P * t * t / 2))) for t in _STEPS],
            role="private",
            fill="private",
        ),
        _TAIL.curve([(t, exp(-_P * t * t / 2)) for t in _STEPS], role="reference"),
        _TAIL.base(),
        line(_TAIL.at(1, 0), _TAIL.at(1, 1), role="bound", dashed=True),
        note(_TAIL.at(0, 0)[0], 188, "0"),
        note(_TAIL.at(_KNOWN, 0)[0], 188, f"{_KNOWN:.2f}"),
        note(_TAIL.at(1, 0)[0], 188, "1"),
        note(180, 206, "t, and the chance that ⟨θ, v⟩ exceeds it", soft=True),
        note(46, 16, "gray: before the word v is planted", anchor="start"),
        note(46, 34, "blue: at most, after it is planted", anchor="start"),
        note(288, 108, "excess"),
        arrow((262, 120), (_TAIL.at(1, 0)[0] - 2, 120), role="bound"),
        arrow((262, 120), (246, 120), role="bound"),
    ),
    216,
    "The chance that the model agrees with a random word of 100 signs by more than "
    "t. Without the word it falls to nothing near 0.3. With it the chance may be 1 "
    "up to t = 0.66 and then falls steeply. The best model has agreement 1. What is "
    "missing from the blue area to 1 is excess risk, about a third.",
)

_CENTER, _RADIUS, _TURN = (112.0, 108.0), 84.0, 38


def _point(angle: float, length: float) -> tuple[float, float]:
    turned = radians(angle)
    return (
        round(_CENTER[0] + _RADIUS * length * cos(turned), 1),
        round(_CENTER[1] - _RADIUS * length * sin(turned), 1),
    )


_BEST, _MODEL = _point(20, 1.0), _point(20 + _TURN, 0.9)
_AGREES = _point(20, 0.9 * cos(radians(_TURN)))

reduction = Drawing(
    (
        ring(*_CENTER, _RADIUS, role="soft"),
        line(_CENTER, _BEST, role="non-private"),
        arrow(_CENTER, _MODEL, role="private"),
        line(_MODEL, _AGREES, role="private", dashed=True),
        line(_AGREES, _BEST, role="bound", fill="bound"),
        ring(*_AGREES, 3.5, role="bound", filled=True),
        ring(*_BEST, 3.5, role="non-private", filled=True),
        note(_BEST[0] + 8, _BEST[1] + 4, "θ*", anchor="start"),
        note(_MODEL[0] - 8, _MODEL[1] + 8, "θ", anchor="end"),
        note(112, 212, "blue: private model. Orange:", soft=True),
        note(112, 228, "excess, divided by ‖S‖", soft=True),
        box(222, 8, 134, 44, "a good model θ", "little excess", role="private"),
        arrow((289, 52), (289, 116)),
        note(283, 90, "times M/n", anchor="end", soft=True),
        box(222, 118, 134, 44, "a good mean", "of the records", role="measured"),
        note(289, 182, "No private mean is,", soft=True),
        note(289, 198, "so no such model is.", soft=True),
    ),
    238,
    "Left, the ball of models with the best one, which lies along the sum S of the "
    "records, and a private one. The private model, projected on the direction of S, "
    "falls short of the best one; that distance times the length of S is the excess "
    "risk. Right, the reduction: a good private model, times M over n, would be a "
    "good private mean, and there is none.",
)

_BALL = (130.0, 128.0)  # the center of the unit ball, and its radius
_LONG = 100


def _on_ball(angle: float, length: float = 1.0) -> tuple[float, float]:
    return (
        round(_BALL[0] + _LONG * length * cos(radians(angle)), 1),
        round(_BALL[1] - _LONG * length * sin(radians(angle)), 1),
    )


_REACHED = cos(radians(50))

excess_on_the_ball = Drawing(
    (
        ring(*_BALL, _LONG, role="reference"),
        arrow(_BALL, _on_ball(0), role="non-private"),
        arrow(_BALL, _on_ball(50), role="private"),
        line(_on_ball(50), _on_ball(0, _REACHED), role="private", dashed=True),
        line(_on_ball(0, _REACHED), _on_ball(0), role="bound"),
        line((_on_ball(0, _REACHED)[0], 136), (_on_ball(0, _REACHED)[0], 142)),
        line((_on_ball(0)[0], 136), (_on_ball(0)[0], 142)),
        line((_on_ball(0, _REACHED)[0], 139), (_on_ball(0)[0], 139), role="bound"),
        note(_on_ball(0)[0] + 8, 124, "θ*, along the sum", anchor="start"),
        note(_on_ball(50)[0] + 8, _on_ball(50)[1] - 2, "θ, another model",
             anchor="start"),
        note((_on_ball(0, _REACHED)[0] + _on_ball(0)[0]) / 2, 156, "lost"),
        note(_BALL[0] + 32, 144, "⟨θ, θ*⟩"),
        note(180, 246, "times ‖S‖₂, what is lost is the excess risk", soft=True),
    ),
    254,
    "The unit ball, with the best model along the sum of the records and another "
    "model 50 degrees away. Its shadow on the best direction is 0.64 long, so 0.36 is "
    "lost, and the excess risk is that part of the length of the sum.",
)  # fmt: skip
