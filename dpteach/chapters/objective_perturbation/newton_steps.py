"""Three ways to one private linear model: a tilt, Newton's method, gradient descent."""

from functools import cache
from math import sqrt

import numpy as np

from ...accounting.calibration import noise_multiplier
from ...algorithms.gradients import newton, sgd
from ...algorithms.gradients.newton import private_newton
from ...algorithms.gradients.sgd import dp_sgd
from ...algorithms.pure import gaussian_objective
from ...algorithms.pure.gaussian_objective import gaussian_objective_perturbation
from ...constraints import Everywhere
from ...data import breast_cancer, digits
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Sentence, Spent
from ...figures.results import stored
from ...figures.style import write
from ...losses import logistic
from ...privacy import Gaussian, Relation
from ...problem import Problem
from ...tables import rule
from ...tables.rule import public_regularization

TASKS = ("tumors", "digits 3 or 8", "digits odd or even")
EPSILONS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 200)
RATES = (0.25, 1.0, 4.0, 16.0, 64.0)  # times 1 / (n √T)
DELTA, ZERO_OUT = 1e-6, Relation.ZERO_OUT
HIGHEST = 130.0


@cache
def problem(task: str) -> Problem:
    """Pose one of the tasks, with rows of norm at most 1.

    Examples
    --------
    >>> problem("tumors").n, problem("digits 3 or 8").p
    (569, 65)
    """
    if task == "tumors":
        X, y = breast_cancer().X, breast_cancer().y
    else:
        X, y = digits().X, digits().y
        if task == "digits 3 or 8":
            kept = np.isin(y, (3, 8))
            X, y = X[kept], np.where(y[kept] == 3, 1.0, -1.0)
        else:
            y = np.where(y % 2 == 1, 1.0, -1.0)
    X = X / np.maximum(1.0, np.linalg.norm(X, axis=1, keepdims=True))
    return Problem(X, np.asarray(y, dtype=float), logistic, Everywhere())


def lost(D: Problem, models: np.ndarray) -> float:
    """Compute the models' mean loss, in percent of that of the zero model."""
    return float(f"{100 * np.mean(D.risk(models)) / D.risk(D.zeros()):.4g}")


@stored(
    uses=(newton, sgd, gaussian_objective, rule),
    tasks=TASKS,
    epsilons=EPSILONS,
    steps=STEPS,
    rates=RATES,
    runs=20,
    seed=0,
)
def newton_and_others(
    tasks: tuple[str, ...],
    epsilons: tuple[float, ...],
    steps: tuple[int, ...],
    rates: tuple[float, ...],
    runs: int,
    seed: int,
) -> dict:
    """Measure the mean loss of each way, at each number of steps."""
    return {
        task: [_at(problem(task), e, steps, rates, (runs,), seed) for e in epsilons]
        for task in tasks
    }


def _at(
    D: Problem,
    epsilon: float,
    steps: tuple[int, ...],
    rates: tuple[float, ...],
    runs: tuple[int],
    seed: int,
) -> dict:
    Lam, _ = public_regularization(epsilon, DELTA, n=D.n, p=D.p)
    lam = noise_multiplier(epsilon, DELTA, relation=ZERO_OUT)  # of a single release
    bowl = {"lipschitz": 1.0, "smoothness": 0.25, "regularization": Lam}
    known = {"epsilon": epsilon, "delta": DELTA, "relation": ZERO_OUT, **bowl}
    tilted = [
        gaussian_objective_perturbation(D, **known, rng=seed + k).theta
        for k in range(*runs)
    ]
    return {
        "tilt": lost(D, np.stack(tilted)),
        "newton": [_newton(D, Lam, lam, T, runs, seed) for T in steps],
        "descent": [[_descent(D, r, lam, T, runs, seed) for r in rates] for T in steps],
    }


def _newton(
    D: Problem, Lam: float, lam: float, T: int, runs: tuple[int], seed: int
) -> float:
    out = private_newton(
        D, row_norm=1.0, clip_norm=1.0, steps=T, regularization=Lam,
        noise_multiplier=sqrt(T + 1) * lam, relation=ZERO_OUT, rng=seed, runs=runs,
    )  # fmt: skip
    return lost(D, out.theta)


def _descent(
    D: Problem, rate: float, lam: float, T: int, runs: tuple[int], seed: int
) -> float:
    out = dp_sgd(
        D, clip_norm=1.0, steps=T, noise_multiplier=sqrt(T) * lam, relation=ZERO_OUT,
        learning_rate=rate * sqrt(D.n / T) / D.n, path_every=T, rng=seed, runs=runs,
    )  # fmt: skip
    return lost(D, out.path[-1])


def measured(task: str, epsilon: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Read the loss of a tilt, of Newton's method, and of descent, best rates first.

    Examples
    --------
    >>> tilt, newton, descent = measured("digits odd or even", 1.0)
    >>> len(newton) == len(descent) == len(STEPS)
    True
    """
    found = newton_and_others()[task][EPSILONS.index(epsilon)]
    return found["tilt"], np.array(found["newton"]), np.sort(found["descent"], axis=1)


@figure(
    axes=Axes(
        "steps T",
        "loss, % of the zero model's",
        xlim=(1, 200),
        ylim=(0, HIGHEST),
        xscale="log",
        xticks=(1, 2, 5, 10, 20, 50, 100, 200),
    ),
    title="How many steps does it take?",
    alt=(
        "Loss against the number of steps. Newton's method falls within some ten "
        "steps; gradient descent, with the best of five rates, needs many more, and "
        "is far above with the third-best. A horizontal line is objective perturbation."
    ),
    caption=(
        "Logistic loss, means of 20 runs, all at the same ε and δ = 10⁻⁶. Descent has "
        "the best of five rates at each T, chosen by hindsight. Losses above 130% are "
        "cut off."
    ),
    identity="newton-steps",
    task=Slider(TASKS, start=TASKS[2]),
    epsilon=Slider(EPSILONS, start=1.0),
)
def newton_steps(task: str, epsilon: float) -> list[Mark]:
    """Draw the loss of three private linear models against the number of steps.

    Examples
    --------
    >>> len(newton_steps("tumors", 1.0))
    6
    """
    tilt, by_newton, descent = measured(task, epsilon)
    best, third = descent[:, 0], descent[:, 2]
    ten = STEPS.index(10)
    lam = noise_multiplier(epsilon, DELTA, relation=ZERO_OUT)
    return [
        Line(STEPS, [tilt] * len(STEPS), "objective perturbation", "reference"),
        Line(STEPS, np.minimum(by_newton, HIGHEST), "Newton", "private"),
        Line(STEPS, np.minimum(best, HIGHEST), "descent, best rate", "measured"),
        Line(STEPS, np.minimum(third, HIGHEST), "third-best of five", "bound"),
        Sentence(
            f"{{task}}, ε = {{epsilon}}: ten steps lose {write(by_newton[ten])}% by "
            f"Newton's method and {write(best[ten])}% by descent, whose best is "
            f"{write(best.min())}%. Objective perturbation loses {write(tilt)}%."
        ),
        Spent(Gaussian(lam, relation=ZERO_OUT), DELTA),
    ]
