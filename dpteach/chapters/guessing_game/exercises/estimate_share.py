"""Exercise: estimate a share from randomized responses, and say how sure it is."""

from itertools import product
from math import exp, sinh

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint, ratio_hint
from ....grading.report import Fault
from ....grading.student import Student


def _truth(eps: float) -> float:
    return 1 / (1 + exp(-eps))


def _solved(low: float, high: float, reports: np.ndarray) -> np.ndarray:
    return (reports.mean(axis=1) - low) / (high - low)


# Wrong estimates that many give, of all reports at once, and what they reveal.
_MISREAD = (
    (
        lambda reports, _: reports.mean(axis=1),
        "That is the share of the reports. The lies pull it toward one half.",
    ),
    (
        lambda reports, eps: _solved(_truth(eps), 1 - _truth(eps), reports),
        "That is the share of people who answer 0: truth and lie are swapped.",
    ),
    (
        lambda reports, eps: reports.mean(axis=1) / _truth(eps),
        "Some of the reports of 1 come from people who answer 0.",
    ),
    (
        lambda reports, eps: reports.mean(axis=1) / (2 * _truth(eps) - 1),
        "Even if nobody answers 1, some report 1. What is the mean report then?",
    ),
    (
        lambda reports, eps: (reports.mean(axis=1) - 0.5) / (2 * _truth(eps) - 1),
        "Your estimate is 0 when half of the reports are 1. Should it be?",
    ),
    (
        lambda reports, eps: np.clip(
            _solved(1 - _truth(eps), _truth(eps), reports), 0, 1
        ),
        "It is cut to [0, 1]. That looks better, but it shifts the mean.",
    ),
)  # fmt: skip


def _variance(n: int, eps: float) -> float:
    return 1 / (4 * n * sinh(eps / 2) ** 2)


def _of_reports(eps: float) -> float:
    return _truth(eps) * (1 - _truth(eps))


# Wrong variances, and what they reveal.
_MISREAD_VARIANCE = (
    (
        lambda n, eps: _variance(n, eps) ** 0.5,
        "That is the standard deviation; its square is asked for.",
    ),
    (
        lambda n, eps: _of_reports(eps) / n,
        "That is the variance of the mean report. What does turning that "
        "mean into the estimate do to its variance?",
    ),
    (
        lambda n, eps: _of_reports(eps) / (n * (2 * _truth(eps) - 1)),
        "Stretching a number by a factor stretches its variance by more.",
    ),
    (
        lambda n, eps: 0.25 / (n * (2 * _truth(eps) - 1) ** 2),
        "A variance of 1/4 belongs to a fair coin. Is this coin fair?",
    ),
)


def _told(eps: float, n: int) -> str:
    return f"at eps = {eps:.4g}, for {n} people"


