"""Drawings of the chapter on composition: losses that add up, and runs that count."""

from math import exp, pi, sqrt

from ...figures.style import write
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, note

_LOSS = Axes(20, 166, 320, 130, across=(-3, 9), up=(0, 0.82))
_STEPS = ((1, "reference"), (4, "private"), (16, "bound"))


def _density(z: float, steps: int) -> float:
    square = steps / 4  # each step has a noise multiplier of 2
    return exp(-((z - square / 2) ** 2) / (2 * square)) / sqrt(2 * pi * square)


_GRID = [k / 20 for k in range(-60, 181)]

losses_add_up = Drawing(
    (
        *(
            _LOSS.curve([(z, _density(z, T)) for z in _GRID], role=role)
            for T, role in _STEPS
        ),
        _LOSS.base(),
        note(124, 40, "1 step", anchor="start"),
        note(146, 90, "4 steps", anchor="start"),
        note(196, 118, "16: mean 2, deviation 2", anchor="start"),
        *(note(_LOSS.at(z, 0)[0], 184, write(z)) for z in (-2, 0, 2, 4, 6, 8)),
        note(180, 204, "privacy loss of all steps together, at λ = 2", soft=True),
    ),
    214,
    "Normal densities of the privacy loss of 1, 4 and 16 steps at a noise multiplier "
    "of 2. Their means are an eighth, one half and 2, and their deviations one half, "
    "1 and 2: the mean grows as the number of steps, the deviation as its root.",
)


def _run(number: int) -> str:
    x = 44 + 68 * number
    name = ("run 1", "run 2", "run 3", "…", "run 20")[number]
    role = "private" if number == 2 else "soft"
    chosen = number == 2
    return "".join(
        (
            arrow((180, 42), (x, 72)),
            box(x - 30, 74, 60, 30, name, role=role),
            arrow((x, 104), (180, 142), role="private") if chosen else "",
        )
    )


twenty_runs = Drawing(
    (
        box(60, 8, 240, 34, "the records"),
        *(_run(number) for number in range(5)),
        box(60, 144, 240, 34, "the best of them is published", role="private"),
        note(180, 202, "The records decided which one, so all twenty count."),
    ),
    212,
    "The records go into twenty runs, of which one, the best, is published. Since "
    "the records decided which one it was, all twenty runs count.",
)
