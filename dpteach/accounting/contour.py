"""Floor 2. The contour accountant: δ as an integral of the loss's moments.

    δ(ε) = (1/2πi) ∫ e^{−sε} E[e^{sL}] / (s (s + 1)) ds   over Re s = c, for any c > 0.

Near the saddle point of the integrand nothing cancels, so tails keep their digits, and
the trapezoid rule converges exponentially. [Alghamdi et al. 2023] An estimate: its
error is tiny, not certified. Where the moments do not die out along the line, as when a
record is hardly ever sampled, it refuses, and the loss distribution must do.
"""

import math
from collections.abc import Sequence

import numpy as np

from .moments import log_delta_from_moment
from .pairs import Pair, PurePair, SampledPair, cumulants

# How many values of e^{sL} one integral may take: some 50 ms.
MOST = 2_000_000
# The largest tilt, in units of min(σ, σ²), that a sampled loss's grid is made for.
FARTHEST = 2e4
# How far below δ, in nats, an error of the rule must lie.
ALIAS, TRUNCATION = 28.0, 1e-13


class DoesNotDecay(ArithmeticError):
    """The integrand does not die out: few jumps, or losses on a lattice."""


class Contour:
    """ln δ of ``pairs``, each with its number of releases, at any ε."""

    def __init__(self, pairs: Sequence[tuple[Pair, int]]) -> None:
        self.pairs = pairs
        self.bound = sum(pair.greatest * k for pair, k in pairs)
        # Near this tilt a sampled loss has two peaks ("one big jump") and the moments
        # die out slowly. Any c is exact, so stay on the near side while digits last.
        sampled = [pair for pair, _ in pairs if isinstance(pair, SampledPair)]
        self.noise = [pair.noise_multiplier for pair in sampled]
        self.near = math.inf
        for pair in sampled:
            if pair.removed:
                jump = 1 - 2 * pair.noise_multiplier**2 * math.log(pair.rate)
                self.near = min(self.near, max(0.7 * jump, 1.0))
            else:  # just below the greatest loss the saddle point runs off to infinity
                sigma = pair.noise_multiplier
                self.near = min(self.near, FARTHEST * min(sigma, sigma**2))
        self.start = 1.0

    def moment(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] of all releases."""
        return np.sum([k * pair.moment(s) for pair, k in self.pairs], axis=0)

    def _slopes(self, c: float) -> tuple[float, float, float]:
        # The moment and two derivatives at real c, by a complex step: no cancellation
        h = 1e-3 * c
        at = self.moment(np.asarray([c + 0j, c + 1j * h]))
        second = 2 * (at[0].real - at[1].real) / h**2
        return float(at[0].real), float(at[1].imag) / h, max(float(second), 1e-300)

    def _saddle(self, epsilon: float, most: float) -> tuple[float, float, float]:
        # c near the saddle point, with ln E[e^{cL}] and the curvature of the integrand
        c, low, high = min(self.start, most), 0.0, math.inf
        for _ in range(100):
            value, first, second = self._slopes(c)
            slope = first - epsilon - 1 / c - 1 / (1 + c)
            curvature = second + 1 / c**2 + 1 / (1 + c) ** 2
            low, high = (low, c) if slope > 0 else (c, high)
            further = c - slope / curvature
            if not low < further < high:
                further = 2 * c if math.isinf(high) else (low + high) / 2
            further = min(further, most)
            # 5 % from the saddle point is near enough
            if abs(further - c) < 0.05 * c or (slope < 0 and c >= most):
                self.start = c
                return c, value, curvature
            c = further
        raise DoesNotDecay("the moments do not die out along the contour")

    def log_delta(self, epsilon: float) -> tuple[float, float]:
        """Compute ln δ at ε, and its derivative."""
        if epsilon >= self.bound:
            return -math.inf, -math.inf
        for most in (self.near, 1.15 * self.near, 1.3 * self.near):
            try:
                return self._integrate(epsilon, most)
            except DoesNotDecay as problem:
                refused = problem
        raise refused

    def _integrate(self, epsilon: float, most: float) -> tuple[float, float]:
        c, at_c, curvature = self._saddle(epsilon, most)
        step = 2 * math.pi / self._period(c, at_c, curvature, epsilon)
        block = min(max(int(9 / (math.sqrt(curvature) * step)), 24), 256)
        total, size, done, work = 0j, 0.0, 0, 0.0
        while True:
            # the further along the line, the finer a grid the moments need
            turn = step * (done + block)
            work += block * sum((100 + 4 * turn / sigma for sigma in self.noise), 1.0)
            if work > MOST:
                break
            s = c + 1j * step * np.arange(done, done + block)
            terms = self._terms(s, at_c, epsilon)
            if done == 0:
                terms[0] /= 2
            total += complex(np.sum(np.real(terms)), -np.sum(np.real(s * terms)))
            size += float(np.sum(np.abs(terms)))
            done += block
            if total.real < 1e-4 * size:
                break  # the digits are gone: c is too far from the saddle point
            if np.max(np.abs(terms[-4:])) < TRUNCATION * total.real:
                allowed = 1e-11 * total.real * step
                if not self._tail_is_small(complex(s[-1]), allowed):
                    continue
                log_total = math.log(total.real * step / math.pi)
                return log_total + at_c - c * epsilon, total.imag / total.real
        raise DoesNotDecay("the moments do not die out along the contour")

    def _period(self, c: float, at_c: float, curvature: float, epsilon: float) -> float:
        # The rule of step 2π/P adds e^{cjP} δ(ε + jP), j = ±1, ±2, …: all positive. P
        # is long enough for each to be below e^{−28} δ(ε), by δ ≤ 1 on one side, on the
        # other by δ(ε + P) ≤ E[e^{c'L}] e^{−c'(ε+P)} at the best of a few c' > c.
        roughly = epsilon * c - at_c + math.log(c * (1 + c) * math.sqrt(7 * curvature))
        left = (ALIAS + max(roughly, 0.0)) / c
        further = c * np.asarray([1.1, 1.4, 2.0])
        moments = cumulants(self.pairs, further)[0]
        right = (moments - at_c + ALIAS + math.log(1 + c)) / (further - c) - epsilon
        right = float(np.min(right))
        return max(left, right)

    def _terms(self, s: np.ndarray, at_c: float, epsilon: float) -> np.ndarray:
        turn = 1j * np.imag(s) * epsilon
        return np.exp(self.moment(s) - at_c - turn) / (s * (s + 1))

    def _tail_is_small(self, last: complex, allowed: float) -> bool:
        # A small term does not mean a small rest. Look on until the moments only fall,
        # without those of pure releases: they are never above 1, and small at times.
        rest = [(pair, k) for pair, k in self.pairs if not isinstance(pair, PurePair)]
        settled = max((pair.settled for pair, _ in rest), default=0.0)
        far = np.geomspace(last.imag, max(last.imag, settled), 12)
        s = last.real + 1j * np.concatenate((np.zeros(1), far))
        moments = np.sum([k * np.real(pair.moment(s)) for pair, k in rest], axis=0)
        sizes = np.exp(moments[1:] - moments[0]) / np.abs(s[1:] * (s[1:] + 1))
        return float(np.max(sizes * far)) < allowed

    def chernoff(self, epsilon: float) -> float:
        """Bound ln δ at ε by the best of a few moments."""
        c = np.geomspace(2.0, 50.0, 8)
        moments = cumulants(self.pairs, c)[0]
        return float(np.min(log_delta_from_moment(moments, c, epsilon)))

    def least_epsilon(self, log_delta: float) -> float:
        """Compute the ε with this ln δ."""
        epsilon = self._guess(log_delta)
        # ln δ is concave and falls in ε: Newton's steps land above the root, then fall.
        for _ in range(60):
            value, slope = self.log_delta(epsilon)
            if math.isinf(value):
                epsilon *= 0.999
                continue
            step = (value - log_delta) / slope
            if epsilon - step <= 0:
                if epsilon == 0 or self.log_delta(0.0)[0] <= log_delta:
                    return 0.0
                step = epsilon / 2
            epsilon -= step
            # the next gap would be about the square of this one
            if abs(step) < 1e-13 * epsilon or abs(value - log_delta) < 1e-6:
                return epsilon
        raise DoesNotDecay("the moments do not die out along the contour")

    def _guess(self, log_delta: float) -> float:
        # Each c is the saddle point of one ε, where δ is known to a percent or so.
        c = np.geomspace(0.3, min(64, self.near), 12)
        value, first, second = cumulants(self.pairs, c)
        epsilons = first - 1 / c - 1 / (1 + c)
        spread = second + 1 / c**2 + 1 / (1 + c) ** 2
        size = np.log(c * (1 + c)) + np.log(2 * math.pi * spread) / 2
        at, tilts = size + c * epsilons - value, c
        self.start = float(np.interp(-log_delta, at, tilts))
        epsilon = float(np.interp(-log_delta, at, epsilons))
        return min(max(epsilon, 0.0), 0.999 * self.bound)
