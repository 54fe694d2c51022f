"""Floor 1. Networks in NumPy: each record's gradient is clipped, without autodiff.

A layer's gradient of one record is a sum of products a gᵀ of what goes in and of what
comes back from above. For a dense layer it is one product, of norm ‖a‖‖g‖: it is never
formed, and the clipped sum of a batch is one product of two matrices. For a convolution
it is formed, so that what is measured is what is added.

Each record passes every layer in calls of its own, because a product of two matrices
treats its last rows by other code: what a record adds depends on that record and on θ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, Protocol

import numpy as np

from . import checks
from .any_loss import AnyLoss
from .arrays import ROWS, Array, as_double, block_sum, l2_norm, take
from .clipping import CLIP, Clipping
from .losses import Loss, softmax

Shape = tuple[int, ...]
Rule = tuple[float, Clipping]  # a clip norm, and how it is kept
# Beyond this size a product of two norms could be lost: such a record counts as 0.
_LARGE = 2.0**480


class Layer(Protocol):
    """A layer of a network; a batch's records stand along the first axis."""

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return the shapes of the weights, constant last, and of what comes out."""
        ...

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:
        """Return what comes out, and what the way back needs."""
        ...

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:
        """Return the gradient in x from the gradient g in what came out."""
        ...


# ARG002 below: a layer without weights is handed `w`, as every layer is.
@dataclass(frozen=True)
class Tanh:
    """The function tanh, of each number.

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.Tanh().forward(np.zeros((1, 2)), [])[0]
    array([[0., 0.]])
    """

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return no weights and the same shape."""
        return [], shape

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:  # noqa: ARG002
        """Compute tanh(x)."""
        z = np.tanh(x)
        return z, z

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:  # noqa: ARG002
        """Multiply by the slope 1 - tanh²."""
        return g * (1 - saved * saved)


@dataclass(frozen=True)
class ReLU:
    """The function max{x, 0}, of each number, with slope 0 at its kink.

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.ReLU().forward(np.array([[-1.0, 2.0]]), [])[0]
    array([[0., 2.]])
    """

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return no weights and the same shape."""
        return [], shape

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:  # noqa: ARG002
        """Compute max{x, 0}."""
        return np.maximum(x, 0), x > 0

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:  # noqa: ARG002
        """Keep the gradient where x was above 0."""
        return np.where(saved, g, 0)


@dataclass(frozen=True)
class Dense:
    """The map x ↦ xᵀW + b of a record that is flattened.

    Parameters
    ----------
    outputs : int
        How many numbers come out.

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.Dense(10).shapes((8, 8))  # 640 weights and 10 constants
    ([(64, 10), (10,)], (10,))
    """

    outputs: int

    def __post_init__(self) -> None:
        """Check the size."""
        checks.fields(self, checks.count, "outputs")

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return the shapes of W and b, and of what comes out."""
        return [(prod(shape), self.outputs), (self.outputs,)], (self.outputs,)

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:
        """Compute xᵀW + b, each record in a call of its own."""
        a = x.reshape(len(x), -1)
        return _rows_times(a, w[0]) + w[1], (a, x.shape)

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:
        """Compute W g."""
        return _rows_times(g, w[0].T).reshape(saved[1])


