"""The diagram of the chapter on choosing: five questions, in their order."""

from ..shared.drawing import Drawing, arrow, box, note

_QUESTIONS = (
    (("Who may see", "the records?"), "owners",
     ("local SGD,", "BANCO, check-ins")),
    (("How often can", "they be read?"), "once", ("DP-FTRL",)),
    (("Must δ be 0?",), "yes", ("objective or", "exponential")),
    (("Are the models few", "corners, p large?"), "yes", ("private", "Frank-Wolfe")),
    (("Linear features, and", "a convex loss?"), "yes", ("objective,", "normal noise")),
)  # fmt: skip
_STEP = 76


def _row(number: int) -> str:
    question, answer, choice = _QUESTIONS[number]
    y = 8 + _STEP * number
    otherwise = "no" if number > 1 else "otherwise"
    down = arrow((78, y + 44), (78, y + _STEP))
    down += note(86, y + 64, otherwise, anchor="start", soft=True)
    return "".join(
        (
            box(4, y, 148, 44, *question),
            arrow((152, y + 22), (232, y + 22)),
            note(192, y + 14, answer, soft=True),
            box(232, y, 124, 44, *choice, role="private"),
            down,
        )
    )


five_questions = Drawing(
    (
        *(_row(number) for number in range(len(_QUESTIONS))),
        box(4, 8 + 5 * _STEP, 148, 34, "DP-SGD", role="private"),
    ),
    8 + 5 * _STEP + 42,
    "Five questions from top to bottom. Who may see the records: if only their owners, "
    "local SGD, BANCO or check-ins. How often can they be read: if once, as they come, "
    "DP-FTRL. Must delta be 0: then objective perturbation or the exponential "
    "mechanism. Are the models few corners and p large: private Frank-Wolfe. Are "
    "features linear and the loss convex: objective perturbation with normal noise. "
    "Otherwise DP-SGD.",
)
