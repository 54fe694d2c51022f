"""Floor 2. One line of the contour integral: the moments on it, and where it ends.

``contour`` says what the steps are, and why each bound holds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..moments.conversion import OutOfDigits, log_delta_from_moment
from ..moments.nonuniform_fourier import UNIT
from ..pairs.pair import Pair

# How far below δ, in nats, lie what is cut off, the rule's error and the sum's rest
SMALL = 21.0
# How many values one line may have: some 200 ms.
MOST = 2**19
# Up to so many values the ends of lines need no closer bounds
SHORT = 2**12


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
    second : float
        A bound of what smoothing adds to δ in the second order, relatively.
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
    second: float
    further: np.ndarray
    log_further: np.ndarray

    def bounds(self, epsilon: float) -> tuple[float, float, float]:
        """Bound ln δ at ε from both sides; return the slope of the upper bound too."""
        c, t, scale = float(self.s[0].real), np.imag(self.s), 2 / self.period
        phases = _turns(t, -epsilon)
        terms = self._weights * phases
        off, rounding = (scale * (a + b * epsilon) for a, b in self._errors)
        rest = math.exp(self.log_rest) / (math.pi * float(t[-1]))
        total = scale * float(np.sum(np.real(terms)))
        lead = self.log_moment - c * epsilon
        slack = self.log_moment_error + 4 * UNIT * (c * epsilon + abs(lead) + 10)
        slope = scale * float(t @ np.imag(terms)) - c * total
        if not (total > 3 * (rounding + rest) and slope < 0):
            # too few digits: the moment's bound is left
            at_most = log_delta_from_moment(self.log_moment, c, epsilon) + slack
            return -math.inf, float(at_most), -c
        p = scale * float(np.sum(np.real(self._moments * phases)))
        fell, rose = self._unsmooth(p, off, self._log_others(epsilon) - lead)
        most, least = total + rounding + rest - fell, total - rounding - rest - rose
        upper = lead + slack + math.log(most)
        lower = lead - slack + math.log(least) if least > 0 else -math.inf
        return log_less(lower, self._log_others(epsilon)), upper, slope / total

    @cached_property
    def _moments(self) -> np.ndarray:
        # the rule's first term counts half
        return np.append(self.moment[:1] / 2, self.moment[1:])

    @cached_property
    def _weights(self) -> np.ndarray:
        return self._moments / (self.s * (self.s + 1))

    @cached_property
    def _errors(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Bound the errors of the sums of ``_moments`` and of ``_weights``: a + bε."""
        fixed = self.error + 40 * UNIT * np.abs(self.moment)
        by_angle = 4 * UNIT * np.imag(self.s) * np.abs(self.moment)
        size = np.abs(self.s * (self.s + 1))
        sums = [
            (float(np.sum(fixed / over)), float(np.sum(by_angle / over)))
            for over in (1.0, size)
        ]
        return sums[0], sums[1]

    def _unsmooth(self, p: float, off: float, log_others: float) -> tuple[float, float]:
        """Bound from both sides what smoothing added to δ: step 2.

        The density p, beside the moment at c, is known up to an error of ``off``.
        """
        v = self.variance
        if v == 0:
            return 0.0, 0.0
        off += math.exp(self.log_rest) / (math.pi * float(self.s[-1].imag) * v)
        # other terms of Poisson's formula: no density is above 1/√(2πv)
        off += math.exp(log_others) / math.sqrt(2 * math.pi * v)
        least = max(v / 2 * max(p - off, 0.0) - self.second, 0.0)
        most = v * max(p + off, 0.0)
        return least, min(most / 2 + self.second, most * math.exp(min(v / 8, 600)))

    def _log_others(self, epsilon: float) -> float:
        # Step 3: δ ≤ 1 on the left, δ(ε + jP) by a moment at a larger tilt on the right
        c, period = float(self.s[0].real), self.period
        gap = (self.further - c) * period
        right = np.min(self.log_further - self.further * epsilon - gap)
        at_least = min(float(gap[0]), c * period)
        return float(np.logaddexp(-c * period, right)) - math.log(
            -math.expm1(-at_least)
        )


def _turns(t: np.ndarray, angle: float) -> np.ndarray:
    """Compute e^{i·angle·t} for evenly spaced t from 0, as products.

    Of the turns of the first few t, and of those of every so many t.
    """
    few = math.isqrt(len(t)) + 1
    near, steps = (np.exp(1j * angle * some) for some in (t[:few], t[::few]))
    return np.multiply.outer(steps, near).ravel()[: len(t)]


def log_less(a: float, b: float) -> float:
    """Compute ln(e^a − e^b), −∞ where nothing is left."""
    return a + math.log(-math.expm1(b - a)) if b < a else -math.inf


