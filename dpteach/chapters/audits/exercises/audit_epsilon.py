"""Exercise: what counts of an event prove about (ε, δ), with a stated risk."""

from math import log, sqrt
from statistics import NormalDist

import numpy as np

from ....auditing import event_epsilon_lower_bound
from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student
from ...guessing_game.exercises.audit_response.misreadings import exact_interval

Counts = tuple[int, int, int, int, float, float]  # k1, n1, k0, n0, delta, alpha
_TOLERANCE = 1e-5  # what a solver by halving may leave


def _bound(k1, n1, k0, n0, delta: float, alpha: float) -> float:
    found = event_epsilon_lower_bound(k1, n1, k0, n0, delta=delta, false_alarm=alpha)
    return max(0.0, found)


def _log_ratio(above: float, below: float) -> float:
    return max(0.0, log(above / below)) if above > 0 and below > 0 else 0.0


def _seen(k1, n1, k0, n0, delta: float, _: float) -> float:
    return _log_ratio(k1 / n1 - delta, k0 / n0)


def _forgets_delta(k1, n1, k0, n0, _: float, alpha: float) -> float:
    return _bound(k1, n1, k0, n0, 0.0, alpha)


def _adds_delta(k1, n1, k0, n0, delta: float, alpha: float) -> float:
    low, _ = exact_interval(k1, n1, alpha / 2)
    _, high = exact_interval(k0, n0, alpha / 2)
    return _log_ratio(low, high + delta)


def _normal(k1, n1, k0, n0, delta: float, alpha: float) -> float:
    z, p, q = -NormalDist().inv_cdf(alpha / 2), k1 / n1, k0 / n0
    low, high = p - z * sqrt(p * (1 - p) / n1), q + z * sqrt(q * (1 - q) / n0)
    return _log_ratio(low - delta, high)


def _hoeffding(k1, n1, k0, n0, delta: float, alpha: float) -> float:
    low = k1 / n1 - sqrt(log(2 / alpha) / (2 * n1))
    return _log_ratio(low - delta, k0 / n0 + sqrt(log(2 / alpha) / (2 * n0)))


_EXCHANGED = "You exchanged the runs with the record and those without it."
# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _seen,
        "Those are the shares that were seen. By chance their ratio is often above "
        "the true one: how often may a bound be?",
    ),
    (
        lambda k1, n1, k0, n0, delta, alpha: _bound(
            k1, n1, k0, n0, delta, min(2 * alpha, 0.999)
        ),
        "Each of your two bounds may be wrong with probability `alpha`. How likely is "
        "it that one of them is?",
    ),
    (
        lambda k1, n1, k0, n0, delta, alpha: _bound(k1, n1, k0, n0, delta, alpha / 2),
        "Each of your bounds is more careful than it has to be: together they are "
        "wrong less often than `alpha`.",
    ),
    (
        _forgets_delta,
        "δ is missing: of the first probability that much may be there without any ε.",
    ),
    (_adds_delta, "δ is on the wrong side: the definition adds it to e^ε times q."),
    (
        _normal,
        "That takes the counts to be normal. They are not where few runs, or nearly "
        "all, fall in the event.",
    ),
    (
        _hoeffding,
        "Hoeffding's bound holds for any numbers from 0 to 1. Counts scatter less "
        "where they are near 0 or n.",
    ),
    (
        lambda *counts: _bound(*counts) / log(10),
        "That is a logarithm to the base 10; ε counts in natural ones.",
    ),
)


def _demand(student: Student, counts: Counts) -> None:
    found, wanted = student.number(*counts), _bound(*counts)
    if abs(found - wanted) <= _TOLERANCE * max(1.0, wanted):
        return
    k1, n1, k0, n0, delta, alpha = counts
    other = "First the two bounds of Clopper and Pearson, each by itself."
    if found < 0:
        other = "What can be said of ε when the counts prove nothing at all?"
    raise Fault(
        f"your bound at k1 = {k1} of n1 = {n1}, k0 = {k0} of n0 = {n0}, "
        f"delta = {delta:.4g} and alpha = {alpha:.4g}",
        f"{found:.6g}",
        f"{wanted:.6g}",
        _hint(student, found, wanted, counts, other),
    )


def _hint(
    student: Student, found: float, wanted: float, counts: Counts, other: str
) -> str:
    if found <= 0 or wanted <= 0:  # zeros look alike: ask again where they do not
        counts = _PROBE
        found, wanted = student.number(*counts), _bound(*counts)
        if found <= 0 and student.number(90, 700, 640, 800, *counts[4:]) > 0:
            return _EXCHANGED
        if found <= 0 or abs(found - wanted) <= _TOLERANCE:
            return other
    # only misreadings that differ from each other here can be told apart
    known = tuple((formula, told) for formula, told in _MISREAD if formula(*counts) > 0)
    return ratio_hint(found, known, counts, other, wanted)


# Here all of the wrong bounds in the table differ.
_PROBE: Counts = (640, 800, 90, 700, 0.1, 0.01)


def _many_runs(student: Student, _: np.random.Generator) -> None:
    _demand(student, _PROBE)
    for counts in (
        (900, 1000, 20, 1000, 1e-6, 1e-6),
        (7_500, 10_000, 2_500, 10_000, 0.01, 0.05),
    ):
        _demand(student, counts)


def _ends(student: Student, _: np.random.Generator) -> None:
    for counts in (
        (100, 100, 0, 100, 0.0, 0.05),
        (100, 100, 3, 90, 1e-5, 0.01),
        (45, 100, 0, 80, 0.05, 0.001),
        (1, 1, 0, 1, 0.0, 0.5),
        (1, 1, 0, 1000, 0.0, 0.5),
        (1, 4, 0, 3000, 1e-6, 0.1),
        (60, 60, 1, 900, 0.0, 0.3),
        (20_000, 20_000, 0, 20_000, 1e-6, 1e-6),
    ):
        _demand(student, counts)


