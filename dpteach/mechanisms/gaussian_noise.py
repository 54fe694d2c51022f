"""Section 6.1. The Gaussian mechanism: as much normal noise as (ε, δ) needs."""

import math

from .. import checks
from ..accounting import gaussian_mu
from ..arrays import (
    Array,
    Rng,
    as_rng,
    to_numpy,
)
from ..privacy import Gaussian, Relation, Release
from ._noise import add_noise


def gaussian_mechanism(
    values: Array,
    *,
    sensitivity: float,
    epsilon: float,
    delta: float,
    rng: Rng,
    relation: Relation,
    method: str = "exact",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish numbers with Gaussian noise: (ε, δ)-private.

    Parameters
    ----------
    values : Array
        :math:`f(D)`, shape ``(p,)``. An entry beyond :math:`2^{48}` times the noise's
        scale is cut there: rounding would swallow the noise.
    sensitivity : float
        :math:`\Delta`, the most that the answer moves between neighbors, in Euclidean
        norm. Under ``REPLACE`` a sum of vectors of norm at most L moves by 2L.
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`.
    method : {"exact", "classical"}, optional
        The least noise that suffices, or the standard deviation
        :math:`\Delta\sqrt{2\ln(1.25/\delta)}/\varepsilon`, which is proved for
        :math:`\varepsilon \le 1`, fails from about 8 on, and is refused above 1.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, of 64-bit floats, with its event.

    References
    ----------
    * Dwork and others (2006), Our Data, Ourselves: Privacy via Distributed Noise
      Generation.
    * Balle and Wang (2018), Improving the Gaussian Mechanism for Differential Privacy:
      Analytical Calibration and Optimal Denoising.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.accounting import epsilon_of
    >>> mean = np.array([0.3, -0.1])
    >>> out = gaussian_mechanism(mean, sensitivity=0.01, epsilon=1.0, delta=1e-6, rng=0,
    ...                          relation=Relation.REPLACE, method="classical")
    >>> round(epsilon_of(out.event, 1e-6), 2)  # the classical noise is more than enough
    0.78
    """
    checks.finite_array(values=values, ndim=1)
    sensitivity, epsilon = checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    delta = checks.probability(delta=delta)
    checks.instance(Relation, relation=relation)
    checks.one_of(("exact", "classical"), method=method)
    runs = checks.shape(values.shape[0], runs=runs)
    if method == "classical":
        if epsilon > 1:
            raise ValueError(
                f"`epsilon` must be at most 1 for the classical formula, got "
                f"{epsilon!r}. Take method='exact', which holds for every epsilon."
            )
        mu = epsilon / math.sqrt(2 * math.log(1.25 / delta))
    else:
        mu = gaussian_mu(epsilon, delta)
    # the event counts noise in units of one record's norm; REPLACE moves two of them
    event = Gaussian(relation.sensitivity / mu, relation=relation)
    sigma, size = sensitivity / mu, (*runs, *values.shape)
    noise = sigma * to_numpy(as_rng(rng).standard_normal(size))
    theta = add_noise(values, noise, sigma)
    return Release(theta=theta, path=theta[None, ...], event=event)
