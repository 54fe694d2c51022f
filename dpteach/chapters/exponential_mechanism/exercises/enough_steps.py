"""Exercise: after how many steps is a Markov chain near its limit, from any start?"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ....algorithms.pure.exponential_chains import metropolis_transitions
from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

_MOST = 1_000  # no chain here needs as many steps


def _first(P: np.ndarray, near: Callable[[np.ndarray], bool]) -> int:
    """Find the first T at which the T-th power of P satisfies a condition."""
    power = np.eye(len(P))
    for T in range(_MOST):
        if near(power):
            return T
        power = power @ P
    return _MOST


def _distances(power: np.ndarray, pi: np.ndarray) -> np.ndarray:
    return np.abs(power - pi).sum(axis=1) / 2


def _reference(P: np.ndarray, pi: np.ndarray, delta: float) -> int:
    return _first(P, lambda power: _distances(power, pi).max() <= delta)


def _gap(P: np.ndarray) -> float:
    if len(P) == 1:
        return 0.0
    return float(np.sort(np.abs(np.linalg.eigvals(P)))[-2])


# Wrong numbers that many give, and what they reveal.
_MISREAD: tuple[tuple[Callable[..., float], str], ...] = (
    (
        lambda P, pi, delta: _first(P, lambda W: 2 * _distances(W, pi).max() <= delta),
        "That is the sum of absolute differences. Total variation is half of it: the "
        "largest difference in the probability of any set.",
    ),
    (
        lambda P, pi, delta: _first(P, lambda W: _distances(W, pi)[0] <= delta),
        "That is the chain that starts at place 0. From another place it may take "
        "longer.",
    ),
    (
        lambda P, pi, delta: _first(P, lambda W: _distances(W, pi).mean() <= delta),
        "That is an average over the starts; the worst one is asked for.",
    ),
    (
        lambda P, pi, delta: _first(P, lambda W: np.abs(W - pi).max() <= delta),
        "That is the largest difference of one place. Sets of places can differ more.",
    ),
    (
        lambda P, _, delta: _first(
            P, lambda W: np.abs(W @ P - W).sum(axis=1).max() / 2 <= delta
        ),
        "That is when a step changes little. A slow chain changes little while it is "
        "still far from its limit.",
    ),
    (
        lambda P, pi, delta: _first(P, lambda W: _distances(W.T, pi).max() <= delta),
        "Row i of the power is the distribution of the chain that starts at i; these "
        "are the columns.",
    ),
    (
        lambda P, _, delta: np.ceil(np.log(delta) / np.log(_gap(P))),
        "The second eigenvalue tells how fast the distance falls in the end, but not "
        "from what height it starts.",
    ),
    (
        lambda P, pi, delta: np.ceil(np.log(delta * pi.min()) / np.log(_gap(P))),
        "That is a bound on the number of steps; the least number is asked for.",
    ),
    (
        lambda P, pi, delta: _reference(P, pi, delta) - 1,
        "After that many steps the distance is still above delta.",
    ),
    (
        lambda P, pi, delta: _reference(P, pi, delta) + 1,
        "One step fewer is enough. What is the power 0?",
    ),
)


Case = tuple[np.ndarray, np.ndarray, float]


def _case(P: np.ndarray, pi: np.ndarray, delta: float) -> tuple[Case, int]:
    """Move δ well between two distances, where rounding decides nothing; and solve."""
    T = _reference(P, pi, delta)
    far = [_distances(np.linalg.matrix_power(P, each), pi).max() for each in (T - 1, T)]
    return (P, pi, float(np.sqrt(far[0] * far[1]))), T


def _metropolis(records: np.ndarray, m: int, exponent: float, delta: float) -> Any:
    risk = np.abs(np.linspace(-1, 1, m)[:, None] - records).sum(axis=1)
    weight = np.exp(-exponent * risk)
    P = metropolis_transitions(risk, exponent=exponent)
    return _case(P, weight / weight.sum(), delta)


def _probes() -> list[tuple[Case, int]]:
    # On these all the wrong numbers of the table differ.
    records = np.array([-0.9, -0.6, -0.55, -0.2, 0.1, 0.3])
    return [_metropolis(records, 7, 0.4, delta) for delta in (0.35, 0.003)]


def _judge(student: Student, cases: list[tuple[Case, int]]) -> None:
    for (P, pi, delta), wanted in cases:
        found = student.number(P, pi, delta)
        if found != wanted:
            raise Fault(
                f"the steps of a chain on {len(P)} places until delta = {delta:.4g}",
                f"{found:.6g}",
                f"{wanted}",
                _hint(student, (P, pi, delta), found),
            )


def _hint(student: Student, case: Case, found: float) -> str:
    cases = [case, *(probe for probe, _ in _probes())]
    given = [found, *(student.number(*probe) for probe in cases[1:])]
    with np.errstate(divide="ignore"):  # a chain on one place has no second eigenvalue
        for formula, told in _MISREAD:
            numbers = [formula(*each) for each in cases]
            if all(a == b for a, b in zip(numbers, given, strict=True)):
                return told
    return (
        "Which matrix holds the distributions after T steps, from every start at once?"
    )


def _by_hand(student: Student, _: np.random.Generator) -> None:
    P, pi = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([2 / 3, 1 / 3])
    _judge(student, [((P, pi, 0.3), 1), ((P, pi, 0.01), 4), ((P, pi, 1e-6), 10)])


def _medians(student: Student, rng: np.random.Generator) -> None:
    cases = [
        _metropolis(rng.uniform(-1, 1, size=12), m, exponent, delta)
        for m, exponent, delta in ((5, 0.5, 0.2), (7, 0.3, 0.02))
    ]
    _judge(student, cases)


def _one_way(student: Student, rng: np.random.Generator) -> None:
    cases = []
    for m, lazy, delta in ((4, 0.5, 0.1), (6, 0.9, 1e-4), (3, 0.3, 0.01)):
        P = lazy * np.eye(m) + (1 - lazy) * rng.dirichlet(np.full(m, 0.5), size=m)
        balance = np.vstack([P.T - np.eye(m), np.ones(m)])
        pi = np.linalg.lstsq(balance, np.append(np.zeros(m), 1.0), rcond=None)[0]
        cases.append(_case(P, pi, delta))
    _judge(student, cases)


def _slow_in_the_middle(student: Student, _: np.random.Generator) -> None:
    """Start worst in a model that is not at an end, nor the least or most likely."""
    P = 0.3 * np.eye(5) + 0.7 * np.array([0.25, 0.15, 0.05, 0.2, 0.35])
    P[2] = 0.2 * P.mean(axis=0) + 0.8 * np.eye(5)[2]
    balance = np.vstack([P.T - np.eye(5), np.ones(5)])
    pi = np.linalg.lstsq(balance, np.append(np.zeros(5), 1.0), rcond=None)[0]
    _judge(student, [_case(P, pi, delta) for delta in (0.1, 0.001)])


def _sizes(student: Student, _: np.random.Generator) -> None:
    """One place, where a step changes nothing; and 33 that are equally likely."""
    cases = [((np.ones((1, 1)), np.ones(1), 0.5), 1)]
    pi = np.full(33, 1 / 33)
    cases.append(_case(0.7 * np.eye(33) + 0.3 * pi, pi, 0.01))
    _judge(student, cases)


EXERCISE = Exercise(
    name="enough_steps",
    parameters=("P", "pi", "delta"),
    title="When may a chain be stopped?",
    statement="""\
