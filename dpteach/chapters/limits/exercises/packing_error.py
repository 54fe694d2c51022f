"""Exercise: count with the packing argument, for words that are given."""

from collections.abc import Callable
from math import floor, log, log2

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_TOLERANCE = 1e-7  # the root of a rounding error: a distance from scalar products


def _distances(V: np.ndarray) -> np.ndarray:
    """List the distances of all pairs of words."""
    apart = np.linalg.norm(V[:, None] - V[None], axis=-1)
    return apart[np.triu_indices(len(V), 1)]


def _copies(K: int, n: int, eps: float, parity: bool = True) -> int:
    m = min(n, floor(log(K / 2) / eps)) if K > 1 else 0
    return max(0, m - (n - m) % 2 if parity else m)


def _wanted(V: np.ndarray, n: int, eps: float) -> float:
    K = len(V)
    return _copies(K, n, eps) * float(np.min(_distances(V))) / (2 * n) if K > 1 else 0.0


def _with(
    copies: Callable[[int, int, float], float],
    near: Callable[[np.ndarray], float] = np.min,
    share: float = 0.5,
) -> Callable[[np.ndarray, int, float], float]:
    def error(V: np.ndarray, n: int, eps: float) -> float:
        if len(V) < 2:
            return 0.0
        return share * copies(len(V), n, eps) * float(near(_distances(V))) / n

    return error


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _with(_copies, share=1.0),
        "Balls of that radius overlap: how large may they be, if no two may meet?",
    ),
    (
        _with(lambda K, n, eps: _copies(K, n, eps, parity=False)),
        "The other records have to cancel in pairs. Is their number even?",
    ),
    (
        _with(lambda K, _, eps: max(0, floor(log(K / 2) / eps))),
        "There cannot be more copies than records.",
    ),
    (
        _with(lambda K, n, eps: _copies(2 * K, n, eps)),
        "That makes a hit certain to be possible. It must fail half of the time.",
    ),
    (_with(_copies, np.mean), "Words at an average distance may still meet others."),
    (_with(_copies, np.max), "The nearest pair of words counts, not the farthest."),
    (
        lambda V, n, eps: _copies(len(V), n, eps) / (2 * n),
        "That is right for words at distance 1. How far apart are these?",
    ),
    (
        _with(lambda _, n, __: n, share=0.5),
        "All records carry the word. Then a private mean may well find it.",
    ),
    (
        _with(lambda K, n, eps: _copies(K, n, 2 * eps)),
        "Each data set lies m records from a common one. Compare with that one.",
    ),
    (
        _with(lambda K, n, eps: _copies(K, n, eps * log(2)) if K > 1 else log2(K)),
        "The logarithm is natural, because ε is counted in nats.",
    ),
)


def _compare(student: Student, V: np.ndarray, n: int, eps: float, hint: str) -> None:
    case = V, n, eps
    found, wanted = student.number(*case), _wanted(*case)
    if abs(found - wanted) > _TOLERANCE:
        known = _MISREAD if found else ()  # many misreadings end in 0
        raise Fault(
            f"the error for {len(V)} words of length {V.shape[1]}, n = {n}, "
            f"eps = {eps:.4g}",
            f"{found:.9g}",
            f"{wanted:.9g}",
            matching_hint(np.asarray(found), known, case, hint, wanted),
        )


def _words(rng: np.random.Generator, K: int, p: int) -> np.ndarray:
    """Draw words that differ from each other."""
    numbers = rng.choice(min(2**p, 2**40), size=K, replace=False)
    signs = (numbers[:, None] >> np.arange(p)) % 2
    return (2.0 * signs - 1) / np.sqrt(p)


