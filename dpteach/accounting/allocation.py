"""Floor 2. Random allocation: each record takes part in one of k steps, at random.

The pair is the mean of N(e_t, λ²I) over the k steps t, against N(0, λ²I). Without the
record its likelihood ratio R is the mean of k independent Y = e^{z/λ − 1/2λ²}, where z
is standard normal. If the probability of a cell of Y is divided between its ends, Y
keeps its mean and spreads out. So E[f(R)] grows for each convex f, and with it every
δ(ε). [Feldman and Shenfeld 2026]

With little noise a few Y are so large that no even grid holds them beside the others.
So R is listed by how many of the k are large, at most three. The sum of the others
follows by a Fourier transform on an even grid, with a bound of its rounding error, and
the large ones are added to it value by value. If a record is added, a smaller R is
worse, so a large Y may count as the largest of the grid.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .listed import ListedPair
from .moments import OutOfDigits
from .pairs import GaussianPair

Values = tuple[np.ndarray, np.ndarray]  # values, and the probability of each
# Points of the even grid, of the list of losses, and of lists that are added up
POINTS, LISTED, SHORT = 2**20, 2**13, 2**10
# How many Y may be large, how many are on average without the record, and how large,
# as a multiple of k, any Y needs to be if the record is added
MANY, LARGE, ENOUGH = 3, 1e-4, 10
# What is left out at one end of a list, at most, and the error of one rounding
LOST, ROUNDING = 1e-13, 1e-15


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

    def reached(self, removed: bool) -> GaussianPair:  # noqa: ARG002  (as for every kind)
        """Return the pair of the sum of all steps, which says less than they do."""
        return GaussianPair(1 / (self.noise_multiplier * math.sqrt(self.steps)))

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates all k steps together."""
        if self._far * self.spread > 600:
            raise OutOfDigits("with so little noise the largest ratio has no digits")
        pair = self._removed() if removed else self._added()
        if pair.log_lost > math.log(0.5):
            raise OutOfDigits("with so little noise the smallest ratio has no digits")
        return pair

    @property
    def _far(self) -> float:
        # A z that no Y is likely to reach, with the record or without it
        from scipy.special import ndtri

        with_it = -float(ndtri(LOST)) + self.spread
        return max(with_it, -float(ndtri(LOST / self.steps)))

    def _added(self) -> ListedPair:
        """List the losses −ln R, where the record is not there."""
        lam, k = self.noise_multiplier, self.steps
        enough = lam * math.log(ENOUGH * k) + 0.5 / lam
        ratio, mass = EvenGrid(lam, k, min(self._far, enough), True).sums(k, False)
        ratio, mass, lost = _lowered(ratio / k, mass)
        nodes = _nodes(ratio, LISTED)
        mass = _divided(nodes, ratio, mass)
        seen = mass > 0
        loss, log_mass = -np.log(nodes[seen][::-1]), np.log(mass[seen][::-1])
        return ListedPair(loss, log_mass, math.log(lost + 2 * LOST))

    def _removed(self) -> ListedPair:
        """List the losses ln R, where the record is there."""
        from scipy.special import ndtri
        from scipy.stats import binom

        k, rate = self.steps, LARGE / self.steps
        grid = EvenGrid(self.noise_multiplier, k, -float(ndtri(rate)), False)
        ratio, mass = _raised(*grid.sums(k, True))
        parts = [(ratio / k, mass * k / ratio)]
        parts += [self._some_large(grid, j) for j in range(1, min(MANY, k) + 1)]
        nodes = _nodes(np.concatenate([ratio for ratio, _ in parts]), LISTED)
        mass = np.sum([_divided(nodes, *part) for part in parts], axis=0)
        seen = mass > 0
        loss = np.log(nodes[seen])
        # the probability of R without the record, times R, is that with it
        lost = grid.beyond() + 2 * LOST + float(binom.sf(MANY - 1, k - 1, rate))
        return ListedPair(loss, loss + np.log(mass[seen]), math.log(lost))

    def _some_large(self, grid: "EvenGrid", large: int) -> Values:
        """List R without the record, where so many Y are large."""
        z = np.linspace(grid.limit, self._far, 2 * SHORT)
        lam, k = self.noise_multiplier, self.steps
        one = found = _spread_out(np.exp(z / lam - 0.5 / lam**2), z, 1 / lam)
        for _ in range(large - 1):
            found = _relisted(*_added(_relisted(*found), _relisted(*one)))
        if k > large:
            rest = _raised(*grid.sums(k - large, False))
            found = _added(_relisted(*rest), found)
        value, mass = found
        return value / k, math.comb(k, large) * mass


