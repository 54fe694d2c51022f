"""Exercise: test the draws of a sampler by Pearson's chi-square."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

Case = tuple[np.ndarray, np.ndarray, np.ndarray]  # draws, edges, probabilities


def _special() -> Any:
    from scipy import special  # when a p-value is asked for, and not before

    return special


def _counts(
    draws: np.ndarray, edges: np.ndarray, side: Literal["left", "right"] = "right"
) -> np.ndarray:
    """Count the draws in each cell; ``side`` says which one a draw on an edge is in."""
    cells = np.searchsorted(edges, draws, side=side)
    return np.bincount(cells, minlength=len(edges) + 1)


def observed_and_expected(
    draws: np.ndarray, edges: np.ndarray, probabilities: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many draws each cell holds, and how many it should hold."""
    return _counts(draws, edges), len(draws) * probabilities


def _pearson(observed: np.ndarray, expected: np.ndarray) -> float:
    return float(((observed - expected) ** 2 / expected).sum())


def _statistic(*case: np.ndarray) -> float:
    return _pearson(*observed_and_expected(*case))


def _upper(statistic: float, probabilities: np.ndarray, more: int = 0) -> float:
    """Return how likely a chi-square number exceeds it; ``more`` degrees of freedom."""
    return float(_special().chdtrc(len(probabilities) - 1 + more, statistic))


def reference(*case: np.ndarray, more: int = 0) -> float:
    """Return the right p-value; ``more`` degrees of freedom make a wrong one."""
    return _upper(_statistic(*case), case[2], more)


Statistic = Callable[[np.ndarray, np.ndarray], float]  # of observed and expected


def _with(statistic: Statistic) -> Callable[..., float]:
    """Return the p-value of another statistic, as if it were chi-square."""
    return lambda *case: _upper(statistic(*observed_and_expected(*case)), case[2])


def _other_side(draws: np.ndarray, edges: np.ndarray, p: np.ndarray) -> float:
    return _upper(_pearson(_counts(draws, edges, "left"), len(draws) * p), p)


def _equal_width(draws: np.ndarray, _: np.ndarray, p: np.ndarray) -> float:
    return _upper(_pearson(np.histogram(draws, len(p))[0], len(draws) * p), p)


def _inner(*case: np.ndarray) -> float:
    inside, e = np.histogram(case[0], case[1])[0], observed_and_expected(*case)[1]
    return _upper(_pearson(inside, e[1:-1]), case[2])


def _not_empty(*case: np.ndarray) -> float:
    o, e = observed_and_expected(*case)
    return _upper(_pearson(o[o > 0], e[o > 0]), case[2])


# Wrong answers that many give, and what they reveal.
MISREAD = (
    (
        lambda *case: float(_special().chdtr(len(case[2]) - 1, _statistic(*case))),
        "That is the chance of a smaller statistic. Draws that fit badly make it "
        "large.",
    ),
    (_statistic, "That is the statistic itself, which has no upper limit."),
    (
        partial(reference, more=1),
        "That has as many degrees of freedom as cells. How many of the numbers are "
        "free, once their sum is known?",
    ),
    (
        _with(lambda o, e: ((o - e) ** 2 / o).sum()),
        "Each square is divided by what was observed: a cell that happens to be "
        "nearly empty counts too much.",
    ),
    (
        _with(lambda o, e: ((o - e) ** 2).sum()),
        "The squares are added up as they are. By how much does the number of draws "
        "in a cell vary, if the sampler is right?",
    ),
    (
        _with(lambda o, e: _pearson(o / o.sum(), e / e.sum())),
        "That is the statistic of shares. A share of 10% that should be 11% says "
        "little after ten draws, but a lot after a million: n is lost.",
    ),
    (
        _other_side,
        "A draw on an edge went into the cell below it.",
    ),
    (
        _equal_width,
        "These are cells of equal width between the least and the largest draw; the "
        "edges are given.",
    ),
    (_inner, "The draws below the first edge and above the last one are left out."),
    (
        _not_empty,
        "Empty cells are left out. An empty cell is evidence, too.",
    ),
)  # fmt: skip


def crafted(
    counts: tuple[int, ...], edges: tuple[float, ...], probabilities: tuple[float, ...]
) -> Case:
    """Spread draws over the cells; the first of each upper cell lies on its edge."""
    wide = np.array([edges[0] - 3.0, *edges, edges[-1] + 5.0])
    draws = [
        low + (high - low) * np.arange(k) / k
        for k, low, high in zip(counts, wide, wide[1:], strict=False)
    ]
    return np.concatenate(draws), np.array(edges), np.array(probabilities)


