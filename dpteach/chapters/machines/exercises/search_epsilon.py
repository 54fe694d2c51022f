"""Exercise: the price of the best of a random number of Gaussian runs."""

# ruff: noqa: ARG001, ARG005  (formulas, and checks, share one signature)

from functools import cache
from math import exp, expm1, log

import numpy as np

from ....accounting import gaussian_delta, gaussian_epsilon
from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....privacy import Gaussian, Relation
from ....tuning import random_stopping_epsilon

_RELATIVE = 1e-4


@cache
def _price(mu: float, delta: float, m: float) -> float:
    event = Gaussian(1 / mu, relation=Relation.ADD_REMOVE)
    return random_stopping_epsilon(event, delta, expected_runs=m)


def _tail(mu: float, m: float) -> float:
    return (_price(mu, 1e-6, m) - gaussian_epsilon(mu, 1e-6 / m)) / 2


def _tail_at_delta(mu: float, m: float) -> float:
    """Return where δ(s) falls below γ: the factor e^s − 1 is left out."""
    low, high = 0.0, 50.0
    while high - low > 1e-9:
        s = (low + high) / 2
        low, high = (low, s) if gaussian_delta(mu, s) <= 1 / m else (s, high)
    return high


# Wrong formulas of (mu, delta, m), and what each reveals.
_MISREAD = (
    (lambda mu, d, m: gaussian_epsilon(mu, d), "That is the price of one run."),
    (
        lambda mu, d, m: gaussian_epsilon(mu, d / m),
        "The run that was chosen is paid for, but not the choice: 2 s is missing.",
    ),
    (
        lambda mu, d, m: gaussian_epsilon(mu, d / m) + _tail(mu, m),
        "Both factors of the density change, for all other runs below and not above "
        "the published one: s counts twice.",
    ),
    (
        lambda mu, d, m: gaussian_epsilon(mu, d) + 2 * _tail(mu, m),
        "δ is divided by γ in the theorem, so one run must be priced at γ δ.",
    ),
    (
        lambda mu, d, m: gaussian_epsilon(mu * m**0.5, d),
        "That is the price if all runs were published, and their number were fixed.",
    ),
    (
        lambda mu, d, m: m * gaussian_epsilon(mu, d),
        "That adds up m runs. A random number of runs is what avoids it.",
    ),
    (
        lambda mu, d, m: 3 * gaussian_epsilon(mu, d),
        "3 ε is for runs that are ε-private with δ = 0.",
    ),
    (
        lambda mu, d, m: gaussian_epsilon(mu, d / m) + 2 * _tail_at_delta(mu, m),
        "Your s solves δ(s) = γ. Where does e^s − 1 stand in the condition?",
    ),
)
_CASES = (
    (0.3, 1e-6, 50.0), (0.2, 1e-6, 10.0), (0.5, 1e-5, 3.0), (0.1, 1e-6, 100.0),
    (1.5, 1e-8, 20.0), (0.02, 1e-7, 1000.0),
    (1.0, 1e-6, 1.5), (0.5, 1e-7, 2.5), (0.01, 1e-7, 100.0), (3.0, 1e-9, 50.0),
)  # fmt: skip


def _demand(student: Student, mu: float, delta: float, m: float) -> None:
    found, wanted = student.number(mu, delta, m), _price(mu, delta, m)
    if abs(found / wanted - 1) > _RELATIVE:
        side = "too much" if found > wanted else "less than the theorem proves"
        raise Fault(
            f"search_epsilon(mu = {mu:g}, delta = {delta:g}, m = {m:g})",
            f"{found:.6g}",
            f"{wanted:.6g}",
            ratio_hint(found, _MISREAD, (mu, delta, m), f"That is {side}.", wanted),
        )


def _cases(student: Student, rng: np.random.Generator) -> None:
    for case in _CASES:
        _demand(student, *case)


def _random(student: Student, rng: np.random.Generator) -> None:
    for _ in range(2):
        _demand(
            student,
            exp(rng.uniform(log(0.03), log(2.0))),
            10 ** rng.uniform(-9, -4),
            exp(rng.uniform(log(1.5), log(500.0))),
        )


def _single(student: Student, rng: np.random.Generator) -> None:
    for mu in (0.1, 0.7):
        _demand(student, mu, 1e-6, 1.0)


