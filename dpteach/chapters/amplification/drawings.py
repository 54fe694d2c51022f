"""Drawings of the chapter on amplification: who is in which batch, and what shows."""

from math import exp, pi, sqrt

import numpy as np

from ...figures.style import write
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_RATE = 0.2


def _normal(x: float, center: float) -> float:
    return exp(-((x - center) ** 2) / 2) / sqrt(2 * pi)


_GRID = [k / 20 for k in range(-60, 81)]
_BELLS = Axes(20, 168, 320, 130, across=(-3, 4), up=(0, 0.42))

the_pair = Drawing(
    (
        _BELLS.curve(
            [(x, (1 - _RATE) * _normal(x, 0) + _RATE * _normal(x, 1)) for x in _GRID],
            role="private",
            fill="private",
        ),
        _BELLS.curve([(x, _normal(x, 0)) for x in _GRID], role="reference"),
        _BELLS.curve(
            [(x, _normal(x, 1)) for x in _GRID], role="non-private", dashed=True
        ),
        _BELLS.base(),
        *(note(_BELLS.at(x, 0)[0], 186, write(x)) for x in (-2, 0, 1, 3)),
        note(20, 16, "Q: without the record (gray line)", anchor="start"),
        note(340, 34, "with it, in every batch (dashed)", anchor="end"),
        note(180, 208, "P: with it, in one batch of five (blue area)"),
    ),
    216,
    "Three curves at a noise multiplier of 1. Without the record the output is "
    "normal around 0. With the record in every batch it is normal around 1, far to "
    "the right. With the record in one batch of five the curve is a mixture of the "
    "two, and lies close to the first; it is higher only in the right tail.",
)

_RECORDS, _STEPS, _EPOCH, _SIZE = 6, 6, 3, 2
_SIDE = 15


def _fixed(rng: np.random.Generator) -> np.ndarray:
    del rng
    order = np.repeat(np.arange(_EPOCH), _SIZE)
    return np.hstack([np.equal.outer(order, np.arange(_EPOCH))] * 2).astype(int)


def _shuffled(rng: np.random.Generator) -> np.ndarray:
    once = np.eye(_EPOCH, dtype=int).repeat(_SIZE, axis=0)
    return np.hstack([once[rng.permutation(_RECORDS)] for _ in range(2)])


def _fixed_size(rng: np.random.Generator) -> np.ndarray:
    batch = np.arange(_RECORDS) < _SIZE
    return np.stack([rng.permutation(batch) for _ in range(_STEPS)], axis=1).astype(int)


def _replaced(rng: np.random.Generator) -> np.ndarray:
    draws = rng.integers(_RECORDS, size=(_STEPS, _SIZE))
    return np.stack([np.bincount(d, minlength=_RECORDS) for d in draws], axis=1)


def _bins(rng: np.random.Generator) -> np.ndarray:
    picks = rng.integers(_EPOCH, size=(2, _RECORDS))
    return np.hstack([np.eye(_EPOCH, dtype=int)[pick] for pick in picks])


def _allocation(rng: np.random.Generator) -> np.ndarray:
    two = np.arange(_STEPS) < 2
    return np.stack([rng.permutation(two) for _ in range(_RECORDS)]).astype(int)


def _coins(rng: np.random.Generator) -> np.ndarray:
    return (rng.random((_RECORDS, _STEPS)) < 1 / _EPOCH).astype(int)


def _board(x: float, y: float, name: str, drawn: np.ndarray) -> str:
    cells = []
    for (record, step), times in np.ndenumerate(drawn):
        left, top = x + 18 * step + 6 * (step >= _EPOCH), y + 18 * record
        cells.append(
            f'<rect x="{left:g}" y="{top:g}" width="{_SIDE}" height="{_SIDE}" rx="2" '
            'fill="none" stroke="var(--dpt-grid)"/>'
        )
        if times:
            role = "private" if record == 0 else "reference"
            cells.append(bar(left, top, _SIDE, _SIDE, role=role))
        if times > 1:
            cells.append(
                f'<rect x="{left:g}" y="{top:g}" width="{_SIDE}" height="{_SIDE}" '
                f'fill="var(--dpt-reference)"/><text x="{left + 7.5:g}" '
                f'y="{top + 12:g}" text-anchor="middle" fill="var(--dpt-paper)">'
                f"{times}</text>"
            )
    return note(x, y - 8, name, anchor="start") + "".join(cells)


_SCHEMES = {
    "fixed order": _fixed, "shuffled": _shuffled,
    "fixed size": _fixed_size, "with replacement": _replaced,
    "balls and bins": _bins, "random allocation": _allocation,
    "Poisson": _coins,
}  # fmt: skip

_REMARKS = (
    "row: a record, the first in blue",
    "column: a step, two epochs of 3",
    "filled: the record takes part",
)