# On these all the wrong answers of the table differ.
PROBES = (
    crafted((2, 3, 1, 4), (-1.0, 0.5, 2.0), (0.1, 0.3, 0.4, 0.2)),
    crafted((4, 2, 7, 1, 3), (-2.0, -0.5, 1.0, 4.0), (0.15, 0.25, 0.3, 0.2, 0.1)),
    crafted((0, 9, 13, 10, 5), (-3.0, -1.5, 0.0, 2.0), (0.05, 0.3, 0.3, 0.25, 0.1)),
)


_DRAWS = 50_000  # as the praise says; the power is shown in the tests


def _judge(student: Student, case: Case, what: str, hint: str) -> None:
    found, wanted = student.number(*case), reference(*case)
    if abs(found - wanted) <= 1e-9:
        return
    digits = 4 if f"{found:.4g}" != f"{wanted:.4g}" else 12
    raise Fault(
        f"the p-value of {what}",
        f"{found:.{digits}g}",
        f"{wanted:.{digits}g}",
        _hint(student, case, found, hint),
    )


def _hint(student: Student, case: Case, found: float, hint: str) -> str:
    cases = (case, *PROBES)
    given = [found, *(student.number(*probe) for probe in PROBES)]
    with np.errstate(all="ignore"):
        for answer, told in MISREAD:
            if np.allclose([answer(*each) for each in cases], given, rtol=1e-6, atol=0):
                return told
    return hint


def _told(case: Case) -> str:
    observed, expected = observed_and_expected(*case)
    held = ", ".join(f"{each}" for each in observed)
    due = ", ".join(f"{each:.4g}" for each in expected)
    draws = "1 draw" if len(case[0]) == 1 else f"{len(case[0])} draws"
    return f"{draws}; the cells hold {held} and should hold {due}"


_FIRST = "In which cell does each draw fall, and how many should fall there?"


def _quarters(student: Student, rng: np.random.Generator) -> None:
    edges = np.array([-np.log(2), 0.0, np.log(2)])
    for counts in ((14, 6, 9, 11), (4, 16, 15, 5)):
        draws = _inside(np.repeat(np.arange(4), counts), edges, rng)
        draws[0] -= 30.0
        case = rng.permutation(draws), edges, np.full(4, 0.25)
        _judge(student, case, _told(case), _FIRST)


def _inside(cells: np.ndarray, edges: np.ndarray, rng: np.random.Generator):
    """Draw a number within each of the cells, not on an edge."""
    wide = np.array([edges[0] - 1.0, *edges, edges[-1] + 1.0])
    share = rng.uniform(0.1, 0.9, size=len(cells))
    return wide[cells] + share * (wide[cells + 1] - wide[cells])


def _unequal(student: Student, rng: np.random.Generator) -> None:
    for K, n in ((3, 40), (7, 150), (2, 30)):
        p = 0.3 / K + 0.7 * rng.dirichlet(np.arange(1.0, K + 1))
        edges = np.sort(rng.normal(size=K - 1))
        case = _inside(rng.choice(K, size=n, p=p), edges, rng), edges, p
        hint = (
            "With equally probable cells your answer is right. What is different here?"
        )
        _judge(student, case, _told(case), hint)


def _choices(student: Student, rng: np.random.Generator) -> None:
    scores = np.array([3.0, 5.0, 4.0, 1.0, 4.5])
    p = np.exp(0.4 * scores) / np.exp(0.4 * scores).sum()
    case = rng.choice(5, size=80, p=p), np.arange(1, 5), p
    what = f"choices among the candidates 0 to 4, with edges at 1 to 4: {_told(case)}"
    hint = "A candidate's number lies on an edge. To which cell does it belong?"
    _judge(student, case, what, hint)


def _empty(student: Student, rng: np.random.Generator) -> None:
    edges, p = np.array([-2.0, 0.0, 1.0, 3.0]), np.array([0.1, 0.3, 0.3, 0.2, 0.1])
    for counts in ((0, 6, 3, 4, 2), (3, 6, 4, 5, 0), (2, 3, 0, 4, 1), (0, 0, 1, 0, 0)):
        draws = _inside(np.repeat(np.arange(5), counts), edges, rng)
        draws = np.where(draws > 3, 10 ** rng.uniform(7, 12), draws)
        case = rng.permutation(draws), edges, p
        hint = "A cell may be empty, and a draw may lie far out. Do all of them count?"
        _judge(student, case, _told(case), hint)


def _laplace(student: Student, rng: np.random.Generator) -> None:
    scale, share = float(rng.uniform(0.5, 4.0)), np.arange(1, 12) / 12 - 0.5
    edges = -scale * np.sign(share) * np.log1p(-2 * np.abs(share))
    for ratio, kind in (
        (1.0, "is right"), (0.95, "is 5% too small"), (1.05, "is 5% too large")
    ):  # fmt: skip
        draws = rng.laplace(scale=ratio * scale, size=_DRAWS)
        what = f"{_DRAWS:,} draws of a Laplace sampler whose scale {kind}, in 12 cells"
        hint = "With few draws your answer is right. What is different with many?"
        _judge(student, (draws, edges, np.full(12, 1 / 12)), what, hint)


