"""Additive noise on machines: in 64 bits, and never too small to be seen."""

import numpy as np

from ..arrays import Array, namespace, to_numpy

# Up to here 64 bits keep the noise's scale to a sixteenth.
LARGEST_IN_SCALES = 2.0**48


def add_noise(values: Array, noise: np.ndarray, scale: float) -> Array:
    """Add noise of the given scale in 64 bits, whatever the dtype of ``values``.

    An entry beyond 2⁴⁸ scales is cut there first, where rounding would swallow the
    noise: that moves no two answers apart.
    """
    far, xp = LARGEST_IN_SCALES * scale, namespace(values)
    noisy = np.clip(to_numpy(values).astype(float), -far, far) + noise
    return xp.asarray(noisy, dtype=xp.float64, device=values.device)
