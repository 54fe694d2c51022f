"""Questions of the chapter on matrix factorization: predict, then read why."""

from ...figures.quiz import Choice, Question

SHRINK = Question(
    "shrink-the-encoder",
    "Divide C by 2 and multiply B by 2. Their product is still A. What happens to the "
    "noise of the sums, at the same price?",
    [
        Choice(
            "it is halved",
            False,
            "One record then moves Cx half as far, so z may be half as large. But B "
            "makes the noise twice as large again.",
        ),
        Choice(
            "it stays as it is",
            True,
            "Only the product counts: the longest column of C times a row of B. Scale "
            "does not help; shape does.",
        ),
        Choice(
            "it is doubled",
            False,
            "It would be if z stayed as it is. But a record moves Cx half as far now, "
            "so z may shrink.",
        ),
    ],
)

ALWAYS = Question(
    "does-the-tree-win",
    "A stream has 10 sums. Which has less noise on average, the plain tree or noise on "
    "each vector?",
    [
        Choice(
            "the tree",
            False,
            "A record is in four nodes, and so each node has twice the noise of one "
            "release. Ten sums are too few to make up for that.",
        ),
        Choice(
            "noise on each vector",
            True,
            "It is ahead for every T from 2 to 19. In the long run √T loses to ln T; "
            "ten is not the long run.",
        ),
        Choice(
            "they are equal",
            False,
            "They are equal for one sum. After that they part, and cross once more "
            "near 20.",
        ),
    ],
)

GROWTH = Question(
    "which-grow-slowly",
    "At a fixed price, how does the noise of a prefix sum grow with the number T of "
    "sums, for the tree, the square root and the optimum?",
    [
        Choice(
            "the tree like √T, the other two like ln T",
            False,
            "It is noise on each vector, or on each sum, that grows like √T. A record "
            "is in about log₂ T nodes of the tree, and a sum is made of as many.",
        ),
        Choice(
            "all three like ln T; only the constants differ",
            True,
            "So from the tree on, everything is a matter of constants: at T = 1,024 "
            "the best factorization has a little more than half of the noise of "
            "Honaker’s tree.",
        ),
        Choice(
            "the optimum not at all",
            False,
            "No factorization can avoid a growth like (ln T)/π, as the bound below "
            "says.",
        ),
    ],
)

AGAIN = Question(
    "records-again",
    "A record takes part in 4 of 256 steps. Its gradients have norm 1 and may be "
    "chosen by an adversary. When does it move Cx the farthest, for the square root?",
    [
        Choice(
            "if the four steps are far apart",
            False,
            "Then its columns of C overlap little. Four visits that are 64 steps "
            "apart move Cx only 2.5 times as far as one visit.",
        ),
        Choice(
            "if the four steps follow each other at the very beginning",
            True,
            "The first columns are the longest, and columns that overlap add up: to "
            "3.6 times one column here. So a rule that keeps participations apart "
            "saves noise.",
        ),
        Choice(
            "it does not matter, because the norms are the same",
            False,
            "It would not matter for noise on each vector, where columns never "
            "overlap. All entries of the square root are positive, so overlaps add up.",
        ),
    ],
)

BANDS = Question(
    "how-many-bands",
    "With sampled batches, few bands mean more amplification and many bands mean more "
    "correlation. At ε = 0.5 and at ε = 8, which number of bands has the least noise?",
    [
        Choice(
            "the same number, as it depends on T alone",
            False,
            "What sampling gains depends on the noise, and so on ε. What correlation "
            "gains does not.",
        ),
        Choice(
            "fewer bands at ε = 0.5, and all of them at ε = 8",
            True,
            "With much noise, sampling is worth most; with little, it is worth nearly "
            "nothing and correlation wins.",
        ),
        Choice(
            "more bands at ε = 0.5, because there the noise is larger",
            False,
            "Correlation removes the same share of the noise at every ε. But at a "
            "small ε each band that is added gives up more of sampling’s gain.",
        ),
    ],
)
