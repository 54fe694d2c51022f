"""Floor 2. The ε that Rényi divergences guarantee."""

import math
from typing import Any

import numpy as np

from ... import checks


def renyi_epsilon(
    order: Any, divergence: Any, delta: float, *, method: str = "canonne_kamath_steinke"
) -> float:
    r"""Convert Rényi divergences into the ε that they guarantee at a δ.

    Parameters
    ----------
    order : float or array
        :math:`\alpha > 1`; if there are several, the best one counts.
    divergence : float or array
        :math:`D_\alpha` of all releases together, in nats, of the same shape.
    method : {"canonne_kamath_steinke", "basic"}, optional
        The best conversion of one order, with ε = 0 where
        :math:`\sqrt{D_\alpha/2} \le \delta`; or
        :math:`D_\alpha + \ln(1/\delta)/(\alpha - 1)`.

    Returns
    -------
    float
        ε in nats, an upper bound; 0 where the divergences are small enough.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the shapes differ.

    Examples
    --------
    >>> order = np.array([2.0, 4.0, 6.0, 8.0])
    >>> gaussian = order / 2  # λ = 1
    >>> [round(renyi_epsilon(order, gaussian, 1e-6, method=method), 3)
    ...  for method in ("basic", "canonne_kamath_steinke")]
    [5.763, 5.222]
    """
    delta = checks.probability(delta=delta)
    checks.one_of(("canonne_kamath_steinke", "basic"), method=method)
    alpha, divergences = _numbers("order", order), _numbers("divergence", divergence)
    if alpha.shape != divergences.shape or alpha.size == 0:
        raise ValueError(
            f"`order` and `divergence` must have one shape, got {alpha.shape} and "
            f"{divergences.shape}. Compute the divergence at each order."
        )
    if not np.all(alpha > 1):
        raise ValueError(
            f"`order` must be above 1, got {order!r}. Take orders such as 1.5, 2, 4."
        )
    if not np.all(divergences >= 0):
        raise ValueError(
            f"`divergence` must be at least 0, got {divergence!r}. "
            "A Rényi divergence is never negative."
        )
    extra = -math.log(delta) / (alpha - 1)
    if method == "canonne_kamath_steinke":
        # no divergence is below that of order 1, which bounds δ at ε = 0
        least = float(np.min(divergences))
        if min(math.sqrt(least / 2), math.sqrt(-math.expm1(-least))) <= delta:
            return 0.0
        extra = extra + np.log1p(-1 / alpha) - np.log(alpha) / (alpha - 1)
    return max(float(np.min(divergences + extra)), 0.0)


def _numbers(name: str, value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        checks.array(**{name: value})
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"`{name}` must be a real number or an array of them, got {value!r}. "
            "Give one divergence for each order."
        )
    if not np.all(np.isfinite(array)):
        raise ValueError(
            f"`{name}` must be finite throughout, got {value!r}. "
            "Leave out orders whose divergence is infinite."
        )
    return array.astype(float)
