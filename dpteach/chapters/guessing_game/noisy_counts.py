"""A count with the least noise for a promise, for two figures on privacy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import checks
from ...accounting import gaussian_mu
from ...privacy import (
    Event,
    Gaussian,
    Pure,
    Relation,
)

NOISES = ("Laplace", "normal")
# The δ at which normal noise is priced: large, to be seen.
SEEN_DELTA = 0.01


@dataclass(frozen=True)
class Distribution:
    """The distribution of the noise on a count, and the promise that it keeps.

    ``log_density`` is 0 at the peak; ``above`` says how often the noise exceeds a
    number. The promise is ``event``, priced at ``delta``.
    """

    scale: float
    log_density: Callable[[Any], Any]
    above: Callable[[Any], Any]
    event: Event
    delta: float


def least_noise(epsilon: float, noise: str) -> Distribution:
    """Find the least noise that hides one record in a count.

    Examples
    --------
    >>> distribution = least_noise(2.0, "Laplace")
    >>> distribution.scale, float(distribution.above(0.0))
    (0.5, 0.5)
    """
    checks.positive(epsilon=epsilon)
    checks.one_of(NOISES, noise=noise)
    return _laplace(epsilon) if noise == "Laplace" else _normal(epsilon)


def _laplace(epsilon: float) -> Distribution:
    def above(x: Any) -> Any:
        tail = np.exp(-abs(x) * epsilon) / 2
        return np.where(np.asarray(x) < 0, 1 - tail, tail)[()]

    event = Pure(epsilon, relation=Relation.ADD_REMOVE)
    return Distribution(1 / epsilon, lambda x: -abs(x) * epsilon, above, event, 0.0)


def _normal(epsilon: float) -> Distribution:
    from scipy.special import ndtr

    mu = gaussian_mu(epsilon, SEEN_DELTA)
    event = Gaussian(1 / mu, relation=Relation.ADD_REMOVE)
    return Distribution(
        1 / mu, lambda x: -((mu * x) ** 2) / 2, lambda x: ndtr(-mu * x), event,
        SEEN_DELTA,
    )  # fmt: skip
