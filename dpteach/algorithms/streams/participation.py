"""DP-FTRL paper, appendix D. What a tree costs when a record comes more than once."""

from functools import lru_cache

import numpy as np

from ... import checks
from .tree import ESTIMATORS

_NEVER = -(1 << 29)  # marks what no pattern can reach; a sum of two still fits 32 bits


def _check_tree(estimator: str, restart_every: int | None, complete: bool) -> None:
    checks.one_of(ESTIMATORS, estimator=estimator)
    checks.instance(bool, complete=complete)
    if restart_every is not None:
        restart_every = checks.count(restart_every=restart_every)
    elif complete:
        raise ValueError(
            "`complete` must be False without `restart_every`, got True. Only a tree "
            "that is followed by another one is filled up."
        )


def squared_sensitivity(
    participations: tuple[int, ...],
    *,
    steps: int,
    estimator: str = "plain",
    restart_every: int | None = None,
    complete: bool = False,
) -> int:
    r"""Compute the squared sensitivity of all prefix sums to one record. [Appendix D]

    .. math:: S^2 = \sum_{v} c_v^2

    with :math:`c_v` the number of the record's participations below node v.

    Parameters
    ----------
    participations : tuple of int
        In which steps, 1, …, T, the record takes part.
    steps : int
        :math:`T`, how many sums are published.
    estimator : {"plain", "honaker"}, optional
        Which nodes are published. Plain sums read left children alone; a Honaker
        estimate reads all nodes (its S² is an upper bound, because T sums reveal less
        than 2T - 1 nodes).
    restart_every : int, optional
        A new tree begins after this many steps; None for a single tree.
    complete : bool, optional
        Each tree but the last is filled up to a power of two before the next begins.

    Returns
    -------
    int
        S², in squared clip norms: ``releases`` of the ``Gaussian`` event.

    Raises
    ------
    ValueError, TypeError
        If a participation is not a step, or occurs twice.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.

    Examples
    --------
    >>> squared_sensitivity((1,), steps=8)
    4
    >>> squared_sensitivity((1, 5), steps=8)  # 3 nodes each, and one of both: 3 + 3 + 4
    9
    """
    steps = checks.count(steps=steps)
    _check_tree(estimator, restart_every, complete)
    checks.instance(tuple, participations=participations)
    for each in participations:
        checks.count(participations=each)
    if restart_every is not None:
        restart_every = checks.count(restart_every=restart_every)
    if len(set(participations)) != len(participations):
        raise ValueError(
            f"`participations` must be different steps, got {participations}. A record "
            "that comes twice in one step is clipped once, as one contribution."
        )
    if participations and max(participations) > steps:
        raise ValueError(
            f"`participations` must be steps 1, …, {steps}, got {participations}."
        )
    every, total = restart_every or steps, 0
    trees: dict[int, list[int]] = {}  # which tree: the leaves in it, from 0
    for t in sorted(participations):
        trees.setdefault((t - 1) // every, []).append((t - 1) % every)
    for tree, leaves in trees.items():
        size = int(min(every, steps - tree * every))
        if complete and (tree + 1) * every < steps:
            size = 1 << (size - 1).bit_length()
        total += _one_tree(tuple(leaves), size, estimator)
    return total


@lru_cache(maxsize=16)  # many trees of one run are alike
def _one_tree(leaves: tuple[int, ...], size: int, estimator: str) -> int:
    """Sum c_v² over the published nodes v of a tree with ``size`` leaves."""
    position, total, h = np.array(leaves), 0, 0
    while (1 << h) <= size:
        block = position >> h
        published = (block + 1) << h <= size
        if estimator == "plain":
            published &= block % 2 == 0
        _, counts = np.unique(block[published], return_counts=True)
        total, h = total + int(np.sum(counts**2)), h + 1
    return total


def epochs_squared_sensitivity(
    *,
    steps_per_epoch: int,
    epochs: int,
    estimator: str = "plain",
    restart_every: int | None = None,
    complete: bool = False,
) -> int:
    r"""Compute the worst S² when every epoch has the same order. [Appendix D]

    Parameters
    ----------
    steps_per_epoch : int
        :math:`s`. A record comes in steps b, b + s, b + 2s, …, for some b.
    epochs : int
        :math:`E`, how many times it comes.
    estimator : {"plain", "honaker"}, optional
        Which nodes are published, as in ``squared_sensitivity``.
    restart_every : int, optional
        A new tree begins after this many steps; None for a single tree.
    complete : bool, optional
        Each tree but the last is filled up to a power of two before the next begins.

    Returns
    -------
    int
        The largest S² over all b.

    Examples
    --------
    >>> settings = {"steps_per_epoch": 100, "epochs": 100, "estimator": "honaker"}
    >>> epochs_squared_sensitivity(**settings)  # not 100 epochs times 14 levels
    14349
    >>> epochs_squared_sensitivity(restart_every=100, **settings)
    700
    """
    steps_per_epoch, epochs = checks.count(
        steps_per_epoch=steps_per_epoch, epochs=epochs
    )
    _check_tree(estimator, restart_every, complete)
    checks.fits(steps_per_epoch * epochs, epochs=epochs)
    return max(
        squared_sensitivity(
            tuple(range(b, steps_per_epoch * epochs + 1, steps_per_epoch)),
            steps=steps_per_epoch * epochs,
            estimator=estimator,
            restart_every=restart_every,
            complete=complete,
        )
        for b in range(1, steps_per_epoch + 1)
    )


def separated_squared_sensitivity(
    *, steps: int, participations: int, separation: int, estimator: str = "plain"
) -> int:
    r"""Compute the worst S² when a record must pause between two steps. [Appendix D]

    Parameters
    ----------
    steps : int
        :math:`T`, the leaves of one tree.
    participations : int
        How many times a record may take part, at most.
    separation : int
        The least number of steps between two participations; 1 is no restriction.
    estimator : {"plain", "honaker"}, optional
        Which nodes are published, as in ``squared_sensitivity``.

    Returns
    -------
    int
        The largest S² over all patterns that keep both rules. It grows as the square
        of ``separation`` in time and memory.

    Examples
    --------
    >>> rules = {"steps": 22, "estimator": "honaker"}
    >>> separated_squared_sensitivity(participations=5, separation=3, **rules)
    57
    >>> max(squared_sensitivity(tuple(range(b, b + 13, 3)), **rules)  # equal spacing
    ...     for b in range(1, 11))
    55
    """
    steps, participations, separation = checks.count(
        steps=steps, participations=participations, separation=separation
    )
    checks.one_of(ESTIMATORS, estimator=estimator)
    checks.fits(
        4 * participations * min(separation, steps) ** 2, participations=participations
    )
    k, d = participations, min(separation, steps)
    # best[c, a, b]: the largest sum of c_v² below a node if c participations lie there,
    # the first at least a leaves from its left end, the last at least b from its right.
    best = np.full((k + 1, d, d), _NEVER, dtype=np.int64)
    best[0], best[1, 0, 0] = 0, 0
    squares = (np.arange(k + 1, dtype=np.int64) ** 2)[:, None, None]
    size, joined = 1, 0
    whole = best  # no leaves yet
    while size <= steps:
        own = np.where(best >= 0, best + squares, _NEVER)  # with the node itself
        if steps & size:
            # A node of the last sum, a left child; the smaller ones lie to its right.
            whole = _join(own, size, whole, joined) if joined else own
            joined += size
        best = _join(own, size, best if estimator == "plain" else own, size)
        size *= 2
    return int(whole[:, 0, 0].max())


def _join(left: np.ndarray, m: int, right: np.ndarray, n: int) -> np.ndarray:
    """Append a block of n leaves to the right of a block of m leaves."""
    d, a = left.shape[1], np.arange(left.shape[1])
    best = np.full_like(left, _NEVER)
    best[0] = 0
    for c in range(1, len(best)):
        np.maximum(best[c], left[c][:, np.maximum(a - n, 0)], out=best[c])
        np.maximum(best[c], right[c][np.maximum(a - m, 0), :], out=best[c])
        for i in range(1, c):
            for gap in range(d):
                # The last on the left is `gap` leaves from the border, the first on the
                # right at least d − 1 − gap: together d steps apart, or more.
                here, there = left[i][:, gap], right[c - i][d - 1 - gap, :]
                if here[0] >= 0 and there[0] >= 0:
                    both = here[:, None] + there[None, :]
                    np.maximum(best[c], both, out=best[c])
    best[best < 0] = _NEVER
    return best


def resampling_multiplicity(n: int, *, failure_probability: float) -> int:
    r"""Compute how often n draws with replacement take one record, at most. [(6.50)]

    Parameters
    ----------
    n : int
        :math:`n`, the number of records, and also of draws.
    failure_probability : float
        :math:`\delta'`, which is added to δ.

    Returns
    -------
    int
        The least k with :math:`\Pr[\mathrm{Bin}(n, 1/n) > k] \le \delta'`. One record's
        sensitivity grows k-fold: multiply the noise by k.

    Notes
    -----
    Only the record in which two neighbors differ counts, not the worst of n. If the
    records are only put in a random order, k = 1.

    Examples
    --------
    >>> resampling_multiplicity(1000, failure_probability=1e-6)  # ln(n/δ') is 20.7
    9
    """
    n = checks.count(n=n)
    failure_probability = checks.probability(failure_probability=failure_probability)
    from scipy.stats import binom  # scipy here: importing dpteach stays fast

    k = 1
    while binom.sf(k, n, 1 / n) > failure_probability:
        k += 1
    return k
