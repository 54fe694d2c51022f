"""Exercise: a coin of probability e^(−a/b), tossed with integers alone."""

# ruff: noqa: ARG001  (answers, and checks, share one signature)

import itertools
from fractions import Fraction

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student


def _heads(a: int, b: int, draws: np.ndarray) -> int:
    failed = np.flatnonzero(draws >= a)
    return int(failed[0] % 2 == 0)  # index 0 is the first draw, an odd one


def _even(a: int, b: int, draws: np.ndarray) -> int:
    return 1 - _heads(a, b, draws)


def _inclusive(a: int, b: int, draws: np.ndarray) -> int:
    return int(np.flatnonzero([*(draws > a), True])[0] % 2 == 0)


def _first_alone(a: int, b: int, draws: np.ndarray) -> int:
    return int(draws[0] >= a)


def _floats(a: int, b: int, draws: np.ndarray) -> int:
    return int(draws[0] / b < np.exp(-a / b))


def _same_chance(a: int, b: int, draws: np.ndarray) -> int:
    ks = np.arange(1, len(draws) + 1)
    return int(np.flatnonzero([*(draws // ks >= a), True])[0] % 2 == 0)


# Wrong answers as functions of the arguments, and what each reveals.
_MISREAD = (
    (_even, "Heads and tails are the wrong way round: look at a = 0, where e⁰ = 1."),
    (_inclusive, "Of k · b values exactly a must count as a success: those below a."),
    (_first_alone, "One draw gives a chance of 1 − a/b, the first terms of e^(−a/b)."),
    (_floats, "np.exp rounds, so that the chance is only nearly right. No logarithm "
     "and no exponential is needed: compare integers."),
    (_same_chance, "The k-th draw must succeed with probability a/(k b), not a/b."),
)  # fmt: skip


Cases = list[tuple[int, int, np.ndarray]]


def _toss(student: Student, case: tuple[int, int, np.ndarray]) -> float:
    found = student.call(*case)
    if isinstance(found, (bool, np.bool_)):  # such as that of k % 2 == 1
        return float(found)
    return student.number(*case)


def _judge(student: Student, cases: Cases) -> list[int]:
    """Demand the right answer in all cases; explain by what fits all of them."""
    found = [_toss(student, case) for case in cases]
    wanted = [_heads(*case) for case in cases]
    if found != wanted:
        hints = (
            told for wrong, told in _MISREAD
            if [wrong(*case) for case in cases] == found
        )  # fmt: skip
        at = next(k for k in range(len(cases)) if found[k] != wanted[k])
        a, b, draws = cases[at]
        raise Fault(
            f"exact_coin({a}, {b}, draws) with draws = {draws.tolist()}",
            f"{found[at]:g}",
            f"{wanted[at]}",
            next(hints, "Which is the first draw that is not below a? Is it odd?"),
        )
    return wanted


def _edges(student: Student, rng: np.random.Generator) -> None:
    given = (
        (1, 2, [0, 1, 3]), (1, 2, [1, 0, 0]), (2, 3, [2, 0, 5]), (2, 3, [1, 1, 2, 7]),
        (3, 3, [2, 2, 2, 3]), (1, 1, [0, 0, 0, 0, 4]), (5, 7, [4, 5, 0, 20]),
        (0, 1, [0, 1, 2]), (0, 4, [3, 0, 9]), (4, 5, [3, 3, 11, 0]), (1, 2, [1]),
    )  # fmt: skip
    _judge(student, [(a, b, np.array(draws)) for a, b, draws in given])


def _large(student: Student, rng: np.random.Generator) -> None:
    """Floating-point numbers cannot tell these integers apart; then come many coins."""
    a = 2**53 + 1
    given = (
        (2, 3, [1, 1, 2]), (a, a + 2, [a - 1, a, a]), (1, 1, [0] * 11 + [11]),
        (1, 1, [0] * 12 + [7]), (1, 1, [0] * 18 + [5]),
    )  # fmt: skip
    _judge(student, [(a, b, np.array(draws)) for a, b, draws in given])


def _random(student: Student, rng: np.random.Generator) -> None:
    cases = []
    for _ in range(20):
        b = int(rng.integers(2, 60))
        draws = [int(rng.integers(k * b)) for k in range(1, 10)]
        cases.append((int(rng.integers(1, b + 1)), b, np.array([*draws, 10 * b - 1])))
    _judge(student, cases)


def _all_draws(student: Student, rng: np.random.Generator) -> None:
    """Go through every outcome of three draws: the series of e^(−γ) must come out."""
    # A fourth draw that fails: where three succeed, it decides.
    cases = [
        (1, 2, np.array([*draws, 7]))
        for draws in itertools.product(range(2), range(4), range(6))
    ]
    chance = Fraction(sum(_judge(student, cases)), len(cases))
    if chance != 1 - Fraction(1, 2) + Fraction(1, 8) - Fraction(1, 48):
        raise ArithmeticError(f"the grader's own coin has probability {chance}")


EXERCISE = Exercise(
    name="exact_coin",
    parameters=("a", "b", "draws"),
    title="A coin of probability e^(−a/b), without e",
    statement="""\
Noise that leaks nothing in its last bits is made of coins that come up heads with
probability exactly $e^{-\\gamma}$. For a fraction $\\gamma = a/b$ with integers
$0 \\le a \\le b$ and $b \\ge 1$, von Neumann's method needs no exponential function:
toss coins of probability $\\gamma/1, \\gamma/2, \\gamma/3, \\dots$ until the first one
fails. If that was the $k$-th coin and $k$ is **odd**, the answer is heads.

The randomness is given: `draws[k - 1]` is a uniform integer from $0$ to $k b - 1$, so a
coin of probability $a/(kb)$ is the comparison `draws[k - 1] < a`. Write
`exact_coin(a, b, draws)`, which returns 1 for heads and 0 for tails. The array holds
enough draws: at least one of them fails. Use integers only: no rounding can then make
the probability wrong.""",
    starter="""\
import numpy as np


def exact_coin(a, b, draws):
    return int(draws[0] / b < np.exp(-a / b))  # your code here""",
    worked=(
        "exact_coin(2, 3, np.array([1, 1, 2, 7]))",
        "1",
        "γ = 2/3. The first coin succeeds because 1 < 2, and so does the second. The "
        "third fails because 2 is not below 2; it had 9 values to choose from, and 2 "
        "of them succeed. So k = 3, which is odd, and the answer is heads.",
    ),
    hints=(
        "Go through `draws` and stop at the first entry that is not below `a`.",
        "Python counts from 0, and the coins are counted from 1.",
        "Heads: the probability that k coins succeed is γᵏ/k!. The first failure is "
        "odd with probability 1 − γ + γ²/2! − γ³/3! + …",
    ),
    checks=(
        ("cases on the edge", _edges),
        ("integers that no floating-point number can tell apart", _large),
        ("twenty cases at random", _random),
        ("all outcomes of three coins: the series of e^(−γ)", _all_draws),
    ),
    praise="The chances of a first failure at k = 1, 2, 3, … alternate to the series "
    "of e^(−γ). From such coins come geometric, discrete Laplace and discrete normal "
    "noise, all exact.",
)

EXPLANATION = r"""
**Step 1. Find the first failure.** Coin $k$ succeeds if `draws[k - 1] < a`, which has
probability $a/(kb) = \gamma/k$. Go through the draws until one is not below `a`.

**Step 2. Odd is heads.** Return 1 if the number $k$ of that coin is odd.

```python
def exact_coin(a, b, draws):
    k = 1
    while draws[k - 1] < a:
        k += 1
    return k % 2
```

**Why the probability is $e^{-\gamma}$.** The first $k$ coins all succeed with
probability $\gamma/1 \cdot \gamma/2 \cdots \gamma/k = \gamma^k/k!$. So the first
failure is coin $k$ with probability $\gamma^{k-1}/(k-1)! - \gamma^k/k!$. Add this up
over all odd $k$:

$$1 - \gamma + \frac{\gamma^2}{2!} - \frac{\gamma^3}{3!} + \dots = e^{-\gamma}.$$

**Why integers.** Each comparison is of two integers, so it is exact. `np.exp(-a / b)`
is a rounded number, and so is `draws[0] / b`: the coin would come up heads with a
probability that is off by some $10^{-17}$. That sounds harmless. But outputs that only
one of two neighboring data sets can give have been built from just such differences.

**What wrong answers overlook.** Python counts from 0 and the coins are counted from 1,
so an even *index* is an odd coin. At $a = 0$ the first coin fails always, and the
answer is heads with certainty, as $e^0 = 1$ demands. `b` is not needed any more: it was
used when the draws were made.
"""
