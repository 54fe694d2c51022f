"""Exercise: the largest concentrated price that fits into a budget (ε, δ)."""

from functools import partial
from math import exp, log, log10, sqrt

import numpy as np

from ....accounting import gaussian_mu, zcdp_delta, zcdp_rho
from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student

_SOLVER = 1e-5  # relative error that a solver by halving may leave


def _basic(eps: float, delta: float) -> float:
    return (sqrt(log(1 / delta) + eps) - sqrt(log(1 / delta))) ** 2


def _at_order_two(eps: float, delta: float) -> float:
    return max((eps - log(1 / delta)) / 2, 1e-300)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        lambda eps, delta: gaussian_mu(eps, delta) ** 2 / 2,
        "That is the exact price of Gaussian noise. Other mechanisms of this ρ cost "
        "more: here ρ is all that is known.",
    ),
    (
        lambda eps, delta: eps**2 / (4 * log(1 / delta)),
        "This drops the ρ beside the root, so ρ + 2√(ρ ln(1/δ)) is above ε.",
    ),
    (
        lambda eps, _: eps**2 / 2,
        "That is the ρ of a pure ε-private release. The converse does not hold: this ρ "
        "promises less than ε.",
    ),
    (lambda eps, _: eps, "ε and ρ are not the same unit: ε goes with the root of ρ."),
    (
        lambda eps, delta: sqrt(_basic(eps, delta)),
        "That is the root of ρ; a square is missing.",
    ),
    (
        lambda eps, delta: (sqrt(log10(1 / delta) + eps) - sqrt(log10(1 / delta))) ** 2,
        "The logarithm is the natural one, not that of base 10.",
    ),
    (
        lambda eps, delta: 2 * _basic(eps, delta),
        "Twice too much: that is μ², and ρ is half of it.",
    ),
    (_at_order_two, "One fixed order is not enough; which order is best here?"),
    (
        lambda eps, delta: eps - 2 * sqrt(eps * log(1 / delta)),
        "ε and ρ are exchanged: solve the equation for ρ.",
    ),
    (
        lambda eps, delta: eps + 2 * sqrt(eps * log(1 / delta)),
        "That converts ρ into ε. The question is the way back.",
    ),
)


def _price(student: Student, eps: float, delta: float) -> None:
    rho = student.number(eps, delta)
    case = f"at ε = {eps:.4g}, δ = {delta:.3g}"
    if rho <= 0:
        raise Fault(
            f"your rho {case}",
            f"{rho:.4g}",
            "a price above 0",
            "Check the signs and the logarithms.",
        )
    _require_proof(rho, eps, delta, case)
    least = _basic(eps, delta)
    if rho < least * (1 - _SOLVER):
        hint = "Which ρ makes the bound of the theorem meet ε?"
        raise Fault(
            f"the size of your rho {case}",
            f"{rho:.4g}, and more fits into the budget",
            f"at least {least:.4g}",
            ratio_hint(rho, _MISREAD, (eps, delta), hint),
        )


def _require_proof(rho: float, eps: float, delta: float, case: str) -> None:
    most = _basic(eps, delta) * (1 + _SOLVER)
    if rho > most and rho > zcdp_rho(eps, delta) * (1 + _SOLVER):
        found = zcdp_delta(rho, eps) if rho < 1e6 else 1.0
        hint = "More is spent than any order of the theorem can prove."
        raise Fault(
            f"what your rho guarantees {case}",
            f"rho = {rho:.4g}, for which the best order proves δ = {found:.4g}",
            f"a proof of δ = {delta:.4g} or less",
            ratio_hint(rho, _MISREAD, (eps, delta), hint),
        )


def _points(
    student: Student, _: np.random.Generator, points: tuple[tuple[float, float], ...]
) -> None:
    for eps, delta in points:
        _price(student, eps, delta)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(10):
        eps, delta = exp(rng.uniform(-3, 4)), 10 ** rng.uniform(-12, -2)
        _price(student, float(eps), float(delta))


