"""Exercise: the least share of misses at each share of false alarms, from tables."""

# ruff: noqa: ARG005  (wrong answers of one table share one signature)

from collections.abc import Callable

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

Table = np.ndarray
Key = Callable[[Table, Table], Table]
Answer = Callable[[Table, Table, Table], Table]
EXACT = 1e-9


def _corners(P: Table, Q: Table, key: Table) -> tuple[Table, Table]:
    """Say "in" on more and more outputs, in the order of a key: errors at each stop."""
    order = np.argsort(key, kind="stable")
    alarms, hits = np.cumsum(Q[order]), np.cumsum(P[order])
    return np.append(0.0, alarms), np.append(1.0, 1 - hits)


def _ratio(P: Table, Q: Table) -> Table:
    """Sort by P/Q, from the largest on: an angle knows no division by 0."""
    return np.arctan2(Q, P)


def _by(key: Key) -> Answer:
    """Join the stops by straight lines: a coin is tossed about one output."""
    return lambda P, Q, alpha: np.interp(alpha, *_corners(P, Q, key(P, Q)))


def least_misses(P: Table, Q: Table, alpha: Table) -> Table:
    """Return the least share of misses at each share of false alarms."""
    return np.interp(alpha, *_corners(P, Q, _ratio(P, Q)))


def _without_a_coin(P: Table, Q: Table, alpha: Table) -> Table:
    """Stay at the last stop that alpha allows."""
    alarms, misses = _corners(P, Q, _ratio(P, Q))
    return misses[np.searchsorted(alarms, alpha + EXACT, side="right") - 1]


def _one_promise(P: Table, Q: Table, alpha: Table) -> Table:
    eps = np.abs(np.log(P / Q)).max()
    return np.maximum(1 - np.exp(eps) * alpha, np.exp(-eps) * (1 - alpha))


def _one_threshold(P: Table, Q: Table, alpha: Table) -> Table:
    said = P > Q
    return np.interp(alpha, [0, Q[said].sum(), 1], [1, 1 - P[said].sum(), 0])


def _as_it_stands(P: Table, Q: Table, alpha: Table) -> Table:
    return np.interp(alpha, np.cumsum(Q), 1 - np.cumsum(P))


def _nothing_sure(P: Table, Q: Table, alpha: Table) -> Table:
    return least_misses(P[Q > 0], Q[Q > 0], alpha) + 0 * alpha


# Wrong answers that many give, and what they reveal.
CURVES = (
    (
        _without_a_coin,
        "Between two of your tests lies a better one, which tosses a coin about a "
        "single output.",
    ),
    (
        lambda P, Q, alpha: 1 - least_misses(P, Q, alpha),
        "Those are the hits. Misses are what is left.",
    ),
    (
        lambda P, Q, alpha: least_misses(Q, P, alpha),
        "The roles are exchanged: a false alarm says “in” when Q is true, and a miss "
        "says “out” when P is.",
    ),
    (
        _by(lambda P, Q: -P),
        "This begins with the outputs that P makes likely. They may be as likely "
        "without the record: what does a hit cost in false alarms?",
    ),
    (
        _by(lambda P, Q: Q),
        "This begins with the outputs that Q makes unlikely. They may bring no hits "
        "either: how much does a false alarm buy?",
    ),
    (
        _by(lambda P, Q: Q - P),
        "This begins with the largest difference. A rare output may have a small "
        "difference, and still tell more for what it costs.",
    ),
    (
        _as_it_stands,
        "This takes the outputs in the order in which they stand in the table.",
    ),
    (
        _one_promise,
        "That is what one ε promises, the largest in the table. This pair of tables is "
        "safer than its worst output.",
    ),
    (
        _one_threshold,
        "That mixes one test with blind guesses. Where alpha is small, a test that "
        "trusts fewer outputs does better.",
    ),
    (
        _nothing_sure,
        "An output that only P can give is a sure hit, and costs nothing.",
    ),
)


