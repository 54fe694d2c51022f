"""Questions of the chapter on machines: predict, then read why."""

from ...figures.quiz import Choice, Question

LAST_BITS = Question(
    "last-bits-of-noise",
    "A count of 0 or 1 gets Laplace noise of scale 10 from rng.laplace, which promises "
    "ε = 0.1. Somebody sees one noisy count with all of its digits. How often can they "
    "tell which count it was?",
    [
        Choice(
            "52 times in 100, as ε = 0.1 allows",
            False,
            "That would be right if noise were a real number. But a computer has no "
            "real numbers, and the gaps between the numbers that it has depend on the "
            "count.",
        ),
        Choice(
            "91 times in 100",
            True,
            "Four numbers in five can come from only one of the two counts. The attack "
            "needs a logarithm and a few comparisons.",
        ),
        Choice(
            "always",
            False,
            "Some numbers can come from both counts. With two or three noisy counts "
            "it works nearly always.",
        ),
    ],
    reveal="Publish integers, or multiples of a fixed grid, with noise that was drawn "
    "from integers. Rounding floating-point noise can be made safe as well, but that "
    "needs a proof of its own.",
)

SEED = Question(
    "seed-and-report",
    "To let others repeat your result you publish the model, the code, and the seed of "
    "the run on the private data. Which of the three is too much?",
    [
        Choice(
            "the model",
            False,
            "The model is what ε was spent on. It may be published.",
        ),
        Choice(
            "the code",
            False,
            "Privacy does not rest on secret code: every proof lets the attacker know "
            "the algorithm.",
        ),
        Choice(
            "the seed",
            True,
            "With the seed anyone can draw the same noise and subtract it. Seeds are "
            "for teaching and for public data.",
        ),
    ],
)

TUNING = Question(
    "is-tuning-free",
    "There are ten runs with ten learning rates, each 1-private together with its "
    "score, and only the best model is published. How private is that publication?",
    [
        Choice(
            "1-private: nothing else was published",
            False,
            "The nine other runs helped to decide which one is best.",
        ),
        Choice(
            "10-private, and no better in general",
            True,
            "Adding up ten budgets is always enough. The example below needs all "
            "of it.",
        ),
        Choice(
            "about 3.2-private, by the root of ten",
            False,
            "Roots are for δ above 0 and many small releases. At δ = 0 budgets add up.",
        ),
    ],
)

MICRO = Question(
    "micro-batches",
    "A batch is cut into 4 micro-batches to fit into memory. Each adds noise of "
    "standard deviation σ/4 to its sum. How large is the noise in the total?",
    [
        Choice(
            "σ, as it should be",
            False,
            "Deviations of independent draws do not add up; their squares do.",
        ),
        Choice(
            "σ/2",
            True,
            "Four variances of σ²/16 are σ²/4. So μ is twice what was promised.",
        ),
        Choice(
            "σ/4",
            False,
            "That is the noise of one micro-batch. The four draws are independent.",
        ),
    ],
)

CRASH = Question(
    "crash",
    "A training job checks its input, and stops with an error if a label is missing. "
    "The error says only “bad input”. Does that cost privacy?",
    [
        Choice(
            "no, it names nobody",
            False,
            "Anyone who knows all other records, and knows that this one has no "
            "label, learns from the error that it was there.",
        ),
        Choice(
            "yes, and no ε covers it",
            True,
            "The error is an output. With this record it always occurs, and without "
            "it never, because there is no noise.",
        ),
        Choice(
            "only if the error is published",
            False,
            "If nobody outside can ever see that the job failed, nothing is lost. But "
            "people notice a model that does not appear.",
        ),
    ],
    reveal="Decide before the run what a bad record counts as, such as a gradient of "
    "zero, so that every data set leads to an output.",
)

SECRET_NUMBER = Question(
    "secret-number-of-runs",
    "A search stopped at random after 37 runs, and its best model is published. May "
    "the report say that there were 37 runs?",
    [
        Choice(
            "yes, the number came from a coin",
            False,
            "It does not depend on the data. But once it is known, the model is the "
            "best of a fixed number of runs.",
        ),
        Choice(
            "no",
            True,
            "The theorem averages over the number. Given that it is 37, only the price "
            "of 37 runs is proved. Give the probability of stopping instead.",
        ),
        Choice(
            "yes, if δ is small enough",
            False,
            "The case of the ten coins needs no δ at all: its best of K costs K times "
            "as much.",
        ),
    ],
)

LABEL = Question(
    "what-a-label-covers",
    "A label says ε = 1 for adding or removing one record. A patient has 20 records. "
    "What does the label promise to the patient?",
    [
        Choice(
            "ε = 1",
            False,
            "That is the promise to one record. All 20 records together can move the "
            "model twenty times as far.",
        ),
        Choice(
            "nothing",
            False,
            "A promise to one record is a weaker promise to a group: for Gaussian "
            "noise, 20 μ.",
        ),
        Choice(
            "what holds for a group of 20",
            True,
            "For Gaussian noise μ becomes 20 μ, so ε = 1 becomes more than 30. It is "
            "better to bound what one patient contributes.",
        ),
    ],
)
