"""Floor 2. Releases with finitely many losses: discrete Laplace noise, and one of k.

Discrete Laplace noise is an integer x with a probability ∝ e^{−|x|/b}. Between an
answer and one that is larger by Δ, the loss is −Δ/b up to the one, Δ/b from the other
on, and rises by 2/b with each integer between them. A smaller difference costs less:
as ratios rise with x, half-lines are the worst sets of outputs, and what a half-line
has with the shift, and not without it, grows with the shift.
"""

import math
from dataclasses import dataclass

import numpy as np

from .listed import Cells, ListedPair, coarser

# Into how many groups losses are joined, if there are more
CELLS = 2**13


@dataclass(frozen=True, order=True)
class DiscreteLaplaceNoise:
    """A release with discrete Laplace noise.

    Parameters
    ----------
    scale : float
        b.
    shift : int
        Δ, how far one record moves the answer.
    """

    scale: float
    shift: int
    two_directions, random_step, spread = False, False, 0.0
    method = "sum over all integers"
    simpler = "as if only its largest loss were known"

    @property
    def tight(self) -> bool:
        """Whether all losses are listed."""
        return self.shift < CELLS

    has_closed_form = tight

    @property
    def largest(self) -> float:
        """The largest loss, Δ/b."""
        return self.shift / self.scale

    @property
    def rho(self) -> float:
        """A ρ for which the release is ρ-zCDP."""
        return self.largest**2 / 2

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0: of outputs beyond half of the shift."""
        over = self.shift // 2 + 1
        under, step = self.shift - over + 1, 1 / self.scale
        two = math.expm1(-under * step) + math.exp(-step) * math.expm1(
            -(over - 1) * step
        )
        return -two / (1 + math.exp(-step))

    def worst(self, removed: bool) -> ListedPair:
        """List the pair, or one that dominates it; it is its own mirror image."""
        return self._cells(merged=False).sampled(1.0, removed)

    def reached(self, removed: bool) -> ListedPair:
        """List the pair, or one that it dominates."""
        return self._cells(merged=True).sampled(1.0, removed)

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release, as a sum over all losses."""
        return self.worst(True).log_delta(epsilon)

    def _cells(self, merged: bool) -> Cells:
        step = 1 / self.scale
        x = np.arange(self.shift + 1.0)
        ratio = (2 * x - self.shift) * step
        log_mass = -x * step - math.log1p(math.exp(-step))
        log_mass[1:-1] += math.log(-math.expm1(-step))
        starts = np.arange(0, len(x), -(-len(x) // CELLS))
        return coarser(Cells(ratio, log_mass), starts, merged)


@dataclass(frozen=True, order=True)
class RandomAnswer:
    """Randomized response: the true one of k answers with e^ε times the probability.

    Parameters
    ----------
    epsilon : float
        ε.
    categories : int
        k > 2. The k − 2 answers that neither record has carry no information.
    """

    epsilon: float
    categories: int
    two_directions, random_step, spread = False, False, 0.0
    tight = has_closed_form = True
    method = "randomized response in closed form"
    simpler = "as if only its largest loss were known"

    @property
    def largest(self) -> float:
        """The largest loss, ε."""
        return self.epsilon

    @property
    def rho(self) -> float:
        """A ρ for which the release is ρ-zCDP."""
        return self.epsilon**2 / 2

    @property
    def _log_true(self) -> float:
        # ln of the probability of the true answer
        return -math.log1p((self.categories - 1) * math.exp(-self.epsilon))

    @property
    def total_variation(self) -> float:
        """The δ of one release at ε = 0."""
        return math.exp(self._log_true) * -math.expm1(-self.epsilon)

    def worst(self, removed: bool) -> ListedPair:  # noqa: ARG002  (as for every kind)
        """List the pair, which is its own mirror image."""
        loss = np.array([-self.epsilon, 0.0, self.epsilon])
        others = np.array([1.0, self.categories - 2.0])
        rest = np.log(others) + self._log_true - self.epsilon
        return ListedPair(loss, np.append(rest, self._log_true))

    reached = worst

    def log_delta(self, epsilon: float) -> float:
        """Compute ln δ of one release."""
        if epsilon >= self.epsilon:
            return -math.inf
        gap = -math.expm1(max(epsilon, 0.0) - self.epsilon)
        return self._log_true + math.log(gap)
