"""Beyond trees. How far a record moves Cx that takes part in several steps."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt, sqrt
from operator import itemgetter

import numpy as np

from ... import checks
from ._matrices import toeplitz_matrix
from ._patterns import best_sum, falling_bound, greatest_move, row_bound
from .factorization import Factorization


@dataclass(frozen=True)
class Sensitivity:
    r"""How far one record can move Cx, between two certified bounds.

    With :math:`G = C^\top C`, a record that adds vectors :math:`g_j`, each of norm at
    most 1, in the steps j of a pattern J moves Cx by the root of
    :math:`\sum_{i,j\in J} G_{ij}\langle g_i, g_j\rangle`.

    Parameters
    ----------
    value : float
        No pattern and no directions move Cx further, rounding included. Noise is scaled
        by it.
    lower : float
        What ``participations`` attain, with vectors of at least as many coordinates.
    participations : tuple of int
        The steps, 1, …, T, of the worst pattern that was found.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach.algorithms import independent_factorization
    >>> moved = participation_sensitivity(independent_factorization(9),
    ...                                   participations=4, separation=2)
    >>> round(moved.value, 12), moved.participations  # four columns of length 1
    (2.0, (1, 3, 5, 7))
    """

    value: float
    lower: float
    participations: tuple[int, ...]

    @property
    def exact(self) -> bool:
        """Whether the bounds agree to nine digits."""
        return self.value <= self.lower * (1 + 1e-9)

    @classmethod
    def of_squares(
        cls, lower: float, upper: float, pattern: tuple[int, ...], *, roundings: int
    ) -> "Sensitivity":
        """Take roots of squared moves; move the bounds outward by what rounding may do.

        Each of at most n roundings changes them by a factor within 1 ± 2⁻⁵³. A few more
        are those of the root and of the noise's deviation. Patterns count from 0.
        """
        off = (roundings + 16) * 2.0**-53
        value, lower = sqrt(upper) * (1 + off), sqrt(min(lower, upper)) * (1 - off)
        return cls(value, lower, tuple(int(j) + 1 for j in pattern))


def participation_sensitivity(
    factorization: Factorization, *, participations: int, separation: int
) -> Sensitivity:
    r"""Bound how far a record moves Cx that takes part k times, d steps apart.

    A pattern's move is at most the sum of all :math:`|G_{ij}|`. (1) The diagonal is
    maximized by dynamic programming; the rest is at most k(k - 1) times its largest
    entry. (2) Raise \|G\| until it falls along diagonals and with the lag; then sliding
    and shortening a pattern to (1, 1 + d, …) lowers no entry. (3) Each row is maximized
    on its own, then the sum of these maxima. For (1) see Choquette-Choo and others
    (2023), Multi-Epoch Matrix Factorization Mechanisms; for (2), if no coefficient is
    below 0 or above the one before, Kalinin and Lampert (2024).

    Returns
    -------
    Sensitivity
        Exact if columns at least d apart are orthogonal, as with at most d bands, and
        if G is at least 0 and falls along its diagonals and with the lag from d on, as
        for coefficients that are at least 0 and fall from lag d on. For any C an upper
        bound, the least of three.

    Notes
    -----
    Rounding: an entry of a computed G is off by at most :math:`Tu\|c_i\|\|c_j\|` to
    first order, u = 2⁻⁵³, so a pattern's move by kTu times its square, since that is at
    least the sum of the :math:`\|c_j\|^2`; all sums after that have terms of at least
    0. The value is raised by twice as much.

    Examples
    --------
    >>> from dpteach.algorithms import banded_factorization
    >>> bands = banded_factorization(64, bands=8)
    >>> moved = participation_sensitivity(bands, participations=4, separation=8)
    >>> round(moved.value / bands.sensitivity, 9)  # √k: columns do not overlap
    2.0
    """
    checks.instance(Factorization, factorization=factorization)
    participations, separation = checks.count(
        participations=participations, separation=separation
    )
    C = factorization.encoder
    if C.shape[0] == C.shape[1] and np.array_equal(C, toeplitz_matrix(C[:, 0])):
        found = toeplitz_sensitivity(
            C[:, 0], participations=participations, separation=separation
        )
        if found.exact:
            return found
    G = C.T @ C
    T = len(G)
    d = min(separation, T) if participations > 1 else T
    k = min(participations, -(-T // d))
    size = np.abs(G)
    far = np.abs(np.subtract.outer(np.arange(T), np.arange(T))) >= d
    overlap = k * (k - 1) * size[far].max(initial=0)
    linear, chosen = best_sum(np.diag(G), k, d)
    spaced = [tuple(range(o, T, d)[:k]) for o in range(max(T - (k - 1) * d, d))]
    lower, pattern = _largest(_move(G, J) for J in [*spaced, chosen])
    upper = min(linear + overlap, falling_bound(size, k, d))
    if upper > lower * (1 + 1e-12):
        rows, chosen = row_bound(size, k, d)
        lower, pattern = _largest([(lower, pattern), _move(G, chosen)])
        upper = min(upper, rows)
    return Sensitivity.of_squares(lower, upper, pattern, roundings=_roundings(C, k))


def epochs_sensitivity(factorization: Factorization, *, epochs: int) -> Sensitivity:
    r"""Compute how far a record moves Cx that comes in the same step of each epoch.

    For directions :math:`v_i` and :math:`d_i = G_{ii} + \|\sum_{j\ne i}G_{ij}v_j\|`, no
    move of a pattern of k steps exceeds the root of :math:`\sum_i d_i +
    k\max\{0, \lambda_{\max}(G - \mathrm{diag}(d))\}`. Source: Choquette-Choo and others
    (2023), Multi-Epoch Matrix Factorization Mechanisms.

    Parameters
    ----------
    epochs : int
        :math:`E`, a divisor of T. A record comes in steps o, o + T/E, and so on.

    Returns
    -------
    Sensitivity
        Exact if the signs of G agree within each pattern; else between the moves in
        the best directions that were found, and a bound by duality.

    Examples
    --------
    >>> from dpteach.algorithms import square_root_factorization
    >>> moved = epochs_sensitivity(square_root_factorization(64), epochs=4)
    >>> moved.participations, moved.exact
    ((1, 17, 33, 49), True)
    """
    checks.instance(Factorization, factorization=factorization)
    epochs, T = checks.count(epochs=epochs), factorization.steps
    if T % epochs:
        raise ValueError(
            f"`epochs` must divide the {T} steps of the factorization, got {epochs}."
        )
    G = factorization.encoder.T @ factorization.encoder
    patterns = [tuple(range(o, T, T // epochs)) for o in range(T // epochs)]
    lower, pattern = _largest(_move(G, J) for J in patterns)
    upper = max(greatest_move(G[np.ix_(J, J)])[1] for J in patterns)
    roundings = _roundings(factorization.encoder, epochs)
    return Sensitivity.of_squares(lower, upper, pattern, roundings=roundings)


def toeplitz_sensitivity(
    coefficients: np.ndarray, *, participations: int, separation: int
) -> Sensitivity:
    r"""Bound how far a record moves Cx, for one coefficient per lag and any T.

    Parameters
    ----------
    coefficients : ndarray
        :math:`c_0, \dots, c_{T-1}`, the first column of C.

    Returns
    -------
    Sensitivity
        Exact if no coefficient is below 0 and they fall from lag d on. Work: kT.

    Examples
    --------
    >>> import numpy as np
    >>> found = toeplitz_sensitivity(np.array([1.0, 2, 1, 0, 0, 0, 0, 0, 0, 0]),
    ...                              participations=3, separation=2)
    >>> round(found.value ** 2, 9), found.exact  # it may rise below lag d
    (22.0, True)
    """
    checks.finite_array(ndim=1, coefficients=coefficients)
    checks.filled(coefficients=coefficients)
    participations, separation = checks.count(
        participations=participations, separation=separation
    )
    c, T = coefficients, len(coefficients)
    d = min(separation, T) if participations > 1 else T
    k = min(participations, -(-T // d))
    falling = np.abs(c)
    falling[d:] = np.maximum.accumulate(falling[d:][::-1])[::-1]
    upper, pattern = _first_pattern(falling, k, d), tuple(range(0, T, d)[:k])
    roundings = 2 * k + 2 * isqrt(T) + 10  # of sums of terms that are at least 0
    if (c >= 0).all():
        lower = _first_pattern(c, k, d)
        return Sensitivity.of_squares(lower, upper, pattern, roundings=roundings)
    G = np.empty((k, k))
    for r in range(k):
        sums = np.cumsum(c[: T - r * d] * c[r * d :])
        for i in range(k - r):
            G[i, i + r] = G[i + r, i] = sums[T - (i + r) * d - 1]
    return Sensitivity.of_squares(
        greatest_move(G)[0], upper, pattern, roundings=roundings
    )


def _first_pattern(c: np.ndarray, k: int, d: int) -> float:
    """Compute the squared norm of the sum of columns 0, d, 2d, …"""
    total = np.zeros(len(c))
    for r in range(k):
        total[r * d :] += c[: len(c) - r * d]
    # In √T parts of √T entries: then no sum has more roundings than 2√T
    parts = np.array_split(total, isqrt(len(c)))
    return float(np.sum([part @ part for part in parts]))


def _roundings(C: np.ndarray, k: int) -> int:
    """Count those of G = CᵀC, k entries' worth, and of sums of at most k² entries."""
    return k * (len(C) + 1) + k * k + 4 * k


def _move(G: np.ndarray, pattern: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
    """Return a squared move that the pattern attains, with the pattern."""
    return greatest_move(G[np.ix_(pattern, pattern)])[0], pattern


def _largest(moves: Iterable[tuple]) -> tuple[float, tuple[int, ...]]:
    """Return the largest move, the first of equal ones, with its pattern."""
    return max(moves, key=itemgetter(0))
