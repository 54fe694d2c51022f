"""Floor 2. Dominating pairs: the privacy loss of one release, at its worst.

For each kind of release there is a pair (P, Q) whose loss L = ln(dP/dQ), under P, is
the worst there is: at every ε its δ(ε) = E[(1 − e^{ε−L})₊] is at least that of any
mechanism of the kind. Losses of releases add up, and k releases, chosen adaptively, are
dominated by the k-fold pair. [Zhu, Dong and Wang 2022] An accountant computes δ from

    moment(s)      ln E[e^{sL}] at complex s: adds up over releases
    greatest       the largest loss
    tails(loss)    P(L > loss), P(L ≤ loss), Q(L > loss), Q(L ≤ loss)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .waves import sum_of_waves

Tails = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class Pair(Protocol):
    """The privacy loss of one release at its worst."""

    @property
    def greatest(self) -> float:
        """The largest loss."""
        ...

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] for complex s of one real part, above 0."""
        ...

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute P(L > loss), P(L ≤ loss), Q(L > loss), Q(L ≤ loss)."""
        ...


@dataclass(frozen=True)
class GaussianPair:
    """N(μ, 1) and N(0, 1): the loss is N(μ²/2, μ²)."""

    mu: float
    greatest = math.inf

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute s(s + 1) μ²/2."""
        return s * (s + 1) * (self.mu**2 / 2)

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute normal tails."""
        from scipy.special import ndtr

        a, b = loss / self.mu - self.mu / 2, loss / self.mu + self.mu / 2
        return ndtr(-a), ndtr(a), ndtr(-b), ndtr(b)


@dataclass(frozen=True)
class PurePair:
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
        """Compute the steps of a law on two points."""
        p, q = (1 / (1 + math.exp(e)) for e in (-self.epsilon, self.epsilon))
        low, high = loss < -self.epsilon, loss < self.epsilon
        above_p, above_q = np.where(low, 1.0, p * high), np.where(low, 1.0, q * high)
        below_p = np.where(low, 0.0, np.where(high, q, 1.0))
        return above_p, below_p, above_q, np.where(low, 0.0, np.where(high, p, 1.0))


@dataclass(frozen=True)
class SelectionPair:
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


@dataclass(frozen=True)
class SampledPair:
    """N(0, λ²) with or without a share q of N(1, λ²).

    ``removed``: P is the mixture and Q is without; else the other way round. Each is
    the worst for one of the two directions of a change; the price is the larger.
    """

    noise_multiplier: float
    rate: float
    removed: bool

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Integrate by the trapezoid rule, whose error falls exponentially."""
        c, t = float(np.real(s).flat[0]), np.imag(s)
        loss, log_weight = self._grid(c, float(np.max(np.abs(t))))
        exponent = c * loss + log_weight
        top = float(np.max(exponent))
        if max(top, c * float(loss[0]), c * float(loss[-1])) > 600:
            at_c = top + math.log(float(np.sum(np.exp(exponent - top))))
        else:  # ln(1 + E[e^{cL} − 1]) keeps its digits however small q is
            at_c = math.log1p(float(np.expm1(c * loss) @ np.exp(log_weight)))
        keep = exponent > top - 45
        tilted = np.exp(exponent[keep] - at_c)
        # the same under the tilted law: E[e^{itL} − 1] = −2 sin²(tL/2) + i sin(tL)
        half = np.multiply.outer(t / 2, loss[keep])
        sine = np.sin(half)
        x, y = -2 * (sine * sine) @ tilted, 2 * (sine * np.cos(half)) @ tilted
        log_size = 0.5 * np.log1p(np.maximum(x * (2 + x) + y * y, -1 + 1e-16))
        return at_c + log_size + 1j * np.arctan2(y, 1 + x)

    def along(self, c: float, period: float, count: int) -> np.ndarray:
        """Compute ln E[e^{sL}] at s = c + 2πij/period, j < count, less that at c."""
        loss, log_weight = self._grid(c, 2 * math.pi * count / period)
        exponent = c * loss + log_weight
        top = float(np.max(exponent))
        keep = exponent > top - 45
        tilted = np.exp(exponent[keep] - top)
        tilted /= np.sum(tilted)
        # −1 at loss 0: where nearly all losses are near 0, the digits of the rest stay
        at, weight = np.append(loss[keep], 0.0), np.append(tilted, -1.0)
        waves = sum_of_waves(at, weight, period, count)
        # a moment of exactly 0 has no logarithm: take the least above it
        return np.log1p(np.where(waves == -1, -1 + 1e-15, waves))

    @property
    def greatest(self) -> float:
        """The largest loss: without a record, no output is surer than −ln(1 − q)."""
        if self.removed or self.rate == 1:
            return math.inf
        return -math.log1p(-self.rate)

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c: shape ``(3, len(c))``."""
        loss, log_weight = self._grid(float(np.max(c)), 0.0)
        exponent = np.multiply.outer(c, loss) + log_weight
        top = np.max(exponent, axis=1, keepdims=True)
        weight = np.exp(exponent - top)
        total = np.sum(weight, axis=1)
        mean = weight @ loss / total
        spread = weight @ (loss * loss) / total - mean * mean
        return np.stack([top[:, 0] + np.log(total), mean, np.maximum(spread, 0)])

    def _grid(self, c: float, turn: float) -> tuple[np.ndarray, np.ndarray]:
        # Losses and ln weights. The law tilted by c sits at x ≈ c: a fixed grid would
        # cut it off unseen. And e^{itL} must not outrun the grid: L rises by x/σ² at
        # most.
        sigma = self.noise_multiplier
        # without the record it moves the other way, and by σ² ln c at most
        low = -9 * sigma - (0 if self.removed else min(c, 1 + sigma**2 * math.log1p(c)))
        high = 1 + 9 * sigma + (c if self.removed else 0)
        # ln(1 − q + q e^…) is analytic for |Im x| < πσ²: a step of 0.55 σ² errs by
        # e^{−36}
        follow = 2 * math.pi * sigma**2 / (1.3 * max(turn, 16.5 * sigma) + 9 * sigma)
        step = min(sigma / 5, 0.55 * sigma * sigma, follow)
        x = np.arange(low, high + step, step)
        log_base = -x * x / (2 * sigma**2) + math.log(
            step / (sigma * math.sqrt(2 * math.pi))
        )
        ratio = self._log_mixture(x)
        if self.removed:
            return ratio, log_base + ratio
        return -ratio, log_base

    def _log_mixture(self, x: np.ndarray) -> np.ndarray:
        # ln(1 − q + q e^{(2x − 1)/2σ²}), the mixture's density over N(0, σ²)'s
        jump = (2 * x - 1) / (2 * self.noise_multiplier**2)
        with np.errstate(over="ignore"):
            near = np.log1p(self.rate * np.expm1(np.minimum(jump, 500)))
        far = math.log(self.rate) + jump
        return np.where(jump < 500, near, far)

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute normal tails at the x whose loss it is."""
        from scipy.special import ndtr

        q, sigma = self.rate, self.noise_multiplier
        at = loss if self.removed else -loss
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            big = np.log(np.expm1(np.minimum(at, 500)) / q + 1)
            jump = np.where(at < 500, big, at - math.log(q))
        jump = np.where(np.isnan(jump), -np.inf, jump)  # below ln(1 − q): never reached
        x = sigma * jump + 1 / (2 * sigma)  # in units of σ
        base_up, base_down = ndtr(-x), ndtr(x)
        mixed_up = (1 - q) * base_up + q * ndtr(1 / sigma - x)
        mixed_down = (1 - q) * base_down + q * ndtr(x - 1 / sigma)
        if self.removed:
            return mixed_up, mixed_down, base_up, base_down
        return base_down, base_up, mixed_down, mixed_up


def cumulants(pairs: Sequence[tuple[Pair, int]], c: np.ndarray) -> np.ndarray:
    """Compute ln E[e^{cL}] of all releases, and two derivatives, at many real c.

    To ten digits or so, for searches; ``moment`` is exact to rounding.
    """
    total = np.zeros((3, len(c)))
    for pair, k in pairs:
        if isinstance(pair, SampledPair):
            # one grid serves tilts of one size
            size = np.floor(np.log(c) / 2)
            for each in np.unique(size):
                near = size == each
                total[:, near] += k * pair.cumulants(c[near])
        else:
            h = 1e-3 * c
            here, there = pair.moment(c + 0j), pair.moment(c + 1j * h)
            second = 2 * np.real(here - there) / h**2
            total += k * np.stack([np.real(here), np.imag(there) / h, second])
    return total
