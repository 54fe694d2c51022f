"""Exercise: what to hand to the accountant, in five cases from real threads."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

Numbers = tuple[float, float, float]


class _Run(NamedTuple):
    n: int
    b: int
    e: int
    s: float
    k: int


_NAMES = ("noise multiplier", "rate", "number of steps")


def _inputs(case: int, run: _Run) -> Numbers:
    """Return λ, q and T."""
    n, b, e, s, k = run
    if case == 2:
        return s, b / n, e
    if case == 3:
        return s * b, b / n, e * n / b
    if case == 4:
        return s, b / n, e * k / b
    return (s / 2 if case == 5 else s), b / n, e * n / b


# By case and number: wrong formulas that many give, and what each reveals.
_Misread = tuple[tuple[Callable[..., float], str], ...]
_MEAN = "The noise is on the mean over b. What is its deviation on the sum?"
_MISREAD: dict[tuple[int, int], _Misread] = {
    (1, 1): (
        (lambda g: g.b / (g.k * g.n), "Micro-batches are a matter of memory. A "
         "record enters a whole batch by one toss of its coin."),
        (lambda g: g.b * g.k / g.n, "b is already the size of the whole batch."),
    ),
    (1, 2): (
        (lambda g: g.e * g.n * g.k / g.b, "How often is noise added, and something "
         "released? Not once for each micro-batch."),
        (lambda g: g.e * g.n / (g.b * g.k), "b is already the size of the whole "
         "batch."),
        (lambda g: g.e, "An epoch has many steps, and each is a release."),
    ),
    (2, 1): (
        (lambda g: g.b / (g.k * g.n), "Count users, not what they do by "
         "themselves."),
    ),
    (2, 2): (
        (lambda g: g.e * g.k, "Local steps release nothing: only the sum of a "
         "round does."),
        (lambda g: g.e * g.n / g.b, "e is the number of rounds here, not of "
         "passes."),
        (lambda g: g.e * g.n * g.k / g.b, "Local steps release nothing, and e is "
         "the number of rounds."),
    ),
    (3, 0): (
        (lambda g: g.s, _MEAN),
        (lambda g: g.s / g.b, _MEAN),
        (lambda g: g.s * g.n, "The sum is divided by b, not by n."),
    ),
    (4, 1): (
        (lambda g: g.b / g.k, "The length that the sampler reports is not the "
         "number of records. With which probability is a record in a batch?"),
        (lambda g: 1 / g.k, "What is the probability that a record is in a "
         "batch?"),
    ),
    (4, 2): (
        (lambda g: g.e * g.n / g.b, "Here an epoch ends earlier: the sampler "
         "says how many records it hands out."),
    ),
    (5, 0): (
        (lambda g: g.s, "That is the price of coins. In a batch of a fixed "
         "size a record takes the place of another: how far does the sum move?"),
        (lambda g: 2 * g.s, "A larger move needs more noise; so the same "
         "noise is worth less, not more."),
    ),
}  # fmt: skip


def _compare(student: Student, case: int, run: _Run, hint: str) -> None:
    n, b, e, s, k = run
    found = student.array((3,), case, *run)
    wanted = np.asarray(_inputs(case, run), float)
    for number, name in enumerate(_NAMES):
        seen, right = float(found[number]), float(wanted[number])
        if abs(seen - right) <= 1e-9 * abs(right):
            continue
        told = next(
            (
                said for formula, said in _MISREAD.get((case, number), ())
                if abs(seen - formula(run)) <= 1e-6 * abs(formula(run))
            ),
            hint,
        )  # fmt: skip
        raise Fault(
            f"the {name} in case {case}, for n = {n}, b = {b}, e = {e}, s = {s:.4g}, "
            f"k = {k}",
            f"{seen:.6g}",
            "what the accountant needs to price this run",
            told,
        )


_HINTS = {
    1: "What is released, how often, and who decides whether a record is in it?",
    2: "Whose privacy is promised? Count in that unit, and count what is published.",
    3: "The accountant wants the noise on the sum, over the clip norm.",
    4: "The rate is the chance of one record to be in one batch.",
    5: "Look up what a record does in a batch of a fixed size.",
}


def _draw(rng: np.random.Generator) -> _Run:
    b = int(rng.integers(8, 65))
    n = b * int(rng.integers(50, 400))
    k = int(rng.choice([2, 4, 6]))
    s = round(float(rng.uniform(0.6, 2)), 3)
    return _Run(n, b, int(rng.integers(2, 20)), s, k)


def _case(student: Student, rng: np.random.Generator, case: int) -> None:
    for _ in range(3):
        n, b, e, s, k = _draw(rng)
        if case == 3:
            s = s / b
        if case == 4:
            k = b * k
        _compare(student, case, _Run(n, b, e, s, k), _HINTS[case])
    _compare(student, case, _Run(1, 1, 1, 0.8, 1), _HINTS[case])


EXERCISE = Exercise(
    name="accountant_inputs",
    parameters=("case", "n", "b", "e", "s", "k"),
    title="The accounting detective",
    statement="""\