EXERCISE = Exercise(
    name="sampler_p_value",
    parameters=("draws", "edges", "probabilities"),
    title="Is this sampler right?",
    statement="""\
The array `draws` holds $n \\ge 1$ independent draws of a sampler. Do they follow the
distribution that they should?

The numbers in `edges`, in increasing order, cut the line into $K \\ge 2$ cells. The
first cell holds all that is below the first edge, the last cell all that is not below
the last one. A draw that **equals** an edge belongs to the cell **above** it. A right
sampler hits the cells with the $K$ probabilities in `probabilities`, all above 0.

Let $o_k$ be the number of draws in cell $k$, and $e_k$ its expectation for a right
sampler. **Pearson's statistic** adds up, over all cells, the square of $o_k - e_k$
divided by $e_k$. For a right sampler and many draws it has approximately the chi-square
distribution with $K - 1$ degrees of freedom.

Write `sampler_p_value(draws, edges, probabilities)`, which returns the **p-value**: the
probability that a number from this distribution is at least as large as your statistic.
An error of $10^{-9}$ is small enough. `scipy.stats.chi2` has this distribution. Draws
and edges may be whole numbers.""",
    starter="""\
import numpy as np


def sampler_p_value(draws, edges, probabilities):
    below = np.mean(draws < edges[0])
    return abs(below - probabilities[0])  # your code here""",
    worked=(
        """\
sampler_p_value(
    np.array([-3.0, -0.2, 0.0, 0.1, 0.5, 0.6, 0.9, 2.0]),
    np.array([0.0, 1.0]),
    np.array([0.5, 0.25, 0.25]),
)""",
        "0.0497871",
        "The cells hold 2, 5 and 1 of the 8 draws: 0.0 lies on an edge, and belongs to "
        "the cell above. They should hold 4, 2 and 2. So the statistic is 4/4 + 9/2 + "
        "1/2 = 6. With 2 degrees of freedom a chi-square number exceeds x with "
        "probability exp(−x/2), so here p = exp(−3) = 0.0498.",
    ),
    hints=(
        "First the counts alone. `np.searchsorted` tells how many edges lie below each "
        "draw; its argument `side` decides what happens on an edge.",
        "A cell without draws has a count too, namely 0.",
        "The p-value is large if the draws fit, and small if they do not. On which "
        "side of your statistic does that probability lie?",
    ),
    checks=(
        ("four cells that are equally probable", _quarters),
        ("cells of different probability", _unequal),
        ("choices: draws on the edges", _choices),
        ("empty cells, and draws far out", _empty),
        ("Laplace samplers, right and 5% off", _laplace),
    ),
    praise="Raise the alarm at p < 10⁻⁶. Then 50,000 draws in 12 cells catch a Laplace "
    "scale that is 5% off, but 5,000 draws miss it 99 times in 100. And this test "
    "only counts. Draws that depend on one another, one absurd draw in a million, or "
    "telling last bits leave the counts as they are, and pass.",
)

EXPLANATION = r"""
**Step 1. Count.** `np.searchsorted(edges, draws, side="right")` tells how many edges
are at or below each draw. That is the number of the draw's cell, and a draw that equals
an edge lands in the cell above it, as asked. With `minlength`, `np.bincount` also
counts the cells that nobody hit.

**Step 2. Compare.** For $n$ draws a right sampler puts $e_k = n\,p_k$ into cell $k$ on
average. Pearson's statistic adds up $(o_k - e_k)^2/e_k$. The division makes cells
comparable, because the variance of a count is nearly its mean where $p_k$ is small.

**Step 3. The p-value.** A large statistic is bad news, so ask how probable an even
larger one is. That is the upper tail of the chi-square distribution. It has $K - 1$
degrees of freedom, and not $K$, because the counts must add up to $n$.

```python
import numpy as np
from scipy.stats import chi2


def sampler_p_value(draws, edges, probabilities):
    cell = np.searchsorted(edges, draws, side="right")
    observed = np.bincount(cell, minlength=len(probabilities))
    expected = len(draws) * np.asarray(probabilities)
    statistic = ((observed - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(probabilities) - 1)
```

**What wrong answers overlook.** `1 - chi2.cdf(...)` is 0 once the p-value is below
$10^{-16}$; `sf` keeps its digits. `np.histogram` drops what lies outside its edges, and
puts the last edge into the cell below it. For noise that is rounded to a lattice many
draws do equal an edge, so the rule for ties is no detail.
"""
