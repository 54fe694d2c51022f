"""Floor 1. The loss of any model that PyTorch or JAX can differentiate.

A model θ is one long vector, the distance from the start: θ = 0 is the start itself, so
every algorithm begins there, and every constraint set is a set around it.

Gradients of records are formed a part of a batch at a time. All parts have one shape,
the last one filled up: JAX compiles once, and in the networks of our tests no bit of a
record's gradient depends on the row in which it stands.
"""

# pyright: reportMissingImports=false

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from . import checks
from .any_loss import AnyLoss, Labels
from .arrays import (
    ROWS,
    Array,
    as_double,
    block_sum,
    l2_norm,
    namespace,
    shortened,
    take,
    to_numpy,
)
from .clipping import CLIP, Clipping


class Differentiable(AnyLoss):
    """A loss from ``losses.differentiable``; PyTorch and JAX share all but gradients.

    Parameters
    ----------
    function : callable
        One record's loss.
    start : object
        The model where training starts.
    labels : Labels
        Which labels are taken.
    memory_bytes : float
        About how many bytes the gradients of one part of a batch take.
    """

    name = "differentiable"
    start: Array  # as one vector
    sizes: list[int]  # of the arrays that it is made of

    def __init__(
        self,
        function: Callable[..., Array],
        start: Any,
        labels: Labels,
        memory_bytes: float,
    ) -> None:
        self.function, self.labels = function, labels
        self._flatten(start)
        # each gradient as it is, in float64, and clipped
        held = self.start.shape[0] * (self.start.dtype.itemsize + 16)
        most = max(1, min(ROWS, int(memory_bytes / held)))
        self.microbatch = 1 << (most.bit_length() - 1)  # divides a block of rows

    def model(self, theta: Array) -> Any:
        """Return the model θ in the form of the start."""
        raise NotImplementedError

    def _flatten(self, start: Any) -> None:
        raise NotImplementedError

    def _values(self, w: Array, X: Array, y: Array) -> Array:
        raise NotImplementedError

    def _gradients(self, w: Array, X: Array, y: Array) -> Array:
        raise NotImplementedError

    def size(self, X: Array) -> int:
        """Return p, the number of weights; refuse X of another library or dtype."""
        mine, theirs = namespace(self.start), namespace(X)
        if mine is not theirs or X.dtype != self.start.dtype:
            raise TypeError(
                f"`X` must be of the start's library and dtype, {mine.__name__} and "
                f"{self.start.dtype}, got {theirs.__name__} and {X.dtype}. Convert one "
                "of them, so that nothing is rounded in silence."
            )
        return self.start.shape[0]

    def array_sizes(self, X: Array) -> list[int]:  # noqa: ARG002  (as for every loss)
        """Return how many weights each array of the start has."""
        return self.sizes

    def values(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute ℓ(θ; d_i) of each record, shape ``(..., n)``."""
        xp, n, values = namespace(theta), X.shape[0], []
        for w in self._weights(theta):
            parts = [
                self._values(w, take(X, rows), take(y, rows))
                for rows, _ in self._parts(slice(None), X, self.microbatch)
            ]
            values.append(xp.concat([w[:0], *parts])[:n])
        return xp.reshape(xp.stack(values), (*theta.shape[:-1], n))

    def gradient(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute Σ_i ∇ℓ(θ; d_i), shape ``(..., p)``."""
        m = self.microbatch if X.shape[0] > 1 else 1
        total = self._sums(self._part, theta, slice(None), X, y, m)
        return namespace(theta).astype(total, theta.dtype)

    def clipped_sum(
        self, theta: Array, clip_norm: float, rows: Array | slice, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute Σ_i clip(∇ℓ(θ; d_i), L) over some rows, a part at a time."""
        add, (X, y) = partial(self._clipped_part, clipping, clip_norm), records
        return self._sums(add, theta, rows, X, y, self.microbatch)

    def clipped_record(
        self, theta: Array, clip_norm: float, i: int, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute clip(∇ℓ(θ; d_i), L) of the record in row ``i``, by itself."""
        add, (X, y) = partial(self._clipped_part, clipping, clip_norm), records
        return self._sums(add, theta, slice(i, i + 1), X, y, 1)

    def record_norms(self, theta: Array, *records: Array) -> Array:
        """Compute the norm of each record's gradient, shape ``(..., n)``."""
        (X, y), xp, norms = records, namespace(theta), []
        for w in self._weights(theta):
            parts = [
                self._norms(w, X, y, rows)
                for rows, _ in self._parts(slice(None), X, self.microbatch)
            ]
            norms.append(xp.concat([as_double(w[:0]), *parts])[: X.shape[0]])
        return xp.reshape(xp.stack(norms), (*theta.shape[:-1], X.shape[0]))

    def _norms(self, w: Array, X: Array, y: Array, rows: Array) -> Array:
        G = self._gradients(w, take(X, rows), take(y, rows))
        return l2_norm(as_double(G))[:, 0]

    def _weights(self, theta: Array) -> list[Array]:
        runs = namespace(theta).reshape(theta, (-1, theta.shape[-1]))
        return [self.start + runs[i, :] for i in range(runs.shape[0])]

    def _parts(self, rows: Array | slice, X: Array, m: int) -> Iterator[Any]:
        """Cut rows into parts of m, the last one filled up; say which of them count."""
        xp, whole = namespace(X), isinstance(rows, slice)
        host = np.arange(X.shape[0])[rows] if whole else to_numpy(rows)
        for i in range(0, len(host), m):
            part = host[i : i + m]
            filled = np.concatenate([part, np.zeros(m - len(part), part.dtype)])
            counts = np.arange(m) < len(part)
            yield tuple(xp.asarray(each, device=X.device) for each in (filled, counts))

    def _sums(
        self, add: Callable[..., Array], theta: Array, rows: Array | slice, X: Array,
        y: Array, m: int,
    ) -> Array:  # fmt: skip
        """Add up the parts' sums in float64, for each of the runs."""
        xp, parts = namespace(theta), list(self._parts(rows, X, m))
        sums = []
        for w in self._weights(theta):

            def block(at: slice, w: Array = w) -> Array:
                total = as_double(xp.zeros_like(w))
                for part in parts[at.start // m : at.stop // m]:
                    total = total + add(w, X, y, *part)
                return total

            sums.append(block_sum(block, m * len(parts)))
        return xp.reshape(xp.stack(sums), theta.shape)

    def _part(self, w: Array, X: Array, y: Array, rows: Array, counts: Array) -> Array:
        G = self._gradients(w, take(X, rows), take(y, rows))
        return namespace(w).sum(as_double(_where(counts, G)), axis=0)

    def _clipped_part(
        self, clipping: Clipping, clip_norm: float, w: Array, X: Array, y: Array,
        rows: Array, counts: Array,
    ) -> Array:  # fmt: skip
        G = self._gradients(w, take(X, rows), take(y, rows))
        G = _shortened(G, clipping, clip_norm, self.sizes)
        return namespace(w).sum(_where(counts, G), axis=0)


def _where(counts: Array, G: Array) -> Array:
    return namespace(G).where(counts[:, None], G, 0.0)


def _shortened(G: Array, clipping: Clipping, L: float, sizes: list[int]) -> Array:
    """Shorten gradients to at most L, as a whole or each array of these sizes."""
    if not clipping.per_layer:
        return shortened(G, L, partial(clipping.divisor, clip_norm=L))
    xp, parts = namespace(G), []
    norms = clipping.norms(L, len(sizes))
    for end, size, L_k in zip(accumulate(sizes), sizes, norms, strict=True):
        divisor = partial(clipping.divisor, clip_norm=L_k)
        parts.append(shortened(G[:, end - size : end], L_k, divisor))
    finite = xp.all(xp.isfinite(G), axis=1, keepdims=True)
    return xp.where(finite, xp.concat(parts, axis=1), 0.0)


class TorchLoss(Differentiable):
    """A loss of PyTorch's; gradients of records by vmap of grad."""

    def _flatten(self, start: Any) -> None:
        import torch

        self.module = start if isinstance(start, torch.nn.Module) else None
        if self.module is None:
            weights = dict(start)
        else:
            _demand_separate_records(self.module)
            named = self.module.named_parameters()  # tied weights once
            weights = {name: w for name, w in named if w.requires_grad}
        self._shapes = {name: w.shape for name, w in weights.items()}
        _demand_one_kind([(w.dtype, w.device) for w in weights.values()])
        self.start = torch.cat([w.detach().reshape(-1) for w in weights.values()])
        self.sizes = [w.numel() for w in weights.values()]
        checks.finite_array(ndim=1, start=self.start)

    def model(self, theta: Array) -> Any:
        """Return the model θ in the form of the start; a module becomes a new one."""
        import copy

        weights = self._named(self.start + theta)
        if self.module is None:
            return weights
        trained = copy.deepcopy(self.module)
        for name, w in trained.named_parameters():
            if name in weights:
                w.data.copy_(weights[name])
        return trained

    def _named(self, w: Array) -> dict[str, Array]:
        parts = w.split(self.sizes)
        named = zip(self._shapes.items(), parts, strict=True)
        return {name: part.view(shape) for (name, shape), part in named}

    def _record(self, w: Array, x: Array, y: Array) -> Array:
        from torch.func import functional_call

        weights, module = self._named(w), self.module
        if module is None:
            return self.function(weights, x, y)
        # Copies, so that no record finds what another one left in a buffer.
        buffers = {name: each.clone() for name, each in module.named_buffers()}
        state = {**buffers, **weights}
        loss = self.function(
            lambda *inputs: functional_call(module, state, inputs), x, y
        )
        for name, each in buffers.items():
            if each._version > 0:
                raise ValueError(_state(name))
        return loss

    def _values(self, w: Array, X: Array, y: Array) -> Array:
        import torch

        with torch.no_grad():
            return torch.func.vmap(self._record, in_dims=(None, 0, 0))(w, X, y)

    def _gradients(self, w: Array, X: Array, y: Array) -> Array:
        import torch

        with torch.no_grad():  # grad itself takes no notice
            each = torch.func.vmap(torch.func.grad(self._record), in_dims=(None, 0, 0))
            return each(w, X, y)


def _state(name: str) -> str:
    return (
        f"`start` must treat each record by itself, but its {name!r} changes with the "
        "records of a batch. Replace it, as BatchNorm by GroupNorm, or call "
        "start.eval() if its state is public."
    )


def _demand_separate_records(module: Any) -> None:
    for name, each in module.named_modules():
        if each.training and getattr(each, "track_running_stats", False):
            raise ValueError(_state(f"{name}.running_mean".lstrip(".")))
        if each.training and "Dropout" in type(each).__name__ and each.p > 0:
            raise ValueError(
                f"`start` must not draw at random, got {name!r}, a "
                f"{type(each).__name__}: its draws are not those of `rng`. Remove it, "
                "or call start.eval()."
            )


def _demand_one_kind(kinds: list[Any]) -> None:
    if len(set(kinds)) != 1:
        raise TypeError(
            "`start` must have weights to train, all of one dtype on one device, got "
            f"{len(set(kinds))} kinds."
        )


class JaxLoss(Differentiable):
    """A loss of JAX's; a part of a batch is one compiled function."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        import jax

        self._values = jax.jit(jax.vmap(self._record, in_axes=(None, 0, 0)))
        self._part = jax.jit(super()._part)
        self._clipped_part = jax.jit(super()._clipped_part, static_argnums=0)
        self._norms = jax.jit(super()._norms)

    def _flatten(self, start: Any) -> None:
        import jax
        from jax.flatten_util import ravel_pytree

        for each in jax.tree.leaves(start):
            if not isinstance(each, jax.Array | np.ndarray):
                raise TypeError(
                    "`start` must hold arrays alone, PyTorch's or JAX's, got a "
                    f"{type(each).__name__}. Keep settings and functions out of it."
                )
        _demand_one_kind([each.dtype for each in jax.tree.leaves(start)])
        self.start, self._unravel = ravel_pytree(start)
        self.sizes = [each.size for each in jax.tree.leaves(start)]
        checks.finite_array(ndim=1, start=self.start)

    def model(self, theta: Array) -> Any:
        """Return the model θ in the form of the start."""
        return self._unravel(self.start + theta)

    def _record(self, w: Array, x: Array, y: Array) -> Array:
        return self.function(self._unravel(w), x, y)

    def _gradients(self, w: Array, X: Array, y: Array) -> Array:
        import jax

        return jax.vmap(jax.grad(self._record), in_axes=(None, 0, 0))(w, X, y)


def loss_of(
    function: Callable[..., Array], start: Any, labels: Labels, memory_bytes: float
) -> Differentiable:
    """Find out whose model it is, and make its loss."""
    parts = list(start.values()) if isinstance(start, dict) else [start]
    kinds = {kind.__module__ for part in parts for kind in type(part).__mro__}
    torch_like = any(kind.split(".")[0] == "torch" for kind in kinds)
    if not torch_like and "jax" not in sys.modules:
        raise TypeError(
            "`start` must be a module or a dict of tensors of PyTorch's, or a tree of "
            f"arrays of JAX's, got {checks.shown(start)}. For NumPy there is "
            "networks.Network."
        )
    return (TorchLoss if torch_like else JaxLoss)(function, start, labels, memory_bytes)
