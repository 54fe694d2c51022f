"""Question: how far can one record move a regularized minimum?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="how_far",
    title="How far does one record move a model?",
    statement="""\
A library minimizes

$$\\frac1n \\sum_{i=1}^n \\ell(\\theta; d_i) +
\\frac{\\alpha}{2}\\lVert\\theta\\rVert_2^2$$

with $n = 1000$ and $\\alpha = 0.01$. Each loss is convex, and its gradient has norm at
most 1. The solver stops when the gradient of this objective has norm at most
$10^{-4}$. One record is **replaced** by another. How far apart can the two published
minima be, at most? Give the least bound that the chapter proves, to within 1%.""",
    band=(0.2178, 0.2222),
    wanted="the distance of two solvers' results, in the norm of a model",
    misconceptions=(
        (
            (0.198, 0.202),
            "That is the distance of the exact minima. Where does each solver stop?",
        ),
        (
            (0.208, 0.212),
            "One solver's error is counted. There are two, and they may err in "
            "opposite directions.",
        ),
        (
            (0.118, 0.122),
            "That is for one record more or less. A replacement takes one away, and "
            "adds another.",
        ),
        ((0.099, 0.101), "One record is replaced, and two solvers stop early."),
        (
            (199.0, 241.0),
            "That is the bound for a sum of losses. In a mean, one record counts "
            "for 1/n.",
        ),
        (
            (99.0, 121.0),
            "Those are units of a sum; and a replacement moves more than an addition.",
        ),
        ((0.00019, 0.00023), "Multiply or divide by n once, not twice."),
    ),
    hints=(
        "Multiply the objective by n. Which Λ, and which tolerance γ, does it have?",
        "The chapter's bound has a term for the record, and one for the solvers.",
    ),
    praise="The solver's part is a tenth of the record's here, and noise must cover "
    "both. A smaller tolerance is cheaper than more noise.",
)

EXPLANATION = """\
**Step 1. From the mean to the sum.** Multiply the library's objective by $n = 1000$.
The regularization becomes $\\Lambda = n\\alpha = 10$, and a gradient of norm $10^{-4}$
becomes one of norm $\\gamma = n \\cdot 10^{-4} = 0.1$. The minimum stays where it is.

**Step 2. The bound.** One record is replaced, so $k = 2$, and $L = 1$. The chapter's
bound is

$$\\frac{kL + 2\\gamma}{\\Lambda} = \\frac{2 + 0.2}{10} = 0.22.$$

Without the factor $n$ in the tolerance one finds $0.20002$, which looks as if the
solver did not matter. With one solver instead of two one finds $0.21$; but both runs
stop early, and they may err in opposite directions.
"""
