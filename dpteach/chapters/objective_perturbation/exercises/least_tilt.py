"""Question: the least noise of a tilt, by hand."""

from ....grading.questions import Number

EXERCISE = Number(
    name="least_tilt",
    title="How much tilt?",
    statement="""\
Logistic loss, rows of norm at most 1, so $L = 1$, $\\beta = \\frac14$ and $r = 1$. You
regularize with $\\Lambda = 1$ and may spend $\\varepsilon = 1$ if a record is
**replaced**. Which noise multiplier $\\lambda$ of the tilt does the theorem on its
privacy ask for? To within 1%.""",
    band=(2.549, 2.601),
    wanted="the least λ by the theorem, in units of L",
    misconceptions=(
        (
            (1.27, 1.31),
            "That is for a record that comes or goes. A replaced one tilts by 2L.",
        ),
        ((1.98, 2.02), "The determinant costs something, too. How much is left?"),
        ((3.95, 4.05), "That is the source's choice, which gives half of ε away."),
        (
            (3.55, 3.67),
            "A replaced record does not cost the determinant twice: two factors stand "
            "above each other, and each lies between 1 and 1 + β/Λ.",
        ),
        (
            (0.99, 1.01),
            "One record of norm 1 costs 1/λ; here it is replaced, and the determinant "
            "costs something as well.",
        ),
        (
            (1.62, 1.65),
            "The determinant's part is subtracted from ε; you have added it.",
        ),
    ),
    hints=(
        "ε = k/λ + κ. What are k and κ?",
        "κ = ln(1 + β/Λ) = ln 1.25.",
    ),
    praise="A fifth of the budget goes to the determinant here. With Λ = 10 it would "
    "be a fortieth.",
)

EXPLANATION = """\
**Step 1. The determinant.** $\\kappa = r\\ln(1 + \\beta/\\Lambda) = \\ln 1.25 = 0.223$.
If a record is replaced, one determinant stands above another, and each lies between 1
and $1 + \\beta/\\Lambda$. So their quotient lies between $e^{-\\kappa}$ and
$e^{\\kappa}$, and $\\kappa$ is paid once.

**Step 2. The tilt.** What is left is $1 - 0.223 = 0.777$. A replaced record changes the
gradient by at most $2L$, so $k = 2$ and
$\\lambda = k/(\\varepsilon - \\kappa) = 2/0.777 = 2.575$.

The source takes $\\lambda = 2k/\\varepsilon = 4$, which leaves half of $\\varepsilon$
to the determinant, although it needs less than a quarter.
"""
