"""A drawing of the chapter on DP-FTRL in practice: batches, passes, fresh noise."""

from ..shared.drawing import Drawing, arrow, box, note

_BATCHES, _PASSES = 4, 3


def _pass(number: int) -> str:
    y = 46 + 66 * number
    boxes = [
        box(58 + 62 * k, y, 50, 32, f"B{'₁₂₃₄'[k]}",
            role="private" if k == 1 else "soft")
        for k in range(_BATCHES)
    ]  # fmt: skip
    fresh = box(314, y, 40, 32, f"z{'₁₂₃'[number]}", role="bound")
    turn = arrow((269, y + 34), (269, y + 50), (83, y + 50), (83, y + 62))
    name = note(8, y + 21, f"pass {number + 1}", anchor="start")
    return "".join([name, *boxes, fresh, turn * (number < _PASSES - 1)])


three_passes = Drawing(
    (
        note(8, 18, "The same batches, in the same order", anchor="start"),
        note(354, 18, "fresh noise", anchor="end"),
        *(_pass(number) for number in range(_PASSES)),
        note(8, 238, "blue: the batch of one record", anchor="start", soft=True),
    ),
    248,
    "Three rows, one for each pass, with the same four batches in the same order. "
    "Beside each row stands a draw of noise that is made for this pass alone. The "
    "batch that holds one record is marked: it occurs once in each row.",
)
