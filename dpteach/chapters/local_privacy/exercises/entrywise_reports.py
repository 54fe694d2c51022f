"""Exercise: repair reports that have Laplace noise in each entry."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from math import sqrt

import numpy as np

from ....grading.bounded import demand_uncut_laplace
from ....grading.distributions import (
    FALSE_ALARM,
    demand_standard_normal,
    distance_by_chance,
    normal_distance,
)
from ....grading.exercise import Exercise
from ....grading.ladder import demand_whole_numbers, sample_distinct
from ....grading.report import Fault
from ....grading.spherical import mean_length_by_chance, uniform_as_normal
from ....grading.student import Student
from ._rows import demand_cut_rows, demand_either_sign, two_calls

_ROWS = 3000
_CALLS = 400  # of three users each
_RATE = FALSE_ALARM / 8

# Wrong scales over the right one, 2√p/ε, and what they reveal.
_SCALES = (
    (
        lambda p, eps: 1 / sqrt(p),
        "That is the scale 2/ε, for which the noise depends on the distance of two "
        "rows. But what counts here is the sum of the entries of their difference.",
    ),
    (
        lambda p, eps: 0.5,
        "Two opposite rows differ by twice as much as one row differs from zero.",
    ),
    (
        lambda p, eps: sqrt(p),
        "That is private, but more than is needed: no row of norm 1 has entries whose "
        "sizes add up to p.",
    ),
    (
        lambda p, eps: 1 / (2 * sqrt(p)),
        "That is 1/ε: neither the distance of opposite rows nor the dimension is in "
        "it.",
    ),
    (
        lambda p, eps: eps**2,
        "It grows with eps. More privacy asks for more noise.",
    ),
    (
        lambda p, eps: 1 / sqrt(2),
        "rng.laplace takes a scale, not a standard deviation: the deviation is √2 "
        "times the scale.",
    ),
    (
        lambda p, eps: sqrt(p) / 2,
        "That is p/ε. Which row of norm 1 has the largest sum of sizes, and how "
        "large is it?",
    ),
)


def _messages(student: Student, rng: np.random.Generator) -> None:
    for n, p in ((6, 4), (1, 1), (33, 2), (64, 7)):
        seed = int(rng.integers(2**62))
        V = rng.normal(size=(n, p))
        V *= 10.0 ** rng.uniform(-1, 1, (n, 1)) / np.linalg.norm(
            V, axis=1, keepdims=True
        )
        V[-1] *= 3 / np.linalg.norm(V[-1])
        if n > 2:
            V[0], V[1] = 0.0, 0.3 / sqrt(p)
        case = (
            f"the reports on {n} rows of length {p}, less those on rows of zeros "
            f"with the same seed"
        )
        demand_cut_rows(student, V, 2.0, seed, case)


def _fresh(student: Student, rng: np.random.Generator) -> None:
    a, b = two_calls(student, rng, 2)
    _demand_no_part_fixed(a, b)
    if np.allclose(a, a[0]) or np.allclose(a[:, 0], a[:, 1]):
        raise Fault(
            "the noise of 40 users with 2 entries each, in one call",
            "one draw, used several times",
            "a draw of its own for each entry of each user",
            "Subtract two numbers with the same noise, and the noise is gone.",
        )


def _demand_no_part_fixed(a: np.ndarray, b: np.ndarray) -> None:
    """Demand that two calls share neither sizes nor signs."""
    same = {
        "sizes": np.allclose(np.abs(a), np.abs(b)),
        "signs": np.array_equal(np.sign(a), np.sign(b)),
    }
    for which in (name for name, found in same.items() if found):
        raise Fault(
            "the noise of 40 users in two calls with different rng",
            f"the same {which} twice",
            "fresh noise in each call",
            "Sizes and signs must both be drawn from the argument rng.",
        )


def _noise(student: Student, rng: np.random.Generator) -> None:
    # the last one measures the scale to a percent
    for p, eps in ((3, 0.8), (1, 0.5), (400, 3.0)):
        seed = np.random.default_rng(int(rng.integers(2**62)))
        z = student.array((_ROWS, p), np.zeros((_ROWS, p)), eps, seed)
        scale, told = 2 * sqrt(p) / eps, f"{_ROWS} rows, p = {p}, eps = {eps:g}"
        mean = float(np.abs(z).mean())
        low, high = mean_length_by_chance(z.size, 1, _RATE)  # sizes are exponential
        if not low * scale <= mean <= high * scale:
            raise Fault(
                f"the mean size of an entry's noise, {told}",
                f"{mean:.4g}",
                f"{low * scale:.4g} to {high * scale:.4g}, which is chance around "
                f"{scale:.4g}",
                _scale_hint(mean / scale, p, eps),
            )
        if p == 3:
            _demand_laplace(z.reshape(-1, 2 * p) / scale, f"two users; {told}")
    _few_users(student, rng)
    demand_either_sign(student, 1.5, rng)
    V = np.zeros((3, 4))
    demand_uncut_laplace(
        lambda tape: student.array(V.shape, V, 1.5, tape),
        "the noise of 3 users, p = 4, eps = 1.5",
    )


def _few_users(student: Student, rng: np.random.Generator) -> None:
    """Demand independent users where a call has three: what ties them shows best."""
    n, p, eps = 3, 2, 1.5
    z = sample_distinct(student, _CALLS, (n, p), rng, np.zeros((n, p)), eps)
    told = f"the only three users of a call; {_CALLS} calls, p = {p}, eps = {eps:g}"
    _demand_laplace(z.reshape(_CALLS, -1) * eps / (2 * sqrt(p)), told)


def _scale_hint(ratio: float, p: int, eps: float) -> str:
    for formula, said in _SCALES:
        value = formula(p, eps)
        if abs(ratio / value - 1) < 0.04 and abs(value - 1) > 0.08:
            return said
    return (
        "Laplace noise of scale s spends ‖v − v'‖₁/s. Which two rows of norm at most 1 "
        "are farthest apart in that norm?"
    )


def _demand_laplace(x: np.ndarray, told: str) -> None:
    below = np.where(x < 0, 0.5 * np.exp(-np.abs(x)), 1 - 0.5 * np.exp(-np.abs(x)))
    normal = uniform_as_normal(below)
    if normal_distance(normal) > distance_by_chance(normal.size, _RATE):
        hint = "The size is right, but is it Laplace noise?"
    else:
        hint = "Each entry of each user needs a draw of its own."
    try:
        demand_standard_normal(normal, "", hint, _RATE)
    except Fault as fault:
        raise Fault(
            f"each entry, turned into a normal number, of the noise of {told}",
            fault.seen,
            fault.wanted,
            hint,
        ) from None


def _whole_numbers(student: Student, rng: np.random.Generator) -> None:
    demand_whole_numbers(student, (6, 3), rng.integers(-2, 3, size=(6, 3)), 1.5)


EXERCISE = Exercise(
    name="entrywise_reports",
    parameters=("V", "eps", "rng"),
    title="Repair the Laplace reports",
    statement="""\
