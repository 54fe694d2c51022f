"""Section 6.2. Noise of density ∝ exp(−‖b‖₂/s): one length for all coordinates."""

import numpy as np

from .. import checks
from ..arrays import (
    Array,
    Rng,
    as_rng,
    l2_laplace,
)
from ..privacy import Pure, Relation, Release
from ._noise import add_noise


def k_norm_mechanism(
    values: Array,
    *,
    sensitivity: float,
    epsilon: float,
    rng: Rng,
    relation: Relation,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish a vector with noise scaled to its Euclidean change: ε-private.

    Parameters
    ----------
    values : Array
        :math:`f(D)`, shape ``(p,)``. An entry beyond :math:`2^{48}` times the noise's
        scale is cut there: rounding would swallow the noise.
    sensitivity : float
        :math:`\Delta`, the most that the answer moves between neighbors, in Euclidean
        norm.
    epsilon : float
        :math:`\varepsilon`. The noise has density
        :math:`\propto e^{-\varepsilon\|b\|_2/\Delta}` and a mean length of
        :math:`p\Delta/\varepsilon`.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, of 64-bit floats, with its event.

    References
    ----------
    * Hardt and Talwar (2010), On the Geometry of Differential Privacy.

    Examples
    --------
    >>> import numpy as np
    >>> out = k_norm_mechanism(np.zeros(100), sensitivity=1.0, epsilon=1.0, rng=0,
    ...                        relation=Relation.ADD_REMOVE)
    >>> round(float(np.linalg.norm(out.theta)))  # about p; Laplace noise: p√2 · 10
    105
    """
    checks.finite_array(values=values, ndim=1)
    sensitivity, epsilon = checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    runs = checks.shape(values.shape[0], runs=runs)
    event = Pure(epsilon, relation=relation)
    scale, like = sensitivity / epsilon, np.zeros((*runs, *values.shape))
    theta = add_noise(values, l2_laplace(as_rng(rng), scale, like), scale)
    return Release(theta=theta, path=theta[None, ...], event=event)