def _nothing(student: Student, _: np.random.Generator) -> None:
    for counts in (
        (0, 50, 0, 50, 0.0, 0.05),
        (0, 50, 50, 50, 1e-6, 0.05),
        (50, 100, 50, 100, 0.0, 0.05),
        (5, 100, 1, 100, 0.3, 0.05),
        (100, 100, 100, 100, 0.1, 0.01),
    ):
        _demand(student, counts)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(12):
        n1, n0 = (int(10 ** rng.uniform(0.5, 3.7)) for _ in range(2))
        counts = (
            int(rng.binomial(n1, rng.uniform(0.3, 1))),
            n1,
            int(rng.binomial(n0, rng.uniform(0, 0.3))),
            n0,
            float(rng.choice([0.0, 1e-6, 0.01, 0.1])),
            float(10 ** rng.uniform(-6, -0.31)),
        )
        _demand(student, counts)


EXERCISE = Exercise(
    name="audit_epsilon",
    parameters=("k1", "n1", "k0", "n0", "delta", "alpha"),
    title="A lower bound for ε",
    statement="""\
An event was chosen before any run was made. It happened in `k1` of `n1` runs with the
record, and in `k0` of `n0` runs without it. If the code is
$(\\varepsilon, \\delta)$-private, the two probabilities satisfy
$p \\le e^{\\varepsilon} q + \\delta$. Write
`audit_epsilon(k1, n1, k0, n0, delta, alpha)`, which returns

$$\\ln\\frac{\\underline p - \\delta}{\\overline q},$$

or 0 where this is negative or makes no sense. Here $\\underline p$ and $\\overline q$
are the bounds of Clopper and Pearson, each wrong with probability `alpha`/2:

* $\\underline p$ is the $p$ at which `k1` or more of `n1` runs have probability
  `alpha`/2, and 0 if `k1` is 0;
* $\\overline q$ is the $q$ at which `k0` or fewer of `n0` runs have probability
  `alpha`/2, and 1 if `k0` is `n0`.

It must work for up to 20,000 runs of each kind, and for `alpha` from $10^{-6}$ to
$\\frac12$, with an error of at most $10^{-5}$. NumPy is enough.""",
    starter="""\
import numpy as np


def audit_epsilon(k1, n1, k0, n0, delta, alpha):
    if k1 / n1 <= delta or k0 == 0:
        return 0.0
    return np.log((k1 / n1 - delta) / (k0 / n0))  # your code here""",
    worked=(
        "audit_epsilon(2, 2, 0, 4, 0.1, 0.5)",
        "0.31165645",
        "Each bound may be wrong with probability 0.25. Two of two runs with the "
        "record hit, which has probability p². That is 0.25 at p = 0.5. None of four "
        "runs without it hits, which has probability (1 − q)⁴. That is 0.25 at "
        "q = 0.2929. So the bound is ln((0.5 − 0.1)/0.2929) = 0.3116.",
    ),
    hints=(
        "How likely are `k` or more of `n` runs at a given $p$? That is a sum of "
        "binomial probabilities, and it rises with $p$.",
        "What rises can be inverted by halving an interval 60 times. Add up "
        "logarithms of factorials, so that nothing overflows: `math.lgamma`.",
        "At most `k` of `n` hits are at least `n - k` misses. One function is enough "
        "for both bounds.",
    ),
    checks=(
        ("many runs", _many_runs),
        ("none of the runs, and all of them", _ends),
        ("0 where nothing is proved", _nothing),
        ("twelve cases anywhere", _anywhere),
    ),
    praise="Whatever the audited code does, this number exceeds its true ε with "
    "probability alpha at most. That is why it can convict, and why it can never "
    "acquit.",
)

EXPLANATION = r"""
**Step 1. From a claim to a ratio.** Privacy says $p \le e^{\varepsilon}q + \delta$, so
$\varepsilon \ge \ln((p - \delta)/q)$. We do not know $p$ and $q$. But if a lower bound
of $p$ and an upper bound of $q$ both hold, the logarithm with these bounds in place of
$p$ and $q$ is smaller still.

**Step 2. Exact bounds.** The probability of `k` or more hits in `n` runs rises with
$p$. The lower bound is where it equals `alpha`/2. Halving an interval finds it. The
terms of the binomial sum are computed as logarithms, since `math.comb(20000, 10000)` is
no float.

**Step 3. The upper bound for free.** At most `k` of `n` hits are at least `n - k`
misses. So the upper bound of $q$ is 1 minus the lower bound for the misses.

**Step 4. Where it makes no sense.** If $\underline p \le \delta$, or if the ratio is
below 1, nothing is proved, and the answer is 0.

```python
import numpy as np


def lower(k, n, a):
    # the p at which k or more of n have probability a
    if k == 0:
        return 0.0
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    j = np.arange(k, n + 1)
    ways = factorial[n] - factorial[j] - factorial[n - j]
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        if np.exp(ways + j * np.log(p) + (n - j) * np.log1p(-p)).sum() < a:
            low = p
        else:
            high = p
    return low


def audit_epsilon(k1, n1, k0, n0, delta, alpha):
    p = lower(k1, n1, alpha / 2)
    q = 1 - lower(n0 - k0, n0, alpha / 2)
    return np.log((p - delta) / q) if p - delta > q else 0.0
```

**What wrong answers overlook.** The ratio of the frequencies is above the truth half of
the time. Returning 0 when `k0` is 0 throws the best evidence away, and returning
infinity claims too much: no hit in $n$ runs only says that $q$ is below about $3/n$.
Each bound may be wrong with `alpha`/2, because both must hold.
"""
