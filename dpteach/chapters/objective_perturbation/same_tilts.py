"""A drawing of the chapter on objective perturbation: the same tilts, two bowls."""

import numpy as np

from ..shared.axes import Axes
from ..shared.drawing import Drawing, line, note

_TILTS = np.random.default_rng(7).laplace(size=1000)
_CURVES = (1.0, 4.0)  # a bowl, and one that a record has curved
_EDGES = np.linspace(-3, 3, 25)
_WIDE = 6 / 24


def _panel(left: float, curved: float, role: str, name: str) -> tuple[str, ...]:
    minima = -_TILTS / curved  # of curved·θ²/2 + bθ
    counts, _ = np.histogram(minima, _EDGES)
    axes = Axes(left, 196, 158, 110, across=(-3, 3), up=(0, 450))
    bowl = Axes(left, 76, 158, 44, across=(-3, 3), up=(0, 4.5))
    reach = min(3.0, (9 / curved) ** 0.5)
    places = np.linspace(-reach, reach, 41).tolist()
    columns = [
        line(
            axes.at(low, 0),
            axes.at(low, n),
            axes.at(low + _WIDE, n),
            axes.at(low + _WIDE, 0),
            role=role,
            fill=role,
        )
        for low, n in zip(_EDGES.tolist(), counts.tolist(), strict=False)
        if n
    ]
    return (
        note(left + 79, 18, name),
        bowl.curve(((t, curved * t * t / 2) for t in places), role="reference"),
        *columns,
        axes.base(),
        note(axes.at(0, 0)[0], 213, "0"),
    )


_INSIDE = [int((abs(_TILTS / curved) < 0.25).sum()) for curved in _CURVES]

same_tilts = Drawing(
    (
        *_panel(10, _CURVES[0], "private", "a flat bowl"),
        *_panel(192, _CURVES[1], "bound", "four times as curved"),
        note(180, 234, "where the minima of 1,000 tilted bowls lie", soft=True),
    ),
    242,
    "Two bowls, and below each a histogram of the minima that the same 1,000 tilts "
    f"give it. Under the flat bowl they are spread out: {_INSIDE[0]} lie within a "
    "quarter of the middle. Under the bowl that is four times as curved they lie "
    f"around the middle: {_INSIDE[1]} do.",
)  # fmt: skip
