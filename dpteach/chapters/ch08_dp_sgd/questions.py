"""Questions of the chapter on DP-SGD: predict first, then read why."""

from ...figures.quiz import Choice, Question

ODDS = Question(
    "odds",
    "ε = 1 and δ = 10⁻⁶, and an attacker who knows everything but whether one record "
    "was there. Out of 100 guesses, at most how many are right?",
    [
        Choice(
            "50",
            False,
            "That is a coin, at ε = 0. A little is learned at every ε above 0.",
        ),
        Choice(
            "55",
            True,
            "The best attacker of a Gaussian release is right with probability "
            "Φ(μ/2), and μ is 0.24 here.",
        ),
        Choice(
            "73",
            False,
            "That is e/(1 + e), the cap that ε = 1 alone sets, if δ is 0. Gaussian "
            "noise at this price stays well below it.",
        ),
        Choice(
            "99.9999",
            False,
            "That reads δ as the chance that all is well. δ bounds how far the odds "
            "can break away from ε; it is no rate of success.",
        ),
    ],
)

NOISE_AND_STEPS = Question(
    "noise-and-steps",
    "You keep ε and δ and take 100 times as many steps. How much more noise does each "
    "step need?",
    [
        Choice(
            "100 times as much",
            False,
            "That adds up the steps’ ε. Gaussian steps add up in squares, so the root "
            "of 100 is enough.",
        ),
        Choice("10 times as much", True, "λ = √T/μ, and μ is fixed by ε and δ."),
        Choice(
            "as much as before",
            False,
            "Then ε is that of one step, and all steps together cost more. The audit "
            "below catches this mistake.",
        ),
    ],
)

SUM_OR_MEAN = Question(
    "sum-or-mean",
    "Your library minimizes the mean loss of n records, not the sum. It clips each "
    "gradient to L and averages them. Which noise goes on the average?",
    [
        Choice(
            "standard deviation Lλ",
            False,
            "That is the noise of a sum. On an average it is n times too much: "
            "private, and useless.",
        ),
        Choice(
            "standard deviation Lλ/n",
            True,
            "One record moves the average by L/n. The n must be a public number.",
        ),
        Choice(
            "Lλ divided by the size of the batch at hand",
            False,
            "The size of a random batch depends on who is in the data. Divide by the "
            "expected size, which is public.",
        ),
    ],
)

BEST_STEPS = Question(
    "best-steps",
    "ε is fixed and the learning rate is the theorem’s for each T. You double T again "
    "and again. What becomes of the excess risk?",
    [
        Choice(
            "it falls to zero",
            False,
            "Without noise it would. The term p/μ² does not depend on T.",
        ),
        Choice(
            "it falls, then stays",
            True,
            "Past T = n²ε²/p the privacy term rules, and T is not in it. Only "
            "computing time is lost.",
        ),
        Choice(
            "it falls, then rises",
            False,
            "So it is with a learning rate that stays fixed: see the valley below. "
            "The theorem’s rate shrinks as T grows.",
        ),
    ],
)

CLIPPING = Question(
    "clipping",
    "Is a model that was trained with a small clip norm, and no noise at all, the "
    "ordinary model?",
    [
        Choice(
            "yes, clipping only makes privacy possible",
            False,
            "It shortens the long gradients, so it weighs records differently. The "
            "sum vanishes at another model.",
        ),
        Choice(
            "no, clipping changes what is minimized",
            True,
            "Large errors count less. For squared loss, the goal moves from the mean "
            "toward the median.",
        ),
        Choice(
            "yes, since all gradients keep their direction",
            False,
            "Each keeps its direction, but their sum does not.",
        ),
    ],
)

FIXED_SEED = Question(
    "fixed-seed",
    "For a release that others can check, you train with rng=0 and publish the code. "
    "Is the model private?",
    [
        Choice(
            "yes, the noise has the right size",
            False,
            "Whoever knows the seed computes the noise and subtracts it. What is left "
            "is the sum of the clipped gradients.",
        ),
        Choice(
            "no, the noise is public",
            True,
            "Privacy needs noise that nobody knows. This book fixes seeds to teach: "
            "its models are not for release.",
        ),
    ],
    reveal="Use rng=None, which asks the operating system, and keep no record of it.",
)

ONE_RUN = Question(
    "one-run",
    "Two private algorithms, one run each on the same data. The first reaches the "
    "lower risk. Is it the better one?",
    [
        Choice(
            "yes, the data were the same",
            False,
            "The noise was not. Look at the bands in the figures: another run can "
            "turn the order round.",
        ),
        Choice(
            "not shown",
            True,
            "Compare many runs at the same total ε, δ and relation, with rates that "
            "were not tuned on these data.",
        ),
    ],
)

COMPARE = Question(
    "compare",
    "One paper reports ε = 1 for adding or removing a record, another ε = 1 for "
    "replacing one. Both use the same δ. Which promises more?",
    [
        Choice(
            "they promise the same",
            False,
            "A replacement is a removal and an addition. It can move a sum twice as "
            "far.",
        ),
        Choice(
            "the first",
            False,
            "Its noise hides a shift of L. The other hides a shift of 2L.",
        ),
        Choice(
            "the second",
            True,
            "To hide replacements at the same ε it takes twice the noise.",
        ),
    ],
)