Somebody likes Laplace noise, an independent draw for each entry, and wrote the function
below. Each row of `V`, of shape $(n, p)$, is the vector of one user, and every report
is meant to be $\\varepsilon$-locally private. The code cuts rows in the wrong way, and
its noise has the wrong scale.

Repair `entrywise_reports(V, eps, rng)`. It returns the rows, each cut to *Euclidean*
norm at most 1 (short rows stay as they are), plus Laplace noise of one scale in every
entry: the least scale for which each report is $\\varepsilon$-locally private, whatever
the rows are. All randomness must come from `rng`, a NumPy `Generator`, and must not
depend on the values in `V`. Leave `V` as it is. `V` may hold whole numbers.""",
    starter="""\
import numpy as np


def entrywise_reports(V, eps, rng):
    cut = np.clip(V, -1, 1)
    return cut + rng.laplace(0.0, 2 / eps, size=V.shape)  # repair this""",
    worked=(
        """\
many = entrywise_reports(np.zeros((10**5, 4)), 1.0, np.random.default_rng(0))
round(float(np.mean(np.abs(many))), 1)""",
        "4.0",
        "For p = 4 the rows (½, ½, ½, ½) and (−½, −½, −½, −½) have norm 1. Their "
        "entries differ by 1 each, by 4 together: so the scale is 4 at ε = 1, and the "
        "mean size of a Laplace number is its scale.",
    ),
    hints=(
        "The density of Laplace noise of scale $s$ in each entry is proportional to "
        "$e^{-\\lVert z\\rVert_1/s}$, with the sum of the entries' sizes.",
        "So two rows $v$ and $v'$ cost $\\lVert v - v'\\rVert_1/s$. How large can this "
        "be if both have Euclidean norm at most 1?",
        "By the Cauchy-Schwarz inequality $\\lVert u\\rVert_1 \\le "
        "\\sqrt p\\,\\lVert u\\rVert_2$, with equality if all entries are equally "
        "large.",
    ),
    checks=(
        ("rows are cut to norm 1, and the noise does not depend on them", _messages),
        ("each entry of each user has fresh noise", _fresh),
        ("the noise is Laplace noise of the right scale", _noise),
        ("whole numbers", _whole_numbers),
    ),
    praise="Repaired, the noise of a report is √2 times as long as the spherical "
    "noise at the same ε. The shape of the noise should fit the shape of the set.",
)

EXPLANATION = """\
Two things were wrong. The cut bounded each entry, so a row could have norm $\\sqrt p$.
And the scale $2/\\varepsilon$ belongs to noise whose density falls with the Euclidean
length.

```python
import numpy as np


def entrywise_reports(V, eps, rng):
    p = V.shape[1]
    cut = V / np.maximum(1.0, np.linalg.norm(V, axis=1, keepdims=True))
    return cut + rng.laplace(0.0, 2 * np.sqrt(p) / eps, size=V.shape)
```

**Step 1. What a pair of rows costs.** The density of the noise at $z$ is proportional
to $e^{-\\lVert z\\rVert_1/s}$. By the triangle inequality the densities of the reports
on $v$ and $v'$ differ by a factor of at most $e^{\\lVert v - v'\\rVert_1/s}$, and this
factor is reached.

**Step 2. The worst pair.** Two rows of norm at most 1 are at most 2 apart, so the sum
of sizes of their difference is at most $2\\sqrt p$. The rows with all entries
$1/\\sqrt p$ and with all entries $-1/\\sqrt p$ reach it. Hence
$s = 2\\sqrt p/\\varepsilon$, and no smaller scale.

**What wrong answers overlook.** Scale $2/\\varepsilon$ spends $\\varepsilon\\sqrt p$.
Scale $2p/\\varepsilon$ is private and wastes a factor $\\sqrt p$. A scale that is
computed from the rows in `V` reveals them, and is too small for the records that others
might have held.
"""
