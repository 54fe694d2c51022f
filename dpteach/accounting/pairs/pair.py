"""Floor 2. Dominating pairs: the privacy loss of one release, at its worst.

For each kind of release there is a pair (P, Q) whose loss L = ln(dP/dQ), under P, is
the worst possible: at every ε its δ(ε) = E[(1 − e^{ε−L})₊] is at least that of any
mechanism of the kind. Losses of releases add up, and k releases, chosen adaptively, are
dominated by the k-fold pair. [Zhu, Dong and Wang 2022] An accountant computes δ from
moments E[e^{sL}], which multiply, or from distributions of L, which are convolved.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from ..moments.conversion import OutOfDigits
from ..moments.line import Moments, log1p
from ..moments.nonuniform_fourier import UNIT
from .sampled_gaussian import Tails

# Of how many parts a sum's decay is seen where it needs many cells, and how many
SOME, MOST_CELLS = 256, 2**12


class Pair(Protocol):
    """The privacy loss of one release at its worst."""

    @property
    def greatest(self) -> float:
        """The largest loss."""
        ...

    @property
    def log_lost(self) -> float:
        """Compute ln of the probability that a cut takes away."""
        ...

    @property
    def jump(self) -> float:
        """Where jumps begin; ∞ if none are told apart."""
        ...

    def renyi_moment(self, s: float) -> Any:
        """Compute ln E[e^{sL}] of the mechanism that is the worst for this s > 0."""
        ...

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute P(L > loss), P(L ≤ loss), Q(L > loss), Q(L ≤ loss)."""
        ...

    def log_moments(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] at real s > 0."""
        ...

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        ...

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        ...

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:
        """Bound ``ln |E[e^{sL}]/E[e^{cL}]|`` for s = c + it' from each t to the next.

        After the last, for all that is larger.
        """
        ...

    def log_jumps(self, c: float, t: np.ndarray) -> np.ndarray:
        """Bound what jumps alone have of that ratio, for all t' ≥ t, in ln."""
        ...

    def cut_off(self, log_lost: float) -> Self:
        """Cut off large losses sharply, so that no more than e^{log_lost} is lost."""
        ...

    def without_jumps(self, loss: float) -> Self:
        """Cut sharply where one loss reaches this size."""
        ...

    def with_jumps(self, others: Self) -> Self:
        """Tell apart as jumps what ``others`` cuts off."""
        ...

    def before_jump(self) -> Self:
        """Cut off what is told apart as a jump."""
        ...

    def softened(self, c: float) -> Self:
        """Make the cut smooth enough for exact moments at tilts up to 2c."""
        ...


class ClosedForm:
    """What pairs with moments in closed form share; s may be complex."""

    log_lost, jump = -math.inf, math.inf

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}]."""
        raise NotImplementedError

    def log_moments(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] at real s > 0."""
        return np.real(self.moment(s + 0j))

    def renyi_moment(self, s: float) -> Any:
        """Compute ln E[e^{sL}]: one pair is the worst for all s."""
        return np.real(self.moment(np.asarray(s + 0j)))

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        h = 1e-3 * c  # derivatives by a complex step: no cancellation
        here, there = self.moment(c + 0j), self.moment(c + 1j * h)
        second = 2 * (np.real(here - there) / h) / h
        return np.stack([np.real(here), np.imag(there) / h, second])

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        value = self.moment(c + 2j * math.pi / period * np.arange(count))
        errors = 32 * UNIT * (1 + np.abs(value))
        return Moments(float(value[0].real), value - value[0], errors)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Return no bound: the losses may lie on a lattice."""
        return np.zeros(len(t))

    def log_decay_within(self, c: float, low: np.ndarray, high: np.ndarray) -> Any:  # noqa: ARG002  (as for others)
        """Bound that ratio for t from ``low`` to ``high`` alone."""
        return self.log_decay(c, low)

    def log_jumps(self, c: float, t: np.ndarray) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Return −∞: nothing is separated as a jump."""
        return np.full(len(t), -np.inf)

    def cut_off(self, log_lost: float) -> Self:  # noqa: ARG002  (as for every pair)
        """Leave the pair as it is: its moments exist at every tilt."""
        return self

    def without_jumps(self, loss: float) -> Self:  # noqa: ARG002  (as for every pair)
        """Leave the pair as it is."""
        return self

    def with_jumps(self, others: Self) -> Self:  # noqa: ARG002  (as for every pair)
        """Leave the pair as it is: it cuts nothing off."""
        return self

    def before_jump(self) -> Self:
        """Leave the pair as it is."""
        return self

    def softened(self, c: float) -> Self:  # noqa: ARG002  (as for every pair)
        """Leave the pair as it is."""
        return self


