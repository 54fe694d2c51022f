"""Exercise: noise for three phases that spends a budget, all of it and no more."""

from collections.abc import Callable
from functools import partial
from math import log, sqrt

import numpy as np

from ....accounting import gaussian_epsilon, gaussian_mu
from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student

_EXACT = 1e-5  # relative, in ε: what a solver by halving may leave
Given = tuple[float, float, np.ndarray, np.ndarray]
Hint = Callable[[str], str]


def _scaled(mu: float, weight: np.ndarray, ratio: np.ndarray) -> np.ndarray:
    return ratio * sqrt(float(weight.sum())) / mu


def _exact(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    return _scaled(gaussian_mu(eps, delta), steps / ratio**2, ratio)


def _formula(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    mu = eps / sqrt(2 * (log(1 / delta) + eps))
    return _scaled(mu, steps / ratio**2, ratio)


def _classical(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    mu = eps / sqrt(2 * log(1.25 / delta))
    return _scaled(mu, steps / ratio**2, ratio)


def _one_step_each(eps: float, delta: float, _: np.ndarray, ratio: np.ndarray):
    return _scaled(gaussian_mu(eps, delta), 1 / ratio**2, ratio)


def _steps_squared(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    return _scaled(gaussian_mu(eps, delta), (steps / ratio) ** 2, ratio)


def _not_squared(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    return ratio * float((np.sqrt(steps) / ratio).sum()) / gaussian_mu(eps, delta)


def _all_each(eps: float, delta: float, steps: np.ndarray, _: np.ndarray):
    return np.sqrt(steps) / gaussian_mu(eps, delta)


def _third_each(eps: float, delta: float, steps: np.ndarray, _: np.ndarray):
    return np.sqrt(steps) / gaussian_mu(eps / len(steps), delta / len(steps))


def _upside_down(eps: float, delta: float, steps: np.ndarray, ratio: np.ndarray):
    return _exact(eps, delta, steps, 1 / ratio)


# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (
        _formula,
        "This spends by a bound on the price, which is too high: a part of the budget "
        "stays unspent. Which μ costs exactly (ε, δ)?",
    ),
    (_classical, "The formula with ln(1.25/δ) is proved for ε up to 1 only."),
    (_one_step_each, "Each phase is counted as one release, whatever its steps."),
    (_steps_squared, "Steps of one phase are added up before they are squared."),
    (_not_squared, "You add up μ over the phases. What is it that adds up?"),
    (_all_each, "Each phase alone spends the whole budget."),
    (
        _third_each,
        "This splits ε and δ evenly among the phases, and the ratio is lost.",
    ),
    (_upside_down, "The ratio is upside down: a larger ratio asks for more noise."),
    (lambda *given: _exact(*given) ** 2, "Those are variances; a root is missing."),
    (
        lambda eps, delta, steps, ratio: _scaled(
            gaussian_mu(eps, delta), steps / ratio, ratio
        ),
        "A phase with twice the noise costs a quarter, not a half.",
    ),
)
_OTHER = (
    "Compute the total μ of your noise, and what that costs at δ. Is the first the μ "
    "that you looked for, and the second the budget?"
)


def _write(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"


def _spend(student: Student, given: Given) -> None:
    eps, delta, steps, ratio = given
    sigma = student.array((3,), eps, delta, steps, ratio)
    case = (
        f"at ε = {eps:.4g}, δ = {delta:.3g}, steps {_write(steps)}, "
        f"ratio {_write(ratio)}"
    )
    if not (sigma > 0).all():
        raise Fault(
            f"your sigma {case}",
            _write(sigma),
            "three standard deviations, all above 0",
            "Check the signs and the logarithms.",
        )
    hint = partial(matching_hint, sigma, _MISREAD, given, wanted=_exact(*given))
    if np.ptp(sigma / ratio) > _EXACT * np.max(sigma / ratio):
        raise Fault(
            f"the proportions of your sigma {case}",
            _write(sigma),
            "noise in proportion to the ratio",
            hint("One number is free: the common factor."),
        )
    _demand_total(sigma, given, case, hint)


def _demand_total(sigma: np.ndarray, given: Given, case: str, hint: Hint) -> None:
    eps, delta, steps, _ = given
    spent = gaussian_epsilon(sqrt(float(np.sum(steps / sigma**2))), delta)
    if abs(spent / eps - 1) > _EXACT:
        much = "over budget" if spent > eps else "a part stays unspent"
        raise Fault(
            f"the ε that all phases spend together {case}",
            f"{spent:.6g}: {much}",
            f"{eps:.6g}",
            hint(_OTHER),
        )


def _fixed(student: Student, _: np.random.Generator, cases: tuple[Given, ...]) -> None:
    for given in cases:
        _spend(student, given)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(10):
        eps = float(10 ** rng.uniform(-1, 1.3))
        delta = float(10 ** rng.uniform(-9, -3))
        steps = np.floor(10 ** rng.uniform(0, 4, size=3))
        _spend(student, (eps, delta, steps, 10 ** rng.uniform(-1, 1, size=3)))


_EVEN: Given = (1.0, 1e-6, np.array([100.0, 200.0, 400.0]), np.array([1.0, 1.0, 1.0]))
_CORNERS: tuple[Given, ...] = (
    (20.0, 1e-3, np.array([3.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])),
    (20.0, 1e-9, np.array([1.0, 5.0, 2.0]), np.array([2.0, 1.0, 4.0])),
    (0.1, 1e-9, np.array([7.0, 9.0, 5000.0]), np.array([0.5, 0.3, 2.0])),
)
_FALLING: Given = (2.0, 1e-5, np.array([50.0, 200.0, 800.0]), np.array([4.0, 2.0, 1.0]))

EXERCISE = Exercise(
    name="spend_budget",
    parameters=("eps", "delta", "steps", "ratio"),
    title="Spend a budget",
    statement="""\
A run has three phases. Phase $i$ takes `steps[i]` steps. Each of its steps releases a
sum that one record moves by at most 1, with Gaussian noise of standard deviation
`sigma[i]` in each coordinate. The plan fixes the noise of the phases relative to each
other: `sigma` must be a common factor times `ratio`. With `ratio` $= (4, 2, 1)$ the
first phase is a rough search, and the last one is fine work.

Write `spend_budget(eps, delta, steps, ratio)`, which returns the three noises as an
array. All phases together, each step chosen after the results of those before, must
cost **exactly** $\\varepsilon$ at $\\delta$, to five digits: no more, and no less. When
neighbors differ by one record more or less, releases with total $\\mu$ cost

$$\\delta = \\Phi(\\mu/2 - \\varepsilon/\\mu) - e^{\\varepsilon}\\,
\\Phi(-\\mu/2 - \\varepsilon/\\mu).$$

It must work for $\\varepsilon$ from 0.1 to 20 and $\\delta$ from $10^{-9}$ to
$10^{-3}$. `steps` and `ratio` are arrays of three positive numbers.""",
    starter="""\
import numpy as np


def spend_budget(eps, delta, steps, ratio):
    return ratio * np.sqrt(steps.sum())  # your code here""",
    worked=(
        "spend_budget(1.0, 1e-6, 100 * np.ones(3), np.ones(3)).round(2)",
        "[73.17, 73.17, 73.17]",
        "All 300 steps with the same noise σ have μ = √300/σ. At ε = 1 and δ = 10⁻⁶ "
        "the formula gives μ = 0.23671, so σ = 17.3205/0.23671 = 73.17.",
    ),
    hints=(
        "First forget the ratio: which total $\\mu$ costs exactly $(\\varepsilon, "
        "\\delta)$? The formula for $\\delta$ rises with $\\mu$.",
        "One step with noise $\\sigma$ has $\\mu = 1/\\sigma$. Squares of $\\mu$ add "
        "up, over steps and over phases.",
        "Put `sigma = s * ratio` into that sum. One unknown is left.",
    ),
    checks=(
        ("the same noise throughout", partial(_fixed, cases=(_EVEN,))),
        ("noise that falls", partial(_fixed, cases=(_FALLING,))),
        ("large and small budgets", partial(_fixed, cases=_CORNERS)),
        ("ten budgets anywhere", _anywhere),
    ),
    praise="A phase with little noise is expensive: half the noise costs four times "
    "the μ². You spent the budget to the last digit, and no more.",
)

EXPLANATION = r"""
**Step 1. From the budget to $\mu$.** All phases together are $\mu$-GDP for some $\mu$,
and the formula gives its $\delta$ at $\varepsilon$. It rises with $\mu$, so halve an
interval to find the $\mu$ that costs exactly $\delta$. Halving on a logarithmic scale
serves small and large budgets alike.

**Step 2. How phases add up.** A step with noise $\sigma$ has $\mu = 1/\sigma$, since
one record moves its sum by 1 at most. Squares add up under adaptive composition, so
$\mu^2 = \sum_i \texttt{steps}_i/\sigma_i^2$.

**Step 3. One unknown.** Put $\sigma_i = s\,\texttt{ratio}_i$ into the sum. Then
$\mu^2 = \frac1{s^2}\sum_i \texttt{steps}_i/\texttt{ratio}_i^2$, which gives $s$.

```python
import math

import numpy as np


def delta_of(mu, eps):
    first = math.erfc((eps / mu - mu / 2) / math.sqrt(2)) / 2
    second = math.erfc((eps / mu + mu / 2) / math.sqrt(2)) / 2
    return first - math.exp(eps) * second


def spend_budget(eps, delta, steps, ratio):
    low, high = 1e-6, 100.0
    for _ in range(100):
        mu = math.sqrt(low * high)
        if delta_of(mu, eps) <= delta:
            low = mu
        else:
            high = mu
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / low
```

**What wrong answers overlook.** Splitting $\varepsilon$ over the phases pays for each
of them separately, and the total is then proved by basic composition alone. The squares
add up, and not the $\mu$ themselves: four times the steps need twice the noise. The
closed formula $\sqrt{2\ln(1.25/\delta)}/\varepsilon$ is proved for $\varepsilon$ below
1 alone, and it is not exact there either.
"""
