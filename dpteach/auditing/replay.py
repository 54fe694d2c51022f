"""Replays: which noise would have made a neighbor publish the same?"""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from ..arrays import Rng, as_rng
from ._releases import demand_function, flat
from .tape import NotGaussian, Tape

_ROUNDS = 30  # of Newton's method; affine maps take one
_STEP = 2.0**-16


def replayed_mu(
    release: Callable[[Any, np.random.Generator], Any],
    data: Any,
    neighbor: Any,
    *,
    rng: Rng,
) -> float:
    r"""Compute how far noise must move so that a neighbor publishes the same.

    .. math:: \min\{\|z' - z\|_2 : \text{release}(D', z') = \text{release}(D, z)\}

    Parameters
    ----------
    release : callable
        ``release(data, rng)`` returns all that is published, as an array: ``lambda D,
        rng: dp_sgd(D, ..., rng=rng).path``. Its noise is normal and drawn from ``rng``;
        coins and permutations are the same in both runs.
    data, neighbor : object
        :math:`D` and :math:`D'`, such as two problems that differ in one record.
    rng : int, Generator or None
        The source of :math:`z` and of the coins.

    Returns
    -------
    float
        Infinite if no noise makes the outputs equal, if one of them is not finite, or
        if the number of draws depends on the data. A μ-GDP release with additive noise
        never exceeds μ, for whatever neighbors and noise, given its coins.

    Raises
    ------
    NotGaussian, TypeError
        If ``release`` is not a function, or draws other noise.

    Notes
    -----
    With the outputs held fixed, an adaptive algorithm asks the same questions of both
    data sets, and only the answers differ: by at most the sensitivity, if it is right.

    References
    ----------
    * Cebere and others (2026), Privacy in Theory, Bugs in Practice: Grey-Box Auditing
      of Differential Privacy Libraries.

    Examples
    --------
    >>> def total(D, rng):  # a sum of numbers from 0 to 1, but nobody cuts them
    ...     return [sum(D) + 2.0 * rng.standard_normal()]
    >>> round(replayed_mu(total, [0.5, 1.0], [0.5], rng=0), 6)  # as stated: 1/2
    0.5
    >>> round(replayed_mu(total, [0.5, 8.0], [0.5], rng=0), 6)
    4.0
    """
    demand_function(release=release)
    rng = as_rng(rng)
    coins = int(rng.integers(2**62))

    def run(data: Any, z: Any) -> tuple[np.ndarray, Tape]:
        tape = Tape(z, others=np.random.default_rng(coins))
        with np.errstate(all="ignore"):
            return flat(release(data, tape)).astype(float), tape

    _, silent = run(data, ())
    _demand_normal(silent)
    z = rng.standard_normal(silent.draws)
    (target, one), (out, two) = run(data, z), run(neighbor, z)
    if (one.draws, one.other) != (two.draws, two.other) or out.shape != target.shape:
        return inf
    if not (np.isfinite(target).all() and np.isfinite(out).all()):
        return inf
    return _shift(lambda w: run(neighbor, w)[0], z, target)


def _demand_normal(tape: Tape) -> None:
    for name in ("laplace", "gumbel", "logistic", "gamma", "standard_gamma"):
        if name in tape.other:
            raise NotGaussian(
                f"`release` drew from rng.{name}, which is not Gaussian.",
                "other distribution",
            )


def _shift(f: Callable[[Any], np.ndarray], z: np.ndarray, target: np.ndarray) -> float:
    """Solve f(z + w) = target for the shortest w, by Newton's method."""
    w = np.zeros_like(z)
    room = 1e-9 * (1 + np.abs(target))
    for _ in range(_ROUNDS):
        missed = target - f(z + w)
        # Column j: how the output moves with the j-th normal.
        J = np.stack([_slope(f, z + w, e) for e in np.eye(z.size)], axis=1)
        along = np.linalg.pinv(J, rcond=1e-9)
        if (np.abs(missed) <= room).all():
            return float(np.linalg.norm(along @ (J @ w)))  # its part that is seen
        step = along @ missed
        if not np.isfinite(step).all():
            return inf
        w = w + step
    return inf


def _slope(f: Callable[[Any], np.ndarray], z: np.ndarray, e: np.ndarray) -> np.ndarray:
    return (f(z + _STEP * e) - f(z - _STEP * e)) / (2 * _STEP)
