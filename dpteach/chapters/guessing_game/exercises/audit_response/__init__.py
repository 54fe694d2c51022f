"""Exercise: what the reports of a survey prove about its ε, with a stated risk."""

from math import inf

import numpy as np

from .....auditing import event_epsilon_lower_bound
from .....grading.exercise import Exercise
from .....grading.report import Fault
from .....grading.student import Student
from .misreadings import BOUNDS, Counts

_SOLVER = 1e-6  # what a solver by halving may leave
_ROUNDING = 1e-9  # relative, of a probability


def _wanted(k1: int, n1: int, k0: int, n0: int, risk: float) -> float:
    """Return what is strong enough: each bound of each ratio has 1/8 of the risk."""
    bound = event_epsilon_lower_bound(
        k1, n1, k0, n0, delta=0.0, false_alarm=risk / 2, either_way=True
    )
    return max(0.0, bound)


# On these counts all of the wrong bounds in the table differ.
_PROBES: tuple[Counts, ...] = (
    (300, 800, 60, 700, 0.05),
    (60, 800, 300, 700, 0.05),
    (740, 800, 480, 700, 0.2),
    (480, 800, 640, 700, 0.01),
)


def _case(counts: Counts) -> str:
    k1, n1, k0, n0, risk = counts
    return f"k1 = {k1} of n1 = {n1}, k0 = {k0} of n0 = {n0} and risk = {risk:.4g}"


_NEVER_SEEN = (
    "A report that nobody has given yet may come from the next person. What is the "
    "largest probability that it may have?"
)
_LOG_OF_ZERO = "math domain error", "expected a positive input"  # Python's words
_NO_PROOF = "What can be said of ε when the counts prove nothing at all?"


def _bound(student: Student, counts: Counts) -> float:
    what = f"your bound at {_case(counts)}"
    try:
        found = student.number(*counts)
    except Fault as fault:
        if fault.seen in ("inf", "nan") or "division" in fault.seen:
            raise Fault(what, fault.seen, "a number", _NEVER_SEEN) from None
        if fault.seen == "-inf" or any(each in fault.seen for each in _LOG_OF_ZERO):
            raise Fault(what, fault.seen, "0 or more", _NO_PROOF) from None
        raise
    if found < 0:
        raise Fault(what, f"{found:.4g}", "0 or more", _NO_PROOF)
    return found


def _hint(student: Student, other: str) -> str:
    """Recognize a wrong answer by what it gives for many people."""
    given = [_bound(student, probe) for probe in _PROBES]
    for formula, told in BOUNDS:
        wrong = [max(0.0, formula(*probe)) for probe in _PROBES]
        if np.allclose(given, wrong, rtol=1e-6, atol=0):
            return told
    return other


def _always_a_bound(student: Student, rng: np.random.Generator) -> None:
    n = int(rng.integers(5, 30))
    for k1, n1, k0, n0 in (
        (3, 10, 3, 10), (0, n, 0, n), (n, n, 0, n), (0, n, n, n), (n, n, n, n),
        (1, 1, 0, 1), (0, 1, n, n), (10**6, 10**6, 0, 10**6), (n - 1, n, 0, n),
    ):  # fmt: skip
        _bound(student, (k1, n1, k0, n0, float(rng.choice([1e-6, 0.05]))))


