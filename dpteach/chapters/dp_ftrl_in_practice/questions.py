"""Questions of the chapter on DP-FTRL in practice: predict, then read why."""

from ...figures.quiz import Choice, Question

COINS = Question(
    "what-coins-gain",
    "One pass over MNIST has 1000 steps, and a record is in each batch with "
    "probability 1/1000. At ε = 1 sampling lets DP-SGD have 6 times less noise than "
    "without. And at ε = 16?",
    [
        Choice(
            "6 times less, too",
            False,
            "The gain comes from how rarely a record takes part. With little noise, "
            "taking part once is enough to be seen.",
        ),
        Choice(
            "60 times less",
            False,
            "The gain falls as the budget grows. With much noise, taking part once "
            "reveals little, and taking part rarely reveals almost nothing; there "
            "sampling is worth most.",
        ),
        Choice(
            "only a tenth less",
            True,
            "It is 0.31 against 0.34. At this budget one participation may nearly be "
            "seen, so it hardly matters that it is random.",
        ),
    ],
)

SHUFFLED = Question(
    "shuffled-batches",
    "You shuffle the records, cut the list into batches, and price DP-SGD as if each "
    "batch were sampled. Is the price right?",
    [
        Choice(
            "Yes: a shuffled list is random as well.",
            False,
            "In one pass each record takes part exactly once. With Poisson sampling "
            "it takes part 0, 1, 2 … times, and the price relies on that uncertainty.",
        ),
        Choice(
            "No: it may be far too low.",
            True,
            "The price is for Poisson sampling. If a shuffled list is cut into "
            "batches, price one release per pass, as for DP-FTRL with independent "
            "noise.",
        ),
        Choice(
            "No: it is too high, so we are safe.",
            False,
            "There is less uncertainty, not more: a record that certainly takes part "
            "is not hidden by doubt about that.",
        ),
    ],
)

WINNER = Question(
    "coins-or-correlation",
    "The same model, the same data, the same price and the same work. DP-SGD draws "
    "Poisson samples; DP-FTRL has a fixed order and correlated noise. Which one "
    "gives the better model?",
    [
        Choice(
            "DP-SGD, at every ε",
            False,
            "It has the advantage of sampling, and that is large where the noise is "
            "large. But it shrinks as the budget grows.",
        ),
        Choice(
            "DP-FTRL, at every ε",
            False,
            "Correlated noise helps about as much at every ε. But at small budgets "
            "sampling helps even more.",
        ),
        Choice(
            "DP-SGD at small ε, and DP-FTRL at large ε",
            True,
            "The two curves cross. Where they do depends on passes and batches, as "
            "this chapter shows.",
        ),
    ],
)

RESTART = Question(
    "what-a-pass-hands-on",
    "A pass is over, and the records will come back. With which sum of gradients "
    "should the next pass begin?",
    [
        Choice(
            "with the exact sum, since no more noise is needed for it",
            False,
            "Then each model of the next pass contains the old gradients once more, "
            "under fresh noise. An attacker averages, and the price is wrong.",
        ),
        Choice(
            "with zero, so that nothing is left of the old pass",
            False,
            "That is private, but it throws away what was learned: the sum is where "
            "the model stands.",
        ),
        Choice(
            "with the last sum and its noise, as it was released",
            True,
            "A released sum may be used again at no cost. Its noise stays in all later "
            "sums, and that is what a restart costs.",
        ),
    ],
)

MOMENTUM = Question(
    "momentum-on-correlated-noise",
    "Momentum makes each model from a running mean of noisy sums. Does it help a "
    "linear model that is trained with the tree's noise?",
    [
        Choice(
            "no, because the loss is convex and easy",
            False,
            "For noiseless descent there would be little to gain. But here the mean "
            "also acts on the noise.",
        ),
        Choice(
            "yes, because the mean evens out the noise",
            True,
            "The tree's noise goes up and down from step to step, and a running mean "
            "of it is smaller. Since noise was paid for in the sums, this is free.",
        ),
        Choice(
            "it changes the price, so the question is unfair",
            False,
            "Momentum only uses what was released. Its price is zero.",
        ),
    ],
)

NETWORKS = Question(
    "networks-of-the-paper",
    "The paper’s network, and 20 epochs of MNIST in batches of 250. DP-FTRL has a new "
    "tree for each epoch, as in the paper, or one newer noise from four buffers for "
    "all epochs. Which of them beats DP-SGD on Poisson samples?",
    [
        Choice(
            "Both, at every ε",
            False,
            "At ε = 1 the gain of sampling is too large: the buffers are 0.7 points "
            "behind, and the tree is 2.7.",
        ),
        Choice(
            "The buffers from ε = 4 on; the tree is level at ε = 16, and behind below",
            True,
            "A new tree for each epoch is paid for twenty times, and the noise of old "
            "ones stays in the sum. The noise of the buffers is made for all epochs "
            "together.",
        ),
        Choice(
            "Neither: a network needs fresh noise in each step",
            False,
            "Fresh noise without sampling is the worst of the four, 13 points behind "
            "at ε = 1. What helps DP-SGD is the sampling.",
        ),
    ],
)
