"""Dominating pairs without a closed form, as lists of privacy losses.

A batch drawn with replacement, a fixed batch when a record is replaced, and one random
step per epoch have dominating pairs that the package's events do not name. Their losses
are listed here, and composed by the package's Fourier accountant. Every rounding makes
δ larger.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ... import checks, numerics
from ...accounting.loss_distribution import compose, good_tilts
from ...accounting.sampled import SampledPair, Tails

_POINTS = 2**18
_GROUPS = 3000
_LOSSES = np.geomspace(1e-12, 500, 100_000)


@dataclass(frozen=True)
class ListedPair:
    """A pair of distributions, given as a list of privacy losses.

    Parameters
    ----------
    loss : array
        Ascending.
    mass : array
        The probabilities of these losses under P.
    lost : float
        The probability under P that counts as lost outright.
    """

    loss: np.ndarray
    mass: np.ndarray
    lost: float
    jump = math.inf

    @property
    def greatest(self) -> float:
        """The largest loss."""
        return float(self.loss[-1])

    @property
    def log_lost(self) -> float:
        """Compute ln of what counts as lost outright."""
        return math.log(self.lost) if self.lost else -math.inf

    @cached_property
    def _sums(self) -> Tails:
        other = self.mass * np.exp(-self.loss)
        (p_up, p_down), (q_up, q_down) = (
            (np.append(np.cumsum(m[::-1])[::-1], 0.0), np.append(0.0, np.cumsum(m)))
            for m in (self.mass, other)
        )
        return p_up, p_down, q_up, q_down

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute P(L > loss), P(L ≤ loss), Q(L > loss), Q(L ≤ loss) of the list."""
        at = np.searchsorted(self.loss, loss, side="right")
        p_up, p_down, q_up, q_down = self._sums
        return p_up[at], p_down[at], q_up[at], q_down[at]

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] of the list and two derivatives, for a search."""
        rows = [self._cumulants(float(each)) for each in np.ravel(c)]
        return np.stack(rows, axis=-1).reshape(3, *np.shape(c))

    @cached_property
    def _rough(self) -> tuple[np.ndarray, np.ndarray]:
        # A few thousand groups of adjacent losses, small both in number and in width
        ends = np.linspace(self.loss[0], self.loss[-1], _GROUPS)
        start = np.union1d(
            np.searchsorted(self.loss, ends[:-1]),
            np.linspace(0, len(self.loss) - 1, _GROUPS).astype(int),
        )
        mass = np.add.reduceat(self.mass, start)
        return np.add.reduceat(self.mass * self.loss, start) / mass, mass

    def _cumulants(self, c: float) -> tuple[float, float, float]:
        loss, mass = self._rough
        exponent = c * loss
        top = float(exponent.max())
        weight = mass * np.exp(exponent - top)
        total = float(weight.sum())
        first = float(weight @ loss) / total
        second = float(weight @ loss**2) / total - first**2
        return math.log(max(total, 1e-300)) + top, first, max(second, 0.0)

    def cut_off(self, log_lost: float) -> "ListedPair":
        """Cut the largest losses off, where no more than e^{log_lost} is lost."""
        keep = self._sums[0][:-1] > math.exp(log_lost)
        return ListedPair(self.loss[keep], self.mass[keep], self.lost)


def _listed(loss: np.ndarray, mass: np.ndarray, lost: float) -> ListedPair:
    """List losses; the largest, of probability ``lost`` together, count as lost."""
    seen = mass > 0
    loss, mass = loss[seen], mass[seen]
    keep = np.cumsum(mass[::-1])[::-1] > lost
    return ListedPair(
        loss[keep],
        mass[keep],
        max(0.0, 1 - float(mass.sum())) + float(mass[~keep].sum()),
    )


def binomial_pairs(
    noise_multiplier: float, *, trials: int, probability: float, reach: int
) -> tuple[ListedPair, ListedPair]:
    """List the pair of a sum that moves by a binomial multiple, in both directions.

    Parameters
    ----------
    noise_multiplier : float
        The noise's standard deviation over the clip norm.
    trials, probability : int, float
        The sum moves K ~ Bin(trials, probability) times ...
    reach : int
        ... by this many clip norms: 2 where what is drawn displaces another record.

    Returns
    -------
    tuple of ListedPair
        With the record against without it, and without against with.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.
    """
    from scipy.special import ndtr, ndtri
    from scipy.stats import binom

    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(trials=trials, reach=reach)
    checks.probability(probability=probability)
    times = np.arange(trials + 1)
    weight = binom.pmf(times, trials, probability)
    seen = weight > 1e-18  # what is left out is counted as lost outright
    moves, weight = reach * times[seen] / noise_multiplier, weight[seen]
    # the loss rises with the output: its tails are those of normal mixtures
    x = np.concatenate(
        [ndtri(np.geomspace(1e-30, 0.5, 4000)),
         np.linspace(0.002, moves[-1] + 14, 60_000)]
    )  # fmt: skip
    exponent = np.multiply.outer(x, moves) - moves**2 / 2 + np.log(weight)
    top = exponent.max(axis=1)
    loss = top + np.log(np.exp(exponent - top[:, None]).sum(axis=1))
    with_it = weight @ ndtr(moves[:, None] - x), weight @ ndtr(x - moves[:, None])
    without = ndtr(-x), ndtr(x)
    turned = (each[::-1] for each in (*without[::-1], *with_it[::-1]))
    return _shared(loss, *with_it, *without), _shared(-loss[::-1], *turned)


def _shared(
    loss: np.ndarray,
    p_up: np.ndarray,
    p_down: np.ndarray,
    q_up: np.ndarray,
    q_down: np.ndarray,
) -> ListedPair:
    """Divide each cell's probability between its ends, so that no total changes."""
    p = np.where(p_up[:-1] < 0.5, p_up[:-1] - p_up[1:], np.diff(p_down))
    q = np.where(q_up[:-1] < 0.5, q_up[:-1] - q_up[1:], np.diff(q_down))
    width = np.diff(loss)
    lifted = np.exp(np.log(np.maximum(q, 1e-320)) + np.minimum(loss[:-1], 700)) * (
        q > 0
    )
    right = (p - lifted) / -np.expm1(-np.maximum(width, 1e-300))
    # in a cell too narrow for its digits, all goes to the larger loss
    right = np.where(width > 1e-9, np.clip(right, 0, p), p)
    mass = np.zeros(len(loss))
    mass[1:] += right
    mass[:-1] += p - right
    mass[0] += p_down[0]
    return _listed(loss, mass, 1e-14)