def _compare(
    student: Student, P: Table, Q: Table, alpha: Table, case: str, hint: str
) -> None:
    found, wanted = student.array(alpha.shape, P, Q, alpha), least_misses(P, Q, alpha)
    off = np.abs(found - wanted)
    if off.max() <= EXACT:
        return
    at = int(np.argmax(off))
    near = off[at] <= 5e-3
    if near:
        hint = (
            "Close, but not exact. Are there only so many thresholds, or is a number "
            "added where a 0 stood?"
        )
    digits = 12 if near else 4
    below = found[at] < wanted[at]
    raise Fault(
        f"your misses at alpha = {alpha[at]:.6g}, for {case}",
        f"{found[at]:.{digits}g}" + (", which no test reaches" if below else ""),
        f"{wanted[at]:.{digits}g}" + ("" if below else ", which a test reaches"),
        matching_hint(found, CURVES, (P, Q, alpha), hint, wanted),
    )


def _said(P: Table, Q: Table, parts: int) -> str:
    P, Q = ((each * parts).round().astype(int) for each in (P, Q))
    return f"P = {P}/{parts}, Q = {Q}/{parts}"


# The orders by P, by Q, by their difference and by their ratio all differ. In 32nds no
# sum is ever rounded, so that a test without a coin is never off by a last digit.
_P, _Q = np.array([3, 13, 9, 6, 1]) / 32, np.array([1, 5, 15, 9, 2]) / 32


def _no_coin(student: Student, rng: np.random.Generator) -> None:
    order = rng.permutation(len(_P))
    P, Q = _P[order], _Q[order]
    _compare(
        student, P, Q, np.array([0, 1, 6, 15, 30, 32]) / 32, _said(P, Q, 32),
        "Here the best test says “in” on a set of outputs. Which output is the first "
        "to be in it, and which the last?",
    )  # fmt: skip


def _with_a_coin(student: Student, rng: np.random.Generator) -> None:
    order = rng.permutation(len(_P))
    P, Q = _P[order], _Q[order]
    for alpha in ([0.1, 0.985, 0.3, 0.01, 0.7], [rng.uniform(0.25, 0.4)]):
        _compare(
            student, P, Q, np.array(alpha), _said(P, Q, 32),
            "Here the best test tosses a coin about one of the outputs. Which one?",
        )  # fmt: skip


def _only_one(student: Student, rng: np.random.Generator) -> None:
    alpha = np.array([0.0, 0.1, 0.3, 0.6, 0.8, 1.0])
    same = int(rng.integers(1, 17))  # for the ratio 1 there are two outputs
    P = np.array([6, 4, 2, 20 - same, 0, 0, same]) / 32
    Q = np.array([0, 2, 1, 20 - same, 9, 0, same]) / 32
    order = rng.permutation(len(P))
    P, Q = P[order], Q[order]
    _compare(
        student, P, Q, alpha, _said(P, Q, 32),
        "Look at the outputs that only one side has, at those that neither has, and "
        "at those of equal ratio.",
    )  # fmt: skip
    P = np.array([0.5, 0.0, 0.5, 0.0])
    for one, other, told in (
        (P, P, "Nothing can be told apart: all that helps is to guess."),
        (P, P[::-1].copy(), "Each output gives its side away."),
    ):
        _compare(student, one, other, alpha, _said(one, other, 2), told)


def _many(student: Student, rng: np.random.Generator) -> None:
    for size in (30, 300):
        P, Q = rng.dirichlet(np.ones(size), size=2)
        alpha = rng.permutation(np.append(rng.uniform(size=3), [0.0, 1.0]))
        _compare(
            student, P, Q, alpha, f"two random tables of {size} outputs",
            "With a few outputs your answer is right. What is different with many?",
        )  # fmt: skip


