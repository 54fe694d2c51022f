"""Diagram of the chapter on matrix factorization: encode, add noise, decode."""

from ..shared.drawing import Drawing, arrow, box, note

encode_and_decode = Drawing(
    (
        note(26, 62, "stream"),
        note(26, 78, "x"),
        arrow((50, 66), (72, 66)),
        box(72, 44, 62, 44, "encode", "C"),
        arrow((134, 66), (156, 66)),
        box(156, 52, 28, 28, "+", role="bound"),
        note(170, 14, "noise z"),
        arrow((170, 22), (170, 52), role="bound"),
        arrow((184, 66), (206, 66)),
        box(206, 44, 62, 44, "decode", "B"),
        arrow((268, 66), (292, 66)),
        note(324, 62, "sums"),
        note(324, 78, "Ax + Bz"),
        note(103, 110, "a record is in one", soft=True),
        note(103, 126, "column of C", soft=True),
        note(237, 110, "a sum’s noise is one", soft=True),
        note(237, 126, "row of B, times z", soft=True),
    ),
    134,
    "From left to right: the stream x enters the encoder C, noise z of equal size is "
    "added to every entry, and the decoder B makes noisy sums of it, Ax + Bz. A record "
    "is in one column of C; the noise of a sum is one row of B times z.",
)
