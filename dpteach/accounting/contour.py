"""Floor 2. The contour accountant: δ as an integral of the loss's moments.

    δ(ε) = (1/2πi) ∫ e^{−sε} E[e^{sL}] / (s (s + 1)) ds   over Re s = c, for any c > 0.

Near the saddle point of the integrand nothing cancels, so tails keep their digits, and
the trapezoid rule converges exponentially. [Alghamdi et al. 2023] Where a record is
hardly ever sampled the loss is nearly certain, and its moments hardly die out along the
line. They need not: to fade them out softly blurs (1 − e^{ε−L})₊ about its kink, which
moves δ only by what is sharp in the law of L near ε. So the line is cut where fading it
out earlier gives the same δ. An estimate: its error is tiny, not certified.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .moments import log_delta_from_moment
from .pairs import Pair, SampledPair, cumulants

# The largest tilt, in units of min(σ, σ²), that a sampled loss's grid is made for.
FARTHEST = 2e4
# How far below δ, in nats, an error of the rule must lie; how near two cuts must agree.
ALIAS, AGREE = 28.0, 1e-9
# Rounding errors were below this share of the terms' sizes wherever they were measured;
# at the least share that the sum must be of them, they move ln δ by less than 1e-6.
ROUNDING, LEAST = 2e-14, 3e-8
# How many values one line may take: some 50 ms.
MOST = 2**19


class DoesNotDecay(ArithmeticError):
    """The integrand neither dies out nor can be cut: as for losses on a lattice."""


@dataclass(frozen=True)
class Line:
    """The moments along Re s = c, at s = c + 2πij/P for j = 0, 1, …"""

    s: np.ndarray
    log_moment: np.ndarray  # less ln E[e^{cL}]
    at_c: float
    period: float

    def log_delta(self, epsilon: float, cut: float = 1.0) -> tuple[float, float]:
        """Compute ln δ at ε, and its derivative; ``cut`` is where the line fades out.

        In shares of its length. ln δ is −∞ where no digits are left.
        """
        t, c = np.imag(self.s), float(np.real(self.s[0]))
        terms = np.exp(self.log_moment - 1j * t * epsilon) / (self.s * (self.s + 1))
        terms *= _fading(t / (cut * t[-1]))
        slope, size = -np.sum((self.s * terms).real), np.sum(np.abs(terms))
        total = np.sum(terms.real) + ROUNDING * size
        if not total > LEAST * size:
            return -math.inf, -math.inf
        log_total = math.log(2 * total / self.period)
        return log_total + self.at_c - c * epsilon, float(slope / total)


def _fading(t: np.ndarray) -> np.ndarray:
    # From 1 to 0 by a normal law's tail, so that the blur has one too: half at 0.58.
    # The trapezoid rule takes half of the first term.
    from scipy.special import ndtr

    fading = ndtr((0.58 - t) / 0.058)
    fading[0] /= 2
    return fading


class Contour:
    """ln δ of ``pairs``, each with its number of releases, at any ε."""

    def __init__(self, pairs: Sequence[tuple[Pair, int]]) -> None:
        self.pairs = pairs
        self.bound = sum(pair.greatest * k for pair, k in pairs)
        # Near this tilt a sampled loss has two peaks ("one big jump"), where they are
        # apart at all. Any c is exact, so stay on the near side while digits last.
        sampled = [pair for pair, _ in pairs if isinstance(pair, SampledPair)]
        self.noise = max((pair.noise_multiplier for pair in sampled), default=1.0)
        # outputs whose losses make waves, each on a few points, per length of the line
        self.points = sum(60 / pair.noise_multiplier for pair in sampled)
        self.near = math.inf
        for pair in sampled:
            jump = 1 - 2 * pair.noise_multiplier**2 * math.log(pair.rate)
            if pair.removed and jump > 4 * pair.noise_multiplier:
                self.near = min(self.near, max(0.7 * jump, 1.0))
            else:  # just below the greatest loss the saddle point runs off to infinity
                sigma = pair.noise_multiplier
                self.near = min(self.near, FARTHEST * min(sigma, sigma**2))
        self.start = 1.0

    def _moment(self, s: np.ndarray) -> np.ndarray:
        # ln E[e^{sL}] of all releases
        return np.sum([k * pair.moment(s) for pair, k in self.pairs], axis=0)

    def _slopes(self, c: float) -> tuple[float, float, float]:
        # The moment and two derivatives at real c, by a complex step: no cancellation
        h = 1e-3 * c
        at = self._moment(np.asarray([c + 0j, c + 1j * h]))
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
        raise DoesNotDecay("no saddle point was found")

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ at ε."""
        if epsilon >= self.bound:
            return -math.inf
        return self._line(epsilon).log_delta(epsilon)[0]

    def _line(self, epsilon: float) -> Line:
        # A line long enough at this ε
        for most in (self.near, 1.2 * self.near):
            try:
                return self._line_below(epsilon, most)
            except DoesNotDecay as problem:
                refused = problem
        raise refused

    def _line_below(self, epsilon: float, most: float) -> Line:
        c, at_c, curvature = self._saddle(epsilon, most)
        period = self._period(c, at_c, curvature, epsilon)
        # What is sharp in the law near ε: one jump, spread by 1/σ, and the kink itself
        sharp = 80 * max(1.0, self.noise) / min(1.0, max(epsilon, 0.01))
        end = min(sharp, 30 * math.sqrt(1 / curvature) + 30 / period)
        work = period / (2 * math.pi) + self.points
        while end * work < MOST:
            line = self._moments(c, at_c, period, end)
            first, second = (line.log_delta(epsilon, cut)[0] for cut in (1.0, 0.7))
            if abs(first - second) < AGREE:
                return line
            end *= 2
        raise DoesNotDecay("the moments do not die out along the contour")

    def _moments(self, c: float, at_c: float, period: float, end: float) -> Line:
        count = max(int(end * period / (2 * math.pi)) + 1, 32)
        s = c + 2j * math.pi / period * np.arange(count)
        total = np.zeros(count, complex)
        for pair, k in self.pairs:
            if isinstance(pair, SampledPair):
                total += k * pair.along(c, period, count)
            else:
                total += k * (pair.moment(s) - pair.moment(s[:1]))
        return Line(s, total, at_c, period)

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

    def chernoff(self, epsilon: float) -> float:
        """Bound ln δ at ε by the best of a few moments."""
        c = np.geomspace(2.0, 1000.0, 16)
        moments = cumulants(self.pairs, c)[0]
        return float(np.min(log_delta_from_moment(moments, c, epsilon)))

    def least_epsilon(self, log_delta: float) -> float:
        """Compute the ε with this ln δ."""
        epsilon = self._guess(log_delta)
        for tries in range(20):
            try:
                line = self._line(epsilon)
            except DoesNotDecay:  # as where δ is far too small: come nearer
                if tries > 2:
                    raise
                epsilon /= 2
                continue
            root, found = self._root(line, epsilon, log_delta)
            if found and abs(root - epsilon) < 0.02 * epsilon:
                return root  # the line serves what is near
            if root <= 0:
                if epsilon == 0 or self.log_delta(0.0) <= log_delta:
                    return 0.0
                root = epsilon / 2
            epsilon = root if root < self.bound else (epsilon + self.bound) / 2
        raise DoesNotDecay("no root was found along the contour")

    def _root(self, line: Line, start: float, target: float) -> tuple[float, bool]:
        # ln δ is concave and falls in ε: Newton's steps land above the root, then fall.
        # Where they land too far above, no digits are left: halfway back, then.
        epsilon, good, lost = start, start, math.inf
        for _ in range(40):
            value, slope = line.log_delta(epsilon)
            if math.isinf(value):
                lost, epsilon = epsilon, (good + epsilon) / 2
                continue
            good, step = epsilon, (value - target) / slope
            epsilon = good - step
            # the next gap would be about the square of this one
            if abs(step) < 1e-13 * good or abs(value - target) < 1e-6:
                return epsilon, True
            if epsilon >= lost:
                epsilon = (good + lost) / 2
            if not start / 3 < epsilon < 3 * start or abs(lost - good) < 0.01 * good:
                break
        return epsilon, False

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
        if -log_delta > at[-1]:  # beyond the near side: some of what a moment bounds
            bounds = value - log_delta + c * np.log(c) - (1 + c) * np.log1p(c)
            epsilon = max(epsilon, float(np.min(bounds / c)) * 0.25)
        return min(max(epsilon, 0.0), 0.999 * self.bound)
