"""Section 6.5.1. The least risk itself: in closed form, or by a linear program.

For few signs the general bounds are 0. What is possible there is known exactly.
"""

from itertools import combinations, combinations_with_replacement, product
from math import exp, sqrt
from typing import Any

import numpy as np

from .. import checks

MODELS, STEPS = 32, 64  # on the circle, and from −1 to 1


def sign_minimax_excess(epsilon: float, delta: float = 0.0, *, n: int) -> float:
    r"""Compute the minimax excess of the linear risk of n signs under (ε, δ)-DP.

    .. math:: \max_S 2S\,w_S, \qquad w_{S+2} = f(1 - w_S)

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n : int
        How many records there are, each a sign.

    Returns
    -------
    float
        The least expected excess that some algorithm has on every data set, a sum over
        records; about :math:`2/(e\varepsilon)` if n is large, ε is small and δ is 0.

    Notes
    -----
    :math:`w_S` is the least chance to print the wrong sign if the records add up to S,
    and f is the trade-off function of :math:`(\varepsilon, \delta)`. If n is even and
    δ = 0, the sign of the sum plus Laplace noise reaches it.

    Examples
    --------
    >>> round(sign_minimax_excess(1.0, n=2), 4)  # 2/e
    0.7358
    """
    epsilon = checks.moderate(epsilon=epsilon)
    delta = checks.below_one(delta=delta)
    n = checks.count(n=n)
    factor = exp(-min(epsilon, 700.0))
    # 1/2 where the signs cancel, and f(c) = c where they cannot
    wrong = 0.5 if n % 2 == 0 else (1 - delta) * factor / (1 + factor)
    worst = 0.0
    for S in range(n % 2, n + 1, 2):
        worst = max(worst, 2 * S * wrong)
        if 2 * n * wrong <= worst:  # it only falls from here on
            break
        # f(1 − w), of which the second branch is the larger one below c
        wrong = max(0.0, (wrong - delta) * factor)
    return worst


def gaussian_sign_minimax_excess(mu: float, *, n: int) -> float:
    r"""Compute the minimax excess of the linear risk of n signs under μ-GDP.

    .. math:: \max_S 2S\,\Phi(-\mu S/2), \qquad S \in \{n, n - 2, \dots\}

    Parameters
    ----------
    mu : float
        :math:`\mu` of Gaussian differential privacy under replacement.
    n : int
        How many records there are, each a sign.

    Returns
    -------
    float
        The least expected excess that some algorithm has on every data set, a sum over
        records; about :math:`0.68/\mu` if n is large. The sign of the sum plus noise
        :math:`\mathcal N(0, 4/\mu^2)` reaches it.

    Examples
    --------
    >>> round(gaussian_sign_minimax_excess(0.25, n=1000), 3)
    2.72
    """
    from scipy.special import ndtr  # scipy here: importing stays fast

    mu = checks.moderate(mu=mu)
    n = checks.count(n=n)
    checks.fits(n, n=n)
    S = np.arange(n % 2, n + 1, 2)
    return float(np.max(2 * S * ndtr(-mu * S / 2)))


def minimax_excess(epsilon: float, *, n: int, p: int) -> tuple[float, float]:
    r"""Enclose the minimax excess of the linear risk under ε-DP, for one or two signs.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, in nats, when one record is replaced.
    n, p : int
        How many records there are, in :math:`\{\pm 1/\sqrt p\}^p`, and how many entries
        each has: at most 8 records of 1 entry, or 2 of 2.

    Returns
    -------
    tuple of float
        A number that no algorithm can beat, and one that some algorithm reaches.

    Notes
    -----
    Only how often each corner occurs can matter, so the chances of all models on all
    such data sets solve a linear program, in which models are 1 and −1, or 32 points of
    the circle. Its dual solution proves the first number: each model of the ball,
    shrunk by cos(π/32), is a mean of these points.

    Examples
    --------
    >>> low, high = minimax_excess(1.0, n=2, p=1)
    >>> round(low, 4), round(high, 4)
    (0.7358, 0.7358)
    """
    epsilon = checks.moderate(epsilon=epsilon)
    n, p = _small(n, p)
    data, pairs = _data_sets(n, p)
    angle = 2 * np.pi * np.arange(MODELS) / MODELS
    models = np.array([[1.0], [-1.0]])
    if p == 2:
        models = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    S = data.sum(axis=1)
    excess = np.linalg.norm(S, axis=1)[:, None] - S @ models.T
    low, high = _enclose(excess, pairs, epsilon)
    shrunk = 1.0 if p == 1 else float(np.cos(np.pi / MODELS))
    # ‖S‖ − c⟨θ, S⟩ = c·excess + (1 − c)‖S‖, and ‖S‖ ≤ n
    return max(0.0, (low - (1 - shrunk) * n) / shrunk), high


