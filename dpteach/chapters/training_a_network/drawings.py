"""Drawings of the chapter on networks: a step, two ways to shorten, Adam's moves."""

from ..shared.drawing import Drawing, arrow, bar, box, line, note

_BASE, _HEIGHT = 150, 96  # where a step of 0 is, and how high one of 1


def _step(x: float, size: float, role: str, name: str) -> str:
    top = _BASE - _HEIGHT * size
    return (
        bar(x, top, 44, _HEIGHT * size, role=role)
        + note(x + 22, top - 6, f"{size:.2f}")
        + note(x + 22, _BASE + 18, name)
    )


two_steps = Drawing(
    (
        note(10, 18, "Adam's mean step, in learning rates", anchor="start"),
        line((20, _BASE), (340, _BASE)),
        _step(50, 0.93, "private", "0.01"),
        _step(110, 0.24, "private", "0.001"),
        _step(206, 1.0, "reference", "0.01"),
        _step(266, 1.0, "reference", "0.001"),
        note(102, 190, "as it is", soft=True),
        note(258, 190, "corrected", soft=True),
    ),
    200,
    "Four bars: the mean step of Adam on gradients of 0.01 and 0.001 under noise. As "
    "it is, 0.93 and 0.24. With the variance of the noise subtracted, 1 and 1.",
)

private_step = Drawing(
    (
        note(70, 22, "one record each"),
        *(box(20, 34 + 40 * k, 100, 32, f"gradient {k + 1}") for k in range(3)),
        *(arrow((120, 50 + 40 * k), (150, 50 + 40 * k)) for k in range(3)),
        *(box(150, 34 + 40 * k, 50, 32, "clip", role="bound") for k in range(3)),
        *(arrow((200, 50 + 40 * k), (232, 88)) for k in range(3)),
        box(232, 72, 32, 32, "+"),
        note(248, 22, "noise"),
        arrow((248, 28), (248, 72), role="private"),
        arrow((264, 88), (288, 88), role="private"),
        box(288, 68, 62, 40, "next", "model", role="private"),
        note(180, 172, "all weights of the network in one vector", soft=True),
    ),
    182,
    "Three gradients, one for each record, with all weights of the network in one "
    "vector. Each is clipped. Their sum, with noise added, makes the step to the next "
    "model, which is published.",
)

_LEFT, _ACROSS, _FOOT, _TALL = 40, 75, 160, 110  # pixels: origin, one L, one of force


def _force(length: float, force: float) -> tuple[float, float]:
    return _LEFT + _ACROSS * length, _FOOT - _TALL * force


no_clip_norm = Drawing(
    (
        note(10, 18, "what a record adds, by its gradient's length", anchor="start"),
        line(_force(0, 1), _force(4, 1), dashed=True),
        note(_LEFT, 44, "what the noise must hide", anchor="start", soft=True),
        line(_force(0, 1.05), _force(0, 0), _force(4.05, 0)),
        line(_force(0, 0), _force(1, 1), _force(4, 1), role="reference"),
        line(
            *(_force(k / 20, k / (k + 10)) for k in range(81)),  # x/(x + κ) at κ = 1/2
            role="private",
        ),
        note(*_force(1.2, 0.84), "clipped", anchor="start"),
        note(*_force(1.65, 0.58), "divided by length + κ", anchor="start"),
        *(note(_LEFT + _ACROSS * k, _FOOT + 18, f"{k} L") for k in range(1, 5)),
        note(_LEFT, _FOOT + 18, "0"),
    ),
    190,
    "Two curves over the length of a record's gradient. Clipped, the record adds its "
    "gradient up to a length of L, and from there on a vector of length 1, in units "
    "of L. Divided by its length plus κ, which is half of L, it adds more below a "
    "length of half of L, less above it, and never reaches 1.",
)
