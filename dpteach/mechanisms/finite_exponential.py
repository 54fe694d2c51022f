"""Section 6.2. The exponential mechanism over finitely many candidates."""

import numpy as np

from .. import checks
from ..arrays import (
    Array,
    Rng,
    as_rng,
)
from ..privacy import Relation, Release, Selection
from ._choices import below_the_best, exponent_of, log_weights, release


def exponential_choice_probabilities(scores: Array, *, exponent: float) -> np.ndarray:
    r"""Compute the probability of each choice, :math:`\propto e^{c\,s_i}`.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    exponent : float
        :math:`c`, in nats per unit of score.

    Returns
    -------
    ndarray
        Probabilities, shape ``(m,)``.

    Examples
    --------
    >>> scores = np.array([0.0, -1.0, -2.0])
    >>> exponential_choice_probabilities(scores, exponent=1.0).round(3)
    array([0.665, 0.245, 0.09 ])
    """
    weight = np.exp(log_weights(scores, exponent))
    return weight / np.sum(weight)


def exponential_choice(
    scores: Array,
    *,
    sensitivity: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    monotone: bool = False,
    method: str = "gumbel",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Choose a candidate with probability ∝ exp(c · score), of bounded range ε.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    sensitivity : float
        :math:`\Delta`, the most that any one score changes between neighbors.
    epsilon : float
        :math:`\varepsilon`. The exponent is :math:`c = \varepsilon/2\Delta`.
    rng : int, Generator or None
        The source of the random choice.
    monotone : bool, optional
        Whether a new record moves all scores the same way, as counts do. Then
        :math:`c = \varepsilon/\Delta` suffices.
    method : {"gumbel", "inverse_cdf"}, optional
        The largest of the scores with Gumbel noise, or one uniform number looked up in
        the cumulative distribution: two ways to draw from one distribution.

    Returns
    -------
    Release
        ``theta``, shape ``runs``, the index of the choice, with its event.

    References
    ----------
    * McSherry and Talwar (2007), Mechanism Design via Differential Privacy.

    Examples
    --------
    >>> votes = np.array([30.0, 28.0, 4.0])
    >>> out = exponential_choice(votes, sensitivity=1.0, epsilon=1.0, monotone=True,
    ...                          rng=0, relation=Relation.ADD_REMOVE, runs=(10,))
    >>> out.theta
    array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    """
    c = exponent_of(scores, sensitivity, epsilon, monotone)
    checks.one_of(("gumbel", "inverse_cdf"), method=method)
    runs = checks.shape(scores.shape[0], runs=runs)
    rng, event = as_rng(rng), Selection(epsilon, relation=relation)
    weights = below_the_best(scores, c)
    if method == "gumbel":
        noise = rng.gumbel(size=(*runs, *weights.shape))
        index = np.argmax(weights + noise, axis=-1)
    else:
        weights = np.exp(weights)
        total = np.cumsum(weights / np.sum(weights))
        index = np.searchsorted(total[:-1], rng.random(runs), side="right")
    return release(index, event, scores)
