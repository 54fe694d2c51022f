"""Standard normals, one vector after another."""

from collections.abc import Iterator

import numpy as np

from ...arrays import Array, standard_normal


def standard_normals(
    rng: np.random.Generator, shape: tuple[int, ...], *, like: Array
) -> Iterator[Array]:
    """Draw z_1, z_2, … on the host, in the library, dtype and place of ``like``."""
    while True:
        yield standard_normal(rng, shape, like=like)