def _condition(student: Student, rng: np.random.Generator) -> None:
    """Demand that what was added to one run's price meets the theorem's condition."""
    mu, delta, m = 0.3, 1e-6, 50.0
    s = (student.number(mu, delta, m) - gaussian_epsilon(mu, delta / m)) / 2
    if (1 - 1 / m) * gaussian_delta(mu, s + 1e-3) > expm1(s + 1e-3) / m:
        raise Fault(
            f"s at mu = {mu}, m = {m:g}",
            f"{s:.4g}, where (1 − γ) δ(s) is above γ (eˢ − 1)",
            "the least s at which it is not",
            "Solve the condition by bisection; the left side falls, the right rises.",
        )


EXERCISE = Exercise(
    name="search_epsilon",
    parameters=("mu", "delta", "m"),
    title="What does the best run cost?",
    statement="""\
Each run of a search is $\\mu$-GDP, its score included. After each run a coin of
probability $\\gamma = 1/m$ stops the search, and the best run is published. By the
theorem of the chapter it is $(\\varepsilon + 2s, \\delta)$-private, where

* one run is $(\\varepsilon, \\gamma\\delta)$-private,
* $s \\ge 0$ is the least number with
  $(1 - \\gamma)\\,\\delta_\\mu(s) \\le \\gamma\\,(e^s - 1)$, and
* $\\delta_\\mu(\\varepsilon) = \\Phi(\\mu/2 - \\varepsilon/\\mu)
  - e^{\\varepsilon}\\,\\Phi(-\\mu/2 - \\varepsilon/\\mu)$.

Write `search_epsilon(mu, delta, m)`, which returns $\\varepsilon + 2s$ with the least
$\\varepsilon$, to a relative error of $10^{-4}$. `mu` lies between 0.01 and 3, `delta`
is at least $10^{-9}$, and `m` is at least 1 and need not be a whole number.
`scipy.special.ndtr` is Φ.""",
    starter="""\
import numpy as np


def search_epsilon(mu, delta, m):
    return mu * np.sqrt(2 * np.log(1 / delta))  # your code here""",
    worked=(
        "search_epsilon(1.0, 1e-6, 10.0)",
        "7.080311",
        "γ = 1/10. One run is priced at δ = 10⁻⁷, where it costs ε = 5.349345. And "
        "0.9 δ₁(s) = 0.1 (eˢ − 1) at s = 0.865483. The answer is the first plus twice "
        "the second.",
    ),
    hints=(
        "Two equations, each with one unknown and one side that falls. Bisection "
        "solves both.",
        "Where δ is tiny, both terms of δ_μ are: is their difference still exact? "
        "`scipy.special.log_ndtr` helps if not.",
        "At m = 1 there is no search. What must s be then?",
    ),
    checks=(
        ("a search of one run costs what the run costs", _single),
        ("eight searches", _cases),
        ("s meets its condition", _condition),
        ("two searches at random", _random),
    ),
    praise="If one run costs ε = 1 at δ = 10⁻⁶, the best of a thousand on average "
    "costs 2.47. A fixed number of a thousand runs costs 9.88 or more.",
    seconds=10.0,
)

EXPLANATION = r"""
**Step 1. One run.** The $\varepsilon$ of one run at $\gamma\delta$ solves
$\delta_\mu(\varepsilon) = \gamma\delta$. Since $\delta_\mu$ falls, bisection finds it.

**Step 2. The price of the choice.** The left side of
$(1 - \gamma)\,\delta_\mu(s) \le \gamma\,(e^s - 1)$ falls with $s$ and the right side
rises. So there is one $s$ from which on it holds, and bisection finds that, too. At
$m = 1$ there is no search. Then the left side is 0, and $s = 0$.

**Step 3. Keep the digits.** $\delta_\mu$ is a difference of two terms, and one of them
is $e^{\varepsilon}$ times a tiny number. Computing that as
$e^{\varepsilon + \ln\Phi(\dots)}$ neither overflows nor loses digits.

```python
import numpy as np
from scipy.special import log_ndtr, ndtr


def delta_of(mu, eps):
    return ndtr(mu / 2 - eps / mu) - np.exp(eps + log_ndtr(-mu / 2 - eps / mu))


def least(holds, high):
    # where a condition begins to hold, by halving
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def search_epsilon(mu, delta, m):
    gamma = 1 / m
    eps = least(lambda x: delta_of(mu, x) <= gamma * delta, 200.0)
    s = least(lambda x: (1 - gamma) * delta_of(mu, x) <= gamma * np.expm1(x), 50.0)
    return eps + 2 * s
```

**What wrong answers overlook.** The run must be priced at $\gamma\delta$ and not at
$\delta$, because a failure of any of some $m$ runs may decide what is published. The
choice costs $s$ *twice*: once for the runs that are better, and once for those that are
not worse. And composition over $m$ runs does not apply, since their number is random
and secret.
"""
