"""A drawing of the chapter on Frank-Wolfe: how often each corner wins a vote."""

from math import exp

from ..shared.drawing import Drawing, bar, line, note

_SCORES = {"e₁": -60, "−e₂": -40, "e₂": 40, "−e₁": 60}
_BASE = 156


def _chances(scale: float) -> list[float]:
    weights = [exp(-score / scale) for score in _SCORES.values()]
    return [weight / sum(weights) for weight in weights]


_FEW, _MANY = _chances(25.6), _chances(51.3)  # the example: T = 9 and T = 33


def _pair(place: int) -> str:
    pieces = []
    for k, (chances, role) in enumerate(((_FEW, "private"), (_MANY, "bound"))):
        x, tall = 24 + 84 * place + 34 * k, 160 * chances[place]
        pieces.append(bar(x, _BASE - tall, 30, tall, role=role))
        pieces.append(note(x + 15, _BASE - tall - 6, f"{chances[place]:.2f}"))
    return "".join(pieces)


who_wins = Drawing(
    (
        note(10, 18, "How often each corner wins", anchor="start"),
        *(_pair(place) for place in range(4)),
        line((14, _BASE), (350, _BASE)),
        *(
            note(56 + 84 * k, 174, f"{name}: {score}".replace("-", "−"))
            for k, (name, score) in enumerate(_SCORES.items())
        ),
        note(180, 196, "left bars: T = 9, right bars: T = 33", soft=True),
    ),
    206,
    "Two bars for each of four corners. With nine models, the corner of the lowest "
    f"score wins with probability {_FEW[0]:.2f}, the next with {_FEW[1]:.2f}, and the "
    f"two bad ones with {_FEW[2] + _FEW[3]:.2f} together. With 33 models and twice the "
    f"noise it is {_MANY[0]:.2f}, {_MANY[1]:.2f} and {_MANY[2] + _MANY[3]:.2f}.",
)
