"""Questions of the chapter on the exponential mechanism: predict, then read why."""

from ...figures.quiz import Choice, Question

SPREAD = Question(
    "exponential-spread",
    "442 patients, two measurements, and a square of models. From which of these ε on "
    "does half of the probability lie in less than a tenth of the square?",
    [
        Choice(
            "0.03",
            False,
            "There the weights of the worst and the best model differ by a small "
            "factor, and a third of the square is needed.",
        ),
        Choice(
            "0.3",
            True,
            "The risk is a sum over 442 patients. So even a small exponent makes a "
            "large difference between models.",
        ),
        Choice(
            "10",
            False,
            "At ε = 10 half of the probability lies in a few cells. Many records make "
            "the distribution sharp long before.",
        ),
    ],
)

HALF = Question(
    "exponential-half",
    "The source’s exponent is ε/(2L‖𝒞‖₂). A record is added to the data. How much of "
    "ε does one draw spend, at most?",
    [
        Choice(
            "all of it",
            False,
            "The 2 covers two dangers: the density, and its normalizer. But the two "
            "cannot both be at their worst.",
        ),
        Choice(
            "half of it",
            True,
            "The log-ratio lies in an interval of length c·L‖𝒞‖₂ = ε/2 that contains "
            "0. If a record is replaced, the length is ε.",
        ),
        Choice(
            "twice as much",
            False,
            "That would need a change of the risk by four times L‖𝒞‖₂.",
        ),
    ],
)

RECORDS = Question(
    "exponential-records",
    "You get twice as many records of the same kind, and keep ε. What happens to the "
    "mean excess risk, counted as a sum over records?",
    [
        Choice(
            "it doubles",
            False,
            "The risk of a fixed model doubles. But then the density is twice as "
            "steep, and stays closer to the best model.",
        ),
        Choice(
            "it stays as it is",
            True,
            "The bound p/c has no n in it. A record’s share falls as 1/n.",
        ),
        Choice(
            "it halves",
            False,
            "The excess per record does. The sum over twice as many records does not.",
        ),
    ],
)

CHAIN = Question(
    "exponential-chain-private",
    "A chain is proved to converge to the exponential mechanism. You run 10,000 steps "
    "and publish the last point. Is that ε-differentially private?",
    [
        Choice(
            "yes, because the limit is",
            False,
            "The limit is a different distribution. What you publish has the "
            "distribution after 10,000 steps.",
        ),
        Choice(
            "yes, if its trace looks settled",
            False,
            "A trace is one run on one data set. Privacy is about all data sets at "
            "once, including those on which the chain is slow.",
        ),
        Choice(
            "not shown",
            True,
            "If its distribution were within total variation τ of the limit for every "
            "data set, it would be (ε, (1 + exp ε)·τ)-private. Somebody has to prove "
            "such a τ.",
        ),
    ],
    reveal="The samplers of this chapter that return a release are exact. Its "
    "chains return points, but no event.",
)
