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
it to within 1 %.""",
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
