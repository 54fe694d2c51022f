"""Exercise: find the bug in how a budget is split between steps and a score."""

# ruff: noqa: ARG001, ARG005  (misreadings, and checks, share one signature)

import numpy as np

from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student


def _split(mu: float, T: int, share: float) -> np.ndarray:
    return np.array([np.sqrt(T / (1 - share)), 1 / np.sqrt(share)]) / mu


# Wrong formulas of (mu, T, share), and what each reveals.
_MISREAD = (
    (
        lambda mu, T, share: np.array([np.sqrt(T) / (1 - share), 1 / share]) / mu,
        "The shares are of μ² here, because squares add up. So a share of μ² is a "
        "root of it in μ.",
    ),
    (
        lambda mu, T, share: np.array([T / (1 - share), 1 / share]) / mu,
        "Neither do T steps cost T times one step, nor do shares of μ add up: squares "
        "do.",
    ),
    (
        lambda mu, T, share: np.array([np.sqrt(1 / (1 - share)), 1 / share**0.5]) / mu,
        "λ is the noise of one step. How many steps share the budget?",
    ),
    (
        lambda mu, T, share: np.array([np.sqrt(T / share), (1 - share) ** -0.5]) / mu,
        "The shares are exchanged: the score has the share, and the steps the rest.",
    ),
    (
        lambda mu, T, share: np.array([np.sqrt(T), 1.0]) / mu,
        "Both parts got the whole budget, so together they cost √2 μ.",
    ),
    (
        lambda mu, T, share: np.array([(T / (1 - share)) ** 0.5, share**-0.5]) * mu,
        "More μ is a larger budget, so it needs less noise, not more.",
    ),
    (
        lambda mu, T, share: np.array([T / (1 - share), 1 / share]) / mu**2,
        "That is λ², the variance.",
    ),
    (
        lambda mu, T, share: _split(mu, T, share)[::-1],
        "The two stand in the other order: λ comes first, and then s.",
    ),
)


def _demand(student: Student, mu: float, T: int, share: float) -> None:
    found, wanted = student.array((2,), mu, T, share), _split(mu, T, share)
    if (np.abs(found / wanted - 1) <= 1e-9).all():
        return
    spent = np.sqrt(T / found[0] ** 2 + 1 / found[1] ** 2) if found.all() else np.inf
    raise Fault(
        f"split_budget(mu = {mu:g}, T = {T}, share = {share:g})",
        f"λ = {found[0]:.6g} and s = {found[1]:.6g}, which cost μ = {spent:.6g}",
        f"λ = {wanted[0]:.6g} and s = {wanted[1]:.6g}",
        matching_hint(
            found, _MISREAD, (mu, T, share),
            "Is each of the two numbers right? What does each part cost by itself?",
            wanted,
        ),
    )  # fmt: skip


_CASES = (
    (1.0, 1, 0.5), (0.5, 200, 0.1), (2.0, 10_000, 0.01), (0.03, 7, 0.9),
    (8.0, 1_000_000, 0.3),
)  # fmt: skip


def _cases(student: Student, rng: np.random.Generator) -> None:
    for case in _CASES:
        _demand(student, *case)


def _random(student: Student, rng: np.random.Generator) -> None:
    for _ in range(3):
        _demand(
            student,
            float(np.exp(rng.uniform(-4, 2))),
            int(np.exp(rng.uniform(0, 12))),
            float(rng.uniform(0.01, 0.99)),
        )


EXERCISE = Exercise(
    name="split_budget",
    parameters=("mu", "T", "share"),
    title="Find the bug in a split budget",
    statement="""\
One run of a search takes $T$ steps of DP-SGD with noise multiplier $\\lambda$, and then
publishes a score with noise $s$ times its sensitivity. The model and the score together
must be $\\mu$-GDP. The score gets the part `share` of $\\mu^2$, and the steps get the
rest. `split_budget(mu, T, share)` should return the array $(\\lambda, s)$. The code
below has a bug. Find it, and repair it.

`mu` is above 0, `T` is a whole number, and `share` lies between 0 and 1.""",
    starter="""\
import numpy as np


def split_budget(mu, T, share):
    lam = np.sqrt(T) / ((1 - share) * mu)
    s = 1 / (share * mu)
    return np.array([lam, s])  # your code here""",
    worked=(
        "split_budget(1.0, 100, 0.2)",
        "[11.18034, 2.236068]",
        "The score may have μ² = 0.2, so s = 1/√0.2. The steps may have 0.8, and each "
        "of the hundred costs 1/λ², so λ² = 100/0.8 = 125.",
    ),
    hints=(
        "What is the μ of two Gaussian releases together?",
        "A share of μ² is a root of it in μ.",
        "Print √(T/λ² + 1/s²) for the code as it is. It should be mu.",
    ),
    checks=(("five budgets", _cases), ("three at random", _random)),
    praise="The code as it was is still private, but it wastes budget: with a share of "
    "one half, it adds 1.41 times the noise that is needed.",
)
EXPLANATION = """\
```python
import numpy as np


def split_budget(mu, T, share):
    lam = np.sqrt(T / (1 - share)) / mu
    s = 1 / (np.sqrt(share) * mu)
    return np.array([lam, s])
```

**Step 1.** Gaussian releases compose by squares: $\\mu^2$ is the sum of the squares
of their parameters. A step with noise multiplier $\\lambda$ has parameter
$1/\\lambda$, and the score has $1/s$. So the run has $\\mu^2 = T/\\lambda^2 + 1/s^2$.

**Step 2.** The score may have `share` times $\\mu^2$. So $1/s^2$ is `share` times
$\\mu^2$, and $s = 1/(\\sqrt{\\text{share}}\\,\\mu)$. In the same way
$T/\\lambda^2 = (1 - \\text{share})\\,\\mu^2$.

**The bug** was to split $\\mu$ in place of $\\mu^2$. The parts then cost
$\\sqrt{(1 - \\text{share})^2 + \\text{share}^2}\\,\\mu$, which is less than $\\mu$: no
promise is broken, so no audit would complain, but budget is thrown away.
"""
