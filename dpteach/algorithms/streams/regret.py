"""Theorem 6.15 and Lecture 14. The cost of privacy in DP-FTRL, with constants."""

from math import log, sqrt

import numpy as np

from ... import checks
from .tree import ESTIMATORS, prefix_variance


def _noise_factor(
    steps: int, p: int, estimator: str, failure_probability: float | None
) -> float:
    """Bound (1/n) Σ_{t<n} ‖b_t‖ over σ: in expectation, or with probability 1 − β.

    The noise in θ_t is that of s_{t−1}, so b_0 = 0 counts and b_n does not. The sum is
    a Lipschitz function of the nodes, near its mean without a union bound.
    """
    deviation = float(np.mean(_deviations(steps, estimator)))
    return deviation * (sqrt(p) + sqrt(2 * _logarithm(failure_probability)))


def _deviations(steps: int, estimator: str) -> np.ndarray:
    """Return √V_0, …, √V_{n−1}: V_t has a node for each binary digit of t that is 1."""
    checks.fits(4 * steps, steps=steps)
    variances = np.zeros(1)
    while variances.size < steps:
        node = prefix_variance(variances.size, estimator=estimator)
        variances = np.concatenate([variances, variances + node])
    return np.sqrt(variances[:steps])


def _logarithm(failure_probability: float | None) -> float:
    """Return ln(1/β), or 0 for a bound in expectation."""
    if failure_probability is None:
        return 0.0
    return -log(checks.probability(failure_probability=failure_probability))


def dp_ftrl_regularization(
    *,
    steps: int,
    p: int,
    noise_multiplier: float,
    lipschitz: float,
    distance: float,
    estimator: str = "plain",
    failure_probability: float | None = None,
) -> float:
    r"""Compute the Λ at which the regret bound is least. [Theorem 6.15]

    .. math:: \Lambda = \frac{L}{W}\sqrt{2n\bigl(\lambda\bar K + \tfrac12\bigr)}

    Parameters
    ----------
    steps : int
        :math:`n`, the length of the stream.
    distance : float
        :math:`W`, a guess of :math:`\|\theta^*\|_2`: half the diameter of a centered
        :math:`\mathcal C` always suffices.
    failure_probability : float or None, optional
        :math:`\beta`; None tunes the bound in expectation.

    Returns
    -------
    float
        :math:`\Lambda`, with K̄ from ``dp_ftrl_regret_bound``; larger with more noise.

    Examples
    --------
    >>> settings = {"steps": 1000, "p": 10, "lipschitz": 1.0, "distance": 1.0}
    >>> round(dp_ftrl_regularization(noise_multiplier=1e-9, **settings), 1)  # √n
    31.6
    >>> round(dp_ftrl_regularization(noise_multiplier=13.4, **settings), 1)
    432.0
    """
    steps, p = checks.count(steps=steps, p=p)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    distance = checks.moderate(distance=distance)
    checks.one_of(ESTIMATORS, estimator=estimator)
    K = _noise_factor(steps, p, estimator, failure_probability)
    return lipschitz / distance * sqrt(2 * steps * (noise_multiplier * K + 0.5))


def dp_ftrl_regret_bound(
    *,
    steps: int,
    p: int,
    noise_multiplier: float,
    regularization: float,
    lipschitz: float,
    distance: float,
    penalty: float = 0.0,
    estimator: str = "plain",
    failure_probability: float | None = None,
) -> dict[str, float]:
    r"""Bound the average regret of DP-FTRL, term by term. [Theorem 6.15]

    .. math:: \frac1n\sum_{t=1}^n \ell(\theta_t; d_t) - \ell(\theta^*; d_t) \le
        \frac{L^2\lambda\bar K}{\Lambda} + \frac{L^2}{2\Lambda}
        + \frac{\Lambda W^2}{2n} + \frac1n\sum_{t=1}^n r_t(\theta^*)

    :math:`\bar K = \frac1n\sum_{t<n}\sqrt{V_t}\,(\sqrt p + \sqrt{2\ln(1/\beta)})` with
    V_t the ``prefix_variance``, and without the second root in expectation. E-27 and
    F-07 correct the theorem's units, E-28 its concentration, L-05 its last term.

    Parameters
    ----------
    steps : int
        :math:`n`, the length of the stream.
    lipschitz, distance : float
        L bounds every gradient, so that clipping changes nothing, and W ≥ ‖θ*‖.
    penalty : float, optional
        The average of r_t(θ*), at least 0; see Corollary 4.2 of the DP-FTRL paper.
    failure_probability : float or None, optional
        :math:`\beta`. None bounds the expectation, for a θ* fixed beforehand; else the
        bound holds with probability :math:`1 - \beta`, for all θ* at once.

    Returns
    -------
    dict of str to float
        The terms ``noise``, ``stability``, ``bias`` and, if it is not 0, ``penalty``,
        and their ``total``, for a convex loss, any convex set and any order of records.

    Examples
    --------
    >>> bound = dp_ftrl_regret_bound(steps=1000, p=10, noise_multiplier=13.4,
    ...                              regularization=432.0, lipschitz=1.0, distance=1.0)
    >>> {name: round(term, 3) for name, term in bound.items()}
    {'noise': 0.215, 'stability': 0.001, 'bias': 0.216, 'total': 0.432}
    """
    steps, p = checks.count(steps=steps, p=p)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    regularization, distance = checks.moderate(
        regularization=regularization, distance=distance
    )
    penalty = checks.nonnegative(penalty=penalty)
    checks.one_of(ESTIMATORS, estimator=estimator)
    L, Lam, W = lipschitz, regularization, distance
    K = _noise_factor(steps, p, estimator, failure_probability)
    terms = {
        "noise": L**2 * noise_multiplier * K / Lam,
        "stability": L**2 / (2 * Lam),
        "bias": Lam * W**2 / (2 * steps),
    }
    if penalty:
        terms["penalty"] = penalty
    return {**terms, "total": sum(terms.values())}


