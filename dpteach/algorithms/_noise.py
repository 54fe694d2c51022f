"""Noise of density ∝ exp(−‖b‖₂): a uniform direction and a Gamma(p) length."""

import numpy as np

from ..arrays import Array, as_like, l2_norm, namespace, standard_normal


def spherical_laplace(
    rng: np.random.Generator, shape: tuple[int, ...], like: Array
) -> Array:
    """Draw b of density ∝ exp(−‖b‖₂) along the last axis; scale it by multiplying."""
    direction = standard_normal(rng, shape, like)
    # The second argument of NumPy's gamma is a scale; here it is 1, and the shape p.
    length = as_like(rng.standard_gamma(shape[-1], (*shape[:-1], 1)), like)
    norm = l2_norm(direction)  # 0 only on a tape of zeros: no noise then
    return length * (direction / namespace(norm).where(norm > 0, norm, 1 + 0 * norm))
