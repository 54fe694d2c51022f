"""Matrices that the factorizations are made of."""

import numpy as np


def decoder_of(encoder: np.ndarray) -> np.ndarray:
    """Compute B = A C⁻¹ for a lower-triangular C."""
    from scipy.linalg import solve_triangular  # scipy here: importing stays fast

    return solve_triangular(encoder, np.tri(len(encoder)).T, trans=1, lower=True).T


def toeplitz_matrix(c: np.ndarray) -> np.ndarray:
    """Make the lower-triangular matrix with c_k on its k-th diagonal."""
    lag = np.subtract.outer(np.arange(len(c)), np.arange(len(c)))
    return np.where(lag >= 0, c[lag], 0.0)
