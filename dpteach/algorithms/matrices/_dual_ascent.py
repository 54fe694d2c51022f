"""The random record of a certificate, improved: ‖A W^{1/2}‖_* is concave in W."""

import numpy as np


def almost_orthogonal(n: int, k: int) -> np.ndarray:
    """Make directions of k unit vectors: no slope leads away from an exact diagonal."""
    return np.eye(k) + 0.02 * np.random.default_rng(0).standard_normal((n, k, k))


def ascend(
    patterns: np.ndarray,
    weights: np.ndarray,
    directions: np.ndarray,
    *,
    steps: int,
    iterations: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Raise ‖A W^{1/2}‖_* by quasi-Newton steps; return weights and directions."""
    from scipy.optimize import minimize  # scipy here: importing stays fast

    n, k = patterns.shape
    P = patterns - 1
    x = minimize(
        _negative_log,
        np.concatenate([np.log(weights), directions.ravel()]),
        args=(P[:, :, None] * steps + P[:, None, :], steps),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "maxcor": 20, "ftol": 1e-14, "gtol": 1e-8},
    ).x
    weights, v, _ = _record(x, n, k)
    return weights, v


def _record(x: np.ndarray, n: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