@dataclass(frozen=True)
class EvenGrid:
    """Each Y whose z is at most a limit, on an even grid with room for their sum.

    Parameters
    ----------
    noise_multiplier, steps, limit : float, int, float
        λ, k and the limit.
    capped : bool
        Whether a larger Y counts as the largest of the grid.
    """

    noise_multiplier: float
    steps: int
    limit: float
    capped: bool

    @cached_property
    def _one(self) -> tuple[float, np.ndarray]:
        """The grid's step, and the probabilities of its points."""
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
        mass = _spread_out(edges, z, 1 / lam)[1]
        if self.capped:
            mass[np.searchsorted(z, self.limit) - 1] += float(ndtr(-self.limit))
        return step, mass

    @property
    def _listed(self) -> Values:
        step, mass = self._one
        return step * np.arange(len(mass)), mass

    @cached_property
    def _transformed(self) -> np.ndarray:
        return np.fft.rfft(self._one[1], POINTS)

    def sums(self, count: int, weighted: bool) -> Values:
        """List the sum of so many Y; no probability is too small.

        If ``weighted``, one of them has the density of Y times its value. What lies
        beyond one end of the circle comes back at the other.
        """
        (value, mass), product = self._listed, self._transformed ** (count - weighted)
        if weighted:
            product = product * np.fft.rfft(mass * value, POINTS)
        start = self._start(count)
        sums = np.roll(np.fft.irfft(product, POINTS), -(start % POINTS))
        sums = np.maximum(sums, 0) + (count + 20) * ROUNDING * float(np.max(sums))
        return value[1] * (start + np.arange(POINTS)), sums

    @cached_property
    def _falls(self) -> tuple[float, np.ndarray, np.ndarray]:
        # The mean, tilts, and ln E[e^{−tilt (Y − mean)}]
        value, mass = _relisted(*self._listed)
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
        return max(math.floor(float(np.max(below)) / self._one[0]) - 1, 0)

    def beyond(self) -> float:
        """Bound how likely the weighted sum of all is beyond the circle."""
        k, (value, mass) = self.steps, _relisted(*self._listed)
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


def _spread_out(edges: np.ndarray, z: np.ndarray, shift: float) -> Values:
    """Divide what each cell of Y has between its ends, so that its mean is kept."""
    from scipy.special import ndtr

    probability, mean = (
        np.where(each[:-1] > 0, -np.diff(ndtr(-each)), np.diff(ndtr(each)))
        for each in (z, z - shift)
    )
    right = (mean - edges[:-1] * probability) / np.diff(edges)
    right = np.clip(right, 0, probability)
    mass = np.append(probability - right, 0.0)
    mass[1:] += right
    return edges, mass


def _nodes(value: np.ndarray, count: int) -> np.ndarray:
    """Choose nodes of even ratios, over all values above 0."""
    low = float(np.min(value, where=value > 0, initial=np.inf))
    nodes = np.geomspace(low, float(np.max(value)) * (1 + 1e-12), count)
    nodes[0] = low
    return nodes


def _divided(nodes: np.ndarray, value: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Divide each value between the nodes beside it, with its mean kept."""
    at = np.clip(np.searchsorted(nodes, value, side="right") - 1, 0, len(nodes) - 2)
    low, high = nodes[at], nodes[at + 1]
    right = mass * np.clip((value - low) / (high - low), 0, 1)
    found = np.bincount(at, mass - right, len(nodes))
    return found + np.bincount(at + 1, right, len(nodes))


def _relisted(value: np.ndarray, mass: np.ndarray) -> Values:
    """Divide values between fewer nodes; 0 stays what it is."""
    nodes = _nodes(value, SHORT)
    if np.any(value == 0):
        nodes = np.append(0.0, nodes)
    mass = _divided(nodes, value, mass)
    return nodes[mass > 0], mass[mass > 0]


def _added(first: Values, second: Values) -> Values:
    """List the sum of two independent values."""
    value = np.add.outer(first[0], second[0]).ravel()
    return value, np.multiply.outer(first[1], second[1]).ravel()


def _raised(value: np.ndarray, mass: np.ndarray) -> Values:
    """Raise the values that hardly any sum is below, which is worse with the record."""
    below = np.cumsum(mass)
    first = max(int(np.argmax(below > LOST)), 1)
    return value[first:], np.append(below[first], mass[first + 1 :])


def _lowered(
    value: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Lower the values that hardly any sum is above; return what is lost at 0, too."""
    above, below = np.cumsum(mass[::-1])[::-1], np.cumsum(mass)
    first = int(np.argmax((below > LOST) & (value > 0)))
    last = int(np.argmax(above <= LOST)) or len(value) - 1
    kept = np.append(mass[first:last], above[last])
    return value[first : last + 1], kept, float(below[first] - mass[first])
