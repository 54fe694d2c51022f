"""Diagrams of the chapter on DP-FTRL in practice: passes, momentum, and prices."""

import numpy as np

from ...algorithms import tree_noise
from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note

_STRUCK = (
    '<line x1="{}" y1="137" x2="{}" y2="121" stroke="var(--dpt-broken)" '
    'stroke-width="1.5"/>'
)


def _pass(number: int, x: float) -> tuple:
    return (
        note(x, 14, "fresh noise"),
        arrow((x, 22), (x, 52), role="bound"),
        box(x - 40, 52, 80, 44, f"pass {number}", "T batches"),
        arrow((x, 96), (x, 150)),
        note(x, 166, "T models"),
    )


def _handed_on(x: float) -> tuple:
    return (
        arrow((x - 22, 74), (x + 22, 74), role="private"),
        note(x, 66, "s + b"),
        note(x, 133, "exact s", soft=True),
        _STRUCK.format(x - 24, x + 24),
    )


pass_after_pass = Drawing(
    (
        *_pass(1, 56),
        *_handed_on(118),
        *_pass(2, 180),
        *_handed_on(242),
        *_pass(3, 304),
    ),
    174,
    "Three boxes in a row, one for each pass over the same batches. Each gets fresh "
    "noise from above and releases T models below. An arrow from each box to the "
    "next carries the sum with its noise; the exact sum is struck out.",
)

_TREE = tree_noise(64, sigma=1.0, shape=(), rng=2)
_GAMMA = 0.9


def _running(noise: np.ndarray) -> list[float]:
    mean, path = 0.0, []
    for each in noise:
        mean = _GAMMA * mean + (1 - _GAMMA) * float(each)
        path.append(mean)
    return path


_TIME = Axes(30, 160, 310, 136, across=(1, 64), up=(-4, 4))

evened_out = Drawing(
    (
        line(_TIME.at(1, 0), _TIME.at(64, 0)),
        _TIME.curve(enumerate(_TREE.tolist(), 1), role="reference"),
        _TIME.curve(enumerate(_running(_TREE), 1), role="private"),
        note(24, _TIME.at(1, 0)[1] + 4, "0", anchor="end", soft=True),
        note(30, 14, "noise of the tree’s sums (gray)", anchor="start"),
        note(30, 180, "its running mean at γ = 0.9 (blue)", anchor="start"),
        note(340, 180, "64 steps", anchor="end", soft=True),
    ),
    190,
    "One draw of the tree’s noise over 64 steps jumps up and down from step to step. "
    "Its running mean with momentum 0.9 stays much closer to 0 and moves slowly.",
)

_PRICES = (("DP-FTRL", 18.71, 17.67), ("DP-SGD", 18.04, 14.95))


def _priced(number: int) -> str:
    name, renyi, tight = _PRICES[number]
    y = 62 + 68 * number
    return "".join(
        (
            note(80, y + 28, name, anchor="end"),
            bar(88, y, 11 * renyi, 20, role="reference"),
            note(94 + 11 * renyi, y + 15, f"{renyi}", anchor="start"),
            bar(88, y + 24, 11 * tight, 20, role="private"),
            note(94 + 11 * tight, y + 39, f"{tight}", anchor="start"),
        )
    )


two_accountants = Drawing(
    (
        note(10, 18, "ε at δ = 10⁻⁶, by two accountants:", anchor="start"),
        note(10, 38, "Rényi (gray), exact or loss distribution (blue)", anchor="start"),
        *(_priced(number) for number in range(2)),
        line((88, 54), (88, 180)),
    ),
    190,
    "Bars of the price of two methods by two accountants. DP-FTRL: 18.71 by the "
    "Rényi accountant, 17.67 exactly. DP-SGD: 18.04 by the Rényi accountant, 14.95 "
    "by the loss distribution. With either accountant DP-SGD is cheaper; but 17.67 "
    "is below 18.04.",
)

_THIRD = 66  # how long μ = 1/3 is


def _both(left: float, second: float, title: str, said: str) -> str:
    """Draw what each pass shows as a leg of a triangle, and both as its third side."""
    start, corner = (left, 168), (left + _THIRD, 168)
    end = (left + _THIRD, 168 - second * _THIRD)
    return "".join(
        (
            note(left + 40, 18, title),
            arrow(start, corner, role="private"),
            arrow(corner, end, role="private"),
            arrow(start, end, role="bound"),
            note(left + 33, 186, "pass 1: 1/3"),
            note(left + _THIRD + 8, 168 - second * _THIRD / 2 + 4, f"{second}/3",
                 anchor="start"),
            note(left + 22, 160 - second * _THIRD / 2, said, anchor="end"),
        )
    )  # fmt: skip


kept_exact = Drawing(
    (
        _both(60, 1, "noisy sum kept", "0.471"),
        _both(240, 2, "exact sum kept", "0.745"),
        note(180, 208, "upright: what pass 2 shows of the record", soft=True),
    ),
    216,
    "Two right triangles. In both, the first pass shows mu one third. Where the noisy "
    "sum is kept, the second pass shows one third as well, and both together 0.471. "
    "Where the exact sum is kept, the second pass shows two thirds, and both 0.745.",
)
