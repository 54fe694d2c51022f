"""The public rule for Λ, and what agreement with the best model it lets one expect.

Think of p columns that are alike, and of scores that spread by s over the records. The
minimum of the tilted risk then has an expected excess risk proportional to
(λ² + a + Λ²s²)/(a + Λ)², where a = nh/p is how much the records say about a weight, and
h the mean curvature of the loss. The rule takes the Λ of the least excess. What the
noise λ is then follows from ε, δ and Λ.
"""

from functools import lru_cache
from math import asin, expm1, pi, sqrt

import numpy as np

from ..algorithms.pure.gaussian_objective import gaussian_objective_noise_multiplier
from ..privacy import Relation

SPREAD = 2.0  # of the scores of two classes
CURVATURE = 0.2  # the mean curvature of the logistic loss there
LEAST_AGREEMENT = 0.53


@lru_cache(maxsize=1024)
def public_regularization(
    epsilon: float,
    delta: float,
    *,
    n: int,
    p: int,
    smoothness: float = 0.25,
    curvature: float = CURVATURE,
    spread: float = SPREAD,
    sign_monotone: bool = True,
) -> tuple[float, float]:
    r"""Choose :math:`\Lambda` and :math:`\lambda` by public numbers alone."""
    a = n * curvature / p
    least = smoothness / expm1(0.98 * min(epsilon, 700))
    best = (np.inf, 0.0, 0.0)
    for Lam in np.geomspace(max(least, 1e-3), max(1e6 * least, 1e5), 48):
        Lam = float(f"{Lam:.6g}")
        lam = gaussian_objective_noise_multiplier(
            epsilon, delta, smoothness=smoothness, regularization=Lam,
            sign_monotone=sign_monotone, relation=Relation.ZERO_OUT,
        )  # fmt: skip
        excess = (lam**2 + a + (Lam * spread) ** 2) / (a + Lam) ** 2
        best = min(best, (excess, Lam, lam))
    return best[1], best[2]


def expected_agreement(
    noise: float, *, n: int, p: int, curvature: float, spread: float
) -> float:
    """Compute how often a private score has the sign of the best one, in this picture.

    The private score is the best one, shrunk, plus normal noise of a standard deviation
    of ``noise`` in each direction of the gradient. Columns that go together agree more.
    """
    signal = n * curvature / p * spread
    return 0.5 + asin(signal / sqrt(signal**2 + noise**2)) / pi


def require_enough_rows(agreement: float, n: int, p: int, epsilon: float) -> None:
    """Refuse a table that is too small for its budget: by public numbers alone."""
    if agreement < LEAST_AGREEMENT:
        raise ValueError(
            f"`n`, the number of rows, must be larger for `epsilon`={epsilon:g}, got "
            f"{n} for {p} columns of the encoding: noise would hide nearly everything. "
            f"If the columns were alike, {100 * agreement:.0f} of 100 predictions "
            "would be as without it, and a coin makes 50. Nothing was spent. Raise ε, "
            "ignore columns, or collect more rows."
        )
