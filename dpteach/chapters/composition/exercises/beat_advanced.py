"""Exercise: a better price of many pure steps than advanced composition."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable
from functools import partial
from math import exp, log, sqrt, tanh

import numpy as np

from .... import numerics
from ....accounting import advanced_composition, delta_of, epsilon_of, zcdp_epsilon
from ....grading._priced_cases import apart, at_each, called
from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....privacy import Pure, Relation


def basic(eps0: float, T: int) -> float:
    """Add up: T ε₀."""
    return T * eps0


def advanced(eps0: float, T: int, delta: float) -> float:
    """Take the theorem's ε for pure steps."""
    return advanced_composition(eps0, 0.0, releases=T, slack=delta)[0]


def tail(eps0: float, T: int, delta: float) -> float:
    """Find the least loss that is exceeded with chance δ at most."""
    i = np.arange(T + 1)  # how many of the losses are −ε₀
    chance = np.cumsum(np.exp(numerics.log_binomial(i, T, eps0)))
    return (T - 2 * int(np.searchsorted(chance, delta, side="right"))) * eps0


def hockey(
    eps0: float, T: int, delta: float, under: int = 1, clip: float = 0.0
) -> float:
    """Find ε by halving, from the mean of max(clip, 1 − e^{ε − loss})."""
    i = np.arange(T + 1)
    chance = np.exp(numerics.log_binomial(i, T, under * eps0))
    loss, low, high = (T - 2 * i) * eps0, 0.0, T * eps0
    for _ in range(60):
        epsilon = (low + high) / 2
        part = np.maximum(-np.expm1(np.minimum(epsilon - loss, 700)), clip)
        if chance @ part > delta:
            low = epsilon
        else:
            high = epsilon
    return high


def _moments(eps0: float, T: int, delta: float) -> float:
    """Take the best order and the last bound of the theorem."""
    s = np.geomspace(1e-3, 1e4, 4000)
    ratio = np.log1p(np.exp(-(2 * s + 1) * eps0)) - np.log1p(exp(-eps0))
    return float(np.min((T * (s * eps0 + ratio) - log(delta)) / s))


def _normal(eps0: float, T: int, delta: float) -> float:
    """Take the loss to be normal, and find what it exceeds with chance δ."""
    from scipy.special import ndtri

    mean = T * eps0 * tanh(eps0 / 2)
    spread = eps0 * sqrt(T) / np.cosh(eps0 / 2)
    return mean - spread * float(ndtri(delta))


# Wrong prices, as functions of (eps0, T, delta), and the reason.
PRICES = (
    (lambda e, T, d: basic(e, T), "That is basic composition: nothing is gained."),
    (advanced, "That is advanced composition, or very close to it."),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)),
        "The mean of the losses is missing: the total drifts upward, too.",
    ),
    (
        lambda e, T, d: e * sqrt(2 * T * log(1 / d)) + T * e * e / 2,
        "That is ρ + 2√(ρ ln(1/δ)) with ρ = Tε₀²/2, or an older form of advanced "
        "composition.",
    ),
    (
        lambda e, T, d: zcdp_epsilon(T * e * e / 2, d),
        "That holds for everything that has this ρ. More is known of these steps: each "
        "is pure, and the distribution of the worst loss is given.",
    ),
    (
        _moments,
        "That is what the best order proves by the last bound of the theorem. Is "
        "there a better bound?",
    ),
    (
        tail,
        "That is the loss which is exceeded with chance δ. It is a proof, but a loose "
        "one: of an output whose loss is above ε only a part counts.",
    ),
    (
        lambda e, T, d: hockey(e, T, d, under=-1),
        "Those are chances under Q, where losses are low. Z is the loss of an output "
        "of P.",
    ),
    (
        lambda e, T, d: hockey(e, T, d, clip=-np.inf),
        "Outputs whose loss is below ε count with a minus. An attacker leaves them "
        "out, so they count as 0.",
    ),
    (
        _normal,
        "That takes the loss to be normal, which is an estimate and not a proof.",
    ),
)


_ROUNDING = 1e-9  # relative, in ε
_ABOVE = 1.1  # how far above the least ε an answer may be
Case = tuple[float, int, float]  # eps0, T, delta