Five people ask for the $\\varepsilon$ of their runs. The accountant prices Poisson
batches: it wants the noise multiplier $\\lambda$, the rate $q$ and the number of steps
$T$. Write `accountant_inputs(case, n, b, e, s, k)`, which returns these three numbers,
in this order. The clip norm is 1 in all cases, and $n$ is a multiple of $b$; so is the
length $k$ in case 4.

1. **Accumulated gradients.** Each of $n$ records joins a batch by a coin; a batch has
   $b$ records on average. Memory is short, so a batch is worked off in $k$
   micro-batches. Then noise of deviation $s$ is added to the sum of the whole batch.
   There are $e$ epochs of $n/b$ batches.
2. **Users.** The privacy of users is promised. There are $n$ users. In each of $e$
   rounds every user joins by a coin, $b$ users on average, makes $k$ local steps, and
   sends an update that is clipped as a whole. The noise on the sum of the updates has
   deviation $s$.
3. **Noise on the mean.** As case 1 without micro-batches, but the noise of deviation
   $s$ is added to the sum *after* it was divided by $b$.
4. **A sampler with a length of its own.** There are $n$ records, and each joins a batch
   by a coin, $b$ on average. The sampler says that its length is $k$, so an epoch ends
   after $k/b$ batches. There are $e$ epochs, and the noise on a sum has deviation $s$.
5. **A fixed size.** In each of $e\\,n/b$ steps, exactly $b$ of the $n$ records are
   drawn, without replacement and independently of earlier steps. The noise on the sum
   has deviation $s$. Both $b$ and $n$ are public. Neighbors differ by one record.""",
    starter="""\
def accountant_inputs(case, n, b, e, s, k):
    return s, b / n, e * n / b  # your code here: right for some of the cases""",
    worked=(
        "accountant_inputs(1, 1000, 50, 3, 1.2, 5)",
        "(1.2, 0.05, 60.0)",
        "A record is in a batch with probability 50/1000. There are 3 · 1000/50 = 60 "
        "batches, and each is released once, with noise 1.2 on its sum.",
    ),
    hints=(
        "Ask in each case: what is published, how often, and what is the chance that "
        "one record (or user) had a part in it?",
        "How far does one record move the sum that is published, in units in which the "
        "noise has deviation 1?",
        "Case 5 is the theorem on batches of a fixed size.",
    ),
    checks=tuple(
        (f"case {case}: {told}", partial(_case, case=case))
        for case, told in enumerate(
            (
                "accumulated gradients",
                "users",
                "noise on the mean",
                "a sampler with a length of its own",
                "a fixed size",
            ),
            start=1,
        )
    ),
    praise="All five are questions that people asked in public. The formulas are "
    "short; what takes care is to say what was sampled, and what was released.",
)

EXPLANATION = r"""
Ask the same three questions in each case. What is published, and how far does one
record move it in units of the clip norm? With what probability does one record have a
part in it? How often is something published?

1. **Accumulated gradients.** Micro-batches are a matter of memory. The sum is published
   once, with noise $s$. So $(s,\ b/n,\ e\,n/b)$, and $k$ plays no part.
2. **Users.** What is sampled and clipped is a user. Only the rounds publish something,
   and the local steps stay on the phone. So $T = e$.
3. **Noise on the mean.** The sum was divided by $b$ before the noise came, so one
   record moves the mean by $1/b$. In units of that, the noise is $s\,b$.
4. **A sampler with a length of its own.** The chance of a record is $b/n$, whatever the
   sampler says. Its length $k$ decides only how many batches an epoch has:
   $T = e\,k/b$.
5. **A fixed size.** A record that is drawn takes the place of another, so the sum moves
   by up to 2. By the theorem on batches of a fixed size this costs what coins cost at
   half the noise: $s/2$.

```python
def accountant_inputs(case, n, b, e, s, k):
    noise, rate, steps = s, b / n, e * n / b
    if case == 2:
        steps = e
    elif case == 3:
        noise = s * b
    elif case == 4:
        steps = e * k / b
    elif case == 5:
        noise = s / 2
    return noise, rate, steps
```

**What wrong answers overlook.** In case 1 it is tempting to count micro-batches as
steps, and in case 2 local steps. Both overstate the price. The mistakes in cases 4 and
5 promise too much: a rate of $b/k$ with $k$ above $n$, or the full noise for batches of
a fixed size.
"""
