"""Question: the exponential mechanism on three models, by hand."""

from ....grading.questions import Number

EXERCISE = Number(
    name="sharper_choice",
    title="Three models by hand",
    statement="""\
Three models have the risks 7, 8 and 10 on your data. Every record's loss lies between
0 and 1, whatever the model. One record may be **replaced** by another, and the draw may
cost $\\varepsilon = 2\\ln 2$. With the largest exponent that is allowed, what is the
probability that the best model is drawn? To within 1%.""",
    band=(0.6093, 0.6215),
    wanted="the probability of the model with risk 7",
    misconceptions=(
        (
            (0.782, 0.798),
            "That is the exponent for a record that is added or removed. Replacing a "
            "record can change the difference of two risks twice as much.",
        ),
        (
            (0.480, 0.490),
            "That exponent is half as large as it may be. The log-ratio lies in an "
            "interval of length c·B, which contains 0: nothing is paid twice.",
        ),
        (
            (0.999, 1.001),
            "The best model is not certain: a difference of 1 in risk is a finite "
            "factor in probability.",
        ),
        ((0.32, 0.34), "All three are as likely as each other only if ε is 0."),
        (
            (0.070, 0.084),
            "That is the worst of the three. A small risk means a large probability.",
        ),
    ),
    hints=(
        "By how much can one record change the difference of the risks of two models, "
        "if it is replaced? That is B; and c = ε/B.",
        "Only differences of risks matter. What are the three weights, as powers of 2?",
    ),
    praise="Weights 1, 1/2 and 1/8, whatever the level of the risks: the mechanism "
    "looks at differences alone.",
)

EXPLANATION = """\
**Step 1. The range.** A record's loss lies in $[0, 1]$ for every model. If it is
replaced, the change of the risk, as a function of the model, is a difference of two
such losses, so it lies between $-1$ and $1$. Its range is $B = 2$.

**Step 2. The exponent.** $c = \\varepsilon/B = 2\\ln2/2 = \\ln 2$.

**Step 3. The weights.** They are $e^{-7c}$, $e^{-8c}$ and $e^{-10c}$. Divide by the
first one: $1$, $\\frac12$ and $\\frac18$, whose sum is $\\frac{13}8$. So the best model
has probability $\\frac8{13} = 0.615$.

With $B = 1$, which is right if a record comes or goes, it would be
$\\frac{64}{81} = 0.79$. That costs $4\\ln2$ under replacement, twice what was allowed.
"""