A Markov chain walks on $m$ models. Entry $(i, j)$ of `P` is the probability that a step
leads from model $i$ to model $j$. Whatever the start, the distribution of the
chain tends to `pi`, the probabilities of the exponential mechanism.

Stopped after $T$ steps, the chain draws from another distribution $q$. Its **total
variation** distance from `pi` is $\\tfrac12\\sum_j |q_j - \\pi_j|$. If that is at most
$\\delta$ for every data set, then the chain is
$(\\varepsilon, (1 + e^\\varepsilon)\\delta)$-private.

Write `enough_steps(P, pi, delta)`, which returns the least $T \\ge 1$ for which the
distribution after $T$ steps is within total variation `delta` of `pi`, **whichever
model the chain started from**. Here `delta` lies between $10^{-6}$ and $1/2$, and a
thousand steps are always enough.""",
    starter="""\
import numpy as np


def enough_steps(P, pi, delta):
    T = 1
    q = P[0]  # starts at model 0
    while np.abs(q - pi).max() > delta:
        q = q @ P
        T += 1
    return T  # your code here""",
    worked=(
        "enough_steps(np.array([[0.75, 0.25], [0.5, 0.5]]), "
        "np.array([2 / 3, 1 / 3]), 0.01)",
        "4",
        "Each step divides the distance by 4. It is 1/3 at the start if the chain "
        "starts at model 0, and 2/3 if it starts at model 1. After 3 steps 2/3 has "
        "become 0.0104, after 4 steps 0.0026.",
    ),
    hints=(
        "The distribution after T steps is row i of the T-th power of `P`, if the "
        "chain starts at model i.",
        "Keep the distributions from all starts at once, as the rows of one matrix. "
        "Which matrix is that before the first step?",
        "The distance of the worst start never grows from step to step. So the first T "
        "at which it is small enough is the answer.",
    ),
    checks=(
        ("a chain on two models, by hand", _by_hand),
        ("chains that draw a private median", _medians),
        ("chains that are not reversible", _one_way),
        ("a chain that is slow from one model", _slow_in_the_middle),
        ("one model, and 33 that are equally likely", _sizes),
    ),
    praise="You could count the steps because you had the whole matrix, for one data "
    "set. A user of a chain has neither the matrix nor the other data sets.",
)

EXPLANATION = """\
**Step 1. All starts at once.** Row $i$ of the power $P^T$ is the distribution after $T$
steps from place $i$. At least one step is asked for, so begin with $P$ itself.

**Step 2. The distance.** Total variation is half of the sum of absolute differences,
row by row. The worst row counts, because the guarantee must hold wherever the chain
started.

**Step 3. The first time.** The worst distance never grows from step to step, so the
first $T$ at which it is at most `delta` is the answer.

```python
import numpy as np


def enough_steps(P, pi, delta):
    rows, T = P, 1
    while np.abs(rows - pi).sum(axis=1).max() / 2 > delta:
        rows = rows @ P
        T += 1
    return T
```

Answers that look at one start can be too small by many steps. Answers that stop when a
step changes little stop too early: a slow chain changes little while it is still far
from its limit. The second eigenvalue gives the speed in the end, but not the height
from which the distance starts to fall.
"""
