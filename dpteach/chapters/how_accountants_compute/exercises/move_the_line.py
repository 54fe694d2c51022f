"""Question: a contour accountant in NumPy, moved to where it belongs for a run."""

from ....grading.questions import Number

EXERCISE = Number(
    name="move_the_line",
    title="A line of your own",
    statement="""\
A run makes 1,000 releases with $\\lambda = 2$. Every record enters a fresh sample with
probability $q = 0.05$. At $\\varepsilon = 2$, in the direction that removes a record,
what is $\\delta$? To within 0.05%.

Write the contour accountant of the chapter in NumPy for this run. Its seven lines, with
these four numbers put in, print a value that is wrong, and looks right. Choose $c$ so
that the integrand is smallest on the real line. Then move $c$ and the ends of both
lists a little: what does not move is right.""",
    band=(0.0067274, 0.0067340),
    wanted="δ of 1,000 releases at ε = 2",
    misconceptions=(
        (
            (0.006740, 0.006747),
            "That is the line through c = 10, which is far from the saddle point. The "
            "integrand is near 10⁹ there, and has to cancel down to δ. Floats have "
            "sixteen digits, of which a thousandth power loses three.",
        ),
        (
            (0.00484, 0.00487),
            "That is the other direction, in which a record is added: there the moment "
            "is the mean of e^{−sZ} under Q, or of e^{sZ} with both roles exchanged.",
        ),
        (
            (0.000553, 0.000558),
            "Your mean of e^{sZ} is one under Q. The loss counts under P, which is e^Z "
            "times Q: one more factor of e^Z.",
        ),
        (
            (0.01343, 0.01349),
            "Twice too much: the integral over u, with s = c + iu, is divided by 2π. "
            "The line has both halves, above the real axis and below it.",
        ),
        (
            (0.0724, 0.0728),
            "λ is the standard deviation of the noise, not its variance.",
        ),
    ),
    hints=(
        "Compute the logarithm of the integrand at some real $c$ between 1 and 12: "
        "$T\\ln\\mathbb{E}[e^{cZ}] - c\\varepsilon - \\ln(c(c + 1))$. Where is it "
        "smallest?",
        "Under the tilt the outputs that matter lie within some eight $\\lambda$ of "
        "$0$ and of $c + 1$. Does the list go that far?",
        "At the saddle point hardly anything cancels. Compare the largest term of the "
        "sum with the result.",
    ),
    praise="The line may pass through any c, in exact arithmetic. In floats it has to "
    "pass near the saddle point, and the saddle point moves with the run.",
)

EXPLANATION = """\
**Step 1. Where the integrand is smallest.** Compute $T\\ln\\mathbb{E}[e^{cZ}] - 2c -
\\ln(c(c + 1))$ at real numbers $c$. It is least near $c = 3$, where the
integrand is $0.017$. At $c = 10$ it is $9\\cdot10^8$, and has to cancel down to
$0.0067$ along the line. Of sixteen digits the thousandth power loses three, so two or
three are left.

**Step 2. A list that is long enough.** With $\\lambda = 2$ the noise reaches 16 on
either side before it falls below $10^{-13}$ of its height, and the tilt moves it by
$c$, so outputs from $-40$ to $60$ are plenty.

**Step 3. The sum.**

```python
import numpy as np

lam, q, T, eps, c = 2.0, 0.05, 1000, 2.0, 2.0
y, dy = np.linspace(-40, 60, 4001, retstep=True)
Q = np.exp(-(y**2) / (2 * lam**2)) / np.sqrt(2 * np.pi * lam**2)
Z = np.log(1 - q + q * np.exp((2 * y - 1) / (2 * lam**2)))
s, ds = np.linspace(c - 40j, c + 40j, 801, retstep=True)
moment = np.exp((s[:, None] + 1) * Z) @ Q * dy
delta = (moment**T * np.exp(-eps * s) / (s * (s + 1))).sum() * ds / (2j * np.pi)
print(delta.real)
```

It prints $0.00673070710$, and so it does for every $c$ from 1 to 5. With $c = 10$ it
prints $0.00674$, and with $c = 12$ about 200.
"""
