"""Question: what four times as many records do to output perturbation."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="predict_scaling",
    title="Predict the scaling",
    statement="""\
You publish a regularized minimum with the noise of pure $\\varepsilon$-privacy, and you
choose the $\\Lambda$ for which the bound on its risk is least. Then you get
**four times as many records**, and choose $\\Lambda$ anew. Everything else stays as it
is: $\\varepsilon$, $p$, $L$ and $W$. What happens to the bound on the excess risk **per
record**?""",
    choices={
        "a": "it stays as it is",
        "b": "it is halved",
        "c": "it is divided by 4",
        "d": "it is divided by 16",
    },
    right="b",
    feedback={
        "a": "That would be so if the sum grew like n. How does its bound grow?",
        "c": "That is what happens if the bound on the sum has no n in it, as for the "
        "exponential mechanism. Here a step of the proof multiplies a distance by nL.",
        "d": "Nothing in this chapter falls like 1/n². Write down the best bound for "
        "the sum first.",
    },
    hints=(
        "At the best Λ the bound on the sum is WL√(2npλ).",
        "Divide it by n, and put in 4n.",
    ),
    praise="√n/n = 1/√n: the same speed at which the error of sampling falls. Methods "
    "of later chapters gain 1/n.",
)

EXPLANATION = """\
**Step 1.** The bound on the sum is $npL^2\\lambda/\\Lambda + \\Lambda W^2/2$. It is
least where both terms are equal, at $\\Lambda = L\\sqrt{2np\\lambda}/W$, and there it
is $WL\\sqrt{2np\\lambda}$.

**Step 2.** Per record that is $WL\\sqrt{2p\\lambda/n}$. If $n$ becomes $4n$, this is
divided by $\\sqrt4 = 2$.

The answer "by 4" belongs to the optimal rate, $pLW/(n\\varepsilon)$ per record. Output
perturbation does not reach it for losses that are only Lipschitz, because its proof
multiplies the length of the noise by $nL$, the steepest that the whole risk can be. The
best $\\Lambda$ grows as well: it doubles here.
"""
