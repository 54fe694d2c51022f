"""Question: how many users a local mean needs."""

from ....grading.questions import Number

EXERCISE = Number(
    name="local_users",
    title="How many users?",
    statement="""\
Each of $n$ users holds a vector of norm at most 1 with $p = 4$ entries, and sends a
report with the spherical noise of this chapter at $\\varepsilon = 0.5$. How many users
does it take until the noise moves the mean of all reports by only 0.1, root mean
square? Give $n$ to within 1 %.""",
    band=(31_680, 32_320),
    wanted="the number of users n with σ²/n = 0.1²",
    misconceptions=(
        ((177, 181), "That is what a trusted server needs: the noise once, over n."),
        (
            (25_300, 25_900),
            "You used 4p²/ε². The second moment of a gamma length is p² + p, times the "
            "squared scale: a square of the mean and a variance.",
        ),
        (
            (6330, 6470),
            "You used 4p/ε², that is the variance of the length alone. The mean length "
            "counts as well: noise of a fixed length would have no variance.",
        ),
        (
            (7920, 8080),
            "Two records of norm 1 are up to 2 apart, so the scale is 2/ε.",
        ),
        ((3160, 3240), "Is that σ²/n = 0.1? The error is 0.1, and its square 0.01."),
        ((15_900, 16_100), "Did you forget to square ε, or the 2 of the scale?"),
    ),
    hints=(
        "The noise of one report has second moment $\\sigma^2 = "
        "4(p^2 + p)/\\varepsilon^2$. Insert the numbers.",
        "Noises of different users are independent and have mean zero, so the second "
        "moment of their mean is $\\sigma^2/n$.",
    ),
    praise="A trusted server would need 179 users for the same noise. That the local "
    "model needs the square of it is the price of locality.",
)

EXPLANATION = """\
**Step 1. One report.** With $p = 4$ and $\\varepsilon = 0.5$ the noise has
$\\sigma^2 = 4 \\cdot (16 + 4)/0.25 = 320$.

**Step 2. The mean of n reports.** Independent noises of mean zero add up in squares, so
the noise of the sum has $320\\,n$, and that of the mean has $320/n$.

**Step 3. Solve.** From $320/n = 0.1^2 = 0.01$ we get $n = 32{,}000$.

A trusted server adds the same noise once, to the sum. Then the error is
$\\sqrt{320}/n = 17.9/n$, and 179 users suffice. Indeed $178.9^2 = 32{,}000$. Anyone who
forgets that the mean length counts, as well as its spread, stops at 6400 users.
"""
