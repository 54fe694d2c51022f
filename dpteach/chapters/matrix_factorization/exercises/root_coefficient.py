"""Question: a coefficient of the square root of the prefix-sum matrix."""

from ....grading.questions import Number

EXERCISE = Number(
    name="root_coefficient",
    title="A coefficient of the square root",
    statement="""\
The square root of the matrix of prefix sums has $c_0 = 1$ on its diagonal, $c_1 =
\\frac12$ below it, and so on. What is $c_5$? Give it to within 0.1%.""",
    band=(0.24585, 0.24634),
    wanted="the coefficient on the fifth diagonal below the main one",
    misconceptions=(
        ((0.2731, 0.2738), "That is c_4: the diagonal itself has c_0."),
        ((0.2253, 0.2259), "That is c_6: the diagonal itself has c_0."),
        ((0.03124, 0.03126), "That is 2⁻⁵. The factors (2k − 1)/2k are not all ½."),
        ((0.2520, 0.2526), "That is 1/√(5π), which is close for large k only."),
        ((0.1999, 0.2001), "The coefficients fall like 1/√k, not like 1/k."),
        ((0.4462, 0.4482), "That is 1/√5. A factor of about √π is missing."),
        ((0.8999, 0.9001), "That is the last factor alone; multiply all of them."),
    ),
    hints=(
        "Each coefficient is the one before it times $\\frac{2k - 1}{2k}$.",
        "So multiply $\\frac12$, $\\frac34$, $\\frac56$, and two factors more.",
    ),
    praise="The coefficients fall as slowly as 1/√(πk). That is why no noise can be "
    "forgotten, and why bands and buffers are needed.",
)

EXPLANATION = """\
**Step 1. The rule.** From $c_0 = 1$ and $c_k = c_{k-1}\\frac{2k-1}{2k}$ we get
$c_1 = \\frac12$, $c_2 = \\frac38$, $c_3 = \\frac5{16}$, $c_4 = \\frac{35}{128}$ and
$c_5 = \\frac{63}{256} = 0.2461$.

**Step 2. A check.** The square of the matrix must have ones on and below the diagonal.
On the fifth diagonal that says $2(c_0c_5 + c_1c_4 + c_2c_3) = 1$. Indeed
$\\frac{63}{256} + \\frac{35}{256} + \\frac{15}{128} = \\frac{128}{256}$, and twice that
is 1.

If you got $2^{-5}$, you used the factor $\\frac12$ five times. But the factors come
closer and closer to 1, so the coefficients fall more and more slowly.
"""
