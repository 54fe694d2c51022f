"""Floor 2. Laplace noise, on all records or on a Poisson sample of them.

The pair is Lap(1, λ) against Lap(0, λ), sampled with rate q. With ε₀ = 1/λ its
likelihood ratio e^ℓ has atoms at ℓ = ±ε₀. Between them ℓ has the density
e^{−(ε₀+ℓ)/2}/4 without the record, and e^{−(ε₀−ℓ)/2}/4 with it.
"""

import math
from dataclasses import dataclass

import numpy as np

from .listed import Cells, ListedPair, divided
from .sampled_gaussian import both_directions

# How many cells the losses fall into: so many in all, and so many per nat of ε₀ more
CELLS = 2**13
PER_NAT = 512


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
    two_directions, has_closed_form = True, True
    tight = False  # whether some neighbors reach the dominating pair
    method = "sampling, in closed form"

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
    def rho(self) -> float | None:
        """A ρ for which the release is ρ-zCDP; None with sampling."""
        return 0.5 / self.noise_multiplier**2 if self.rate == 1 else None

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates the release."""
        return self._cells(merged=False).sampled(self.rate, removed)

    def reached(self, removed: bool) -> ListedPair:
        """List a pair that the release dominates."""
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
