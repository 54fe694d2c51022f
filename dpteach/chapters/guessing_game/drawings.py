"""Drawings of the chapter on privacy: three neighbors, and what costs something."""

from math import exp

from ..shared.drawing import Drawing, arrow, bar, box, line, note, ring

_KINDS = (
    ("add or remove", "gone", "a sum moves by 1"),
    ("zero out", "⊥", "a sum moves by 1"),
    ("replace", "other", "a sum moves by 2"),
)


def _people(y: float, last: str) -> str:
    parts = [ring(120 + 28 * k, y, 9, role="reference", filled=True) for k in range(3)]
    if last == "hers":
        parts.append(ring(204, y, 9, role="private", filled=True))
    elif last == "other":
        parts.append(ring(204, y, 9, role="bound", filled=True))
    elif last == "⊥":
        parts += [ring(204, y, 9, role="soft"), note(204, y + 5, "⊥")]
    return "".join(parts)


def _kind(number: int) -> str:
    name, last, moves = _KINDS[number]
    y = 74 + 42 * number
    return (
        note(96, y + 5, name, anchor="end")
        + _people(y, last)
        + note(234, y + 5, moves, anchor="start", soft=True)
    )


three_neighbors = Drawing(
    (
        note(96, 29, "the data", anchor="end"),
        _people(24, "hers"),
        note(234, 29, "Ann is blue", anchor="start", soft=True),
        line((10, 46), (350, 46), role="grid"),
        *(_kind(number) for number in range(3)),
    ),
    184,
    "Four records, the last one Ann’s, and three neighbors of this data set. Add or "
    "remove: only the other three are left. Zero out: in the place of Ann’s record "
    "stands the mark for nothing. Replace: another record stands in its place. A sum "
    "moves by 1, 1 and 2.",
)


def _lane(y: float, second: str, third: str, cost: str, *, again: bool) -> str:
    back = arrow((41, y + 34), (41, y + 52), (227, y + 52), (227, y + 36),
                 role="bound") if again else ""  # fmt: skip
    return "".join(
        (
            box(6, y, 70, 34, "records"),
            arrow((76, y + 17), (96, y + 17)),
            box(98, y, 66, 34, "M", role="private"),
            arrow((164, y + 17), (190, y + 17)),
            box(192, y, 70, 34, second, role="bound" if again else "soft"),
            arrow((262, y + 17), (286, y + 17)),
            note(290, y + 15, third, anchor="start"),
            note(290, y + 31, cost, anchor="start", soft=True),
            back,
        )
    )


free_or_paid = Drawing(
    (
        note(6, 18, "Post-processing: g sees the output alone", anchor="start"),
        _lane(30, "g", "costs", "ε", again=False),
        note(6, 104, "Composition: M′ looks at the records again", anchor="start"),
        _lane(116, "M′", "costs", "ε + ε′", again=True),
    ),
    178,
    "Two chains of boxes. In the first, the records go into M and the output of M "
    "goes into g, which does not see the records: the whole costs epsilon. In the "
    "second, the output of M goes into M prime, and an arrow leads from the records "
    "to M prime as well: the whole costs epsilon plus epsilon prime.",
)


def _hospital(x: float, name: str) -> str:
    return "".join(
        (
            arrow((180, 44), (x, 74)),
            box(x - 62, 76, 124, 34, name, role="private"),
            arrow((x, 110), (x, 136)),
            note(x, 152, "spends ε = 1"),
        )
    )


two_hospitals = Drawing(
    (
        box(118, 10, 124, 34, "one patient"),
        _hospital(86, "first hospital"),
        _hospital(274, "second hospital"),
        note(180, 182, "about the patient: 2 in all, which nobody adds up", soft=True),
    ),
    192,
    "One patient is in the data of two hospitals. Each of them publishes something "
    "that costs epsilon 1. About the patient 2 was spent in all, and nobody adds it "
    "up.",
)

_EPSILONS = (0.1, 1.0, 3.0, 10.0)


def _between(number: int) -> str:
    epsilon = _EPSILONS[number]
    least, most = 1 / (1 + exp(epsilon)), 1 / (1 + exp(-epsilon))
    y = 34 + 34 * number
    return note(
        146, y + 15, f"ε = {epsilon:g}: {least:.0%} to {most:.0%}", anchor="end"
    ) + bar(156 + 196 * least, y, 196 * (most - least), 22, role="private")


after_the_output = Drawing(
    (
        note(10, 18, "What a guess of 50% can become", anchor="start"),
        *(_between(number) for number in range(4)),
        line((254, 28), (254, 172), role="non-private", dashed=True),
        line((156, 172), (352, 172)),
        note(156, 190, "0"),
        note(254, 190, "50%"),
        note(340, 190, "100%"),
    ),
    200,
    "Bars from the least to the largest probability that a guess of one half can "
    "become. At epsilon 0.1 from 48 to 52 percent, at 1 from 27 to 73, at 3 "
    "from 5 to 95, and at 10 from 0 to 100.",
)
