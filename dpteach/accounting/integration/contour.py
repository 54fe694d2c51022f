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
   w. So δ rises by v p_v(ε)/2, except for a second order in v, which the bounds of step
   4 bound. Where the moments are proved to die out by themselves, v = 0.
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

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ... import numerics
from ..moments.conversion import OutOfDigits, log_delta_from_moment
from ..pairs.pair import Pair, cumulants, log_lost
from .line import SMALL, Line, log_less, moments_along
from .saddle import (
    coarse,
    saddle_at_delta,
    saddle_at_epsilon,
    saddle_of_difference,
    tilts,
)

# The relative excess of ε, or of ln δ, that smoothing may cause.
EXCESS = 2e-7
# and of a coarse line that only shows where a finer one belongs
COARSE = 1e-3
# If a moment at c outweighs δ by more, in nats, one line loses too many digits
CANCELS = 7.0
# A root found along lines for an ε no farther away, relatively, shows where fine lines
# belong
NEAR = 0.25
# Shares of δ that may pay for a cut
SHARES = (0.9, 0.5, 0.1, 1e-3)
# A loss is a jump if it is more than this share of ε
JUMP = 0.75


@dataclass(frozen=True)
class Integral:
    """δ as a sum of integrals along lines, and ln of what was cut off."""

    lines: tuple[Line, ...]
    log_lost: float

    @property
    def smoothed(self) -> bool:
        """Whether Gaussian noise was added along any line."""
        return any(line.variance > 0 for line in self.lines)

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
        self._computed: dict[int, float] = {}

    def bounds(self, epsilon: float) -> tuple[float, float]:
        """Bound ln δ at ε from both sides."""
        if epsilon >= self.greatest:
            return -math.inf, -math.inf
        expected = self.chernoff(epsilon)
        if expected < max(-750.0, self.log_lost + 1e-12):
            # below every float, or all of it was cut off
            return -math.inf, expected
        for _ in range(8):
            integral = self._integral(epsilon, expected, self.excess)
            lower, upper, _ = integral.bounds(epsilon)
            if integral.log_lost < upper - SMALL + 3:
                break
            # nearly all was cut off: cut where it is less
            expected = max(log_less(upper, integral.log_lost), upper - 2 * SMALL)
        return lower, min(upper, 0.0)

    @cached_property
    def _moments(self) -> tuple[np.ndarray, np.ndarray]:
        # tilts, and ln of the moments there, roughly
        c = tilts(self.pairs)
        return c, cumulants(coarse(self.pairs), c)[0]

    def chernoff(self, epsilon: float) -> float:
        """Bound ln δ at ε by the moment that is roughly the best of many."""
        with np.errstate(over="ignore", invalid="ignore"):
            c, rough = self._moments
            bounds = log_delta_from_moment(rough, c, epsilon)
            at = int(np.argmin(np.where(np.isnan(bounds), np.inf, bounds)))
            bound = log_delta_from_moment(self._moment(at), c[at], epsilon)
            bound = float(np.logaddexp(bound, self.log_lost))
        return bound if bound < 0 else 0.0  # nor is nan a bound

    def _moment(self, at: int) -> float:
        # ln of the moment at one of the tilts
        if at not in self._computed:
            c = self._moments[0][at : at + 1]
            self._computed[at] = float(cumulants(self.pairs, c)[0, 0])
        return self._computed[at]

    def chernoff_epsilon(self, log_delta: float, low: float) -> float:
        """Compute an ε at which that bound is this ln δ, at least ``low``.

        If losses have heavy tails, it is less where some of δ pays for a cut.
        """
        high = max(2 * low, 1e-300)
        while self.chernoff(high) > log_delta:
            if high > 1e300:
                raise OutOfDigits("its numbers leave the range of floats")
            high *= 16
        epsilon = numerics.safe_root(lambda e: self.chernoff(e) - log_delta, low, high)
        for share in SHARES:
            with contextlib.suppress(OutOfDigits):
                epsilon = min(epsilon, self._with_cut(log_delta, share))
        return max(epsilon, low)

    def _with_cut(self, log_delta: float, share: float) -> float:
        # the ε that one moment allows if this share of δ is for what is cut off
        log_each = log_delta + math.log(share / self.releases)
        cut = [(pair.cut_off(log_each), k) for pair, k in self.pairs]
        c = tilts(cut)
        with np.errstate(over="ignore", invalid="ignore"):
            bound = log_delta_from_moment(cumulants(cut, c)[0], c, 0.0) - log_delta
        at = c[np.nanargmin((bound - math.log1p(-share)) / c)]
        soft = [(pair.softened(at), k) for pair, k in cut]
        moment = sum(k * float(pair.renyi_moment(at)) for pair, k in soft)
        left = log_less(log_delta, log_lost(soft))
        return float(log_delta_from_moment(moment, at, 0.0) - left) / float(at)

    def least_epsilon(
        self, log_delta: float, known: float | None = None
    ) -> tuple[float, float]:
        """Bound from both sides the ε with this ln δ, which may be near a known one."""
        if known is not None:
            with contextlib.suppress(OutOfDigits):
                low, high = self._least(log_delta, known, self.excess)
                if low > 0:  # else it is too near the largest loss to begin there
                    return low, high
        # Coarse lines first: they are short, and show where the fine one belongs
        _, epsilon = saddle_at_delta(self._cut_off(log_delta), log_delta)
        return self._least(log_delta, epsilon, max(self.excess, COARSE))

    def _least(
        self, log_delta: float, epsilon: float, excess: float
    ) -> tuple[float, float]:
        epsilon, low, high = min(epsilon, 0.999 * self.greatest), -1.0, self.greatest
        smallest = epsilon / 50
        for _ in range(60):
            integral = self._integral(epsilon, log_delta, excess)
            if integral.bounds(epsilon)[1] > log_delta:
                low = epsilon
            elif epsilon == 0:
                return 0.0, 0.0
            else:
                high = epsilon
            root = _root(integral, epsilon, log_delta)
            near = 0.03 if excess == self.excess else NEAR
            if abs(root - epsilon) <= near * epsilon or high - low < 0.02 * low:
                root = min(max(root, low), high)
                if excess == self.excess or not integral.smoothed:
                    return self._both(integral, root, log_delta)
                excess, low, high = self.excess, min(low, 0.0), self.greatest
            else:
                root = _within(low, root, high, epsilon, smallest)
            if root == epsilon:
                break
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
        if upper > target or not slope < 0:
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
        others = [(pair.without_jumps(JUMP * epsilon), k) for pair, k in cut]
        if not (cancels and epsilon) or others == cut:
            return Integral((moments_along(soft, c, epsilon, expected, excess),), lost)
        # Most of the moment comes from runs without a large loss, which say nothing
        # about δ: they get a line of their own.
        c_others = min(saddle_at_epsilon(others, epsilon), most)
        c_others, others, _ = _softened(others, c_others, epsilon)
        c = saddle_of_difference(cut, others, epsilon, c)
        jumps = [
            (pair.softened(c).with_jumps(other), k)
            for (pair, k), (other, _) in zip(cut, others, strict=True)
        ]
        return Integral(
            (
                moments_along(jumps, c, epsilon, expected, excess),
                moments_along(others, c_others, epsilon, expected, excess),
            ),
            lost,
        )


