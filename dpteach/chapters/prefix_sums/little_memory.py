"""A diagram of the chapter on prefix sums: the nodes that are held at each time."""

from ..shared.drawing import Drawing, box, note

_UNIT, _LEFT, _TOP = 36, 62, 28


def _row(t: int) -> str:
    y = _TOP + 30 * (t - 1)
    parts = [note(8, y + 17, f"t = {t}", anchor="start", soft=True)]
    start, left = 0, t
    while left:
        size = 1 << (left.bit_length() - 1)
        role = "private" if start + size == t else "soft"
        parts.append(
            box(_LEFT + _UNIT * start, y, _UNIT * size - 3, 24,
                f"{start + 1}–{t if size == left else start + size}"
                if size > 1 else f"{start + 1}", role=role)
        )  # fmt: skip
        start, left = start + size, left - size
    return "".join(parts)


little_memory = Drawing(
    (
        note(8, 16, "The nodes in memory after each step", anchor="start"),
        *(_row(t) for t in range(1, 9)),
        note(8, 286, "Blue: new in this step. It takes the place of all that",
             anchor="start", soft=True),
        note(8, 302, "it covers. As many are held as t has ones in binary.",
             anchor="start", soft=True),
    ),
    312,
    "Eight rows, one for each time from 1 to 8. A row shows the nodes in memory as "
    "boxes over the records that they cover: 1; 1–2; 1–2 and 3; 1–4; and so on, until "
    "at time 8 a single box covers 1–8.",
)  # fmt: skip
