"""Floor 2. Gaussian noise on a batch of fixed size, drawn without replacement.

If a record is replaced, the batches without it stay as they are. In the others the sum
moves by at most two clip norms, and so it does if the record is drawn in place of
another. With A = N(2, λ²) and B = N(0, λ²) the price at e^ε ≥ 1 is at most that of
(1 − q)B + qA against B, and at e^ε < 1 that of B against (1 − q)B + qA. [Balle, Barthe
and Gaboardi 2018; Zhu, Dong and Wang 2022] One pair has both. No two data sets may be
as bad as that in many steps, but each of its two halves is met by some.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..rules.gaussian import log_delta as log_delta_gaussian
from .listed import Cells, ListedPair, divided
from .sampled_gaussian import SampledPair
from .sampling import both_directions

# How many cells lie within ten standard deviations, and in each tail beyond
FINE, COARSE = 2**14, 2**11
FAR = 37.0


def gaussian_cells(mu: float) -> Cells:
    """List N(μ, 1) against N(0, 1): losses of probability 1e-299 count as lost."""
    from scipy.special import log_ndtr

    # outputs less μ/2, so that the loss is μu, on a grid that holds 0
    near = 10 + mu / 2
    far = FAR + mu / 2
    half = np.linspace(0, near, FINE // 2 + int(FINE / 20 * mu))
    half = np.append(half, np.linspace(near, far, COARSE)[1:])
    edges = np.append(-half[:0:-1], half)
    node, weight = np.polynomial.legendre.leggauss(8)
    low, width = edges[:-1, None], np.diff(edges)[:, None]
    step = width * (node + 1) / 2
    u = low + step
    density = -((u + mu / 2) ** 2) / 2 + np.log(weight * width / 2)
    density = density - math.log(2 * math.pi) / 2
    # of each output, the share that goes to the right end keeps the mean of e^{μu}
    share = np.log(np.expm1(mu * step) / np.expm1(mu * width))
    ratio, log_mass = divided(
        mu * edges,
        np.logaddexp.reduce(density, axis=1),
        np.logaddexp.reduce(density + share, axis=1),
    )
    return Cells(ratio, log_mass, float(log_ndtr(-FAR)) + math.log(2))


@dataclass(frozen=True, order=True)
class FixedBatch:
    """A Gaussian release on a batch of m of n records.

    Parameters
    ----------
    noise_multiplier, rate : float
        λ and m/n.
    replaced : bool
        Whether the record may change to any other one. If not, its contribution
        becomes zero: the price is the same, but no data sets are known to reach it.
    """

    noise_multiplier: float
    rate: float
    replaced: bool
    two_directions, largest, rho, random_step = True, math.inf, None, False
    tight = False  # whether some neighbors reach the dominating pair
    method = "sampling, in closed form"
    simpler = "without the sampling"

    @property
    def spread(self) -> float:
        """What μ the same release on all records has: 2/λ."""
        return 2 / self.noise_multiplier

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return self.rate * math.erf(self.spread / math.sqrt(8))

    @property
    def has_closed_form(self) -> bool:
        """Whether one release has neighbors that reach the price."""
        return self.replaced

    def worst(self, removed: bool) -> ListedPair:  # noqa: ARG002  (as for every kind)
        """List a pair that dominates the release, in both directions."""
        return gaussian_cells(self.spread).displacing(self.rate)

    def reached(self, removed: bool) -> SampledPair:
        """Return the pair of two data sets that are neighbors."""
        moved = 2 if self.replaced else 1
        return SampledPair(self.noise_multiplier / moved, self.rate, removed)

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release: q δ_G(ln(1 + (e^ε − 1)/q))."""
        log_weight, inner = both_directions(self.rate, epsilon)[0]
        return log_weight + float(log_delta_gaussian(self.spread, inner))
