"""Floor 2. Sums of many likelihood ratios of a Gaussian release, as lists of values.

Y = e^{z/λ − 1/2λ²}, where z is standard normal, so its mean is 1. Lists approach Y, and
sums of Y, in one of two ways. If a cell's probability is divided between its ends, the
mean is kept and the values spread out: E[f] grows for each convex f. If all of a cell
is merged into its mean, or into less, E[f] falls for each convex f that does not fall.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

Values = tuple[np.ndarray, np.ndarray]  # values, and the probability of each
# Points of the even grid, and of lists that are added up
POINTS, SHORT = 2**20, 2**10
# What is left out at one end of a list, at most, and the error of one rounding
LOST, ROUNDING = 1e-13, 1e-15


@dataclass(frozen=True)
class EvenGrid:
    """Each Y whose z is at most a limit, on an even grid with room for their sum.

    Parameters
    ----------
    noise_multiplier, steps, limit : float, int, float
        λ, k and the limit.
    capped : bool, optional
        Whether a larger Y counts as the largest of the grid.
    merged : bool, optional
        Whether cells are merged, and not divided. All points of the grid are then
        shifted by a share of the step, so that none is above the mean of its cell.
    """

    noise_multiplier: float
    steps: int
    limit: float
    capped: bool = False
    merged: bool = False

    @cached_property
    def _one(self) -> tuple[float, float, np.ndarray]:
        """The grid's step, the share, and the probabilities of its points."""
        from scipy.special import ndtr

        lam, k = self.noise_multiplier, self.steps
        most = math.exp(self.limit / lam - 0.5 / lam**2)
        square = math.exp(1 / lam**2) * float(ndtr(self.limit - 2 / lam))
        room = 20 * math.sqrt(k * max(square - 1, 0.0)) + 10 * most
        step = 1.5 * (most + min(room, k * most)) / POINTS
        edges = step * np.arange(math.ceil(most / step) + 1)
        with np.errstate(divide="ignore"):
            z = lam * np.log(edges) + 0.5 / lam  # Y is below an edge if z is
        z[-1] = self.limit
        if self.merged:
            mean, mass = merged_cells(z, lam)
            seen = mass > 0
            shares = (mean[seen] - edges[:-1][seen]) / step
            return step, float(np.clip(np.min(shares) - 1e-9, 0, 1)), mass
        mass = divided_cells(edges, z, lam)[1]
        if self.capped:
            mass[-2] += float(ndtr(-self.limit))
        return step, 0.0, mass

    @property
    def _listed(self) -> Values:
        step, share, mass = self._one
        return step * (np.arange(len(mass)) + share), mass

    @cached_property
    def _transformed(self) -> np.ndarray:
        return np.fft.rfft(self._one[2], POINTS)

    def sums(self, count: int, weighted: bool) -> Values:
        """List the sum of so many Y; its probabilities are bounds, by rounding.

        They are lower bounds for merged cells, and else upper ones. If ``weighted``,
        one Y has its density times its value. What lies beyond one end of the circle
        comes back at the other.
        """
        (value, mass), product = self._listed, self._transformed ** (count - weighted)
        if weighted:
            product = product * np.fft.rfft(mass * value, POINTS)
        start, (step, share, _) = self._start(count), self._one
        sums = np.roll(np.fft.irfft(product, POINTS), -(start % POINTS))
        error = (count + 20) * ROUNDING * float(np.max(sums))
        sums = np.maximum(np.maximum(sums, 0) + (-error if self.merged else error), 0)
        return step * (start + count * share + np.arange(POINTS)), sums

    @cached_property
    def _falls(self) -> tuple[float, np.ndarray, np.ndarray]:
        # The mean, tilts, and ln E[e^{−tilt (Y − mean)}]
        value, mass = spread_list(*self._listed)
        mass = mass / np.sum(mass)
        mean = float(mass @ value)
        spread = math.sqrt(self.steps * float(mass @ (value - mean) ** 2))
        tilt = np.geomspace(0.1, 100, 40) / max(spread, self._one[0])
        exponent = np.minimum(np.multiply.outer(tilt, mean - value), 700)
        return mean, tilt, np.log1p(np.expm1(exponent) @ mass)

    def _start(self, count: int) -> int:
        # Chernoff's bound: a sum lies below with less than this probability
        mean, tilt, log_moment = self._falls
        below = count * mean + (math.log(LOST) - count * log_moment) / tilt
        step, share, _ = self._one
        return max(math.floor(float(np.max(below)) / step - count * share) - 1, 0)

    def beyond(self) -> float:
        """Bound how likely the weighted sum of all is beyond the circle."""
        k, (value, mass) = self.steps, spread_list(*self._listed)
        room = self._one[0] * (self._start(k) + POINTS) - k
        with np.errstate(divide="ignore"):
            log_mass, log_value = np.log(mass), np.log(value)
        log_bound = 0.0
        for tilt in np.geomspace(1, 1000, 24) / max(room, value[-1]):
            exponent = log_mass + tilt * (value - 1)
            one = float(np.logaddexp.reduce(exponent + log_value))
            other = float(np.logaddexp.reduce(exponent))
            log_bound = min(log_bound, one + (k - 1) * other - tilt * room)
        return math.exp(log_bound)


