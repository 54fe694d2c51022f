"""The exact total of a stream, so that its sensitivity is that of real numbers."""

import math
from fractions import Fraction

import numpy as np

from .. import checks
from ..arrays import (
    Array,
    as_double,
    at_least,
    detached,
    has_double,
    l2_norm,
    namespace,
    to_numpy,
)

_USUAL = (np.dtype(np.float32), np.dtype(np.float64))


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
        self.clip_norm = clip_norm
        self._units: Array = 0.0  # whole numbers

    def add(self, v: Array) -> Array:
        """Add a vector of norm at most L; return the total so far, in float64."""
        units = self._cut(v)
        units += self._units  # not the caller's array
        self._units = units
        return units * self.grid

    def _cut(self, v: Array) -> Array:
        return namespace(v).trunc(as_double(v) * (1 / self.grid))

    def fitted(self, v: Array, shape: tuple[int, ...]) -> Array:
        """Return a caller's vectors in float64, none of them longer than L on the grid.

        What is longer by a millionth at most was clipped, and rounded: it is scaled to
        L, as no event pays for more. All else is refused.
        """
        v, p, L = detached(v), math.prod(shape[-1:]), self.clip_norm
        if not (type(v) is np.ndarray and v.dtype in _USUAL and v.shape == shape):
            _check(v, shape)
        w, xp = as_double(v), namespace(v)
        # Norms, a quotient and a product round less away: what is no longer fits.
        sure = L * (1 - (p / 2 + 8) * 2.0**-53)
        if w.ndim == 1 and type(w) is np.ndarray and np.vdot(w, w) <= sure**2:
            return w  # the usual case, at little cost
        rows = xp.reshape(w, (-1, p))
        r = l2_norm(rows)
        if xp.max(r) <= sure:
            return w
        checks.finite_array(ndim=len(shape), v=v)
        _check_norm(r, L)
        short = xp.where(self._fit(rows), rows, rows * (sure / at_least(r, sure)))
        return xp.reshape(short, shape)

    def _fit(self, rows: Array) -> Array:
        """Tell which rows are at most L long on the grid: in whole numbers, exactly."""
        units, most = to_numpy(self._cut(rows)), Fraction(self.clip_norm / self.grid)
        fit = [[sum(int(k) ** 2 for k in row) <= most**2] for row in units.tolist()]
        return namespace(rows).asarray(fit, device=rows.device)


def _check(v: Array, shape: tuple[int, ...]) -> None:
    """Refuse what does not have the stream's shape, or cannot be added up exactly."""
    checks.finite_array(ndim=len(shape), v=v)
    if tuple(v.shape) != shape:
        raise ValueError(
            f"`v` must have the stream's shape {shape}, got {tuple(v.shape)}."
        )
    if not has_double(v):
        raise TypeError(
            "`v` must be on a device that computes in 64 bits: a total in fewer is not "
            'exact. With JAX, call jax.config.update("jax_enable_x64", True) first; v '
            "may stay float32."
        )


def _check_norm(r: Array, clip_norm: float) -> None:
    if bool(namespace(r).any(r > clip_norm * (1 + 1e-6))):
        raise ValueError(
            f"`v` must have norm at most `clip_norm`={clip_norm!r}, got a longer one. "
            "Clip it first, as dpteach.arrays.clip does."
        )
