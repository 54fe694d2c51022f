"""Floor 0. Arrays and randomness: the one file that knows the array library.

Everywhere else ``xp = namespace(X)``, and the last axis of a model is its own:
``theta`` has shape ``(..., p)``, and its leading axes are independent runs.
"""

from __future__ import annotations  # naming a Generator does not load numpy.random

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
elif not hasattr(np, "cumulative_sum"):
    import array_api_compat.numpy as np  # NumPy 2.0 lacks parts of the array API

# A NumPy, PyTorch, JAX or CuPy array: the user's data decide which.
Array: TypeAlias = Any
# What the keyword ``rng`` takes everywhere.
Rng: TypeAlias = "int | Generator | None"


def namespace(*arrays: Array) -> Any:
    """Find the library of ``arrays``: NumPy, PyTorch, JAX or CuPy."""
    # NumPy 2.1 is its own array-API namespace. Reducing one of its arrays to a number
    # gives a NumPy scalar, which counts as well.
    if all(isinstance(each, np.ndarray | np.generic) for each in arrays):
        return np
    from array_api_compat import array_namespace  # only other libraries pay for it

    return array_namespace(*arrays)


def is_array(value: object) -> bool:
    """Tell whether ``value`` is an array of a library that we know."""
    if isinstance(value, np.ndarray):
        return True
    from array_api_compat import is_array_api_obj

    return is_array_api_obj(value)


def as_rng(rng: Rng) -> Generator:
    """Make a NumPy ``Generator`` of an int (repeatable) or of None (fresh entropy)."""
    is_seed = isinstance(rng, int | np.integer) and not isinstance(rng, bool)
    if not (rng is None or is_seed or isinstance(rng, np.random.Generator)):
        raise TypeError(
            f"`rng` must be an int, a numpy.random.Generator or None, got "
            f"{type(rng).__name__}. Pass an int to repeat a run, None for fresh noise."
        )
    if isinstance(rng, int | np.integer) and rng < 0:
        raise ValueError(f"`rng` must be at least 0 as a seed, got {rng}.")
    return np.random.default_rng(rng)


def standard_normal(rng: Generator, shape: tuple[int, ...], like: Array) -> Array:
    """Draw N(0, 1) on the host, in the dtype of ``like``, and convert to its library.

    So one seed gives the same answer with every array library. If a subclass of
    ``Generator`` already returns an array of ``like``'s library, it is passed through.
    """
    single = like.dtype == namespace(like).float32
    draw = rng.standard_normal(shape, dtype=np.float32 if single else np.float64)
    return as_like(draw, like)


def l2_laplace(rng: Generator, scale: float, like: Array) -> Array:
    """Draw noise of density ∝ exp(−‖z‖₂/scale), of the shape of ``like``, on the host.

    The direction is uniform, and the length has density ∝ r^{p−1} e^{−r/scale}: a gamma
    distribution of shape p.
    """
    *runs, p = like.shape
    z = standard_normal(rng, like.shape, like)
    length = as_like(scale * rng.standard_gamma(p, (*runs, 1)), like)
    tiny = 1e-30  # a tape of zeros has no direction: its noise is 0, not 0/0
    return z * (length / at_least(l2_norm(z), tiny))


def as_like(array: Array, like: Array) -> Array:
    """Convert ``array`` to the library, dtype and device of ``like``."""
    return namespace(like).asarray(array, dtype=like.dtype, device=like.device)


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any library to the host, for a figure or an audit."""
    if isinstance(array, np.ndarray):
        return array
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return array.detach().cpu().numpy()
    if hasattr(array, "get"):  # CuPy
        return array.get()
    return np.asarray(array)


def take(x: Array, rows: Array | slice) -> Array:
    """Take some rows: by a slice, which copies nothing, or by an array of numbers."""
    if isinstance(rows, slice):
        return x[rows, ...]
    return namespace(x).take(x, rows, axis=0)


def l2_norm(v: Array) -> Array:
    """Compute ‖v‖₂ along the last axis, kept as an axis of length one."""
    xp = namespace(v)
    return xp.sqrt(xp.vecdot(v, v))[..., None]  # ten times as fast as vector_norm


def row_norms(X: Array) -> Array:
    """Compute ‖x_i‖₂ of each row, scaled so that no square overflows or underflows.

    A row whose norm came out as 0 would not be clipped.
    """
    xp = namespace(X)
    size = xp.max(xp.abs(X), axis=1, keepdims=True)
    scale = xp.where(size > 0, size, xp.ones_like(size))
    return (scale * l2_norm(X / scale))[:, 0]


def largest_entries(X: Array) -> Array:
    """Compute the largest size of an entry of each row, without a copy of X."""
    xp = namespace(X)
    return xp.maximum(xp.max(X, axis=1), -xp.min(X, axis=1))


def at_least(x: Array, low: float) -> Array:
    """Compute max{x, low}, entry by entry."""
    xp = namespace(x)
    # With one limit, NumPy's clip takes three times as long, which short steps notice.
    return np.maximum(x, low) if xp is np else xp.clip(x, min=low)


def clip(v: Array, clip_norm: float) -> Array:
    """Scale each vector to v · min{1, L/‖v‖₂}; a zero vector stays zero."""
    # Written as a division by max{1, ‖v‖/L}: no 0/0, and short vectors keep every bit.
    return v / at_least(l2_norm(v) / clip_norm, 1.0)
