"""Exercise: find the bugs in an accountant that puts privacy losses on a grid."""

from functools import lru_cache
from math import log

import numpy as np

from .....grading._priced_cases import apart, at_each
from .....grading.exercise import Exercise
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import (
    Table,
    exact,
    exchanged,
    reason,
    rounded_up,
)

_ROUNDING = 1e-9  # absolute, in δ
_LN2 = log(2)
Case = tuple[Table, int, float, float]  # (P, Q), T, eps, h


@lru_cache(maxsize=64)
def _kept(
    P: tuple[float, ...], Q: tuple[float, ...], T: int, eps: float, h: float
) -> tuple[float, float]:
    table = np.array(P), np.array(Q)
    return exact(table, T, eps), rounded_up(table, T, eps, h)


def _band(case: Case) -> tuple[float, float]:
    """Compute the least right δ, and the largest."""
    (P, Q), *rest = case
    return _kept(tuple(P.tolist()), tuple(Q.tolist()), *rest)


def _written(v: np.ndarray) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in v) + ")"


def _called(student: Student, case: Case) -> float:
    (P, Q), T, eps, h = case
    try:
        return student.number(P, Q, T, eps, h)
    except Fault as fault:
        if not (P.all() and Q.all()):
            fault.hint = (
                f"Here P = {_written(P)}, Q = {_written(Q)}: some outputs come from "
                "one side only. What is their loss?"
            )
        raise


def _judge(student: Student, case: Case, hint: str) -> None:
    found, (least, most) = _called(student, case), _band(case)
    if least - _ROUNDING <= found <= most + _ROUNDING:
        return
    (P, Q), T, eps, h = case
    low = found < least
    seen, limit = apart(found, least if low else most)
    raise Fault(
        f"your δ for T = {T}, eps = {eps:.4g}, h = {h:.4g}, P = {_written(P)}, "
        f"Q = {_written(Q)}",
        seen,
        f"at least {limit}, the exact δ"
        if low
        else f"at most {limit}, with every loss rounded up",
        reason(found, (P, Q, T, eps, h), hint),
    )


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(6):
        P, Q = rng.dirichlet(np.full(int(rng.integers(3, 6)), 2.0), size=2)
        if rng.random() < 0.5:
            P[0], Q[-1] = 0.0, 0.0
            P, Q = P / P.sum(), Q / Q.sum()
        T, h = int(rng.integers(1, 6)), float(rng.uniform(0.02, 0.3))
        case = (P, Q), T, float(rng.uniform(0, 2)), h
        _judge(student, case, "Which property of an upper bound is lost here?")
    for K, T in ((1, 3), (33, 2)):
        P, Q = rng.dirichlet(np.full(K, 2.0), size=2)
        told = f"A table of {K} output" + ("s." if K > 1 else ".")
        _judge(student, ((P, Q), T, 0.5, 0.1), told)


def _table(P: tuple[int, ...], Q: tuple[int, ...]) -> Table:
    return np.array(P) / sum(P), np.array(Q) / sum(Q)


# Losses are multiples of ln 2, so that a grid of ln 2 over a whole number holds them.
_QUIET = _table((2, 1, 5), (1, 2, 5))
_EVEN = _table((2, 1, 1), (1, 2, 1))
_ONE_SIDED = _table((4, 1, 1, 1, 1), (1, 2, 2, 2, 1))
_CERTAIN = _table((8, 4, 2, 1, 1, 0), (4, 8, 1, 2, 0, 1))
_ONE_CERTAIN = _table((4, 2, 1, 1), (4, 4, 0, 0))