def _cells(z: np.ndarray, lam: float) -> Values:
    """Compute each cell's probability, and its mean of Y times that."""
    from scipy.special import ndtr

    probability, mean = (
        np.where(each[:-1] > 0, -np.diff(ndtr(-each)), np.diff(ndtr(each)))
        for each in (z, z - 1 / lam)
    )
    return probability, mean


def divided_cells(edges: np.ndarray, z: np.ndarray, lam: float) -> Values:
    """Divide what each cell of Y has between its ends, so that its mean is kept."""
    probability, mean = _cells(z, lam)
    right = (mean - edges[:-1] * probability) / np.diff(edges)
    right = np.clip(right, 0, probability)
    mass = np.append(probability - right, 0.0)
    mass[1:] += right
    return edges, mass


def merged_cells(z: np.ndarray, lam: float) -> Values:
    """Merge each cell of Y into its mean."""
    probability, mean = _cells(z, lam)
    low, high = (np.exp(each / lam - 0.5 / lam**2) for each in (z[:-1], z[1:]))
    mean = mean / np.maximum(probability, 1e-300)
    return np.clip(mean, low, high), probability


def nodes_for(value: np.ndarray, count: int) -> np.ndarray:
    """Choose nodes of even ratios, over all values above 0."""
    low = float(np.min(value, where=value > 0, initial=np.inf))
    nodes = np.geomspace(low, float(np.max(value)) * (1 + 1e-12), count)
    nodes[0] = low
    return nodes


def divide(nodes: np.ndarray, value: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Divide each value between the nodes beside it, with its mean kept."""
    at = np.clip(np.searchsorted(nodes, value, side="right") - 1, 0, len(nodes) - 2)
    low, high = nodes[at], nodes[at + 1]
    right = mass * np.clip((value - low) / (high - low), 0, 1)
    found = np.bincount(at, mass - right, len(nodes))
    return found + np.bincount(at + 1, right, len(nodes))


def spread_list(value: np.ndarray, mass: np.ndarray) -> Values:
    """Divide values between fewer nodes; 0 stays what it is."""
    nodes = nodes_for(value, SHORT)
    if np.any(value == 0):
        nodes = np.append(0.0, nodes)
    mass = divide(nodes, value, mass)
    return nodes[mass > 0], mass[mass > 0]


def merged_list(value: np.ndarray, mass: np.ndarray, count: int = SHORT) -> Values:
    """Merge values between the same two of so many nodes; those at 0 are left out."""
    value, mass = value[value > 0], mass[value > 0]
    at = np.searchsorted(nodes_for(value, count), value, side="right")
    total, whole = np.bincount(at, mass), np.bincount(at, mass * value)
    return whole[total > 0] / total[total > 0], total[total > 0]


def add(first: Values, second: Values) -> Values:
    """List the sum of two independent values."""
    value = np.add.outer(first[0], second[0]).ravel()
    return value, np.multiply.outer(first[1], second[1]).ravel()
