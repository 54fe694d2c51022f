"""Questions of the chapter on BANCO: predict first, then read why."""

from ...figures.quiz import Choice, Question

NOISY_COIN = Question(
    "noisy-coin",
    "A bettor who knows that coins are 1 or −1 may stake any share of its wealth below "
    "1 and never goes broke. Now coins arrive with Laplace noise. What changes?",
    [
        Choice(
            "Nothing, because the noise has mean zero.",
            False,
            "The mean of the wealth does not change. But one report of −5 takes five "
            "times the stake, and a bettor who is broke stays broke.",
        ),
        Choice(
            "No share is safe: a large enough report can take everything.",
            True,
            "Noise has no largest value. So BANCO gives up on being safe in every "
            "run, and aims for wealth that is positive on average.",
        ),
        Choice(
            "It must stake a share below 1/2.",
            False,
            "If the share is a third, a report of −3 is enough to lose everything. For "
            "every share there is such a report.",
        ),
    ],
)

TUNING = Question(
    "tuning-split",
    "Split the users into 7 equal groups, try one learning rate in each, and keep the "
    "best model. How much worse is that than knowing the best rate?",
    [
        Choice(
            "7 times",
            False,
            "The group with the best rate has n/7 users. Risk falls like 1/√n, so the "
            "price is a root.",
        ),
        Choice(
            "about √7 = 2.6 times, and a few users more to choose the winner",
            True,
            "Groups are different people, so their ε do not add up. It is a fair "
            "rival for BANCO, as long as the best rate is among the seven.",
        ),
        Choice(
            "not at all, because nobody pays twice",
            False,
            "Nobody does. But six sevenths of the reports trained models that are "
            "thrown away.",
        ),
    ],
)
