"""Floor 2. The privacy loss distribution: an upper bound, by Fourier transform.

Losses of releases add up, so the distribution of their sum is a convolution. Each is
first moved to a grid: the probability between two adjacent points is divided between
them so that its total stays the same under P and under Q. That lowers no δ(ε), and
raises it only a little if the grid is fine compared with the spread of the losses.
[Doroshenko et al. 2022] Tilting by e^{c·loss} keeps the digits of the tail, what lies
beyond the grid counts as lost outright, and a bound of the rounding error is added.

Every tilt gives an upper bound, and no single tilt is always the best. If records are
rarely sampled, the tilted distribution has two peaks, one without a jump and one with a
jump far beyond ε. A tilt that lands on the second peak makes the grid wide and coarse:
for one step in a hundred thousand, ε came out 75 % too large. So several are tried.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..moments.conversion import OutOfDigits, log_delta_from_moment
from ..pairs.pair import Pair, cumulants, log_lost
from ..rules.gaussian import MARGIN
from .saddle import saddle_at_delta

POINTS = 2**19
ROUNDING = 1e-15
# ln of the largest weight, relative to δ, of the tail beyond the grid
FAR = -23.0
# A probability below this one may have lost digits, or all of itself.
DIGITS = 1e-300


@dataclass(frozen=True)
class LossDistribution:
    """Losses on a grid, their ln P, and ln of what counts as lost outright."""

    loss: np.ndarray
    log_mass: np.ndarray
    log_lost: float

    def log_delta(self, epsilon: float) -> float:
        """Compute an upper bound of ln δ at ε."""
        if epsilon < self.loss[0]:
            return 0.0  # below the grid nothing is known, and δ ≤ 1
        at = int(np.searchsorted(self.loss, epsilon, side="right"))
        loss, log_mass = self.loss[at:], self.log_mass[at:]
        if len(loss) == 0:
            return min(self.log_lost + MARGIN, 0.0)
        top = float(np.max(log_mass))
        terms = np.exp(log_mass - top) * -np.expm1(epsilon - loss)
        total = top + math.log(max(float(np.sum(terms)), 1e-300))
        return min(float(np.logaddexp(total, self.log_lost)) + MARGIN, 0.0)


def good_tilts(
    pairs: Sequence[tuple[Pair, int]],
    *,
    epsilon: float | None = None,
    log_delta: float = 0.0,
) -> tuple[list[float], float, float]:
    """Find tilts worth trying at ε or ln δ, a moment's bound of the other, and ε.

    Without the losses that hardly ever occur, the saddle point lies near the first
    peak, and the best tilt is there or a little below.
    """
    s = np.geomspace(1e-3, 1e7, 200)
    with np.errstate(over="ignore", invalid="ignore"):
        bound = log_delta_from_moment(cumulants(pairs, s)[0], s, epsilon or 0.0)
    least = float(np.nanmin(bound if epsilon is not None else (bound - log_delta) / s))
    if not math.isfinite(least):
        raise OutOfDigits("its numbers leave the range of floats")
    if epsilon is not None:
        log_delta = least = min(float(np.logaddexp(least, log_lost(pairs))), 0.0)
    log_delta = max(log_delta, -750.0)  # less is below every float
    log_each = log_delta + FAR - math.log(sum(k for _, k in pairs))
    cut = [(pair.cut_off(log_each), k) for pair, k in pairs]
    c, near = saddle_at_delta(cut, log_delta)
    return [c, c / 4, c / 16], least, near if epsilon is None else epsilon


def compose(
    pairs: Sequence[tuple[Pair, int]], tilt: float, log_delta: float, at: float
) -> LossDistribution:
    """Convolve tilted distributions: sharp at ε > ``at`` where δ is near e^{log_delta}.

    Whatever the tilt, the result is an upper bound.
    """
    releases = sum(k for _, k in pairs)
    log_beyond = max(log_delta + FAR, -690.0)
    # 1: choose a grid of losses that the sum hardly leaves
    log_above = log_beyond - math.log(releases)
    ranges = [_range(pair, tilt, log_above) for pair, _ in pairs]
    low, high = _window(pairs, ranges, tilt, log_beyond, at)
    widest = max(top - bottom for bottom, top in ranges)
    step = max((high - low) / POINTS, widest / (8 * POINTS))
    first = math.floor(low / step)
    loss = step * (first + np.arange(POINTS))
    # ln P(sum > the last point) ≤ ln E[e^{c'·sum}] − c'·(the last point)
    beyond_last = -_steeper(tilt) * loss[-1]
    product, log_total, lost = np.ones(1, complex), 0.0, []
    # 2: for each kind of release do
    for (pair, k), between in zip(pairs, ranges, strict=True):
        # 3: move its distribution to the grid; totals under P and under Q stay
        index, mass, beyond = _on_grid(pair, step, between)
        lost += [_log(beyond) + math.log(k), pair.log_lost + math.log(k)]
        beyond_last += k * _log_moments(index, mass, _steeper(tilt) * step)
        exponent = np.log(mass) + tilt * step * index
        # 4: tilt it by e^{c·loss}, and transform: sums become products
        log_one = _log_sum(exponent)
        log_total += k * log_one
        circle = np.bincount(index % POINTS, np.exp(exponent - log_one), POINTS)
        product = product * np.fft.rfft(circle) ** k
    # 5: transform back; add what rounding may have taken; take out the tilt
    sums = np.maximum(np.fft.irfft(product, POINTS), 0.0)
    sums = sums + (releases + 20) * ROUNDING * float(np.max(sums))
    log_mass = np.log(np.roll(sums, -(first % POINTS))) + log_total - tilt * loss
    # 6: return the distribution of the sum; what lies beyond counts as lost outright
    log_lost = np.logaddexp.reduce([*lost, np.min(beyond_last)])
    return LossDistribution(loss, log_mass, float(log_lost))


def _log_moments(index: np.ndarray, mass: np.ndarray, c: np.ndarray) -> np.ndarray:
    # At most so large: each of some 4,096 blocks is divided between its two ends, with
    # its mean kept, and e^{c·index} is convex.
    starts = np.arange(0, len(index), -(-len(index) // 4096))
    low, high = index[starts], index[np.append(starts[1:], len(index)) - 1]
    total = np.add.reduceat(mass, starts)
    mean = np.add.reduceat(mass * index, starts) / total
    right = np.clip((mean - low) / np.maximum(high - low, 1), 0, 1)
    ends = np.concatenate([low, high])
    with np.errstate(divide="ignore"):
        log_mass = np.log(np.concatenate([total * (1 - right), total * right]))
    exponent = np.multiply.outer(c, ends) + log_mass
    top = np.max(exponent, axis=1)
    return top + np.log(np.sum(np.exp(exponent - top[:, None]), axis=1))


def _log_sum(exponent: np.ndarray) -> float:
    top = float(np.max(exponent))
    return top + math.log(float(np.sum(np.exp(exponent - top))))


def _window(
    pairs: Sequence[tuple[Pair, int]],
    ranges: list[tuple[float, float]],
    tilt: float,
    log_beyond: float,
    at: float,
) -> tuple[float, float]:
    # Above: the chance of more is below e^{log_beyond}, by a moment at the third
    # figure. Below: what the tilt leaves comes back at the top, where it hardly weighs.
    tilts, log_above = _steeper(tilt), log_beyond - math.log(sum(k for _, k in pairs))
    cut = [(pair.cut_off(log_above), k) for pair, k in pairs]
    high = float(np.min((cumulants(cut, tilts)[0] - log_beyond) / tilts))
    _, mean, variance = cumulants(cut, np.asarray([tilt]))[:, 0]
    if not math.isfinite(mean + variance):
        raise OutOfDigits("its numbers leave the range of floats")
    spread = math.sqrt(max(variance, 0.0))
    low = min(mean - 12 * spread - 1e-3, at)
    return low, max(high, mean + spread, *(top for _, top in ranges))


def _steeper(tilt: float) -> np.ndarray:
    # tilts for a bound on what lies far above
    return np.geomspace(max(tilt, 0.05), 200 + 20 * tilt, 60)


def _on_grid(
    pair: Pair, step: float, between: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, float]:
    """Divide the distribution of one release among the points of the grid."""
    low, high = between
    index = np.arange(math.floor(low / step), math.ceil(high / step) + 1)
    loss = step * index
    p_up, p_down, q_up, q_down = pair.tails(loss)
    # the probability of (loss_i, loss_{i+1}], from the smaller tail: nothing cancels
    upper = p_up[:-1] < 0.5
    p = np.where(upper, p_up[:-1] - p_up[1:], p_down[1:] - p_down[:-1])
    q = np.where(q_up[:-1] < 0.5, q_up[:-1] - q_up[1:], q_down[1:] - q_down[:-1])
    # right + left = p, and right e^{−loss_{i+1}} + left e^{−loss_i} = q. Where q is too
    # small for digits, all goes to the larger loss, which lowers no δ(ε).
    known = q > DIGITS
    lifted = np.zeros(len(q))
    lifted[known] = np.exp(np.log(q[known]) + loss[:-1][known])
    rounding = ROUNDING * np.where(upper, p_up[:-1], p_down[1:])
    right = np.clip((p - lifted + rounding) / -math.expm1(-step), 0, p)
    mass = np.zeros(len(index))
    mass[1:] += right
    mass[:-1] += p - right
    mass[0] += p_down[0]
    keep = mass > 0
    return index[keep], mass[keep], float(p_up[-1])


def _range(pair: Pair, tilt: float, log_beyond: float) -> tuple[float, float]:
    # At most e^{log_beyond} lies above it; what lies below, the tilt makes negligible.
    sizes = np.geomspace(1e-9, 1e9, 800)
    above, below = pair.tails(sizes)[0], pair.tails(-sizes)[1]
    rare = above <= math.exp(log_beyond)
    if not rare[-1]:
        raise OutOfDigits("one loss may leave the widest grid, which ends at 1e9")
    high = sizes[int(np.argmax(rare))]
    low = sizes[int(np.argmax(below <= 1e-20))]
    return -min(float(low), 50 / tilt + 1e-3), float(high)


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
