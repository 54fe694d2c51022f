"""The drawing of the chapter on DP-FTRL: what happens with one record."""

from math import sqrt

from ..shared.axes import Axes
from ..shared.drawing import Drawing, arrow, box, line, note, ring

one_record = Drawing(
    (
        box(10, 14, 150, 40, "record t arrives", role="measured"),
        arrow((85, 54), (85, 92)),
        note(95, 78, "meets model t", anchor="start", soft=True),
        box(10, 94, 150, 40, "clipped gradient", role="measured"),
        arrow((160, 114), (198, 114)),
        box(200, 94, 150, 40, "tree: a noisy sum", role="private"),
        arrow((275, 134), (275, 172)),
        note(267, 158, "public from here on", anchor="end", soft=True),
        box(200, 174, 150, 40, "leader: model t + 1"),
        arrow((200, 194), (85, 194), (85, 136)),
        note(80, 212, "meets record t + 1", soft=True),
        arrow((275, 214), (275, 244)),
        note(275, 260, "published"),
    ),
    270,
    "One record in DP-FTRL. Record t meets model t, which gives a clipped gradient. "
    "The gradient goes into the tree, which returns a noisy sum of all gradients so "
    "far. From this sum alone the next leader is made. It is published, and meets "
    "the next record.",
)

_LAMBDA, _RECORDS = 4.88, 569  # as in the chapter's run
_GROWTH = Axes(40, 170, 275, 140, across=(0, 569), up=(0, 60))


def _deviation(t: int) -> float:
    return _LAMBDA * sqrt(t.bit_count())


threshold_and_noise = Drawing(
    (
        _GROWTH.curve(
            [(t, _deviation(t)) for t in range(1, _RECORDS + 1)], role="private"
        ),
        *(
            line(_GROWTH.at(0, 0), _GROWTH.at(_RECORDS, a * _RECORDS), role="bound")
            for a in (0.02, 0.05, 0.1)
        ),
        _GROWTH.base(),
        line((40, 170), (40, 30)),
        *(
            note(322, _GROWTH.at(0, a * _RECORDS)[1] + 4, f"{a}", anchor="start")
            for a in (0.02, 0.05, 0.1)
        ),
        note(34, 174, "0", anchor="end", soft=True),
        note(34, 127, "20", anchor="end", soft=True),
        note(46, 20, "threshold ta (orange), noise in a weight (blue)",
             anchor="start"),
        note(_GROWTH.at(569, 0)[0], 188, "569"),
        note(180, 188, "record t", soft=True),
    ),
    198,
    "Against the number of records: three straight lines, the thresholds t times a "
    "for a of 0.02, 0.05 and 0.1, and the deviation of the noise in one entry of the "
    "sum, which goes up and down below 15. The line for 0.1 is above the noise soon, "
    "that for 0.02 hardly ever.",
)  # fmt: skip

two_trees = Drawing(
    (
        box(120, 8, 120, 34, "record (x, y)"),
        arrow((150, 42), (90, 72)),
        arrow((210, 42), (270, 72)),
        note(98, 60, "x xᵀ", anchor="end", soft=True),
        note(262, 60, "y x", anchor="start", soft=True),
        box(10, 74, 150, 40, "first tree:", "noisy M", role="private"),
        box(200, 74, 150, 40, "second tree:", "noisy m", role="private"),
        arrow((90, 114), (140, 144)),
        arrow((270, 114), (220, 144)),
        box(60, 146, 240, 40, "least θᵀ(M + ΛI)θ/2 − ⟨m, θ⟩", "on the ball"),
        arrow((180, 186), (180, 210)),
        note(180, 226, "next model: published"),
    ),
    236,
    "A record goes into two trees: x times x transposed into the first, y times x "
    "into the second. Their noisy sums M and m together give the next model, the "
    "least point of a quadratic on the ball, which is published.",
)

_MINE = 1  # all its nodes are filled, and read; eight records, four levels


def _node(level: int, k: int) -> str:
    width = 40 * 2**level
    x, y = 20 + width * k, 150 - 36 * level
    role = "private" if (_MINE - 1) >> level == k else "soft"
    shape = ((x + 2, y), (x + width - 2, y), (x + width - 2, y + 24), (x + 2, y + 24))
    fill = "private" if role == "private" else None
    return line(*shape, shape[0], role=role, fill=fill)


four_nodes = Drawing(
    (
        *(_node(level, k) for level in range(4) for k in range(8 >> level)),
        note(20, 26, "4 nodes hold record 1", anchor="start"),
        *(note(40 + 40 * k, 192, f"{k + 1}") for k in range(8)),
        note(180, 212, "records", soft=True),
    ),
    220,
    "A tree over eight records: eight nodes at the bottom, then four, two and one. "
    "Record 1 lies in four of them, one on each level.",
)

_MODELS, _MET = (0.0, 0.3, 1.15, 0.55), (3, 1, -2)
_PULLS = (1.0, 0.7, -1.0)  # minus the clipped gradients
_LINE = Axes(24, 206, 312, 186, across=(0.5, 4.6), up=(-2.4, 3.4))


def _pulled(t: int) -> str:
    """Draw the record of step t, and its pull at the model, at most 1 long."""
    model, record = _MODELS[t - 1], _MET[t - 1]
    return ring(*_LINE.at(t, record), 4, role="reference") + arrow(
        _LINE.at(t, model), _LINE.at(t, model + _PULLS[t - 1]), role="bound"
    )


three_records = Drawing(
    (
        line(_LINE.at(0.5, 2 / 3), _LINE.at(4.6, 2 / 3), role="non-private",
             dashed=True),
        *(_pulled(t) for t in (1, 2, 3)),
        *(ring(*_LINE.at(t, model), 4, role="private", filled=True)
          for t, model in enumerate(_MODELS, start=1)),
        note(_LINE.at(1, 0)[0] + 9, _LINE.at(1, 3)[1] + 4, "record 3", anchor="start"),
        note(_LINE.at(2, 0)[0] + 9, _LINE.at(2, 1)[1] + 4, "record 1", anchor="start"),
        note(_LINE.at(3, 0)[0] + 9, _LINE.at(3, -2)[1] + 4, "record −2",
             anchor="start"),
        *(note(_LINE.at(t, 0)[0], 224, f"θ{sub}")
          for t, sub in enumerate("₁₂₃₄", start=1)),
        note(332, _LINE.at(0, 2 / 3)[1] - 6, "best: ⅔", anchor="end"),
    ),
    234,
    "Four models, 0, 0.3, 1.15 and 0.55, and three records, 3, 1 and minus 2. Each of "
    "the first three models is pulled toward its record, by 1, 0.7 and 1. The best "
    "fixed number is two thirds.",
)  # fmt: skip