def minimax_mean_error(epsilon: float, *, n: int) -> tuple[float, float]:
    r"""Enclose the minimax error of the mean of n signs under ε-DP.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, in nats, when one record is replaced.
    n : int
        How many records there are, each a sign; at most 8.

    Returns
    -------
    tuple of float
        Two root mean square errors: one that no algorithm can beat on all data, and one
        that some algorithm reaches.

    Notes
    -----
    The program knows answers on a grid. An answer between two points becomes one of
    them, at random and right on average, which adds at most 64⁻² to the mean square.

    Examples
    --------
    >>> low, high = minimax_mean_error(1.0, n=2)
    >>> round(low, 2), round(high, 2)
    (0.72, 0.72)
    """
    epsilon = checks.moderate(epsilon=epsilon)
    n, _ = _small(n, 1)
    data, pairs = _data_sets(n, 1)
    answers = np.linspace(-1.0, 1.0, STEPS + 1)
    squares = (answers - data.mean(axis=1)) ** 2
    low, high = _enclose(squares, pairs, epsilon)
    return sqrt(max(0.0, low - STEPS**-2)), sqrt(high)


def _small(n: int, p: int) -> tuple[int, int]:
    n, p = checks.count(n=n, p=p)
    checks.between(1, 2, p=p)
    checks.between(1, 8 if p == 1 else 2, n=n)
    return n, p


def _data_sets(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    """List all data sets of n corners up to order, and all ordered pairs of neighbors.

    Examples
    --------
    >>> data, pairs = _data_sets(2, 2)
    >>> data.shape, len(pairs)  # 10 data sets of 2 records with 2 entries
    ((10, 2, 2), 48)
    """
    corners = np.array(list(product((-1.0, 1.0), repeat=p))) / sqrt(p)
    lists = list(combinations_with_replacement(range(2**p), n))
    place = {chosen: k for k, chosen in enumerate(lists)}
    pairs = [
        [place[tuple(sorted((*rest, a)))], place[tuple(sorted((*rest, b)))]]
        for rest in combinations_with_replacement(range(2**p), n - 1)
        for one in combinations(range(2**p), 2)
        for a, b in (one, one[::-1])
    ]
    return corners[np.array(lists)], np.array(pairs)


def _enclose(
    losses: np.ndarray, pairs: np.ndarray, epsilon: float
) -> tuple[float, float]:
    """Solve for the least worst mean loss; rows are data sets, columns are answers.

    Variables: the chances P of all answers, and the risk r. The least r such that each
    row of P is a distribution with mean loss at most r, and P_i ≤ e^ε P_j. Both ends
    are computed again from the solutions of program and dual, which may be rough.
    """
    from scipy.optimize import linprog  # scipy here: importing stays fast
    from scipy.sparse import block_array, csr_array, eye_array, kron

    (rows, answers), factor = losses.shape, exp(epsilon)
    number = np.arange(len(pairs))
    apart = csr_array((np.ones(len(pairs)), (number, pairs[:, 0])), (len(pairs), rows))
    apart = apart - factor * csr_array(
        (np.ones(len(pairs)), (number, pairs[:, 1])), (len(pairs), rows)
    )
    mean = csr_array(kron(eye_array(rows), np.ones((1, answers))))
    risk = mean.multiply(losses.ravel())
    private = kron(apart, eye_array(answers))
    solved = linprog(
        np.append(np.zeros(rows * answers), 1.0),
        A_ub=block_array([[risk, -np.ones((rows, 1))], [private, None]]).tocsr(),
        b_ub=np.zeros(rows + len(pairs) * answers),
        A_eq=block_array([[mean, np.zeros((rows, 1))]]).tocsr(),
        b_eq=np.ones(rows),
        method="highs",
    )
    dual = np.maximum(0.0, -solved.ineqlin.marginals)
    return (
        _proved(losses, private, dual[:rows], dual[rows:]),
        _reached(losses, pairs, factor, solved.x[:-1].reshape(losses.shape)),
    )


def _proved(
    losses: np.ndarray, private: Any, prior: np.ndarray, prices: np.ndarray
) -> float:
    """Bound the least risk from below, by any prior and any prices of privacy."""
    prior = prior / prior.sum()
    cost = prior[:, None] * losses + (private.T @ prices).reshape(losses.shape)
    return float(cost.min(axis=1).sum())


def _reached(
    losses: np.ndarray, pairs: np.ndarray, factor: float, chances: np.ndarray
) -> float:
    """Mend a solution's last digits: mix it with the uniform answer.

    Mixing with weight w adds w/answers to both sides: it suffices where the excess of
    P_i over e^ε P_j is at most (e^ε − 1) w/answers.
    """
    answers = losses.shape[1]
    P = np.maximum(chances, 0.0)
    P = P / P.sum(axis=1, keepdims=True)
    over = float(np.max(P[pairs[:, 0]] - factor * P[pairs[:, 1]]))
    w = max(0.0, over) * answers / (factor - 1)
    w = w / (1 + w)
    return float(np.max(np.sum(((1 - w) * P + w / answers) * losses, axis=1)))
