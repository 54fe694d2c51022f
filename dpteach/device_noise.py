"""Floor 0. Normal noise that is drawn where the data are: no copy from the host."""

# pyright: reportMissingImports=false

from typing import Any

import numpy as np

from .arrays import Array, as_like, is_single, namespace


class DeviceGenerator(np.random.Generator):
    """A generator whose normal noise for arrays of JAX, and of a GPU, is made there.

    It is an ``rng`` like NumPy's. Batches, permutations and noise for arrays on the
    host come from NumPy; normal noise for JAX's arrays, and for PyTorch's and CuPy's on
    a GPU, from the library's own counter-based generator. So a seed gives other noise
    than the same seed of NumPy's, and other noise with each library.

    Parameters
    ----------
    seed : int or None
        An int repeats a run, None asks for fresh entropy. What the device gets of it
        are 64 bits for each draw.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import dp_sgd
    >>> from dpteach.data import example
    >>> out = dp_sgd(example(), clip_norm=1.0, noise_multiplier=40.0, steps=10,
    ...              learning_rate=1e-3, rng=DeviceGenerator(0))
    >>> type(out.theta).__name__  # of NumPy's arrays: drawn on the host as ever
    'ndarray'
    """

    def __init__(self, seed: int | None = None) -> None:
        host, device = np.random.SeedSequence(seed).spawn(2)
        super().__init__(np.random.PCG64(host))
        self._entropy, self._draws = device, 0

    def normal_like(self, shape: tuple[int, ...], like: Array) -> Array:
        """Draw N(0, 1) in the library and dtype of ``like``, and on its device.

        Parameters
        ----------
        shape : tuple of int
            Shape of the draw.
        like : Array
            An array of the library, the dtype and the device that are meant.

        Returns
        -------
        Array
            Independent of all that was drawn before.
        """
        draw = _SOURCES.get(_place(like))
        if draw is None:
            single = np.float32 if is_single(like) else np.float64
            return as_like(self.standard_normal(shape, dtype=single), like)
        self._draws += 1
        numbers = np.random.SeedSequence(
            self._entropy.entropy, spawn_key=(*self._entropy.spawn_key, self._draws)
        )
        return draw(numbers.generate_state(1, np.uint64)[0], shape, like)

    def __reduce__(self) -> tuple:
        """Copy what the host and the device would draw next."""
        return _restored, (self.bit_generator.state, self._entropy, self._draws)


def _restored(state: Any, entropy: Any, draws: int) -> DeviceGenerator:
    rng = DeviceGenerator(0)
    rng.bit_generator.state = state
    rng._entropy, rng._draws = entropy, draws
    return rng


def _place(like: Array) -> str:
    """Name the library that draws for this array; "" if the host does."""
    library = namespace(like).__name__
    if library == _TORCH and like.device.type == "cpu":
        return ""  # there PyTorch would use 32 bits of a seed
    return library


def _by_torch(seed: np.uint64, shape: tuple[int, ...], like: Array) -> Array:
    import torch

    generator = torch.Generator(like.device)
    generator.manual_seed(int(seed.view(np.int64)))
    return torch.randn(shape, generator=generator, dtype=like.dtype, device=like.device)


def _by_jax(seed: np.uint64, shape: tuple[int, ...], like: Array) -> Array:
    import jax

    key = jax.random.wrap_key_data(seed.reshape(1).view(np.uint32))
    return jax.device_put(jax.random.normal(key, shape, like.dtype), like.device)


def _by_cupy(seed: np.uint64, shape: tuple[int, ...], like: Array) -> Array:
    import cupy

    with like.device:
        generator = cupy.random.Generator(cupy.random.Philox4x3210(int(seed)))
        return generator.standard_normal(shape, dtype=like.dtype)


_TORCH = "array_api_compat.torch"
_SOURCES = {
    _TORCH: _by_torch,
    "jax.numpy": _by_jax,
    "array_api_compat.cupy": _by_cupy,
}
