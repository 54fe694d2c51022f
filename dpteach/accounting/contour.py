"""Floor 2. The contour accountant: δ from the loss's moments, between proved bounds.

    δ(ε) = (1/2πi) ∫ M(s) e^{−sε} / (s (s + 1)) ds,   M(s) = E[e^{sL}],

over Re s = c, for any c > 0. Near the saddle point of the integrand nothing cancels, so
tails keep their digits. [Alghamdi et al. 2023] What a computer sums is not the
integral. Five steps lead from it to the sum, and each has a bound:

1. Losses beyond a cut count as lost outright. δ rises by their probability, at most.
2. A Gaussian release of μ² = v is added, which fades the moments out along the line. It
   can only raise δ, and by at most v e^{v/8} p_v(ε), where p_v is the density of the
   loss of everything, under P. For as v grows, δ(ε) grows at the rate p_v(ε)/2. And for
   each value of L the integral of p_w(ε) over w from 0 to v is at most 2v e^{v/8}
   p_v(ε), because ∫₀ᵛ g_w(x) dw ≤ 2v g_v(x) for the normal densities g_w of variance
   w. Where the moments are proved to die out by themselves, v = 0.
3. The trapezoid rule of step 2π/P gives Σ_j e^{cjP} δ(ε + jP), by Poisson's formula.
   All terms are positive, so it errs upward, and a moment bounds the terms j ≠ 0.
4. The sum ends where a bound of |M(c + it)| for all larger t says that little is left.
5. Rounding is counted term by term, in the usual model of double precision.

So δ lies between two numbers, and both are returned. If records are rarely sampled,
nearly all of a moment comes from runs without a large loss. They add nothing to δ but
take up all the digits. So runs with a large loss, a jump, get a line of their own: it
integrates M minus the moments without jumps, computed so that the difference loses no
digits.

Step 5 is an analysis to first order of what each operation may lose, tested with
mpmath, and not interval arithmetic.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .. import numerics
from .moments import OutOfDigits, log_delta_from_moment
from .nonuniform_fourier import UNIT
from .pairs import Pair, cumulants, log_lost
from .saddle import (
    TILTS,
    saddle_at_delta,
    saddle_at_epsilon,
    saddle_of_difference,
)

# The relative excess of ε, or of ln δ, that smoothing may cause.
EXCESS = 2e-7
# and of a coarse line that only shows where a finer one belongs
COARSE = 1e-3
# How far below δ, in nats, lie what is cut off, the rule's error and the sum's rest
SMALL = 21.0
# If a moment at c outweighs δ by more, in nats, one line loses too many digits
CANCELS = 7.0
# How many values one line may have: some 200 ms.
MOST = 2**19
# A loss is a jump if it is more than this share of ε
JUMP = 0.75


@dataclass(frozen=True)
class Line:
    """The moments of all releases along Re s = c, at s = c + 2πij/P for j = 0, 1, …

    Parameters
    ----------
    s : array
        Where the moments were taken.
    moment, error : array
        Their ratios to the moment at c, and the ratios' errors.
    log_moment, log_moment_error : float
        ln of the moment at c, and its error.
    period, variance : float
        P, and v.
    log_rest : float
        ln of a bound of the ratios beyond the line.
    further, log_further : array
        Larger tilts, with ln of the moments there.
    """

    s: np.ndarray
    moment: np.ndarray
    error: np.ndarray
    log_moment: float
    log_moment_error: float
    period: float
    variance: float
    log_rest: float
    further: np.ndarray
    log_further: np.ndarray

    def bounds(self, epsilon: float) -> tuple[float, float, float]:
        """Bound ln δ at ε from both sides; return the slope of the upper bound too."""
        s, c = self.s, float(self.s[0].real)
        t, scale = np.imag(s), 2 / self.period
        density = self.moment * np.exp(-1j * t * epsilon)
        error = self.error + np.abs(density) * (4 * UNIT * (t * epsilon + 10))
        density[0] /= 2  # the rule's first term counts half
        terms = density / (s * (s + 1))
        rounding = scale * float(np.sum(error / np.abs(s * (s + 1))))
        end = float(t[-1])
        rest = math.exp(self.log_rest) / (math.pi * end)
        total = scale * float(np.sum(terms.real))
        lead = self.log_moment - c * epsilon
        slack = self.log_moment_error + 4 * UNIT * (c * epsilon + abs(lead) + 10)
        if not total > 3 * rounding:  # too few digits: the moment's bound is left
            at_most = log_delta_from_moment(self.log_moment, c, epsilon) + slack
            return -math.inf, float(at_most), -c
        upper = lead + slack + math.log(total + rounding + rest)
        slope = -scale * float(np.sum(np.real(s * terms))) / total
        least = total - rounding - rest
        if self.variance:  # step 2: what smoothing may have added
            p = scale * float(np.sum(np.real(density)) + np.sum(error))
            p += math.exp(self.log_rest) / (math.pi * end * self.variance)
            least -= self.variance * math.exp(self.variance / 8) * max(p, 0.0)
        lower = lead - slack + math.log(least) if least > 0 else -math.inf
        return _log_less(lower, self._log_others(epsilon)), upper, slope

    def _log_others(self, epsilon: float) -> float:
        # Step 3: δ ≤ 1 on the left, δ(ε + jP) by a moment at a larger tilt on the right
        c, period = float(self.s[0].real), self.period
        gap = (self.further - c) * period
        right = np.min(self.log_further - self.further * epsilon - gap)
        at_least = min(float(gap[0]), c * period)
        return float(np.logaddexp(-c * period, right)) - math.log(
            -math.expm1(-at_least)
        )


def _log_less(a: float, b: float) -> float:
    # ln(e^a − e^b), −∞ where nothing is left
    return a + math.log(-math.expm1(b - a)) if b < a else -math.inf


@dataclass(frozen=True)
class Integral:
    """δ as a sum of integrals along lines, and ln of what was cut off."""

    lines: tuple[Line, ...]
    log_lost: float

    def bounds(self, epsilon: float) -> tuple[float, float, float]:
        """Bound ln δ at ε from both sides; return the slope of the upper bound too."""
        lower, upper, slope = np.transpose(
            [line.bounds(epsilon) for line in self.lines]
        )
        total = float(np.logaddexp.reduce(np.append(upper, self.log_lost)))
        slope = float(slope @ np.exp(upper - total))
        return float(np.logaddexp.reduce(lower)), total, slope


class Contour:
    """Bounds of δ, and of ε, for ``pairs``, each with its number of releases."""

    def __init__(
        self, pairs: Sequence[tuple[Pair, int]], excess: float = EXCESS
    ) -> None:
        self.pairs, self.excess = list(pairs), excess
        self.releases = sum(k for _, k in pairs)
        self.greatest = sum(pair.greatest * k for pair, k in pairs)
        self.log_lost = log_lost(pairs)

    def bounds(self, epsilon: float) -> tuple[float, float]:
        """Bound ln δ at ε from both sides."""
        if epsilon >= self.greatest:
            return -math.inf, -math.inf
        expected = self.chernoff(epsilon)
        for _ in range(8):
            integral = self._integral(epsilon, expected, self.excess)
            lower, upper, _ = integral.bounds(epsilon)
            if integral.log_lost < upper - SMALL + 3:
                break
            # nearly all was cut off: cut where it is less
            expected = max(_log_less(upper, integral.log_lost), upper - 2 * SMALL)
        return lower, min(upper, 0.0)

    def chernoff(self, epsilon: float) -> float:
        """Bound ln δ at ε by the best of many moments."""
        with np.errstate(over="ignore", invalid="ignore"):
            bound = log_delta_from_moment(
                cumulants(self.pairs, TILTS)[0], TILTS, epsilon
            )
        return min(float(np.logaddexp(np.nanmin(bound), self.log_lost)), 0.0)

    def chernoff_epsilon(self, log_delta: float, low: float) -> float:
        """Compute the ε at which that bound is this ln δ, at least ``low``."""
        high = max(2 * low, 1e-9)
        while self.chernoff(high) > log_delta:
            high *= 2
        return numerics.safe_root(lambda e: self.chernoff(e) - log_delta, low, high)

    def least_epsilon(self, log_delta: float) -> tuple[float, float]:
        """Bound from both sides the ε with this ln δ."""
        _, epsilon = saddle_at_delta(self._cut_off(log_delta), log_delta)
        epsilon, low, high = min(epsilon, 0.999 * self.greatest), -1.0, self.greatest
        # Coarse lines first: they are short, and show where the fine one belongs
        excess, smallest = max(self.excess, COARSE), epsilon / 50
        for _ in range(60):
            integral = self._integral(epsilon, log_delta, excess)
            if integral.bounds(epsilon)[1] > log_delta:
                low = epsilon
            elif epsilon == 0:
                return 0.0, 0.0
            else:
                high = epsilon
            root = _root(integral, epsilon, log_delta)
            if abs(root - epsilon) <= 0.03 * epsilon or high - low < 0.02 * low:
                root = min(max(root, low), high)
                if excess == self.excess:
                    return self._both(integral, root, log_delta)
                excess, low, high = self.excess, min(low, 0.0), self.greatest
            elif root >= high:
                root = (epsilon + high) / 2
            elif root <= low:
                root = (low + epsilon) / 2
            elif low < 0 and root < smallest:
                root = 0.0  # perhaps δ alone covers it
            epsilon = max(root, 0.0)
        raise OutOfDigits("no ε was found along the contour")

    def _both(
        self, integral: Integral, root: float, target: float
    ) -> tuple[float, float]:
        # Step to the side where the bound of δ holds, by less than rounding
        lower, upper, slope = integral.bounds(root)
        step = 1e-15
        while upper > target and step < 1e-3:
            root += step * max(root, 1e-300) + (upper - target) / max(-slope, 1e-300)
            step *= 2
            lower, upper, slope = integral.bounds(root)
        if upper > target:
            raise OutOfDigits("no ε was found along the contour")
        # and down to where δ is proved to be larger than asked for
        gap = max(upper - lower, 1e-14)
        for factor in (1.02, 1.5, 4.0, 16.0):
            below = root - factor * (gap + target - upper) / -slope
            if below <= 0:
                break
            if integral.bounds(below)[0] >= target:
                return below, root
        return 0.0, root

    def _cut_off(self, log_delta: float) -> list[tuple[Pair, int]]:
        log_each = log_delta - SMALL - math.log(self.releases)
        return [(pair.cut_off(log_each), k) for pair, k in self.pairs]

    def _integral(self, epsilon: float, expected: float, excess: float) -> Integral:
        """Choose lines for δ near e^{expected} at ε, and take the moments there."""
        cut = self._cut_off(expected)
        # near the largest loss the saddle point runs off to infinity
        most = 10 * (30 - expected) / epsilon if epsilon else math.inf
        c, soft, value = _softened(
            cut, min(saddle_at_epsilon(cut, epsilon), most), epsilon
        )
        lost = log_lost(soft)
        cancels = value - c * epsilon - math.log(c + 1) > expected + CANCELS
        if not (cancels and epsilon):
            return Integral((self._line(soft, c, epsilon, expected, excess),), lost)
        # Most of the moment comes from runs without a large loss, which say nothing
        # about δ: they get a line of their own.
        others = [(pair.without_jumps(JUMP * epsilon), k) for pair, k in cut]
        c_others = min(saddle_at_epsilon(others, epsilon), most)
        c_others, others, _ = _softened(others, c_others, epsilon)
        c = saddle_of_difference(cut, others, epsilon, c)
        jumps = [
            (pair.softened(c).with_jumps(other), k)
            for (pair, k), (other, _) in zip(cut, others, strict=True)
        ]
        return Integral(
            (
                self._line(jumps, c, epsilon, expected, excess),
                self._line(others, c_others, epsilon, expected, excess),
            ),
            lost,
        )

    def _line(
        self,
        soft: Sequence[tuple[Pair, int]],
        c: float,
        epsilon: float,
        expected: float,
        excess: float,
    ) -> Line:
        """Take moments at Re s = c for δ near e^{expected} at ε."""
        tilts = c * np.asarray([1.0, 1.1, 1.2, 1.3, 1.45, 1.7, 2.0])
        moments = np.sum([k * pair.log_moments(tilts) for pair, k in soft], axis=0)
        log_moment, log_further, further = float(moments[0]), moments[1:], tilts[1:]
        lead = log_moment - c * epsilon
        # the period, so long that other terms of Poisson's formula are small
        right = (log_further - further * epsilon - expected + SMALL) / (further - c)
        period = max((SMALL - expected) / c, float(np.min(right)))
        variance, end, log_rest = self._end(
            soft, c, epsilon, period, expected - lead - SMALL, excess
        )
        count = max(int(end * period / (2 * math.pi)) + 1, 32)
        s = c + 2j * math.pi / period * np.arange(count)
        # the Gaussian release that is added, here and in the moments further on
        square = c * (c + 1) * variance / 2
        moment, error, slack = _product(soft, period, count, c)
        fade = np.exp(np.real(s * (s + 1)) * (variance / 2) - square)
        phase = np.exp(1j * np.imag(s * (s + 1)) * (variance / 2))
        moment, error = moment * fade * phase, error * fade
        return Line(
            s, moment, error + 8 * UNIT * np.abs(moment), log_moment + square, slack,
            period,
            variance, log_rest, further,
            log_further + further * (further + 1) * (variance / 2),
        )  # fmt: skip

    def _end(
        self,
        soft: Sequence[tuple[Pair, int]],
        c: float,
        epsilon: float,
        period: float,
        enough: float,
        excess: float,
    ) -> tuple[float, float, float]:
        """Find v, the end of the line, and ln of a bound of the moments beyond.

        The rest of the sum, beside the moment at c, must be below e^{enough}.
        """
        t = np.geomspace(0.1 / period, 2 * math.pi * MOST / period, 64)
        log_bound = np.sum([k * pair.log_decay(c, t) for pair, k in soft], axis=0)
        if any(math.isfinite(pair.jump) for pair, _ in soft):
            others = [k * pair.before_jump().log_decay(c, t) for pair, k in soft]
            log_bound = np.logaddexp(log_bound, np.sum(others, axis=0))
        variance = 2 * excess * max(epsilon, 1 / c) / (c + 1)
        found = []
        for v in (0.0, variance):
            rest = log_bound - v * t * t / 2
            small = rest - np.log(math.pi * t) < enough
            if np.any(small):
                at = int(np.argmax(small))
                found.append((v, float(t[at]), float(rest[at])))
        if len(found) == 2 and found[0][1] <= max(
            2 * found[1][1], 2 * math.pi * 2**13 / period
        ):
            return found[0]  # no noise is needed
        if found:
            return found[-1]
        # as much noise as the longest line needs
        v = 2 * max(-enough, 1.0) / float(t[-1]) ** 2
        return v, float(t[-1]), float(log_bound[-1] - v * t[-1] ** 2 / 2)


def _product(
    soft: Sequence[tuple[Pair, int]], period: float, count: int, c: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Multiply moments: ratios to that at c, their errors, and that of its ln."""
    log_ratio, error = np.zeros(count, complex), np.zeros(count)
    log_jumps, jumps_error, slack = np.zeros(count, complex), np.zeros(count), 0.0
    for pair, k in soft:
        one = pair.along(c, period, count)
        log_ratio = log_ratio + k * one.log_ratio
        error = error + k * one.error + 4 * UNIT * np.abs(k * one.log_ratio)
        log_jumps = log_jumps + k * one.log_jumps
        jumps_error = jumps_error + k * one.jumps_error
        slack += k * float(one.error[0]) + 4 * UNIT * abs(k * one.log_at_c)
    moment = np.exp(log_ratio)
    if any(math.isfinite(pair.jump) for pair, _ in soft):
        # all runs minus those without a jump: A^k ((1 + B/A)^k − 1)
        jumps = np.expm1(log_jumps)
        error = np.abs(jumps) * error + np.abs(1 + jumps) * jumps_error
        return moment * jumps, np.minimum(np.abs(moment) * error, 1e30), slack
    return moment, np.minimum(np.abs(moment) * error, 1e30), slack


