"""Exercise: the noise multiplier that makes T Gaussian releases (ε, δ)-private."""

from functools import partial
from math import log, sqrt
from statistics import NormalDist

import numpy as np

from ....accounting import gaussian_delta, noise_multiplier
from ....grading.exercise import Exercise
from ....grading.ladder import ratio_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....privacy import Relation

_SLACK = 1.25  # over the chapter's own formula, which is a valid answer
_SOLVER = 1e-5  # relative error that a solver by halving may leave


def _chapter(eps: float, delta: float, T: int) -> float:
    return sqrt(2 * T * (log(1 / delta) + eps)) / eps


def _classical(eps: float, delta: float, T: int) -> float:
    return sqrt(2 * T * log(1.25 / delta)) / eps


_PER_STEP = "This gives each of the T releases all of ε; they add up."
_LINEAR = "Independent noise partly cancels: the sum grows as √T, not as T."
# Wrong answers that many give, and what they reveal.
_MISREAD = (
    (_classical, "The formula with ln(1.25/δ) is proved for ε up to 1 only."),
    (lambda eps, delta, _: _chapter(eps, delta, 1), _PER_STEP),
    (lambda eps, delta, _: _classical(eps, delta, 1), _PER_STEP),
    (
        lambda eps, delta, T: _chapter(eps / T, delta / T, 1),
        "This splits ε and δ evenly among the steps. For independent normal "
        "losses it is the variances that add up.",
    ),
    (lambda eps, delta, T: T * _chapter(eps, delta, 1), _LINEAR),
    (
        lambda eps, delta, T: _chapter(eps, delta, T) / sqrt(2),
        "A factor 2 under the root is missing.",
    ),
    (
        lambda eps, delta, T: sqrt(2 * T * log(1 / delta)) / eps,
        "ε stands beside ln(1/δ) too: at large ε it is what counts.",
    ),
    (
        lambda eps, delta, T: sqrt(T) * NormalDist().inv_cdf(1 - delta) / eps,
        "The privacy loss has a mean as well as a deviation; you bound the tail as if "
        "the mean were 0.",
    ),
    (
        lambda eps, delta, T: _chapter(eps, delta, T) ** 2,
        "That is the variance; a root is missing.",
    ),
    (
        lambda eps, delta, T: 1 / _chapter(eps, delta, T),
        "That is upside down: more privacy, more noise.",
    ),
)


def _price(student: Student, eps: float, delta: float, T: int) -> None:
    sigma = student.number(eps, delta, T)
    case = f"at ε = {eps:.4g}, δ = {delta:.3g}, T = {T}"
    if sigma <= 0:
        raise Fault(
            f"your sigma {case}",
            f"{sigma:.4g}",
            "a standard deviation, above 0",
            "Check the signs and the logarithms.",
        )
    point = eps, delta, T
    if gaussian_delta(sqrt(T) / sigma * (1 - _SOLVER), eps) > delta:
        spent = gaussian_delta(sqrt(T) / sigma, eps)
        raise Fault(
            f"the privacy that your sigma gives {case}",
            f"sigma = {sigma:.4g}, with which δ = {spent:.4g}",
            f"δ of at most {delta:.4g}",
            ratio_hint(
                sigma,
                _MISREAD,
                point,
                "This is too little noise. What do the mean and the deviation of the "
                "loss add up to after T steps?",
            ),
        )
    _demand_useful(sigma, case, point)


def _demand_useful(sigma: float, case: str, point: tuple[float, float, int]) -> None:
    most = _SLACK * _chapter(*point)
    if sigma > most:
        eps, delta, T = point
        least = noise_multiplier(eps, delta, releases=T, relation=Relation.ADD_REMOVE)
        other = "How should the noise grow with T, and fall with ε?"
        raise Fault(
            f"the size of your sigma {case}",
            f"{sigma:.4g}, which is {sigma / least:.3g} times what privacy needs",
            f"at most {most:.4g}",
            ratio_hint(sigma, _MISREAD, point, other),
        )


def _one_point(
    student: Student,
    _: np.random.Generator,
    points: tuple[tuple[float, float, int], ...],
) -> None:
    for eps, delta, T in points:
        _price(student, eps, delta, T)


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    for _ in range(40):
        eps = float(10 ** rng.uniform(-2, 1.7))
        delta = float(10 ** rng.uniform(-10, -2))
        _price(student, eps, delta, int(10 ** rng.uniform(0, 6)))


