"""Exercise: the least share of misses at each share of false alarms, from tables."""

import numpy as np

from .....grading.exercise import Exercise
from .....grading.ladder import matching_hint
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import (
    CURVES,
    EXACT,
    Table,
    least_misses,
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
        matching_hint(found, CURVES, (P, Q, alpha), hint),
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
            "With a few outputs you are right. What is different with many?",
        )  # fmt: skip


EXERCISE = Exercise(
    name="trade_off",
    parameters=("P", "Q", "alpha"),
    title="How good can a guesser be?",
    statement="""\
A mechanism has finitely many outputs. The arrays `P` and `Q`, of shape $(K,)$, hold
their probabilities if a record is in the data and if it is out. A test sees one output
$k$ and says "in" with a probability $\\varphi_k$ between 0 and 1, which you may choose
for each $k$. Else it says "out". It makes two kinds of errors:

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
    praise="This is the lemma of Neyman and Pearson. The curve says all that the two "
    "tables can tell a guesser: each ε has a δ that is one straight line, and the "
    "highest of these lines is the curve.",
)