@dataclass(frozen=True)
class Convolution:
    """A convolution with square filters, of records of shape (channels, height, width).

    Parameters
    ----------
    outputs : int
        How many channels come out.
    side : int
        The side of a filter, in pixels.
    stride : int, optional
        How far a filter moves.
    margin : int, optional
        How many zeros are put around the picture, on each side.

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.Convolution(16, 8, stride=2, margin=3).shapes((1, 28, 28))
    ([(64, 16), (16,)], (16, 14, 14))
    """

    outputs: int
    side: int
    stride: int = 1
    margin: int = 0

    def __post_init__(self) -> None:
        """Check the sizes."""
        checks.fields(self, checks.count, "outputs", "side", "stride")
        checks.count(0, margin=self.margin)

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return the shapes of the filters and constants, and of what comes out."""
        c, height, width = _picture(shape)
        k, s, r = self.side, self.stride, self.margin
        sides = [_steps(length + 2 * r, k, s) for length in (height, width)]
        return [(c * k * k, self.outputs), (self.outputs,)], (self.outputs, *sides)

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:
        """Multiply every window by the filters."""
        k, s, r = self.side, self.stride, self.margin
        x = np.pad(x, ((0, 0), (0, 0), (r, r), (r, r)))
        windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(2, 3))
        windows = windows[:, :, ::s, ::s].transpose(0, 1, 4, 5, 2, 3)
        n, channels, _, _, h, u = windows.shape
        a = np.ascontiguousarray(windows).reshape(n, channels * k * k, h * u)
        z = np.matmul(w[0].T, a) + w[1][:, None]
        return z.reshape(n, self.outputs, h, u), (a, x.shape, (h, u))

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:
        """Add up over the windows in which a pixel stands."""
        _, shape, (h, u) = saved
        k, s, r, n = self.side, self.stride, self.margin, len(g)
        back = np.matmul(w[0], g.reshape(n, self.outputs, h * u))
        back, x = back.reshape(n, shape[1], k, k, h, u), np.zeros(shape, g.dtype)
        for i in range(k):
            for j in range(k):
                x[:, :, i : i + s * h : s, j : j + s * u : s] += back[:, :, i, j]
        return x[:, :, r : shape[2] - r, r : shape[3] - r]


@dataclass(frozen=True)
class MaxPool:
    """The largest number of each square window of a channel.

    Parameters
    ----------
    side : int
        The side of a window, in pixels.
    stride : int, optional
        How far a window moves.

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.MaxPool(2, stride=2).shapes((16, 14, 14))
    ([], (16, 7, 7))
    """

    side: int
    stride: int = 1

    def __post_init__(self) -> None:
        """Check the sizes."""
        checks.fields(self, checks.count, "side", "stride")

    def shapes(self, shape: Shape) -> tuple[list[Shape], Shape]:
        """Return no weights, and the shape of what comes out."""
        channels, *sides = _picture(shape)
        return [], (channels, *(_steps(n, self.side, self.stride) for n in sides))

    def _windows(self, shape: Shape) -> list[tuple[slice, slice]]:
        s, (h, w) = self.stride, self.shapes(shape[1:])[1][1:]
        starts = [(i, j) for i in range(self.side) for j in range(self.side)]
        return [
            (slice(i, i + s * (h - 1) + 1, s), slice(j, j + s * (w - 1) + 1, s))
            for i, j in starts
        ]

    def forward(self, x: Array, w: list[Array]) -> tuple[Array, Any]:  # noqa: ARG002
        """Take the largest."""
        values = [x[:, :, i, j] for i, j in self._windows(x.shape)]
        return np.maximum.reduce(values), (values, x.shape)

    def backward(self, g: Array, w: list[Array], saved: Any) -> Array:  # noqa: ARG002
        """Hand the gradient to the largest number alone, of equal ones to the first."""
        x, largest = np.zeros(saved[1], g.dtype), np.maximum.reduce(saved[0])
        for each, (i, j) in zip(saved[0], self._windows(saved[1]), strict=True):
            x[:, :, i, j] += (part := g * (each == largest))
            g = g - part
        return x


class Network(AnyLoss):
    r"""The loss of a network; a model :math:`\theta` is the distance from its start.

    Parameters
    ----------
    shape : tuple of int
        A record's shape, such as (1, 28, 28). A row of X has as many numbers.
    layers : sequence of Layer
        From the record to its scores, such as ``Dense(32), Tanh(), Dense(10)``.
    loss : Loss, optional
        :math:`\varphi` of the scores that the last layer returns: ``losses.softmax(K)``
        for K of them, which is the default, or a loss of one score.
    seed : int, optional
        Of the start: weights of a layer with m inputs are N(0, 1/m), constants are 0.
    memory_bytes : float, optional
        About how many bytes one batch of records may take at once. If there are more
        records, they are taken a part at a time.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or a layer does not fit the one before.

    Notes
    -----
    The start is public: it is made from the seed, without the data. A record's gradient
    whose largest part exceeds :math:`2^{480}` counts as 0, like one that is not finite.

    References
    ----------
    * Goodfellow (2015), Efficient Per-Example Gradient Computations: norms of a dense
      layer's gradients from what goes in and what comes back.

    Examples
    --------
    >>> from dpteach import Problem, constraints, dp_sgd, networks
    >>> xor = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> layers = [networks.Dense(8), networks.Tanh(), networks.Dense(2)]
    >>> loss = networks.Network((2,), layers, seed=1)
    >>> D = Problem(xor, np.array([0, 1, 1, 0]), loss, constraints.Everywhere())
    >>> D.p  # 2 · 8 + 8 + 8 · 2 + 2
    42
    >>> out = dp_sgd(D, clip_norm=1.0, steps=300, noise_multiplier=0.01,
    ...              learning_rate=0.5, path_every=300, rng=0)
    >>> loss.scores_at(out.theta, D.X).argmax(axis=1)  # no linear model can do this
    array([0, 1, 1, 0])
    """

    def __init__(
        self,
        shape: Shape,
        layers: Sequence[Layer],
        *,
        loss: Loss | None = None,
        seed: int = 0,
        memory_bytes: float = 32e6,
    ) -> None:
        self.shape = checks.shape(shape=tuple(shape))
        self.layers, self.name = tuple(layers), "network"
        seed = checks.count(0, seed=seed)
        memory_bytes = checks.moderate(memory_bytes=memory_bytes)
        self._shapes, rng, parts = [], np.random.default_rng(seed), []
        entries, shape = [prod(self.shape)], self.shape
        for layer in self.layers:
            weights, shape = layer.shapes(shape)
            self._shapes.append(weights)
            entries += [prod(shape), *(prod(each) for each in weights)]
            for each in weights:
                scale = 1 / sqrt(each[0]) if len(each) == 2 else 0.0
                parts.append(scale * rng.standard_normal(each).ravel())
        self._demand_scores(shape, bool(parts), loss)
        self.start = np.concatenate(parts)
        # in and out of each layer, and a gradient of the largest, in both precisions
        held = 4 * sum(entries) * self.start.itemsize
        self.microbatch = max(1, min(ROWS, int(memory_bytes / held)))

    def _demand_scores(self, shape: Shape, trained: bool, loss: Loss | None) -> None:
        if len(shape) != 1 or not trained:
            raise ValueError(
                "`layers` must end with Dense(K), the scores of a record, got an "
                f"output of shape {shape}."
            )
        self.loss = softmax(shape[0]) if loss is None else loss
        checks.instance(Loss, loss=self.loss)
        if shape[0] != (self.loss.classes or 1):
            raise ValueError(
                f"`loss` must take as many scores as the last layer returns, {shape[0]}"
                f", got {self.loss.name}."
            )
        self.labels = self.loss.labels

    def size(self, X: Array) -> int:
        """Return p, the number of weights; refuse rows of another length."""
        if not isinstance(X, np.ndarray):
            raise TypeError(
                f"`X` must be a NumPy array for a Network, got {type(X).__name__}. "
                "For PyTorch and JAX take losses.differentiable."
            )
        if X.shape[1] != prod(self.shape):
            raise ValueError(
                f"`X` must have {prod(self.shape)} columns, a record of shape "
                f"{self.shape} in a row, got {X.shape[1]}."
            )
        return self.start.size

    def array_sizes(self, X: Array) -> list[int]:  # noqa: ARG002  (as for every loss)
        """Return the numbers of weights and of constants of each layer."""
        return [prod(shape) for shapes in self._shapes for shape in shapes]

    def model(self, theta: Array) -> list[list[Array]]:
        """Return the weights of each layer, constants last."""
        w, left, model = self.start.astype(theta.dtype) + theta, 0, []
        for shapes in self._shapes:
            model.append([])
            for shape in shapes:
                model[-1].append(w[left : left + prod(shape)].reshape(shape))
                left += prod(shape)
        return model

    def scores_at(self, theta: Array, X: Array) -> Array:
        """Compute the scores of each record in one model, shape ``(n, K)``."""
        self.size(X)
        w = self.model(theta)
        parts = [self._forward(w, X[rows])[0] for rows in self._parts(len(X))]
        return np.concatenate([np.zeros((0, self.loss.classes or 1), X.dtype), *parts])

    def values(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute the loss of each record, shape ``(..., n)``."""
        runs = theta.reshape(-1, theta.shape[-1])
        values = [self.loss.value(self._z(self.scores_at(w, X)), y) for w in runs]
        return np.stack(values).reshape(*theta.shape[:-1], len(y))

    def gradient(self, theta: Array, X: Array, y: Array) -> Array:
        """Compute Σ_i ∇ℓ(θ; d_i), shape ``(..., p)``."""
        return self._sums(theta, None, X, y).astype(theta.dtype)

    def clipped_sum(
        self, theta: Array, clip_norm: float, rows: Array | slice, *records: Array,
        clipping: Clipping = CLIP,
    ) -> Array:  # fmt: skip
        """Compute Σ_i clip(∇ℓ(θ; d_i), L) over some rows, a part at a time."""
        X, y = (take(each, rows) for each in records)
        return self._sums(theta, (clip_norm, clipping), X, y)

    def record_norms(self, theta: Array, *records: Array) -> Array:
        """Compute the norm of each record's gradient, shape ``(..., n)``."""
        (X, y), runs = records, theta.reshape(-1, theta.shape[-1])
        norms = np.zeros((len(runs), len(X)))
        for k, w in enumerate(map(self.model, runs)):
            for part in self._parts(len(X)):
                norms[k, part] = _layers(self._pairs(w, X[part], y[part]))[2]
        return norms.reshape(*theta.shape[:-1], len(X))

    def _sums(self, theta: Array, rule: Rule | None, X: Array, y: Array) -> Array:
        runs, sums = theta.reshape(-1, theta.shape[-1]), []
        for one in runs:
            w = self.model(one)

            def block(rows: slice, w: list[list[Array]] = w) -> Array:
                total = np.zeros(theta.shape[-1])
                for part in self._parts(rows.stop - rows.start, rows.start):
                    total += _clipped(self._pairs(w, X[part], y[part]), rule)
                return total

            sums.append(block_sum(block, len(X)))
        return np.stack(sums).reshape(theta.shape)

    def _parts(self, n: int, first: int = 0) -> list[slice]:
        m, end = self.microbatch, first + n
        return [slice(i, min(i + m, end)) for i in range(first, end, m)]

    def _z(self, scores: Array) -> Array:
        return scores if self.loss.classes else scores[:, 0]

    def _forward(self, w: list[list[Array]], X: Array) -> tuple[Array, list[Any]]:
        x, saved = X.reshape(-1, *self.shape), []
        for layer, weights in zip(self.layers, w, strict=True):
            x, kept = layer.forward(x, weights)
            saved.append(kept)
        return x, saved

    def _pairs(self, w: list[list[Array]], X: Array, y: Array) -> list[Any]:
        """Compute (a, g) of each layer with weights, of shapes (n, in, T), (n, T, out).

        A record's gradient is aᵀ times g: in W the sum of T products, in b that of g.
        """
        scores, saved = self._forward(w, X)
        g, pairs = self.loss.slope(self._z(scores), y).reshape(len(X), -1), []
        for i in reversed(range(len(self.layers))):
            if self._shapes[i]:
                a = saved[i][0].reshape(len(X), self._shapes[i][0][0], -1)
                shape = (len(X), self._shapes[i][1][0], -1)
                pairs.append((a, g.reshape(shape).transpose(0, 2, 1)))
            if i > 0:  # the gradient in the data is not needed
                g = self.layers[i].backward(g, w[i], saved[i])
        return pairs[::-1]


