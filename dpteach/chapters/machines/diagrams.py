"""Diagrams of what a training loop adds: parts, devices, and a noise map."""

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_PARTS = (1, 4, 16)
_STACK = Axes(30, 170, 310, 118, across=(0, 3), up=(0, 16))


def _stack(number: int) -> str:
    parts = _PARTS[number]
    variance = 16 / parts**2
    left = _STACK.at(number + 0.25, 0)[0]
    tall = _STACK.height * variance / 16
    pieces = "".join(
        bar(left, _STACK.bottom - tall * (k + 1), 52, tall - (2 if parts < 16 else 0.3),
            role="private" if parts == 1 else "broken")
        for k in range(parts)
    )  # fmt: skip
    total = parts * variance
    return (
        pieces
        + note(left + 26, _STACK.bottom - tall * parts - 8, f"{total:g}")
        + note(left + 26, 188, f"{parts} part{'s' * (parts > 1)}")
        + note(left + 26, 206, f"deviation {4 / parts:g}", soft=True)
    )


noise_of_parts = Drawing(
    (
        note(10, 18, "Variance of the whole noise; 16 was promised", anchor="start"),
        *(_stack(number) for number in range(3)),
        _STACK.base(),
    ),
    216,
    "Three stacks of variances. One part with deviation 4 has variance 16. Four "
    "parts with deviation 1 each have variance 4 together. Sixteen parts with a "
    "deviation of a quarter each have variance 1 together.",
)


def _devices(x: float, title: str, *, hidden: bool) -> str:
    ways = []
    for k in range(8):
        place = x - 70 + 20 * k
        ways.append(ring(place, 40, 7, role="private" if k == 2 else "soft"))
        end = (x - 28 + 8 * k, 88) if hidden else (place, 128)
        ways.append(arrow((place, 48), end))
    if hidden:
        ways += [box(x - 62, 90, 124, 24, "added up unseen"), arrow((x, 114), (x, 128))]
    return note(x, 18, title) + "".join(ways) + box(x - 80, 130, 160, 30, "the server")


eight_devices = Drawing(
    (
        _devices(92, "eight sums arrive", hidden=False),
        _devices(268, "one total arrives", hidden=True),
        note(92, 180, "one sum has σ²/8:"),
        note(92, 198, "√8 times the μ"),
        note(268, 180, "the total has σ²:"),
        note(268, 198, "the promised μ"),
    ),
    208,
    "Eight devices each add noise of variance sigma squared over eight. Left, the "
    "server receives eight sums and sees one record through an eighth of the "
    "variance, so its mu is the root of eight times as large. Right, the sums are "
    "added up unseen, the server receives the total with the whole variance, and mu "
    "is as promised.",
)

_OUTPUTS = ("layer 1", "layer 2", "layer 3", "bias", "log line")
_REACHES = ("110000", "001100", "000011", "000000", "000000")


def _output(number: int) -> str:
    y = 36 + 28 * number
    silent = "1" not in _REACHES[number]
    cells = []
    for k, reaches in enumerate(_REACHES[number]):
        x = 96 + 28 * k
        shape = ((x, y), (x + 22, y), (x + 22, y + 22), (x, y + 22), (x, y))
        cells.append(line(*shape, role="broken" if silent else "grid"))
        if reaches == "1":
            cells.append(bar(x, y, 22, 22, role="private"))
    said = "no noise" if silent else "noise"
    return "".join(cells) + (
        note(88, y + 16, _OUTPUTS[number], anchor="end")
        + note(276, y + 16, said, anchor="start", soft=True)
    )


a_noise_map = Drawing(
    (
        note(176, 20, "random numbers z₁, …, z₆", soft=True),
        *(_output(number) for number in range(len(_OUTPUTS))),
        note(180, 198, "A row without an entry is published as it is."),
    ),
    208,
    "A noise map as a table: rows are what the program puts out, columns the random "
    "numbers that it drew. Each of three layers is reached by two of the six numbers. "
    "The rows of the bias and of the log line are empty, so both are published without "
    "noise.",
)