def _steps(case: Case) -> Pure:
    eps0, T, _ = case
    return Pure(eps0, releases=T, relation=Relation.ADD_REMOVE)


def _overflow(eps0: float, T: int) -> str:
    return (
        "Floats end at e⁷⁰⁹, and what is below e⁻⁷⁴⁵ is 0. The largest loss is "
        f"{basic(eps0, T):.5g} here. How large are your numbers?"
    )


def _judge(student: Student, case: Case, hint: str) -> None:
    eps0, T, delta = case
    found = called(student, case, _overflow(eps0, T))
    where = f"at eps0 = {eps0:.4g}, T = {T}, delta = {delta:.3g}"
    told = partial(matching_hint, np.asarray(found), PRICES, case, hint)
    known = {
        "basic composition": basic(eps0, T),
        "advanced composition": advanced(eps0, T, delta),
    }
    best = min(known, key=lambda name: known[name])
    if found > known[best] * (1 + _ROUNDING):
        seen, limit = apart(found, known[best])
        raise Fault(
            f"your ε {where}", seen, f"at most {limit}, as {best} gives", told()
        )
    _demand_proof(found, case, where, told)
    if delta_of(_steps(case), found / _ABOVE) <= delta:
        above = found / epsilon_of(_steps(case), delta) - 1
        raise Fault(
            f"your ε {where}",
            f"{found:.5g}, which is {100 * above:.3g}% above the least one",
            f"at most {100 * (_ABOVE - 1):.0f}% above it",
            told(),
        )


def _demand_proof(
    found: float, case: Case, where: str, told: Callable[[], str]
) -> None:
    if found <= 0:
        raise Fault(f"your ε {where}", f"{found:.5g}", "a number above 0", told())
    lost = delta_of(_steps(case), found * (1 + _ROUNDING))
    if lost > case[2]:
        seen, limit = apart(lost, case[2])
        raise Fault(
            f"the δ that steps of randomized response have at your ε, {where}",
            f"δ = {seen} at ε = {found:.5g}",
            f"δ = {limit} or less",
            told(),
        )


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(4):
        eps0, T = 10 ** float(rng.uniform(-2, 0.3)), int(10 ** rng.uniform(0, 4))
        case = eps0, T, 10 ** float(rng.uniform(-12, -6))
        _judge(student, case, "Where in the allowed range does your answer fail?")


