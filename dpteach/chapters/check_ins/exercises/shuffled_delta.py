"""Exercise: what a shuffle of two reports hides, by listing all outcomes."""

from collections.abc import Callable

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_TOLERANCE = 1e-10
_Case = tuple[np.ndarray, np.ndarray, np.ndarray, float]


def _pair(p: np.ndarray, r: np.ndarray) -> np.ndarray:
    """List the chances of unordered pairs, those of equal symbols first."""
    both = np.outer(p, r)
    above = np.triu_indices(len(p), 1)
    return np.append(np.diag(both), (both + both.T)[above])


def _stick(P: np.ndarray, Q: np.ndarray, eps: float) -> float:
    return float(np.maximum(P - np.exp(eps) * Q, 0).sum())


def _worse(P: np.ndarray, Q: np.ndarray, eps: float) -> float:
    return max(_stick(P, Q, eps), _stick(Q, P, eps))


def _wanted(p: np.ndarray, q: np.ndarray, r: np.ndarray, eps: float) -> float:
    return _worse(_pair(p, r), _pair(q, r), eps)


def _twice_equal(p: np.ndarray, r: np.ndarray) -> np.ndarray:
    both = np.outer(p, r)
    return (both + both.T)[np.triu_indices(len(p))]


# Wrong answers that many give, and what they reveal.
_MISREAD: tuple[tuple[Callable[..., float], str], ...] = (
    (
        lambda p, q, _, eps: _worse(p, q, eps),
        "That is what one report costs when it is seen by itself, or in its place. "
        "An observer of the shuffled pair does not know which of the two is hers.",
    ),
    (
        lambda p, q, r, eps: _stick(_pair(p, r), _pair(q, r), eps),
        "Neighbors have two directions: q against p may be the worse one.",
    ),
    (
        lambda p, q, r, eps: _stick(_pair(q, r), _pair(p, r), eps),
        "Neighbors have two directions: p against q may be the worse one.",
    ),
    (
        lambda p, q, r, eps: min(
            _stick(_pair(p, r), _pair(q, r), eps), _stick(_pair(q, r), _pair(p, r), eps)
        ),
        "Of the two directions, the worse one counts.",
    ),
    (
        lambda p, q, r, eps: _worse(_twice_equal(p, r), _twice_equal(q, r), eps),
        "Two equal symbols come about in one way, not in two. Do the chances of all "
        "outcomes add up to 1?",
    ),
    (
        lambda p, q, r, eps: _worse((p + r) / 2, (q + r) / 2, eps),
        "That is one of the two reports, chosen by a coin. Here both are seen.",
    ),
    (
        lambda p, q, r, eps: float(
            np.abs(_pair(p, r) - np.exp(eps) * _pair(q, r)).sum() / 2
        ),
        "Outcomes that are evidence of the other record count as 0, not by their size.",
    ),
    (
        lambda p, q, r, eps: max(
            np.max(_pair(p, r) - np.exp(eps) * _pair(q, r)),
            np.max(_pair(q, r) - np.exp(eps) * _pair(p, r)),
        ),
        "That is what one outcome adds. δ adds up over all of them, and pairs of equal "
        "symbols are outcomes too.",
    ),
    (
        lambda p, q, _, eps: _wanted(p, q, q, eps),
        "The other user reports from r, whatever user 1 holds.",
    ),
    (
        lambda p, q, _, eps: _worse(_pair(p, p), _pair(q, q), eps),
        "Only user 1's record differs; user 2 reports from r in both cases.",
    ),
)


def _compare(student: Student, case: _Case, what: str, hint: str = "") -> None:
    found, wanted = student.number(*case), _wanted(*case)
    if abs(found - wanted) > _TOLERANCE:
        p, q, r, eps = case
        shown = ", ".join(
            f"{name} = {np.array2string(table, precision=4, separator=', ')}"
            for name, table in (("p", p), ("q", q), ("r", r))
        )
        raise Fault(
            f"{what}: {shown}, eps = {eps:.4g}",
            f"{found:.8g}",
            f"{wanted:.8g}",
            hint
            or matching_hint(
                np.asarray(found),
                _MISREAD,
                case,
                "List the unordered pairs, and the chance of each under both records. "
                "Which factor has Q, and which sum is larger?",
                wanted,
            ),
        )


def _two_symbols(student: Student, _: np.random.Generator) -> None:
    p, q, r = np.array([0.3, 0.7]), np.array([0.1, 0.9]), np.array([0.05, 0.95])
    _compare(student, (p, q, r, 0.3), "two symbols")
    one, zero = np.array([0.25, 0.75]), np.array([0.75, 0.25])
    _compare(student, (one, zero, zero, 0.3), "randomized response")


def _three_symbols(student: Student, _: np.random.Generator) -> None:
    p, q = np.array([0.1, 0.5, 0.4]), np.array([0.4, 0.1, 0.5])
    r = np.array([0.2, 0.2, 0.6])
    for case in ((p, q, r, 0.2), (q, p, r, 0.2), (p, q, r, 0.0)):
        _compare(student, case, "three symbols")


def _nothing_to_tell(student: Student, _: np.random.Generator) -> None:
    p, r = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.1, 0.8])
    _compare(student, (p, p, r, 0.1), "two records that report alike")
    q = np.array([0.4, 0.35, 0.25])
    _compare(student, (p, q, r, 3.0), "an ε above that of a single report")