@dataclass(frozen=True)
class GaussianPair(ClosedForm):
    """N(μ, 1) and N(0, 1): the loss is N(μ²/2, μ²)."""

    mu: float
    greatest = math.inf

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return math.erf(self.mu / math.sqrt(8))

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute s(s + 1) μ²/2."""
        return s * (s + 1) * (self.mu**2 / 2)

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        half = self.mu**2 / 2
        return np.stack([c * (c + 1) * half, (2 * c + 1) * half, 0 * c + 2 * half])

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Compute −t²μ²/2."""
        return -t * t * (self.mu**2 / 2)

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute normal tails."""
        from scipy.special import ndtr

        a, b = loss / self.mu - self.mu / 2, loss / self.mu + self.mu / 2
        return ndtr(-a), ndtr(a), ndtr(-b), ndtr(b)


@dataclass(frozen=True)
class TwoPoints(ClosedForm):
    """A loss that is h > 0 or l < 0; numbers, or arrays for many pairs at once.

    Randomized response has h = ε and l = −ε. As Q has the total 1, P(h) is
    (1 − e^l)/(1 − e^{l−h}).
    """

    high: Any
    low: Any

    @property
    def greatest(self) -> float:
        """The largest loss, h."""
        return self.high

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return float(np.exp(self._log_masses[0]) * -np.expm1(-self.high))

    @property
    def _log_masses(self) -> tuple[Any, Any]:
        gap = np.expm1(self.low - self.high)
        upper = np.log(np.expm1(self.low) / gap)
        return upper, self.low + np.log(np.expm1(-self.high) / gap)

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln (P(h) e^{sh} + P(l) e^{sl})."""
        upper, lower = self._log_masses
        beside = np.exp(lower - upper - s * (self.high - self.low))
        value = s * self.high + upper + np.log1p(beside)
        small = np.abs(s) * (self.high - self.low) < 1
        if np.any(small):  # ln(1 + E[e^{sL} − 1]) keeps its digits there
            s = np.where(small, s, 0.0)
            gained = np.exp(upper) * np.expm1(s * self.high)
            gained = gained + np.exp(lower) * np.expm1(s * self.low)
            value = np.where(small, log1p(gained), value)
        return value

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        upper, lower = self._log_masses
        width = self.high - self.low
        beside = np.exp(lower - upper - c * width)
        share = beside / (1 + beside)  # of the tilted loss, at l
        value = c * self.high + upper + np.log1p(beside)
        spread = width * width * (share * (1 - share))
        return np.stack([value, self.high - share * width, spread])

    def log_decay_within(self, c: float, low: np.ndarray, high: np.ndarray) -> Any:
        """Bound that ratio, whose square is 1 − 4w(1 − w) sin²(t(h − l)/2)."""
        _, _, spread = self.cumulants(np.asarray([c]))
        width = self.high - self.low
        share = spread / width**2  # w(1 − w)
        a, b = low * width / 2, high * width / 2
        over_zero = np.floor(b / math.pi) > np.floor(a / math.pi)
        least = np.where(over_zero, 0.0, np.minimum(np.sin(a) ** 2, np.sin(b) ** 2))
        return 0.5 * np.log1p(-np.minimum(4 * share * least, 1 - 1e-16))

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release, at an ε of at least 0."""
        if epsilon >= self.high:
            return -math.inf
        return float(self._log_masses[0]) + math.log(-math.expm1(epsilon - self.high))

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute the steps of a distribution on two points."""
        p, other_p = (math.exp(each) for each in self._log_masses)
        q, other_q = p * math.exp(-self.high), other_p * math.exp(-self.low)
        low, high = loss < self.low, loss < self.high
        above_p, above_q = np.where(low, 1.0, p * high), np.where(low, 1.0, q * high)
        below_p = np.where(low, 0.0, np.where(high, other_p, 1.0))
        return above_p, below_p, above_q, np.where(low, 0, np.where(high, other_q, 1))


