"""Question: how many users a mean of hemisphere reports needs."""

from ....grading.questions import Number

EXERCISE = Number(
    name="hemisphere_users",
    title="How many users?",
    statement="""\
Each of $n$ users holds a vector of norm at most 1 with $p = 3$ entries, and sends a
hemisphere report with $\\varepsilon = \\ln 4$. How many users does it take until the
mean of the reports is off by at most 0.1, root mean square, even if all vectors are 0?
Give $n$ to within 1%. For $p = 3$, a uniform point on one side of the sphere is
$\\frac12$ high on average.""",
    band=(1100, 1122.3),
    wanted="the number of users n with B²/n = 0.1²",
    misconceptions=(
        (
            (274, 281),
            "You made up for the lies, but not for the half sphere: a uniform point on "
            "the right side is, on average, only half of the vector.",
        ),
        (
            (395, 405),
            "You made up for the half sphere, but not for the lies: some reports lie "
            "on the wrong side and cancel others.",
        ),
        (
            (33, 34.5),
            "That is what a trusted server would need for noise of length B, added "
            "once. Here B/√n must be 0.1.",
        ),
        ((107, 115), "Is that B²/n = 0.1? The error is 0.1, and its square 0.01."),
        (
            (2470, 2525),
            "That is for the spherical noise, with σ² = 4(p² + p)/ε². These reports "
            "are shorter.",
        ),
        (
            (620, 630),
            "You divide by the probability of the truth, 4/5. The lies pull the mean "
            "back: what is left is 4/5 − 1/5.",
        ),
        (
            (1010, 1012),
            "You took the variance for vectors of norm 1. For vectors of norm 0 all "
            "of B² is noise.",
        ),
    ),
    hints=(
        "With $e^\\varepsilon = 4$, a vector of norm 1 is on the report's side with "
        "probability $\\frac45$. How long would the mean of unit reports be?",
        "So $B$ makes up for two things, the half sphere and the lies. All reports "
        "have length $B$, so their mean square is $B^2$.",
    ),
    praise="With spherical noise it would take 2,500 users. With p = 300 the ratio of "
    "both numbers would be 144 in place of 2.2.",
)

EXPLANATION = """\
**Step 1. The length.** The truth is told with probability $\\frac45$ and a lie with
$\\frac15$. So of a uniform point on the right side, which is $\\frac12$ high on
average, $(\\frac45 - \\frac15)\\cdot\\frac12 = 0.3$ is left. Hence $B = 1/0.3 = 3.33$.

**Step 2. The error.** If a vector is 0, its report has mean 0 and length $B$.
Independent reports add up in squares, so the mean of $n$ of them is off by
$B/\\sqrt n$.

**Step 3. Solve.** From $B^2/n = 11.1/n = 0.01$ we get $n = 1111$.

Vectors of norm 1 need a little less, as their reports have variance $B^2 - 1$. If you
forget the half sphere, you get 278 users, and if you forget the lies, 400. In both
cases the mean of the reports is too short, so that no number of users makes it right.
"""
