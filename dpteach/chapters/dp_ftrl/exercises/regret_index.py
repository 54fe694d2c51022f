"""Question: which noise enters the regret of DP-FTRL."""

from ....grading.questions import Choice

EXERCISE = Choice(
    name="regret_index",
    title="Which noise enters the regret?",
    statement="""\
DP-FTRL publishes $\\theta_1, \\dots, \\theta_{n+1}$, and pays
$\\ell(\\theta_t; d_t)$ for $t = 1, \\dots, n$. The sum $s_t$ of the
first $t$ gradients is read from the tree with noise $b_t$, and $b_0 = 0$. Which
of the noise vectors enter the regret?""",
    choices={
        "a": "b_1, …, b_n, one for each record",
        "b": "b_0, …, b_{n−1}",
        "c": "b_n alone: the last sum holds all others",
        "d": "a_1, …, a_n with a_t = b_t − b_{t−1}, each on its own",
    },
    right="b",
    feedback={
        "a": "Which model pays for record t, and which sum was it made from? It must "
        "be released before the record comes.",
        "c": "The regret adds up what all models pay, not only the last one. And the "
        "last sum makes a model that pays for nothing.",
        "d": "Seen as descent, step t has the noise a_t. But a model is a sum of "
        "steps, and in that sum the a_t cancel for the most part.",
    },
    hints=(
        "Write down θ_1 and θ_2. Which noise is in each, and which record does each "
        "meet?",
    ),
    praise="θ_t is made from s_{t−1}. So the first record is met without noise, and "
    "that of s_n does not matter: for the regret a tree over n − 1 sums would do.",
)

EXPLANATION = r"""The answer is (b). The model $\theta_t$ pays for record $t$, and must
be published before that record comes. So it is made from $s_{t-1}$, which has the noise
$b_{t-1}$. With $t = 1, \dots, n$ these are $b_0, \dots, b_{n-1}$, and $b_0 = 0$,
because the first model depends on nothing.

*Why not (a)?* It shifts the index by one: $b_n$ is in $\theta_{n+1}$, which meets no
record. *Why not (c)?* The regret is a sum over all models. *Why not (d)?* Seen as
descent, step $t$ has the noise $a_t = b_t - b_{t-1}$. But the model is where the steps
have led, and in their sum the $a_t$ cancel for the most part. If each counted on its
own, the tree would be no better than independent noise."""
