"""Question: how many more records does a stricter budget on more features need?"""

from ....grading.questions import Number

EXERCISE = Number(
    name="enough_records",
    title="How many more records?",
    statement="""\
A pilot with $p = 100$ features and $\\varepsilon = 2$ reaches an acceptable excess risk
per record with an algorithm whose bound is proportional to
$\\sqrt p/(n\\varepsilon)$. The real study has $p = 400$ features and
$\\varepsilon = 0.5$, with the same radius, the same $L$ and the same $\\delta$. By
which factor must the number of records grow so that the bound stays as it is? Give it
to within 1%.""",
    band=(7.92, 8.08),
    wanted="the new number of records over the old one",
    misconceptions=(
        (
            (15.8, 16.2),
            "That is the factor for p/(nε), the rate of pure privacy. Here p is under "
            "a root.",
        ),
        ((3.96, 4.04), "ε falls by a factor of 4. What does p do in addition?"),
        ((1.98, 2.02), "That is what p alone does. And ε?"),
        ((0.12, 0.13), "That is the ratio the other way round."),
        (
            (31.5, 32.5),
            "For √p/(nε) the number of records grows as 1/ε, and not as 1/ε².",
        ),
        ((63.0, 65.0), "Without the square: the bound falls as 1/n, not as 1/√n."),
    ),
    hints=(
        "Solve √p/(nε) = constant for n.",
        "√400/√100 and 2/0.5.",
    ),
    praise="Four times the features cost twice the records, and a quarter of the "
    "budget costs four times the records. It is usually cheaper to drop features, "
    "by public knowledge, than to raise ε.",
)
EXPLANATION = """\
**Step 1.** The bound is $c\\sqrt p/(n\\varepsilon)$ with a constant $c$ that does not
change, so $n$ must be proportional to $\\sqrt p/\\varepsilon$.

**Step 2.** $\\sqrt{400}/\\sqrt{100} = 2$, and $2/0.5 = 4$.

**Step 3.** The product is 8.

An answer of 16 uses the rate of pure privacy, $p/(n\\varepsilon)$. An answer of 64
treats the bound as if it fell as $1/\\sqrt n$, which is how the error of *sampling*
falls and not the error of privacy.
"""
