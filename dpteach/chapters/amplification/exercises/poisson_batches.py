"""Exercise: a sampler of Poisson batches, tested by exact bounds on counts."""

from math import comb, log, sqrt

import numpy as np

from ....grading.distributions import FALSE_ALARM
from ....grading.exercise import Exercise
from ....grading.ladder import demand_fresh_noise, sample_distinct
from ....grading.report import Fault
from ....grading.student import Student

_RATE = FALSE_ALARM / 200  # for each of less than 200 bounds


def _draw(
    student: Student, rng: np.random.Generator, n: int, q: float, steps: int
) -> np.ndarray:
    seed = np.random.default_rng(int(rng.integers(2**62)))
    B = student.array((steps, n), n, q, steps, seed)
    if not np.isin(B, (0.0, 1.0)).all():
        other = B[~np.isin(B, (0.0, 1.0))][0]
        raise Fault(
            f"the entries of the result for n = {n}, q = {q:g}, steps = {steps}",
            f"{other:g} among them",
            "0 and 1 only",
            "A record is in a batch or it is not. Is something drawn with replacement?",
        )
    return B


def _room(expected: float) -> float:
    """Return how far a sum of independent coins strays, by Bernstein's inequality."""
    level = log(2 / _RATE)
    return level / 3 + sqrt(level**2 / 9 + 2 * level * expected)


def _demand_count(
    found: float, trials: float, chance: float, what: str, hint: str
) -> None:
    expected = trials * chance
    room = _room(expected)
    if abs(found - expected) > room:
        raise Fault(
            f"{what}, of {trials:,.0f}",
            f"{found:,.0f}",
            f"{expected:,.0f}, give or take {room:,.0f}",
            hint,
        )


def _shape(student: Student, rng: np.random.Generator) -> None:
    for n, q, steps in ((5, 0.4, 3), (1, 0.5, 4), (7, 0.2, 1)):
        _draw(student, rng, n, q, steps)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    demand_fresh_noise(student, (30, 20), rng, 20, 0.3, 30)


def _records(student: Student, rng: np.random.Generator) -> None:
    for n, q, steps in ((8, 0.25, 4000), (12, 0.05, 6000)):
        B = _draw(student, rng, n, q, steps)
        for i, count in enumerate(B.sum(axis=0)):
            _demand_count(
                count, steps, q,
                f"how often record {i} was in a batch, for n = {n} and q = {q:g}",
                "Every record has the same chance, q, in every batch.",
            )  # fmt: skip


def _rare(student: Student, rng: np.random.Generator) -> None:
    n, q, steps = 50, 0.0025, 2000
    B = _draw(student, rng, n, q, steps)
    _demand_count(
        B.sum(), n * steps, q, f"how many coins in all came up, for n = {n}, q = {q:g}",
        "The chance is q itself, not q rounded to percents.",
    )  # fmt: skip


def _demand_sharp(student: Student, rng: np.random.Generator, q: float) -> None:
    n, steps = 100, 2000
    found, coins = _draw(student, rng, n, q, steps).sum(), n * steps
    room = sqrt(coins * log(2 / _RATE) / 2)  # Hoeffding
    if abs(found - coins * q) > room:
        raise Fault(
            f"how many of {coins:,} coins came up, for n = {n}, q = {q:g}",
            f"{found:,.0f}",
            f"{coins * q:,.0f}, give or take {room:,.0f}",
            _chance_hint(found / coins, n, q, room / coins),
        )


def _chance_hint(share: float, n: int, q: float, room: float) -> str:
    """State a cause only if it gives the share that was seen."""
    cut = 1 - (1 - 1 / n) ** round(q * n)
    if abs(share - cut) < room:
        return "Are records drawn with replacement? What comes twice counts once."
    if abs(share / q - 1) < 0.05 or abs(share - 1 / round(1 / q)) < room:
        return "The chance is nearly q, but not q: is something rounded, or one off?"
    return "Each coin comes up with chance q, whatever the others do."


def _sharp(student: Student, rng: np.random.Generator) -> None:
    _demand_sharp(student, rng, 0.5)


def _not_one_of_few(student: Student, rng: np.random.Generator) -> None:
    # a draw from round(1/q) numbers has the chance q where 1/q is whole, as above
    _demand_sharp(student, rng, 0.3)


def _demand_coins(B: np.ndarray, q: float, what: str, hint: str) -> None:
    """Demand that the sums of the rows are distributed as those of coins."""
    runs, n = B.shape
    chance = np.array([comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)])
    share = np.bincount(B.sum(axis=1).astype(int), minlength=n + 1) / runs
    gap = np.abs(np.cumsum(share) - np.cumsum(chance)).max()
    # Dvoretzky, Kiefer, Wolfowitz, Massart
    room = sqrt(log(2 / _RATE) / (2 * runs))
    if gap > room:
        raise Fault(
            f"the distribution of {what}",
            f"{gap:.3f} away from that of {n} coins",
            f"at most {room:.3f}",
            hint,
        )


def _sizes(student: Student, rng: np.random.Generator) -> None:
    for n, q in ((10, 0.5), (4, 0.25)):
        B = _draw(student, rng, n, q, 20_000)
        size = B.sum(axis=1)
        hint = "Is the size of a batch random as it should be, down to 0?"
        if np.bincount(size.astype(int)).max() > 0.99 * len(B):
            hint = "All batches have the same size. Coins do not promise that."
        elif size.all():
            hint = "No batch was ever empty. Coins make empty batches, too."
        _demand_coins(B, q, f"the batch size, for n = {n} and q = {q:g}", hint)


