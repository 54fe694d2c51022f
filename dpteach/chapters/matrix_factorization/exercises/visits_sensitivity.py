"""Exercise: how far a record moves the encoded stream if it comes several times."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from itertools import combinations, pairwise
from math import sqrt

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student


def _moved(C: np.ndarray, visits: int, apart: int, least: int = 1) -> float:
    T, worst = C.shape[1], 1e-12  # not 0, as hints divide by it
    for count in range(least, min(visits, T) + 1):
        for steps in combinations(range(T), count):
            if all(b - a >= apart for a, b in pairwise(steps)):
                worst = max(worst, float(np.linalg.norm(C[:, steps].sum(axis=1))))
    return worst


def _longest(C: np.ndarray) -> float:
    return float(np.linalg.norm(C, axis=0).max())


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda C, visits, apart: _longest(C),
        "That is for a single participation.",
    ),
    (
        lambda C, visits, apart: sqrt(visits) * _longest(C),
        "The root of k is right if the columns do not overlap. Here they do, or the "
        "stream is too short for k participations.",
    ),
    (
        lambda C, visits, apart: visits * _longest(C),
        "You add up norms. Columns that do not overlap add up in squares only.",
    ),
    (
        lambda C, visits, apart: float(
            np.linalg.norm(C[:, ::apart][:, :visits].sum(axis=1))
        ),
        "You look at the first pattern alone. For this matrix another one is worse: "
        "its columns are not all alike.",
    ),
    (
        lambda C, visits, apart: _moved(C, visits, apart, least=visits),
        "You try patterns of exactly k steps. Fewer may do worse, where k of them fit "
        "only in a few ways, or not at all.",
    ),
    (
        lambda C, visits, apart: _moved(C, visits, apart + 1),
        "Two participations may be exactly d steps apart; you keep them farther apart.",
    ),
    (
        lambda C, visits, apart: _moved(C, visits, max(1, apart - 1)),
        "You allow participations that are d − 1 steps apart.",
    ),
    (
        lambda C, visits, apart: _moved(C, visits, 1),
        "You ignore the distance d between two participations.",
    ),
    (
        lambda C, visits, apart: _moved(C.T, visits, apart),
        "Those are C's rows. A vector of the stream meets a column.",
    ),
    (
        lambda C, visits, apart: _moved(C, visits, apart) ** 2,
        "That is the square of the distance.",
    ),
)


def _tells(C: np.ndarray, visits: int, apart: int) -> bool:
    """Whether no two misreadings give the same wrong number for this matrix."""
    numbers = np.array([formula(C, visits, apart) for formula, _ in _MISREAD])
    wrong = np.sort(numbers[np.abs(numbers / _moved(C, visits, apart) - 1) > 2e-3])
    return bool((np.diff(wrong) > 2e-3 * wrong[1:]).all())


def _compare(
    student: Student,
    C: np.ndarray,
    visits: int,
    apart: int,
    hint: str = "Go through all patterns of steps that the rule allows, and add up "
    "their columns.",
    known: bool = True,
) -> None:
    found, wanted = student.number(C, visits, apart), _moved(C, visits, apart)
    if abs(found - wanted) > 1e-6 * wanted:
        misread = _MISREAD if known else ()
        if found == 0:
            hint = "A stream with no room for all visits has room for fewer of them."
        raise Fault(
            f"the largest move of Cx, for T = {C.shape[1]}, visits = {visits} and "
            f"apart = {apart}",
            f"{found:.5g}",
            f"{wanted:.5g}",
            ratio_hint(found, misread, (C, visits, apart), hint, wanted),
        )


def _uneven(student: Student, rng: np.random.Generator) -> None:
    for T, visits, apart in ((7, 2, 3), (8, 3, 2), (10, 3, 4)):
        C = _long_late(rng, T)
        while not _tells(C, visits, apart):  # one in three does, or more
            C = _long_late(rng, T)
        _compare(student, C, visits, apart)


def _long_late(rng: np.random.Generator, T: int) -> np.ndarray:
    C = np.tri(T) * rng.uniform(0, 0.3, (T, T)) + np.diag(rng.uniform(0.2, 1, T))
    C[:, 1 + T // 2] += 0.5 * np.tri(T)[:, 1 + T // 2]  # long columns, not first
    return C


def _bands(student: Student, rng: np.random.Generator) -> None:
    for T, bands, visits, apart in ((8, 3, 2, 3), (8, 3, 2, 2), (9, 9, 3, 3)):
        c = np.cumprod(np.r_[1.0, (np.arange(1, T) - 0.5) / np.arange(1, T)])
        c[bands:] = 0
        lag = np.subtract.outer(np.arange(T), np.arange(T))
        C = np.where(lag < 0, 0.0, c[np.abs(lag)]) * rng.uniform(0.5, 2)
        _compare(student, C, visits, apart)


def _corners(student: Student, rng: np.random.Generator) -> None:
    scale = rng.uniform(0.5, 2)
    for C, visits, apart in (
        (np.eye(1), 1, 1),
        (np.eye(1), 5, 3),  # there is one step only
        (np.tri(4), 4, 1),
        (np.tri(5), 3, 4),  # three do not fit
        (np.tri(3), 2, 9),  # not even two fit
        (np.r_[np.eye(4), np.ones((1, 4))], 2, 2),
        (np.zeros((3, 3)) + np.diag([0.05, 0.05, 0.2]), 2, 1),
        (np.r_[np.tri(4), np.zeros((15, 4))], 2, 2),
        (np.tri(4, dtype=int), 2, 2),
    ):
        _compare(student, C * (1 if C.dtype.kind == "i" else scale), visits, apart)
    bars = np.diag([1.0, 1.2, 1.0]) * scale
    _compare(
        student, bars, 2, 2, "Here the longest column bars two others.", known=False
    )


EXERCISE = Exercise(
    name="visits_sensitivity",
    parameters=("C", "visits", "apart"),
    title="Records that come again",
    statement="""\
