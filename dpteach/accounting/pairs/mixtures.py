"""Floor 2. A Gaussian release that one record, or one user, moves at random.

With probability w_j it moves the sum by at most m_j clip norms, in any direction and
whatever the others' records are. Worst is always the same direction: Σ w_j N(m_j, λ²)
against N(0, λ²), or, if a record is replaced, against Σ w_j N(−m_j, λ²). The book
proves it by comparing Gaussian vectors. Both likelihood ratios rise with the output, so
that outputs fall into cells.
"""

import math
from dataclasses import dataclass

import numpy as np

from .listed import Cells, ListedPair, divided

# How many cells lie within twenty standard deviations, and how many in each tail beyond
FINE, COARSE = 2**14, 2**11
NEAR, FAR = 10.0, 37.0


@dataclass(frozen=True, order=True)
class MixedGaussian:
    """A Gaussian release that is moved by a random amount.

    Parameters
    ----------
    noise_multiplier : float
        λ.
    moves, probabilities : tuple of float
        m_j in clip norms, ascending, and w_j.
    replaced : bool
        Whether what moves the sum is replaced, or added and removed.
    """

    noise_multiplier: float
    moves: tuple[float, ...]
    probabilities: tuple[float, ...]
    replaced: bool
    largest, rho = math.inf, None
    random_step, has_closed_form = False, False
    tight = False  # a list that dominates the pair is not reached itself
    simpler = "without the sampling"

    @property
    def two_directions(self) -> bool:
        """Whether removing costs another amount than adding."""
        return not self.replaced

    @property
    def _sides(self) -> int:
        return 2 if self.replaced else 1

    @property
    def spread(self) -> float:
        """What μ the release has if it always moves as far as it can."""
        return self._sides * max(self.moves) / self.noise_multiplier

    @property
    def total_variation(self) -> float:
        """A bound of the δ of one release at ε = 0: that of each move by itself."""
        scale = self._sides / self.noise_multiplier / math.sqrt(8)
        moves = zip(self.probabilities, self.moves, strict=True)
        return math.fsum(w * math.erf(m * scale) for w, m in moves)

    def worst(self, removed: bool) -> ListedPair:
        """List a pair that dominates the release."""
        return self._cells(merged=False).sampled(1.0, removed)

    def reached(self, removed: bool) -> ListedPair:
        """List a pair that the release dominates, for some neighbors."""
        return self._cells(merged=True).sampled(1.0, removed)

    def _log_mean(self, u: np.ndarray, sign: int) -> np.ndarray:
        # ln Σ w e^{au − a²/2} for shifts a = ±m/λ; by e^x − 1, to keep small digits
        gained, total = np.zeros(u.shape), np.zeros(u.shape)
        for w, m in zip(self.probabilities, self.moves, strict=True):
            a = sign * m / self.noise_multiplier
            exponent = a * u - a * a / 2
            gained += w * np.expm1(exponent)
            total += w * np.exp(exponent)
        near = np.log1p(np.maximum(gained, -0.5))
        return np.where(gained < -0.5, np.log(np.maximum(total, 1e-300)), near)

    def _below(self, u: np.ndarray) -> np.ndarray:
        # ln of Q's density over that of N(0, 1), at the output λu
        return self._log_mean(u, -1) if self.replaced else np.zeros(u.shape)

    def _ratio(self, u: np.ndarray) -> np.ndarray:
        return self._log_mean(u, 1) - self._below(u)

    def _edges(self) -> np.ndarray:
        # outputs over λ, finer where they are likely
        shift = max(self.moves) / self.noise_multiplier
        low, high = (shift if self.replaced else 0.0), shift
        near = np.linspace(
            -low - NEAR, high + NEAR, int(FINE * (1 + (low + high) / 20))
        )
        left = np.linspace(-low - FAR, -low - NEAR, COARSE)[:-1]
        right = np.linspace(high + NEAR, high + FAR, COARSE)[1:]
        return np.concatenate([left, near, right])

    def _cells(self, merged: bool) -> Cells:
        from scipy.special import log_ndtr

        edges = self._edges()
        node, weight = np.polynomial.legendre.leggauss(8)
        width = np.diff(edges)[:, None]
        u = edges[:-1, None] + width * (node + 1) / 2
        density = self._below(u) - u * u / 2 + np.log(weight * width / 2)
        density = density - math.log(2 * math.pi) / 2
        ratio = np.maximum.accumulate(self._ratio(edges))
        # of each output, the share that goes to the right end keeps the mean of P/Q
        grown = np.expm1(np.diff(ratio))[:, None]
        over = np.expm1(np.clip(self._ratio(u) - ratio[:-1, None], 0.0, None))
        share = np.where(grown > 0, over / np.maximum(grown, 5e-324), 0.5)
        log_mass = np.logaddexp.reduce(density, axis=1)
        with np.errstate(divide="ignore"):
            log_share = np.log(np.clip(share, 0.0, 1.0))
        log_right = np.logaddexp.reduce(density + log_share, axis=1)
        log_lost = float(log_ndtr(-FAR)) + math.log(2)
        if merged:
            gained = np.exp(log_right - log_mass) * grown[:, 0]
            middle = np.maximum.accumulate(ratio[:-1] + np.log1p(gained))
            return Cells(middle, log_mass, log_lost)
        ratio, log_mass = divided(ratio, log_mass, log_right)
        return Cells(ratio, log_mass, log_lost)
