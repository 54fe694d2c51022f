"""Users with one report each, and the risk of their models: chapters 19 and 20."""

from math import exp, lgamma, pi, sqrt
from typing import Any

import numpy as np

from ... import checks, losses
from ...algorithms.local import _reports, _stakes, betting
from ...algorithms.local import banco as banco_module
from ...algorithms.local import local_sgd as local_sgd_module
from ...algorithms.local.banco import banco
from ...algorithms.local.local_sgd import local_sgd, local_sgd_learning_rate
from ...constraints import Everywhere
from ...figures.results import stored
from ...problem import Problem

P = 5

EPSILONS = (1.0, 4.0, 16.0)

BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

DISTANCES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)

FACTORS = (1 / 16, 1 / 4, 1.0, 4.0, 16.0, 64.0, 256.0)

USES = (
    banco_module,
    betting,
    local_sgd_module,
    _reports,
    _stakes,
)


def users(n: int, distance: float) -> Problem:
    """Put users on the unit sphere; each knows ⟨w*, x⟩ exactly, with ‖w*‖ given.

    Examples
    --------
    >>> D = users(3, 2.0)  # without noise in the labels, the best model has no risk
    >>> float(D.risk(np.array([2.0, 0, 0, 0, 0])))
    0.0
    """
    checks.count(n=n)
    checks.positive(distance=distance)
    X = np.random.default_rng(0).standard_normal((n, P))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return Problem(X, distance * X[:, 0], losses.absolute, Everywhere())


# The risk of the zero model over ‖w*‖: E|x_1| of a uniform direction.
UNIT_RISK = exp(lgamma(P / 2) - lgamma((P + 1) / 2)) / sqrt(pi)


def risk_left(theta: np.ndarray, distance: float) -> float:
    """Compute the mean population risk of models, over that of the zero model.

    Examples
    --------
    >>> risk_left(np.zeros((2, 5)), 3.0)  # E|⟨x, w − w*⟩| is linear in ‖w − w*‖
    1.0
    """
    checks.finite_array(ndim=2, theta=theta)
    checks.positive(distance=distance)
    away = np.linalg.norm(theta - distance * np.eye(P)[0], axis=-1)
    return float(np.mean(away)) / distance


def digits(value: float) -> float:
    """Keep five digits of what is stored."""
    return float(f"{value:.5g}")


@stored(
    uses=USES,
    epsilons=BUDGETS,
    distances=DISTANCES,
    factors=FACTORS,
    n=10_000,
    runs=16,
    seed=1,
)
def risk_by_learning_rate(
    epsilons: tuple[float, ...],
    distances: tuple[float, ...],
    factors: tuple[float, ...],
    n: int,
    runs: int,
    seed: int,
) -> dict:
    """Measure SGD at seven rates around the best one for norm 1, and BANCO."""
    sgd = np.empty((len(epsilons), len(distances), len(factors)))
    untuned = np.empty(sgd.shape[:2])
    for i, epsilon in enumerate(epsilons):
        known: dict[str, Any] = {"epsilon": epsilon, "clip_norm": 1.0}
        best = local_sgd_learning_rate(epsilon, n=n, p=P, clip_norm=1.0, distance=1.0)
        known |= {"rng": seed, "runs": (runs,), "path_every": n}
        for j, distance in enumerate(distances):
            D = users(n, distance)
            untuned[i, j] = risk_left(banco(D, **known).theta, distance)
            for k, factor in enumerate(factors):
                out = local_sgd(D, learning_rate=factor * best, **known)
                sgd[i, j, k] = risk_left(out.theta, distance)
    return {
        "sgd": np.vectorize(digits)(sgd).tolist(),
        "banco": np.vectorize(digits)(untuned).tolist(),
    }