def least_squares_regret_bound(
    *,
    steps: int,
    p: int,
    noise_multiplier: float,
    regularization: float,
    row_norm: float,
    radius: float,
    estimator: str = "plain",
    failure_probability: float | None = None,
) -> dict[str, float]:
    r"""Bound the regret of DP-FTRL for least squares. [Theorem 4.3, DP-FTRL paper]

    .. math:: \frac1{2n} + \frac{LW\lambda}{n}
        \Bigl((LW + 1)\sqrt p + \sqrt{(L^2W^2 + 8)\ln\tfrac1\beta}\Bigr)
        \sum_{t=1}^{n-1}\frac{\sqrt{V_t}}{t}
        + \frac{\Lambda W^2}{2n}\sum_{t=1}^{n-1}\frac1t
        + \frac{LW(LW + 2)}{2n}\sum_{t=1}^{n-1}\frac1{\sqrt t}

    The theorem has the rate, :math:`1/\sqrt n + \sqrt p\,\lambda/n` up to logarithms;
    the constants are ours.

    Parameters
    ----------
    steps : int
        :math:`n`, the length of the stream; its records are independent draws.
    row_norm, radius : float
        The rows' norm L, with labels in [-1, 1], and the ball's radius W ≥ ‖θ*‖.
    failure_probability : float or None, optional
        :math:`\beta`. None bounds the mean over records and noise, without the root
        that has :math:`\beta` in it; else the noise is such, with probability
        :math:`1 - \beta`, that the mean over the records keeps the bound.

    Returns
    -------
    dict of str to float
        The terms ``start``, ``noise``, ``bias`` and ``sampling`` and their ``total``,
        for the losses :math:`\frac12(\langle x_t, \theta\rangle - y_t)^2`.

    Examples
    --------
    >>> kind = dict(p=10, noise_multiplier=7.0, regularization=1.0, row_norm=1.0)
    >>> for n in (1000, 100_000):  # noise falls as 1/n, sampling as 1/√n
    ...     bound = least_squares_regret_bound(steps=n, radius=1.0, **kind)
    ...     print(round(bound["noise"], 4), round(bound["sampling"], 4))
    0.5447 0.0927
    0.0109 0.0095
    """
    steps, p = checks.count(steps=steps, p=p)
    noise_multiplier, regularization = checks.moderate(
        noise_multiplier=noise_multiplier, regularization=regularization
    )
    row_norm, radius = checks.moderate(row_norm=row_norm, radius=radius)
    checks.one_of(ESTIMATORS, estimator=estimator)
    checks.fits(4 * steps, steps=steps)
    n, reach, t = steps, row_norm * radius, np.arange(1, steps)
    deviations = float(np.sum(_deviations(n, estimator)[1:] / t))
    size = (reach + 1) * sqrt(p)
    size += sqrt((reach**2 + 8) * _logarithm(failure_probability))
    terms = {
        "start": 1 / (2 * n),
        "noise": reach * noise_multiplier * size * deviations / n,
        "bias": regularization * radius**2 / (2 * n) * float(np.sum(1 / t)),
        "sampling": reach * (reach + 2) / (2 * n) * float(np.sum(t**-0.5)),
    }
    return {**terms, "total": sum(terms.values())}


def online_to_batch_bound(
    regret: float,
    *,
    steps: int,
    lipschitz: float,
    diameter: float,
    failure_probability: float,
) -> float:
    r"""Bound the excess population risk of the average model. [Lecture 14; (6.50)]

    The records are independent draws, and each comes once, so that θ_t does not depend
    on d_t. Source: Cesa-Bianchi, Conconi and Gentile (2004).

    Parameters
    ----------
    regret : float
        The average regret against the best fixed model, or a bound on it.
    failure_probability : float
        :math:`\beta'`, in addition to that of ``regret``.

    Returns
    -------
    float
        :math:`R + L\|\mathcal C\|_2\sqrt{2\ln(1/\beta')/n}`, for n = ``steps``. In
        expectation the regret itself is a bound.

    Examples
    --------
    >>> online_to_batch_bound(0.427, steps=1000, lipschitz=1.0, diameter=2.0,
    ...                       failure_probability=0.01)
    0.618...
    """
    regret = checks.finite(regret=regret)
    steps = checks.count(steps=steps)
    lipschitz, diameter = checks.moderate(lipschitz=lipschitz, diameter=diameter)
    failure_probability = checks.probability(failure_probability=failure_probability)
    tail = sqrt(-2 * log(failure_probability) / steps)
    return regret + lipschitz * diameter * tail