def replaced_pair(noise_multiplier: float, rate: float) -> ListedPair:
    """Give the pair of a fixed batch, m of n records, when one record is replaced.

    Above 0 its losses are those of a removed record that displaces another, below 0
    those of an added one: no single pair of data sets has both.
    """
    checks.positive(noise_multiplier=noise_multiplier)
    checks.probability(rate=rate)
    removed, added = (
        SampledPair(noise_multiplier / 2, rate, each) for each in (True, False)
    )

    loss = np.concatenate([-_LOSSES[::-1], _LOSSES])
    tails = (
        np.where(loss >= 0, above, below)
        for above, below in zip(removed.tails(loss), added.tails(loss), strict=True)
    )
    return _shared(loss, *tails)


def one_bin_pairs(
    noise_multiplier: float, bins: int, lost: float
) -> tuple[ListedPair, ListedPair]:
    r"""List the pair of one uniformly chosen step of ``bins``, in both directions.

    Under Q the likelihood ratio is the mean of ``bins`` independent
    :math:`Y = e^{z/\lambda - 1/(2\lambda^2)}`. Dividing the probability of a cell
    between its ends keeps the mean of Y, and so enlarges E[f(ΣY)] for every convex f:
    no δ moves down.
    """
    checks.positive(noise_multiplier=noise_multiplier)
    checks.count(bins=bins)
    checks.probability(lost=lost)
    return (
        _one_bin(noise_multiplier, bins, lost, True),
        _one_bin(noise_multiplier, bins, lost, False),
    )


def _top(lam: float, bins: int, lost: float) -> float:
    # Where ΣY hardly ever is under P: one large term, and the sum of all the others
    from scipy.special import ndtri

    one = math.exp(-float(ndtri(lost / 2)) / lam + 0.5 / lam**2)
    return one + 2.0 * bins


