"""The drawing of the chapter on BANCO: one user's round."""

from ..shared.drawing import Drawing, arrow, box, note

one_round = Drawing(
    (
        box(
            10,
            14,
            340,
            56,
            "user t, with her record: clips the gradient,",
            "adds noise, and reports once",
            role="measured",
        ),
        arrow((180, 70), (180, 116)),
        note(190, 101, "report ĝ, noisy", anchor="start", soft=True),
        box(10, 118, 340, 34, "server: sees reports alone", role="soft"),
        arrow((90, 152), (90, 190)),
        note(82, 175, "coin ⟨ĝ, q⟩", anchor="end", soft=True),
        arrow((270, 152), (270, 190)),
        note(278, 175, "vector ĝ", anchor="start", soft=True),
        box(10, 192, 160, 52, "the gambler", "wins the coin", role="private"),
        box(190, 192, 160, 52, "the direction q", "takes a step", role="bound"),
        arrow((90, 244), (90, 270), (150, 275)),
        note(60, 266, "bet m", anchor="end", soft=True),
        arrow((270, 244), (270, 270), (210, 275)),
        note(300, 266, "new q", anchor="start", soft=True),
        box(110, 276, 140, 36, "model w = m q", role="soft"),
        arrow((180, 312), (180, 340)),
        note(180, 356, "sent to user t + 1, and public"),
    ),
    366,
    "One round of BANCO. A user clips her gradient, adds noise, and reports once. The "
    "server turns the report into two things: a coin, which the gambler wins or loses, "
    "and a step of the direction. The new bet times the new direction is the model "
    "that the next user is sent.",
)
