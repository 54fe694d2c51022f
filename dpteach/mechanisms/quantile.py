"""Private quantiles: the exponential mechanism on the line, drawn exactly."""

import numpy as np

from .. import checks
from ..arrays import Array, Rng, as_rng, to_numpy
from ..privacy import Relation, Release, Selection


def private_quantile(
    values: Array,
    *,
    quantile: float,
    low: float,
    high: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Draw a number that about a share α of all values lies below.

    Parameters
    ----------
    values : Array
        One number of each record, shape ``(n,)``. What lies beyond ``low`` and ``high``
        counts as lying there.
    quantile : float
        :math:`\alpha`, the share; 0.5 is a median.
    low, high : float
        Public ends of the range from which the answer is drawn.
    epsilon : float
        :math:`\varepsilon`. An answer o is drawn with density
        :math:`\propto \exp(-\varepsilon\,\lvert\#\{v_i < o\} - \alpha n\rvert/2\Delta)`
        , where :math:`\Delta = \max\{\alpha, 1 - \alpha\}` if records come and go, and
        1 else.

    Returns
    -------
    Release
        ``theta``, shape ``runs``, with its event, of bounded range.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    References
    ----------
    * Smith (2011), Privacy-Preserving Statistical Estimation with Optimal Convergence
      Rates.

    Examples
    --------
    >>> values = np.linspace(0, 10, 1001)
    >>> out = private_quantile(values, quantile=0.9, low=0.0, high=100.0, epsilon=0.5,
    ...                        rng=0, relation=Relation.ADD_REMOVE, runs=(4,))
    >>> out.theta.round(1)
    array([9.2, 9. , 9. , 9. ])
    """
    checks.finite_array(values=values, ndim=1)
    quantile = checks.between(0, 1, quantile=quantile)
    low, high = checks.finite(low=low, high=high)
    if not low < high:
        raise ValueError(f"`low` must be below `high`, got {low!r} and {high!r}.")
    epsilon = checks.moderate(epsilon=epsilon)
    n = values.shape[0]
    runs = checks.shape(n + 1, runs=runs)
    rng, event = as_rng(rng), Selection(epsilon, relation=relation)
    alpha, comes = quantile, relation is Relation.ADD_REMOVE
    Delta = max(alpha, 1 - alpha) if comes else 1.0

    # 1: v_1 ≤ … ≤ v_n ← the values, cut to [low, high]; v_0 ← low; v_{n+1} ← high
    inside = np.sort(to_numpy(values).astype(float).clip(low, high))
    v = np.concatenate([[low], inside, [high]])
    # 2: choose i ∈ {0, …, n} with probability ∝ (v_{i+1} − v_i) exp(−ε|i − αn|/2Δ)
    with np.errstate(divide="ignore"):  # two equal values leave no room between them
        room = np.log(np.diff(v))
    score = room - epsilon * np.abs(np.arange(n + 1) - alpha * n) / (2 * Delta)
    i = np.argmax(score + rng.gumbel(size=(*runs, n + 1)), axis=-1)
    # 3: return a uniform number from [v_i, v_{i+1}]
    theta = np.asarray(v[i] + (v[i + 1] - v[i]) * rng.random(runs))
    return Release(theta=theta, path=theta[None, ...], event=event)
