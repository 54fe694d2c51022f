"""Questions of the chapter on auditing: predict first, then read why."""

from ...figures.quiz import Choice, Question

LOOKING = Question(
    "looking-first",
    "You have 1,000 scores with the canary and 1,000 without it. May you try all "
    "thresholds, and report the one that proves the largest ε at confidence 99.9%?",
    [
        Choice(
            "Yes: each threshold is a valid attack.",
            False,
            "Each is, if it was chosen before. The best of many is the luckiest of "
            "many, and the confidence of one does not cover it.",
        ),
        Choice(
            "No, unless the bounds of all thresholds hold together.",
            True,
            "Share the risk among them, or choose on one half of the runs and count "
            "on the other half.",
        ),
        Choice(
            "Yes, if the scores are normal.",
            False,
            "The trouble is choosing after looking, whatever the distribution is.",
        ),
    ],
)

MANY_CANARIES = Question(
    "many-canaries",
    "The truth is ε = 4. One run holds 10,000 canaries, each in by a fair coin. About "
    "how large an ε does the audit of this one run prove?",
    [
        Choice(
            "nearly 4",
            False,
            "Most canaries are hidden well, so most guesses about them are hardly "
            "better than coins, and the bound counts only how many were right.",
        ),
        Choice(
            "about 2",
            True,
            "The 1,000 most certain guesses are right some 90 times in 100, and "
            "ln 9 is 2.2. The bound stays a little below that.",
        ),
        Choice(
            "almost 0: it is one run",
            False,
            "One run, but ten thousand guesses about coins that are independent.",
        ),
    ],
)

NOTHING_TO_HIDE = Question(
    "nothing-to-hide",
    "All gradients are zero, so no record pulls at all. A step adds noise of fixed "
    "size to the sum, and divides by the number of records in the data. One record is "
    "removed. Does the step reveal that?",
    [
        Choice(
            "No: zero is zero with and without the record.",
            False,
            "The sum is the same. What about the noise after the division?",
        ),
        Choice(
            "Yes: the noise becomes larger.",
            True,
            "It is λ/9 instead of λ/10. With 256 weights that can be seen in one "
            "step, whatever λ is.",
        ),
        Choice(
            "Only if λ is small.",
            False,
            "λ is in both sizes. Their ratio is 10/9 for every λ.",
        ),
    ],
)

DEVICES = Question(
    "noise-on-devices",
    "Four devices share a batch. The noise for the whole should have deviation λ. "
    "Each device adds its own noise, of deviation λ/4. What is the deviation of the "
    "sum?",
    [
        Choice(
            "λ",
            False,
            "Deviations add up only if all four devices add the very same noise.",
        ),
        Choice(
            "λ/2",
            True,
            "Variances add up: 4 · (λ/4)² is λ²/4. So μ is twice what was claimed.",
        ),
        Choice(
            "λ/4",
            False,
            "Then the other three would add nothing.",
        ),
    ],
)

BUG_OR_BUDGET = Question(
    "bug-or-budget",
    "You test code for missing noise. Its users run it at ε = 0.5, and you may choose "
    "the ε of your test. Which one needs the fewest runs?",
    [
        Choice(
            "0.5, because that is what is promised",
            False,
            "There the two outputs are nearly alike, and it takes tens of thousands "
            "of runs to distinguish honest noise from slightly less.",
        ),
        Choice(
            "a large one, such as 10 or 20",
            True,
            "A missing factor is missing at every ε. Where μ is 2 or 3, a few hundred "
            "runs show it.",
        ),
        Choice(
            "as large as possible",
            False,
            "Far out, both error rates are zero in all runs, with and without the "
            "leak, and zero errors in n runs prove only a limited amount.",
        ),
    ],
)