def _clipped(pairs: list[Any], rule: Rule | None) -> Array:
    """Add up the records' gradients, each clipped, in float64."""
    layers, sizes, norm = _layers(pairs)
    weights = np.ones_like(sizes)
    if rule is not None:
        clip_norm, clipping = rule
        usable = ((norm < _LARGE) & _usable(pairs))[:, None]
        sizes = sizes if clipping.per_layer else norm[:, None]
        L = np.array(clipping.norms(clip_norm, sizes.shape[1]))
        weights *= np.where(usable, 1 / clipping.divisor(sizes / L, clip_norm=L), 0.0)
    by_layer = zip(weights.T.reshape(len(layers), 2, -1), layers, strict=True)
    return np.concatenate([_combined(*two, *layer[:3]) for two, layer in by_layer])


def _layers(pairs: list[Any]) -> tuple[list[Any], Array, Array]:
    """Return each layer's gradients, the norms of their parts, and of whole ones."""
    layers = [_gradients(as_double(a), as_double(g)) for a, g in pairs]
    sizes = np.stack([norm for *_, norms in layers for norm in norms], axis=1)
    return layers, sizes, l2_norm(sizes)[:, 0]


def _usable(pairs: list[Any]) -> Array:
    """Tell of each record whether all that its gradient is made of is small enough."""
    largest = [np.abs(x).max(axis=(1, 2)) for pair in pairs for x in pair]
    return as_double(np.max(largest, axis=0)) < _LARGE