EXERCISE = Exercise(
    name="trade_off",
    parameters=("P", "Q", "alpha"),
    title="How good can a guesser be?",
    statement="""\
A mechanism has finitely many outputs. The arrays `P` and `Q`, of shape $(K,)$, hold
their probabilities if a record is in the data and if it is out. A test sees one output
$k$ and says "in" with a probability $\\varphi_k$ between 0 and 1, which you may choose
for each $k$. Otherwise it says "out". It makes two kinds of errors:

$$\\text{false alarms} = \\sum_k Q_k\\,\\varphi_k, \\qquad
\\text{misses} = \\sum_k P_k\\,(1 - \\varphi_k).$$

Write `trade_off(P, Q, alpha)`. The array `alpha`, of shape $(m,)$, holds shares from 0
to 1, both included, in any order. Return an array of shape $(m,)$: for each of them the
**least** share of misses of all tests whose share of false alarms is **at most** that
number, exact to nine digits after the point.

`K` may be a few hundred. Some probabilities may be 0, on one side or on both: that
output is then never seen there.""",
    starter="""\
import numpy as np


def trade_off(P, Q, alpha):
    said_in = P > Q
    return np.full(alpha.shape, P[~said_in].sum())  # your code here""",
    worked=(
        """\
trade_off(
    np.array([0.5, 0.3, 0.2]),
    np.array([0.1, 0.3, 0.6]),
    np.array([0.1, 0.25]),
)""",
        "[0.5, 0.35]",
        "“In” on the first output alone has 0.1 false alarms and 0.5 hits. For 0.25 "
        "false alarms there are 0.15 to spend: half of what the second output takes. "
        "So toss a fair coin when it comes: 0.5 + 0.15 hits, which leaves 0.35 misses.",
    ),
    hints=(
        "Raise one $\\varphi_k$ a little. How much do the misses fall, and what does "
        "that cost in false alarms? With which output would you start?",
        "You have alpha to spend. Each output has a price and a gain, and you may buy "
        "a part of it. So at most one output is bought in part.",
        "Start at alpha = 0 with 1 miss in 1. Each output, in the right order, moves "
        "you by its price to the right and by its gain down. What joins two stops?",
    ),
    checks=(
        ("tests without a coin", _no_coin),
        ("tests with a coin", _with_a_coin),
        ("outputs that only one side has, or neither", _only_one),
        ("many outputs", _many),
    ),
    praise="This is the Neyman-Pearson lemma. The curve says everything that the two "
    "tables can tell a guesser: each ε with its δ is a straight line, and the curve "
    "is the highest of these lines.",
)

EXPLANATION = r"""
Raising $\varphi_k$ by a little costs $Q_k$ in false alarms and gains $P_k$ in hits. You
have `alpha` to spend, so buy where the gain per cost is largest.

**Step 1. Sort by the ratio $P_k/Q_k$.** Outputs with $Q_k = 0$ cost nothing, so they
come first. Those with $P_k = 0$ gain nothing and come last. (Outputs that neither side
gives play no part.)

**Step 2. Walk down the curve.** Start with no false alarm and every member missed, at
$(0, 1)$. Each output in that order moves you right by $Q_k$ and down by $P_k$.

**Step 3. Join the stops.** Between two stops, one output is bought in part: "in" is
said with a probability. That traces the straight line between them, so the answer at
`alpha` is a linear interpolation. By the Neyman-Pearson lemma no test does better.

```python
import numpy as np


def trade_off(P, Q, alpha):
    seen = (P > 0) | (Q > 0)
    P, Q = P[seen], Q[seen]
    order = np.argsort(-P / (P + Q), kind="stable")  # as P/Q, without a division by 0
    costs_nothing = P[Q == 0].sum()
    priced = order[Q[order] > 0]
    alarms = np.concatenate([[0.0], np.cumsum(Q[priced])])
    misses = 1 - costs_nothing - np.concatenate([[0.0], np.cumsum(P[priced])])
    return np.interp(alpha, alarms, np.maximum(misses, 0.0))
```

The outputs that cost nothing are bought before the walk begins, because `np.interp`
needs places that increase.

**What wrong answers overlook.** A test without a coin reaches only the stops. Taking
the nearest stop below `alpha` wastes what is left to spend. Sorting by $P_k$, or by the
difference $P_k - Q_k$, buys large outputs first and not good ones.
"""