def _gridded(lam: float, step: float) -> np.ndarray:
    """List Y under Q on multiples of a step, with room for sums; its mean is kept."""
    from scipy.special import ndtr

    edges = step * np.arange(_POINTS + 1)
    with np.errstate(divide="ignore"):
        x = lam * np.log(edges) + 0.5 / lam  # Y ≤ edge where z ≤ x
    probability, mean = (
        np.where(each[:-1] > 0, -np.diff(ndtr(-each)), np.diff(ndtr(each)))
        for each in (x, x - 1 / lam)
    )
    right = np.clip((mean - edges[:-1] * probability) / step, 0, probability)
    mass = np.zeros(2 * _POINTS)
    mass[:_POINTS] += probability - right
    mass[1 : _POINTS + 1] += right
    return mass


def _one_bin(lam: float, bins: int, lost: float, removed: bool) -> ListedPair:
    step = (_top(lam, bins, lost) if removed else 4.0 * bins) / _POINTS
    mass = _gridded(lam, step)
    value = step * np.arange(2 * _POINTS)
    transformed = np.fft.rfft(mass)
    if removed:  # P: one term of the sum has the density of Y times its value
        sums = np.fft.irfft(np.fft.rfft(mass * value) * transformed ** (bins - 1))
    else:
        sums = np.fft.irfft(transformed**bins)
    sums = np.maximum(sums, 0.0)
    loss = np.log(value[1:] / bins)
    if removed:
        pair = _listed(loss, sums[1:], lost)
        return replace(pair, lost=pair.lost + _beyond(mass, value, bins))
    # without the record the losses are −loss, the lowest also for what lies beyond
    listed = sums[:0:-1].copy()
    listed[0] += max(0.0, 1 - float(sums.sum()))
    return _listed(-loss[::-1], listed, lost)


def _beyond(mass: np.ndarray, value: np.ndarray, bins: int) -> float:
    # Chernoff's bound of what the circle of the transform brings back at its start
    half = _POINTS + 1
    mass, value, bound = mass[:half], value[:half], 0.0
    for tilt in np.geomspace(1, 300, 24) / value[-1]:
        weight = mass * np.exp(tilt * (value - value[-1]))
        one, other = float(weight @ value), float(weight.sum())
        reach = tilt * value[-1]
        log_total = math.log(one) + reach + (bins - 1) * (math.log(other) + reach)
        bound = min(bound, log_total - 2 * reach)
    return math.exp(bound)


def composed_epsilon(
    directions: Sequence[ListedPair], *, releases: int, delta: float
) -> float:
    """Bound from above the ε of adaptive releases, each dominated by the same pair.

    Parameters
    ----------
    directions : sequence of ListedPair
        The pair in each direction of a change.
    releases : int
        How many releases.
    delta : float
        At which δ.

    Returns
    -------
    float
        An upper bound of ε.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.algorithms import fixed_batches_event
    >>> pairs = binomial_pairs(4.0, trials=1, probability=0.01, reach=2)
    >>> ours = composed_epsilon(pairs, releases=100, delta=1e-6)
    >>> event = fixed_batches_event(4.0, batch_size=1, n=100, releases=100)
    >>> 1 <= ours / epsilon_of(event, 1e-6) < 1.001
    True
    """
    checks.count(releases=releases)
    checks.probability(delta=delta)
    epsilon = 0.0
    for pair in directions:
        left = delta - releases * pair.lost
        pairs: list[tuple[Any, int]] = [(pair, releases)]
        if left <= 0:
            raise ValueError(
                f"`delta` must exceed what the pairs count as lost outright, "
                f"{releases * pair.lost:.3g}, got {delta!r}. Give a larger one."
            )
        log_delta = math.log(left)
        tilts, bound, near = good_tilts(pairs, log_delta=log_delta)
        found = [bound]
        for tilt in tilts:
            grid = compose(pairs, tilt, log_delta, near / 2)
            if grid.log_delta(bound) <= log_delta:
                found.append(_least(grid.log_delta, log_delta, bound))
        epsilon = max(epsilon, min(found))
    return epsilon


def _least(curve: Callable[[float], float], log_delta: float, most: float) -> float:
    if curve(0.0) <= log_delta:
        return 0.0
    return numerics.safe_root(lambda e: curve(e) - log_delta, 0.0, most)