def _gradients(a: Array, g: Array) -> tuple[Array, Array, Array | None, list[Array]]:
    """Return a, g, the gradients in W if they were formed, and norms in W and b."""
    constants = l2_norm(g.sum(axis=1))[:, 0]
    if a.shape[2] == 1:  # ‖a gᵀ‖ = ‖a‖ ‖g‖
        return a, g, None, [l2_norm(a[:, :, 0])[:, 0] * constants, constants]
    W = np.matmul(a, g)
    return a, g, W, [l2_norm(W.reshape(len(W), -1))[:, 0], constants]


def _combined(u: Array, v: Array, a: Array, g: Array, W: Array | None) -> Array:
    """Compute Σ_i (u_i · gradient in W, v_i · gradient in b), as one long vector."""
    kept = u > 0  # 0 · NaN is NaN
    constants = v[kept] @ g.sum(axis=1)[kept]
    if W is None:
        matrix = a[kept, :, 0].T @ (u[kept, None] * g[kept, 0])
    else:
        matrix = np.tensordot(u[kept], W[kept], 1)
    return np.concatenate([matrix.ravel(), constants])


def _rows_times(a: Array, W: Array) -> Array:
    """Multiply each row by W in a call of its own."""
    return np.matmul(np.ascontiguousarray(W.T), a[..., None])[..., 0]


