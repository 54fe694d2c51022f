"""Diagram of the chapter on matrix factorization: encode, add noise, decode."""

from ..shared.drawing import Drawing, arrow, box, note

encode_and_decode = Drawing(
    (
        note(28, 62, "stream"),
        note(28, 78, "x"),
        arrow((54, 66), (80, 66)),
        box(80, 44, 64, 44, "encode", "C"),
        arrow((144, 66), (170, 66)),
        box(170, 52, 28, 28, "+", role="bound"),
        note(184, 14, "noise z"),
        arrow((184, 22), (184, 52), role="bound"),
        arrow((198, 66), (224, 66)),
        box(224, 44, 64, 44, "decode", "B"),
        arrow((288, 66), (312, 66)),
        note(338, 62, "sums"),
        note(338, 78, "Ax + Bz"),
        note(112, 110, "a record is in one", soft=True),
        note(112, 126, "column of C", soft=True),
        note(256, 110, "a sum’s noise is one", soft=True),
        note(256, 126, "row of B, times z", soft=True),
    ),
    134,
    "From left to right: the stream x enters the encoder C, noise z of equal size is "
    "added to every entry, and the decoder B makes noisy sums of it, Ax + Bz. A record "
    "is in one column of C; the noise of a sum is one row of B times z.",
)