def _four_words(student: Student, _: np.random.Generator) -> None:
    V = np.array([[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [-1, 1, 1, -1.0]]) / 2
    for n, eps in ((100, 0.03), (101, 0.03), (10, 0.2)):
        _compare(student, V, n, eps, "How many copies can stay hidden, and where?")
    # m = 1 makes e^{εm}/K exactly 1/2 in floats, too
    _compare(student, V, 3, log(2), "At most 1/2 allows 1/2 itself.")


def _many_words(student: Student, rng: np.random.Generator) -> None:
    for K, p, n, eps in ((48, 12, 60, 0.21), (33, 7, 1000, 0.01), (40, 20, 40, 0.3)):
        V = _words(rng, K, p)
        for records in (n, n + 1):
            _compare(student, V, records, eps, "First the copies, then the balls.")
    long = np.tile(V, 20) / np.sqrt(20)  # 400 signs
    _compare(student, long, 50, 0.2, "These words are long.")


def _little(student: Student, rng: np.random.Generator) -> None:
    V = _words(rng, 24, 10)
    _compare(student, V, 10, 50.0, "At this ε not even one copy stays hidden.")
    _compare(student, V, 5, 1e-4, "All records may carry the word here.")
    _compare(student, V[:2], 9, 0.1, "Two words: a guess is right half of the time.")
    _compare(student, V[:1], 9, 0.1, "One word: there is nothing to find out.")
    _compare(student, V[:9], 1, 0.1, "There is one record, and it carries the word.")
    two = np.array([[1.0], [-1.0]])
    _compare(student, two, 9, 0.1, "Two words of one sign each.")
    for same in (np.concatenate([V[:8], V[:1]]), np.concatenate([V[:1], V[:8]])):
        _compare(student, same, 30, 0.1, "Two of these words are the same.")


def _shapes(student: Student, rng: np.random.Generator) -> None:
    for _ in range(6):
        p = int(rng.choice([3, 7, 16]))
        K = int(rng.integers(3, 9 if p == 3 else 24))
        V, n = _words(rng, K, p), int(rng.integers(2, 300))
        eps = float(10 ** rng.uniform(-2, 0))
        copies = log(K / 2) / eps
        if abs(copies - round(copies)) > 1e-6:
            _compare(student, V, n, eps, "Do your four steps hold for every K?")


EXERCISE = Exercise(
    name="packing_error",
    parameters=("V", "n", "eps"),
    title="What a packing proves",
    statement="""\
The rows of `V`, shape $(K, p)$, are words in $\\{\\pm 1/\\sqrt p\\}^p$. Data set $D_j$
holds $m$ copies of word $v_j$ and $n - m$ records that cancel in pairs, so its mean is
$\\frac mn v_j$. A mechanism is `eps`-DP when one record is *replaced*.

Follow the packing argument: around each mean lies a ball, and all balls have the same
radius and do not meet. If $e^{\\varepsilon m}/K \\le \\frac12$, the mechanism misses
the ball of some $D_j$ with probability at least $\\frac12$. Write `packing_error(V,
n, eps)`, which returns the **largest radius** that this argument proves, for the
largest whole $m \\le n$ that is allowed. Return 0 if it proves nothing.
The words may be any, and two of them may be equal.""",
    starter="""\
import numpy as np


def packing_error(V, n, eps):
    return 0.5 * np.log(len(V)) / (n * eps)  # your code here""",
    worked=(
        """\
packing_error(
    np.array([[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [-1, 1, 1, -1.0]]) / 2,
    10,
    0.15,
)""",
        "0.2828427",
        "Four words, so e^{0.15 m} must be at most 2: m is at most 4.6, and even, "
        "because 10 − m is. So m = 4. Any two words differ in two signs and are "
        "√2 apart. The means are 0.4 · √2 apart, and the radius is half of that.",
    ),
    hints=(
        "Three conditions limit m. Which?",
        "How far apart are the means of two data sets, if the words are d apart?",
        "Two balls of one radius do not meet if the radius is at most half the "
        "distance "
        "of their centers. Which two centers decide?",
    ),
    checks=(
        ("four words", _four_words),
        ("many words, with n even and odd", _many_words),
        ("a large ε, two words, one word, equal words", _little),
        ("six more cases", _shapes),
    ),
    praise="Better codes prove more: the Gilbert-Varshamov code has e^{0.13 p} words "
    "at distance 1, and that is where p enters the lower bound.",
)

EXPLANATION = """\
Three conditions limit the copies: there are only $n$ records, the rest cancels in
pairs, and $e^{\\varepsilon m} \\le K/2$. The distance of the nearest two words then
gives the radius.

```python
import numpy as np


def packing_error(V, n, eps):
    K = len(V)
    if K < 2:
        return 0.0
    m = min(n, int(np.floor(np.log(K / 2) / eps)))
    m = m - (n - m) % 2  # the other records cancel in pairs
    if m <= 0:
        return 0.0
    nearest = min(
        np.linalg.norm(V[i] - V[j]) for i in range(K) for j in range(i)
    )
    return m / n * nearest / 2
```

**The copies.** From a common data set to $D_j$ are $m$ replacements, so the chance of
the ball $B_j$ grows by at most $e^{\\varepsilon m}$. The $K$ balls do not meet, so
under the common data set their chances add up to at most 1. On average over $j$ the
mechanism hits its own ball with probability at most $e^{\\varepsilon m}/K$.

**The radius.** The means are $\\frac mn$ times as far apart as the words. Balls of half
the smallest distance do not meet. With the mean distance in its place, the two nearest
balls would overlap, and one answer could be right for both.

**The end cases.** With two words the cap of $\\frac12$ is reached by guessing, so
nothing is proved. At a large ε not even one copy stays hidden.
"""