def _picture(shape: Shape) -> tuple[int, int, int]:
    if len(shape) != 3:
        raise ValueError(
            "`shape` must be (channels, height, width) where a convolution or a "
            f"pooling begins, got {shape}."
        )
    return shape  # pyright: ignore[reportReturnType]


def _steps(length: int, side: int, stride: int) -> int:
    steps = (length - side) // stride + 1
    if steps < 1:
        raise ValueError(
            f"`side` must be at most that of the picture, {length}, got {side}."
        )
    return steps


def dp_ftrl_network(*, seed: int = 0, memory_bytes: float = 32e6) -> Network:
    """Build the DP-FTRL paper's network for MNIST, with 26,010 weights.

    Parameters
    ----------
    seed : int, optional
        Of the start.
    memory_bytes : float, optional
        As in ``Network``.

    Returns
    -------
    Network
        For rows of 784 pixels and ten classes.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling, table 2(a).

    Examples
    --------
    >>> from dpteach import networks
    >>> networks.dp_ftrl_network().start.size
    26010
    """
    layers = [
        Convolution(16, 8, stride=2, margin=3), Tanh(), MaxPool(2),
        Convolution(32, 4, stride=2), Tanh(), MaxPool(2), Dense(32), Tanh(), Dense(10),
    ]  # fmt: skip
    return Network((1, 28, 28), layers, seed=seed, memory_bytes=memory_bytes)
