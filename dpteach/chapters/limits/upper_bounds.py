"""What the book's theorems promise on the problem of the lower bounds.

The settings are those with which ``same_problem`` runs the algorithms.
"""

from collections.abc import Callable
from math import inf, log, sqrt

import numpy as np

from ... import checks
from ...algorithms.geometry.private_frank_wolfe import private_frank_wolfe_noise
from ...algorithms.gradients.sgd import dp_sgd_noise_multiplier, dp_sgd_risk_bound
from ...algorithms.pure.exponential import (
    exponential_mechanism_exponent,
    exponential_mechanism_risk_bound,
)
from ...algorithms.pure.objective import (
    objective_perturbation_parameters,
    objective_perturbation_risk_bound,
)
from ...algorithms.pure.output import output_perturbation_risk_bound
from .same_problem import (
    ALGORITHMS,
    DELTA,
    DESCENT,
    FEATURES,
    FLAT,
    RECORDS,
    REPLACE,
)


def _exponential(_n: int, epsilon: float) -> float:
    c = exponential_mechanism_exponent(epsilon, lipschitz=1.0, diameter=2.0, **REPLACE)
    return exponential_mechanism_risk_bound(c, p=FEATURES)


def _output(n: int, epsilon: float) -> float:
    lam = 2 / epsilon
    Lam = sqrt(2 * n * FEATURES * lam)
    return output_perturbation_risk_bound(
        n=n, p=FEATURES, lipschitz=1.0, distance=1.0,
        regularization=Lam, noise_multiplier=lam,
    )  # fmt: skip


def _objective(_n: int, epsilon: float) -> float:
    lam, Lam = objective_perturbation_parameters(
        epsilon, smoothness=FLAT,
        regularization=2 / epsilon * sqrt(FEATURES * (FEATURES + 1)), **REPLACE,
    )  # fmt: skip
    return objective_perturbation_risk_bound(
        p=FEATURES, lipschitz=1.0, distance=1.0,
        regularization=Lam, noise_multiplier=lam,
    )  # fmt: skip


def _sgd(n: int, epsilon: float) -> float:
    lam = dp_sgd_noise_multiplier(epsilon, DELTA, steps=DESCENT, **REPLACE)
    return dp_sgd_risk_bound(
        n=n, p=FEATURES, steps=DESCENT, noise_multiplier=lam,
        lipschitz=1.0, distance=1.0,
    )  # fmt: skip


def _votes(n: int, epsilon: float) -> float:
    b = private_frank_wolfe_noise(
        epsilon, DELTA, steps=2, lipschitz_l1=1 / sqrt(FEATURES), l1_radius=1.0,
        **REPLACE,
    )  # fmt: skip
    # One vote among 2p corners errs by b ln 2p on average, and the risk is flat. The
    # best of the small ball leaves 1 − 1/√p of the planted sum, which n records bound.
    return b * log(2 * FEATURES) + n * (1 - 1 / sqrt(FEATURES))


_PROMISE: dict[str, Callable[[int, float], float]] = {
    "exponential mechanism": _exponential,
    "output perturbation": _output,
    "objective perturbation": _objective,
    "DP-SGD": _sgd,
    "private Frank-Wolfe": _votes,
}


def promised_excess(algorithm: str, epsilon: float) -> np.ndarray:
    """Bound an algorithm's mean excess per record from above, by its theorem.

    Examples
    --------
    >>> float(promised_excess("exponential mechanism", 1.0)[-1])  # p/c = 400, n = 1000
    0.4
    """
    checks.one_of(ALGORITHMS, algorithm=algorithm)
    checks.positive(epsilon=epsilon)
    if algorithm not in _PROMISE:
        return np.full(len(RECORDS), inf)
    return np.array([_PROMISE[algorithm](n, epsilon) / n for n in RECORDS])
