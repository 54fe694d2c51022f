"""Question: the steps of the proof of amplification by sampling, in order."""

from ....grading.questions import Order

EXERCISE = Order(
    name="order_amplification_proof",
    title="Put the proof of amplification in order",
    statement="""\
These are the steps of a proof that an $\\varepsilon_0$-private mechanism $M$ on a
Poisson sample of rate $q$ is $\\ln(1 + q(e^{\\varepsilon_0} - 1))$-private if a record
$d$ is added or removed. $S$ is any set of outputs. Put them in order, such as
`"abcde"`.""",
    steps={
        "a": "So, given these coins, the probability of S with d is at most "
        "1 + q(e^ε₀ − 1) times that without d.",
        "b": "Average over the coins of the others: the factor is the same for all of "
        "them, so it holds for the whole release. The other direction is similar.",
        "c": "Fix the coins of all other records. They fall in the same way whether d "
        "is in the data or not. Let A be the sample that they make.",
        "d": "M is ε₀-private, so the probability of S on A with d is at most e^ε₀ "
        "times that on A.",
        "e": "With d in the data, the sample is A with probability 1 − q, and A with d "
        "with probability q. Without d, it is A.",
    },
    right=("cedab", "cdeab", "dceab"),
    feedback={
        "ce": "Which sample is meant by A?",
        "ea": "The factor comes from a mixture of two samples. Which two, and how "
        "likely is each?",
        "da": "One of the two samples contains d. What bounds its probability of S?",
        "ab": "What is averaged must be shown for each way the coins can fall first.",
        "cb": "The coins of the others are averaged over at the end. What is done with "
        "them at the beginning?",
    },
    hints=("Whose coins have nothing to do with d?",),
    praise="The coins of the others are fixed first and averaged over last. That is "
    "allowed because they do not depend on d: for batches of a fixed size they do, and "
    "the proof ends there.",
)

EXPLANATION = r"""
A right order is **c, e, d, a, b**. Step d may also come before e, or even first,
because it uses nothing but the privacy of $M$.

**Fix what does not depend on $d$.** Step c fixes the coins of all other records. They
fall in the same way whether $d$ is in the data or not, so both worlds share the sample
$A$. This is where the proof uses that the coins are independent.

**Compare two mixtures.** Step e says what happens with $d$ in the data: the sample is
$A$ with probability $1 - q$, and $A$ with $d$ with probability $q$. Without $d$ it is
$A$. Step d bounds the second part: $M$ on $A$ with $d$ gives $S$ at most
$e^{\varepsilon_0}$ times as often as on $A$. Together they give step a, because
$(1 - q) + q\,e^{\varepsilon_0} = 1 + q\,(e^{\varepsilon_0} - 1)$.

**Average.** In step b the factor is the same for all ways the coins can fall. So it
also holds for the mean over them, which is the probability of $S$ in the whole release.

**What wrong orders overlook.** If you average first, there is no single $A$ any more,
and d cannot be applied. If a comes before e, it is unclear where the two weights
$1 - q$ and $q$ come from. For batches of a fixed size step c already fails: if $d$ is
drawn, another record is not, so the others do not fall in the same way.
"""
