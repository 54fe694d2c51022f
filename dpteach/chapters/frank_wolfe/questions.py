"""Questions of the chapter on Frank-Wolfe: predict first, then read why."""

from ...figures.quiz import Choice, Question

MANY_CORNERS = Question(
    "many-corners",
    "In a vote, every score gets noise of the same scale. The number of features goes "
    "from 1,000 to 1,000,000. By how much does the largest noise grow?",
    [
        Choice(
            "1,000 times",
            False,
            "The noise is not added up over corners. Only the largest one can win.",
        ),
        Choice(
            "about 32 times",
            False,
            "That is the root of 1,000, by which the length of a noise vector grows. "
            "But only its largest entry matters in a vote, not its length.",
        ),
        Choice(
            "about 2 times",
            True,
            "The largest of 2p noise terms is about b ln 2p, and ln 2p goes from 7.6 "
            "to 14.5.",
        ),
    ],
)

WHAT_IS_PAID = Question(
    "what-is-paid",
    "A step computes 2p noisy scores and publishes which one is lowest. What does it "
    "pay for?",
    [
        Choice(
            "2p scores",
            False,
            "It would if it published their values. But the losers stay secret.",
        ),
        Choice(
            "one choice",
            True,
            "Only the winner’s number is published, and its price does not depend on "
            "p.",
        ),
        Choice(
            "nothing, because it is an index",
            False,
            "An index reveals which score was low, and that depends on the records.",
        ),
    ],
)

SUM_AGAIN = Question(
    "sum-again",
    "The loss is a sum over n records, and no entry of a record’s gradient exceeds L₁ "
    "in size. How far can a record that is added or removed move the score of a corner "
    "of the unit ball?",
    [
        Choice(
            "L₁/n",
            False,
            "That is how far it moves a mean. The printed Algorithm 6 has this n.",
        ),
        Choice(
            "L₁",
            True,
            "It adds its own gradient, whatever the others are. So n does not matter.",
        ),
        Choice(
            "nL₁",
            False,
            "That is how large the whole sum can be. One record adds one part.",
        ),
    ],
)

MORE_VOTES = Question(
    "more-votes",
    "A walk makes more steps at the same ε. Does the best corner win a larger share of "
    "the votes, or a smaller one?",
    [
        Choice(
            "a larger one, because mistakes average out over many votes",
            False,
            "Mistakes average out in the model, but each single vote is worse: its "
            "noise grew.",
        ),
        Choice(
            "the same",
            False,
            "All votes share one budget, so each of them gets less of it.",
        ),
        Choice(
            "a smaller one",
            True,
            "Four times as many votes at one price mean twice the noise in each.",
        ),
    ],
)
