"""Question: the steps of the privacy proof of DP-SGD, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_privacy_proof",
    title="Put the proof of Theorem 6.10 in order",
    statement="""\
These are the steps of the proof that DP-SGD is
$(\\varepsilon, \\delta)$-private. Put them in order, such as `"abcde"`.""",
    steps={
        "a": "The loss exceeds ε with probability at most δ, by a bound on the tail "
        "of a normal variable.",
        "b": "Clipping: a record moves the sum by at most L, at any model.",
        "c": "Solve for λ: √(2T(ln(1/δ) + ε))/ε is enough.",
        "d": "All T steps: given the past, losses add up to a normal variable with "
        "mean T/(2λ²) and variance T/λ², at worst.",
        "e": "One step, given the models so far: noise of deviation Lλ makes the "
        "privacy loss normal, with mean at most 1/(2λ²) and variance 1/λ².",
    },
    right=("bedac", "bedca"),
    feedback={
        "be": "The loss of one step is computed from the distance that a record can "
        "move the sum. What bounds that distance?",
        "ed": "What is added up over the steps must be known for one step first.",
        "da": "A tail can be bounded once the mean and the variance are known.",
        "dc": "λ solves a condition on the loss of all steps.",
    },
    hints=("Which step speaks of data only, and of no noise?",),
    praise="Only the first step looks at the data. Everything after it is about normal "
    "variables, so the theorem holds for every loss.",
)

EXPLANATION = r"""One order is (b), (e), (d), (a), (c); the last two may also be
exchanged, because the condition on the tail can be solved for $\lambda$ before or after
it is named.

(b) comes first, because it is the only step that looks at the data: a record moves the
sum by at most $L$. (e) needs this distance: two normal distributions whose centers are
at most $L$ apart, with deviation $L\lambda$, give a normal privacy loss with mean at
most $1/(2\lambda^2)$ and variance at most $1/\lambda^2$. (d) adds up over the steps.
Given the past, the next loss has these bounds whatever the past was, and this is why
later steps may depend on earlier ones. (a) bounds the tail of the sum, and (c) solves
for $\lambda$.

Notice what is missing. No step uses that the loss is convex, or that the records are
drawn from a population."""
