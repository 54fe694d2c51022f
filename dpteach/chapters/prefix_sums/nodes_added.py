"""A drawing of the chapter on prefix sums: how many noisy nodes make a sum."""

from ..shared.axes import Axes
from ..shared.drawing import Drawing, bar, line, note

_UP_TO = 32
_COUNTS = [t.bit_count() for t in range(1, _UP_TO + 1)]  # the ones of t, in binary
_MOST = max(_COUNTS)
_BARS = Axes(30, 150, 320, 110, across=(0.5, _UP_TO + 0.5), up=(0, 6))


def _bar(t: int) -> str:
    x, y = _BARS.at(t, _COUNTS[t - 1])
    role = "broken" if _COUNTS[t - 1] == _MOST else "private"
    return bar(x - 4, y, 8, 150 - y, role=role)


nodes_added = Drawing(
    (
        note(10, 18, "noisy nodes in the sum", anchor="start"),
        *(_bar(t) for t in range(1, _UP_TO + 1)),
        line(_BARS.at(0.5, _MOST), _BARS.at(_UP_TO + 0.5, _MOST), dashed=True),
        _BARS.base(),
        *(note(24, _BARS.at(1, y)[1] + 4, f"{y}", anchor="end") for y in (1, 3, 5)),
        *(note(_BARS.at(t, 0)[0], 167, f"{t}") for t in (1, 8, 16, 24, 31)),
        note(190, 186, "prefix t"),
    ),
    194,
    "Bars for the prefixes from 1 to 32: how many noisy nodes each sum adds up. It is "
    "the number of ones of t in binary. Powers of two need one node, and 31 needs the "
    f"most, {_MOST}.",
)
