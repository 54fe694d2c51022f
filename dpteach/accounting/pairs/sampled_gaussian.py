"""Floor 2. The dominating pair of one Gaussian release on a Poisson sample.

N(0, λ²) with or without a share q of N(1, λ²). Its loss has no moments in closed form.
They are integrals of analytic functions over the real line, which the trapezoid rule
computes with an error that is bounded here and lies below rounding.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ..moments.conversion import OutOfDigits
from ..moments.line import Moments, moments_of_nodes
from ..moments.nonuniform_fourier import exponential_sums
from ..rules.gaussian import log_delta as log_delta_gaussian
from .sampling import both_directions, log_mixed

Tails = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# A term this far below the largest, in nats, changes no digit of a sum.
NEGLIGIBLE = 60.0
# How many nodes a rule of quadrature may have
MOST = 2**20
# For how many releases their decay together is looked at
MOST_RELEASES = 2**26
# The largest tilt of moments without a cut, in units of min(λ, λ²)
FARTHEST = 2e4


@dataclass(frozen=True)
class SampledPair:
    """N(0, λ²) with or without a share q of N(1, λ²).

    Parameters
    ----------
    noise_multiplier, rate : float
        λ and q.
    removed : bool
        If a record is removed, P is the mixture and Q is without it; if one is added,
        it is the other way round. Each pair is the worst for its direction of a change.
    cut, width : float, optional
        An output x counts only with weight Φ((cut − x)/width). What is missing,
        ``lost``, the caller counts as lost outright. The losses are largest there, so
        without it their moments stay small.
    jump, jump_width : float, optional
        Outputs with weight 1 − Φ((jump − x)/jump_width) are separated as jumps.
    """

    noise_multiplier: float
    rate: float
    removed: bool
    cut: float = math.inf
    width: float = 0.0
    jump: float = math.inf
    jump_width: float = 0.0

    @property
    def greatest(self) -> float:
        """The largest loss: without a record, no output loses more than −ln(1 − q)."""
        if self.removed or self.rate == 1:
            return math.inf
        return -math.log1p(-self.rate)

    @property
    def log_lost(self) -> float:
        """Compute ln of the probability that the cut takes away."""
        from scipy.special import log_ndtr

        if math.isinf(self.cut):
            return -math.inf
        spread = math.hypot(self.noise_multiplier, self.width)
        without, with_it = log_ndtr(np.asarray([-self.cut, 1 - self.cut]) / spread)
        shares = math.log1p(-self.rate), math.log(self.rate)
        return float(np.logaddexp(shares[0] + without, shares[1] + with_it))

    def cut_off(self, log_lost: float) -> "SampledPair":
        """Cut sharply where no more than e^{log_lost} is lost, even when softened."""
        from scipy.special import ndtri_exp

        if not self.removed:
            return self  # its losses are bounded
        widest = self.noise_multiplier / 3
        spread = math.hypot(self.noise_multiplier, widest)
        low, high = 0.0, 1.0 - spread * float(ndtri_exp(log_lost - 1))
        for _ in range(40):
            middle = (low + high) / 2
            if replace(self, cut=middle, width=widest).log_lost > log_lost:
                low = middle
            else:
                high = middle
        return replace(self, cut=high)

    def without_jumps(self, loss: float) -> "SampledPair":
        """Cut sharply where one loss reaches this size."""
        output = self._output(loss)
        return replace(self, cut=output) if self.removed and output < self.cut else self

    def with_jumps(self, others: "SampledPair") -> "SampledPair":
        """Separate as jumps what ``others`` cuts off."""
        return replace(self, jump=others.cut, jump_width=others.width)

    def before_jump(self) -> "SampledPair":
        """Cut off what is separated as a jump."""
        before = {"cut": self.jump, "width": self.jump_width}
        return replace(self, **before, jump=math.inf, jump_width=0.0)

    def _output(self, loss: float) -> float:
        # the x of this loss > 0, where a record is removed
        odds = math.log1p(math.expm1(min(loss, 500)) / self.rate) + max(loss - 500, 0.0)
        return self.noise_multiplier**2 * odds + 0.5

    def softened(self, c: float) -> "SampledPair":
        """Make the cut smooth, but so sharp that it still outweighs e^{2cL}."""
        if math.isinf(self.cut):
            return self
        sigma, c = self.noise_multiplier, 2 * c
        beyond = sigma**2 * np.geomspace(0.3, 30 + 30 * c / sigma**2, 60)
        here = self._log_ratio(np.asarray([self.cut]))
        # it grows, but rounding at the rarest rates may say otherwise
        growth = np.maximum(c * (self._log_ratio(self.cut + beyond) - here), 0.0)
        slope = c * self._slope(np.asarray([self.cut]))[0]
        far = float(np.min(beyond / np.sqrt(3 * growth + 1e-300)))
        return replace(self, width=min(sigma / 3, 1 / slope, far))

    def _log_ratio(self, x: np.ndarray) -> np.ndarray:
        # the loss of the mixture against N(0, σ²)
        return log_mixed(self.rate, (2 * x - 1) / (2 * self.noise_multiplier**2))

    @np.errstate(over="ignore")
    def _slope(self, x: np.ndarray) -> np.ndarray:
        # Its derivative, the share of the mixture that the record makes, over σ²
        sigma, q = self.noise_multiplier, self.rate
        jump = np.clip((2 * x - 1) / (2 * sigma**2), -700, 700)
        odds = np.exp(-jump) * ((1 - q) / q)
        return 1 / ((1 + odds) * sigma**2)

    def _log_density(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # The loss at x, and ln of P's density there, with the cut
        from scipy.special import log_ndtr

        sigma, ratio = self.noise_multiplier, self._log_ratio(x)
        density = -x * x / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi))
        if self.width:
            density = density + log_ndtr((self.cut - x) / self.width)
        return (ratio, density + ratio) if self.removed else (-ratio, density)

    def _ends(self, c: float) -> tuple[float, float]:
        # Beyond them lies less than e^{−55} of E[e^{cL}]
        sigma, q = self.noise_multiplier, self.rate
        if self.removed:
            high = 1 + 11 * sigma + c if math.isinf(self.cut) else self.cut
            return -11 * sigma, high + 19 * self.width
        # without the record the tilted distribution moves the other way
        log_odds = max(math.log(q) - math.log1p(-q), 0.0)
        far = min(c, 1 + c * q / (1 - q), 1 + sigma**2 * (math.log1p(c) + log_odds))
        return -11 * sigma - far, 1 + 11 * sigma

    def _tilted_ends(self, c: float) -> tuple[float, float]:
        # Where e^{cL} times the density is not negligible
        x, step = np.linspace(*self._ends(c), 4000, retstep=True)
        loss, log_density = self._log_density(x)
        exponent = c * loss + log_density
        seen = x[exponent > np.max(exponent) - NEGLIGIBLE]
        return float(seen[0] - step), float(seen[-1] + step)

    def _coarse(self, ends: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        # Losses and ln weights for real tilts. ln(1 − q + q e^…) is analytic for
        # |Im x| < πσ²: a step of 0.55 σ² errs by e^{−36}.
        sigma = self.noise_multiplier
        x = np.arange(*ends, min(sigma / 5, 0.55 * sigma * sigma))
        loss, log_density = self._log_density(x)
        return loss, log_density + math.log(x[1] - x[0])

    def log_moments(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] at real s > 0."""
        # all outputs, for ln(1 + E[e^{sL} − 1]) rests on the total of their weights
        most = float(np.max(s))
        loss, log_weight, *_ = self._nodes(most, 0.0, self._ends(most))
        exponent = np.multiply.outer(s, loss)
        top = np.max(exponent + log_weight, axis=1)
        if max(float(np.max(top)), float(np.max(exponent))) > 600:
            terms = np.exp(exponent + log_weight - top[:, None])
            return top + np.log(np.sum(terms, axis=1))
        # ln(1 + E[e^{sL} − 1] − lost) keeps its digits however small q is
        gained = np.expm1(exponent) @ np.exp(log_weight)
        return np.log1p(gained - math.exp(self.log_lost))

    def renyi_moment(self, s: float) -> float:
        """Compute ln E[e^{sL}]: one pair is the worst for all s."""
        return float(self.log_moments(np.asarray([s]))[0])

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        if math.isfinite(self.cut):
            return self._cumulants(c)
        # Without a cut the grid grows with c, so one grid serves tilts of similar size.
        # Moments far out are of no use.
        sigma, found = self.noise_multiplier, np.full((3, len(c)), np.inf)
        # if a record is added, the grid grows with ln c alone
        far = FARTHEST * min(sigma, sigma**2) if self.removed else math.inf
        size = np.floor(np.log(c) / 2)
        for each in np.unique(size[c < far]):
            near = (size == each) & (c < far)
            found[:, near] = self._cumulants(c[near])
        return found

    def _cumulants(self, c: np.ndarray) -> np.ndarray:
        loss, log_weight = self._coarse(self._ends(float(np.max(c))))
        exponent = np.multiply.outer(c, loss) + log_weight
        top = np.max(exponent, axis=1, keepdims=True)
        weight = np.exp(exponent - top)
        total = np.sum(weight, axis=1)
        mean = weight @ loss / total
        spread = weight @ (loss * loss) / total - mean * mean
        value = top[:, 0] + np.log(total)
        near = (np.abs(value) < 1e-3) & (c * np.max(loss) < 600)  # digits for many
        if np.any(near):
            gained = np.expm1(np.multiply.outer(c[near], loss)) @ np.exp(log_weight)
            value[near] = np.log1p(gained - math.exp(self.log_lost))
        return np.stack([value, mean, np.maximum(spread, 0)])

    def _nodes(
        self, c: float, turn: float, ends: tuple[float, float]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Find losses and ln weights whose sums are E[e^{sL}], |Im s| ≤ turn.

        The trapezoid rule of step 1 in y = αx + β ln r, where r = 1 − q + q e^{…} is
        the ratio of densities, so that nodes lie closer where losses change faster. For
        x = u + ib with |b| ≤ πσ²/3, the real part of y′ is positive, so x ↦ y is one to
        one, and its image holds |Im y| ≤ A if α πσ²/3 ≥ A. On the line Im y = A both
        |b| ≤ A/α and |arg r| ≤ A/β. There the integrand is at most e^G times its value
        at u, with

            G = (A/α)² (1/σ² + 1/width² + 1/jump_width²)/2 + A·turn/β,

        plus what e^{cL} gains where the record is added: with θ = b/σ² ≤ π/3 it is at
        most 0.58 c κ θ², where κ is the most of (1 − q) q e^{…}/r², because |r|² falls
        by 2(1 − cos θ) times that. And |dx| ≤ 2 du. So the rule errs by less than 4
        e^{G − 2πA} E[e^{cL}] at c = Re s. [Trefethen and Weideman 2014, Theorem 5.1]
        Here A = 20 and G ≤ 20π + 8, which leaves e^{−53}.
        """
        sigma, high_line = self.noise_multiplier, 20.0
        sharp = 1 / sigma**2 + sum(1 / w**2 for w in (self.width, self.jump_width) if w)
        reach = min(math.sqrt(8 / sharp), math.pi / 3 * sigma**2)
        if not self.removed:
            # κ = p(1 − p), where p is the record's share of the mixture: it rises in x
            log_odds = math.log(self.rate) - math.log1p(-self.rate)
            odds = math.exp(min(log_odds + (ends[1] - 0.5) / sigma**2, 0.0))
            growth = max(0.58 * (c + 1) * odds / (1 + odds) ** 2, 1e-300)
            reach = min(math.sqrt(4 / sharp), sigma**2 * math.sqrt(4 / growth), reach)
        alpha, beta = max(high_line / reach, 10 / sigma), turn / math.pi
        low, high = self._log_ratio(np.asarray(ends))
        if alpha * (ends[1] - ends[0]) + beta * (high - low) > MOST:
            raise OutOfDigits("the quadrature would need too many nodes")
        if turn == 0:
            x = np.arange(*ends, 1 / alpha)
            loss, log_density = self._log_density(x)
            return loss, log_density - math.log(alpha), x, alpha * x
        whole, x = self._at_whole(alpha, beta, ends)
        loss, log_density = self._log_density(x)
        density_of_y = alpha + beta * self._slope(x)
        return loss, log_density - np.log(density_of_y), x, whole

    def _at_whole(
        self, alpha: float, beta: float, ends: tuple[float, float]
    ) -> tuple[np.ndarray, np.ndarray]:
        """List all whole y = αx + β ln r, and their x: from a table, then by Newton."""
        table = np.linspace(*ends, 4000)
        y = alpha * table + beta * self._log_ratio(table)
        whole = np.arange(math.ceil(y[0]), math.floor(y[-1]) + 1.0)
        x = np.interp(whole, y, table)
        for _ in range(4):
            gap = alpha * x + beta * self._log_ratio(x) - whole
            x = x - gap / (alpha + beta * self._slope(x))
            if np.max(np.abs(gap)) < 1e-9:  # the next one would change no digit
                break
        return whole, x

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        turn = 2 * math.pi * count / period
        loss, log_weight, x, y = self._nodes(c, turn, self._tilted_ends(c))
        log_at_c = float(self.log_moments(np.asarray([c]))[0])
        far = None
        if math.isfinite(self.jump):
            from scipy.special import ndtr

            far = ndtr((x - self.jump) / self.jump_width)
        return moments_of_nodes(
            loss, log_weight, 8 * np.abs(y), far, log_at_c, (c, period, count)
        )

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:
        """Bound ``ln |E[e^{sL}]/E[e^{cL}]|`` for all s = c + it' with t' ≥ t.

        Let ρ be the tilted density. The part x < a has the mass F(a). On x ≥ a the
        integral of e^{itL} ρ = e^{itL} L′ · ρ/L′ is, by parts, at most 1/t times the
        value of ρ/L′ at a and its variation beyond. So F(a) + V(a)/t is a bound, for
        each a. It says nothing while t is small for one release. If ``releases`` are
        given, a bound at many such t shows how so many together die out before.
        """
        loss, log_weight, x, _ = self._nodes(c, 0.0, self._tilted_ends(c))
        weight = np.exp(c * loss + log_weight - np.max(c * loss + log_weight))
        weight /= np.sum(weight)
        below = np.cumsum(weight)
        # if turn = 0, y = αx: its nodes are evenly spaced in x
        with np.errstate(divide="ignore", invalid="ignore"):
            share = weight / (x[1] - x[0]) / self._slope(x)
            beyond = share + np.cumsum(np.abs(np.diff(share, append=0.0))[::-1])[::-1]
        # where a slope is below every float nothing is known
        beyond = np.nan_to_num(beyond, nan=np.inf, posinf=np.inf)

        def by_parts(t: np.ndarray) -> np.ndarray:
            # a twentieth for what the variation may miss between nodes; each eighth a
            bounds = below[::8] + 1.05 * np.multiply.outer(1 / t, beyond[::8])
            return np.minimum(np.min(bounds, axis=1), 1.0)

        if not releases:
            return np.log(by_parts(t))
        step, near = self._ratios(c, (x, loss, below), releases)
        near = np.append(near, by_parts(np.asarray([step * len(near)])))
        near = np.maximum.accumulate(near[::-1])[::-1]
        at = np.minimum(t / step, len(near) - 1).astype(int)
        return np.log(np.minimum(by_parts(t), near[at]))

    def _ratios(
        self, c: float, nodes: tuple[np.ndarray, np.ndarray, np.ndarray], releases: int
    ) -> tuple[float, np.ndarray]:
        """Bound |E[e^{sL}]/E[e^{cL}]| in even intervals of Im s.

        Between two points the ratio differs from a straight line by at most an eighth
        of step² times the spread of L. The few outputs with the largest losses count in
        full: they would need the most nodes.
        """
        x, loss, below = nodes
        releases = min(releases, MOST_RELEASES)  # a bound for fewer steps, but a bound
        last = min(int(np.searchsorted(below, 1 - 0.1 / releases)), len(below) - 1)
        weight = np.diff(below[: last + 1], prepend=0.0)
        middle = float(np.sum(weight * loss[: last + 1])) / below[last]
        spread = float(np.sum(weight * (loss[: last + 1] - middle) ** 2))
        if not spread:
            raise OutOfDigits("its losses are too small for floats")
        step = math.sqrt(2 / (releases * spread))
        count = 64 + int(14 * math.sqrt(releases))
        loss, log_weight, *_ = self._nodes(
            c, step * count, (float(x[0]), float(x[last]))
        )
        log_at_c = float(self.log_moments(np.asarray([c]))[0])
        weight = np.exp(c * loss + log_weight - log_at_c)
        sums, error = exponential_sums(
            loss - middle, weight[None], 2 * math.pi / step, count
        )
        ratio = np.abs(sums[0])
        missed = max(1 - float(np.sum(weight)), 0.0) + 0.25 / releases + error[0]
        return step, np.minimum(np.maximum(ratio[:-1], ratio[1:]) + missed, 1.0)

    def log_jumps(self, c: float, t: np.ndarray) -> np.ndarray:
        """Bound ``ln |E[e^{sL}; jump]/E[e^{cL}]|`` for all s = c + it' with t' ≥ t.

        It is at most the share of the jumps at c, and by parts the variation of their
        ρ/L′, over t: for ρ is 0 where jumps begin, and again far out.
        """
        from scipy.special import ndtr

        if math.isinf(self.jump):
            return np.full(len(t), -np.inf)
        loss, log_weight, x, _ = self._nodes(c, 0.0, self._tilted_ends(c))
        exponent = c * loss + log_weight
        weight = np.exp(exponent - np.max(exponent))
        jumps = weight / np.sum(weight) * ndtr((x - self.jump) / self.jump_width)
        share = jumps / (x[1] - x[0]) / self._slope(x)
        variation = np.sum(np.abs(np.diff(share, prepend=0.0, append=0.0)))
        return np.log(np.minimum(np.sum(jumps), 1.05 * variation / t) + 1e-300)

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


@dataclass(frozen=True, order=True)
class GaussianOnSample:
    """A Gaussian release on a Poisson sample.

    Parameters
    ----------
    noise_multiplier, rate : float
        λ and q.
    """

    noise_multiplier: float
    rate: float
    two_directions, has_closed_form, random_step = True, True, False
    largest, rho = math.inf, None
    tight = True  # whether some neighbors reach the dominating pair
    method = "sampling, in closed form"
    simpler = "without the sampling"

    @property
    def spread(self) -> float:
        """What μ the same release on all records has: 1/λ."""
        return 1 / self.noise_multiplier

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return self.rate * math.erf(self.spread / math.sqrt(8))

    def worst(self, removed: bool) -> SampledPair:
        """Return the pair, which some neighbors reach."""
        return SampledPair(self.noise_multiplier, self.rate, removed)

    reached = worst

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release: the larger of removing and adding a record."""
        return max(
            log_weight + float(log_delta_gaussian(self.spread, inner))
            for log_weight, inner in both_directions(self.rate, epsilon)
        )