def _softened(
    pairs: Sequence[tuple[Pair, int]], c: float, epsilon: float
) -> tuple[float, list[tuple[Pair, int]], float]:
    """Soften cuts for tilts up to c, and find the best of these, with its moment.

    Beyond the saddle point moments rise steeply, and a soft cut may move it down.
    """
    soft = [(pair.softened(c), k) for pair, k in pairs]
    tilts = c * np.linspace(0.5, 1, 11)
    rough = coarse(soft)
    moments = np.sum([k * pair.log_moments(tilts) for pair, k in rough], axis=0)
    at = int(np.argmin(moments - tilts * epsilon - np.log(tilts * (1 + tilts))))
    return float(tilts[at]), soft, float(moments[at])


def _root(integral: Integral, start: float, target: float) -> float:
    # ln δ falls in ε: Newton's steps, as far as the lines go
    epsilon = start
    for _ in range(50):
        _, upper, slope = integral.bounds(epsilon)
        if not slope < 0:
            raise OutOfDigits("nearly all of δ is lost outright along the contour")
        good, step = epsilon, (upper - target) / slope
        # in ln ε, as ln δ is concave in it for light tails and for heavy ones
        epsilon = good * math.exp(min(max(-step / good, -2.0), 2.0)) if good else -step
        if abs(step) <= 1e-14 * good or abs(upper - target) < 1e-7:
            break
        if start and not start / 2 <= epsilon <= 2 * start:
            break
    return epsilon


def _within(
    low: float, root: float, high: float, epsilon: float, smallest: float
) -> float:
    """Return a root between both ends, or halfway to the one that it is beyond."""
    if not low < root < high:
        return (epsilon + (high if root >= high else low)) / 2
    return 0.0 if low < 0 and root < smallest else root  # perhaps δ alone covers it
