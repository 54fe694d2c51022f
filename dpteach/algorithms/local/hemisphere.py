"""Local reports of a fixed length: a random point on the record's side of a sphere."""

from math import exp, lgamma, pi, sqrt, tanh

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_double,
    as_like,
    as_rng,
    clip,
    l2_norm,
    namespace,
)
from ...arrays import standard_normal as normal


def hemisphere_length(epsilon: float, *, p: int, clip_norm: float) -> float:
    r"""Compute the length B of every hemisphere report, for clip norm G.

    .. math:: B = G\sqrt\pi\coth(\varepsilon/2)\,\Gamma(\tfrac{p+1}2)/\Gamma(\tfrac p2)

    Returns
    -------
    float
        At most :math:`G\sqrt{\pi p/2}\,\coth(\varepsilon/2)`, so of order √p.

    Examples
    --------
    >>> [round(hemisphere_length(1.0, p=p, clip_norm=1.0), 1) for p in (1, 100)]
    [2.2, 27.1]
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    p = checks.count(p=p)
    return clip_norm * sqrt(pi) * _gamma_ratio(p) / tanh(epsilon / 2)


def _gamma_ratio(p: int) -> float:
    """Compute Γ((p + 1)/2)/Γ(p/2); by its series where logarithms lose the digits."""
    if p < 1000:
        return exp(lgamma((p + 1) / 2) - lgamma(p / 2))
    return sqrt(p / 2) * (1 - 1 / (4 * p) + 1 / (32 * p**2) + 5 / (128 * p**3))


def hemisphere_randomizer(
    v: Array, *, epsilon: float, clip_norm: float, rng: Rng
) -> Array:
    r"""Send a random point on a sphere, likelier on the side of the vector.

    A vector at the bound G is on the report's side with probability
    :math:`e^\varepsilon/(1 + e^\varepsilon)`, a shorter one with a probability nearer
    to one half. For p = 1 this is randomized response. Source: Duchi, Jordan and
    Wainwright (2018).

    Parameters
    ----------
    v : Array
        Shape ``(n, p)``, one vector per user, or ``(p,)``; clipped to norm G first.
    clip_norm : float
        :math:`G`.

    Returns
    -------
    Array
        The reports, of the shape of ``v``, with mean clip(v, G), all of one length.

    Examples
    --------
    >>> import numpy as np
    >>> bits = np.array([[1.0], [1.0], [-1.0]] * 20_000)
    >>> sent = hemisphere_randomizer(bits, epsilon=1.0, clip_norm=1.0, rng=1)
    >>> np.unique(sent.round(2)), round(float(sent.mean()), 1)
    (array([-2.16,  2.16]), 0.3)
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    checks.finite_array(ndim=1 if getattr(v, "ndim", 2) == 1 else 2, v=v)
    checks.filled(v=v)
    *users, p = v.shape
    rng, xp = as_rng(rng), namespace(v)
    v = clip(v, clip_norm)
    # A uniform direction u, and whether the report lies on the side of v
    u = normal(rng, v.shape, v)
    share = xp.clip(l2_norm(as_double(v)) / clip_norm, max=1.0)
    same = 0.5 + 0.5 * tanh(epsilon / 2) * share
    side = 2 * xp.astype(as_like(rng.random((*users, 1)), same) < same, v.dtype) - 1
    side = xp.where(xp.vecdot(u, v)[..., None] < 0, -side, side)
    length = hemisphere_length(epsilon, p=p, clip_norm=clip_norm)
    return u * (side * length / l2_norm(u))