def _certain(student: Student, _: np.random.Generator) -> None:
    yes, no = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    _compare(student, (yes, no, np.array([0.5, 0.5]), 1.0), "user 1 without noise")
    _compare(student, (yes, no, yes, 1.0), "nobody with noise")
    some, none = np.array([0.2, 0.8, 0.0]), np.array([0.0, 1.0, 0.0])
    for p, q in ((some, none), (none, some)):
        case = p, q, np.array([0.0, 0.5, 0.5]), 0.5
        hint = "A pair that is impossible with one record counts, too."
        _compare(student, case, "a symbol that only one record can send", hint)
    rare = np.array([0.001, 0.999, 0.0])
    _compare(student, (np.array([0.4, 0.6, 0.0]), rare, rare, 4.5), "a large ε")


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(8):
        k = int(rng.integers(2, 6))
        p, q, r = rng.dirichlet(np.ones(k), size=3)
        eps = float(rng.choice([0.0, 0.1, 0.4, 1.0]))
        _compare(student, (p, q, r, eps), f"{k} symbols")
    p, q, r = rng.dirichlet(np.ones(33), size=3)
    _compare(student, (p, q, r, 0.1), "33 symbols")
    one = np.ones(1)
    _compare(student, (one, one, one, 0.1), "a single symbol")


EXERCISE = Exercise(
    name="shuffled_delta",
    parameters=("p", "q", "r", "eps"),
    title="What a shuffle of two hides",
    statement="""\
Two users each report one of $k$ symbols, at random. User 1 draws her report from `p`
if she holds the record $d$, and from `q` if she holds $d'$. User 2 draws from `r`,
independently. All three are arrays of $k$ probabilities.

A shuffler puts the two reports into a random order. So what is seen is a pair of
symbols **without an order**. Write `shuffled_delta(p, q, r, eps)`: it returns the least
$\\delta$ with which that pair is $(\\varepsilon, \\delta)$-private for user 1:

$$
\\delta = \\max\\Bigl\\{\\sum_{o}\\max\\{P(o)-e^{\\varepsilon}Q(o), 0\\},\\
\\sum_{o}\\max\\{Q(o)-e^{\\varepsilon}P(o), 0\\}\\Bigr\\},
$$

where $o$ runs over all unordered pairs, $P(o)$ is its chance with $d$, and $Q(o)$ with
$d'$. Compute it exactly: no sampling.""",
    starter="""\
import numpy as np


def shuffled_delta(p, q, r, eps):
    return np.maximum(p - np.exp(eps) * q, 0).sum()  # your code here""",
    worked=(
        """\
round(
    shuffled_delta(
        np.array([0.25, 0.75]), np.array([0.75, 0.25]), np.array([0.75, 0.25]), 0.0
    ),
    6,
)""",
        "0.375",
        "Three pairs are possible. With d: 00, 01, 11 have chances 3/16, 10/16, 3/16; "
        "with d′ 9/16, 6/16, 1/16. At ε = 0 the differences that are above 0 add up to "
        "4/16 + 2/16 = 6/16 in one direction, and to 6/16 in the other.",
    ),
    hints=(
        "Which pairs can be seen for $k = 2$? Three, not four: 01 and 10 look alike.",
        "In how many ways does the pair $\\{a, b\\}$ come about, and with which chance "
        "each? And the pair $\\{a, a\\}$?",
        "The chances of all outcomes must add up to 1, with $d$ and with $d'$. Check "
        "that first.",
    ),
    checks=(
        ("two symbols", _two_symbols),
        ("three symbols, in both directions", _three_symbols),
        ("where there is nothing to tell", _nothing_to_tell),
        ("reports without noise", _certain),
        ("eight cases drawn at random", _anywhere),
    ),
    praise="The other user's noise hides you, just as your own does. That is "
    "amplification by shuffling, and the theorems bound it for n users.",
)

EXPLANATION = """\
What is seen is an unordered pair. A pair $\\{a, b\\}$ of different symbols comes
about in two ways, and a pair $\\{a, a\\}$ in one. So list the pairs with $a \\le b$,
and the chance of each under both records of user 1.

```python
import numpy as np


def shuffled_delta(p, q, r, eps):
    def chances(first):
        both = np.outer(first, r)  # user 1 sends a row, user 2 a column
        above = np.triu_indices(len(r), 1)
        return np.append(np.diag(both), (both + both.T)[above])

    P, Q, grow = chances(p), chances(q), np.exp(eps)
    there = np.maximum(P - grow * Q, 0).sum()
    back = np.maximum(Q - grow * P, 0).sum()
    return max(there, back)
```

**A check that costs nothing.** The chances of all outcomes add up to 1, with either
record. If the diagonal was counted twice, or a pair forgotten, they do not.

**Both directions.** Randomized response is symmetric, but here the other user's table
`r` is not, so the two sums differ. Privacy asks for the worse one.

**What the shuffle hides.** Without it the observer would see user 1's report itself,
and δ would depend on `p` and `q` alone. With it, each outcome of user 1 is blurred by
what user 2 may have sent. The more user 2's table spreads, the smaller δ becomes.
"""
