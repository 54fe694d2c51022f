"""Exercise: which of several boxes lie about their μ, with a budget of runs."""

from functools import cache
from statistics import NormalDist

import numpy as np

from ....auditing import mu_lower_bound
from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

_N = NormalDist()


def _counts(present: np.ndarray, absent: np.ndarray, mu: float):
    return [(x > mu / 2).sum(axis=1) for x in (present, absent)]


def _refuted(present, absent, mu: float, risk: float) -> np.ndarray:
    """Give each box a risk of its own."""
    n = present.shape[1]
    hits, false = _counts(present, absent, mu)
    bounds = [
        mu_lower_bound(int(k), n, int(j), n, false_alarm=risk)
        for k, j in zip(hits, false, strict=True)
    ]
    return np.array(bounds) > mu


def _wanted(present, absent, mu: float, alpha: float) -> np.ndarray:
    return _refuted(present, absent, mu, alpha / len(present))


def _quantile(share: np.ndarray) -> np.ndarray:
    return np.array([_N.inv_cdf(min(max(s, 1e-12), 1 - 1e-12)) for s in share])


def _seen(present, absent, mu: float, _: float) -> np.ndarray:
    n = present.shape[1]
    hits, false = _counts(present, absent, mu)
    return _quantile(1 - false / n) - _quantile(1 - hits / n) > mu


def _exchanged(present, absent, mu: float, alpha: float) -> np.ndarray:
    return _wanted(absent, present, mu, alpha)


def _means(present, absent, mu: float, _: float) -> np.ndarray:
    return present.mean(axis=1) - absent.mean(axis=1) > mu


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda present, absent, mu, alpha: _refuted(present, absent, mu, alpha),
        "Each box is accused wrongly with probability `alpha`. How likely is it that "
        "at least one of them is?",
    ),
    (
        lambda present, absent, mu, alpha: _refuted(present, absent, mu, 2 * alpha),
        "Each bound is wrong with probability `alpha`, and there are two for each box. "
        "How likely is it that none of them is?",
    ),
    (
        lambda present, absent, mu, alpha: _refuted(
            present, absent, mu, 2 * alpha / len(present)
        ),
        "There are two bounds for each box, and each of them may be wrong.",
    ),
    (
        lambda present, absent, mu, alpha: _refuted(
            present, absent, mu, alpha / len(present) / 2
        ),
        "Your bounds are more careful than they have to be: a liar gets away.",
    ),
    (
        _seen,
        "Those are the shares that were seen. Half of the honest boxes are above their "
        "claim by chance.",
    ),
    (_exchanged, "You exchanged the runs with the canary and those without it."),
    (
        _means,
        "Means say nothing without a bound, and one strange run may move them far.",
    ),
    (
        lambda present, absent, mu, alpha: ~_wanted(present, absent, mu, alpha),
        "That is the other way around: return 1 for the boxes that are refuted.",
    ),
)


def _call(student: Student, case: tuple) -> np.ndarray:
    found, boxes = np.asarray(student.call(*case)), len(case[0])
    if found.dtype.kind not in "biuf" or found.shape != (boxes,):
        raise Fault(
            f"the result of {student.case(case)}",
            f"an array of {found.dtype}, of shape {found.shape}",
            f"an array of shape ({boxes},), with 1 for a box that is refuted, else 0",
            "There is one verdict for each box.",
        )
    return found.astype(float)


def _demand(student: Student, case: tuple, told: str) -> None:
    found, wanted = _call(student, case), _wanted(*case)
    if np.array_equal(found, wanted):
        return
    *_, mu, alpha = case
    raise Fault(
        f"the verdicts on {told}, with mu = {mu:.4g} and alpha = {alpha:.4g}",
        np.array2string(found.astype(int)),
        np.array2string(wanted.astype(int)),
        _hint(student),
    )


def _hint(student: Student) -> str:
    """Recognize a wrong answer by all of its verdicts on two tables."""
    probes = _probes()
    given = [_call(student, each) for each in probes]
    for formula, told in _MISREAD:
        wrong = [formula(*each) for each in probes]
        if all(np.array_equal(a, b) for a, b in zip(given, wrong, strict=True)):
            return told
    return "First count, for one box; then bound both error rates from above."