def moments_along(
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
    variance, end, log_rest, second = _end(
        soft, c, epsilon, period, expected - lead - SMALL, excess
    )
    count = max(int(end * period / (2 * math.pi)) + 1, 32)
    s = c + 2j * math.pi / period * np.arange(count)
    # the Gaussian release that is added, here and in the moments further on
    square = c * (c + 1) * variance / 2
    moment, error, slack = _product(soft, period, count, c)
    if variance:
        t = np.imag(s)
        fade = np.exp(-t * t * (variance / 2))
        turned = _turns(t, (2 * c + 1) * variance / 2)
        moment, error = moment * fade * turned, error * fade
    return Line(
        s, moment, error + 12 * UNIT * np.abs(moment), log_moment + square, slack,
        period,
        variance, log_rest, second, further,
        log_further + further * (further + 1) * (variance / 2),
    )  # fmt: skip


def _end(
    soft: Sequence[tuple[Pair, int]],
    c: float,
    epsilon: float,
    period: float,
    enough: float,
    excess: float,
) -> tuple[float, float, float, float]:
    """Find v, the end of the line, and ln of a bound of the moments beyond.

    The rest of the sum, beside the moment at c, must be below e^{enough}. Also
    return a bound of the second order of what smoothing adds.
    """
    t = np.geomspace(0.1 / period, 2 * math.pi * MOST / period, 64)
    variance = 2 * excess * max(epsilon, 1 / c) / (c + 1)
    log_bound = _log_rest(soft, c, t, closer=False)
    ends = _ends(t, log_bound, variance, enough)
    if t[ends.get(variance, -1)] * period > 2 * math.pi * SHORT:
        log_bound = _log_rest(soft, c, t, closer=True)
        ends = _ends(t, log_bound, variance, enough)
    v, short = variance, 2 * math.pi * 2**13 / period
    if 0.0 in ends and t[ends[0.0]] <= max(2 * t[ends[variance]], short):
        v = 0.0  # no noise is needed
    elif (
        _second_order(t, log_bound, c, v) > excess * math.exp(enough + SMALL)
        # the bound of all orders takes twice as much: less noise, if lines stay short
        and (v not in ends or t[ends.get(v / 16, -1)] <= 5 * t[ends[v]])
    ):
        v = variance / 16
    if v not in ends:  # as much noise as the longest line needs
        v = 2 * max(-enough, 1.0) / float(t[-1]) ** 2
    at = ends.get(v, -1)
    log_rest = float(np.max(log_bound[at:] - v * t[at:] ** 2 / 2))
    return v, float(t[at]), log_rest, _second_order(t, log_bound, c, v)


def _ends(
    t: np.ndarray, log_bound: np.ndarray, variance: float, enough: float
) -> dict[float, int]:
    """Find where the line may end, without noise and with more or less of it."""
    ends = {}
    for v in (0.0, variance, variance / 16):
        reach = np.maximum.accumulate((log_bound - v * t * t / 2)[::-1])[::-1]
        small = reach - np.log(math.pi * t) < enough
        if np.any(small):
            ends[v] = int(np.argmax(small))
    return ends


def _second_order(t: np.ndarray, log_bound: np.ndarray, c: float, v: float) -> float:
    """Bound what smoothing adds to δ in the second order in v, beside the moment at c.

    With z = s(s + 1) v/2 the integrand of δ grows by e^z − 1 times itself, and by z e^z
    in the first order. The difference is at most |z|²/2, and at most
    2.4 + (c + 1)² v/2, in units of e^z at c.
    """
    small = ((c + 1) ** 2 + t**2) * v**2 / 8
    large = (2.4 + (c + 1) ** 2 * v / 2) / (c**2 + t**2)
    inside = np.diff(t) * np.exp(log_bound[:-1]) * np.minimum(small[1:], large[:-1])
    ends = small[0] * t[0] + math.exp(log_bound[-1]) * large[-1] * (c + t[-1])
    return float(np.sum(inside) + ends) / math.pi


def _log_rest(
    soft: Sequence[tuple[Pair, int]], c: float, t: np.ndarray, closer: bool
) -> np.ndarray:
    """Bound ln of what |M(c + it')| is beside the moment at c, from each t to the next.

    M without its runs that have no jump is a sum over the releases: in each term one
    factor is about a release's jumps alone, the others are moments with or without.
    """
    releases = sum(k for _, k in soft) if closer else 0
    one = np.stack([pair.log_decay(c, t, releases) for pair, _ in soft])
    count = np.asarray([k for _, k in soft])
    if not any(math.isfinite(pair.jump) for pair, _ in soft):
        return count @ one
    others = [pair.before_jump().log_decay(c, t, releases) for pair, _ in soft]
    one = np.maximum(one, others)
    jumps = [math.log(k) + pair.log_jumps(c, t) for pair, k in soft]
    total = count @ one
    return np.minimum(np.logaddexp.reduce(total - one + jumps), total + math.log(2))


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
        if np.max(np.real(log_jumps)) > 700:
            raise OutOfDigits("its numbers leave the range of floats")
        jumps = np.expm1(log_jumps)
        error = np.abs(jumps) * error + np.abs(1 + jumps) * jumps_error
        return moment * jumps, np.minimum(np.abs(moment) * error, 1e30), slack
    return moment, np.minimum(np.abs(moment) * error, 1e30), slack