EXERCISE = Exercise(
    name="repair_accountant",
    parameters=("P", "Q", "T", "eps", "h"),
    title="Repair an accountant",
    statement="""\
A mechanism gives one of $K$ outputs. `P` and `Q`, of shape $(K,)$, hold their
probabilities on two neighboring data sets; either may be the one with the record. Each
output is possible on one side at least. The mechanism is run `T` times, independently.

The accountant below should return a $\\delta$ with which all `T` outputs together are
$(\\varepsilon, \\delta)$-private at $\\varepsilon$ = `eps`. It puts the privacy losses
of one output on a grid, the multiples of `h`, adds up `T` of them by convolution, and
takes the mean that gives $\\delta$. It has several bugs, of kinds that real accountants
have had. Repair it. Your $\\delta$ must be

* **never below** the exact one of the `T` outputs;
* **never above** the one with every loss rounded up to the next multiple of `h`.

Each means the larger of the two directions. An absolute error of $10^{-9}$ is allowed.
You may also write it anew, without a grid or with a better one. It must work for
`eps` from 0 and for `T` up to a few hundred.""",
    starter="""\
import numpy as np


def repair_accountant(P, Q, T, eps, h):
    both = (P > 0) & (Q > 0)
    steps = np.rint(np.log(P[both] / Q[both]) / h).astype(int)
    chance = one = np.bincount(steps - steps.min(), Q[both])
    for _ in range(T - 1):
        chance = np.convolve(chance, one)
        chance[chance < 1e-6] = 0  # negligible
    loss = h * (T * steps.min() + np.arange(len(chance)))
    return np.sum(chance * (1 - np.exp(eps - loss)))""",
    worked=(
        "repair_accountant(\n    np.array([0.5, 0.25, 0.25]), "
        "np.array([0.25, 0.5, 0.25]), 1, 0.0, np.log(2)\n)",
        "0.25",
        "The losses are ln 2, −ln 2 and 0, all on the grid. At ε = 0 only the first "
        "output counts, with 0.5 · (1 − 1/2) = 0.25. The other direction is the mirror "
        "image.",
    ),
    hints=(
        "Run it by hand on a table of two outputs, with T = 1, and compare each line "
        "with the chapter: $\\delta(\\varepsilon) = \\mathbb{E}[\\max\\{0, 1 - "
        "e^{\\varepsilon - Z}\\}]$, where $Z$ is the loss of an output of $P$.",
        "Look at each line in which something is rounded, left out or set to 0. May "
        "$\\delta$ fall there?",
        "An output that the other side never gives has an infinite loss. So has every "
        "run in which it comes up once.",
    ),
    checks=(
        (
            "losses on the grid",
            at_each(
                _judge,
                cases=((_QUIET, 1, 0.4, _LN2 / 16), (_QUIET, 3, 0.5, _LN2 / 16)),
                hint="Nothing is rounded here, and the two directions are alike. "
                "Which losses count, and with which chance?",
            ),
        ),
        (
            "neighbors exchanged",
            at_each(
                _judge,
                cases=(
                    (_ONE_SIDED, 1, 0.3, _LN2 / 16),
                    (exchanged(_ONE_SIDED), 1, 0.3, _LN2 / 16),
                    (exchanged(_ONE_SIDED), 3, 1.2, _LN2 / 16),
                ),
                hint="Nothing is rounded here. The two directions differ.",
            ),
        ),
        (
            "outputs that only one side can give",
            at_each(
                _judge,
                cases=(
                    (_CERTAIN, 1, 0.2, _LN2 / 16),
                    (_CERTAIN, 3, 0.5, _LN2 / 16),
                    (_ONE_CERTAIN, 2, 0.5, _LN2 / 16),
                    (exchanged(_ONE_CERTAIN), 4, 1.5, _LN2 / 16),
                ),
                hint="What does an output with an infinite loss add, and in which of "
                "the directions?",
            ),
        ),
        (
            "losses between two points of the grid",
            at_each(
                _judge,
                cases=(
                    (_table((5, 3, 2), (2, 3, 5)), 5, 1.0, 0.4),
                    (_table((9, 7, 4), (5, 6, 9)), 4, 0.6, 0.25),
                    (_table((3, 1), (2, 2)), 6, 3.0, 0.1),
                    (_table((3, 2), (2, 3)), 12, 2.5, 0.28),
                ),
                hint="Where does each loss go, and which way is safe?",
            ),
        ),
        (
            "many releases",
            at_each(
                _judge,
                cases=((_EVEN, 60, 28.0, _LN2 / 32), (_EVEN, 200, 70.0, _LN2)),
                hint="δ is small here, and so are all the chances that make it up.",
            ),
        ),
        ("random tables, of 1 to 33 outputs", _anywhere),
    ),
    praise="Whatever an accountant rounds, cuts off or leaves out may only raise δ. "
    "Each of the six bugs can lower it.",
)

EXPLANATION = r"""
Whatever an accountant rounds or leaves out may raise $\delta$ and must never lower it.
The starter breaks this rule in six places.

1. `rint` moves some losses down. Rounding with `ceil` only moves them up.
2. The losses count with `Q[both]`. In
   $\delta(\varepsilon) = \mathbb{E}[\max\{0, 1 - e^{\varepsilon - Z}\}]$ the output
   comes from $P$.
3. Outputs that $Q$ never gives are dropped. Their loss is infinite. A run of $T$ steps
   contains one with probability $1 - (1 - p_\infty)^T$, and all of that belongs to
   $\delta$.
4. `chance < 1e-6` is set to 0. Small chances are what a small $\delta$ is made of.
5. $1 - e^{\varepsilon - Z}$ is added where it is negative, too. The maximum with 0 is
   missing.
6. One direction is not enough. The larger of both counts.

```python
import numpy as np


def one_way(P, Q, T, eps, h):
    both = (P > 0) & (Q > 0)
    certain = 1 - (1 - P[Q == 0].sum()) ** T
    if not both.any():
        return certain
    steps = np.ceil(np.log(P[both] / Q[both]) / h).astype(int)
    one = np.bincount(steps - steps.min(), P[both])
    chance = one
    for _ in range(T - 1):
        chance = np.convolve(chance, one)
    loss = h * (T * steps.min() + np.arange(len(chance)))
    part = -np.expm1(np.minimum(eps - loss, 0.0))
    return certain + chance @ part


def repair_accountant(P, Q, T, eps, h):
    return max(one_way(P, Q, T, eps, h), one_way(Q, P, T, eps, h))
```

**Why this is never too small.** Each loss was moved up or not at all, and
$\max\{0, 1 - e^{\varepsilon - Z}\}$ rises with $Z$. **Why it is never too large.** Each
loss moved to the *next* multiple of `h`, which is exactly what the second bound of the
statement allows.
"""
