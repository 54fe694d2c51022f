"""A drawing of the chapter on prefix sums: better sums from the same nodes."""

from fractions import Fraction

from ..shared.axes import Axes
from ..shared.drawing import Drawing, bar, box, line, note, ring


def _variance(height: int) -> Fraction:
    """Average a node's own draw with the better sums of its two children."""
    if height == 0:
        return Fraction(1)
    below = 2 * _variance(height - 1)
    return 1 / (1 + 1 / below)


def _node(x: float, y: float, name: str, height: int) -> str:
    return box(x - 33, y, 66, 42, name, f"1 → {_variance(height)}" if height else "1",
               role="private" if height else "soft")  # fmt: skip


better_nodes = Drawing(
    (
        line((180, 50), (96, 86)),
        line((180, 50), (264, 86)),
        *(line((x, 128), (x + side, 164)) for x in (96, 264) for side in (-44, 44)),
        _node(180, 8, "1–4", 2),
        _node(96, 86, "1–2", 1),
        _node(264, 86, "3–4", 1),
        *(_node(x, 164, f"leaf {k}", 0) for k, x in enumerate((46, 138, 222, 314), 1)),
        note(180, 230, "variance: its own draw → with what lies below", soft=True),
    ),
    240,
    "A tree over four leaves with the variance of every node. A leaf has 1. A node "
    "over two leaves has 1 by its own draw and two thirds together with its leaves. "
    "The root has 1 by its own draw and four sevenths together with all that lies "
    "below it.",
)  # fmt: skip

_T = 8


def _board(left: float, title: str, row: str, *, noise: int) -> str:
    cells = []
    for t in range(1, _T + 1):
        for i in range(1, t + 1):
            x, y = left + 18 * (i - 1), 30 + 18 * (t - 1)
            marked = i == 3 if noise == 1 else t == _T
            cells.append(bar(x, y, 15, 15, role="broken" if marked else "grid"))
    return note(left + 72, 18, title) + "".join(cells) + note(left + 72, 192, row)


two_extremes = Drawing(
    (
        _board(24, "noise on each sum", "one vector in six sums", noise=1),
        _board(200, "noise on each vector", "one sum of eight noise terms", noise=8),
        note(180, 212, "row: a sum. Column: a vector", soft=True),
    ),
    222,
    "Two triangles of eight rows, the sums, and eight columns, the vectors; a cell "
    "says that the vector is in the sum. Left, noise on each sum: the third vector is "
    "marked, and is in six sums. Right, noise on each vector: the last sum is marked, "
    "and adds up eight noise terms.",
)

_TRUE, _PUBLISHED = (1, 1, 2, 3, 3, 4), (1.4, 0.5, 0.7, 3.7, 3.9, 5.7)
_READ = (("[1]",), ("[1,2]",), ("[1,2]", "[3]"), ("[1,4]",), ("[1,4]", "[5]"),
         ("[1,4]", "[5,6]"))  # fmt: skip
_STREAM = Axes(24, 150, 312, 116, across=(0.5, 6.5), up=(0, 6))


def _sum(t: int) -> str:
    """Draw the true sum of step t, the published one, and the nodes that are read."""
    true, published = (_STREAM.at(t, each[t - 1]) for each in (_TRUE, _PUBLISHED))
    nodes = (note(true[0], 186 + 16 * k, name, soft=True)
             for k, name in enumerate(_READ[t - 1]))  # fmt: skip
    return "".join(
        (
            line(true, published, role="bound"),
            ring(*true, 4, role="non-private"),
            ring(*published, 4, role="private", filled=True),
            note(true[0], 168, f"{t}"),
            *nodes,
        )
    )


six_sums = Drawing(
    (
        note(10, 18, "true sums (rings), and what is published", anchor="start"),
        _STREAM.base(),
        *(_sum(t) for t in range(1, 7)),
    ),
    212,
    "The six sums of the example. What is published is 0.4 above, 0.5 below and 1.3 "
    "below the true sum in steps 1 to 3, and then 0.7, 0.9 and 1.7 above, because the "
    "node from 1 to 4 is read in each of the last three.",
)
