"""A loss accountant with any set of bugs, and what each reveals: ``repair_accountant``.

One set of lines computes them all: each bug changes a part of it.
"""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np

# In the order in which they should be found: what each is, and what it does.
BUGS = {
    "clip": "Outputs whose loss is below eps count with a minus. An attacker leaves "
    "them out, so they count as 0.",
    "weights": "The losses are weighted by Q. The loss that counts is that of an "
    "output of P.",
    "direction": "That is P against Q alone. Which of the two is the side with the "
    "record?",
    "impossible": "Outputs that Q never gives are left out, although none reveal more.",
    "nearest": "Some losses are rounded down. Then the losses on the grid are smaller "
    "than the true ones, and the result is no upper bound.",
    "tail": "Small chances are thrown away, and there are many of them. How large "
    "may their losses be?",
}
Table = tuple[np.ndarray, np.ndarray]


def accounted(
    P: np.ndarray,
    Q: np.ndarray,
    T: int,
    eps: float,
    h: float,
    *,
    bugs: tuple[str, ...] = (),
    up: Callable = np.ceil,
    join: Callable = max,
    lost: Callable = lambda p, T: 1 - (1 - p) ** T,
) -> float:
    """Compute δ on the grid with these bugs.

    ``up`` rounds a loss, in steps of the grid; ``join`` makes one of two directions;
    ``lost`` says what outputs with an infinite loss cost, of chance p each time.
    """
    both = (P > 0) & (Q > 0)
    values = []
    for first, second in ((P, Q), (Q, P)):
        value = _one_way(first[both], second[both], T, eps, h, bugs, up)
        if "impossible" not in bugs:
            value += lost(float(first[second == 0].sum()), T)
        values.append(value)
    return values[0] if "direction" in bugs else join(values)


def _one_way(
    P: np.ndarray,
    Q: np.ndarray,
    T: int,
    eps: float,
    h: float,
    bugs: tuple[str, ...],
    up: Callable,
) -> float:
    index = (np.rint if "nearest" in bugs else up)(np.log(P / Q) / h).astype(int)
    first = int(index.min())
    one = np.bincount(index - first, Q if "weights" in bugs else P)
    chance = one
    for _ in range(T - 1):
        chance = np.convolve(chance, one)
        if "tail" in bugs:
            chance[chance < 1e-6] = 0.0
    loss = h * (T * first + np.arange(len(chance)))
    share = -np.expm1(np.minimum(eps - loss, 700))
    return float(chance @ (share if "clip" in bugs else np.maximum(share, 0)))


def rounded_up(table: Table, T: int, eps: float, h: float) -> float:
    """Compute δ with every loss rounded up; one on the grid may go up a step."""
    return accounted(*table, T, eps, h, up=lambda steps: np.ceil(steps + 1e-9))


def exchanged(table: Table) -> Table:
    """Let the neighbors change places."""
    return table[1], table[0]


def exact(table: Table, T: int, eps: float) -> float:
    """Compute δ of T releases, the worse direction, from how often each output came."""
    return max(_exact(*each, T, eps) for each in (table, exchanged(table)))


def _exact(P: np.ndarray, Q: np.ndarray, T: int, eps: float) -> float:
    from scipy.special import gammaln

    both = (P > 0) & (Q > 0)
    log_p, loss = np.log(P[both]), np.log(P[both] / Q[both])
    # all ways to have T outputs: of each kind some, and of the last what is left
    left, total = np.array([T]), np.zeros(1)
    log_chance = np.array([gammaln(T + 1.0)])
    for k in range(len(loss)):
        ways = left + 1 if k < len(loss) - 1 else np.ones_like(left)
        at = np.repeat(np.arange(len(left)), ways)
        count = np.arange(len(at)) - np.repeat(np.cumsum(ways) - ways, ways)
        count = count if k < len(loss) - 1 else left
        log_chance = log_chance[at] + count * log_p[k] - gammaln(count + 1.0)
        left, total = left[at] - count, total[at] + count * loss[k]
    share = np.maximum(-np.expm1(np.minimum(eps - total, 0)), 0)
    certain = 1 - (1 - float(P[Q == 0].sum())) ** T
    return certain + float(np.exp(log_chance) @ share)


_SUM = (
    "The two directions are two demands; one δ must serve for each, not for both at "
    "once."
)
# Other wrong answers, as functions of (P, Q, T, eps, h), and the reason.
OTHERS = (
    (partial(accounted, join=sum), _SUM),
    (partial(accounted, join=min), "That serves the milder of the two directions."),
    (
        partial(accounted, lost=lambda p, T: p),
        "An output that Q never gives may come in any of the T releases.",
    ),
    (
        partial(accounted, lost=lambda p, T: T * p),
        "Runs in which such an output comes twice are counted twice.",
    ),
)


def reason(found: float, case: tuple, other: str) -> str:
    """Tell what gives this number: a wrong formula, or the first of a few bugs."""

    def fits(value: float) -> bool:
        return abs(found - value) <= 1e-7 * abs(value)

    if found == 0:  # much leads there
        return other
    for bugs in (each for size in (1, 2, 3) for each in combinations(BUGS, size)):
        if fits(accounted(*case, bugs=bugs)):
            return BUGS[bugs[0]]
    return next((told for each, told in OTHERS if fits(each(*case))), other)
