"""Questions of the chapter on choosing: predict, then read why."""

from ...figures.quiz import Choice, Question

WHICH = Question(
    "which-algorithm-wins",
    "Twelve algorithms fit a linear model to 1,797 images of digits, to tell odd from "
    "even, at ε = 1 and with the parameters of their theorems. Which loses least?",
    [
        Choice(
            "DP-SGD, which everybody uses",
            False,
            "It is the default for networks. For a linear model it loses several times "
            "as much as the best: it stops after 200 noisy steps.",
        ),
        Choice(
            "objective perturbation with normal noise",
            True,
            "It draws noise once, and a solver finds the minimum exactly. The method "
            "is older than DP-SGD as we know it.",
        ),
        Choice(
            "output perturbation",
            False,
            "It adds noise after the minimum, and needs a strong ridge so that one "
            "record cannot move the minimum far. The ridge costs more than the noise.",
        ),
        Choice(
            "DP-FTRL",
            False,
            "It makes one pass in any order. Here several passes are allowed, so that "
            "strength is not needed.",
        ),
    ],
)

PUBLIC = Question(
    "what-may-be-read-off",
    "A file of patients is to be scaled before training. Which limits for the column "
    "“blood pressure” cost no privacy?",
    [
        Choice(
            "the least and the largest value in the file",
            False,
            "They are the exact values of two patients, and they scale all others.",
        ),
        Choice(
            "50 and 140, because a textbook says so",
            True,
            "They were fixed without looking. If they fit badly, accuracy suffers, but "
            "not privacy.",
        ),
        Choice(
            "the 1% and 99% quantiles of the file",
            False,
            "Quantiles move when a record leaves, too. They can be published with "
            "noise, and then they cost a part of the budget.",
        ),
    ],
)

SHUFFLED = Question(
    "tutorial-claim",
    "A tutorial trains on shuffled batches of 256 of 60,000 images for 60 epochs with "
    "λ = 1.12, and states ε = 2.92 at δ = 10⁻⁵. What do these settings prove?",
    [
        Choice(
            "ε = 2.92",
            False,
            "The number was computed for Poisson samples. The batches were shuffled.",
        ),
        Choice(
            "ε = 2.31 for Poisson samples, and far more for shuffled batches",
            True,
            "For Poisson samples the settings are even better than stated. For "
            "shuffled batches no bound below ε = 52.6 is proved in this book.",
        ),
        Choice(
            "nothing at all",
            False,
            "Sixty Gaussian releases are private even in a fixed order, at ε = 52.6. "
            "That is a weak promise, but it is one.",
        ),
    ],
    reveal="Both numbers come from the accountant, which takes a second. Ask for them "
    "when you review a paper.",
)

SEARCH = Question(
    "does-a-search-pay",
    "442 patients, and a budget of ε = 2 for everything. Plan A is one run, with a "
    "learning rate drawn from four at random. Plan B runs four times on average, pays "
    "for the search, and keeps the best. Which model is better?",
    [
        Choice(
            "plan B, because it keeps the best",
            False,
            "It keeps the one with the best noisy score, of runs that each had less "
            "of the budget.",
        ),
        Choice(
            "about the same",
            True,
            "The search finds a better rate, and pays for it with 29% more noise in "
            "each run. On so few records the two cancel.",
        ),
        Choice(
            "plan A, by far",
            False,
            "A bad rate would cost plan A a lot, and it does not know which is bad.",
        ),
    ],
)
