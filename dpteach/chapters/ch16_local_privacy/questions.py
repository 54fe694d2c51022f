"""Questions of the chapter on local privacy: predict first, then read why."""

from ...figures.quiz import Choice, Question

DIMENSION = Question(
    "local-dimension",
    "A gradient has norm at most 1 and p = 100 entries. At ε = 1, how long is the "
    "noise of one local report, on average?",
    [
        Choice(
            "about 2",
            False,
            "That is 2/ε, the mean of the exponential distribution, and right for "
            "p = 1. In 100 dimensions there is far more volume at large distances.",
        ),
        Choice(
            "about 20",
            False,
            "That would be √p times 2. Gaussian noise grows like this. But here the "
            "density falls with the length itself, not with its square.",
        ),
        Choice(
            "about 200",
            True,
            "The length has a gamma distribution with mean 2p/ε. A signal of length 1 "
            "lies under noise of length 200, in every single report.",
        ),
    ],
)

TRY_RATES = Question(
    "try-rates",
    "You would like to try 7 learning rates. Each user may spend ε = 1 in all. You "
    "ask every user 7 times, with ε = 1/7 each. How much does the noise in one report "
    "grow?",
    [
        Choice(
            "√7 times",
            False,
            "Gaussian noise adds up in squares. But pure ε adds up directly, so each "
            "report gets a seventh of it.",
        ),
        Choice(
            "7 times, and the variance 49 times",
            True,
            "So each of the seven runs is as good as one with 49 times fewer users. "
            "Splitting the users into 7 groups costs only a factor of 7.",
        ),
        Choice(
            "not at all, because the rates are public",
            False,
            "They are, but each run needs a new report about the same record.",
        ),
    ],
)

WHO_SEES = Question(
    "who-sees",
    "Who may see a report of the local randomizer?",
    [
        Choice(
            "only the server",
            False,
            "The server is not trusted here. The noise was added before the report "
            "left the user.",
        ),
        Choice(
            "everybody",
            True,
            "Its guarantee holds against anyone who reads it, and so does the "
            "guarantee of all models computed from it.",
        ),
        Choice(
            "nobody, because only the average is private",
            False,
            "That is the central model, where one noise protects the sum.",
        ),
    ],
)
