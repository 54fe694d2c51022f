"""Floor 2. Laplace noise, on all records or on a Poisson sample of them.

The pair is Lap(1, λ) against Lap(0, λ), sampled with rate q. With ε₀ = 1/λ its
likelihood ratio e^ℓ has atoms at ℓ = ±ε₀. Between them ℓ has the density
e^{−(ε₀+ℓ)/2}/4 without the record, and e^{−(ε₀−ℓ)/2}/4 with it.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..moments.line import log1p
from .listed import Cells, ListedPair, divided
from .pair import ClosedForm
from .sampled_gaussian import Tails
from .sampling import both_directions

# How many cells the losses fall into: so many in all, and so many per nat of ε₀ more
CELLS = 2**13
PER_NAT = 512


@dataclass(frozen=True)
class LaplacePair(ClosedForm):
    """Laplace noise on all records: with z = s + ½ the moment is

    e^{−ε/2} (cosh zε + sinh(zε)/2z), where ε = 1/λ is the largest loss.
    """

    greatest: float

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}]; where sL is small, as ln(1 + E[e^{sL} − 1])."""
        z, epsilon = np.asarray(s) + 0.5, self.greatest
        both = np.exp(-2 * epsilon * z)
        value = (z - 0.5) * epsilon + np.log((1 + both) / 2 + (1 - both) / (4 * z))
        small = np.abs(z) * epsilon < 0.5
        if np.any(small):
            value = np.array(value)
            value[small] = self._small(z[small] - 0.5)
        return value

    def _small(self, s: np.ndarray) -> np.ndarray:
        # cosh zε − cosh ε/2, and the series of sinh(zε)/zε − sinh(ε/2)/(ε/2)
        epsilon = self.greatest
        gained = 2 * np.sinh((s + 1) * (epsilon / 2)) * np.sinh(s * (epsilon / 2))
        x, y = ((s + 0.5) * epsilon) ** 2, (epsilon / 2) ** 2
        term, series = 0.0, 0.0
        for m in range(1, 9):  # x^m − y^m over (2m + 1)!
            term = term * x + y ** (m - 1)
            series = series + term / math.factorial(2 * m + 1)
        series = series * (epsilon**2 * s * (s + 1))
        return log1p(math.exp(-epsilon / 2) * (gained + epsilon / 2 * series))

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Bound the ratio: the sizes of cosh z and sinh z are at most cosh Re z."""
        a = c + 0.5
        ratio = (1 + 0.5 / np.hypot(a, t)) / (1 + np.tanh(a * self.greatest) / (2 * a))
        return np.minimum(np.log(ratio), 0.0)

    def tails(self, loss: np.ndarray) -> Tails:
        """Integrate the density e^{(loss − ε)/2}/4 between atoms at both ends."""
        epsilon = self.greatest
        inside = np.clip(loss, -epsilon, epsilon)
        below_p = np.exp((inside - epsilon) / 2) / 2
        above_q = np.exp(-(inside + epsilon) / 2) / 2
        low, high = loss < -epsilon, loss >= epsilon
        below_p = np.where(low, 0.0, np.where(high, 1.0, below_p))
        above_q = np.where(low, 1.0, np.where(high, 0.0, above_q))
        return 1 - below_p, below_p, above_q, 1 - above_q


@dataclass(frozen=True, order=True)
class LaplaceOnSample:
    """A Laplace release on a Poisson sample; one with rate 1 is on all records.

    Parameters
    ----------
    noise_multiplier, rate : float
        λ, the noise's scale over what one record moves, and q.
    """

    noise_multiplier: float
    rate: float
    has_closed_form, random_step = True, False
    method = "sampling, in closed form"
    simpler = "without the sampling"

    @property
    def two_directions(self) -> bool:
        """Whether removing a record costs another amount than adding it."""
        return self.rate < 1

    @property
    def tight(self) -> bool:
        """Whether some neighbors reach the dominating pair."""
        return self.rate == 1

    @property
    def largest(self) -> float:
        """The largest loss, ln(1 − q + q e^{1/λ}), rounded up."""
        size = 1 / self.noise_multiplier
        if self.rate == 1:
            return size
        if size > 500:
            return size + math.log(self.rate) + 1e-12
        return math.log1p(self.rate * math.expm1(size)) * (1 + 1e-15)

    @property
    def spread(self) -> float:
        """The μ of a Gaussian release as large; 0, for the losses are bounded."""
        return 0.0

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return -self.rate * math.expm1(-0.5 / self.noise_multiplier)

    @property
    def rho(self) -> float | None:
        """A ρ for which the release is ρ-zCDP; None with sampling."""
        return 0.5 / self.noise_multiplier**2 if self.rate == 1 else None

    def worst(self, removed: bool) -> ListedPair | LaplacePair:
        """Return a pair that dominates the release, or list one."""
        if self.rate == 1:
            return LaplacePair(1 / self.noise_multiplier)
        return self._cells(merged=False).sampled(self.rate, removed)

    def reached(self, removed: bool) -> ListedPair | LaplacePair:
        """Return a pair that the release dominates, or list one."""
        if self.rate == 1:
            return LaplacePair(1 / self.noise_multiplier)
        return self._cells(merged=True).sampled(self.rate, removed)

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release: the larger of removing and adding a record."""
        size = 1 / self.noise_multiplier
        return max(
            log_weight - math.inf
            if inner >= size
            else log_weight + math.log(-math.expm1((inner - size) / 2))
            for log_weight, inner in both_directions(self.rate, epsilon)
        )

    def _cells(self, merged: bool) -> Cells:
        size = 1 / self.noise_multiplier
        edges = np.linspace(-size, size, CELLS + int(PER_NAT * size))
        low, width = edges[:-1], edges[1] - edges[0]
        start = -(size + low) / 2
        log_mass = start + math.log(-math.expm1(-width / 2) / 2)
        first, last = math.log(0.5), -size - math.log(2)
        if merged:
            ratio = np.concatenate([[-size], low + width / 2, [size]])
            return Cells(ratio, np.concatenate([[first], log_mass, [last]]))
        # the mean of e^ℓ in a cell says how much of it belongs to the right end
        right = math.log(2 * math.sinh(width / 4) ** 2 / math.expm1(width))
        ratio, log_mass = divided(edges, log_mass, start + right)
        log_mass[0] = np.logaddexp(log_mass[0], first)
        log_mass[-1] = np.logaddexp(log_mass[-1], last)
        return Cells(ratio, log_mass)
