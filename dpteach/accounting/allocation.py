"""Floor 2. Random allocation: each record takes part in one of k steps, at random.

The pair is the mean of N(e_t, λ²I) over the k steps t, against N(0, λ²I). Without the
record its likelihood ratio R is the mean of k independent Y = e^{z/λ − 1/2λ²}, where z
is standard normal. If the probability of a cell of Y is divided between its ends, Y
keeps its mean and spreads out. So E[f(R)] grows for each convex f, and with it every
δ(ε). [Feldman and Shenfeld 2026] The sum of all k follows by a Fourier transform, with
a bound of its rounding error.

The grid is even. With λ below 1 some Y are so large that it is coarse for the others,
and then the price, an upper bound always, may be some percent above the truth.
"""

import math
from dataclasses import dataclass

import numpy as np

from .listed import ListedPair
from .moments import OutOfDigits
from .pairs import GaussianPair

# Points of the grid for sums of Y, and of the list of losses
POINTS, LISTED = 2**20, 2**13
# The probability of a Y beyond the grid: lost if it is large, moved if that is worse
LOST, MOVED = 1e-13, 1e-8
ROUNDING = 1e-15


@dataclass(frozen=True, order=True)
class OneOfSteps:
    """Gaussian releases, each record in one of them.

    Parameters
    ----------
    noise_multiplier : float
        λ.
    steps : int
        k.
    """

    noise_multiplier: float
    steps: int
    two_directions, largest, rho = True, math.inf, None
    tight = False

    @property
    def spread(self) -> float:
        """What μ the release has if the step is known: 1/λ."""
        return 1 / self.noise_multiplier

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates all k steps together."""
        k, (step, mass, left_out) = self.steps, self._one_step(removed)
        value = step * np.arange(len(mass))
        start = self._start(mass, value, step)
        transformed = np.fft.rfft(mass, POINTS)
        if removed:  # under P one term has the density of Y times its value
            product = np.fft.rfft(mass * value, POINTS) * transformed ** (k - 1)
        else:
            product = transformed**k
        sums = np.roll(np.fft.irfft(product, POINTS), -(start % POINTS))
        sums = np.maximum(sums, 0) + (k + 20) * ROUNDING * float(np.max(sums))
        ratio = step * (start + np.arange(POINTS)) / k
        # What lies beyond one end of the circle comes back at the other. That is worse
        # for one end, and for the other it is counted as lost.
        lost = self._beyond(mass, value, step * (start + POINTS)) if removed else LOST
        return _relisted(ratio, sums, removed, lost + left_out)

    def reached(self, removed: bool) -> GaussianPair:  # noqa: ARG002  (as for every kind)
        """Return the pair of the sum of all steps, which says less than they do."""
        return GaussianPair(1 / (self.noise_multiplier * math.sqrt(self.steps)))

    def _one_step(self, removed: bool) -> tuple[float, np.ndarray, float]:
        """List Y on a grid, its mean kept, and what is lost beyond the grid, under P.

        If a record is added, less Y is worse: what is beyond the grid moves to its end.
        """
        from scipy.special import ndtr, ndtri

        lam, k = self.noise_multiplier, self.steps
        # under P one Y is larger than under Q
        far = -float(ndtri(LOST if removed else MOVED))
        far = max(far, -float(ndtri(LOST / k)) - 1 / lam) if removed else far
        most = math.exp(far / lam + 0.5 / lam**2)
        spread = math.sqrt(k * math.expm1(1 / lam**2))
        step = 1.5 * (most + min(20 * spread, k * most)) / POINTS
        if step > k:
            raise OutOfDigits("with so little noise the grid of sums is too coarse")
        edges = step * np.arange(math.ceil(most / step) + 1)
        with np.errstate(divide="ignore"):
            x = lam * np.log(edges) + 0.5 / lam  # Y ≤ edge where z ≤ x
        probability, mean = (
            np.where(each[:-1] > 0, -np.diff(ndtr(-each)), np.diff(ndtr(each)))
            for each in (x, x - 1 / lam)
        )
        right = np.clip((mean - edges[:-1] * probability) / step, 0, probability)
        mass = np.append(probability - right, 0.0)
        mass[1:] += right
        if removed:
            return step, mass, float(ndtr(-far) + (k - 1) * ndtr(-far - 1 / lam))
        mass[-1] += float(ndtr(-x[-1]))
        return step, mass, 0.0

    def _start(self, mass: np.ndarray, value: np.ndarray, step: float) -> int:
        # Chernoff's bound: a sum lies below with less than this probability
        seen = mass > 0
        mass, value = mass[seen], value[seen]
        mean = float(mass @ value)
        spread = math.sqrt(self.steps * float(mass @ (value - mean) ** 2))
        lowest = -math.inf
        for tilt in np.geomspace(0.1, 100, 40) / max(spread, step):
            log_mean = math.log1p(float(mass @ np.expm1(-tilt * (value - mean))))
            below = (math.log(LOST) - self.steps * log_mean) / tilt
            lowest = max(lowest, self.steps * mean + below)
        return max(math.floor(lowest / step) - 1, 0)

    def _beyond(self, mass: np.ndarray, value: np.ndarray, end: float) -> float:
        # and this is one for a sum beyond the circle, under P
        seen, log_bound = mass > 0, 0.0
        value, log_mass = value[seen], np.log(mass[seen])
        with np.errstate(divide="ignore"):
            log_value = np.log(value)
        room = end - self.steps
        for tilt in np.geomspace(1, 1000, 24) / max(room, value[-1]):
            exponent = log_mass + tilt * (value - 1)
            one = float(np.logaddexp.reduce(exponent + log_value))
            other = float(np.logaddexp.reduce(exponent))
            log_bound = min(log_bound, one + (self.steps - 1) * other - tilt * room)
        return math.exp(log_bound)


def _relisted(
    ratio: np.ndarray, mass: np.ndarray, removed: bool, lost: float
) -> ListedPair:
    """Move ratios to a shorter list, each divided between two, with its mean kept."""
    above, below = np.cumsum(mass[::-1])[::-1], np.cumsum(mass)
    if removed:  # where hardly any is below, a larger ratio is worse
        first, last = int(np.argmax(below > LOST)), len(ratio) - 1
        ratio = np.maximum(ratio, ratio[max(first, 1)])
    else:  # and where a sum is 0, all is lost
        first, last = int(np.argmax((below > LOST) & (ratio > 0))), len(ratio) - 1
        last = int(np.argmax(above <= LOST)) or last
        ratio = np.minimum(ratio, ratio[last])
        lost += float(np.sum(mass[:first]))
        ratio, mass = ratio[first:], mass[first:]
    nodes = np.geomspace(ratio[0], ratio[-1] * (1 + 1e-12), LISTED)
    nodes[0] = ratio[0]
    at = np.clip(np.searchsorted(nodes, ratio, side="right") - 1, 0, LISTED - 2)
    low, high = nodes[at], nodes[at + 1]
    share = np.clip((ratio - low) / (high - low), 0, 1)
    right, left = mass * share, mass * (1 - share)
    if removed:  # the shares are those under Q
        right, left = right * high / ratio, left * low / ratio
    found = np.bincount(at, left, LISTED) + np.bincount(at + 1, right, LISTED)
    seen = found > 0
    loss, log_mass = np.log(nodes[seen]), np.log(found[seen])
    if not removed:
        loss, log_mass = -loss[::-1], log_mass[::-1]
    lost += max(0.0, 1 - float(np.sum(found)))
    return ListedPair(loss, log_mass, math.log(lost))
