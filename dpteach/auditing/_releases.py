"""What exact audits need of the code that they run, and how they read its output."""

from typing import Any

import numpy as np
from array_api_compat import is_array_api_obj as is_array

from ..arrays import to_numpy


def demand_function(**named: Any) -> None:
    """Refuse what cannot be called."""
    for name, value in named.items():
        if not callable(value):
            raise TypeError(
                f"`{name}` must be a function, got {value!r}. Pass the function itself."
            )


def flat(released: Any) -> np.ndarray:
    """Flatten what was released into one vector on the host."""
    out = to_numpy(released) if is_array(released) else np.asarray(released)
    return np.array(out, dtype=None if out.dtype == np.float32 else float).ravel()


def tolerance(out: np.ndarray) -> float:
    """Return what counts as rounding: single precision rounds at 1e-7 per step."""
    return 1e-5 if out.dtype == np.float32 else 1e-9
