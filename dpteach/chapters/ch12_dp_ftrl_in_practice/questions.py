"""Questions of the chapter on DP-FTRL in practice: predict, then read why."""

from ...figures.quiz import Choice, Question

COINS = Question(
    "what-coins-gain",
    "One pass over MNIST in 1000 steps, a record in each batch with probability "
    "1/1000. At ε = 1 sampling lets DP-SGD have 6 times less noise than without. And "
    "at ε = 16?",
    [
        Choice(
            "6 times less, too",
            False,
            "The gain is in how seldom a record is in. With little noise, once is "
            "enough to be seen.",
        ),
        Choice(
            "60 times less",
            False,
            "It falls with the budget. With much noise one look tells little, and few "
            "looks almost nothing; there the coins are worth most.",
        ),
        Choice(
            "only a tenth less",
            True,
            "0.31 against 0.34. At this budget one participation is nearly allowed to "
            "be seen, so it hardly matters that it is random.",
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
            "In one pass each record is in exactly once. With coins it is in 0, 1, 2 … "
            "times, and that doubt is what the price counts on.",
        ),
        Choice(
            "No: it may be too low, by far.",
            True,
            "The price belongs to coins. For a list that is cut, price one release for "
            "each pass, as for DP-FTRL with independent noise.",
        ),
        Choice(
            "No: it is too high, so we are safe.",
            False,
            "Fewer surprises, not more: a record that is in for sure cannot hide "
            "behind the doubt whether it was.",
        ),
    ],
)
