"""Geometric sums of ratios ρ near 1, over millions of terms: given by gaps 1 − ρ."""

import numpy as np


def power_gap(gap: np.ndarray, exponent: float | np.ndarray) -> np.ndarray:
    """Compute 1 − ρ^n."""
    log = np.log1p(-np.minimum(gap, 0.5))
    return np.where(gap <= 0.5, -np.expm1(exponent * log), 1 - (1 - gap) ** exponent)


def product_gap(gap: np.ndarray) -> np.ndarray:
    """Compute 1 − ρ_i ρ_j for all pairs."""
    return gap[:, None] + gap[None, :] - gap[:, None] * gap[None, :]


def geometric_sum(gap: np.ndarray, terms: float | np.ndarray) -> np.ndarray:
    """Compute Σ_{s<n} ρ^s."""
    at_one = np.abs(gap) < 1e-300
    gap = np.where(at_one, 1.0, gap)
    return np.where(at_one, terms, power_gap(gap, terms) / gap)


def triangle_sum(gap: np.ndarray, terms: int) -> np.ndarray:
    """Compute Σ_{s<T} (T − s) ρ^s = (T(1 − ρ) − ρ(1 − ρ^T))/(1 − ρ)².

    Near ρ = 1 the difference cancels, so there it is its series in 1 − ρ.
    """
    T = float(terms)
    series = T * (T + 1) / 2 * (1 - gap * (T - 1) / 3 * (1 - gap * (T - 2) / 4))
    near = T * gap < 3e-4
    gap = np.where(near, 1.0, gap)
    return np.where(near, series, (T * gap - (1 - gap) * power_gap(gap, T)) / gap**2)
