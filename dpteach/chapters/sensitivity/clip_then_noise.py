"""A diagram of the chapter on mechanisms: clipping, then noise of a public size."""

from ..shared.drawing import Drawing, arrow, note, ring

clip_then_noise = Drawing(
    (
        note(90, 16, "1. clip every record"),
        ring(90, 104, 56, role="bound"),
        arrow((90, 104), (62, 88), role="private"),
        arrow((90, 104), (104, 136), role="private"),
        arrow((90, 104), (166, 62), role="reference"),
        arrow((90, 104), (138, 77.5), role="private"),
        note(90, 182, "radius L, public"),
        note(90, 198, "long ones are cut short", soft=True),
        note(268, 16, "2. add up, 3. add noise"),
        arrow((226, 120), (272, 96), role="private"),
        ring(272, 96, 3.5, role="private", filled=True),
        *(
            ring(272 + x, 96 + y, 2, role="measured", filled=True)
            for x, y in ((-30, 12), (14, -26), (52, 26), (-8, 42), (-22, -34),
                         (6, 10), (26, -4), (-50, -16), (18, 46))
        ),
        note(268, 182, "noise in proportion to L"),
        note(268, 198, "dots: possible results", soft=True),
    ),
    208,
    "Left, three records as arrows from one point; a circle of the public radius L "
    "cuts the long one short. Right, the sum of the clipped arrows with a cloud of "
    "dots around it: the noisy sums that may be published.",
)  # fmt: skip
