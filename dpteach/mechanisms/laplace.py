"""Section 6.1. The Laplace mechanism: noise of density ∝ exp(−|b|/s) on each number."""

from .. import checks
from ..arrays import (
    Array,
    Rng,
    as_rng,
)
from ..privacy import Pure, Relation, Release
from ._noise import add_noise


def laplace_mechanism(
    values: Array,
    *,
    sensitivity: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish numbers with Laplace noise: ε-private.

    Parameters
    ----------
    values : Array
        :math:`f(D)`, shape ``(p,)``. An entry beyond :math:`2^{48}` times the noise's
        scale is cut there: rounding would swallow the noise.
    sensitivity : float
        :math:`\Delta`, the most that the entries' changes between neighbors add up to.
    epsilon : float
        :math:`\varepsilon`. The noise's scale is :math:`\Delta/\varepsilon`, its
        standard deviation :math:`\sqrt2` times as much.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, of 64-bit floats, with its event.

    References
    ----------
    * Dwork, McSherry, Nissim and Smith (2006), Calibrating Noise to Sensitivity in
      Private Data Analysis.

    Examples
    --------
    >>> import numpy as np
    >>> count = np.array([42.0])
    >>> out = laplace_mechanism(count, sensitivity=1.0, epsilon=0.5, rng=0,
    ...                         relation=Relation.ADD_REMOVE)
    >>> round(float(out.theta[0]), 2)  # off by 2 or so
    42.64
    """
    checks.finite_array(values=values, ndim=1)
    sensitivity, epsilon = checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    runs = checks.shape(values.shape[0], runs=runs)
    rng, event = as_rng(rng), Pure(epsilon, relation=relation)
    noise = rng.laplace(size=(*runs, *values.shape))
    scale = sensitivity / epsilon
    theta = add_noise(values, scale * noise, scale)
    return Release(theta=theta, path=theta[None, ...], event=event)
