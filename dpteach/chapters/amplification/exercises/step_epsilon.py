"""Question: how much a step may cost if only one record in a hundred is sampled."""

from ....grading.questions import Number

EXERCISE = Number(
    name="step_epsilon",
    title="How private must the step itself be?",
    statement="""\
A mechanism is $\\varepsilon_0$-private, without a $\\delta$. It runs once, on a Poisson
sample of rate $q = 0.01$, and the sampled release has to be $\\varepsilon$-private with
$\\varepsilon = 0.1$.

What is the **largest** $\\varepsilon_0$ that the theorem on amplification allows? Give
it to within 1%.""",
    band=(2.4195, 2.4683),
    wanted="the ε₀ whose sampled price is 0.1",
    misconceptions=(
        (
            (2.38, 2.4194),
            "Close. Is the logarithm's argument e^0.1 − 1, or 0.1 itself?",
        ),
        (
            (9.5, 10.5),
            "That divides ε by q, which is right only where ε₀ is small. Here ε₀ is "
            "not small.",
        ),
        (
            (4.6, 4.8),
            "That adds ln(1/q), which is right only where ε₀ is large. Use the whole "
            "formula.",
        ),
        (
            (0.0009, 0.0011),
            "That is the way from ε₀ = 0.1 to the sampled price. Which of the two is "
            "given?",
        ),
        (
            (1.05, 1.07),
            "The logarithm is the natural one.",
        ),
        (
            (11.0, 12.0),
            "That is e to the power of the answer.",
        ),
    ),
    hints=(
        "The theorem says $\\varepsilon = \\ln(1 + q(e^{\\varepsilon_0} - 1))$. Which "
        "of its letters are given?",
        "Solve for $e^{\\varepsilon_0}$ first.",
    ),
    praise="A step that alone would be worth little is fine on a sample of one in a "
    "hundred. Neither of the two rules of thumb would have told you this number.",
)

EXPLANATION = r"""
The theorem says $\varepsilon = \ln\bigl(1 + q\,(e^{\varepsilon_0} - 1)\bigr)$. Here
$\varepsilon = 0.1$ and $q = 0.01$ are given, and $\varepsilon_0$ is wanted.

**Step 1. Undo the logarithm.** $e^{0.1} = 1 + 0.01\,(e^{\varepsilon_0} - 1)$, so
$e^{\varepsilon_0} - 1 = (e^{0.1} - 1)/0.01 = 0.10517/0.01 = 10.517$.

**Step 2. Solve.** $e^{\varepsilon_0} = 11.517$ and
$\varepsilon_0 = \ln 11.517 = 2.444$.

**Step 3. Check.** The right side rises with $\varepsilon_0$, so every smaller
$\varepsilon_0$ is allowed, too, and 2.444 is the largest.

**Why the rules of thumb fail.** Dividing $\varepsilon$ by $q$ gives 10. That is right
where $\varepsilon_0$ is small, because then
$e^{\varepsilon_0} - 1 \approx \varepsilon_0$. A step with $\varepsilon_0 = 10$ would in
truth cost $\ln(1 + 0.01 \cdot 22025) = 5.4$ on this sample. Adding $\ln(1/q) = 4.6$
gives 4.7. That is right where $\varepsilon_0$ is large, because then the 1 in the
logarithm does not matter. Here we are in between, where only the whole formula helps.
"""
