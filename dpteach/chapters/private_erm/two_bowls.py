"""A diagram of the chapter on private risk minimization: flat and curved bowls."""

from ..shared.drawing import Drawing, arrow, line, note, ring

_BASE, _PULL = 118, 0.45  # where the bowls stand, and the slope of one record


def _bowl(center: float, curve: float) -> str:
    at = [t * 2 for t in range(-28, 37)]
    old = [(center + t, _BASE - curve * t * t / 2) for t in at]
    new = [(x, y + _PULL * (x - center)) for x, y in old]
    moved = _PULL / curve
    low = _BASE + _PULL * moved / 2
    return "".join(
        (
            line(*old, role="non-private"),
            line(*new, role="private", dashed=True),
            ring(center, _BASE, 3.5, role="non-private", filled=True),
            ring(center + moved, low, 3.5, role="private", filled=True),
            arrow((center, 152), (center + moved, 152), role="bound"),
        )
    )


two_bowls = Drawing(
    (
        _bowl(86, 0.012),
        _bowl(266, 0.036),
        note(86, 16, "slightly curved"),
        note(266, 16, "three times as curved"),
        note(104, 174, "far", soft=True),
        note(272, 174, "a third as far", soft=True),
        note(8, 200, "Dashed: with one more record, the same slope.",
             anchor="start", soft=True),
        note(8, 216, "The more a bowl is curved, the less it moves.",
             anchor="start", soft=True),
    ),
    226,
    "Two bowls. One record adds the same slope to each. The minimum of the flat bowl "
    "moves far, that of the bowl that is three times as curved a third as far.",
)  # fmt: skip
