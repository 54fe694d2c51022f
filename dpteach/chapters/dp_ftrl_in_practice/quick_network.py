"""The DP-FTRL paper's network once more, for runs of hours: the same numbers, sooner.

Some three times as fast as ``networks.dp_ftrl_network`` because all products are taken
in single precision, and over 25 images at once. So a run with it is an experiment about
accuracy on public images, and no release: rounding is not covered, and a gradient that
is not finite does not count as 0.
"""

from typing import Any

import numpy as np

from ... import checks
from ...arrays import Array
from ...clipping import CLIP
from ...networks import Network, Rule

PART = 25  # images at once: what they need fits into a processor's cache


class QuickNetwork(Network):
    """The loss of the paper's network; see ``networks.dp_ftrl_network``.

    Examples
    --------
    >>> from dpteach import networks
    >>> exact = networks.dp_ftrl_network(seed=1)
    >>> quick = QuickNetwork(exact.shape, exact.layers, seed=1)
    >>> X, theta = np.ones((2, 784), np.float32), np.zeros(26010, np.float32)
    >>> np.allclose(quick.scores_at(theta, X), exact.scores_at(theta, X), atol=1e-6)
    True
    """

    def scores_at(self, theta: Array, X: Array) -> Array:
        """Compute the scores of each image in one model."""
        w = _by_place(self.model(theta))
        parts = range(0, len(X), PART)
        return np.concatenate([_forward(w, X[i : i + PART])[0] for i in parts])

    def _sums(self, theta: Array, rule: Rule | None, X: Array, y: Array) -> Array:
        clip_norm, clipping = rule or (None, CLIP)
        checks.one_of((CLIP,), clipping=clipping)
        w, total = _by_place(self.model(theta)), np.zeros(theta.shape[-1])
        for i in range(0, len(X), PART):
            total += _clipped_sum(w, X[i : i + PART], y[i : i + PART], clip_norm)
        return total


def _by_place(model: list[list[Array]]) -> list[list[Array]]:
    """Put the channels of a weight's inputs last, as they are stored here."""
    first, second, third, last = (weights for weights in model if weights)
    second = [_channels_last(second[0], 16), second[1]]
    third = [_channels_last(third[0], 32), third[1]]
    return [first, second, third, last]


def _channels_last(W: Array, channels: int) -> Array:
    return W.reshape(channels, 16, -1).transpose(1, 0, 2).reshape(W.shape)


def _channels_first(W: Array, channels: int) -> Array:
    return W.reshape(16, channels, -1).transpose(1, 0, 2)


def _forward(w: list[list[Array]], X: Array) -> tuple[Array, Any]:
    (W1, b1), (W2, b2), (W3, b3), (W4, b4) = w
    n, x = len(X), np.zeros((len(X), 34, 34, 1), X.dtype)
    x[:, 3:31, 3:31, 0] = X.reshape(n, 28, 28)
    a1 = _windows(x, 14, 8)
    t1 = np.tanh(a1 @ W1 + b1).reshape(n, 14, 14, 16)
    p1, largest1 = _pool(t1)
    a2 = _windows(p1, 5, 4)
    t2 = np.tanh(a2 @ W2 + b2).reshape(n, 5, 5, 32)
    p2, largest2 = _pool(t2)
    a3 = p2.reshape(n, 512)
    a4 = np.tanh(a3 @ W3 + b3)
    return a4 @ W4 + b4, (a1, t1, largest1, a2, t2, largest2, a3, a4)


def _windows(x: Array, places: int, side: int) -> Array:
    """Copy the windows at every second pixel, one after the other."""
    n, (image, row, pixel, channel) = len(x), x.strides
    shape = n, places, places, side, side, x.shape[3]
    strides = image, 2 * row, 2 * pixel, row, pixel, channel
    windows = np.lib.stride_tricks.as_strided(x, shape, strides)
    return windows.reshape(n * places**2, -1)


def _pool(x: Array) -> tuple[Array, tuple[Array, Array]]:
    """Take the largest of 2 × 2 neighbors; of equal ones the first, row by row."""
    left, right = x[:, :, :-1], x[:, :, 1:]
    row = np.maximum(left, right)
    top, bottom = row[:, :-1], row[:, 1:]
    return np.maximum(top, bottom), (left >= right, top >= bottom)


def _unpool(g: Array, largest: tuple[Array, Array]) -> Array:
    (left, top), (n, h, w, channels) = largest, g.shape
    row, x = np.zeros((n, h + 1, w, channels), g.dtype), g * top
    row[:, :-1] = x
    row[:, 1:] += g - x
    whole, x = np.zeros((n, h + 1, w + 1, channels), g.dtype), row * left
    whole[:, :, :-1] = x
    whole[:, :, 1:] += row - x
    return whole


def _folded(g: Array, W: Array) -> Array:
    """Add up over the windows in which a pixel of the second layer's input stands."""
    n = len(g)
    back = (g.reshape(-1, 32) @ W.T).reshape(n, 5, 5, 2, 2, 2, 32)
    x = np.zeros((n, 7, 2, 7, 32), g.dtype)  # two rows, and two pixels of 16 channels
    for i in range(2):
        for j in range(2):
            part = back[:, :, :, i, :, j].transpose(0, 1, 3, 2, 4)
            x[:, i : i + 5, :, j : j + 5] += part
    return x.reshape(n, 14, 14, 16)[:, :13, :13]


def _clipped_sum(
    w: list[list[Array]], X: Array, y: Array, clip_norm: float | None
) -> Array:
    scores, (a1, t1, largest1, a2, t2, largest2, a3, a4) = _forward(w, X)
    n, ((_, _), (W2, _), (W3, _), (W4, _)) = len(X), w
    g4 = np.exp(scores - scores.max(axis=1, keepdims=True))
    g4 /= g4.sum(axis=1, keepdims=True)
    g4[np.arange(n), y.astype(int)] -= 1
    g3 = (g4 @ W4.T) * (1 - a4 * a4)
    g2 = _unpool((g3 @ W3.T).reshape(n, 4, 4, 32), largest2) * (1 - t2 * t2)
    g1 = _unpool(_folded(g2, W2), largest1) * (1 - t1 * t1)
    formed = [_gradients(a, g) for a, g in ((a1, g1), (a2, g2))]
    squares = sum(_square(part) for each in formed for part in each)
    squares += (1 + _square(a3)) * _square(g3) + (1 + _square(a4)) * _square(g4)
    k = np.ones(n, X.dtype)
    if clip_norm is not None:
        k /= np.maximum(np.sqrt(squares) / X.dtype.type(clip_norm), 1)
    (G1, c1), (G2, c2) = formed
    parts = (
        k @ G1, k @ c1, _channels_first(k @ G2, 16), k @ c2,
        _channels_first(a3.T @ (k[:, None] * g3), 32), k @ g3,
        a4.T @ (k[:, None] * g4), k @ g4,
    )  # fmt: skip
    return np.concatenate([part.ravel() for part in parts])


def _gradients(a: Array, g: Array) -> tuple[Array, Array]:
    """Form each image's gradient in the filters and in the constants."""
    n, channels = len(g), g.shape[-1]
    g = g.reshape(n, -1, channels)
    a = a.reshape(n, g.shape[1], -1)
    G = np.matmul(a.transpose(0, 2, 1), g)
    return G.reshape(n, -1), g.sum(axis=1)


def _square(v: Array) -> Array:
    return np.einsum("ij,ij->i", v, v)
