"""Floor 0. Arrays and randomness: the one file that knows the array library.

Everywhere else ``xp = namespace(X)``, and the last axis of a model is its own:
``theta`` has shape ``(..., p)``, and its leading axes are independent runs.
"""

from __future__ import annotations  # naming a Generator does not load numpy.random

import sys
from collections.abc import Callable, Iterator
from math import log
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
    if len(arrays) == 1 and isinstance(arrays[0], np.ndarray):  # the usual case
        return np
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

    So one seed gives the same answer with every array library. A ``DeviceGenerator``
    draws on the device of ``like`` instead.
    """
    if (draw := getattr(rng, "normal_like", None)) is not None:
        return draw(shape, like)
    single = is_single(like)
    draw = rng.standard_normal(shape, dtype=np.float32 if single else np.float64)
    return as_like(draw, like)


def l2_laplace(rng: Generator, scale: float, like: Array) -> Array:
    """Draw noise of density ∝ exp(−‖z‖₂/scale), of the shape of ``like``, on the host.

    The direction is uniform, and the length has density ∝ r^{p−1} e^{−r/scale}: a gamma
    distribution of shape p.
    """
    *runs, p = like.shape
    z = standard_normal(rng, like.shape, like)
    if p == 0:
        return z
    length = as_like(scale * rng.standard_gamma(p, (*runs, 1)), like)
    tiny = 1e-30  # a tape of zeros has no direction: its noise is 0, not 0/0
    return z * (length / at_least(l2_norm(z), tiny))


def as_like(array: Array, like: Array) -> Array:
    """Convert ``array`` to the library, dtype and device of ``like``."""
    return namespace(like).asarray(array, dtype=like.dtype, device=like.device)


def detached(array: Array) -> Array:
    """Cut a PyTorch array off from its graph, which leads to what it came from."""
    return array.detach() if getattr(array, "requires_grad", False) else array


def to_numpy(array: Array) -> np.ndarray:
    """Copy an array of any library to the host, for a figure or an audit."""
    if isinstance(array, np.ndarray):
        return array
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return array.detach().cpu().numpy()
    if hasattr(array, "get"):  # CuPy
        return array.get()
    try:
        return np.asarray(array)
    except RuntimeError:  # it lies on a device that NumPy cannot read
        return np.from_dlpack(array)


def take(x: Array, rows: Array | slice) -> Array:
    """Take some rows: by a slice, which copies nothing, or by an array of numbers."""
    if isinstance(rows, slice):
        return x[rows, ...]
    return namespace(x).take(x, rows, axis=0)


# No square of a number up to this size overflows, nor does a sum of many of them.
_LARGE = 2.0**480
# Rows that one product takes, of libraries that need equal blocks, and of a sum.
ROWS = 512


def as_double(x: Array) -> Array:
    """Convert to float64, in which norms, weights and sums are computed."""
    if isinstance(x, np.ndarray):
        return x.astype(np.float64, copy=False)
    xp = namespace(x)
    return x if x.dtype == xp.float64 else xp.astype(x, xp.float64)


def is_single(x: Array) -> bool:
    """Tell whether x is float32, in whichever byte order."""
    xp = namespace(x)
    return xp.isdtype(x.dtype, xp.float32)


def has_double(like: Array) -> bool:
    """Tell whether the library and the device of ``like`` compute in float64."""
    xp = namespace(like)
    if xp is np:
        return True
    about = xp.__array_namespace_info__()
    return "float64" in about.dtypes(device=like.device, kind="real floating")


def _scaled_norm(v: Array) -> tuple[Array, Array, Array]:
    """Compute (v·s, ‖v·s‖₂, s) in float64, s = 1 but for vectors of huge entries."""
    xp, v = namespace(v), as_double(v)
    s = _LARGE / at_least(xp.max(xp.abs(v), axis=-1, keepdims=True), _LARGE)
    v = v * s
    return v, xp.sqrt(xp.vecdot(v, v))[..., None], s


@np.errstate(over="ignore", invalid="ignore")
def l2_norm(v: Array) -> Array:
    """Compute ‖v‖₂ along the last axis, kept as an axis of length one."""
    xp = namespace(v)
    if is_single(v):  # squares of these neither overflow nor vanish in float64
        w = as_double(v)
        return xp.astype(xp.sqrt(xp.vecdot(w, w)), xp.float32)[..., None]
    # Twice: entries of 1e-170 are as good as entries of 1e170.
    size = xp.max(xp.abs(v), axis=-1, keepdims=True)
    up = xp.astype(size < 1 / _LARGE, v.dtype) * 2.0**600 + 1  # 2⁶⁰⁰ + 1 is 2⁶⁰⁰
    _, r, s = _scaled_norm(v * up)
    return r / s / up


def row_norms(X: Array) -> Array:
    """Compute ‖x_i‖₂ of each row in float64, in which no square is lost.

    A row whose norm came out as 0 would not be clipped.
    """
    norms = [l2_norm(as_double(block))[:, 0] for block in equal_blocks(X)]
    return namespace(X).concat(norms)[: X.shape[0]] if norms else as_double(X[:, 0])


def largest_entries(X: Array) -> Array:
    """Compute the largest size of an entry of each row, without a copy of X."""
    xp = namespace(X)
    return xp.maximum(xp.max(X, axis=1), -xp.min(X, axis=1))


def at_least(x: Array, low: Array) -> Array:
    """Compute max{x, low}, entry by entry."""
    xp = namespace(x)
    # With one limit, NumPy's clip takes three times as long, which short steps notice.
    return np.maximum(x, low) if xp is np else xp.clip(x, min=low)


def clip(v: Array, clip_norm: float) -> Array:
    """Scale each vector to v · min{1, L/‖v‖₂}; one that is not finite becomes 0.

    The result has norm at most L in real arithmetic, in each dtype: this is the rule
    for what a record may add. Vectors shorter than L keep every bit; whole numbers
    come out in float64.
    """
    if namespace(v).isdtype(v.dtype, "integral"):
        v = as_double(v)
    L = lowered(clip_norm, v.shape[-1], single=v.dtype != namespace(v).float64)
    return rounded(shortened(v, L), v, L)


@np.errstate(over="ignore", invalid="ignore")
def shortened(
    v: Array, length: float, divisor: Callable[..., Array] = at_least
) -> Array:
    """Scale each vector to at most this length, but for rounding, in float64."""
    xp = namespace(v)
    w, r, s = _scaled_norm(v)
    # A division by max{1, ‖v‖/L}: no 0/0. The scale s stands on both sides.
    return xp.where(r < np.inf, w / divisor(r / length, s), 0.0)


def rounded(v: Array, like: Array, clip_norm: float) -> Array:
    """Round contributions to the dtype of ``like``, none of them beyond L."""
    if v.dtype == like.dtype:
        return v
    xp = namespace(v)
    if clip_norm < 2.0**-100:  # the least numbers of single precision are 2⁻¹⁴⁹ apart
        v = xp.where(xp.abs(v) < 2.0**-126, 0.0, v)
    return xp.astype(v, like.dtype)


def lowered(clip_norm: float, p: int, *, single: bool = False) -> float:
    """Lower L by what a norm of p entries, a quotient and a product round away.

    With u = 2⁻⁵³ they err by at most (p/2 + 6)u, relatively; a result in single
    precision by 2⁻²⁴ more.
    """
    margin = 2.0**-23 if single else 0.0
    return clip_norm * (1 - margin - (p + 16) * 2.0**-53)


def lowered_for_sum(clip_norm: float, n: int) -> float:
    r"""Lower L so that a rounded sum of n vectors moves by at most L between neighbors.

    To L(1 - cn ln(2⁴⁰/n)), where an error of at most cnL/2 is what ``block_sum`` makes.
    A neighbor with one vector less is clipped a little later, and each of the others is
    longer by at most the difference; the logarithm pays for that as well, so that n may
    be secret. [Theorem "the sensitivity of a rounded sum"]
    """
    c = (2 * ROWS + 24) * 2.0**-53
    return clip_norm * (1 - c * n * log(2.0**40 / max(n, 1)))


def blocks(n: int) -> Iterator[slice]:
    """Cut n rows into blocks of at most ``ROWS``."""
    return (slice(i, min(i + ROWS, n)) for i in range(0, n, ROWS))


def equal_blocks(X: Array) -> Iterator[Array]:
    """Cut X into blocks of ``ROWS`` rows, the last one filled up with zeros.

    In a library that compiles for each shape, shorter blocks have other last bits.
    """
    xp = namespace(X)
    for rows in blocks(X.shape[0]):
        block = X[rows, :]
        fill = ROWS - block.shape[0]
        if fill and xp is not np:  # NumPy computes each row by itself
            block = xp.concat([block, xp.zeros((fill, X.shape[1]), **dtype_of(X))])
        yield block


def block_sum(terms: Callable[[slice], Array], n: int) -> Array:
    """Add up the sums of blocks of rows, each computed in float64.

    Each block's sum takes at most ``ROWS`` roundings, and two-sum keeps what the
    additions of blocks round away: an error of at most (ROWS + 2)·2⁻⁵³ of the sum of
    sizes, however many rows there are.
    """
    total, lost = terms(slice(0, min(ROWS, n))), 0.0
    for rows in list(blocks(n))[1:]:
        new = terms(rows)
        rounded = total + new
        part = rounded - total
        lost = lost + ((total - (rounded - part)) + (new - part))
        total = rounded
    return total + lost


def noisy_sum(total: Array, noise: Array) -> Array:
    """Add noise to a sum in float64; round to the noise's dtype only then.

    Rounding what has its noise is post-processing. A sum that was rounded to single
    precision before would move by more than one record's share.
    """
    if noise.dtype == total.dtype:
        return total + noise
    with np.errstate(over="ignore"):
        return namespace(noise).astype(total + noise, noise.dtype)


def row_products(X: Array, T: Array) -> Array:
    """Compute ⟨x_i, t_k⟩ of each row of X with each row of T, shape ``(n, k)``.

    One product of two matrices would treat a row by its place: other kernels take the
    last ones, so a row that is added changes the last bits of others. Here each row has
    a call of its own, in other libraries a place in blocks of equal shape.
    """
    xp, n = namespace(X), X.shape[0]
    if xp is np:
        if T.shape[0] == 1:
            return np.vecdot(X, T)[:, None]
        return np.matmul(np.ascontiguousarray(T), X[..., None])[..., 0]
    torch = sys.modules.get("torch")
    products = []
    for block in equal_blocks(X):
        if torch is not None and isinstance(X, torch.Tensor):  # a batch of products
            each = xp.broadcast_to(T, (ROWS, *T.shape))
            products.append((each @ block[..., None])[..., 0])
        else:
            products.append(block @ T.T)
    if not products:
        return xp.zeros((0, T.shape[0]), **dtype_of(X))
    return xp.concat(products)[:n, :]


def dtype_of(like: Array) -> dict[str, Any]:
    """Name the dtype and the device of ``like``, as functions that make arrays do."""
    return {"dtype": like.dtype, "device": like.device}