seven_schemes = Drawing(
    (
        *(
            _board(20 + 186 * (k % 2), 26 + 144 * (k // 2), name,
                   draw(np.random.default_rng(4)))
            for k, (name, draw) in enumerate(_SCHEMES.items())
        ),
        *(
            note(356, 492 + 22 * k, remark, anchor="end", soft=True)
            for k, remark in enumerate(_REMARKS)
        ),
    ),
    572,
    "Seven boards with six records as rows and six steps as columns, in two epochs "
    "of three; a filled cell says that the record takes part in the step. With a "
    "fixed order both epochs are the same staircase. Shuffled, fixed size and with "
    "replacement have two entries in every column. Shuffled, and balls and bins, "
    "have one entry in every row and epoch. Random allocation has two entries in "
    "every row. Poisson fixes neither the rows nor the columns.",
)  # fmt: skip

_LAMBDA, _STEPS_SHOWN, _HERS = 0.6972, 24, 9
_NOISE = _LAMBDA * np.random.default_rng(1).standard_normal(_STEPS_SHOWN)
_SUMS = Axes(24, 150, 328, 120, across=(-0.5, _STEPS_SHOWN - 0.5), up=(-1.8, 2.6))
_CUT = 1.6


def _stems() -> str:
    stems = []
    for step, noise in enumerate(_NOISE):
        hers = step == _HERS
        role = "private" if hers else "reference"
        foot = _SUMS.at(step, 0)
        head = _SUMS.at(step, float(noise) + 2 * hers)
        stems.append(line(foot, head, role=role))
        stems.append(
            f'<circle cx="{head[0]:g}" cy="{head[1]:g}" r="3.5" '
            f'fill="var(--dpt-{role})"/>'
        )
    return "".join(stems)


sums_of_an_epoch = Drawing(
    (
        _stems(),
        line(_SUMS.at(-0.5, 0), _SUMS.at(_STEPS_SHOWN - 0.5, 0)),
        line(
            _SUMS.at(-0.5, _CUT),
            _SUMS.at(_STEPS_SHOWN - 0.5, _CUT),
            role="bound",
            dashed=True,
        ),
        note(24, 14, "the attacker’s threshold (dashed)", anchor="start"),
        note(20, _SUMS.at(0, 0)[1] + 4, "0", anchor="end", soft=True),
        note(180, 172, "steps of one shuffled epoch", soft=True),
        note(180, 192, "gray: batches of others. Blue: with the record"),
    ),
    202,
    "The noisy sums of 24 steps of one shuffled epoch, counted from what a batch of "
    "others gives, at a noise multiplier of 0.6972. All but one scatter around 0. "
    "The sum of the batch with the record lies around 2 and is the only one above "
    "the attacker’s threshold.",
)


def _batch(y: float, title: str, members: list[str], total: str) -> str:
    boxes = [
        box(
            10 + 46 * k,
            y + 10,
            40,
            30,
            each,
            role="private" if each == "+1" else "soft",
        )
        for k, each in enumerate(members)
    ]
    return (
        note(10, y, title, anchor="start")
        + "".join(boxes)
        + arrow((254, y + 25), (284, y + 25))
        + note(290, y + 30, f"sum {total}", anchor="start")
    )


_OTHERS = ["−1"] * 4

joined_or_displaced = Drawing(
    (
        _batch(18, "without the record", _OTHERS, "−4"),
        _batch(84, "coins: it joins the batch", [*_OTHERS, "+1"], "−3"),
        _batch(150, "fixed size: it takes a place", [*_OTHERS[1:], "+1"], "−2"),
    ),
    198,
    "Three batches of gradients. Without the record, four gradients of minus 1 sum "
    "to minus 4. With coins it joins with plus 1, and the sum is minus 3: moved by "
    "1. With a fixed size it takes the place of another one, and the sum is minus 2: "
    "moved by 2.",
)

_PLANE = Axes(90, 196, 180, 180, across=(-1.5, 2.5), up=(-1.5, 2.5))
_CENTERS = ((1, 0, "private"), (0, 1, "private"), (0, 0, "reference"))
_UNIT = _PLANE.width / 4

two_steps = Drawing(
    (
        line(_PLANE.at(-1.5, 0), _PLANE.at(2.5, 0), role="grid"),
        line(_PLANE.at(0, -1.5), _PLANE.at(0, 2.5), role="grid"),
        *(
            ring(*_PLANE.at(x, y), radius, role=role, filled=radius < _UNIT)
            for x, y, role in _CENTERS
            for radius in (4, _UNIT)
        ),
        note(276, _PLANE.at(0, 0)[1] + 4, "output", anchor="start", soft=True),
        note(276, _PLANE.at(0, 0)[1] + 20, "of step 1", anchor="start", soft=True),
        note(84, 28, "output", anchor="end", soft=True),
        note(84, 44, "of step 2", anchor="end", soft=True),
        note(_PLANE.at(1.3, 0)[0], 32, "blue: with the", anchor="start"),
        note(_PLANE.at(1.3, 0)[0], 48, "record, half", anchor="start"),
        note(_PLANE.at(1.3, 0)[0], 64, "a chance each", anchor="start"),
        note(180, 216, "gray: without it. Circles: one deviation, λ = 1"),
    ),
    226,
    "The pair of an epoch of two steps, in the plane of the two outputs. Without the "
    "record the outputs are normal around the origin. With it they are normal around "
    "1 on the first axis or around 1 on the second axis, each with probability one "
    "half. At a noise multiplier of 1 the three circles overlap.",
)
