"""Propose, test, release: noise for the data at hand, after a private test of them."""

from math import log

import numpy as np

from .. import checks
from ..arrays import Array, Rng, as_rng, to_numpy
from ..privacy import Approximate, Relation, Release
from ._noise import add_noise


def median_distance(
    values: Array, *, proposed_sensitivity: float, low: float, high: float
) -> int:
    r"""Count the records that must change before the median is more sensitive.

    Parameters
    ----------
    values : Array
        An odd number of values, shape ``(n,)``; what lies beyond ``low`` and ``high``
        counts as lying there. n is public: records are replaced.
    proposed_sensitivity : float
        :math:`\beta`, how far one replaced record may move the median.
    low, high : float
        Public ends of the range of values.

    Returns
    -------
    int
        :math:`\gamma`, the least number of replaced records after which one more could
        move the median by over β; n if β is at least the range.

    Notes
    -----
    After k replacements one more moves the median by at most
    :math:`\max_t v_{(m + t)} - v_{(m + t - k - 1)}`, where :math:`v_{(m)}` is the
    median of the sorted values and :math:`0 \le t \le k + 1`. [Nissim, Raskhodnikova
    and Smith (2007)]

    Examples
    --------
    >>> close = np.array([1.0, 2.0, 2.1, 2.2, 9.0])
    >>> median_distance(close, proposed_sensitivity=1.0, low=0.0, high=10.0)
    1
    """
    checks.finite_array(values=values, ndim=1)
    beta = checks.positive(proposed_sensitivity=proposed_sensitivity)
    low, high = checks.finite(low=low, high=high)
    n = values.shape[0]
    if n % 2 == 0:
        raise ValueError(
            f"`values` must be odd in number, got {n}, so that there is one median. "
            "Leave one out at random, or add one."
        )
    v = np.sort(to_numpy(values).astype(float).clip(low, high))
    v = np.concatenate([np.full(n, low), v, np.full(n, high)])
    m = n + n // 2
    for k in range(n):
        t = np.arange(k + 2)
        if np.max(v[m + t] - v[m + t - k - 1]) > beta:
            return k
    return n


def propose_test_release(
    value: float,
    *,
    distance: float,
    proposed_sensitivity: float,
    epsilon: float,
    delta: float,
    rng: Rng,
    relation: Relation,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish a number with noise for a proposed sensitivity, or publish nothing.

    Parameters
    ----------
    value : float
        :math:`f(D)`.
    distance : float
        :math:`\gamma(D)`, how many records must change before one more can move f by
        over β. It must be exact, or a lower bound that one record moves by at most 1.
    proposed_sensitivity : float
        :math:`\beta`, chosen without a look at the data.
    epsilon, delta : float
        :math:`(\varepsilon, \delta)` in total: half of ε for the test, half for the
        number, and δ for a test that passes by bad luck.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, 2)``: 1 and the number, or 0 and 0 where the test
        failed, which is an answer too, and part of what is paid for.

    References
    ----------
    * Dwork and Lei (2009), Differential Privacy and Robust Statistics.

    Examples
    --------
    >>> out = propose_test_release(2.1, distance=100, proposed_sensitivity=0.1,
    ...                            epsilon=1.0, delta=1e-6, rng=0,
    ...                            relation=Relation.REPLACE)
    >>> out.theta.round(2)  # noise of scale 0.2: a range of 10 would need 20
    array([1.  , 1.98])
    """
    value, distance = checks.answer(value=value), checks.answer(distance=distance)
    beta = checks.moderate(proposed_sensitivity=proposed_sensitivity)
    epsilon = checks.moderate(epsilon=epsilon)
    delta = checks.probability(delta=delta)
    runs = checks.shape(2, runs=runs)
    rng, event = as_rng(rng), Approximate(epsilon, delta, relation=relation)
    b = 2 / epsilon

    # 1: γ̂ ← γ(D) + Lap(2/ε)
    gamma = np.asarray(distance + b * rng.laplace(size=runs))
    # 2: y ← f(D) + Lap(2β/ε)
    noise = rng.laplace(size=runs)
    y = add_noise(np.asarray(value), b * beta * noise, b * beta)
    # 3: if γ̂ > (2/ε) ln(1/2δ) then return (1, y), else return (0, 0)
    passed = gamma > b * max(log(1 / (2 * delta)), 0.0)
    theta = np.where(passed[..., None], np.stack([0 * y + 1, y], axis=-1), 0.0)
    return Release(theta=theta, path=theta[None, ...], event=event)