def _softened(
    pairs: Sequence[tuple[Pair, int]], c: float, epsilon: float
) -> tuple[float, list[tuple[Pair, int]], float]:
    """Soften cuts for tilts up to c, and find the best of these, with its moment.

    Beyond the saddle point moments rise steeply, and a soft cut may move it down.
    """
    soft = [(pair.softened(c), k) for pair, k in pairs]
    tilts = c * np.linspace(0.5, 1, 11)
    moments = np.sum([k * pair.log_moments(tilts) for pair, k in soft], axis=0)
    at = int(np.argmin(moments - tilts * epsilon - np.log(tilts * (1 + tilts))))
    return float(tilts[at]), soft, float(moments[at])


def _root(integral: Integral, start: float, target: float) -> float:
    # ln δ falls in ε: Newton's steps, as far as the lines go
    epsilon = start
    for _ in range(50):
        _, upper, slope = integral.bounds(epsilon)
        good, step = epsilon, (upper - target) / slope
        # in ln ε, as ln δ is concave in it for light tails and for heavy ones
        epsilon = good * math.exp(min(max(-step / good, -2.0), 2.0)) if good else -step
        if abs(step) <= 1e-14 * good or abs(upper - target) < 1e-7:
            break
        if start and not start / 2 <= epsilon <= 2 * start:
            break
    return epsilon
