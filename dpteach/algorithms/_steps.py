"""What algorithms of many steps share: checks, and the rows of a batch."""

import numpy as np

from .. import checks
from ..arrays import Array, namespace


def check_momentum(momentum: float) -> float:
    """Return what is in [0, 1), refuse others."""
    momentum = checks.between(0.0, 1.0, momentum=momentum)
    if momentum == 1:
        raise ValueError(
            f"`momentum` must be below 1, got {momentum}. At 1 nothing is ever "
            "forgotten, so the models diverge."
        )
    return momentum


def check_path(path_every: int, steps: int) -> int:
    """Return after how many steps a model is kept, refuse what keeps none."""
    path_every = checks.count(path_every=path_every)
    if path_every > steps:
        raise ValueError(
            f"`path_every` must be at most steps={steps}, got {path_every}: the path "
            "would be empty."
        )
    return path_every


def rows_like(rows: np.ndarray, X: Array) -> Array:
    """Convert row numbers to the library and device of X."""
    xp = namespace(X)
    return rows if xp is np else xp.asarray(rows, device=X.device)
