"""Questions of the chapter on DP-FTRL in practice: predict, then read why."""

from ...figures.quiz import Choice, Question

COINS = Question(
    "what-coins-gain",
    "One pass over MNIST has 1000 steps, and a record is in each batch with "
    "probability 1/1000. At ε = 1 sampling lets DP-SGD have 6 times less noise than "
    "without. And at ε = 16?",
    [
        Choice(
            "6 times less, too",
            False,
            "The gain comes from how rarely a record takes part. With little noise, "
            "taking part once is enough to be seen.",
        ),
        Choice(
            "60 times less",
            False,
            "The gain falls as the budget grows. With much noise, taking part once "
            "reveals little, and taking part rarely reveals almost nothing; there "
            "sampling is worth most.",
        ),
        Choice(
            "only a tenth less",
            True,
            "It is 0.31 against 0.34. At this budget one participation may nearly be "
            "seen, so it hardly matters that it is random.",
        ),
    ],
)

SHUFFLED = Question(
    "shuffled-batches",
    "You shuffle the records, cut the list into batches, and price DP-SGD as if each "
    "batch were sampled. Is the price right?",
    [
        Choice(
            "Yes: a shuffled list is random as well.",
            False,
            "In one pass each record takes part exactly once. With Poisson sampling "
            "it takes part 0, 1, 2 … times, and the price relies on that uncertainty.",
        ),
        Choice(
            "No: it may be far too low.",
            True,
            "The price is for Poisson sampling. If a shuffled list is cut into "
            "batches, price one release per pass, as for DP-FTRL with independent "
            "noise.",
        ),
        Choice(
            "No: it is too high, so we are safe.",
            False,
            "There is less uncertainty, not more: a record that certainly takes part "
            "is not hidden by doubt about that.",
        ),
    ],
)
