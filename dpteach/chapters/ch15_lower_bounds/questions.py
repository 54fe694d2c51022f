"""Questions of the chapter on lower bounds: predict first, then read why."""

from ...figures.quiz import Choice, Question

GROUP = Question(
    "group",
    "An ε-DP mechanism is run on data sets that differ in m records. How much likelier "
    "can an outcome be under one than under the other?",
    [
        Choice(
            "exp(ε) times",
            False,
            "That is for one record. Go from one data set to the other in m steps.",
        ),
        Choice(
            "m · exp(ε) times", False, "Factors of m steps are multiplied, not added."
        ),
        Choice(
            "exp(mε) times",
            True,
            "Each of the m steps allows a factor exp(ε). With ε = 0.1, ten records may "
            "change the odds by e = 2.7, a hundred by e¹⁰ = 22,000.",
        ),
    ],
)

FOUND_NOTHING = Question(
    "found-nothing",
    "The tracing attack finds nothing: it ranks records above strangers in 50 of 100 "
    "pairs. Is the mean private?",
    [
        Choice(
            "yes, because the best attack failed",
            False,
            "It is one attack, with one score. Publish one record in the clear: the "
            "attack still ranks the other 99 no better than strangers.",
        ),
        Choice(
            "we do not know",
            True,
            "An attack that wins refutes a claim of privacy. One that loses proves "
            "nothing. Only a proof about all attacks does.",
        ),
        Choice(
            "no, there is always an attack",
            False,
            "With a proof of ε-DP no attack beats its cap, however clever.",
        ),
    ],
)

MORE_RECORDS = Question(
    "more-records",
    "The lower bound on the total excess risk stops growing once n is large. What "
    "happens to the excess per record?",
    [
        Choice(
            "it stays",
            False,
            "But more and more records share the total.",
        ),
        Choice(
            "it may fall as 1/n",
            True,
            "Privacy costs a fixed total, about p/ε or √p/μ. With many records that "
            "is little for each.",
        ),
        Choice(
            "it must grow",
            False,
            "No: with more records, each one is easier to hide.",
        ),
    ],
)
