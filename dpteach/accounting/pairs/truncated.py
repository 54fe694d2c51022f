"""Floor 2. Gaussian noise on a Poisson sample that is cut to a largest batch.

Of the records whose coins fall on heads, the B of the least rank enter, by random ranks
that no data decide. Tell everybody the others' coins and ranks. If fewer than B of them
are in, the record enters with probability q, and the sum moves by one clip norm. Else
it may take the place of another: with probability q at most, the sum moves by two. So
the price is at most that of a sample at one clip norm with probability 1 − τ, and at
two with probability τ, where all see which of both it is.
"""

import math
from dataclasses import dataclass

import numpy as np

from .fixed_size import gaussian_cells
from .listed import ListedPair
from .sampled_gaussian import SampledPair

# How much is added to a probability for the rounding of its sum
ROUNDING = 1e-9


@dataclass(frozen=True, order=True)
class TruncatedSample:
    """A Gaussian release on a Poisson sample of at most B records.

    Parameters
    ----------
    noise_multiplier, rate : float
        λ and q.
    crowded : float
        τ, how likely it is, at most, that B other records are in.
    enters : float
        How likely it is, at least, that a given record enters.
    """

    noise_multiplier: float
    rate: float
    crowded: float
    enters: float
    two_directions, random_step, has_closed_form = True, False, False
    largest, rho, tight = math.inf, None, False
    simpler = "without the sampling"

    @property
    def spread(self) -> float:
        """What μ the release has if the record is always in, for another: 2/λ."""
        return 2 / self.noise_multiplier

    @property
    def total_variation(self) -> float:
        """A bound of the δ of one release at ε = 0."""
        one, two = (math.erf(m * self.spread / math.sqrt(32)) for m in (1, 2))
        return self.rate * ((1 - self.crowded) * one + self.crowded * two)

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates the release."""
        shares, lists = (1 - self.crowded, self.crowded), []
        for share, mu in zip(shares, (self.spread / 2, self.spread), strict=True):
            if share > 0:
                cells = gaussian_cells(mu)
                lists.append((math.log(share), cells.sampled(self.rate, removed)))
        loss = np.concatenate([each.loss for _, each in lists])
        log_mass = np.concatenate([each.log_mass + share for share, each in lists])
        order = np.argsort(loss, kind="stable")
        return ListedPair(loss[order], log_mass[order], lists[0][1].log_lost)

    def reached(self, removed: bool) -> SampledPair:
        """Return a pair that is reached where no other record adds anything."""
        return SampledPair(self.noise_multiplier, self.enters, removed)


def truncated_sample(
    noise_multiplier: float, rate: float, batch_size: int, n: int
) -> TruncatedSample:
    """Compute how often B of the n − 1 others are in, and how often a record enters.

    It enters if fewer than B others are in, and else, of r others, with probability
    B/(r + 1). The average of q B/(r + 1) over r ≥ B is B/n times the probability that
    more than B of n records are in.
    """
    from scipy.stats import binom

    crowded = min(float(binom.sf(batch_size - 1, n - 1, rate)) * (1 + ROUNDING), 1.0)
    free = rate * float(binom.cdf(batch_size - 1, n - 1, rate))
    shared = batch_size / n * float(binom.sf(batch_size, n, rate))
    enters = max((free + shared) * (1 - ROUNDING), 1e-300)
    return TruncatedSample(noise_multiplier, rate, crowded, min(enters, rate))
