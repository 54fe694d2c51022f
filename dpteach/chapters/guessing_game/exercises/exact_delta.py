"""Exercise: the least δ of a mechanism, from its tables of probabilities."""

from math import exp

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _least(P: np.ndarray, Q: np.ndarray, eps: float) -> float:
    return max(_beyond(P, Q, eps), _beyond(Q, P, eps))


def _beyond(P: np.ndarray, Q: np.ndarray, eps: float) -> float:
    return float(np.maximum(P - exp(eps) * Q, 0).sum())


_ROLES = "P may be the data set with the record or the one without: ask both ways."
# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda P, Q, eps: _beyond(P, Q, eps) + _beyond(Q, P, eps),
        "The two directions are two demands; one δ must serve for each, not for both "
        "at once.",
    ),
    (_beyond, _ROLES),
    (lambda P, Q, eps: _beyond(Q, P, eps), _ROLES),
    (
        lambda P, Q, eps: min(_beyond(P, Q, eps), _beyond(Q, P, eps)),
        "That serves the milder of the two directions only.",
    ),
    (
        lambda P, Q, eps: max((P - exp(eps) * Q).max(), (Q - exp(eps) * P).max(), 0),
        "That is the worst single output. An attacker may wait for any of a set of "
        "outputs.",
    ),
    (
        lambda P, Q, eps: max(
            P[exp(eps) * Q < P].sum(), Q[exp(eps) * P < Q].sum(), 0.0
        ),
        "That is how likely the ratio exceeds e^ε. δ counts only what lies beyond "
        "e^ε, not all of such an output.",
    ),
    (
        lambda P, Q, eps: max(
            np.abs(P - exp(eps) * Q).sum(), np.abs(Q - exp(eps) * P).sum()
        ),
        "Outputs that are less likely than allowed count as 0, not by their size.",
    ),
    (
        lambda P, Q, _: np.abs(P - Q).sum() / 2,
        "That is the δ at ε = 0; your answer does not depend on ε.",
    ),
    (
        lambda P, Q, eps: _least(P, Q, float(np.log(eps))) if eps else 1.0,
        "Probabilities may differ by the factor e^ε, not by ε.",
    ),
    (
        lambda P, Q, eps: max((P - exp(eps) * Q).sum(), (Q - exp(eps) * P).sum(), 0),
        "Over all outputs together nothing is ever lost: both columns sum to 1. Which "
        "outputs would an attacker choose?",
    ),
)  # fmt: skip


def _compare(
    student: Student,
    P: np.ndarray,
    Q: np.ndarray,
    eps: float,
    case: str,
    hint: str,
    known: bool = True,
) -> None:
    found, wanted = student.number(P, Q, eps), _least(P, Q, eps)
    if abs(found - wanted) > 1e-9:
        raise Fault(
            f"your δ at eps = {eps:.4g}, for {case}",
            f"{found:.4g}",
            f"{wanted:.4g}",
            matching_hint(
                np.asarray(found), _MISREAD if known else (), (P, Q, eps), hint, wanted
            ),
        )


def _few_outputs(student: Student, rng: np.random.Generator) -> None:
    P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.08, 0.1, 0.32, 0.5])
    order = rng.permutation(4)
    for eps in (0.3, 0.8):
        _compare(
            student, P[order], Q[order], eps, f"P = {P[order]}, Q = {Q[order]}",
            "Which set of outputs is the most telling, and by how much?",
        )  # fmt: skip


def _both_ways(student: Student, rng: np.random.Generator) -> None:
    """One direction is worse, then, at the same eps, the other."""
    P, Q = np.array([0.7, 0.2, 0.1]), np.array([0.25, 0.25, 0.5])
    eps = float(rng.uniform(0.35, 0.6))  # the two are equal at log(4/3)
    for first, second in ((P, Q), (Q, P)):
        case = f"P = {first}, Q = {second}"
        _compare(student, first, second, eps, case, _ROLES)


def _many_outputs(student: Student, rng: np.random.Generator) -> None:
    for size in (30, 400):
        P, Q = rng.dirichlet(np.ones(size), size=2)
        eps = float(rng.uniform(0.1, 1.5))
        _compare(
            student, P, Q, eps, f"two random tables of {size} outputs",
            "With four outputs you are right. What is different with many?",
        )  # fmt: skip


# Outputs that are impossible, or nearly so, on one side.
ONE_SIDED = (
    (
        np.array([0.2, 0.8]), np.array([0.0, 1.0]), 0.5,
        "An output that is impossible on one side counts, too.",
    ),
    (
        np.array([0.2, 0.6, 0.2]), np.array([0.0, 0.1, 0.9]), 0.5,
        "An output that is impossible on one side counts, and so do the others.",
    ),
    (
        np.array([0.4, 0.6]), np.array([1e-5, 1 - 1e-5]), 10.0,
        "Here the factor e^ε is 22,026.",
    ),
)  # fmt: skip


