"""Diagram of the chapter on matrix factorization: encode, add noise, decode."""

from ..shared.diagram import NOISE, Diagram


def _pipeline() -> Diagram:
    drawn = Diagram(
        420,
        150,
        title="Encode, add noise, decode",
        alt=(
            "From left to right: gradients x enter the encoder C, noise z of equal "
            "size is added to every entry of Cx, the decoder B turns the result into "
            "noisy sums Ax + Bz, and these are published."
        ),
    )
    drawn.text(38, 60, "gradients")
    drawn.text(38, 76, "x₁, x₂, …")
    drawn.arrow(72, 68, 100, 68)
    drawn.box(132, 68, 62, 44, "encode", "C")
    drawn.arrow(164, 68, 196, 68)
    drawn.box(212, 68, 30, 30, "+", color=NOISE)
    drawn.text(212, 14, "noise z", color=NOISE)
    drawn.arrow(212, 24, 212, 51, color=NOISE)
    drawn.arrow(228, 68, 258, 68)
    drawn.box(290, 68, 62, 44, "decode", "B")
    drawn.arrow(322, 68, 350, 68)
    drawn.text(384, 60, "noisy sums")
    drawn.text(384, 76, "Ax + Bz")
    drawn.text(132, 112, "one record in")
    drawn.text(132, 128, "one column of C")
    drawn.text(290, 112, "a sum’s noise is")
    drawn.text(290, 128, "one row of B")
    return drawn


PIPELINE = _pipeline()