EXERCISE = Exercise(
    name="beat_advanced",
    parameters=("eps0", "T", "delta"),
    title="Beat advanced composition",
    statement="""\
A run takes $T$ steps. Each is $\\varepsilon_0$-private, with $\\delta = 0$, and may
depend on the results before it. Write `beat_advanced(eps0, T, delta)`, which returns an
$\\varepsilon$ for which all steps together are $(\\varepsilon, \\delta)$-private,
**whatever** the steps are.

The proof of advanced composition names the worst step. It is randomized response, whose
loss is $\\varepsilon_0$ with chance $e^{\\varepsilon_0}/(1 + e^{\\varepsilon_0})$ and
$-\\varepsilon_0$ otherwise; and each step can be as bad, whatever the earlier results
were. So there is a least $\\varepsilon$, and you can compute it. Your answer is right
if it is

* never below the least one, up to a relative error of $10^{-9}$;
* never above $T\\varepsilon_0$, nor above $\\varepsilon_0\\sqrt{2T\\ln(1/\\delta)} +
  T\\varepsilon_0\\tanh(\\varepsilon_0/2)$;
* at most 10% above the least one.

It must work for $\\varepsilon_0$ from 0.01 to 2, $T$ from 1 to 10,000 and $\\delta$
from $10^{-12}$ to $10^{-6}$.""",
    starter="""\
import math


def beat_advanced(eps0, T, delta):
    luck = eps0 * math.sqrt(2 * T * math.log(1 / delta))
    return 0.999 * (luck + T * eps0 * math.tanh(eps0 / 2))  # your code here""",
    worked=(
        "4.7745 <= beat_advanced(0.1, 100, 1e-6) <= 5.2521",
        "True",
        "Basic composition gives 10, advanced composition 5.756. A loss is −0.1 with "
        "chance 1/(1 + e^0.1) = 0.475. If i of 100 are, the total is (100 − 2i)/10. It "
        "is 4.8 with chance 5.37e-6, 5 with 2.06e-6, 5.2 with 7.5e-7 and so on. At "
        "ε = 4.77457 these count by 1 − e^(ε − loss): 0.025, 0.202, 0.347, … The sum "
        "is 1e-6.",
    ),
    hints=(
        "How many of the $T$ losses are $-\\varepsilon_0$? That number is binomial, "
        "and the total loss follows from it.",
        "From the distribution of the loss $Z$ you know $\\delta(\\varepsilon)$, the "
        "mean of $\\max\\{0, 1 - e^{\\varepsilon - Z}\\}$. It falls with "
        "$\\varepsilon$.",
        "A binomial coefficient of 10,000 is no float, but its logarithm is. Or take "
        "the moments of $Z$, and the first bound of the theorem on one moment.",
    ),
    checks=(
        (
            "many small steps",
            at_each(
                _judge,
                cases=((0.1, 100, 1e-6), (0.3, 40, 1e-6), (0.5, 57, 3e-9)),
                hint="What is the chance of each total loss, if a record is there?",
            ),
        ),
        (
            "few steps that reveal much",
            at_each(
                _judge,
                cases=((1.0, 10, 1e-6), (0.2, 2, 1e-6), (2.0, 1, 1e-9)),
                hint="Here the largest of all losses is more likely than δ, or nearly "
                "so.",
            ),
        ),
        (
            "steps that reveal little",
            at_each(
                _judge,
                cases=((0.01, 100, 1e-6), (0.04, 30, 1e-7)),
                hint="An output whose loss is just above ε hardly counts.",
            ),
        ),
        (
            "hundreds and thousands of steps",
            at_each(
                _judge,
                cases=(
                    (1.0, 100, 1e-6),
                    (2.0, 1000, 1e-6),
                    (0.1, 10_000, 1e-12),
                    (1.0, 10_000, 1e-9),
                ),
                hint="Chances of 1e-12 are lost in 1 minus a sum, and large powers of "
                "small numbers are 0.",
            ),
        ),
        ("four runs anywhere", _anywhere),
    ),
    praise="Advanced composition uses two numbers of a step. The whole distribution of "
    "the worst loss gives the least price there is: that is optimal composition.",
)

EXPLANATION = r"""
**Step 1. The worst step.** Each $\varepsilon_0$-private step is dominated by randomized
response. Its loss is $\varepsilon_0$ with probability
$e^{\varepsilon_0}/(1 + e^{\varepsilon_0})$ and $-\varepsilon_0$ otherwise, so $T$ steps
are dominated by $T$ independent draws of it.

**Step 2. The total loss.** If $i$ of the $T$ losses are negative, the total is
$Z = (T - 2i)\,\varepsilon_0$. The number $i$ is binomial with the probability
$1/(1 + e^{\varepsilon_0})$ of a lie. So the distribution of $Z$ is known exactly.

**Step 3. Solve for $\varepsilon$.** Now $\delta(\varepsilon)$ is the mean of
$\max\{0, 1 - e^{\varepsilon - Z}\}$. It falls as $\varepsilon$ rises, so halve an
interval. At $T\varepsilon_0$ it is 0, which is basic composition, so the interval
$[0, T\varepsilon_0]$ always contains the answer. Return the upper end, because an
$\varepsilon$ that is a little too large is proved and one that is too small is not.

```python
import numpy as np
from scipy.stats import binom


def beat_advanced(eps0, T, delta):
    i = np.arange(T + 1)
    loss = (T - 2 * i) * eps0
    chance = np.exp(binom.logpmf(i, T, 1 / (1 + np.exp(eps0))))
    low, high = 0.0, T * eps0
    for _ in range(100):
        middle = (low + high) / 2
        part = -np.expm1(np.minimum(middle - loss, 0.0))
        if chance @ part > delta:
            low = middle
        else:
            high = middle
    return high
```

**What wrong answers overlook.** Adding up the probability of all losses above
$\varepsilon$ counts each of them in full. A loss just above $\varepsilon$ hardly
matters, and the factor $1 - e^{\varepsilon - Z}$ says how much it does. `1 - cdf` loses
all digits when $\delta$ is $10^{-12}$, and `math.comb(10000, i)` times a power
overflows. Logarithms of the binomial distribution do neither.
"""