EXERCISE = Exercise(
    name="largest_rho",
    parameters=("eps", "delta"),
    title="How much concentrated price fits into a budget?",
    statement="""\
A run is $\\rho$-zero-concentrated private: its Rényi divergence of each order
$\\alpha > 1$ is at most $\\alpha\\rho$. Nothing else is known about it. The theorem of
the chapter then proves for each order

$$\\delta \\le e^{(\\alpha - 1)(\\alpha\\rho - \\varepsilon)}\\,
\\frac{(\\alpha - 1)^{\\alpha - 1}}{\\alpha^\\alpha}
\\le e^{(\\alpha - 1)(\\alpha\\rho - \\varepsilon)}.$$

Write `largest_rho(eps, delta)`, which returns a $\\rho$ for which this proves
$(\\varepsilon, \\delta)$-privacy, as large as you can. The answer of the second bound,
at its best order, is large enough; the first one lets you have a little more. It must
work for $\\varepsilon$ from 0.05 to 50 and $\\delta$ from $10^{-12}$ to $10^{-2}$.""",
    starter="""\
def largest_rho(eps, delta):
    return eps**2 / 2  # your code here""",
    worked=(
        "0.0174 <= largest_rho(1.0, 1e-6) <= 0.0244",
        "True",
        "The second bound at its best order asks for ρ + 2√(ρ · 13.8155) = 1, which "
        "√ρ = √14.8155 − √13.8155 solves: ρ = 0.01747. The first bound lets ρ grow to "
        "0.02435.",
    ),
    hints=(
        "First the way there: at which $\\alpha$ is $(\\alpha - 1)(\\alpha\\rho - "
        "\\varepsilon)$ least, and what is it there?",
        "Set that equal to $\\ln\\delta$. In $\\sqrt\\rho$ this is a quadratic "
        "equation with one positive root.",
        "For the first bound, halve an interval of $\\rho$, and try many orders at "
        "each.",
    ),
    checks=(
        ("a usual budget", partial(_points, points=((1.0, 1e-6),))),
        (
            "small and large budgets",
            partial(_points, points=((0.05, 1e-12), (8.0, 1e-5), (50.0, 1e-2))),
        ),
        ("ten budgets anywhere", _anywhere),
    ),
    praise="Prices of this kind add up. So a budget turned into ρ can be cut into "
    "parts, and each part spent on its own.",
)

EXPLANATION = r"""
**Step 1. The best order.** Write $a = \alpha - 1$. The second bound says
$\ln\delta \le a\,((a + 1)\rho - \varepsilon) = \rho a^2 - (\varepsilon - \rho)\,a$. As
a function of $a$ this is a parabola. It is least at $a = (\varepsilon - \rho)/(2\rho)$,
where it equals $-(\varepsilon - \rho)^2/(4\rho)$.

**Step 2. Set it equal to $\ln\delta$.** With $r = \sqrt\rho$ this gives
$\varepsilon - r^2 = 2r\sqrt{\ln(1/\delta)}$, which is a quadratic equation in $r$. Its
positive root is $r = \sqrt{\ln(1/\delta) + \varepsilon} - \sqrt{\ln(1/\delta)}$.

**Step 3. Check the order.** The order must be above 1, so $a$ must be positive. It is,
because $\rho < \varepsilon$.

```python
import math


def largest_rho(eps, delta):
    log_term = math.log(1 / delta)
    return (math.sqrt(log_term + eps) - math.sqrt(log_term)) ** 2
```

At $\varepsilon = 1$ and $\delta = 10^{-6}$ this is 0.01747. The first bound allows
0.02435. To get it, solve
$\ln\delta \ge a\,((a+1)\rho - \varepsilon) + a\ln a - (a+1)\ln(a+1)$ for $\rho$ at many
orders, and keep the largest result. For Gaussian noise $\rho = 1/(2\lambda^2)$, so the
better bound saves about 15% of the noise at no cost.

**What wrong answers overlook.** $\rho = \varepsilon^2/2$ fits a pure guarantee, which
*implies* concentrated privacy; the way back needs a $\delta$. The price of Gaussian
noise is not allowed either, because nothing is known about the run but its $\rho$.
"""