def _epsilon(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the true ε of each pair; infinite if one side never gives a report."""
    with np.errstate(all="ignore"):
        ratios = [np.abs(np.log(p / q)), np.abs(np.log((1 - p) / (1 - q)))]
    return np.nan_to_num(ratios, nan=0.0, posinf=inf).max(axis=0)


def _truths(bounds: np.ndarray, some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """List pairs of p and q whose ε is a little below one of the bounds."""
    size = np.unique(bounds[bounds > 2 * _SOLVER].round(9))[:, None] - 2 * _SOLVER
    up, down = np.exp(size), np.exp(-size)
    pairs = []
    for other in (some * up, some * down, 1 - (1 - some) * up, 1 - (1 - some) * down):
        fits = (other >= 0) & (other <= 1)
        pair = np.broadcast_to(some, other.shape)[fits], other[fits]
        pairs += [pair, pair[::-1]]
    p, q = (np.concatenate(each) for each in zip(*pairs, strict=True))
    return p, q


_ROUND = np.array([0, 0.01, 0.03, *np.arange(0.1, 0.95, 0.1), 0.97, 0.99, 1])
Cells = tuple[np.ndarray, np.ndarray]  # the k1 and the k0 that are tried, all pairs


def _demand_risk(
    student: Student, cells: Cells, n1: int, n0: int, risk: float, some: np.ndarray
) -> None:
    """Find how often the bound is too high, for the p and q at which that is most."""
    from scipy.stats import binom

    k1, k0 = cells
    all_counts = bool(len(k1) == n1 + 1 and len(k0) == n0 + 1)
    bounds = np.array(
        [[_bound(student, (int(i), n1, int(j), n0, risk)) for j in k0] for i in k1]
    )
    grid = [each.ravel() for each in np.meshgrid(some, some)]
    for p, q in (grid, _truths(bounds, some)):
        wrong = bounds > _epsilon(p, q)[:, None, None] + _SOLVER
        chance = binom.pmf(k1, n1, p[:, None])[:, :, None]
        chance = chance * binom.pmf(k0, n0, q[:, None])[:, None, :] * wrong
        often = chance.sum(axis=(1, 2))
        if often.max(initial=0.0) > risk * (1 + _ROUNDING):
            at = int(np.argmax(often))
            i, j = np.unravel_index(int(np.argmax(chance[at])), bounds.shape)
            _refuse(
                student,
                float(p[at]),
                float(q[at]),
                f"{often[at]:.4g}" + ("" if all_counts else " or more"),
                (int(k1[i]), n1, int(k0[j]), n0, risk),
                float(bounds[i, j]),
            )


def _refuse(
    student: Student, p: float, q: float, often: str, counts: Counts, bound: float
) -> None:
    truth = float(_epsilon(np.array(p), np.array(q)))
    k1, n1, k0, n0, risk = counts
    raise Fault(
        f"how often your bound is above the true ε = {truth:.6g}, if p = {p:.6g}, "
        f"q = {q:.6g}, n1 = {n1}, n0 = {n0} and risk = {risk:.4g}",
        f"{often}; for example, k1 = {k1} and k0 = {k0} give {bound:.6g}",
        f"{risk:.4g} or less",
        _hint(
            student,
            "Which of your two bounds fails here, and for which counts?",
        ),
    )


def _few_people(student: Student, _: np.random.Generator) -> None:
    """Try all counts, at a small risk and at one so large that its parts overlap."""
    for n1, n0, risk in ((3, 4, 0.05), (4, 8, 0.45), (8, 4, 0.45)):
        cells = np.arange(n1 + 1), np.arange(n0 + 1)
        _demand_risk(student, cells, n1, n0, risk, _ROUND)


def _rare_reports(student: Student, _: np.random.Generator) -> None:
    """Try counts at the ends, where a tail is all that there is.

    A bound from below is tried on one of three people, and a bound from above on none
    or one of a million. The other count is such that its own bound is close. Mirror
    images follow, with 0 for 1 and with the sides exchanged.
    """
    risk, many = 1e-4, 10**6
    for few, ones, others, truths in (
        (3, np.array([1]), np.arange(4, 9), np.geomspace(1e-7, 0.1, 40)),
        (1000, np.array([999, 1000]), np.arange(2), 1 - np.geomspace(1e-4, 1e-2, 20)),
    ):
        for here, there, some in (
            (ones, others, truths),
            (few - ones, many - others, 1 - truths),
        ):
            _demand_risk(student, (here, there), few, many, risk, some)
            _demand_risk(student, (there, here), many, few, risk, some)


def _many_people(student: Student, _: np.random.Generator) -> None:
    """Try pairs of counts that alone come more often than the risk."""
    n1, n0, risk = 900, 1000, 1e-6
    truths = np.linspace(0.01, 0.99, 99)
    for k1, k0 in ((600, 200), (150, 600), (850, 550), (400, 900)):
        cells = np.array([k1]), np.array([k0])
        _demand_risk(student, cells, n1, n0, risk, truths)


# Each of the four ratios in turn; counts at the ends; many people; few.
_STRONG: tuple[Counts, ...] = (
    (60, 80, 20, 80, 0.05),
    (20, 80, 60, 80, 0.05),
    (75, 80, 40, 80, 0.05),
    (40, 80, 75, 80, 0.05),
    (0, 100, 60, 90, 0.01),
    (100, 100, 50, 90, 0.01),
    (60, 90, 0, 100, 0.01),
    (50, 90, 100, 100, 0.01),
    (73_000, 100_000, 27_000, 100_000, 1e-6),
    (1_000_000, 1_000_000, 0, 1_000_000, 1e-6),
    (9, 1_000_000, 300_000, 1_000_000, 0.5),
    (1, 3, 2, 1_000_000, 0.01),
    (2, 1_000_000, 1, 3, 0.01),
    (2, 3, 999_998, 1_000_000, 0.01),
    (999_998, 1_000_000, 2, 3, 0.01),
)


def _strong(student: Student, rng: np.random.Generator) -> None:
    cases = list(_STRONG)
    for _ in range(4):
        n1, n0 = (int(10 ** rng.uniform(1.5, 5)) for _ in range(2))
        p, q = rng.uniform(size=2)
        k1, k0 = int(rng.binomial(n1, p)), int(rng.binomial(n0, q))
        cases.append((k1, n1, k0, n0, float(10 ** rng.uniform(-6, -0.31))))
    for counts in cases:
        found, wanted = _bound(student, counts), _wanted(*counts)
        if found < wanted - _SOLVER:
            lost = wanted - found
            raise Fault(
                f"your bound at {_case(counts)}",
                f"{found:.6g}, which is {lost:.2g} less than proved",
                f"{wanted:.6g} or more",
                _hint(student, "What else do these counts say about p and q?"),
            )


EXERCISE = Exercise(
    name="audit_response",
    parameters=("k1", "n1", "k0", "n0", "risk"),
    title="What do the reports prove?",
    statement="""\
A survey claims that everybody's report is private. We cannot read its code, but we know
the true answers of the people whom we sent: of `n1` people with answer 1, `k1` report
1, and of `n0` people with answer 0, `k0` report 1. All people toss their own coins. So
a report is 1 with probability $p$ if the answer is 1, and with probability $q$ if the
answer is 0. We know nothing about $p$ and $q$: they may be any numbers from 0 to 1. The
**true** $\\varepsilon$ is the least that is at least 0 and satisfies

$$e^{-\\varepsilon} q \\le p \\le e^{\\varepsilon} q \\qquad\\text{and}\\qquad
e^{-\\varepsilon} (1 - q) \\le 1 - p \\le e^{\\varepsilon} (1 - q).$$

If there is none, it is infinite. Write `audit_response(k1, n1, k0, n0, risk)`, which
returns a **lower bound** on the true $\\varepsilon$:

* whatever $p$ and $q$ are, it exceeds $\\varepsilon$ with probability `risk` at most;
* it is a number for all counts, never infinite, and never below 0;
* it is at least what the bounds of Clopper and Pearson for $p$ and $q$ prove if each of
  them is wrong with probability `risk`/8.

These bounds are exact. Suppose that $k$ of $n$ people report 1. The lower bound that is
wrong with probability $a$ is the $p$ at which $k$ or more reports of 1 have probability
$a$; it is 0 if $k = 0$. The upper bound is the $p$ at which $k$ or fewer have
probability $a$; it is 1 if $k = n$.

It must work for `n1` and `n0` from 1 to a million, and for `risk` from $10^{-6}$ to
$\\frac12$. You may use SciPy.""",
    starter="""\
import numpy as np


def audit_response(k1, n1, k0, n0, risk):
    if k0 == 0:
        return np.inf
    return np.log(k1 / n1 / (k0 / n0))  # your code here""",
    worked=(
        "0.534 <= audit_response(4, 4, 0, 8, 0.5) < np.inf",
        "True",
        "Four of four people with answer 1 report 1, and none of eight with answer 0 "
        "does. Let each bound be wrong with probability 0.5/8 = 1/16. Four of four "
        "have the chance p⁴, which is 1/16 at p = 1/2. None of eight has the chance "
        "(1 − q)⁸, which is 1/16 at q = 0.2929. So p/q is at least 1.707, and ε at "
        "least ln 1.707 = 0.5348.",
    ),
    hints=(
        "A lower bound of $p$ over an upper bound of $q$ is a lower bound of $p/q$. "
        "When is it wrong, and how often is that at most?",
        "Four ratios may be the largest. If each of several claims is wrong with some "
        "probability, then one of them is wrong with at most the sum of these.",
        "SciPy has the beta distribution. Its $a$-quantile for $k$ and $n - k + 1$ is "
        "the lower bound; its $(1 - a)$-quantile for $k + 1$ and $n - k$ is the upper "
        "one. What is left for $k = 0$ and $k = n$?",
    ),
    checks=(
        ("a number from 0 up, whatever the counts", _always_a_bound),
        ("few people: rarely above the true ε", _few_people),
        ("rare reports: rarely above the true ε", _rare_reports),
        ("many people: rarely above the true ε", _many_people),
        ("as strong as the statement asks", _strong),
    ),
    praise="Such a bound holds whatever the survey's code does, and nobody has to read "
    "that code. It can refute a promise, but it never proves one.",
)

