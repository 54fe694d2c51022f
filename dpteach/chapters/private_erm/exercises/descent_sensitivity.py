"""Exercise: how far does one record move a model after T gradient steps?"""

from collections.abc import Callable

import numpy as np

from ....grading.exercise import Exercise
from ....grading.report import Fault
from ....grading.student import Student

Case = tuple[np.ndarray, float, float, float, int]  # rates, L, Lam, beta, n

# ruff: noqa: ARG005  (formulas of one table share one signature)


def least_reach(rates: np.ndarray, L: float, Lam: float, beta: float, n: int) -> float:
    """Bound the distance step by step: contract or stretch it, then add a pull."""
    apart = 0.0
    for eta in rates:
        ends = abs(1 - eta * Lam), abs(1 - eta * (Lam + n * beta))
        apart = max(ends) * apart + eta * L
    return apart


def _reach(
    *,
    factor: Callable[..., float] = lambda eta, Lam, top: max(
        abs(1 - eta * Lam), abs(1 - eta * top)
    ),
    pull: Callable[..., float] = lambda eta, L, n: eta * L,
    mean: bool = False,
    backward: bool = False,
    early: bool = False,
) -> Callable[..., float]:
    """Make the recursion as a misreading has it."""

    def compute(rates: np.ndarray, L: float, Lam: float, beta: float, n: int) -> float:
        apart, top = 0.0, Lam + (1 if mean else n) * beta
        for eta in rates[::-1] if backward else rates:
            if early:
                apart = factor(eta, Lam, top) * (apart + pull(eta, L, n))
            else:
                apart = factor(eta, Lam, top) * apart + pull(eta, L, n)
        return apart

    return compute


# Wrong numbers that many give, and what they reveal.
_MISREAD: tuple[tuple[Callable[..., float], str], ...] = (
    (
        lambda rates, L, Lam, beta, n: L / Lam if Lam else np.inf,
        "That is for the exact minimum. After T steps from one start, one record has "
        "not moved the model that far yet.",
    ),
    (
        lambda rates, L, Lam, beta, n: L * float(np.sum(rates)),
        "That adds up all pulls of the record. What does the next step do to a "
        "distance that is there already?",
    ),
    (
        _reach(pull=lambda eta, L, n: 2 * eta * L),
        "That is for a record that is replaced. Here one is added: one gradient more.",
    ),
    (
        _reach(pull=lambda eta, L, n: eta * L / n),
        "The risk is a sum. In a sum the new gradient is not divided by n.",
    ),
    (
        _reach(factor=lambda eta, Lam, top: 1 - eta * Lam),
        "That factor is right for short steps only. What does a long step do along a "
        "direction in which the n records have their largest curvature?",
    ),
    (
        _reach(factor=lambda eta, Lam, top: abs(1 - eta * top)),
        "The largest curvature is not the worst one for short steps. Which is?",
    ),
    (
        _reach(mean=True),
        "The n records together can have n times the curvature of one.",
    ),
    (
        _reach(backward=True),
        "The order of the rates matters: what a record moved early is contracted by "
        "all later steps.",
    ),
    (
        _reach(early=True),
        "The record pulls at each step, after the distance so far was contracted. You "
        "contract the new pull, too.",
    ),
)

# On these the wrong numbers of the table all differ.
_PROBES: tuple[Case, ...] = (
    (np.array([0.05, 0.02, 0.11, 0.07]), 1.5, 2.0, 0.8, 30),
    (np.array([0.01, 0.9, 0.5]), 0.7, 0.4, 2.0, 9),
)


def _judge(student: Student, cases: list[Case]) -> None:
    for case in cases:
        found, wanted = student.number(*case), least_reach(*case)
        if abs(found - wanted) > 1e-9 * max(wanted, 1e-300):
            rates, L, Lam, beta, n = case
            shown = ", ".join(f"{eta:.4g}" for eta in rates[:4])
            more = ", …" if len(rates) > 4 else ""
            raise Fault(
                f"the bound after {len(rates)} steps with rates ({shown}{more}), "
                f"L = {L:.4g}, Lam = {Lam:.4g}, beta = {beta:.4g}, n = {n}",
                f"{found:.6g}",
                f"{wanted:.6g}",
                _hint(student, case, found),
            )


def _hint(student: Student, case: Case, found: float) -> str:
    cases = (case, *_PROBES)
    given = [found, *(student.number(*probe) for probe in _PROBES)]
    for formula, told in _MISREAD:
        values = [formula(*each) for each in cases]
        same = np.allclose(given, values, rtol=1e-9, atol=0)
        if same and not np.isclose(values[0], least_reach(*case), rtol=1e-9):
            return told
    return (
        "Say that the two models are a distance apart. How far apart can one step "
        "leave them, if both take it on the same n records? And what does the record "
        "add that only one of them has?"
    )


def _by_hand(student: Student, _: np.random.Generator) -> None:
    none = (np.zeros(0), 1.0, 2.0, 0.25, 10)
    _judge(student, [(np.array([0.25, 0.25]), 1.0, 2.0, 0.0, 3), none])


