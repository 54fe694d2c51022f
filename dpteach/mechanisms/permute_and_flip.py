"""Section 6.4. Permute and flip: try candidates in random order, each with a coin."""

import numpy as np

from .. import checks
from ..arrays import (
    Array,
    Rng,
    as_rng,
)
from ..privacy import Pure, Relation, Release
from ._choices import below_the_best, exponent_of, log_weights, release


def permute_and_flip_probabilities(scores: Array, *, exponent: float) -> np.ndarray:
    r"""Compute the probability of each choice.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    exponent : float
        :math:`c`, in nats per unit of score.

    Returns
    -------
    ndarray
        Probabilities, shape ``(m,)``:
        :math:`q_i \int_0^1 \prod_{j \ne i} (1 - q_j t)\,dt` with
        :math:`q_i = e^{c(s_i - \max s)}`, the coin of candidate i: t is how much of the
        random order has passed.

    Examples
    --------
    >>> scores = np.array([0.0, -1.0, -2.0])
    >>> permute_and_flip_probabilities(scores, exponent=1.0).round(3)
    array([0.765, 0.176, 0.059])
    """
    coin = np.exp(log_weights(scores, exponent))
    # a polynomial of degree m − 1: exact with m/2 nodes
    nodes, weights = np.polynomial.legendre.leggauss(len(coin) // 2 + 1)
    t = (1 + nodes[:, None]) / 2
    left = 1 - coin * t
    others = np.prod(left, axis=1, keepdims=True) / left
    return coin * (weights / 2 @ others)


def permute_and_flip_choice(
    scores: Array,
    *,
    sensitivity: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    monotone: bool = False,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Choose a candidate, never worse on average than the exponential mechanism.

    Parameters
    ----------
    scores : Array
        :math:`s_i`, shape ``(m,)``; the higher, the better.
    sensitivity : float
        :math:`\Delta`, the most that any one score changes between neighbors.
    epsilon : float
        :math:`\varepsilon`. A candidate's coin shows heads with probability
        :math:`e^{c(s_i - \max s)}`, where :math:`c = \varepsilon/2\Delta`.
    rng : int, Generator or None
        The source of the random order and of the coins.
    monotone : bool, optional
        Whether a new record moves all scores the same way, as counts do. Then
        :math:`c = \varepsilon/\Delta` suffices.

    Returns
    -------
    Release
        ``theta``, shape ``runs``, the index of the choice, with its event.

    References
    ----------
    * McKenna and Sheldon (2020), Permute-and-Flip: A New Mechanism for Differentially
      Private Selection.
    * Ding and others (2021), The Permute-and-Flip Mechanism Is Identical to
      Report-Noisy-Max with Exponential Noise.

    Examples
    --------
    >>> votes = np.array([30.0, 28.0, 4.0])
    >>> out = permute_and_flip_choice(votes, sensitivity=1.0, epsilon=1.0, rng=0,
    ...                               monotone=True, relation=Relation.ADD_REMOVE,
    ...                               runs=(10,))
    >>> out.theta
    array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    """
    c = exponent_of(scores, sensitivity, epsilon, monotone)
    runs = checks.shape(scores.shape[0], runs=runs)
    rng, event = as_rng(rng), Pure(epsilon, relation=relation)
    weights = below_the_best(scores, c)

    # 1: i_1, …, i_m ← the candidates in random order
    order = np.argsort(rng.random((*runs, *weights.shape)), axis=-1)
    # 2: toss a coin for each, which falls right with probability e^{c(s_i − max s)}
    coin = np.exp(weights)[order]
    right = rng.random(order.shape) < coin
    # 3: return the first candidate of the order whose coin fell right
    first = np.argmax(right, axis=-1)
    index = np.take_along_axis(order, first[..., None], axis=-1)[..., 0]
    return release(index, event, scores)
