"""Question: the proof that a random number of runs is cheap, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_search_proof",
    title="Why a random number of runs is cheap",
    statement="""\
Each run is $\\varepsilon$-private, and a coin of probability $\\gamma$ stops the search
after each run. The best run is published. Put the steps of the proof that this is
$3\\varepsilon$-private in order. $P$ is the distribution of one run, and runs are in
the order of their scores.""",
    steps={
        "a": "Multiply: the density of the published run changes by a factor of at "
        "most e^ε · e^ε · e^ε.",
        "b": "With K runs, the best is at most y with probability P(≤ y)^K.",
        "c": "So its density at y is γ P(y) over the product of γ + (1 − γ) P(≥ y) "
        "and γ + (1 − γ) P(> y).",
        "d": "Average over the geometric K: the best is at most y with probability "
        "f(P(≤ y)), where f(x) = γ x / (1 − (1 − γ) x).",
        "e": "One record changes P(y), P(≥ y) and P(> y) by factors of at most e^ε, "
        "and so each of the three terms.",
    },
    right=("bdcea",),
    feedback={
        "bd": "Before you can average over the number of runs, say what happens with "
        "K of them.",
        "dc": "The density is a difference of two values of f. What is f?",
        "ce": "Which three terms? They come from the density.",
        "ea": "Three factors are multiplied: first say why each is at most e^ε.",
    },
    hints=(
        "Begin with a number of runs that is known.",
        "f(u) − f(v) is γ (u − v) over a product of two terms.",
    ),
    praise="The number of runs is gone from the result: what it costs is a factor for "
    "the runs that are better, and one for those that are not worse.",
)

EXPLANATION = r"""
The right order is **b, d, c, e, a**, and it is the only one.

**b. A known number of runs.** With $K$ independent runs the best is at most $y$ exactly
if all of them are, which has probability $P(\le y)^K$.

**d. Average over $K$.** The geometric number has $\Pr[K = k] = \gamma(1-\gamma)^{k-1}$.
The series $\sum_k \gamma(1-\gamma)^{k-1}x^k$ is $f(x) = \gamma x/(1 - (1-\gamma)x)$, at
$x = P(\le y)$.

**c. The density.** The best run *is* $y$ with probability $f(P(\le y)) - f(P(< y))$.
For two numbers $u$ and $v$,

$$f(u) - f(v) = \frac{\gamma\,(u - v)}{(1 - (1-\gamma)u)\,(1 - (1-\gamma)v)}.$$

Here $u - v = P(y)$. And $1 - (1-\gamma)P(\le y) = \gamma + (1-\gamma)P(> y)$, which
gives the two terms of the product.

**e. One record.** Each run is $\varepsilon$-private, so $P(y)$, $P(\ge y)$ and $P(> y)$
change by factors of at most $e^{\varepsilon}$. Adding the constant $\gamma$ to a term
can only bring its factor nearer to 1.

**a. Multiply.** Three factors of at most $e^{\varepsilon}$ give $e^{3\varepsilon}$. The
number of runs has dropped out.

**What wrong orders overlook.** The three terms of e come from the density, so c must
stand before it. And d cannot average what b has not said yet.
"""
