"""Data, and what is published of them, for several test modules."""

import mpmath


def most_correlation(epsilon, m, p):
    """The most of E⟨θ, v⟩ that the proof allows, by quadrature over its tail."""
    epsilon, root = mpmath.mpf(epsilon), mpmath.sqrt(2 * mpmath.mpf(epsilon) * m / p)
    tail = mpmath.quad(
        lambda t: mpmath.exp(epsilon * m - p * t**2 / 2), [root, root + 1, mpmath.inf]
    )
    return float(root + tail)
