"""Exact audits: privacy as linear algebra on maps recovered from running code."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from .. import checks, losses
from ..constraints import Everywhere
from ..privacy import Relation
from ..problem import Problem
from ._releases import demand_function, flat, tolerance
from .tape import NoiseMap, NotGaussian, Tape, noise_map

# What is dropped as rounding in a map that was recovered from running code.
_ROUNDING = 1e-10


def exact_mu(B: np.ndarray, d: np.ndarray) -> float:
    r"""Compute the exact μ at which m + B z and m + d + B z are μ-GDP.

    .. math:: \mu = \|(BB^\top)^{-1/2} d\|_2 = \min\{\|z\|_2 : Bz = d\}

    Parameters
    ----------
    B : ndarray
        The noise matrix, shape ``(outputs, draws)``.
    d : ndarray
        How far one record moves the release, shape ``(outputs,)``; or shape
        ``(outputs, k)`` for a record that may move it by d v with any v of norm 1.

    Returns
    -------
    float
        Infinite if d has a part that no noise covers. Rows of B may have any scale. A
        direction whose noise is below 1e-10 of the largest counts as noiseless, because
        a map that is recovered from running code is no more precise.

    Raises
    ------
    ValueError, TypeError
        If an argument is not a finite array, or the shapes do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> twice = np.array([[2.0, 0.0], [0.0, 2.0]])  # two releases, deviation 2
    >>> exact_mu(twice, np.array([1.0, 1.0]))  # sensitivity 1 each: √2/2
    0.707106781...
    """
    checks.finite_array(ndim=2, B=B)
    checks.finite_array(ndim=2 if np.ndim(d) == 2 else 1, d=d)
    if B.shape[0] != d.shape[0]:
        raise ValueError(
            f"`d` must have one entry per row of B, got {d.shape[0]} and {B.shape[0]}."
        )
    # An output's own scale is public: μ is that of rows of norm one.
    scale = np.linalg.norm(B, axis=1)
    silent = scale <= _ROUNDING * 1e-20
    if np.any(d[silent] != 0):
        return inf
    d = d[:, None] if d.ndim == 1 else d
    B, d = B[~silent] / scale[~silent, None], d[~silent] / scale[~silent, None]
    if not d.any():
        return 0.0
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    noisy = s > _ROUNDING * s[0]
    along = U[:, noisy].T @ d
    if np.linalg.norm(d - U[:, noisy] @ along) > 1e3 * _ROUNDING * np.linalg.norm(d):
        return inf
    return float(np.linalg.norm(along / s[noisy, None], 2))


@dataclass(frozen=True)
class LinearAudit:
    """The two linear maps of a private optimizer on linear losses, and their price.

    Parameters
    ----------
    noise : ndarray
        :math:`B`, shape ``(outputs, draws)``.
    data : ndarray
        Row i is the change that record i makes, shape ``(n, outputs)``.
    mus : ndarray
        The exact Gaussian-differential-privacy parameter of each record, ``(n,)``.
    """

    noise: np.ndarray
    data: np.ndarray
    mus: np.ndarray

    @property
    def mu(self) -> float:
        """The μ of the record with the least privacy."""
        return float(self.mus.max())


def linear_audit(
    release: Callable[[Problem, np.random.Generator], Any],
    *,
    n: int,
    relation: Relation,
    p: int = 2,
    scale: float = 1.0,
) -> LinearAudit:
    """Compute the exact privacy of a Gaussian optimizer from its running code.

    Each record in turn is placed alone among records that do nothing. Its loss is
    linear, so its gradient is the same at every model and the release is affine in
    records and noise. In a stream a record takes part once, and no adaptive choice of
    gradients costs more than this fixed one (the theorem on adaptive Gaussian
    mechanisms). If a record takes part in every step, its gradient may change sign
    between steps, which costs more if noise is used twice: see ``adaptive_audit``.

    Parameters
    ----------
    release : callable
        Takes a ``Problem`` and a ``Generator``, returns all that is published:
        ``lambda D, rng: dp_sgd(D, clip_norm=1.0, ..., rng=rng).path``.
    n : int
        How many records, and so how many positions in the stream.
    relation : Relation
        Which data sets are neighbors: the record is removed, zeroed out, or negated.
    p : int, optional
        The length of a model. The records' direction is dense, so noise whose size
        differs between coordinates shows.
    scale : float, optional
        How long the gradients are before clipping. At 1000, a missing clip shows.

    Returns
    -------
    LinearAudit
        ``mu`` is the price; ``mus`` that of each record.

    Raises
    ------
    NotGaussian
        If the release is not affine in its noise or not a sum over the records, or its
        noise depends on the data.
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> from dpteach import Relation
    >>> def two_sums(problem, rng):  # the same sum, released twice with deviation 5
    ...     g = problem.clipped_gradient(problem.zeros(), 1.0)
    ...     return [g + 5 * rng.standard_normal(g.shape) for _ in range(2)]
    >>> audit = linear_audit(two_sums, n=3, relation=Relation.ZERO_OUT, scale=1000.0)
    >>> round(audit.mu, 6)  # √2/5
    0.282843
    """
    demand_function(release=release)
    n, p = checks.count(n=n, p=p)
    checks.fits(n * n * p, n=n)
    checks.instance(Relation, relation=relation)
    scale = checks.moderate(scale=scale)
    records = np.zeros((n, n, p))  # records[i]: record i alone among those of zero
    direction = np.cos(np.arange(1.0, p + 1))  # dense, and no two coordinates are alike
    records[range(n), range(n)] = scale * direction / np.linalg.norm(direction)

    def run(X: np.ndarray) -> Callable[[np.random.Generator], Any]:
        problem = Problem(X, np.ones(len(X)), losses.linear, Everywhere())
        return lambda rng: release(problem, rng)

    without = 1 if relation is Relation.ADD_REMOVE else 0
    base = noise_map(run(np.zeros((n - without, p))))
    moves = np.array([_move(run(X), base) for X in records])
    together = _move(run(records.sum(axis=0)), base)
    if np.abs(together - moves.sum(axis=0)).max() > 1e-5 * np.abs(moves).sum():
        raise NotGaussian(
            "`release` is not a sum over the records: all of them together do not "
            "move it by the sum of what each one does alone. Is each record's "
            "gradient clipped?",
            "data",
        )
    if relation is Relation.REPLACE:
        moves = moves - np.array([_move(run(-X), base) for X in records])
    return LinearAudit(
        base.matrix, moves, np.array([exact_mu(base.matrix, d) for d in moves])
    )


def _move(
    mechanism: Callable[[np.random.Generator], Any], base: NoiseMap
) -> np.ndarray:
    # How far the data move the release, once its noise is seen to be that of ``base``.
    z = np.random.default_rng(7).standard_normal(base.draws)
    silent, noisy = Tape(), Tape(z)
    mean = flat(mechanism(silent))
    out = flat(mechanism(noisy))
    size = np.abs(mean).max(initial=0.0) + np.abs(base.matrix).max(initial=0.0)
    if (
        mean.shape != base.mean.shape
        or {silent.draws, noisy.draws} != {base.draws}
        or np.abs(out - mean - base.matrix @ z).max(initial=0.0) > tolerance(out) * size
    ):
        raise NotGaussian(
            "`release` has noise, or a length, that depends on the data: both must be "
            "set by public constants alone.",
            "data",
        )
    return mean - base.mean
