"""Question: the proof that Lecture 14 leaves as an exercise, in order."""

from ....grading.questions import Order

# The step on convexity may stand anywhere before the last one.
_CHAIN = "bdac"

EXERCISE = Order(
    name="order_online_to_batch",
    title="Online to batch: put the proof in order",
    statement="""\
Lecture 14 leaves this as an exercise: records are independent draws, each comes once,
and the loss is convex. Then the average model $\\bar\\theta = \\frac1n\\sum_t\\theta_t$
has an expected excess risk, on a **new** record, of at most the expected regret against
any fixed $\\theta^*$. Put the steps in order, such as `"abcdef"`.""",
    steps={
        "a": "Given θ_t, the mean of ℓ(θ_t; d_t) is L_P(θ_t); and that of ℓ(θ*; d_t) "
        "is L_P(θ*), as θ* is fixed.",
        "b": "θ_t is made of d_1, …, d_{t−1} and of noise, and of nothing else.",
        "c": "Add over t, divide by n: the mean of (1/n) Σ L_P(θ_t) − L_P(θ*) is the "
        "mean regret.",
        "d": "Each record comes once, so d_t is independent of θ_t.",
        "e": "L_P is convex: L_P of the average model is at most (1/n) Σ L_P(θ_t).",
        "f": "So the mean of L_P(average model) − L_P(θ*) is at most the mean regret.",
    },
    right=tuple(f"{_CHAIN[:k]}e{_CHAIN[k:]}f" for k in range(5)),
    feedback={
        "bd": "To say what d_t is independent of, one must know what θ_t is made of.",
        "da": "ℓ(θ_t; d_t) has the mean of a new record only if d_t is as good as new "
        "to θ_t. What makes it so?",
        "ac": "What is added up must first be known for one t.",
        "cf": "The conclusion compares with the mean regret; which step brings it in?",
        "ef": "The average model is none of the θ_t. Which step goes from them to it?",
    },
    hints=(
        "Which step speaks of the algorithm alone, before any mean is taken?",
        "Where is it used that there is a single pass?",
    ),
    praise="In a second pass d_t is no longer independent of θ_t, which has met it "
    "before: there the proof breaks. Convexity may be used at any time before the end.",
)

EXPLANATION = r"""The chain is (b), (d), (a), (c), then (f); step (e) may stand anywhere
before (f).

(b) says what $\theta_t$ is made of: earlier records, and noise. From this (d) follows:
$d_t$ is independent of $\theta_t$, since each record comes only once. So (a): given
$\theta_t$, the loss on $d_t$ has the mean $\mathcal{L}_P(\theta_t)$, just as on a
record that nobody has seen. (c) adds over $t$. Convexity, (e), goes from the average of
the risks to the risk of the average model, and (f) puts both together.

The place to remember is (d). In a second pass $\theta_t$ has met $d_t$ before. Then the
loss on $d_t$ tells nothing about new records, and the proof stops there."""
