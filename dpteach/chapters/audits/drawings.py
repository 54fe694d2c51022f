"""Drawings of the chapter on auditing: the game, the tape, and noise that cancels."""

from math import sqrt

import numpy as np

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

the_game = Drawing(
    (
        box(6, 60, 62, 40, "a coin", role="non-private"),
        arrow((68, 72), (94, 42)),
        arrow((68, 88), (94, 118)),
        box(96, 18, 112, 44, "the data", "and the canary", role="private"),
        box(96, 98, 112, 44, "the data", "alone"),
        arrow((208, 42), (234, 70)),
        arrow((208, 118), (234, 90)),
        box(236, 60, 62, 40, "the code", role="bound"),
        line((298, 80), (330, 80)),
        arrow((330, 80), (330, 186), (300, 186)),
        note(324, 132, "a release", anchor="end", soft=True),
        box(178, 164, 120, 44, "the guesser:", "“in” or “out”?", role="broken"),
        arrow((178, 186), (37, 186), (37, 104), role="soft"),
        note(104, 178, "right?", soft=True),
    ),
    218,
    "The game, as a loop. A coin decides whether the canary is added to the data. "
    "The code runs on the data and releases something. The guesser sees the release "
    "and says in or out, and the guess is compared with the coin.",
)

_RUNS = (
    ("0, 0, 0", "without it", "m", "soft"),
    ("1, 0, 0", "without it", "m + 1st column of B", "bound"),
    ("0, 1, 0", "without it", "m + 2nd column of B", "bound"),
    ("0, 0, 1", "without it", "m + 3rd column of B", "bound"),
    ("0, 0, 0", "the canary", "m + d", "private"),
)


def _replay(number: int) -> str:
    tape, data, out, role = _RUNS[number]
    y = 30 + 40 * number
    return "".join(
        (
            box(6, y, 66, 28, tape),
            note(120, y + 19, data, soft=True),
            arrow((164, y + 14), (196, y + 14)),
            box(198, y, 156, 28, out, role=role),
        )
    )


five_runs = Drawing(
    (
        note(39, 18, "the tape"),
        note(120, 18, "the data"),
        note(276, 18, "what the code returns"),
        *(_replay(number) for number in range(len(_RUNS))),
        note(180, 246, "Subtract the first row: all of B, and d."),
    ),
    256,
    "Five runs of the code on a tape of three numbers. All zeros give m. A one in "
    "the first, second or third place gives m plus the first, second or third column "
    "of B. All zeros with the canary give m plus d. Subtracting the first run yields "
    "B and d.",
)

_DRAWS = np.random.default_rng(1).standard_normal((2, 60))
_LEFT = Axes(12, 196, 156, 156, across=(-2.8, 3.8), up=(-3.2, 3.2))
_RIGHT = Axes(192, 196, 156, 156, across=(-2.8, 3.8), up=(-3.2, 3.2))
_MOVED = 1.2


def _cloud(axes: Axes, second: int) -> str:
    dots = []
    for number, z in enumerate(_DRAWS[0]):
        hers = number % 2
        other = _DRAWS[second, number]
        place = axes.at(float(z) + _MOVED * hers, float(other))
        dots.append(ring(*place, 2.6, role="private" if hers else "reference",
                         filled=bool(hers)))  # fmt: skip
    return "".join(dots)


two_layers = Drawing(
    (
        note(90, 16, "a key for each layer"),
        note(270, 16, "one key for both"),
        *(
            line((a.left, a.bottom - 156), (a.left, a.bottom), (a.left + 156, a.bottom))
            for a in (_LEFT, _RIGHT)
        ),
        _cloud(_LEFT, 1),
        _cloud(_RIGHT, 0),
        note(90, 214, "layer 1", soft=True),
        note(270, 214, "layer 1", soft=True),
        note(
            180, 236, "up: layer 2. Blue disks: with the canary, in layer 1", soft=True
        ),
    ),
    246,
    "Two scatter plots of what two layers release, thirty runs with the canary and "
    "thirty without. With a key for each layer both kinds of run form one cloud. "
    "With one key all runs without the canary lie on one line, and all runs with it "
    "on another line beside it, so one look tells them apart.",
)

_BARS = Axes(70, 150, 270, 110, across=(0, 4), up=(0, 2.2))
_SPREADS = (
    (sqrt(2), "sum"),
    (sqrt(2), "difference"),
    (2.0, "sum"),
    (0.0, "difference"),
)


def _spread(number: int) -> str:
    spread, name = _SPREADS[number]
    left, top = _BARS.at(number + 0.2, spread)
    role = "private" if number < 2 else "broken"
    return "".join(
        (
            bar(left, top, 40, _BARS.bottom - top, role=role),
            note(left + 20, top - 6, f"{spread:.2f}" if spread else "0"),
            note(left + 20, 166, name),
        )
    )


sum_or_difference = Drawing(
    (
        note(20, 16, "Deviation of the noise in the score, two steps", anchor="start"),
        *(_spread(number) for number in range(4)),
        _BARS.base(),
        note(138, 188, "fresh noise", soft=True),
        note(272, 188, "the same noise twice", soft=True),
    ),
    198,
    "Bars for the deviation of the noise in two scores, in units of one step's "
    "noise. With fresh noise in each step both the sum and the difference of two "
    "steps have 1.41. With the same noise twice the sum has 2, more than it should, "
    "and the difference has 0.",
)
