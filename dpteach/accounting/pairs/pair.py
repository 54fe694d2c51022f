"""Floor 2. Dominating pairs: the privacy loss of one release, at its worst.

For each kind of release there is a pair (P, Q) whose loss L = ln(dP/dQ), under P, is
the worst possible: at every ε its δ(ε) = E[(1 − e^{ε−L})₊] is at least that of any
mechanism of the kind. Losses of releases add up, and k releases, chosen adaptively, are
dominated by the k-fold pair. [Zhu, Dong and Wang 2022] An accountant computes δ from
moments E[e^{sL}], which multiply, or from distributions of L, which are convolved.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from ..moments.line import Moments
from ..moments.nonuniform_fourier import UNIT
from .sampled_gaussian import Tails


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
        """Bound ``ln |E[e^{sL}]/E[e^{cL}]|`` for all s = c + it' with t' ≥ t."""
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

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        h = 1e-3 * c  # derivatives by a complex step: no cancellation
        here, there = self.moment(c + 0j), self.moment(c + 1j * h)
        second = 2 * np.real(here - there) / h**2
        return np.stack([np.real(here), np.imag(there) / h, second])

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        value = self.moment(c + 2j * math.pi / period * np.arange(count))
        errors = 32 * UNIT * (1 + np.abs(value))
        return Moments(float(value[0].real), value - value[0], errors)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Return no bound: the losses may lie on a lattice."""
        return np.zeros(len(t))

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

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute s(s + 1) μ²/2."""
        return s * (s + 1) * (self.mu**2 / 2)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Compute −t²μ²/2."""
        return -t * t * (self.mu**2 / 2)

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute normal tails."""
        from scipy.special import ndtr

        a, b = loss / self.mu - self.mu / 2, loss / self.mu + self.mu / 2
        return ndtr(-a), ndtr(a), ndtr(-b), ndtr(b)


@dataclass(frozen=True)
class PurePair(ClosedForm):
    """Randomized response: the loss is ε with probability e^ε/(1 + e^ε), else −ε."""

    epsilon: float

    @property
    def greatest(self) -> float:
        """The largest loss, ε."""
        return self.epsilon

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln (p e^{sε} + q e^{−sε})."""
        epsilon = self.epsilon
        log_p = -math.log1p(math.exp(-epsilon))
        return s * epsilon + log_p + np.log1p(np.exp(-(2 * s + 1) * epsilon))

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute the steps of a distribution on two points."""
        p, q = (1 / (1 + math.exp(e)) for e in (-self.epsilon, self.epsilon))
        low, high = loss < -self.epsilon, loss < self.epsilon
        above_p, above_q = np.where(low, 1.0, p * high), np.where(low, 1.0, q * high)
        below_p = np.where(low, 0.0, np.where(high, q, 1.0))
        return above_p, below_p, above_q, np.where(low, 0.0, np.where(high, p, 1.0))


@dataclass(frozen=True)
class SelectionPair(ClosedForm):
    """Bounded range ε: the loss has a density ∝ e^{loss/2} on [−ε, ε].

    One choice with losses t and t − ε has δ(ε') = (e^ε − e^t)(1 − e^{ε'−t})/(e^ε − 1).
    The worst t gives (e^{ε/2} − e^{ε'/2})²/(e^ε − 1), the δ of this density.
    """

    epsilon: float

    @property
    def greatest(self) -> float:
        """The largest loss, ε."""
        return self.epsilon

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln of sinh((s + ½)ε)/((s + ½)ε), less its value at s = 0."""

        def log_sinhc(z: np.ndarray) -> np.ndarray:
            near = np.abs(z) < 0.05
            small = np.where(near, z * z, 0)
            series = small * (1 / 6 - small * (1 / 180 - small / 2835))
            far = np.where(near, 1.0, z)
            return np.where(near, series, far + np.log(-np.expm1(-2 * far) / (2 * far)))

        half = np.asarray(self.epsilon / 2)
        return log_sinhc((2 * s + 1) * half) - log_sinhc(half)

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


def cumulants(pairs: Sequence[tuple[Pair, int]], c: np.ndarray) -> np.ndarray:
    """Compute ln E[e^{cL}] of all releases, and two derivatives, at many real c.

    To ten digits or so, for searches.
    """
    return np.sum([k * pair.cumulants(c) for pair, k in pairs], axis=0)


def log_lost(pairs: Sequence[tuple[Pair, int]]) -> float:
    """Compute ln of the probability that counts as lost outright in all releases."""
    return float(np.logaddexp.reduce([math.log(k) + p.log_lost for p, k in pairs]))
