"""Beyond trees. A proof that no factorization does better, for records that return."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ... import checks


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
    start = DualCertificate(steps, patterns, np.ones(n), almost_orthogonal(n, k))
    return improve(start, iterations=400)


def almost_orthogonal(n: int, k: int) -> np.ndarray:
    """Make directions of k unit vectors: no slope leads away from an exact diagonal."""
    return np.eye(k) + 0.02 * np.random.default_rng(0).standard_normal((n, k, k))


def improve(proof: DualCertificate, *, iterations: int) -> DualCertificate:
    """Take quasi-Newton steps in the weights, all above 0, and the directions."""
    from scipy.optimize import minimize  # scipy here: importing stays fast

    n, k = proof.patterns.shape
    P = proof.patterns - 1
    x = minimize(
        _negative_log,
        np.concatenate([np.log(proof.weights), proof.directions.ravel()]),
        args=(P[:, :, None] * proof.steps + P[:, None, :], proof.steps),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "maxcor": 20, "ftol": 1e-14, "gtol": 1e-8},
    ).x
    weights, u, _ = _record(x, n, k)
    return DualCertificate(proof.steps, proof.patterns, weights, u)


def _record(x: np.ndarray, n: int, k: int) -> tuple[np.ndarray, ...]:
    """Return the weights, the unit vectors, and the vectors' lengths before."""
    weights = np.exp(x[:n] - x[:n].max())
    v = x[n:].reshape(n, k, k)
    lengths = np.linalg.norm(v, axis=2, keepdims=True)
    return weights / weights.sum(), v / lengths, lengths


def _negative_log(
    x: np.ndarray, cells: np.ndarray, steps: int
) -> tuple[float, np.ndarray]:
    """Compute −log ‖A W^{1/2}‖_* and its slope."""
    n, k, _ = cells.shape
    weights, u, lengths = _record(x, n, k)
    K = u @ u.transpose(0, 2, 1)
    W = np.bincount(
        cells.ravel(), (weights[:, None, None] * K).ravel(), steps * steps
    ).reshape(steps, steps)
    total, slope = nuclear_norm(W)
    slope = slope.ravel()[cells]  # by K_J
    by_weight = np.einsum("nij,nij->n", slope, K)
    by_weight = weights * (by_weight - weights @ by_weight)
    by_u = 2 * weights[:, None, None] * (slope @ u)
    by_v = (by_u - u * np.sum(by_u * u, axis=2, keepdims=True)) / lengths
    return -float(np.log(total)), -np.concatenate([by_weight, by_v.ravel()]) / total


def nuclear_norm(W: np.ndarray) -> tuple[float, np.ndarray]:
    """Compute ‖A W^{1/2}‖_* and its slope, X/2 with X W X = AᵀA."""
    squares, Q = np.linalg.eigh(W.cumsum(axis=0).cumsum(axis=1))  # of A W Aᵀ
    s = np.sqrt(np.maximum(squares, 1e-15 * squares[-1]))
    slope = (Q / s) @ Q.T / 2  # by A W Aᵀ; then by W
    return float(s.sum()), slope[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