A record may take part in at most $k$ = `visits` of the $T$ steps, and two of its steps
are at least $d$ = `apart` apart: steps 1 and $1 + d$ are allowed, 1 and $d$ are not. In
each of them its gradient has norm at most 1. Write `visits_sensitivity(C, visits,
apart)`, which returns how far the record moves $Cx$, at most.

The encoder `C`, of shape $(m, T)$, has no negative entries, and $T$ is at most 10: you
may try all patterns. Gradients may point in any directions. But where no entry is
negative, gradients that are all equal do the worst. So the answer is the largest norm
of a sum of columns that the rule allows. `C` may hold whole numbers.""",
    starter="""\
import numpy as np


def visits_sensitivity(C, visits, apart):
    return np.sqrt(visits) * np.linalg.norm(C[:, 0])  # your code here""",
    worked=(
        "visits_sensitivity(np.array([[1.0, 0, 0], [0.5, 1, 0], [0, 0.5, 1]]), 2, 1)",
        "1.87082869",
        "Two bands, and two participations. Columns 1 and 2 add up to (1, 1.5, 0.5), "
        "with squared norm 3.5. Columns 2 and 3 give (0, 1, 1.5), with 3.25, and "
        "columns 1 and 3 give (1, 0.5, 1), with 2.25. The root of 3.5 is 1.871.",
    ),
    hints=(
        "`itertools.combinations(range(T), j)` lists all choices of $j$ steps, in "
        "ascending order.",
        "If the stream is too short for $k$ participations, fewer count. So try every "
        "number from 1 to $k$.",
        "A recursion works as well: decide for the first step whether it is used. If "
        "it is, go on $d$ steps later.",
    ),
    checks=(
        ("matrices whose longest columns are not the first", _uneven),
        ("bands of the square root, with and without overlaps", _bands),
        ("short streams, and patterns that do not fit", _corners),
    ),
    praise="With b bands and a distance of at least b, columns never overlap, and k "
    "participations cost the root of k. That is why bands are liked.",
)

EXPLANATION = """\


```python
from itertools import combinations

import numpy as np


def visits_sensitivity(C, visits, apart):
    T, worst = C.shape[1], 0.0
    for count in range(1, min(visits, T) + 1):
        for steps in combinations(range(T), count):
            if count == 1 or min(np.diff(steps)) >= apart:
                worst = max(worst, np.linalg.norm(C[:, list(steps)].sum(axis=1)))
    return worst
```

**Step 1. What a record adds.** If it takes part in steps $j_1, j_2, \\dots$ with
gradients $v_1, v_2, \\dots$, it moves $Cx$ by $\\sum_i Ce_{j_i}v_i^\\top$. The squared
norm is a sum over pairs, of inner products of columns times inner products of
gradients.

**Step 2. The worst gradients.** No entry of $C$ is negative, so no inner product of
columns is. Each inner product of gradients is at most 1, with equality if all gradients
are the same unit vector. So the worst move is the norm of the sum of the columns.

**Step 3. The worst pattern.** We try all patterns that are allowed, also those with
fewer than $k$ steps, because a short stream has no room for $k$.

**What wrong answers overlook.** The root of $k$ is right only if columns do not
overlap, and $k$ times a column only if they are equal. The first pattern, steps
$1, 1 + d, \\dots$, is the worst for coefficients that never rise, such as the square
root's, but not for every matrix.
"""
