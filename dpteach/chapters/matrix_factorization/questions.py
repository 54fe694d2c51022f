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