def _arranged(
    rows: list[tuple[int, int]], n: int, mu: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Make scores of which these many lie above the middle, in some order."""

    def scores(count: int) -> np.ndarray:
        distance = np.abs(rng.normal(size=n)) + 1e-3
        side = np.where(np.arange(n) < count, 1.0, -1.0)
        return rng.permutation(mu / 2 + side * distance)

    present = np.stack([scores(hits) for hits, _ in rows])
    return present, np.stack([scores(false) for _, false in rows])


def _least_hits(n: int, mu: float, risk: float) -> int:
    """Find the least hits that refute a claim, with as many false alarms as misses."""
    low, high = n // 2, n
    while low < high:
        k = (low + high) // 2
        if mu_lower_bound(k, n, n - k, n, false_alarm=risk) > mu:
            high = k
        else:
            low = k + 1
    return low


@cache
def _probes() -> tuple[tuple, ...]:
    """Make tables on which all wrong answers in the list differ."""
    rng, n, mu, alpha = np.random.default_rng(5), 1000, 1.0, 0.05
    edges = [_least_hits(n, mu, share * alpha / 10) for share in (20, 10, 2, 1, 0.5)]
    rows = [(k - less, n - k + less) for k in edges for less in (0, 1)]
    others = [(720, 280), (100, 900), (650, 350), (999, 400), (600, 3)]
    present, absent = _arranged(others, n, mu, rng)
    present[2, np.argmax(present[2])] = 1e9
    return (*_arranged(rows, n, mu, rng), mu, alpha), (present, absent, mu, alpha)


def _edge(student: Student, rng: np.random.Generator) -> None:
    """Place boxes just where one more hit refutes them, for several risks."""
    for boxes, n, mu, alpha in ((5, 1000, 1.0, 0.01), (4, 3000, 0.5, 0.2)):
        edges = [
            _least_hits(n, mu, share * alpha / boxes) for share in (boxes, 2, 1, 0.5)
        ]
        middle = edges[2]
        for hits in (edges[0], edges[1], middle - 1, middle, edges[3]):
            rows = [(hits, n - hits)] + [(n // 2, n // 2)] * (boxes - 1)
            case = (*_arranged(rows, n, mu, rng), mu, alpha)
            _demand(student, case, f"{boxes} boxes with {n} runs of each kind")


def _lopsided(student: Student, rng: np.random.Generator) -> None:
    """Give few false alarms to one box, few misses to another, all right to a third."""
    n, mu = 2000, 2.0
    rows = [
        (1200, 2),
        (1998, 600),
        (n, 0),
        (1700, 320),
        (0, n),
        (n, n),
        (0, 3),
        (n, 9),
        (1, 5),
    ]
    _demand(
        student, (*_arranged(rows, n, mu, rng), mu, 0.001), "nine boxes at the ends"
    )
    # one box after the other is refuted as misses, or false alarms, become fewer
    n = 1000
    few = [(n - k, 450) for k in range(1, 40, 2)]
    few += [(550, k) for k in range(1, 40, 2)]
    case = (*_arranged(few, n, mu, rng), mu, 0.1)
    _demand(student, case, f"{len(few)} boxes with few errors of one kind")
    _demand(student, (*_arranged([(40, 0)], 40, 8.0, rng), 8.0, 0.05), "one box")
    one = np.array([[9.0], [0.0], [-9.0]])
    _demand(student, (one, -one, 1.0, 0.05), "three boxes with one run of each kind")
    few = np.array([[9.0, 9.0, 0.0], [9.0, -9.0, 9.0]])
    _demand(student, (few, -few, 1.0, 0.5), "two boxes with three runs of each kind")


def _ties(student: Student, rng: np.random.Generator) -> None:
    n, mu = 400, 2.0
    present, absent = _arranged([(390, 20), (390, 20)], n, mu, rng)
    present[0, np.argsort(present[0])[-300:]] = mu / 2  # not above it
    absent[1, np.argsort(absent[1])[:200]] = mu / 2
    _demand(student, (present, absent, mu, 0.05), "two boxes with scores of just mu/2")


def _wild(student: Student, rng: np.random.Generator) -> None:
    """Add runs with enormous scores, which only the side of the middle may count."""
    n, mu = 1000, 1.0
    rows = [(700, 300), (800, 200)]
    present, absent = _arranged(rows, n, mu, rng)
    present[0, np.argmax(present[0])] = 1e9
    absent[1, np.argmin(absent[1])] = -1e9
    _demand(student, (present, absent, mu, 0.01), "two boxes with one enormous score")


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(4):
        boxes, n = int(rng.integers(2, 7)), int(rng.integers(200, 2000))
        mu, alpha = float(rng.uniform(0.5, 3)), float(10 ** rng.uniform(-4, -1))
        share = rng.choice([1.0, 0.9, 0.7, 0.5], size=(boxes, 1))
        present = (mu / 2) + (rng.normal(size=(boxes, n)) * share + mu / 2)
        absent = rng.normal(size=(boxes, n)) * share
        _demand(
            student, (present, absent, mu, alpha), f"{boxes} boxes with {n} runs each"
        )


EXERCISE = Exercise(
    name="catch_cheater",
    parameters=("present", "absent", "mu", "alpha"),
    title="Catch the cheater",
    statement="""\
Several boxes add Gaussian noise, and each claims to be $\\mu$-GDP with the same `mu`.
You cannot look inside, and your budget is the same number of runs for every box. Row
$b$ of `present`, of shape (boxes, runs), holds the scores of box $b$ when the canary
was in its data, and row $b$ of `absent` when it was not. Write
`catch_cheater(present, absent, mu, alpha)`, which returns an array of shape (boxes,),
with 1 for each box that is refuted and 0 for the others:

* a run counts as "in" if its score is above `mu`/2, a threshold that was fixed before;
* bound the rates of false alarms and of misses from above, by Clopper and Pearson;
* refute a box if
  $\\Phi^{-1}(1 - \\overline{\\mathrm{FPR}}) - \\Phi^{-1}(\\overline{\\mathrm{FNR}})$
  is above `mu`.

With probability $1 - \\texttt{alpha}$ or more **no** honest box may be refuted, even
if the boxes depend on one another. So share the risk equally, as the union bound does:
all bounds of all boxes are equally careful. If a bound is 1, the box is not refuted.
There are up to 3,000 runs. NumPy and Python's `statistics.NormalDist` are enough, and
you may use your `audit_epsilon`.""",
    starter="""\
import numpy as np


def catch_cheater(present, absent, mu, alpha):
    return present.mean(axis=1) - absent.mean(axis=1) > mu  # your code here""",
    worked=(
        "int(catch_cheater(np.array([[2, 3, 4]]), np.array([[0, 0, 0.1]]), "
        "0.1, 0.5)[0])",
        "0",
        "One box, so each of its two bounds may be wrong with probability 0.25. No "
        "run of three is a miss: (1 − x)³ is 0.25 at x = 0.37. One of three runs is a "
        "false alarm, because 0.1 is above 0.05, and its bound is 0.67. "
        "Φ⁻¹(1 − 0.67) − Φ⁻¹(0.37) is −0.12, which is not above 0.1.",
    ),
    hints=(
        "How many bounds are there in all, and how likely may each of them be wrong, "
        "so that together they are wrong with probability `alpha` at most?",
        "The upper bound for `k` of `n` is the $x$ at which `k` or fewer have that "
        "small probability. Find it by halving.",
        "A miss is a run of `present` that is not above the threshold.",
    ),
    checks=(
        ("boxes at the edge of a verdict", _edge),
        ("few errors, and none", _lopsided),
        ("scores that are just mu/2", _ties),
        ("enormous scores", _wild),
        ("four tables of runs", _anywhere),
    ),
    praise="You fixed the threshold before you looked, and paid for every question. "
    "Both are what makes an accusation fair.",
)

