"""Diagram of the chapter on DP-FTRL in practice: what a pass hands on."""

from ..shared.drawing import Drawing, arrow, box, note

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
    "noise from above and releases T models below. An arrow from each box to the next "
    "carries the sum with its noise; the exact sum is struck out.",
)
