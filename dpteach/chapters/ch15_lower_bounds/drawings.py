"""The drawing of the chapter on lower bounds: an attack, and the bound it becomes."""

from ..shared.drawing import Drawing, arrow, box, note

attack_and_bound = Drawing(
    (
        box(10, 8, 120, 50, "n records,", "one is hers", role="private"),
        arrow((130, 33), (216, 33)),
        note(173, 25, "mean", soft=True),
        box(218, 8, 132, 50, "published,", "with an error α", role="measured"),
        arrow((284, 58), (284, 86)),
        box(190, 88, 160, 50, "attacker: does it", "agree with her?", role="broken"),
        box(10, 88, 120, 50, "her data, known", "from elsewhere", role="soft"),
        arrow((130, 113), (188, 113)),
        '<path d="M10 160H350" stroke="var(--dpt-grid)" stroke-width="1"/>',
        box(10, 176, 162, 50, "if α is small,", "the attack wins", role="broken"),
        box(188, 176, 162, 50, "if ε is small,", "no attack wins", role="private"),
        arrow((91, 226), (91, 252), (140, 266)),
        arrow((269, 226), (269, 252), (220, 266)),
        box(60, 268, 240, 36, "if ε is small, α is not", role="bound"),
    ),
    314,
    "Above, the attack: a mean of records is published with some error, and an "
    "attacker "
    "who knows a person’s data asks whether the mean agrees with her more than chance "
    "would have it. Below, the bound: if the error were small, the attack would win; "
    "if "
    "epsilon is small, no attack wins; so if epsilon is small, the error is not.",
)