EXERCISE = Exercise(
    name="calibrate_sigma",
    parameters=("eps", "delta", "T"),
    title="How much noise do T steps need?",
    statement="""\
A step of DP-SGD releases a sum of clipped gradients with Gaussian noise. Count in units
of the clip norm: one record changes the sum by at most 1 in Euclidean norm, and the
noise has standard deviation `sigma` in each coordinate.

Write `calibrate_sigma(eps, delta, T)`, which returns a `sigma` for which **all `T`
steps together** are $(\\varepsilon, \\delta)$-differentially private, when neighbors
differ by one record more or less. Each step may depend on the results of those before.

Any valid analysis will do: the formula of the chapter, concentrated or Rényi
differential privacy, or the exact price. Two things are required: your `sigma` must be
private, and it must be at most 1.25 times the chapter's. It must work for
$\\varepsilon$ from 0.01 to 50 and $T$ up to a million.""",
    starter="""\
import math


def calibrate_sigma(eps, delta, T):
    return math.log(1 / delta)  # your code here""",
    worked=(
        "42.24 <= calibrate_sigma(1.0, 1e-6, 100) <= 68.05",
        "True",
        "For 100 steps at ε = 1 and δ = 10⁻⁶ the least noise that is private is about "
        "42.25. The chapter's formula gives 54.43; up to 68.04 is accepted.",
    ),
    hints=(
        "First take T = 1. What is the shape of the answer: how does it fall with "
        "$\\varepsilon$, and how does it grow as $\\delta$ shrinks?",
        "The chapter proves a bound on the privacy loss of all `T` steps: a normal "
        "variable whose mean and variance are sums over the steps. What then "
        "multiplies the standard deviation of the noise if `T` becomes `4 * T`?",
        "Write down the mean and the variance of the total privacy loss in terms of "
        "$\\mu = \\sqrt T/\\sigma$, and ask for a tail of at most $\\delta$ beyond "
        "$\\varepsilon$.",
    ),
    checks=(
        ("one release", partial(_one_point, points=((1.0, 1e-5, 1), (0.1, 1e-6, 1)))),
        ("a hundred releases", partial(_one_point, points=((1.0, 1e-5, 100),))),
        (
            "many releases at a larger ε",
            partial(_one_point, points=((3.0, 1e-5, 1000), (8.0, 1e-5, 10))),
        ),
        (
            "far corners",
            partial(
                _one_point,
                points=(
                    (0.5, 1e-8, 17),
                    (12.0, 1e-3, 1),
                    (0.01, 1e-9, 10**6),
                    (20.0, 1e-5, 64),
                    (50.0, 1e-6, 1),
                ),
            ),
        ),
        ("forty points anywhere", _anywhere),
    ),
    praise="Four times as many steps need only twice the noise. That is why many small "
    "steps are worth taking.",
)

EXPLANATION = r"""All steps together are as private as one Gaussian mechanism with $\mu
= \sqrt T/\sigma$. Its $\delta$ is known exactly, and it rises with $\mu$. So the least
noise could be found by bisection. A formula does nearly as well.

```python
import math
from statistics import NormalDist

Phi = NormalDist().cdf


def calibrate_sigma(eps, delta, T):
    l = math.log(1 / delta)
    return math.sqrt(2 * T * (l + eps)) / eps
```

This is the formula of the chapter, which needs no search at all. To see why it is
enough, look at the privacy loss of all steps. It is a normal variable with mean
$\mu^2/2$ and variance $\mu^2$, and it must exceed $\varepsilon$ with probability at
most $\delta$. A normal variable exceeds its mean by $\mu\sqrt{2\ln(1/\delta)}$ with
probability below $\delta$. So it is enough if $\mu^2/2 + \mu\sqrt{2l} \le \varepsilon$,
and $\mu = \varepsilon/\sqrt{2(l + \varepsilon)}$ satisfies this.

*A sharper answer* searches for the largest $\mu$ with $\Phi(\mu/2 - \varepsilon/\mu) -
e^\varepsilon\,\Phi(-\mu/2 - \varepsilon/\mu) \le \delta$ and returns $\sqrt T/\mu$. At
$\varepsilon = 1$ and $\delta = 10^{-6}$ it saves 22% of the noise. For large
$\varepsilon$ the product $e^\varepsilon\,\Phi(\cdot)$ must be computed through
logarithms.

*What wrong answers overlook.* Noise that grows like $T$ adds up budgets. But the noise
of different steps is independent, so squares add up, and $\sqrt T$ is enough. Noise
that does not grow at all protects each step, and not the path."""
