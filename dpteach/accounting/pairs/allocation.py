"""Floor 2. Random allocation: each record takes part in one of k steps, at random.

The pair is the mean of N(e_t, λ²I) over the k steps t, against N(0, λ²I). Without the
record its likelihood ratio R is the mean of k independent Y = e^{z/λ − 1/2λ²}, where z
is standard normal. If the probability of a cell of Y is divided between its ends, Y
keeps its mean and spreads out. So E[f(R)] grows for each convex f, and with it every
δ(ε). [Feldman and Shenfeld 2026]

With little noise a few Y are so large that no even grid holds them beside the others.
So R is listed by how many of the k are large, at most three. The sum of the others
follows by a Fourier transform on an even grid, with a bound of its rounding error, and
the large ones are added to it value by value. If a record is added, a smaller R is
worse, so a large Y may count as the largest of the grid.

If cells are merged instead, which is post-processing of what two neighbors release, R
spreads less, and no δ(ε) grows. So there is a list below, too, if a record is removed.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..moments.conversion import OutOfDigits
from .listed import ListedPair
from .pair import GaussianPair, Pair
from .ratio_sums import (
    LOST,
    SHORT,
    EvenGrid,
    Values,
    add,
    divide,
    divided_cells,
    merged_cells,
    merged_list,
    nodes_for,
    spread_list,
)

LISTED = 2**13  # losses
# How many Y may be large, how many are on average without the record, and how large,
# as a multiple of k, any Y needs to be if the record is added
MANY, LARGE, ENOUGH = 3, 1e-4, 10


@dataclass(frozen=True, order=True)
class OneOfSteps:
    """Gaussian releases, each record in one of them.

    Parameters
    ----------
    noise_multiplier : float
        λ.
    steps : int
        k.
    """

    noise_multiplier: float
    steps: int
    two_directions, largest, rho, random_step = True, math.inf, None, True
    tight, has_closed_form = False, False
    simpler = "without the sampling"

    @property
    def spread(self) -> float:
        """What μ the release has if the step is known: 1/λ."""
        return 1 / self.noise_multiplier

    @property
    def total_variation(self) -> float:
        """A bound of the δ at ε = 0: that of a known step."""
        return math.erf(self.spread / math.sqrt(8))

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates all k steps together."""
        self._check_digits()
        pair = self._removed if removed else self._added
        if pair.log_lost > math.log(0.5):
            raise OutOfDigits("with so little noise the smallest ratio has no digits")
        return pair

    def reached(self, removed: bool) -> Pair:
        """Return a pair that the release dominates.

        If a record is added it is that of the sum of all steps, which says less.
        """
        if not removed:
            return GaussianPair(1 / (self.noise_multiplier * math.sqrt(self.steps)))
        self._check_digits()
        grid = self._grid(merged=True)
        ratio, mass = grid.sums(self.steps, True)
        seen = ratio > 0
        ratio, mass = ratio[seen] / self.steps, mass[seen] * self.steps / ratio[seen]
        parts = [merged_list(ratio, mass, LISTED)]
        parts += [self._some_large(grid, j) for j in range(1, self._most + 1)]
        ratio, mass = (np.concatenate(each) for each in zip(*parts, strict=True))
        ratio, mass = merged_list(ratio, mass, LISTED)
        mass = mass * ratio
        # What came back around the circle lies lower than what is left out instead.
        kept = np.cumsum(mass[::-1])[::-1] > grid.beyond() + 2 * LOST
        if not kept.any():
            raise OutOfDigits("among so many steps the release has no digits left")
        ratio, mass = ratio[kept], mass[kept]
        mass[0] += max(1 - float(np.sum(mass)), 0.0)  # the rest counts as the lowest
        return ListedPair(np.log(ratio), np.log(mass))

    def _check_digits(self) -> None:
        if self._far * self.spread > 600:
            raise OutOfDigits("with so little noise the largest ratio has no digits")

    @property
    def _far(self) -> float:
        # A z that no Y is likely to reach, with the record or without it
        from scipy.special import ndtri

        with_it = -float(ndtri(LOST)) + self.spread
        return max(with_it, -float(ndtri(LOST / self.steps)))

    @property
    def _most(self) -> int:
        return min(MANY, self.steps)

    def _grid(self, merged: bool) -> EvenGrid:
        from scipy.special import ndtri

        limit = -float(ndtri(LARGE / self.steps))
        return EvenGrid(self.noise_multiplier, self.steps, limit, merged=merged)

    @cached_property  # long lists, which several accountants ask for
    def _added(self) -> ListedPair:
        """List the losses −ln R, where the record is not there."""
        lam, k = self.noise_multiplier, self.steps
        enough = lam * math.log(ENOUGH * k) + 0.5 / lam
        grid = EvenGrid(lam, k, min(self._far, enough), capped=True)
        ratio, mass = grid.sums(k, False)
        ratio, mass, lost = _lowered(ratio / k, mass)
        nodes = nodes_for(ratio, LISTED)
        mass = divide(nodes, ratio, mass)
        seen = mass > 0
        loss, log_mass = -np.log(nodes[seen][::-1]), np.log(mass[seen][::-1])
        return ListedPair(loss, log_mass, math.log(lost + 2 * LOST))

    @cached_property
    def _removed(self) -> ListedPair:
        """List the losses ln R, where the record is there."""
        from scipy.stats import binom

        k, grid = self.steps, self._grid(merged=False)
        more = float(binom.sf(MANY - 1, k - 1, LARGE / k))
        lost = grid.beyond() + 2 * LOST + more
        if lost > 0.5:  # before the lists, which take long
            raise OutOfDigits("among so many steps the release has no digits left")
        ratio, mass = _raised(*grid.sums(k, True))
        parts = [(ratio / k, mass * k / ratio)]
        parts += [self._some_large(grid, j) for j in range(1, self._most + 1)]
        nodes = nodes_for(np.concatenate([ratio for ratio, _ in parts]), LISTED)
        mass = np.sum([divide(nodes, *part) for part in parts], axis=0)
        seen = mass > 0
        loss = np.log(nodes[seen])
        # the probability of R without the record, times R, is that with it
        return ListedPair(loss, loss + np.log(mass[seen]), math.log(lost))

    def _some_large(self, grid: EvenGrid, large: int) -> Values:
        """List R without the record, where so many Y are large."""
        z = np.linspace(grid.limit, self._far, 2 * SHORT)
        lam, k = self.noise_multiplier, self.steps
        if grid.merged:
            shorter, one = merged_list, merged_cells(z, lam)
        else:
            edges = np.exp(z / lam - 0.5 / lam**2)
            shorter, one = spread_list, divided_cells(edges, z, lam)
        found = one
        for _ in range(large - 1):
            found = shorter(*add(shorter(*found), shorter(*one)))
        if k > large:
            rest = grid.sums(k - large, False)
            rest = rest if grid.merged else _raised(*rest)
            found = add(shorter(*rest), found)
        value, mass = found
        return value / k, math.comb(k, large) * mass


def _raised(value: np.ndarray, mass: np.ndarray) -> Values:
    """Raise the values that hardly any sum is below, which is worse with the record."""
    below = np.cumsum(mass)
    first = max(int(np.argmax(below > LOST)), 1)
    return value[first:], np.append(below[first], mass[first + 1 :])


def _lowered(
    value: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Lower the values that hardly any sum is above; return what is lost at 0, too."""
    above, below = np.cumsum(mass[::-1])[::-1], np.cumsum(mass)
    first = int(np.argmax((below > LOST) & (value > 0)))
    last = int(np.argmax(above <= LOST)) or len(value) - 1
    kept = np.append(mass[first:last], above[last])
    return value[first : last + 1], kept, float(below[first] - mass[first])
