"""Batches that may hold several records of yours: a mixture against noise alone.

A batch drawn with replacement holds a record K times, and a user with many records is
in a Poisson batch K times, where K is binomial. No event of the package names such a
pair. Its losses are listed here, and composed by the package's contour accountant.
"""

import math
from collections.abc import Sequence

import numpy as np

from ... import checks
from ...accounting.integration.contour import Contour
from ...accounting.pairs.listed import Cells, ListedPair, divided

# How many cells lie near, and in each tail beyond ten standard deviations
FINE, COARSE = 2**15, 2**10
FAR = 30.0


def binomial_pairs(
    noise_multiplier: float, *, trials: int, probability: float, reach: int
) -> tuple[ListedPair, ListedPair]:
    """List the pair of a sum that moves by a binomial multiple, in both directions."""
    from scipy.stats import binom

    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(trials=trials, reach=reach)
    checks.probability(probability=probability)
    times = np.arange(trials + 1)
    weight = binom.pmf(times, trials, probability)
    seen = weight > 1e-18  # what is left out is counted as lost outright
    cells = _cells(reach * times[seen] / noise_multiplier, np.log(weight[seen]))
    return cells.sampled(1.0, True), cells.sampled(1.0, False)


def _cells(moves: np.ndarray, log_weight: np.ndarray) -> Cells:
    """Sort outputs of Σ_k w_k N(m_k, 1), and of N(0, 1), into likelihood ratios."""
    most = float(moves[-1])
    near = np.linspace(-10, 10 + most, FINE + int(FINE / 20 * most))
    below = np.linspace(-FAR, -10, COARSE)[:-1]
    above = np.linspace(10 + most, FAR + most, COARSE)[1:]
    edges = np.concatenate([below, near, above])
    node, weight = np.polynomial.legendre.leggauss(4)
    low, width = edges[:-1, None], np.diff(edges)[:, None]
    x = low + width * (node + 1) / 2

    def log_ratio(x: np.ndarray) -> np.ndarray:
        exponents = (
            m * x - m**2 / 2 + w for m, w in zip(moves, log_weight, strict=True)
        )
        return np.logaddexp.reduce(list(exponents), axis=0)

    density = -(x**2) / 2 + np.log(weight * width / 2) - math.log(2 * math.pi) / 2
    at_edge = log_ratio(edges)
    # of each output, the share that goes to the right end keeps the mean of the ratio
    rise, whole = log_ratio(x) - at_edge[:-1, None], np.diff(at_edge)[:, None]
    # (where the ratio hardly changes, any share does)
    share = np.expm1(np.maximum(rise, 1e-300)) / np.expm1(np.maximum(whole, 1e-290))
    share = np.log(np.minimum(share, 1))
    ratio, log_mass = divided(
        at_edge,
        np.logaddexp.reduce(density, axis=1),
        np.logaddexp.reduce(density + share, axis=1),
    )
    return Cells(ratio, log_mass, math.log(1e-17 + 1e-18 * len(moves)))


def composed_epsilon(
    directions: Sequence[ListedPair], *, releases: int, delta: float
) -> float:
    """Bound from above the ε of adaptive releases, each dominated by the same pair.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.algorithms import fixed_batches_event
    >>> pairs = binomial_pairs(4.0, trials=1, probability=0.01, reach=2)
    >>> ours = composed_epsilon(pairs, releases=100, delta=1e-6)
    >>> event = fixed_batches_event(4.0, batch_size=1, n=100, releases=100)
    >>> 1 <= ours / epsilon_of(event, 1e-6) < 1.000001
    True
    """
    checks.count(releases=releases)
    checks.probability(delta=delta)
    lost = max(releases * math.exp(pair.log_lost) for pair in directions)
    if lost >= delta:
        raise ValueError(
            f"`delta` must exceed what the pairs count as lost outright, {lost:.3g}, "
            f"got {delta!r}. Give a larger one."
        )
    return max(
        Contour([(pair, releases)]).least_epsilon(math.log(delta))[1]
        for pair in directions
    )