def _short_steps(student: Student, rng: np.random.Generator) -> None:
    cases: list[Case] = []
    for T, n in ((1, 1), (5, 33), (40, 1000)):
        L, Lam, beta = rng.uniform(0.3, 3, size=3)
        rates = rng.uniform(0.2, 1.0, size=T) / (Lam + n * beta)
        cases.append((rates, float(L), float(Lam), float(beta), n))
    _judge(student, cases)


def _long_steps(student: Student, rng: np.random.Generator) -> None:
    cases: list[Case] = []
    for T, n in ((3, 2), (6, 64)):
        L, Lam, beta = rng.uniform(0.5, 2, size=3)
        rates = rng.uniform(0.3, 3.0, size=T) / (Lam + n * beta)
        rates[0] = 2.5 / (Lam + n * beta)
        cases.append((rates, float(L), float(Lam), float(beta), n))
    _judge(student, [*_PROBES, *cases])


def _flat(student: Student, rng: np.random.Generator) -> None:
    rates = rng.uniform(0.001, 0.01, size=7)
    _judge(student, [(rates, 2.0, 0.0, 0.5, 20), (rates, 2.0, 0.0, 0.0, 1)])


EXERCISE = Exercise(
    name="descent_sensitivity",
    parameters=("rates", "L", "Lam", "beta", "n"),
    title="How far after T steps?",
    statement="""\
A solver starts at $\\theta_0 = 0$ and takes one gradient step for each entry
$\\eta_1, \\dots, \\eta_T$ of `rates`, an array of positive numbers that are fixed in
advance:

$$\\theta_t = \\theta_{t-1} - \\eta_t\\,\\nabla\\mathcal J(\\theta_{t-1}), \\qquad
\\mathcal J(\\theta) = \\sum_{i=1}^n \\ell(\\theta; d_i) +
\\frac{\\Lambda}{2}\\lVert\\theta\\rVert_2^2.$$

Every loss is convex, its gradient has norm at most `L`, and its Hessian has no
eigenvalue above `beta`. The regularization $\\Lambda \\ge 0$ is `Lam`, and `n` is the
number of records. Now **one record is added**.

Write `descent_sensitivity(rates, L, Lam, beta, n)`, which returns the bound on the
distance of the two models after $T$ steps that you get by going **step by step**: a
step on the $n$ common records changes a distance by a factor of at most
$\\max_h |1 - \\eta_t h|$, where $h$ runs over all curvatures that $\\mathcal J$ can
have, and then the new record pulls with its own gradient. The rates may be so long that
this factor exceeds 1. If there are no steps, the models are equal.""",
    starter="""\
import numpy as np


def descent_sensitivity(rates, L, Lam, beta, n):
    return L / Lam  # your code here: this is for the exact minimum""",
    worked=(
        "descent_sensitivity(np.array([0.25, 0.25]), 1.0, 2.0, 0.0, 3)",
        "0.375",
        "The losses have no curvature, so the only curvature is Λ = 2, and a step "
        "halves a distance. After the first step the models are 0.25 apart; the second "
        "step halves that, and adds 0.25.",
    ),
    hints=(
        "Keep one number, the distance so far. How does one step change it at most?",
        "The Hessian of the objective on the n common records has its eigenvalues "
        "between Λ and Λ + nβ. A line |1 − ηh| is largest at one of the two ends.",
        "The new record adds η times a gradient of norm at most L, on one side only.",
    ),
    checks=(
        ("two steps by hand, and none", _by_hand),
        ("short steps, with rates that change", _short_steps),
        ("long steps, which can push models apart", _long_steps),
        ("without regularization", _flat),
    ),
    praise="This number needs neither an exact minimum nor strong convexity. With "
    "short steps at a constant rate it is (1 − (1 − ηΛ)^T) L/Λ, which never exceeds "
    "the reach of the exact minimum.",
)

EXPLANATION = """\
Run the solver on both data sets and keep track of one number, the largest distance
`apart` that the two models can have so far. Both start at 0, so it starts at 0.

**Step 1. The common records.** Both models take a step on the same $n$ records. Two
points a distance $a$ apart are then at most $\\max_h|1 - \\eta h|\\,a$ apart, because
the Hessian's eigenvalues $h$ lie between $\\Lambda$ and $\\Lambda + n\\beta$, and $|1 -
\\eta h|$ is convex in $h$, so it is largest at one of the two ends.

**Step 2. The new record.** Only one of the two models feels it, and it moves that model
by $\\eta$ times a gradient of norm at most $L$. This comes after the factor of Step 1,
so it is not contracted in the same step.

```python
def descent_sensitivity(rates, L, Lam, beta, n):
    apart = 0.0
    for eta in rates:
        factor = max(abs(1 - eta * Lam), abs(1 - eta * (Lam + n * beta)))
        apart = factor * apart + eta * L
    return apart
```

Answers that return $L/\\Lambda$ overlook that a solver which starts at 0 has not yet
gone all the way. Answers that return $L\\sum_t\\eta_t$ overlook that each step also
contracts. With $\\Lambda = 0$ nothing contracts, and the sum is right: then it is the
number of steps, and not the curvature, that keeps the model from going far.
"""
