"""Every algorithm of the book on the problem of the lower bounds, measured once.

The records are vertices of a cube, the risk is linear, the models are the unit ball.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from ...algorithms.geometry import private_frank_wolfe as private_polytope
from ...algorithms.geometry.private_frank_wolfe import private_frank_wolfe
from ...algorithms.gradients import sgd
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
from ...algorithms.pure import exponential, objective, output
from ...algorithms.pure.exponential import exponential_mechanism
from ...algorithms.pure.objective import (
    objective_perturbation,
    objective_perturbation_parameters,
)
from ...algorithms.pure.output import output_perturbation
from ...algorithms.pure.rejection_samplers import LinearOnBall
from ...algorithms.streams import _runs, ftrl
from ...algorithms.streams.ftrl import dp_ftrl, dp_ftrl_noise_multiplier
from ...algorithms.streams.regret import dp_ftrl_regularization
from ...constraints import Everywhere, L1Ball, L2Ball
from ...figures.results import stored
from ...losses import linear
from ...lower_bounds import hard_problem, packing_code, packing_data
from ...privacy import Relation
from ...problem import Problem

DELTA = 1e-6
FEATURES = 100
EPSILONS = (0.5, 1.0, 2.0, 4.0)
RECORDS = (10, 18, 32, 56, 100, 178, 316, 1000)
DESCENT = 200  # T of DP-SGD
REPLACE: dict[str, Any] = {"relation": Relation.REPLACE}
FLAT = 1e-9  # a linear loss has no curvature, but the calibration needs some


def _exponential(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    return exponential_mechanism(
        D, epsilon=epsilon, lipschitz=1.0, sampler=LinearOnBall(), **REPLACE, **kind
    ).theta


def _output(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    lam = 2 / epsilon  # one record replaced
    Lam = sqrt(2 * D.n * D.p * lam)  # the least of n L E‖b‖ + Λ/2
    out = output_perturbation(
        D, lipschitz=1.0, regularization=Lam, noise_multiplier=lam, **REPLACE, **kind
    )
    return D.constraint.project(out.theta)


def _objective(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    Lam = 2 / epsilon * sqrt(D.p * (D.p + 1))  # √E‖b‖², the least of Theorem 6.9
    lam, Lam = objective_perturbation_parameters(
        epsilon, smoothness=FLAT, regularization=Lam, **REPLACE
    )
    return objective_perturbation(
        D, lipschitz=1.0, smoothness=FLAT, regularization=Lam, noise_multiplier=lam,
        **REPLACE, **kind,
    ).theta  # fmt: skip


def _sgd(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=DESCENT, **REPLACE)
    known: dict[str, Any] = {"steps": DESCENT, "noise_multiplier": lam}
    rate = dp_sgd_learning_rate(n=D.n, p=D.p, lipschitz=1.0, distance=1.0, **known)
    return dp_sgd(
        D, clip_norm=1.0, learning_rate=rate, **known, **REPLACE, **kind
    ).theta


def _ftrl(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    lam = dp_ftrl_noise_multiplier(epsilon, DELTA, steps=D.n, **REPLACE)
    known: dict[str, Any] = {"noise_multiplier": lam}
    Lam = dp_ftrl_regularization(steps=D.n, p=D.p, lipschitz=1.0, distance=1.0, **known)
    return dp_ftrl(
        D, clip_norm=1.0, regularization=Lam, **known, **REPLACE, **kind
    ).theta


def _votes(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    # The ball of the ℓ1 norm lies in that of the ℓ2 norm. One vote: the risk is flat.
    inside = Problem(D.X, D.y, linear, L1Ball(1.0))
    return private_frank_wolfe(
        inside, lipschitz_l1=1 / sqrt(D.p), epsilon=epsilon, delta=DELTA, steps=2,
        **REPLACE, **kind,
    ).theta  # fmt: skip


def _local(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    known: dict[str, Any] = {"clip_norm": 1.0}
    rate = local_sgd_learning_rate(epsilon, n=D.n, p=D.p, distance=1.0, **known)
    out = local_sgd(
        D, epsilon=epsilon, learning_rate=rate, path_every=D.n, **known, **kind
    )
    return L2Ball(1.0).project(out.theta)


def _banco(D: Problem, epsilon: float, kind: dict) -> np.ndarray:
    # It takes no constraint and needs none, because its bets grow if records agree.
    free = Problem(D.X, D.y, linear, Everywhere())
    out = banco(free, epsilon=epsilon, clip_norm=1.0, path_every=D.n, **kind)
    return L2Ball(1.0).project(out.theta)


_RUN: dict[str, Callable[[Problem, float, dict], np.ndarray]] = {
    "exponential mechanism": _exponential,
    "output perturbation": _output,
    "objective perturbation": _objective,
    "DP-SGD": _sgd,
    "DP-FTRL": _ftrl,
    "private Frank-Wolfe": _votes,
    "local SGD": _local,
    "BANCO": _banco,
}
ALGORITHMS = tuple(_RUN)
# These promise pure ε, the others (ε, δ).
PURE = (*ALGORITHMS[:3], "local SGD", "BANCO")


def planted(n: int, copies: int, rng: np.random.Generator) -> Problem:
    """Plant a random word: copies of it, and pairs that cancel, in random order.

    Examples
    --------
    >>> D = planted(32, 9, np.random.default_rng(0))
    >>> round(float(np.linalg.norm(D.X.sum(axis=0))), 9)
    8.0
    """
    word = packing_code(p=FEATURES, codewords=1, rng=rng)[0]
    m = copies - (n - copies) % 2
    return hard_problem(rng.permutation(packing_data(word, n=n, copies=m)))


def copies_of(n: int) -> list[int]:
    """List the numbers of copies that are tried: n, n/4, n/16, …, down to 2.

    Examples
    --------
    >>> copies_of(100)
    [100, 25, 6]
    """
    return [n >> shift for shift in range(0, 12, 2) if n >> shift >= 2]


@stored(
    uses=(
        exponential,
        output,
        objective,
        sgd,
        ftrl,
        _runs,
        private_polytope,
        local_sgd_module,
        banco_module,
        _reports,
    ),
    epsilons=EPSILONS,
    records=RECORDS,
    runs=20,
    seed=0,
)
def all_algorithms(
    epsilons: tuple[float, ...], records: tuple[int, ...], runs: int, seed: int
) -> dict:
    """Measure each algorithm's mean excess per record, at the worst of its data."""
    found = {}
    for name, run in _RUN.items():
        table = np.zeros((len(epsilons), len(records)))
        for j, n in enumerate(records):
            for copies in copies_of(n):
                rng = np.random.default_rng([seed, n, copies])
                D = planted(n, copies, rng)
                least = float(np.linalg.norm(D.X.sum(axis=0)))
                for i, epsilon in enumerate(epsilons):
                    theta = run(D, epsilon, {"rng": rng, "runs": (runs,)})
                    excess = float(np.mean(D.risk(theta))) + least
                    table[i, j] = max(table[i, j], excess / n)
        found[name] = [[float(f"{value:.4g}") for value in row] for row in table]
    return found