EXPLANATION = r"""
A bound on $\varepsilon$ is a bound on one of four ratios: $p/q$, $q/p$, $(1-p)/(1-q)$
and $(1-q)/(1-p)$. Each of them is at least a lower bound of its numerator over an upper
bound of its denominator.

**Step 1. Four bounds, each wrong rarely.** A lower and an upper bound of $p$, and a
lower and an upper bound of $q$, are four claims. If each is wrong with probability
`risk`/4, then some claim is wrong with probability `risk` at most, by the union bound.
As long as none is wrong, all four ratios are right at once, so you may take the
largest.

**Step 2. Clopper and Pearson.** The lower bound is a quantile of the beta distribution
with parameters $k$ and $n - k + 1$. The upper bound is one with $k + 1$ and $n - k$.
The ends $k = 0$ and $k = n$ have no such quantile: there the bounds are 0 and 1.

**Step 3. Never below 0, never infinite.** Starting from the ratio 1 keeps the result at
0 or more. Upper bounds are above 0 and lower bounds below 1, so nothing is divided by
0.

```python
import numpy as np
from scipy.special import betaincinv


def bounds(k, n, a):
    low = betaincinv(k, n - k + 1, a) if k > 0 else 0.0
    high = betaincinv(k + 1, n - k, 1 - a) if k < n else 1.0
    return low, high


def audit_response(k1, n1, k0, n0, risk):
    p_low, p_high = bounds(k1, n1, risk / 4)
    q_low, q_high = bounds(k0, n0, risk / 4)
    ratios = [
        p_low / q_high,
        q_low / p_high,
        (1 - p_high) / (1 - q_low),
        (1 - q_high) / (1 - p_low),
    ]
    return np.log(max(1.0, *ratios))
```

**What wrong answers overlook.** The ratio of the two frequencies is an estimate. It is
too high about half of the time, and it is infinite when nobody of the second group
reports 1. A normal approximation fails exactly where an audit is interesting, namely
where reports are rare. And one ratio is not enough, because a mechanism may leak
through the reports of 0 alone.
"""