def _certain_outputs(student: Student, rng: np.random.Generator) -> None:
    """Publish one record at random: no ε covers what only one side can give."""
    n = int(rng.integers(5, 50))
    P, Q = np.full(n + 1, 1 / n), np.full(n + 1, 1 / n)
    P[n], Q[0] = 0.0, 0.0
    _compare(
        student, P, Q, float(rng.uniform(3, 6)),
        f"one record of {n} published at random",
        "An output that has probability 0 on the other side identifies its data set.",
        known=False,
    )  # fmt: skip
    for P, Q, eps, hint in ONE_SIDED:
        for first, second in ((P, Q), (Q, P)):
            _compare(
                student, first, second, eps, f"P = {first}, Q = {second}", hint,
                known=False,
            )  # fmt: skip


def _no_loss(student: Student, rng: np.random.Generator) -> None:
    P, Q = rng.dirichlet(np.ones(6), size=2)
    ratio = float(np.abs(np.log(P / Q)).max())
    for eps, case in (
        (ratio + 0.01, "tables whose ratios all stay within e^eps"),
        (0.0, "two random tables"),
    ):
        _compare(student, P, Q, eps, case, "δ is 0 if no ratio exceeds e^ε.")
    _compare(student, P, P, 0.0, "two equal tables", "Nothing can be told apart.")
    _compare(student, np.ones(1), np.ones(1), 0.0, "a single output", "It is certain.")


EXERCISE = Exercise(
    name="exact_delta",
    parameters=("P", "Q", "eps"),
    title="How private is this table?",
    statement="""\
A mechanism has finitely many outputs. The arrays `P` and `Q`, of shape $(K,)$, hold
their probabilities on two neighboring data sets. Write `exact_delta(P, Q, eps)`, which
returns the **least** $\\delta \\ge 0$ with which this pair is
$(\\varepsilon, \\delta)$-private: for **every set** $S$ of outputs,

$$P[S] \\le e^{\\varepsilon}\\, Q[S] + \\delta \\qquad\\text{and}\\qquad
Q[S] \\le e^{\\varepsilon}\\, P[S] + \\delta.$$

`K` may be a few hundred, so that you cannot try all sets. Some probabilities may be 0.
It must work for $\\varepsilon$ from 0 to 10.""",
    starter="""\
import numpy as np


def exact_delta(P, Q, eps):
    return np.max(P - np.exp(eps) * Q)  # your code here""",
    worked=(
        "exact_delta(np.array([0.5, 0.4, 0.1]), np.array([0.2, 0.2, 0.6]), np.log(2))",
        "0.4",
        "The factor is 2. In one direction the outputs have 0.5 − 0.4, 0.4 − 0.4 and "
        "0.1 − 1.2: the best set is the first output, with 0.1. In the other they "
        "have 0.2 − 1, 0.2 − 0.8 and 0.6 − 0.2: the best set is the last, with 0.4.",
    ),
    hints=(
        "Fix one direction. For a set S, what does one output contribute to the "
        "difference of the two sides? When is it worth having in S?",
        "The best set holds exactly the outputs whose contribution is above 0.",
        "Then do the same with P and Q exchanged. Which of the two results must δ "
        "cover?",
    ),
    checks=(
        ("four outputs", _few_outputs),
        ("both directions", _both_ways),
        ("many outputs", _many_outputs),
        ("outputs that only one side can give", _certain_outputs),
        ("no loss at all", _no_loss),
    ),
    praise="This is the exact price of any mechanism with finitely many outputs, and "
    "it also shows the best event for an attacker.",
)

EXPLANATION = r"""
**Step 1. One direction, any set.** For a set $S$ the difference
$P[S] - e^{\varepsilon} Q[S]$ is a sum over the outputs in $S$. Each output $k$ adds
$P_k - e^{\varepsilon} Q_k$, whatever else is in the set.

**Step 2. The best set.** So the set that is worst for privacy holds exactly the outputs
whose term is above 0. Its difference is the sum of all positive parts, and no set of
the $2^K$ has a larger one. Terms that are negative are left out, and with no positive
term the empty set gives 0.

**Step 3. Both directions.** The definition asks the same with $P$ and $Q$ exchanged,
and one $\delta$ must cover both. So it is the larger of the two sums, and not their
sum.

```python
import numpy as np


def exact_delta(P, Q, eps):
    factor = np.exp(eps)
    forth = np.maximum(P - factor * Q, 0.0).sum()
    back = np.maximum(Q - factor * P, 0.0).sum()
    return max(forth, back)
```

An output with $Q_k = 0$ needs no special case. Its whole probability $P_k$ counts, at
every $\varepsilon$, because seeing it is proof.

**What wrong answers overlook.** The largest single term is the best set of one output
only. Half of the sum of absolute values is right at $\varepsilon = 0$ alone. And ratios
of probabilities, which find the least $\varepsilon$ for $\delta = 0$, divide by zero
where one side cannot give an output.
"""
