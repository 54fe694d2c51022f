"""What tables of rounds and devices are."""

import numpy as np

from ... import checks


def check_rounds(**named: np.ndarray) -> None:
    """Refuse what is not a table of rounds and devices with yes or no in each entry."""
    for name, value in named.items():
        checks.array(**{name: value})
        if not isinstance(value, np.ndarray):
            raise TypeError(f"`{name}` must be a NumPy array, got {type(value)}.")
        if value.dtype != np.bool_ or value.ndim != 2:
            raise TypeError(
                f"`{name}` must be a table of booleans with one row a round and one "
                f"column a device, got {value.dtype} of shape {value.shape}."
            )
        checks.filled(**{name: value})