def pure_pair(epsilon: Any) -> TwoPoints:
    """Return randomized response, the worst of all that is ε-private."""
    return TwoPoints(epsilon, -epsilon)


@dataclass(frozen=True)
class SelectionPair(ClosedForm):
    """Bounded range ε: the loss has a density ∝ e^{loss/2} on [−ε, ε].

    One choice with losses t and t − ε has δ(ε') = (e^ε − e^t)(1 − e^{ε'−t})/(e^ε − 1).
    The worst t gives (e^{ε/2} − e^{ε'/2})²/(e^ε − 1), the δ of this density.
    """

    epsilon: Any  # a number, or an array for many pairs at once

    @property
    def greatest(self) -> float:
        """The largest loss, ε."""
        return self.epsilon

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return math.tanh(self.epsilon / 4)

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release."""
        if epsilon >= self.epsilon:
            return -math.inf
        gap = -math.expm1(-(self.epsilon - max(epsilon, 0.0)) / 2)
        return 2 * math.log(gap) - math.log(-math.expm1(-self.epsilon))

    def worst(self, order: float) -> TwoPoints:
        """Return the choice, with losses t and t − ε, whose E[e^{sL}] is the largest.

        That is where e^t = s (e^{ε(s+1)} − 1)/((s + 1)(e^{εs} − 1)).
        """
        s, epsilon = order, np.asarray(self.epsilon)
        far = np.minimum(epsilon, 600 / (s + 1))  # beyond, both exponentials are large
        grown = np.expm1(-far * (s + 1)) / np.expm1(-far * s) * (s / (s + 1))
        # within these ends it lies, but for rounding where losses are tiny
        nearest = np.minimum(epsilon, 1 / (s + 1)) / 64
        low = np.clip(np.log(grown), -epsilon * (63 / 64), -nearest)
        return TwoPoints(epsilon + low, low)

    def renyi_moment(self, s: float) -> Any:
        """Compute ln E[e^{sL}] of the worst choice: at most s(s + 1)ε²/8, and sε.

        If sε is large, only the larger loss counts, and e^{t−ε} is s/(s + 1).
        """
        epsilon = self.epsilon
        quadratic = np.minimum(s * (s + 1) * epsilon**2 / 8, s * epsilon)
        at_worst = self.worst(s).moment(np.asarray(s))
        far = s * (epsilon - math.log1p(1 / s)) - math.log1p(s)
        far = far - np.log(-np.expm1(-epsilon))
        found = np.where(s * epsilon > 40, far, at_worst)
        small = epsilon * (s + 1) < 1e-3
        return np.where(small, quadratic, np.minimum(quadratic, found))

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln of sinh((s + ½)ε)/((s + ½)ε), less its value at s = 0."""

        def log_sinhc(z: np.ndarray) -> np.ndarray:
            near = np.abs(z) < 0.05
            small = np.where(near, z, 0) ** 2
            series = small * (1 / 6 - small * (1 / 180 - small / 2835))
            far = np.where(near, 1.0, z)
            return np.where(near, series, far + np.log(-np.expm1(-2 * far) / (2 * far)))

        half = np.asarray(self.epsilon / 2)
        return log_sinhc((2 * s + 1) * half) - log_sinhc(half)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Bound ``ln |E[e^{sL}]/E[e^{cL}]|`` for all s = c + it' with t' ≥ t.

        With a = (c + ½)ε and b = tε the square is (1 + sin²b/sinh²a)/(1 + b²/a²). It
        falls up to b = π/2, and beyond with 1 in place of sin²b.
        """
        a, b = (c + 0.5) * self.epsilon, t * self.epsilon
        sine = np.where(b < math.pi / 2, np.sin(b), 1.0) / np.sinh(np.minimum(a, 300))
        return 0.5 * (np.log1p(sine**2) - np.log1p((b / a) ** 2))

    def tails(self, loss: np.ndarray) -> Tails:
        """Integrate the densities ∝ e^{loss/2} under P and e^{−loss/2} under Q."""
        x = np.clip(loss, -self.epsilon, self.epsilon)
        total = -math.expm1(-self.epsilon)
        above = -np.expm1((x - self.epsilon) / 2) / total
        below = -np.expm1(-(x + self.epsilon) / 2) / total
        # e^{x/2} and e^{-x/2} integrate to mirror images
        return (
            above,
            below * np.exp((x - self.epsilon) / 2),
            above * np.exp(-(x + self.epsilon) / 2),
            below,
        )


@dataclass(frozen=True, eq=False)
class SumPair(ClosedForm):
    """Many releases of a kind, each with an ε of its own, as one pair.

    Parameters
    ----------
    kind : callable
        An array of ε ↦ their pairs.
    epsilons, counts : array
        Every ε, and its number of releases.
    """

    kind: Callable[[Any], Any]
    epsilons: np.ndarray
    counts: np.ndarray

    @property
    def greatest(self) -> float:
        """The largest loss."""
        largest = self.kind(self.epsilons).greatest
        return float(self.counts @ largest)

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}]."""
        return self._moment(s)[0]

    def _blocks(self, size: int) -> Iterator[tuple[np.ndarray, Any]]:
        # counts and pairs, in blocks that fill little memory for so many values each
        rows = max(2**17 // size, 1)
        for first in range(0, len(self.epsilons), rows):
            here = slice(first, first + rows)
            yield self.counts[here], self.kind(self.epsilons[here, None])

    def _moment(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # the moment's ln, and the sum of the sizes of its parts
        s = np.asarray(s)
        total, size = np.zeros(s.size, s.dtype), np.full(s.size, np.sum(self.counts))
        for counts, parts in self._blocks(s.size):
            value = parts.moment(s.ravel())
            total += counts @ value
            size += counts @ np.abs(value)
        return total.reshape(s.shape), size.reshape(s.shape)

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        total = np.zeros((3, len(c)))
        for counts, parts in self._blocks(len(c)):
            total += np.tensordot(counts, parts.cumulants(c), (0, 1))
        return total

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        value, size = self._moment(c + 2j * math.pi / period * np.arange(count))
        return Moments(float(value[0].real), value - value[0], 32 * UNIT * size)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Bound ``ln |E[e^{sL}]/E[e^{cL}]|`` between each t and the next.

        Each part may come back to 1 again and again, but not all at once; some of them
        are enough to see it. Far out, where nothing was looked at, 0 is returned.
        """
        bound, left = np.zeros(len(t)), MOST_CELLS
        some = SumPair(
            self.kind, *(x[:: -(-len(x) // SOME)] for x in (self.epsilons, self.counts))
        )
        widest = 2 * float(np.max(self.epsilons))
        for i, (low, high) in enumerate(itertools.pairwise(t)):
            cells = max(math.ceil((high - low) * widest), 1)
            left -= cells
            if left < 0:
                break
            edges, total = np.linspace(low, high, cells + 1), np.zeros(cells)
            for counts, parts in (self if cells == 1 else some)._blocks(cells):
                total += counts @ parts.log_decay_within(c, edges[:-1], edges[1:])
            bound[i] = np.max(total)
        return bound

    def renyi_moment(self, s: float) -> Any:
        """Add up the moments of the worst mechanism for this s > 0."""
        return self.counts @ self.kind(self.epsilons).renyi_moment(s)

    def tails(self, loss: np.ndarray) -> Tails:  # noqa: ARG002  (as for every pair)
        """Refuse: so many different distributions are not convolved one by one."""
        raise OutOfDigits("there are too many kinds of releases for a grid")


def cumulants(pairs: Sequence[tuple[Pair, int]], c: np.ndarray) -> np.ndarray:
    """Compute ln E[e^{cL}] of all releases, and two derivatives, at many real c.

    To ten digits or so, for searches.
    """
    return np.sum([k * pair.cumulants(c) for pair, k in pairs], axis=0)


def log_lost(pairs: Sequence[tuple[Pair, int]]) -> float:
    """Compute ln of the probability that counts as lost outright in all releases."""
    return float(np.logaddexp.reduce([math.log(k) + p.log_lost for p, k in pairs]))
