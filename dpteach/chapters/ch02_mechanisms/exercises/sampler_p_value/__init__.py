"""Exercise: test the draws of a sampler against its law, by Pearson's chi-square."""

import numpy as np

from .....grading.exercise import Exercise
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import (
    MISREAD,
    PROBES,
    Case,
    observed_and_expected,
    reference,
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
        hint = "With equally probable cells you are right. What is different here?"
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
        draws = np.where(draws > 3, 10 ** rng.uniform(4, 6), draws)
        case = rng.permutation(draws), edges, p
        hint = "A cell may be empty, and a draw may lie far out. Do all of them count?"
        _judge(student, case, _told(case), hint)


def _laplace(student: Student, rng: np.random.Generator) -> None:
    scale, share = float(rng.uniform(0.5, 4.0)), np.arange(1, 12) / 12 - 0.5
    edges = -scale * np.sign(share) * np.log1p(-2 * np.abs(share))
    for ratio, kind in (
        (1.0, "is right"), (0.95, "is 5 % too small"), (1.05, "is 5 % too large")
    ):  # fmt: skip
        draws = rng.laplace(scale=ratio * scale, size=_DRAWS)
        what = f"{_DRAWS:,} draws of a Laplace sampler whose scale {kind}, in 12 cells"
        hint = "With few draws you are right. What is different with many?"
        _judge(student, (draws, edges, np.full(12, 1 / 12)), what, hint)


EXERCISE = Exercise(
    name="sampler_p_value",
    parameters=("draws", "edges", "probabilities"),
    title="Is this sampler right?",
    statement="""\
The array `draws` holds $n \\ge 1$ independent draws of a sampler. Do they follow the
law that they should?

The numbers in `edges`, in increasing order, cut the line into $K \\ge 2$ cells. The
first cell holds all that is below the first edge, the last cell all that is not below
the last one. A draw that **equals** an edge belongs to the cell **above** it. A right
sampler hits the cells with the $K$ probabilities in `probabilities`, all above 0.

Let $o_k$ be the number of draws in cell $k$, and $e_k$ its expectation for a right
sampler. **Pearson's statistic** adds up, over all cells, the square of $o_k - e_k$
divided by $e_k$. For a right sampler and many draws it follows, nearly, the chi-square
law with $K - 1$ degrees of freedom.

Write `sampler_p_value(draws, edges, probabilities)`, which returns the **p-value**: the
probability that a number with this law is at least as large as your statistic. An error
of $10^{-9}$ is small enough. `scipy.stats.chi2` knows the law. Draws and edges may be
whole numbers.""",
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
        "1/2 = 6. With 2 degrees of freedom the chi-square law exceeds x with "
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
        ("Laplace samplers, right and 5 % off", _laplace),
    ),
    praise="Raise the alarm at p < 10⁻⁶. Then 50,000 draws in 12 cells catch a Laplace "
    "scale that is 5 % off, but 5,000 draws miss it 99 times in 100. And this test "
    "only counts. Draws that depend on one another, one absurd draw in a million, or "
    "telling last bits leave the counts as they are, and pass.",
)
