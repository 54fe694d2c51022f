"""Floor 2. Discrete Gaussian noise: a probability ∝ e^{−x²/2σ²} on the integers.

The pair is the noise shifted by Δ, against the noise. [Canonne, Kamath and Steinke
2020] Let Θ(u) = Σ_x e^{−(x−u)²/2σ²} over all integers x. Completing the square gives

    E[e^{sL}] = e^{s(s+1)Δ²/2σ²} Θ(Δ(1 + s))/Θ(0),

and Θ is summed as it stands where σ is small, and by Poisson's formula elsewhere.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..moments.conversion import OutOfDigits
from ..moments.line import Moments
from ..moments.nonuniform_fourier import UNIT
from .listed import Cells, ListedPair, coarser
from .pair import ClosedForm
from .sampled_gaussian import Tails

# Below this σ the sum over integers is short, above it that of Poisson's formula is.
SHORT = 0.7
# Up to here the probabilities of single integers are listed
LISTED = 1e4
# Into how many groups likely outputs of a sampled release are joined, if there are more
CELLS = 2**13


@dataclass(frozen=True)
class DiscreteGaussianPair(ClosedForm):
    """Discrete Gaussian noise of parameter σ, shifted by an integer Δ or not."""

    sigma: float
    shift: int
    greatest = math.inf

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}], where Im s may be of any size."""
        return self._moment(s)[0]

    def _moment(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # ln of the moment, and by how much its terms outweigh their sum
        s = np.asarray(s, dtype=complex)
        c, t, scale = np.real(s), np.imag(s), self.shift / self.sigma**2
        grows = c * (c + 1) * (self.shift * scale / 2)
        log_size, angle = (self._few if self.sigma < SHORT else self._many)(c, t)
        # the middle term's angle is kept whole, so that derivatives can be taken
        middle = angle[len(angle) // 2]
        total = np.sum(np.exp(log_size + 1j * (angle - middle)), axis=0)
        found = np.log(np.where(total == 0, 1e-300, total)) + 1j * middle
        share = np.sum(np.exp(log_size), axis=0) / np.maximum(np.abs(total), 1e-300)
        return grows + found - self._log_norm, share

    def _few(self, c: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        center = self.shift * (1 + c)
        reach = int(9 * self.sigma) + 2
        x = np.round(center) + _column(np.arange(-reach, reach + 1), c)
        loss = (2 * x - self.shift) * (self.shift / (2 * self.sigma**2))
        return -((x - center) ** 2) / (2 * self.sigma**2), t * loss

    def _many(self, c: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        turn = 2 * math.pi * self.sigma**2
        m = np.round(-t * self.shift / turn) + _column(np.arange(-3, 4), c)
        left = t * self.shift + turn * m
        slow = t * (2 * c + 1) * (self.shift**2 / (2 * self.sigma**2))
        whole = self.shift * (1 + c)
        return (
            -(left**2) / (2 * self.sigma**2),
            slow + 2 * math.pi * m * whole,
        )

    @property
    def _log_norm(self) -> float:
        log_size, _ = (self._few if self.sigma < SHORT else self._many)(
            -np.ones(1), np.zeros(1)
        )
        return float(np.logaddexp.reduce(log_size[:, 0]))

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        s = c + 2j * math.pi / period * np.arange(count)
        value, share = self._moment(s)
        errors = 64 * UNIT * (1 + np.abs(value)) * share
        return Moments(float(value[0].real), value - value[0], errors)

    def outputs(self) -> tuple[np.ndarray, np.ndarray]:
        """List the losses of all integers that matter, ascending, with ln P of each."""
        if self.sigma > LISTED:
            raise OutOfDigits("so much discrete noise has too many outputs to list")
        far = int(38 * self.sigma) + 2
        x = np.arange(-far, far + 1)  # less the shift
        log_mass = -(x**2) / (2 * self.sigma**2) - self._log_theta
        loss = (2.0 * x + self.shift) * (self.shift / (2 * self.sigma**2))
        return loss, log_mass

    @property
    def _log_theta(self) -> float:
        # Poisson's terms lack a factor of σ√(2π)
        if self.sigma < SHORT:
            return self._log_norm
        return self._log_norm + math.log(self.sigma * math.sqrt(2 * math.pi))

    def tails(self, loss: np.ndarray) -> Tails:
        """Sum probabilities from both ends."""
        listed, log_mass = self.outputs()
        at = np.searchsorted(listed, loss, side="right")
        p, q = np.exp(log_mass), np.exp(log_mass - listed)
        (p_up, p_down), (q_up, q_down) = (
            (np.append(np.cumsum(m[::-1])[::-1], 0.0), np.append(0.0, np.cumsum(m)))
            for m in (p, q)
        )
        return p_up[at], p_down[at], q_up[at], q_down[at]


def _column(steps: np.ndarray, like: np.ndarray) -> np.ndarray:
    return steps.reshape(-1, *(1 for _ in np.shape(like)))


@dataclass(frozen=True, order=True)
class DiscreteNoise:
    """A release with discrete Gaussian noise.

    Parameters
    ----------
    sigma : float
        σ.
    shift : int
        Δ, how far one record moves the answer.
    """

    sigma: float
    shift: int
    two_directions, largest, random_step = False, math.inf, False
    tight = True  # whether some neighbors reach the dominating pair
    method = "sum over all integers"
    simpler = "as it is"  # nothing is sampled

    @property
    def spread(self) -> float:
        """What μ a Gaussian release would have: Δ/σ."""
        return self.shift / self.sigma

    @property
    def rho(self) -> float:
        """The ρ for which the release is ρ-zCDP: Δ²/2σ², as for a normal one."""
        return self.spread**2 / 2

    @property
    def total_variation(self) -> float:
        """A bound of the δ of one release at ε = 0, by its ρ. [Pinsker's inequality]"""
        return min(self.spread / 2, 1.0)

    @property
    def has_closed_form(self) -> bool:
        """Whether the sum over all integers is short enough."""
        return self.sigma <= LISTED

    def worst(self, removed: bool) -> DiscreteGaussianPair:  # noqa: ARG002  (as for every kind)
        """Return the pair: noise and shifted noise are mirror images."""
        return DiscreteGaussianPair(self.sigma, self.shift)

    reached = worst

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release, as a sum over all integers."""
        loss, log_mass = DiscreteGaussianPair(self.sigma, self.shift).outputs()
        seen = loss > epsilon
        terms = log_mass[seen] + np.log(-np.expm1(epsilon - loss[seen]))
        return float(np.logaddexp.reduce(terms)) if np.any(seen) else -math.inf


@dataclass(frozen=True, order=True)
class SampledDiscreteNoise:
    """A release with discrete Gaussian noise on a Poisson sample.

    A smaller move than Δ costs less, as for discrete Laplace noise.

    Parameters
    ----------
    sigma : float
        σ.
    shift : int
        Δ, how far one record moves the answer.
    rate : float
        q.
    """

    sigma: float
    shift: int
    rate: float
    two_directions, largest, rho, random_step = True, math.inf, None, False
    method = "sum over all integers"
    simpler = "without the sampling"

    @property
    def tight(self) -> bool:
        """Whether all outputs that matter are listed one by one."""
        return 30 * self.sigma < CELLS // 8

    has_closed_form = tight

    @property
    def spread(self) -> float:
        """What μ a Gaussian release on all records would have: Δ/σ."""
        return self.shift / self.sigma

    @property
    def total_variation(self) -> float:
        """A bound of the δ of one release at ε = 0. [Pinsker's inequality]"""
        return self.rate * min(self.spread / 2, 1.0)

    def worst(self, removed: bool) -> ListedPair:
        """List the pair, or one that dominates it."""
        return self._cells(merged=False).sampled(self.rate, removed)

    def reached(self, removed: bool) -> ListedPair:
        """List the pair, or one that it dominates."""
        return self._cells(merged=True).sampled(self.rate, removed)

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release: the larger of removing and adding a record."""
        return max(self.worst(removed).log_delta(epsilon) for removed in (True, False))

    def _cells(self, merged: bool) -> Cells:
        far = int(40 * self.sigma) + 2  # beyond it lies less than e^{−780}
        x = np.arange(-far, far + self.shift + 1)
        ratio = (2.0 * x - self.shift) * (self.shift / (2 * self.sigma**2))
        log_theta = DiscreteGaussianPair(self.sigma, self.shift)._log_theta
        log_mass = -(x.astype(float) ** 2) / (2 * self.sigma**2) - log_theta
        # groups are smaller where outputs are likely
        near = int(10 * self.sigma) + 2
        ends = np.array([0, far - near, far + self.shift + near, len(x)])
        counts = (CELLS // 8, CELLS, CELLS // 8)
        groups = [
            np.arange(low, high, max((high - low) // count, 1))
            for low, high, count in zip(ends, ends[1:], counts, strict=False)
        ]
        return coarser(Cells(ratio, log_mass, -780.0), np.concatenate(groups), merged)
