"""Beyond trees. A proof that no factorization does better, for records that return."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ... import checks
from ._dual_ascent import almost_orthogonal, ascend


@dataclass(frozen=True)
class DualCertificate:
    r"""A random record from which every factorization has at least some error.

    It takes part in the steps of pattern J with probability :math:`\lambda_J`, and in
    the i-th of them it adds the unit vector :math:`u_{J,i}`. With
    :math:`W = \mathbb{E}\sum_{i,j} \langle u_i, u_j\rangle e_i e_j^\top`, every C has
    sensitivity at least :math:`\sqrt{\mathrm{tr}(CWC^\top)}`, so by the inequality of
    Cauchy and Schwarz the mean error is at least
    :math:`\|A W^{1/2}\|_*/\sqrt T`.

    Parameters
    ----------
    steps : int
        :math:`T`.
    patterns : ndarray
        The steps, 1, …, T, of n patterns of k participations, shape ``(n, k)``.
    weights : ndarray
        :math:`\lambda_J`, at least 0; they are scaled to add up to 1.
    directions : ndarray
        :math:`u_{J,i}`, shape ``(n, k, m)``, none of them 0; scaled to norm 1.

    Examples
    --------
    >>> import numpy as np
    >>> every_step = np.arange(1, 65)[:, None]  # one participation, in any step
    >>> proof = DualCertificate(64, every_step, np.ones(64), np.ones((64, 1, 1)))
    >>> round(proof.lower_bound, 4)  # ‖A‖_*/T
    2.0401
    """

    steps: int
    patterns: np.ndarray
    weights: np.ndarray
    directions: np.ndarray

    def __post_init__(self) -> None:
        """Check the arguments."""
        checks.fields(self, checks.count, "steps")
        checks.finite_array(ndim=1, weights=self.weights)
        checks.finite_array(ndim=3, directions=self.directions)
        if not np.linalg.norm(self.directions, axis=2).min(initial=1.0) > 0:
            raise ValueError("`directions` must not be 0, got a vector that is.")
        _check_patterns(self.patterns, self.steps)
        if self.patterns.shape != self.directions.shape[:2]:
            raise ValueError(
                "`directions` must have vectors for each step of each pattern, got "
                f"shape {self.directions.shape} for {self.patterns.shape}."
            )
        if len(self.weights) != len(self.patterns) or not (
            (self.weights >= 0).all() and self.weights.sum() > 0
        ):
            raise ValueError(
                "`weights` must be at least 0, not all 0, and one for each pattern, "
                f"got {self.weights}."
            )

    @property
    def lower_bound(self) -> float:
        """What no factorization's mean error is below, at noise multiplier 1."""
        n, _, m = self.directions.shape
        lengths = np.linalg.norm(self.directions, axis=2, keepdims=True)
        weights = self.weights / self.weights.sum()
        vectors = np.sqrt(weights)[:, None, None] * self.directions / lengths
        L = np.zeros((n, m, self.steps))  # W = Σ_J L_Jᵀ L_J
        for row, pattern, vector in zip(L, self.patterns, vectors, strict=True):
            row[:, pattern - 1] = vector.T
        triangle = np.linalg.qr(L.reshape(n * m, self.steps), mode="r")
        sums = np.cumsum(triangle, axis=1)  # (A Rᵀ)ᵀ, and RᵀR = W
        total = np.linalg.svd(sums, compute_uv=False).sum()
        return float(total) / sqrt(self.steps) * (1 - 1e-9)  # more than rounding

    def gram(self) -> np.ndarray:
        """Solve X W X = AᵀA: the best X = CᵀC against this record alone."""
        L = np.linalg.cholesky(self.correlations())
        _, s, V = np.linalg.svd(np.cumsum(L, axis=0))  # (LᵀAᵀAL)^{1/2} = Vᵀ diag(s) V
        half = np.linalg.solve(L.T, V.T * np.sqrt(s))
        return half @ half.T

    def correlations(self) -> np.ndarray:
        """Add up W, the record's mean second moment: λ_J times K_J on each pattern."""
        W = np.zeros((self.steps, self.steps))
        for J, weight, u in zip(
            self.patterns - 1, self.weights, self.directions, strict=True
        ):
            u = u / np.linalg.norm(u, axis=1, keepdims=True)
            W[np.ix_(J, J)] += weight / self.weights.sum() * (u @ u.T)
        return W


def _check_patterns(patterns: np.ndarray, steps: int) -> None:
    checks.array(patterns=patterns)
    checks.filled(patterns=patterns)
    if (
        patterns.ndim != 2
        or not np.issubdtype(patterns.dtype, np.integer)
        or patterns.min() < 1
        or patterns.max() > steps
        or (np.diff(patterns) < 1).any()
    ):
        raise ValueError(
            f"`patterns` must have rows of rising steps from 1 to {steps}, got "
            f"{patterns!r:.60}."
        )


def best_certificate(patterns: np.ndarray, steps: int) -> DualCertificate:
    """Choose weights and directions for given patterns, by quasi-Newton steps.

    Parameters
    ----------
    patterns : ndarray
        The steps, 1, …, T, of n patterns of k participations, shape ``(n, k)``. With
        few of the allowed patterns the bound is valid, but lower.
    steps : int
        :math:`T`. The work is that of some hundred eigenproblems of this size.

    Returns
    -------
    DualCertificate
        Near the highest lower bound: the problem is concave in W.

    References
    ----------
    * Denisov and others (2022), Improved Differential Privacy for SGD via Optimal
      Private Linear Operators on Adaptive Streams.

    Examples
    --------
    >>> import numpy as np
    >>> every_step = np.arange(1, 65)[:, None]
    >>> round(best_certificate(every_step, 64).lower_bound, 4)  # the optimum of T = 64
    2.0999
    """
    steps = checks.count(steps=steps)
    _check_patterns(patterns, steps)
    n, k = patterns.shape
    start = np.ones(n), almost_orthogonal(n, k)
    weights, directions = ascend(patterns, *start, steps=steps, iterations=400)
    return DualCertificate(steps, patterns, weights, directions)
