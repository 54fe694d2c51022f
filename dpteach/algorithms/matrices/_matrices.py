"""Matrices that the factorizations are made of, and the series on their diagonals."""

import numpy as np

from ... import checks


def decoder_of(encoder: np.ndarray) -> np.ndarray:
    """Compute B = A C⁻¹ for a lower-triangular C."""
    from scipy.linalg import solve_triangular  # scipy here: importing stays fast

    return solve_triangular(encoder, np.tri(len(encoder)).T, trans=1, lower=True).T


def toeplitz_matrix(c: np.ndarray) -> np.ndarray:
    """Make the lower-triangular matrix with c_k on its k-th diagonal."""
    lag = np.subtract.outer(np.arange(len(c)), np.arange(len(c)))
    return np.where(lag >= 0, c[lag], 0.0)


def divide_series(
    numerator: np.ndarray, coefficients: tuple[float, ...], steps: int
) -> np.ndarray:
    """Compute the power series numerator/Σ_j c_j z^j."""
    from scipy.signal import lfilter  # scipy here: importing stays fast

    quotient = np.asarray(lfilter([1.0], coefficients, numerator))
    if not np.abs(quotient).max() <= checks.LARGEST_ENTRY:  # nor is NaN
        raise ValueError(
            f"`coefficients` must have an inverse that stays below 1e150 for {steps} "
            f"steps, got {coefficients[:4]}. Take some that fall."
        )
    return quotient
