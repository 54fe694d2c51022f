"""Triangular systems, the eigenvectors of a tridiagonal matrix, Hadamard's matrices."""

import numpy as np

from . import missing


def solve_triangular(a, b, trans=0, lower=False):
    """Solve a x = b, or aᵀ x = b if trans is 1, for a triangular a."""
    kept = np.tril(a) if lower else np.triu(a)
    return np.linalg.solve(kept.T if trans else kept, b)


def eigh_tridiagonal(d, e):
    """Return the eigenvalues, in ascending order, and eigenvectors of a matrix."""
    return np.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))


def hadamard(n, dtype=int):
    """Return Hadamard's matrix whose size is a power of two, in Sylvester's order."""
    if n < 1 or n & (n - 1):
        raise ValueError(f"`n` must be a power of 2, got {n!r}.")
    bits = np.arange(n)
    both = bits[:, None] & bits
    odd = sum((both >> k) & 1 for k in range(int(n).bit_length())) % 2
    return (1 - 2 * odd).astype(dtype)


def __getattr__(name: str):
    raise missing(__name__, name)