def _all(
    student: Student, n: int, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ask for every outcome of n coins: the outcomes, estimates and variances."""
    outcomes = np.array([list(coins) for coins in product((0, 1), repeat=n)])
    found = np.array([student.array((2,), reports, eps) for reports in outcomes])
    return outcomes, found[:, 0], found[:, 1]


def _weights(outcomes: np.ndarray, answers: np.ndarray, eps: float) -> np.ndarray:
    same = (outcomes == answers).sum(axis=1)
    return _truth(eps) ** same * (1 - _truth(eps)) ** (outcomes.shape[1] - same)


def _unbiased(student: Student, rng: np.random.Generator) -> None:
    for eps in (1.0, float(rng.uniform(0.3, 2.5))):
        outcomes, estimates, _ = _all(student, 4, eps)
        answers = np.array([1, 0, 0, 0])[rng.permutation(4)]
        for truth in (answers, np.zeros(4, dtype=int), np.ones(4, dtype=int)):
            mean = float(_weights(outcomes, truth, eps) @ estimates)
            if abs(mean - truth.mean()) > 1e-6:
                raise Fault(
                    f"the mean of your estimate over all coins, {_told(eps, 4)} whose "
                    f"answers are {truth.tolist()}",
                    f"{mean:.4g}",
                    f"{truth.mean():.4g}, the share itself",
                    matching_hint(
                        estimates,
                        _MISREAD,
                        (outcomes, eps),
                        "What is the mean of one report, if the answer is 0? If it "
                        "is 1?",
                        _solved(1 - _truth(eps), _truth(eps), outcomes),
                    ),
                )


def _stated(student: Student, rng: np.random.Generator) -> None:
    for n in (3, 2):
        eps = float(rng.uniform(0.3, 2.5))
        outcomes, _, stated = _all(student, n, eps)
        wanted = _variance(n, eps)
        off = np.abs(stated - wanted)
        if off.max() > 1e-6 * wanted:
            shown = int(np.argmax(off))
            raise Fault(
                f"the variance that you state {_told(eps, n)}, reports "
                f"{outcomes[shown].tolist()}",
                f"{stated[shown]:.4g}",
                f"{wanted:.4g}, whatever the reports",
                "It changes with the reports. But the answers are fixed, and each "
                "coin is the same: only the coins vary."
                if np.ptp(stated) > 1e-6 * wanted
                else ratio_hint(
                    float(stated[shown]),
                    _MISREAD_VARIANCE,
                    (n, eps),
                    "What is the variance of one report? And how does the estimate "
                    "stretch the mean of n reports?",
                    wanted,
                ),
            )


def _far(student: Student, rng: np.random.Generator) -> None:
    for n, eps in ((1, 0.01), (7, 10.0), (500, 0.05)):
        reports = rng.integers(0, 2, size=n)
        found = student.array((2,), reports, eps)
        wanted = np.array(
            [
                float(_solved(1 - _truth(eps), _truth(eps), reports[None])[0]),
                _variance(n, eps),
            ]
        )
        if not np.allclose(found, wanted, rtol=1e-6, atol=1e-12):
            which = int(np.argmax(np.abs(found - wanted) / np.abs(wanted).clip(1e-12)))
            raise Fault(
                f"the {('estimate', 'variance')[which]} {_told(eps, n)}",
                f"{found[which]:.6g}",
                f"{wanted[which]:.6g}",
                "The formula must hold for one person, for many, and for every eps.",
            )


EXERCISE = Exercise(
    name="estimate_share",
    parameters=("reports", "eps"),
    title="Estimate a share from randomized responses",
    statement="""\
Each of $n$ people has an answer, 0 or 1. Each reports it by randomized response with
budget $\\varepsilon$ (`eps`): the truth with probability
$\\frac{e^\\varepsilon}{1+e^\\varepsilon}$, and otherwise the other answer. You see the
`reports`, an array of shape $(n,)$ of zeros and ones.

Write `estimate_share(reports, eps)`, which returns two numbers: an **unbiased
estimate** of the share of people whose answer is 1, and the **variance** of this
estimate. The answers are fixed, whatever they are; only the coins are random. The
estimate may lie outside $[0, 1]$. It must work for any $n \\ge 1$ and for
$\\varepsilon$ from 0.01 to 10.""",
    starter="""\
import numpy as np


def estimate_share(reports, eps):
    return np.mean(reports), 0.0  # your code here""",
    worked=(
        "estimate_share(np.array([1, 1, 1, 0]), np.log(3))",
        "[1.0, 0.1875]",
        "With ε = ln 3 the truth is told 3 times in 4. If all four answers are 1, "
        "three reports of 1 are to be expected, so the estimate is 1. One report has "
        "variance 3/16, the mean of four 3/64. Turning the mean report into a "
        "share multiplies it by 2, so the variance is 4 · 3/64.",
    ),
    hints=(
        "What is the mean of one report if the answer is 0? And if it is 1?",
        "The mean report is a straight line in the share. Where does it start, and "
        "where does it end? Solve it for the share.",
        "A report is 1 with one probability or with the other. Both give the same "
        "variance. The mean of n reports has 1/n of it, and a stretch by s "
        "multiplies it by s².",
    ),
    checks=(
        ("on average over the coins, the estimate is the share", _unbiased),
        ("the variance that you state is the true one", _stated),
        ("one person, many people, small and large ε", _far),
    ),
    praise="A lie hides one person, and n reports average it away: the error falls "
    "like 1/(ε√n). No other estimate is unbiased for all answers.",
)

EXPLANATION = r"""
**Step 1. The mean of one report.** Let $p = 1/(1 + e^{-\varepsilon})$ be the
probability of the truth. A person with answer 1 reports 1 with probability $p$, and a
person with answer 0 does so with probability $1 - p$. If the share of ones is $s$, the
mean report is therefore $(1 - p) + (2p - 1)\,s$ on average.

**Step 2. Solve for the share.** The line starts at $1 - p$ and has slope $2p - 1$. So
$(\text{mean} - (1 - p))/(2p - 1)$ is right on average, whatever the answers are. It may
lie outside $[0, 1]$. Cutting it there would make it biased.

**Step 3. Its variance.** A report is 1 with probability $p$ or $1 - p$, and both give
the variance $p(1 - p)$. The mean of $n$ independent reports has $p(1-p)/n$, and
dividing by $2p - 1$ divides the variance by the square of that.

```python
import math


def estimate_share(reports, eps):
    p = 1 / (1 + math.exp(-eps))
    share = (reports.mean() - (1 - p)) / (2 * p - 1)
    variance = p * (1 - p) / (len(reports) * (2 * p - 1) ** 2)
    return share, variance
```

**What wrong answers overlook.** The variance does not depend on the reports: the
answers are fixed, and only the coins are random. An estimate of the variance from the
reports, such as $\bar r(1 - \bar r)/n$, also counts how much people differ from one
another.
"""
