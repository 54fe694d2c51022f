"""Floor 2. Pairs that are given as a list of privacy losses.

Where losses are spread out, they are sorted into cells, in one of two ways. If each
cell's probabilities under P and under Q are divided between its two ends, no δ(ε) gets
smaller, because the likelihood ratio keeps its mean and spreads out. [Doroshenko et al.
2022] If instead all outputs of a cell are merged into one, no δ(ε) gets larger, because
merging is post-processing. So the price of the pair lies between those of two lists.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..moments.line import Moments, moments_of_nodes
from .sampled_gaussian import Tails
from .sampling import log_mixed

# At most so many numbers are held at once to find where to look; and how many losses
# are joined there, and left alone at each end
BLOCK, JOINED, ENDS = 2**18, 16, 64


@dataclass(frozen=True, eq=False)
class ListedPair:
    """A pair of distributions, given as a list of privacy losses.

    Parameters
    ----------
    loss : array
        Ascending.
    log_mass : array
        ln of their probabilities under P, which with ``lost`` add up to 1.
    log_lost : float, optional
        ln of the probability under P that counts as lost outright.
    cut, jump : float, optional
        Losses from ``cut`` on were left out, and those from ``jump`` on are told apart
        as jumps.
    """

    loss: np.ndarray
    log_mass: np.ndarray
    log_lost: float = -math.inf
    cut: float = math.inf
    jump: float = math.inf

    @property
    def greatest(self) -> float:
        """The largest loss; ∞ where something is lost outright."""
        return float(self.loss[-1]) if math.isinf(self.log_lost) else math.inf

    @cached_property
    def _log_above(self) -> np.ndarray:
        # ln of the probability of this loss and of all larger ones
        return np.logaddexp.accumulate(self.log_mass[::-1])[::-1]

    @cached_property
    def _mass(self) -> np.ndarray:
        return np.exp(self.log_mass)

    @cached_property
    def _sums(self) -> Tails:
        mass, other = self._mass, np.exp(self.log_mass - self.loss)
        (p_up, p_down), (q_up, q_down) = (
            (np.append(np.cumsum(m[::-1])[::-1], 0.0), np.append(0.0, np.cumsum(m)))
            for m in (mass, other)
        )
        return p_up, p_down, q_up, q_down

    def tails(self, loss: np.ndarray) -> Tails:
        """Compute P(L > loss), P(L ≤ loss), Q(L > loss), Q(L ≤ loss) of the list."""
        at = np.searchsorted(self.loss, loss, side="right")
        p_up, p_down, q_up, q_down = self._sums
        return p_up[at], p_down[at], q_up[at], q_down[at]

    def log_moments(self, s: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{sL}] at real s > 0."""
        return self._tilted(s, np.ones((len(self.loss), 1)))[0]

    def _tilted(self, s: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compute ln E[e^{sL}]; and E[e^{sL} f(L)] for columns f, the first all ones.

        The latter come up to a factor for each s.
        """
        exponent = np.multiply.outer(s, self.loss)
        # near 1 the difference would lose its digits
        if float(np.max(exponent)) > 600 or self.log_lost > -1:
            exponent += self.log_mass
            top = np.max(exponent, axis=1)
            means = np.exp(exponent - top[:, None]) @ f
            return top + np.log(means[:, 0]), means
        # ln(1 + E[e^{sL} − 1] − lost) keeps its digits however small the losses are
        f = self._mass[:, None] * f
        gained = np.expm1(exponent) @ f
        log_moment = np.log1p(gained[:, 0] - math.exp(self.log_lost))
        return log_moment, gained + np.sum(f, axis=0)

    def renyi_moment(self, s: float) -> float:
        """Compute ln E[e^{sL}]: one pair is the worst for all s."""
        return float(self.log_moments(np.asarray([s]))[0])

    def cumulants(self, c: np.ndarray) -> np.ndarray:
        """Compute ln E[e^{cL}] and two derivatives at real c, for a search."""
        s, large = np.ravel(c), np.ravel(c) * np.max(np.abs(self.loss)) > 600
        values = np.empty((3, len(s)))
        for some in (np.flatnonzero(large), np.flatnonzero(~large)):
            blocks = math.ceil(len(some) * len(self.loss) / BLOCK)
            for at in np.array_split(some, blocks) if blocks else ():
                values[:, at] = self._cumulants(s[at])
        return values.reshape(3, *np.shape(c))

    def _cumulants(self, s: np.ndarray) -> np.ndarray:
        value, means = self._tilted(s, np.stack([self.loss**k for k in range(3)], 1))
        total, first, second = means.T
        mean, square = first / total, second / total
        return np.stack([value, mean, np.maximum(square - mean**2, 0)])

    @cached_property
    def coarse(self) -> "ListedPair":
        """Join neighbors, for a search alone: what comes out is no bound."""
        n = len(self.loss)
        if n < 4 * ENDS:
            return self
        # the largest and the smallest losses stay by themselves
        starts = np.r_[0:ENDS, ENDS : n - ENDS : JOINED, n - ENDS : n]
        mass, loss = np.exp(self.log_mass), self.loss
        joined = np.add.reduceat(mass, starts)
        width = np.diff(loss[starts])
        if np.min(joined) <= 0 or np.max(width) > (loss[-1] - loss[0]) / 64:
            return self
        mean = np.add.reduceat(mass * loss, starts) / joined
        return replace(self, loss=mean, log_mass=np.log(joined))

    def along(self, c: float, period: float, count: int) -> Moments:
        """Compute moments at s = c + 2πij/period, j < count."""
        log_at_c = float(self.log_moments(np.asarray([c]))[0])
        far = self.loss >= self.jump if math.isfinite(self.jump) else None
        return moments_of_nodes(
            self.loss, self.log_mass, 8.0, far, log_at_c, (c, period, count)
        )

    @cached_property
    def _groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Group what lies between the ends, by gaps within a factor of two.

        Returned are where groups start, counted from the second loss on, and the least
        and the largest gap of each. There are none unless gaps only grow, or only
        shrink.
        """
        gaps = np.diff(self.loss[1:-1])
        turns = np.diff(gaps)
        one_way = np.all(turns >= 0) or np.all(turns <= 0)
        if len(gaps) < ENDS or not one_way or min(gaps[0], gaps[-1]) <= 0:
            return np.zeros(0, np.intp), np.zeros(0), np.zeros(0)
        octave = np.floor(np.abs(np.log2(gaps / gaps[0])))
        starts = np.append(0, np.flatnonzero(np.diff(octave)) + 1)
        both = gaps[starts], gaps[np.append(starts[1:] - 1, len(gaps) - 1)]
        return starts, np.minimum(*both), np.maximum(*both)

    def log_decay(self, c: float, t: np.ndarray, releases: int = 0) -> np.ndarray:  # noqa: ARG002  (as for every pair)
        """Bound the ratio where the gaps between losses only grow, or only shrink.

        By the inequality of Kuzmin and Landau: if the steps from angle to angle only
        grow, or only shrink, and lie between a and 2π − a, then no sum of e^{i·angle}
        over neighbors exceeds cot(a/4). Weights come in by parts. The first and the
        last loss, which may be atoms, count in full, and so does all else otherwise.
        """
        starts, least, most = self._groups
        if len(starts) == 0:
            return np.zeros(len(t))
        exponent = c * self.loss + self.log_mass
        weight = np.exp(exponent - np.max(exponent))
        weight /= np.sum(weight)
        inner = weight[1:-1]
        last = np.append(starts[1:], len(inner)) - 1
        step = np.abs(np.diff(inner, append=inner[-1]))
        step[last] = 0.0
        varied = np.add.reduceat(step, starts) + inner[last]
        total = np.add.reduceat(inner, starts)
        high = np.multiply.outer(np.append(t[1:], np.inf), most)
        angle = np.minimum(np.multiply.outer(t, least), 2 * np.pi - high)
        angle = np.clip(angle, 1e-300, np.pi)
        inside = np.sum(np.minimum(varied / np.tan(angle / 4), total), axis=1)
        return np.minimum(np.log(weight[0] + weight[-1] + inside) + 1e-9, 0.0)

    def log_jumps(self, c: float, t: np.ndarray) -> np.ndarray:
        """Bound what jumps alone have of that ratio by their share of the moment."""
        exponent = c * self.loss + self.log_mass
        jumps = np.logaddexp.reduce(
            exponent, where=self.loss >= self.jump, initial=-np.inf
        )
        return np.full(len(t), float(jumps - np.logaddexp.reduce(exponent)))

    def cut_off(self, log_lost: float) -> "ListedPair":
        """Cut the largest losses off, where no more than e^{log_lost} is lost."""
        keep = self._log_above > log_lost
        keep[0] = True
        return self._kept(keep)

    def without_jumps(self, loss: float) -> "ListedPair":
        """Cut where one loss reaches this size."""
        keep = self.loss < loss
        keep[0] = True
        return replace(self._kept(keep), cut=loss, jump=math.inf)

    def with_jumps(self, others: "ListedPair") -> "ListedPair":
        """Tell apart as jumps what ``others`` cuts off."""
        return replace(self, jump=others.cut)

    def before_jump(self) -> "ListedPair":
        """Cut off what is told apart as a jump."""
        return self.without_jumps(self.jump)

    def softened(self, c: float) -> "ListedPair":  # noqa: ARG002  (as for every pair)
        """Leave the pair as it is: a list has all moments."""
        return self

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release at an ε of at least 0, as a sum."""
        above = self.loss > epsilon
        gap = np.log(-np.expm1(epsilon - self.loss[above]))
        terms = np.append(self.log_mass[above] + gap, self.log_lost)
        return float(np.logaddexp.reduce(terms))

    def _kept(self, keep: np.ndarray) -> "ListedPair":
        if np.all(keep):
            return self
        lost = np.logaddexp.reduce(np.append(self.log_mass[~keep], self.log_lost))
        return replace(
            self,
            loss=self.loss[keep],
            log_mass=self.log_mass[keep],
            log_lost=float(lost),
        )


@dataclass(frozen=True, eq=False)
class Cells:
    """Outputs of a pair (A, B), sorted into a list of likelihood ratios.

    Parameters
    ----------
    ratio : array
        ln(A/B) of each, ascending.
    log_mass : array
        ln of their probabilities under B.
    log_lost : float, optional
        ln of the probability under A that the list leaves out; under B it is less.
    """

    ratio: np.ndarray
    log_mass: np.ndarray
    log_lost: float = -math.inf

    def sampled(self, rate: float, removed: bool) -> ListedPair:
        """List the losses of a release in which a record takes part with this rate.

        If it is removed, they are those of (1 − q)B + qA against B, and if it is
        added, those of B against (1 − q)B + qA.
        """
        loss = log_mixed(rate, self.ratio) if rate < 1 else self.ratio
        if removed:
            return ListedPair(loss, self.log_mass + loss, self.log_lost)
        return ListedPair(-loss[::-1], self.log_mass[::-1], self.log_lost)

    def displacing(self, rate: float) -> ListedPair:
        """List the worst losses where a drawn record takes the place of another.

        Above 0 they are those of ``sampled`` for a record that is removed, below 0
        those for one that is added, and the rest of the probability lies at 0.
        """
        removed, added = (self.sampled(rate, each) for each in (True, False))
        up, down = removed.loss > 0, added.loss < 0
        loss = np.concatenate([added.loss[down], [0.0], removed.loss[up]])
        below, above = added.log_mass[down], removed.log_mass[up]
        rest = 1 - float(np.sum(np.exp(below))) - float(np.sum(np.exp(above)))
        middle = math.log(max(rest - math.exp(self.log_lost), 1e-300))
        return ListedPair(loss, np.concatenate([below, [middle], above]), self.log_lost)


def divided(
    edges: np.ndarray, log_mass: np.ndarray, log_right: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Divide the probability of each cell between its ends.

    ``edges`` holds ln of likelihood ratios, ``log_mass`` ln of what each cell has under
    B, and ``log_right`` ln of the part of it that goes to the right end. Returned are
    the ratios, and ln of what each has under B.
    """
    share = np.minimum(log_right - log_mass, -1e-16)
    left = log_mass + np.log(-np.expm1(share))
    nothing = [-np.inf]
    found = np.logaddexp(np.append(left, nothing), np.append(nothing, log_right))
    return edges, found


def coarser(cells: Cells, starts: np.ndarray, merged: bool) -> Cells:
    """Join the ratios from each start up to the next one.

    Each group is merged into its mean ratio, or divided between its two ends.
    """
    if len(starts) == len(cells.ratio):
        return cells
    last = np.append(starts[1:], len(cells.ratio)) - 1
    low, width = cells.ratio[starts], cells.ratio[last] - cells.ratio[starts]
    group = np.repeat(np.arange(len(starts)), last - starts + 1)
    gained = np.expm1(cells.ratio - low[group])
    with np.errstate(divide="ignore"):
        log_gained = cells.log_mass + np.log(gained)
        log_mass = np.logaddexp.reduceat(cells.log_mass, starts)
        log_gained = np.logaddexp.reduceat(log_gained, starts)
        if merged:
            ratio = low + np.log1p(np.exp(log_gained - log_mass))
            return Cells(ratio, log_mass, cells.log_lost)
        log_right = log_gained - np.log(np.expm1(width))
        right = np.where(width > 0, np.minimum(log_right, log_mass), -np.inf)
        left = log_mass + np.log(-np.expm1(right - log_mass))
    ratio = np.stack([low, cells.ratio[last]], axis=1).ravel()
    return Cells(ratio, np.stack([left, right], axis=1).ravel(), cells.log_lost)
