"""Questions of the chapter on sampling: predict first, then read why."""

from ...figures.quiz import Choice, Question

SMALL_OR_LARGE = Question(
    "small-or-large",
    "A step costs ε₀ = 10 on all records. You run it on one record in a hundred. What "
    "does the sampled step cost?",
    [
        Choice(
            "0.1, a hundredth",
            False,
            "The factor q holds for small ε₀ only. If the record is in the sample, "
            "the step reveals it, and that happens one time in a hundred.",
        ),
        Choice(
            "5.4",
            True,
            "ln(1 + q(e^ε₀ − 1)) is nearly ε₀ − ln(1/q) for large ε₀. Sampling "
            "subtracts from ε₀; it does not multiply it.",
        ),
        Choice(
            "10, sampling does not help a step that is not private",
            False,
            "It helps, but little: ln 100 = 4.6 is gone.",
        ),
    ],
)

BOTH_DIRECTIONS = Question(
    "both-directions",
    "An attacker compares the mixture P, with the record, to Q, without it. The price "
    "covers P against Q, and Q against P. For one Gaussian step on a Poisson sample, "
    "which of the two costs more?",
    [
        Choice(
            "P against Q: the record leaves",
            True,
            "A large output is strong evidence that the record is there. Nothing is "
            "strong evidence that it is not: that loss is at most −ln(1 − q).",
        ),
        Choice(
            "Q against P: the record arrives",
            False,
            "Without the record, no output is more than 1/(1 − q) times as likely as "
            "with it. So this loss is bounded.",
        ),
        Choice(
            "they cost the same, by symmetry",
            False,
            "That holds for the Gaussian pair itself. The mixture is not symmetric.",
        ),
    ],
)

DIVISOR = Question(
    "which-divisor",
    "A Poisson batch of expected size 64 came out with 49 records. By what do you "
    "divide the noisy sum?",
    [
        Choice(
            "49, for an unbiased mean of these records",
            False,
            "49 was computed from who is in the data, and no noise was spent on it. "
            "The sum over 64 is unbiased as well: for the mean over all records.",
        ),
        Choice(
            "64, the expected size",
            True,
            "It is a public constant, so dividing by it is post-processing.",
        ),
        Choice(
            "it makes no difference to privacy",
            False,
            "A record changes the divisor, and with it the pull of every other record "
            "in the batch.",
        ),
    ],
)

EMPTY_BATCH = Question(
    "empty-batch",
    "A Poisson batch came out empty, and the training loop crashes. What is the right "
    "repair?",
    [
        Choice(
            "draw again until some record is in it",
            False,
            "Then the number of draws, and who is in the batch, no longer follow the "
            "sampling that was priced. In a data set of one record, that record is "
            "then in every batch.",
        ),
        Choice(
            "skip the step",
            False,
            "A missing step is visible: it reveals that the batch was empty.",
        ),
        Choice(
            "take the step with a sum of zero, plus noise",
            True,
            "That is the algorithm that was priced. The noise hides whether the batch "
            "was empty, as it hides whether a record was in it.",
        ),
    ],
)

STREAM = Question(
    "stream-order",
    "Records arrive one by one and each is used once, in the order of arrival. The "
    "server knows that order. Which sampling rate may be claimed?",
    [
        Choice(
            "q = 1/T, because each record is in one step of T",
            False,
            "That is how often it takes part, not how uncertain its step is. The "
            "order is known here, and it determines the step.",
        ),
        Choice(
            "none: q = 1 for the step in question",
            True,
            "Nothing about the record's step is random. Each record pays for one "
            "Gaussian release, and the next chapters make the best of that.",
        ),
        Choice(
            "q = 1/T, if arrivals look random",
            False,
            "They must be random and secret. That they look random to us does not "
            "make them unknown to the attacker.",
        ),
    ],
)

WHICH_Q = Question(
    "federated-rate",
    "There are 100,000 phones, of which Poisson sampling chooses 500 on average in "
    "each of 2000 rounds; each chosen phone makes 10 local passes over its 300 "
    "records. For the privacy of a user, what are q and T?",
    [
        Choice(
            "q = 0.005 and T = 2000",
            True,
            "A user takes part with probability 500/100,000, and each round releases "
            "one noisy sum. What a phone does in between does not matter.",
        ),
        Choice(
            "q = 0.005 and T = 2000 · 10 · 300",
            False,
            "Local steps release nothing. Only what the server publishes counts.",
        ),
        Choice(
            "q = 500/(100,000 · 300) and T = 2000",
            False,
            "That counts records. The promise is about users, and a chosen user takes "
            "part with all of his or her records.",
        ),
    ],
)
