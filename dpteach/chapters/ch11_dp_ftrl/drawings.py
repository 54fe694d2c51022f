"""The drawing of the chapter on DP-FTRL: what happens with one record."""

from ..shared.drawing import Drawing, arrow, box, note

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
    "far. From this sum alone the next leader is made. It is published, and meets the "
    "next record.",
)
