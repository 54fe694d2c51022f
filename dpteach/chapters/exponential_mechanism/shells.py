"""A diagram of the chapter on the exponential mechanism: shells of equal risk."""

from math import exp

from ..shared.drawing import Drawing, line, note, ring

_X, _BASE, _P = 204, 150, 2  # where the bars begin and stand, and the dimension


def _bars(values: list[float], role: str, shift: float) -> str:
    top = max(values)
    return "".join(
        line(
            (_X + 29 * k + shift, _BASE),
            (_X + 29 * k + shift, _BASE - 100 * each / top),
            (_X + 29 * k + shift + 9, _BASE - 100 * each / top),
            (_X + 29 * k + shift + 9, _BASE),
            role=role,
            fill=role,
        )
        for k, each in enumerate(values)
    )


_VOLUME = [float((k + 1) ** _P - k**_P) for k in range(5)]
_CHANCE = [v * exp(-1.0 * (k + 0.5)) for k, v in enumerate(_VOLUME)]

shells = Drawing(
    (
        *(ring(92, 96, 16.0 * k, role="reference") for k in range(1, 6)),
        ring(92, 96, 3.5, role="non-private", filled=True),
        note(92, 202, "levels of the risk"),
        _bars(_VOLUME, "reference", 0),
        _bars(_CHANCE, "private", 11),
        line((_X - 6, _BASE), (352, _BASE)),
        *(note(_X + 29 * k + 10, 168, f"{k + 1}") for k in range(5)),
        note(_X + 68, 186, "shell, counted outward", soft=True),
        note(_X + 68, 24, "gray: its volume"),
        note(_X + 68, 40, "blue: chance of a draw"),
    ),
    212,
    "Left, five circles around the best model, one for each level of the risk. Right, "
    "bars for the shells between them: volumes grow outward, but the chance of a draw "
    "is largest near the best model and then falls.",
)
