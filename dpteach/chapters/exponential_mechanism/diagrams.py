"""A diagram of the chapter on the exponential mechanism: a draw by inversion."""

from itertools import pairwise

from ..shared.drawing import Drawing, arrow, bar, box, line, note

_ENDS = (8, 46, 172, 298, 336, 352)  # weights 3, 10, 10, 3 and 1, to scale

draw_by_inversion = Drawing(
    (
        note(8, 18, "Each model’s piece is as long as its weight.", anchor="start"),
        *[
            box(
                left,
                64,
                right - left,
                40,
                f"model {k}" if right - left > 60 else f"{k}",
                role="private" if k == 2 else "soft",
            )
            for k, (left, right) in enumerate(pairwise(_ENDS), start=1)
        ],
        arrow((120, 36), (120, 62), role="private"),
        note(128, 46, "a uniform point: model 2 is drawn", anchor="start"),
        note(8, 124, "0", anchor="start", soft=True),
        note(352, 124, "the sum of all weights", anchor="end", soft=True),
    ),
    134,
    "A bar is divided into five pieces, one for each model and as long as its weight. "
    "A uniform point falls into the second piece, so model 2 is drawn.",
)

_BEFORE, _AFTER = (9, 3, 1), (3, 3, 1)  # the weights of the example


def _drawn(left: float, title: str, weights: tuple[int, ...], role: str) -> str:
    bars = []
    for k, weight in enumerate(weights):
        chance = weight / sum(weights)
        x, tall = left + 46 * k, 130 * chance
        bars.append(bar(x, 160 - tall, 34, tall, role=role))
        bars.append(note(x + 17, 154 - tall, f"{chance:.3f}"))
        bars.append(note(x + 17, 178, f"model {k + 1}" if k == 0 else f"{k + 1}"))
    return note(left + 63, 18, title) + "".join(bars)


one_record_more = Drawing(
    (
        _drawn(26, "risks 10, 11, 12", _BEFORE, "reference"),
        _drawn(212, "risks 11, 11, 12", _AFTER, "private"),
        line((16, 160), (172, 160)),
        line((202, 160), (348, 160)),
    ),
    188,
    "Bars for the probabilities of three models. With the risks 10, 11 and 12 they are "
    "0.692, 0.231 and 0.077. A record that raises the first risk to 11 makes them "
    "0.429, 0.429 and 0.143.",
)

_ZERO, _UNIT = 236, 88  # where the logarithm 0 stands, and how long ε is


def _covers(y: float, low: float, high: float, role: str, text: str) -> str:
    """Draw an interval of logarithms, in units of ε, below its name."""
    left, right = _ZERO + _UNIT * low, _ZERO + _UNIT * high
    ends = (line((x, y - 5), (x, y + 5), role=role) for x in (left, right))
    return note(8, y - 14, text, anchor="start") + bar(
        left, y - 2, right - left, 4, role=role
    ) + "".join(ends)  # fmt: skip


one_interval = Drawing(
    (
        line((_ZERO, 26), (_ZERO, 178), dashed=True),
        note(_ZERO, 16, "0"),
        _covers(56, -1.3, -0.3, "reference", "the weight of a model changes"),
        _covers(112, -0.65, 0.35, "private", "divided by the sum: its density"),
        _covers(168, -1, 1, "bound", "if both were covered separately"),
        note(_ZERO - 0.8 * _UNIT, 76, "ε"),
        note(_ZERO - 0.15 * _UNIT, 132, "ε"),
        note(_ZERO - 0.5 * _UNIT, 188, "ε"),
        note(_ZERO + 0.5 * _UNIT, 188, "ε"),
        note(180, 212, "logarithms of ratios between neighbors", soft=True),
    ),
    220,
    "Three intervals on a line of logarithms. The weight of a model changes within an "
    "interval of length epsilon that need not hold 0. Division by the sum of weights "
    "moves this interval, but does not stretch it, and then it holds 0. To cover the "
    "weight and the sum separately would take an interval twice as long.",
)