EXPLANATION = r"""
**Step 1. Share the risk.** Two bounds for each box must all hold at once, so that no
honest box is refuted. With probability $1 - \texttt{alpha}$ they do, if each is wrong
with probability `alpha`/(2 · boxes). That is the union bound, and it needs no
independence.

**Step 2. Count the errors.** A run of `present` that is not above the threshold is a
miss. A run of `absent` above it is a false alarm. The threshold `mu`/2 was fixed before
anybody saw a score, so both counts are binomial.

**Step 3. From errors to $\mu$.** A $\mu$-GDP release has
$\Phi^{-1}(1 - \mathrm{FPR}) - \Phi^{-1}(\mathrm{FNR}) \le \mu$ for every test. Both
terms fall when the rates rise. So with the upper bounds in place of the rates the left
side is smaller than the truth, and if it is still above `mu`, the claim is refuted.

```python
from math import lgamma, log
from statistics import NormalDist

import numpy as np


def upper(k, n, a):
    # the x at which k or fewer of n have probability a
    if k == n:
        return 1.0
    j = np.arange(k + 1)
    ways = np.array([lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in j])
    low, high = 0.0, 1.0
    for _ in range(50):
        x = (low + high) / 2
        if np.exp(ways + j * log(x) + (n - j) * np.log1p(-x)).sum() > a:
            low = x
        else:
            high = x
    return high


def catch_cheater(present, absent, mu, alpha):
    boxes, runs = present.shape
    quantile = NormalDist().inv_cdf
    refuted = np.zeros(boxes)
    for b in range(boxes):
        misses = int((present[b] <= mu / 2).sum())
        alarms = int((absent[b] > mu / 2).sum())
        fnr, fpr = (upper(k, runs, alpha / (2 * boxes)) for k in (misses, alarms))
        if fnr < 1 and fpr < 1:
            refuted[b] = quantile(1 - fpr) - quantile(fnr) > mu
    return refuted
```

**What wrong answers overlook.** With `alpha`/2 for each bound, every honest box has a
risk of `alpha` of its own. Among many boxes, one of them is then nearly certain to be
refuted by luck. Choosing the threshold that looks best for each box has the same
effect. Comparing means assumes that scores are normal with deviation 1, which no box
has promised.
"""
