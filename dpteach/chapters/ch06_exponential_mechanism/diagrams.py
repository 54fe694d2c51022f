"""A diagram of the chapter on the exponential mechanism: a draw by inversion."""

from itertools import pairwise

from ..shared.drawing import Drawing, arrow, box, note

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
