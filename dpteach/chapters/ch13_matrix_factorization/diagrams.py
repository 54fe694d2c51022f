"""Diagrams of the chapter on matrix factorization: encode and decode, and buffers."""

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
    "added to every entry, and the decoder B makes noisy sums of it, Ax + Bz. A "
    "record is in one column of C; the noise of a sum is one row of B times z.",
)

two_buffers = Drawing(
    (
        note(36, 58, "fresh z"),
        arrow((60, 54), (98, 54)),
        box(100, 38, 32, 32, "−", role="bound"),
        arrow((132, 54), (258, 54), role="private"),
        note(196, 46, "x"),
        note(306, 50, "added to the"),
        note(306, 66, "gradient"),
        arrow((196, 54), (196, 92)),
        box(150, 94, 200, 34, "S₁ ← ϑ₁ S₁ + x", role="private"),
        arrow((196, 128), (196, 142)),
        box(150, 144, 200, 34, "S₂ ← ϑ₂ S₂ + x", role="private"),
        arrow((150, 111), (124, 111), (124, 72)),
        arrow((150, 161), (108, 161), (108, 72)),
        note(100, 104, "ω₁S₁ + ω₂S₂", anchor="end"),
        note(250, 200, "all that is kept: two vectors", soft=True),
    ),
    210,
    "One step with two buffers. From the fresh noise z the weighted buffers, omega 1 "
    "times S 1 plus omega 2 times S 2, are subtracted. The result x is added to the "
    "gradient. Then each buffer shrinks by its own factor and takes x in. These two "
    "vectors are all that is kept.",
)
