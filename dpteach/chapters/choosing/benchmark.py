"""Twelve algorithms on four real data sets, with the same budget: measured once.

Everything an algorithm is told comes from its theorem and from public facts: the number
of records, the length of a row, the set of models. The one number that people tune is
also tried at other factors of what the theorem says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from ...algorithms.geometry import private_frank_wolfe as private_polytope
from ...algorithms.geometry.frank_wolfe_bounds import private_frank_wolfe_steps
from ...algorithms.geometry.private_frank_wolfe import private_frank_wolfe
from ...algorithms.gradients import adaptive_ridge, bolt_on, sgd
from ...algorithms.gradients.adaptive_ridge import adaptive_least_squares
from ...algorithms.gradients.bolt_on import bolt_on_sgd
from ...algorithms.gradients.gradient_descent import gradient_descent
from ...algorithms.gradients.sgd import (
    dp_sgd,
    dp_sgd_learning_rate,
    dp_sgd_noise_multiplier,
)
from ...algorithms.local import _reports
from ...algorithms.local import banco as banco_module
from ...algorithms.local import local_sgd as local_sgd_module
from ...algorithms.local.banco import banco
from ...algorithms.local.local_sgd import local_sgd, local_sgd_learning_rate
from ...algorithms.matrices import matrix_ftrl as matrix_module
from ...algorithms.matrices.matrix_ftrl import matrix_ftrl
from ...algorithms.matrices.toeplitz import square_root_factorization
from ...algorithms.pure import gaussian_objective, objective, output
from ...algorithms.pure.gaussian_objective import gaussian_objective_perturbation
from ...algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_parameters,
)
from ...algorithms.pure.output import output_perturbation
from ...algorithms.streams import _runs, ftrl
from ...algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from ...algorithms.streams.regret import dp_ftrl_regularization
from ...constraints import Everywhere, L1Ball, L2Ball
from ...data import breast_cancer, diabetes, digits
from ...figures.results import stored
from ...losses import logistic, squared
from ...privacy import Relation
from ...problem import Problem

DELTA = 1e-6
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
FACTORS = (1 / 16, 1 / 4, 1.0, 4.0, 16.0)
DESCENT = 200  # T of DP-SGD
PASSES = 10  # of bolt-on SGD
ZERO_OUT = Relation.ZERO_OUT


@dataclass(frozen=True)
class Task:
    """A data set, and what is public about it.

    Parameters
    ----------
    problem : Problem
        Records, loss, and the ball of models.
    radius : float
        R of the ball.
    lipschitz, smoothness : float
        L and β of one record's loss on the ball, where rows have norm 1 at most.
    lipschitz_l1 : float
        The largest entry of a record's gradient on the ball.
    """

    problem: Problem
    radius: float
    lipschitz: float
    smoothness: float
    lipschitz_l1: float


def _signs(name: str, X: np.ndarray, y: np.ndarray) -> Task:
    del name
    radius = 5.0
    return Task(Problem(X, y, logistic, L2Ball(radius)), radius, 1.0, 0.25, 1.0)


def _patients() -> Task:
    # ½(⟨x, θ⟩ − y)² on a ball of radius 2: a residual is at most 2 + 1.
    records, radius = diabetes(), 2.0
    D = Problem(records.X, records.y, squared, L2Ball(radius))
    return Task(D, radius, radius + 1, 1.0, radius + 1)


def _cells() -> Task:
    records = breast_cancer()
    return _signs("cells", records.X, records.y)


def _three_or_eight() -> Task:
    records = digits()
    here = (records.y == 3) | (records.y == 8)
    return _signs("3 or 8", records.X[here], 2.0 * (records.y[here] == 8) - 1)


def _odd_or_even() -> Task:
    records = digits()
    return _signs("odd", records.X, 2.0 * (records.y % 2) - 1)


_TASKS: dict[str, Callable[[], Task]] = {
    "diabetes": _patients,
    "breast cancer": _cells,
    "digits 3 or 8": _three_or_eight,
    "digits odd or even": _odd_or_even,
}
TASKS = tuple(_TASKS)


@cache
def task(name: str) -> Task:
    """Load one of the four tasks.

    Examples
    --------
    >>> [(task(name).problem.n, task(name).problem.p) for name in TASKS]
    [(442, 11), (569, 31), (357, 65), (1797, 65)]
    """
    return _TASKS[name]()


@cache
def scale_of(name: str) -> tuple[float, float]:
    """Compute the least risk of a task, and that of the zero model. Not private.

    Examples
    --------
    >>> least, zero = scale_of("diabetes")
    >>> round(least / 442, 4), round(zero / 442, 4)
    (0.0544, 0.1367)
    """
    each = task(name)
    D = each.problem
    path = gradient_descent(
        D, steps=10_000, learning_rate=1 / (D.n * each.smoothness), start=None
    )
    last = np.asarray(path)[-1]
    return float(D.risk(last)), float(D.risk(D.zeros()))


# --- the algorithms: what each is told; `factor` multiplies the number that is tuned


def _gamma_output(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D, lam = t.problem, 1 / epsilon
    Lam = factor * t.lipschitz / t.radius * sqrt(2 * D.n * D.p * lam)
    return output_perturbation(
        D, lipschitz=t.lipschitz, regularization=Lam, noise_multiplier=lam, **kind
    ).theta


def _normal_output(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D, lam = t.problem, _one_release(epsilon)
    Lam = factor * t.lipschitz / t.radius * sqrt(2 * D.n * sqrt(D.p) * lam)
    return output_perturbation(
        D, lipschitz=t.lipschitz, regularization=Lam, noise_multiplier=lam,
        noise="gaussian", **kind,
    ).theta  # fmt: skip


def _gamma_objective(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D = t.problem
    Lam = factor * t.lipschitz / t.radius / epsilon * sqrt(D.p * (D.p + 1))
    lam, Lam = objective_perturbation_parameters(
        epsilon, smoothness=t.smoothness, regularization=Lam, relation=ZERO_OUT
    )
    return objective_perturbation(
        D, lipschitz=t.lipschitz, smoothness=t.smoothness, regularization=Lam,
        noise_multiplier=lam, **kind,
    ).theta  # fmt: skip


def _normal_objective(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D = t.problem
    Lam = factor * t.lipschitz / t.radius * sqrt(D.p) * _one_release(epsilon)
    return gaussian_objective_perturbation(
        D, lipschitz=t.lipschitz, smoothness=t.smoothness,
        regularization=max(Lam, 2 * t.smoothness / epsilon), epsilon=epsilon,
        delta=DELTA, **kind,
    ).theta  # fmt: skip


def _sgd(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D, L = t.problem, t.lipschitz
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=DESCENT, relation=ZERO_OUT)
    known: dict[str, Any] = {"steps": DESCENT, "noise_multiplier": lam}
    rate = dp_sgd_learning_rate(n=D.n, p=D.p, lipschitz=L, distance=t.radius, **known)
    return dp_sgd(D, clip_norm=L, learning_rate=factor * rate, **known, **kind).theta


def _bolt_on(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    # The least of R²/(2ηkn) + ηL²/2 + L · √p λ k η L: steps, and noise of size kηL.
    D, L, lam = t.problem, t.lipschitz, _one_release(epsilon)
    spread = 1 + 2 * PASSES * lam * sqrt(D.p)
    rate = factor * t.radius / (L * sqrt(PASSES * D.n * spread))
    return bolt_on_sgd(
        D, lipschitz=L, smoothness=t.smoothness, passes=PASSES,
        learning_rate=min(rate, 2 / t.smoothness),
        noise_multiplier=_one_release(epsilon), **kind,
    ).theta  # fmt: skip


def _tree(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D, L = t.problem, t.lipschitz
    lam = dp_ftrl_noise_multiplier(epsilon, DELTA, steps=D.n, relation=ZERO_OUT)
    Lam = dp_ftrl_regularization(
        steps=D.n, p=D.p, lipschitz=L, distance=t.radius, noise_multiplier=lam
    )
    return dp_ftrl(
        D, clip_norm=L, regularization=factor * Lam, noise_multiplier=lam, **kind
    ).theta


def _root(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    # The Λ of the tree, at the noise of one release: the root's last sum has less.
    D, L = t.problem, t.lipschitz
    lam = _one_release(epsilon)
    Lam = dp_ftrl_regularization(
        steps=D.n, p=D.p, lipschitz=L, distance=t.radius, noise_multiplier=lam
    )
    return matrix_ftrl(
        D, factorization=square_root_factorization(D.n, normalized=True), clip_norm=L,
        noise_multiplier=lam, regularization=factor * Lam, **kind,
    ).theta  # fmt: skip


def _votes(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    # The ball of the ℓ1 norm lies in that of the ℓ2 norm.
    D, R = t.problem, t.radius
    known: dict[str, Any] = {"lipschitz_l1": t.lipschitz_l1}
    steps = private_frank_wolfe_steps(
        epsilon, DELTA, n=D.n, corners=2 * D.p, l1_radius=R, relation=ZERO_OUT,
        curvature_constant=4 * R * R * t.smoothness, **known,
    )  # fmt: skip
    return private_frank_wolfe(
        Problem(D.X, D.y, D.loss, L1Ball(R)), epsilon=epsilon, delta=DELTA,
        steps=max(2, round(factor * steps)), **known, **kind,
    ).theta  # fmt: skip


def _moments(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    del factor  # the ridge is found by the algorithm
    D = t.problem
    return adaptive_least_squares(
        D.X, D.y, row_norm=1.0, label_bound=1.0,
        noise_multiplier=_one_release(epsilon), **kind,
    ).theta  # fmt: skip


def _local(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    D, L = t.problem, t.lipschitz
    rate = local_sgd_learning_rate(
        epsilon, n=D.n, p=D.p, clip_norm=L, distance=t.radius
    )
    return local_sgd(
        D, epsilon=epsilon, clip_norm=L, learning_rate=factor * rate, path_every=D.n,
        rng=kind["rng"], runs=kind["runs"],
    ).theta  # fmt: skip


def _bets(t: Task, epsilon: float, factor: float, kind: dict) -> np.ndarray:
    del factor  # nothing is tuned
    D = t.problem
    return banco(
        Problem(D.X, D.y, D.loss, Everywhere()), epsilon=epsilon,
        clip_norm=t.lipschitz, path_every=D.n, rng=kind["rng"], runs=kind["runs"],
    ).theta  # fmt: skip


def _one_release(epsilon: float) -> float:
    return dp_sgd_noise_multiplier(epsilon, DELTA, steps=1, relation=ZERO_OUT)


_RUN: dict[str, Callable[[Task, float, float, dict], np.ndarray]] = {
    "output perturbation": _gamma_output,
    "output, normal noise": _normal_output,
    "objective perturbation": _gamma_objective,
    "objective, normal noise": _normal_objective,
    "DP-SGD": _sgd,
    "bolt-on SGD": _bolt_on,
    "DP-FTRL, tree": _tree,
    "DP-FTRL, square root": _root,
    "private Frank-Wolfe": _votes,
    "noisy moments": _moments,
    "local SGD": _local,
    "BANCO": _bets,
}
ALGORITHMS = tuple(_RUN)
# These promise pure ε, the others (ε, δ).
PURE = ("output perturbation", "objective perturbation", "local SGD", "BANCO")
# No number of these is tuned.
UNTUNED = ("noisy moments", "BANCO")


def applies(algorithm: str, name: str) -> bool:
    """Say whether an algorithm can run on a task.

    Examples
    --------
    >>> applies("noisy moments", "diabetes"), applies("noisy moments", "breast cancer")
    (True, False)
    """
    return algorithm != "noisy moments" or task(name).problem.loss is squared


def lost(
    algorithm: str, name: str, epsilon: float, factor: float, runs: int, seed: int
) -> np.ndarray:
    """Run an algorithm, and measure what part of the learnable risk it loses.

    Examples
    --------
    >>> found = lost("DP-SGD", "diabetes", 8.0, 1.0, runs=5, seed=0)
    >>> found.shape, bool((0 < found).all() and (found < 40).all())
    ((5,), True)
    """
    each = task(name)
    least, zero = scale_of(name)
    rng = np.random.default_rng([seed, ALGORITHMS.index(algorithm), TASKS.index(name)])
    kind: dict[str, Any] = {"rng": rng, "runs": (runs,), "relation": ZERO_OUT}
    theta = _RUN[algorithm](each, epsilon, factor, kind)
    D = each.problem
    risk = np.asarray(D.risk(D.constraint.project(theta)))
    return 100 * (risk - least) / (zero - least)


@stored(
    uses=(
        output,
        objective,
        gaussian_objective,
        sgd,
        bolt_on,
        ftrl,
        _runs,
        matrix_module,
        private_polytope,
        adaptive_ridge,
        local_sgd_module,
        banco_module,
        _reports,
    ),
    epsilons=EPSILONS,
    factors=FACTORS,
    runs=40,
    seed=0,
)
def four_data_sets(
    epsilons: tuple[float, ...], factors: tuple[float, ...], runs: int, seed: int
) -> dict:
    """Measure mean and middle 80% of what each algorithm loses, on each data set."""
    found: dict[str, dict] = {}
    for name in TASKS:
        found[name] = {}
        for algorithm in ALGORITHMS:
            if not applies(algorithm, name):
                continue
            tried = (1.0,) if algorithm in UNTUNED else factors
            found[name][algorithm] = {
                f"{factor:g}": [
                    _summary(lost(algorithm, name, epsilon, factor, runs, seed))
                    for epsilon in epsilons
                ]
                for factor in tried
            }
    return found


def _summary(shares: np.ndarray) -> list[float]:
    low, high = np.quantile(shares, (0.1, 0.9))
    return [float(f"{value:.4g}") for value in (np.mean(shares), low, high)]
