"""Questions of the chapter on convex optimization: predict first, then read why."""

from ...figures.quiz import Choice, Question

STEP = Question(
    "step-too-long",
    "A risk is a bowl, a quadratic whose largest curvature is β. You take steps of "
    "size 3/β against the gradient. What happens?",
    [
        Choice(
            "it converges three times as fast as with 1/β",
            False,
            "Along the most curved direction a step of 1/β goes to the lowest point. "
            "Beyond 2/β the step ends higher than it began.",
        ),
        Choice(
            "along the most curved direction, it diverges",
            True,
            "There each step multiplies the distance by |1 − 3| = 2.",
        ),
        Choice(
            "it goes back and forth, and never leaves",
            False,
            "That happens at exactly 2/β.",
        ),
    ],
)

LAST_OR_AVERAGE = Question(
    "last-or-average",
    "The loss |θ − 1| has a kink, and the step size is fixed. Which model is near the "
    "minimum?",
    [
        Choice(
            "the last one",
            False,
            "Near the kink the gradient is still ±1. The last model steps over the "
            "minimum, back and forth, forever.",
        ),
        Choice(
            "the average of all",
            True,
            "Steps to both sides cancel in it. The theorem speaks of the average.",
        ),
        Choice(
            "none, because it does not converge",
            False,
            "The models do not converge, but the theorem does not need that.",
        ),
    ],
)

LAZY = Question(
    "lazy-or-greedy-sum",
    "The model is held at the border of the set while ten gradients in a row push "
    "outwards. Then gradients push inwards. Which model leaves the border first?",
    [
        Choice(
            "the lazy one, which projects the sum",
            False,
            "Its sum lies ten steps beyond the border, and must come back first.",
        ),
        Choice(
            "the greedy one, which projects each step",
            True,
            "It has forgotten the ten pushes: each was cut off at the border.",
        ),
        Choice(
            "both at once",
            False,
            "That is true without a constraint, where they are the same algorithm.",
        ),
    ],
    reveal="DP-FTRL is lazy for a reason: many steps can share the noise on a sum.",
)

NOISE = Question(
    "noisy-oracle",
    "Instead of the gradient you see the gradient plus noise of mean zero. What should "
    "you change?",
    [
        Choice(
            "nothing, because on average the step is the same",
            False,
            "The step is the same, but its square is not. Noise adds to the term "
            "ηL²/2 of the bound.",
        ),
        Choice(
            "take smaller steps, and more of them",
            True,
            "If L² is the mean square of the vectors that you step along, the best η "
            "is R/(L√T). So more noise means smaller steps.",
        ),
        Choice(
            "take larger steps, to rise above the noise",
            False,
            "A larger step makes the noise larger too.",
        ),
    ],
)

ONE_RUN = Question(
    "two-rivals",
    "Rivals A and B are each run once. B ends with the lower risk. What do you know?",
    [
        Choice(
            "B is better, because the data were the same",
            False,
            "The data were, but the random choices were not. In the figure, the first "
            "pair favors B, and the mean of fifty pairs favors A.",
        ),
        Choice(
            "hardly anything",
            True,
            "One pair says nothing about how far two runs of one algorithm differ.",
        ),
        Choice(
            "A is better, because its bound is lower",
            False,
            "A bound says how bad the risk can be, not how bad it is.",
        ),
    ],
)
