"""How a record's visits are drawn, and the likelihood ratios that they make."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


def _log_sum(x: np.ndarray, axis: int = -1) -> np.ndarray:
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis)) + np.squeeze(largest, axis)


@dataclass(frozen=True)
class Bins:
    """A record picks one of b bins once, and is in each b-th step from there on.

    With m_o the sum of the columns of C/σ in bin o.
    """

    column: np.ndarray  # C's first one, over σ, at least 0
    bins: int

    @cached_property
    def gram(self) -> np.ndarray:
        """Return the inner products of the m_o."""
        T, b = len(self.column), self.bins
        means = np.zeros((T, b))
        for start in range(T):
            means[start:, start % b] += self.column[: T - start]
        return means.T @ means

    def largest(self) -> float:
        """Return the largest ‖m_o‖²."""
        return float(self.gram.diagonal().max())

    def log_mean(self, kappa: np.ndarray) -> np.ndarray:
        """Return ln Z for each κ, with Z the mean of exp(κ ‖m_o‖²) over o."""
        logs = np.multiply.outer(kappa, self.gram.diagonal())
        return _log_sum(logs) - np.log(self.bins)

    def draw(
        self, s: float, count: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw from R_s: return ln(P/Q) and ln(R_s/Q) of each outcome."""
        b, n = self.bins, self.gram.diagonal()
        kappa = (s - 1) / 2
        share = np.exp(kappa * n - (kappa * n).max())
        o = rng.choice(b, size=count, p=share / share.sum())
        z = rng.standard_normal((count, b)) @ np.linalg.cholesky(self.gram).T
        u = s * self.gram[o] + z
        log_p = _log_sum(u - n / 2) - np.log(b)
        log_r = _log_sum(s * u + (kappa - s * s / 2) * n) - np.log(b)
        return log_p, log_r - self.log_mean(np.array(kappa))


@dataclass(frozen=True)
class Separated:
    """A record that was not in the last b − 1 steps enters with probability p.

    It starts as if the run had begun long before. C has at most b bands, so the columns
    of two visits are orthogonal.
    """

    column: np.ndarray  # C's first one, over σ, at least 0
    separation: int
    probability: float

    @cached_property
    def squares(self) -> np.ndarray:
        """Return the ‖c_t‖²."""
        return np.cumsum(self.column**2)[::-1]

    @cached_property
    def starts(self) -> np.ndarray:
        """Return how likely a record may first enter in step 0, 1, …, b − 1."""
        b, p = self.separation, self.probability
        rate = p / (1 + (b - 1) * p)
        return np.concatenate([[1 - (b - 1) * rate], np.full(b - 1, rate)])

    def largest(self) -> float:
        """Return the largest ‖m_S‖²."""
        return float(self.squares[:: self.separation].sum())

    def _backward(self, log_a: np.ndarray) -> np.ndarray:
        """Return ln of the mean of Π_{t∈S} a_t over the visits S from each step on."""
        T, b, p = len(self.column), self.separation, self.probability
        logs = np.zeros((T + b, *log_a.shape[1:]))
        with np.errstate(divide="ignore"):
            enter, wait = np.log(p), np.log1p(-p)
        for t in range(T - 1, -1, -1):
            logs[t] = np.logaddexp(wait + logs[t + 1], enter + log_a[t] + logs[t + b])
        return logs

    def _from_start(self, logs: np.ndarray) -> np.ndarray:
        first = np.log(self.starts).reshape(-1, *[1] * (logs.ndim - 1))
        return _log_sum(logs[: self.separation] + first, axis=0)

    def log_mean(self, kappa: np.ndarray) -> np.ndarray:
        """Return ln Z for each κ, with Z the mean of exp(κ ‖m_S‖²) over the visits."""
        return self._from_start(self._backward(np.multiply.outer(self.squares, kappa)))

    def draw(
        self, s: float, count: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw from R_s: return ln(P/Q) and ln(R_s/Q) of each outcome."""
        n, kappa = self.squares[:, None], (s - 1) / 2
        visits = self._visits(kappa, count, rng)
        bands = np.flatnonzero(self.column)
        y = rng.standard_normal(visits.shape)
        for j in bands:
            y[j:] += s * self.column[j] * visits[: len(y) - j]
        u = np.zeros_like(y)
        for j in bands:
            u[: len(y) - j] += self.column[j] * y[j:]
        log_p = self._from_start(self._backward(u - n / 2))
        log_r = self._from_start(self._backward(s * u + (kappa - s * s / 2) * n))
        return log_p, log_r - self.log_mean(np.array(kappa))

    def _visits(self, kappa: float, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw S with a probability that is multiplied by exp(κ ‖m_S‖²)."""
        T, b, p = len(self.column), self.separation, self.probability
        logs = self._backward(kappa * self.squares)
        first = np.log(self.starts) + logs[:b]
        share = np.exp(first - first.max())
        free = rng.choice(b, size=count, p=share / share.sum())  # from which step on
        visits = np.zeros((T, count))
        for t in range(T):
            more = kappa * self.squares[t] + logs[t + b] - logs[t]
            enter = np.exp(np.log(p) + more)
            comes = (free <= t) & (rng.random(count) < enter)
            visits[t], free = comes, np.where(comes, t + b, free)
        return visits
