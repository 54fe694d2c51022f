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

MORE_SIGNS = Question(
    "more-signs",
    "Each record gets more signs, and each sign's mean is as far off as before. Does "
    "it "
    "become easier or harder to tell who was in?",
    [
        Choice(
            "harder, because there is more noise in all",
            False,
            "There is more noise, but more agreement, too. Which of the two grows "
            "faster with p?",
        ),
        Choice(
            "easier",
            True,
            "Agreement adds up like p, and chance like the root of p.",
        ),
        Choice(
            "it stays the same, because no sign is more accurate",
            False,
            "No single sign tells more. But there are more of them to add up.",
        ),
    ],
)

WHAT_MOVES = Question(
    "what-moves",
    "Hold ε and take four times as many steps. What does the curve of what is "
    "impossible do?",
    [
        Choice(
            "it rises, because there is more noise",
            False,
            "There is more noise in each step, but the curve is about all algorithms "
            "of this price.",
        ),
        Choice(
            "it falls, because a longer walk comes nearer",
            False,
            "The algorithm's own risk may fall. The curve does not know it.",
        ),
        Choice(
            "it stays",
            True,
            "ε fixes μ at this δ, and the curve depends on μ, n and p alone: it holds "
            "for every μ-GDP algorithm.",
        ),
    ],
)

NEAREST = Question(
    "nearest-to-the-bound",
    "Linear risk, 1,000 records, ε = 1. Which of these is nearest to what is possible "
    "for its kind of privacy?",
    [
        Choice(
            "objective perturbation",
            True,
            "It adds its noise once, where the records enter, and loses a factor of "
            "about 8.",
        ),
        Choice(
            "the exponential mechanism",
            False,
            "It is optimal up to constants for all convex losses. On this one the "
            "constant is about 25.",
        ),
        Choice(
            "private Frank-Wolfe",
            False,
            "Its models live in the ℓ1 ball, which holds no good model for this "
            "problem.",
        ),
    ],
)
