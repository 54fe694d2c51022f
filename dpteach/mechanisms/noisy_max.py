"""Section 6.4. Report noisy max: the largest score after Laplace noise wins."""

import numpy as np

from .. import checks
from ..arrays import (
    Array,
    Rng,
    as_rng,
)
from ..privacy import Pure, Relation, Release
from ._choices import below_the_best, exponent_of, log_weights, release


def noisy_max_probabilities(scores: Array, *, exponent: float) -> np.ndarray:
    r"""Compute the probability of each choice under Laplace noise of scale 1/c.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    exponent : float
        :math:`c`, one over the noise's scale.

    Returns
    -------
    ndarray
        Probabilities, shape ``(m,)``: the integrals of one density times the other
        distribution functions, to 1e-12.

    Examples
    --------
    >>> noisy_max_probabilities(np.array([0.0, -1.0, -2.0]), exponent=1.0).round(3)
    array([0.671, 0.246, 0.083])
    """
    s = log_weights(scores, exponent)
    # smooth between the scores: Gauss–Legendre on pieces no longer than 2
    ends = np.unique(np.concatenate([s, [-45.0, 45.0]]).clip(-45, 45))
    ends = np.unique(np.concatenate([ends, np.arange(-45.0, 45.0, 2.0)]))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    half = np.diff(ends)[:, None] / 2
    x = (ends[:-1, None] + half * (1 + nodes)).ravel()[:, None] - s
    log_below = np.where(x < 0, x - np.log(2), np.log1p(-np.exp(-np.abs(x)) / 2))
    all_below = np.sum(log_below, axis=1, keepdims=True)
    density = np.exp(-np.abs(x)) / 2 * np.exp(all_below - log_below)
    mass = (half * weights).ravel() @ density
    return mass / np.sum(mass)


def report_noisy_max(
    scores: Array,
    *,
    sensitivity: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    monotone: bool = False,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Choose the candidate whose score is largest after Laplace noise: ε-private.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    sensitivity : float
        :math:`\Delta`, the most that any one score changes between neighbors.
    epsilon : float
        :math:`\varepsilon`. The noise's scale is :math:`2\Delta/\varepsilon`.
    monotone : bool, optional
        Whether a new record moves all scores the same way, as counts do. Then a scale
        of :math:`\Delta/\varepsilon` suffices.

    Returns
    -------
    Release
        ``theta``, shape ``runs``, the index of the choice, with its event. The noisy
        scores are not published, because all of them together would cost more.

    References
    ----------
    * Bhaskar, Laxman, Smith and Thakurta (2010), Discovering Frequent Patterns in
      Sensitive Data.

    Examples
    --------
    >>> votes = np.array([30.0, 28.0, 4.0])
    >>> out = report_noisy_max(votes, sensitivity=1.0, epsilon=1.0, monotone=True,
    ...                        rng=0, relation=Relation.ADD_REMOVE, runs=(10,))
    >>> out.theta
    array([0, 1, 0, 0, 0, 1, 0, 0, 0, 0])
    """
    c = exponent_of(scores, sensitivity, epsilon, monotone)
    runs = checks.shape(scores.shape[0], runs=runs)
    rng, event = as_rng(rng), Pure(epsilon, relation=relation)
    weights = below_the_best(scores, c)
    noise = rng.laplace(size=(*runs, *weights.shape))
    return release(np.argmax(weights + noise, axis=-1), event, scores)
