"""Questions of the chapter on DP-SGD: predict first, then read why."""

from ...figures.quiz import Choice, Question

ODDS = Question(
    "odds",
    "A release with Gaussian noise has ε = 1 and δ = 10⁻⁶. An attacker knows "
    "everything except whether one record was there. Out of 100 guesses, at most how "
    "many are right on average?",
    [
        Choice(
            "50",
            False,
            "That is a coin toss, at ε = 0. At every ε above 0 the attacker learns a "
            "little.",
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
            "That reads δ as a probability that all is well. But δ bounds by how much "
            "the probability of an event can exceed what ε allows; it is not a rate of "
            "success.",
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
            "Then ε is the price of one step, and all steps together cost more. The "
            "audit below catches this mistake.",
        ),
    ],
)

SUM_OR_MEAN = Question(
    "sum-or-mean",
    "Your library minimizes the mean loss of n records, not the sum. It clips each "
    "gradient to L and averages them. Which noise must be added to the average?",
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
            "One record moves the average by L/n. But n must be a public number.",
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
    "and again. What happens to the excess risk?",
    [
        Choice(
            "it falls to zero",
            False,
            "Without noise it would. The term p/μ² does not depend on T.",
        ),
        Choice(
            "it falls, then stays",
            True,
            "Beyond T = n²ε²/p the privacy term dominates, and it does not depend on "
            "T. More steps only cost computing time.",
        ),
        Choice(
            "it falls, then rises",
            False,
            "That happens with a fixed learning rate: see the valley below. But the "
            "theorem’s rate shrinks as T grows.",
        ),
    ],
)

CLIPPING = Question(
    "clipping",
    "Is a model that was trained with a small clip norm, and no noise at all, the "
    "ordinary model?",
    [
        Choice(
            "yes, because clipping only makes privacy possible",
            False,
            "It shortens the long gradients, so it weighs records differently, and "
            "the sum vanishes at a different model.",
        ),
        Choice(
            "no, because clipping changes what is minimized",
            True,
            "Large errors count less. For squared loss, the minimum moves from the "
            "mean toward the median.",
        ),
        Choice(
            "yes, because all gradients keep their direction",
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
            "yes, because the noise has the right size",
            False,
            "Anyone who knows the seed can compute the noise and subtract it. What "
            "remains is the sum of the clipped gradients.",
        ),
        Choice(
            "no, because the noise is public",
            True,
            "Privacy needs noise that nobody knows. This book fixes seeds for "
            "teaching, so its models are not for release.",
        ),
    ],
    reveal="Use rng=None, which asks the operating system, and keep no record of it.",
)

ONE_RUN = Question(
    "one-run",
    "Two private algorithms, one run each on the same data. The first reaches a lower "
    "risk. Is it better?",
    [
        Choice(
            "yes, because the data were the same",
            False,
            "The data were, but the noise was not. Look at the bands in the figures: "
            "another run can reverse the order.",
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
            "Its noise hides a shift of L, while the other one hides a shift of 2L.",
        ),
        Choice(
            "the second",
            True,
            "Hiding replacements at the same ε takes twice the noise.",
        ),
    ],
)
