"""Questions of the tour and of the chapter on privacy: predict first, then read why."""

from .quiz import Choice, Question

WHO_LEFT = Question(
    "who-left",
    "One of the 442 patients leaves, and the best line of the others is published: two "
    "numbers. You know all 442 records. In how many of the 442 cases can you say who "
    "left?",
    [
        Choice(
            "none: two numbers cannot tell 442 people apart",
            False,
            "Two numbers with enough digits can tell millions apart.",
        ),
        Choice(
            "only if the patient is far from the line",
            False,
            "Such a patient moves the line more. But a small move can be read off as "
            "well as a large one, if nothing hides it.",
        ),
        Choice(
            "in nearly all of them",
            True,
            "Compute the line for each who might have left, and compare: 438 are "
            "named. The four others are two pairs with the same two measurements.",
        ),
    ],
)
