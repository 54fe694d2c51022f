"""Question: the steps of the proof that an audit is rarely wrong, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_audit_proof",
    title="Put the proof that an audit is rarely wrong in order",
    statement="""\
These are the steps of the proof that the bound of an audit exceeds the true
$\\varepsilon$ with probability $\\alpha$ at most. Put them in order, such as
`"abcde"`.""",
    steps={
        "a": "If neither bound is wrong, the lower bound of p is at most "
        "e^ε times the upper bound of q, plus δ.",
        "b": "The event is fixed before the runs, so its counts are binomial, with "
        "probabilities p and q.",
        "c": "Solve for ε: the logarithm that the audit reports is at most ε.",
        "d": "The lower bound of p is wrong with probability α/2 at most, and so is "
        "the upper bound of q.",
        "e": "With probability 1 − α or more neither of the two is wrong, because "
        "probabilities of failures add up at most.",
    },
    right=("bdeac",),
    feedback={
        "bd": "The bounds of Clopper and Pearson are for binomial counts. What makes "
        "the counts binomial?",
        "de": "How likely is each of the two failures, before they are added up?",
        "ea": "That both bounds hold is needed first: how likely is it?",
        "ac": "What is there to solve, before p and q are replaced by their bounds?",
    },
    hints=("Which step would fail if the event had been chosen after the runs?",),
    praise="The first step is the one that is broken most often: an event, a "
    "threshold or a number of guesses that was chosen after a look at the runs.",
)

EXPLANATION = r"""
The right order is **b, d, e, a, c**, and it is the only one.

**b comes first.** The event was fixed before the runs. So every run hits or misses by
the same probability, independently of all others, and the counts are binomial. If the
event had been chosen after a look at the runs, this would fail, and all that follows
with it.

**d needs b.** The bounds of Clopper and Pearson are for binomial counts. Each of the
two is wrong with probability $\alpha/2$ at most.

**e needs d.** Now two failures are to be avoided. The probability that one or the other
happens is at most the sum, $\alpha$. Nothing about their dependence is needed.

**a works under e.** Suppose that neither bound is wrong. Then

$$\underline p \le p \le e^{\varepsilon}q + \delta
\le e^{\varepsilon}\overline q + \delta.$$

The middle inequality is privacy itself, and the two outer ones are the bounds.

**c solves a.** If $\underline p > \delta$, take $\delta$ to the other side, divide by
$\overline q$, and take the logarithm. So $\ln((\underline p - \delta)/\overline q)$ is
at most $\varepsilon$. Otherwise the audit reports 0, which is at most $\varepsilon$ as
well. So the report exceeds $\varepsilon$ only if some bound was wrong.

**What wrong orders overlook.** Solving before $p$ and $q$ were replaced by their bounds
solves for something that nobody knows.
"""
