"""The exact total of a stream, so that its sensitivity is that of real numbers."""

import math

import numpy as np

from .. import checks
from ..arrays import Array, as_double, l2_norm, namespace


class RunningTotal:
    r"""Add up vectors without rounding: each is cut to a grid first, toward zero.

    The grid is :math:`g = 2^{\lfloor\log_2 L\rfloor + 1 - k}`, with
    :math:`k = 52 - \lceil\log_2 T\rceil` bits for an entry. A total of T vectors is
    then at most :math:`2^{52}` steps of the grid, and float64 adds whole numbers up to
    :math:`2^{53}` exactly. Cutting toward zero makes no vector longer. So if one vector
    is replaced by 0, every later total moves by one vector of norm at most L, exactly.

    Parameters
    ----------
    steps : int
        :math:`T`, how many vectors there are at most.
    clip_norm : float
        :math:`L`, which no vector exceeds.

    Examples
    --------
    >>> import numpy as np
    >>> total = RunningTotal(3, clip_norm=1.0)
    >>> for _ in range(3):
    ...     s = total.add(np.array([1 / 3]))
    >>> float(s[0]), total.grid == 2.0**-49
    (0.999999999999996..., True)
    """

    def __init__(self, steps: int, *, clip_norm: float) -> None:
        _, exponent = math.frexp(clip_norm)  # L < 2^exponent
        self.grid = math.ldexp(1.0, exponent - 52 + (steps - 1).bit_length())
        self._units: Array = 0.0  # whole numbers

    def add(self, v: Array) -> Array:
        """Add a vector of norm at most L; return the total so far, in float64."""
        units = namespace(v).trunc(as_double(v) * (1 / self.grid))
        units += self._units  # not the caller's array
        self._units = units
        return units * self.grid


def check_vector(v: Array, shape: tuple[int, ...], clip_norm: float) -> None:
    """Refuse what does not have the stream's shape, or was not clipped."""
    longest = clip_norm * (1 + 1e-6)
    fits = type(v) is np.ndarray and v.shape == shape and v.dtype.kind == "f"
    if fits:  # the usual case, at little cost
        square = np.vdot(v, v) if v.ndim == 1 else np.vecdot(v, v).max()
        if square <= longest**2:
            return
    checks.finite_array(ndim=len(shape), v=v)
    if tuple(v.shape) != shape:
        raise ValueError(
            f"`v` must have the stream's shape {shape}, got {tuple(v.shape)}."
        )
    if bool(namespace(v).any(l2_norm(v) > longest)):
        raise ValueError(
            f"`v` must have norm at most `clip_norm`={clip_norm!r}, got a longer one. "
            "Clip it first, as dpteach.arrays.clip does."
        )