def _visits(student: Student, rng: np.random.Generator) -> None:
    for steps, q in ((6, 0.5), (4, 0.25)):
        _demand_coins(
            _draw(student, rng, 5000, q, steps).T,
            q,
            f"how many of {steps} batches a record is in, for q = {q:g}",
            "A record may be in all batches or in none: its coins of different steps "
            "have nothing to do with each other.",
        )
    sample_distinct(student, 400, (20, 10), rng, 10, 0.5, 20)  # 2^200 are possible


def _pairs(student: Student, rng: np.random.Generator) -> None:
    n, q, steps = 9, 0.25, 6000
    B = _draw(student, rng, n, q, steps)
    together = B.T @ B
    for i in range(n):
        for j in range(i):
            _demand_count(
                together[i, j], steps, q * q,
                f"how often records {j} and {i} were in one batch",
                "The coins of two records have nothing to do with each other.",
            )  # fmt: skip


def _steps(student: Student, rng: np.random.Generator) -> None:
    n, q, steps = 20, 0.2, 2000
    B = _draw(student, rng, n, q, steps)
    for lag in (1, 2, 3, 4, 5, 10, 100):
        first = np.arange(steps - lag)
        first = first[first // lag % 2 == 0]  # no step is in two pairs
        for shift, whose in (
            (0, "again"), (1, "the record before it"), (-1, "the next record"),
        ):  # fmt: skip
            later = np.roll(B[first + lag], shift, axis=1)
            _demand_count(
                float((B[first] * later).sum()), len(first) * n, q * q,
                f"how often a record was in a batch, and {whose} {lag} later",
                "The coins of two steps have nothing to do with each other: a record "
                "may come twice in a row, or not at all for a long time.",
            )  # fmt: skip


EXERCISE = Exercise(
    name="poisson_batches",
    parameters=("n", "q", "steps", "rng"),
    title="A sampler that deserves its price",
    statement="""\
Write `poisson_batches(n, q, steps, rng)`, which draws Poisson batches for `steps`
steps: in each step each of the `n` records is in the batch with probability `q`,
independently of all other records and of all other steps.

Return an array of integers of shape `(steps, n)`. Its entry in row $t$ and column $i$
is 1 if record $i$ is in batch $t$, and 0 if not. All randomness must come from `rng`, a
NumPy `Generator`.""",
    starter="""\
import numpy as np


def poisson_batches(n, q, steps, rng):
    size = round(q * n)
    B = np.zeros((steps, n), dtype=int)
    for t in range(steps):  # your code here: these batches have a fixed size
        B[t, rng.permutation(n)[:size]] = 1
    return B""",
    worked=(
        "poisson_batches(3, 1.0, 2, np.random.default_rng(0))",
        "[[1, 1, 1], [1, 1, 1]]",
        "With q = 1 no coin can fail, so all three records are in both batches. With "
        "q = 0.5 one batch in eight is empty.",
    ),
    hints=(
        "How many coins are tossed in all, and what does `rng` offer for that?",
        "`rng.random((steps, n))` gives as many uniform numbers. When is such a number "
        "below `q`?",
        "A comparison gives `True` and `False`; `.astype(int)` makes numbers of them.",
    ),
    checks=(
        ("zeros and ones, of the right shape", _shape),
        ("the draws are fresh, and come from rng", _fresh),
        ("every record has the same chance in every batch", _records),
        ("a small chance", _rare),
        ("a chance of one half, to two percent", _sharp),
        ("the size of a batch is random, as n coins make it", _sizes),
        ("two records do not depend on each other", _pairs),
        ("two steps do not depend on each other", _steps),
        ("how often a record comes is random, as coins make it", _visits),
        ("a chance of 0.3", _not_one_of_few),
    ),
    praise="One line, and the price of Poisson batches holds for it. The lines that "
    "loaders offer in its place, such as a shuffle, are other algorithms.",
)

EXPLANATION = """
A Poisson batch is a coin for each record and each step: `steps` times `n` coins, all
independent, each with probability $q$. A uniform number from $[0, 1)$ is below $q$ with
probability exactly $q$, so one comparison tosses all of them.

```python
def poisson_batches(n, q, steps, rng):
    return (rng.random((steps, n)) < q).astype(int)
```

**Why it deserves its price.** The proof of amplification fixes the coins of the other
records and looks at the one coin that is left. That needs three things, and the line
above has them all. The chance is $q$ for every record and every step. Two records do
not depend on each other. And two steps do not depend on each other.

**The ends.** With $q = 1$ the comparison is always true, because the numbers stay below
1. With $q = 0$ it never is. Batches may be empty, and that is right: drawing again
   until there is a record would tie the coins together.

**What wrong answers overlook.** A permutation that is cut after `round(q * n)` records
has a fixed size: a record that is drawn takes the place of another. A shuffle that is
cut into batches uses each record exactly once per epoch, so after a batch everybody
knows who will not come again. Drawing with `rng.integers` can draw a record twice. All
of these have the right average, and none has this price.
"""
