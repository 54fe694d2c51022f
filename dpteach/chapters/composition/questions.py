"""Questions of the chapter on composition: predict first, then read why."""

from ...figures.quiz import Choice, Question

PER_STEP = Question(
    "per-step",
    "Each of 1,000 steps is (0.1, 10⁻⁹)-private. A colleague reports ε = 0.1. What "
    "may the colleague claim about the whole run, if nothing else is known?",
    [
        Choice(
            "ε = 0.1, because every step keeps it",
            False,
            "Every step keeps it, but every step reveals something new about the same "
            "record. A thousand small hints add up.",
        ),
        Choice(
            "ε = 100 and δ = 10⁻⁶, or a smaller ε at a larger δ",
            True,
            "Budgets always add up. Advanced composition then trades δ "
            "for ε: ε = 21.6 at δ = 2·10⁻⁶.",
        ),
        Choice(
            "ε = 3.2: the root of 1,000 times 0.1",
            False,
            "The root is right in shape only. It leaves out how far into the tail δ "
            "reaches, and that the loss also drifts.",
        ),
    ],
)

DRIFT_OR_SPREAD = Question(
    "drift-or-spread",
    "One release is tiny: μ = 0.01. You take 10,000 of them, so that μ = 1 in all. "
    "Which part of the loss made ε what it is?",
    [
        Choice(
            "the drift, which is 10,000 times that of one release",
            False,
            "It is, but it started at 0.00005. So it has only come to 0.5.",
        ),
        Choice(
            "the spread, which is 100 times that of one release",
            True,
            "ε = 4.9 at δ = 10⁻⁶: 0.5 is drift, and the rest more than four "
            "deviations of spread.",
        ),
    ],
)

MORE_STEPS = Question(
    "more-steps",
    "The budget is fixed: (1, 10⁻⁶) for the whole run, and all records join in each "
    "step. You double the number of steps. What does that cost, according to the "
    "accountant?",
    [
        Choice(
            "nothing, because the budget is the same",
            False,
            "The budget is the same, but the noise is not: each step must have √2 "
            "times as much.",
        ),
        Choice(
            "each step gets √2 times the noise",
            True,
            "So more steps are not better by themselves. Whether they help depends on "
            "what the algorithm makes of many noisy steps: for DP-SGD at a fixed "
            "learning rate there is a best number.",
        ),
        Choice(
            "each step gets twice the noise",
            False,
            "That would split ε evenly. But variances add up, so the root is enough.",
        ),
    ],
)

TUNING = Question(
    "tuning",
    "You train with 20 learning rates on the same records, each run (1, 10⁻⁶)-private, "
    "and publish only the best model. What did you spend?",
    [
        Choice(
            "(1, 10⁻⁶), because only one model is published",
            False,
            "Which one is published depends on the records, through all 20 runs. A "
            "choice among private models is not private for free.",
        ),
        Choice(
            "at most what 20 runs cost together",
            True,
            "Composition covers every use of their outputs, also the choice of the "
            "best, if that choice looks at nothing else. Better bounds for choosing "
            "exist, but nothing makes it free. No figure in this book charges for "
            "tuning.",
        ),
        Choice(
            "no more than (1, 10⁻⁶), if the learning rate is not published",
            False,
            "The attacker need not see the rate. The model alone shows the choice.",
        ),
    ],
)

WHICH_NUMBER = Question(
    "which-number",
    "Two papers print ε = 18.0 and ε = 17.7 at the same δ and for the same neighbors. "
    "Which algorithm is more private?",
    [
        Choice(
            "the second, because 17.7 is less",
            False,
            "Only if both used the same accountant. The figure above is such a case, "
            "and there the first one is more private.",
        ),
        Choice(
            "it depends on the accountants",
            True,
            "A price from a loose accountant is valid, but too high. Compare like with "
            "like, or price both runs yourself from their events.",
        ),
    ],
)
