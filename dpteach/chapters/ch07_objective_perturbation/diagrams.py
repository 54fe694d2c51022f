"""A diagram of the chapter on objective perturbation: a tilt goes in before."""

from ..shared.drawing import Drawing, arrow, box, note

tilt_before = Drawing(
    (
        box(8, 30, 84, 38, "risk of", "the records"),
        arrow((92, 49), (112, 49)),
        box(112, 30, 76, 38, "+ (Λ/2)‖θ‖²"),
        arrow((188, 49), (208, 49)),
        box(208, 30, 64, 38, "+ ⟨b, θ⟩", role="bound"),
        arrow((240, 68), (240, 96)),
        box(188, 96, 104, 38, "exact minimum"),
        arrow((188, 115), (160, 115)),
        box(76, 96, 84, 38, "model", role="private"),
        note(8, 18, "One random tilt b, drawn first, of a public size", anchor="start"),
        note(8, 160, "No noise is added to the minimum. It moves the", anchor="start",
             soft=True),
        note(8, 176, "less, the more steeply the bowl is curved.", anchor="start",
             soft=True),
    ),
    186,
    "Boxes and arrows: to the risk of the records a quadratic and a random linear term "
    "are added; the exact minimum of the sum is the model that is published.",
)  # fmt: skip
