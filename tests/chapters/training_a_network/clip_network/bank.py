"""Answers to ``clip_network``: right ones, and wrong ones with their messages."""

import numpy as np


def right_ghost_norms(X, y, A, B, C):
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g /= g.sum(axis=1, keepdims=True)
    g[np.arange(len(y)), y] -= 1
    r = (g @ B.T) * (1 - h * h)
    squares = (X**2).sum(axis=1) * (r**2).sum(axis=1)
    squares = squares + (h**2).sum(axis=1) * (g**2).sum(axis=1)
    k = 1 / np.maximum(np.sqrt(squares) / C, 1.0)
    parts = X.T @ (k[:, None] * r), h.T @ (k[:, None] * g)
    return np.concatenate([part.ravel() for part in parts])


def right_loop(X, y, A, B, C):
    total = np.zeros(A.size + B.size)
    for x, k in zip(X, y, strict=True):
        h = np.tanh(x @ A)
        z = h @ B
        p = np.exp(z - np.max(z))
        g = p / np.sum(p) - (np.arange(len(z)) == k)
        r = (B @ g) * (1 - h**2)
        v = np.concatenate([np.outer(x, r).ravel(), np.outer(h, g).ravel()])
        total += v * min(1.0, C / max(np.linalg.norm(v), 1e-300))
    return total


def right_whole_gradients(X, y, A, B, C):
    h = np.tanh(X @ A)
    z = h @ B
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z - np.log(np.exp(z).sum(axis=1, keepdims=True)))
    g = p - np.eye(B.shape[1])[y]
    r = np.einsum("nk,mk,nm->nm", g, B, 1 - h * h)
    V = np.concatenate(
        [
            np.einsum("nd,nm->ndm", X, r).reshape(len(X), A.size),
            np.einsum("nm,nk->nmk", h, g).reshape(len(X), B.size),
        ],
        axis=1,
    )
    norms = np.sqrt((V * V).sum(axis=1))
    return np.where(norms > C, C / np.where(norms > C, norms, 1), 1) @ V


def right_functions(X, y, A, B, C):
    def backward(x, k):
        h = 1 - 2 / (np.exp(2 * np.clip(x @ A, -40, 40)) + 1)
        z = h @ B
        e = np.exp(z - max(z))
        g = e / sum(e)
        g[k] -= 1
        return [np.outer(x, (B @ g) * (1 - h) * (1 + h)), np.outer(h, g)]

    out = [np.zeros(A.shape), np.zeros(B.shape)]
    for i in range(len(X)):
        parts = backward(X[i], y[i])
        norm = np.sqrt(sum(float((part**2).sum()) for part in parts))
        scale = C / norm if norm > C else 1.0
        out = [a + scale * b for a, b in zip(out, parts, strict=True)]
    return np.hstack([part.ravel() for part in out])


def _parts(X, y, A, B):
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g /= g.sum(axis=1, keepdims=True)
    g[np.arange(len(y)), y] -= 1
    r = (g @ B.T) * (1 - h * h)
    G, H = X[:, :, None] * r[:, None], h[:, :, None] * g[:, None]
    return G.reshape(len(X), A.size), H.reshape(len(X), B.size)


def _cut(V, C):
    return V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True) / C, 1.0)


def _sum(X, y, A, B, C):
    return _cut(np.hstack(_parts(X, y, A, B)), C).sum(axis=0)


def wrong_starter(X, y, A, B, C):
    return np.concatenate([(0 * A).ravel(), (0 * B).ravel()])


def wrong_does_not_clip(X, y, A, B, C):
    return np.hstack(_parts(X, y, A, B)).sum(axis=0)


def wrong_clips_the_sum(X, y, A, B, C):
    V = np.hstack(_parts(X, y, A, B)).sum(axis=0)
    return V / max(np.linalg.norm(V) / C, 1.0)


def wrong_clips_by_layer(X, y, A, B, C):
    return np.hstack([_cut(V, C).sum(axis=0) for V in _parts(X, y, A, B)])


def wrong_mean(X, y, A, B, C):
    return _sum(X, y, A, B, C) / max(len(X), 1)


def wrong_no_slope(X, y, A, B, C):
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g /= g.sum(axis=1, keepdims=True)
    g[np.arange(len(y)), y] -= 1
    r = g @ B.T
    G, H = X[:, :, None] * r[:, None], h[:, :, None] * g[:, None]
    V = np.hstack([G.reshape(len(X), A.size), H.reshape(len(X), B.size)])
    return _cut(V, C).sum(axis=0)


def wrong_downhill(X, y, A, B, C):
    return -_sum(X, y, A, B, C)


def wrong_normalizes(X, y, A, B, C):
    V = np.hstack(_parts(X, y, A, B))
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    return (C * V / np.where(norms > 0, norms, 1)).sum(axis=0)


def wrong_order(X, y, A, B, C):
    V = np.hstack(_parts(X, y, A, B)[::-1])
    return _cut(V, C).sum(axis=0)


def wrong_probabilities_alone(X, y, A, B, C):
    h = np.tanh(X @ A)
    z = h @ B
    g = np.exp(z - z.max(axis=1, keepdims=True))
    g /= g.sum(axis=1, keepdims=True)
    r = (g @ B.T) * (1 - h * h)
    G, H = X[:, :, None] * r[:, None], h[:, :, None] * g[:, None]
    V = np.hstack([G.reshape(len(X), A.size), H.reshape(len(X), B.size)])
    return _cut(V, C).sum(axis=0)


def wrong_overflows(X, y, A, B, C):
    h = np.tanh(X @ A)
    g = np.exp(h @ B)
    g /= g.sum(axis=1, keepdims=True)
    g[np.arange(len(y)), y] -= 1
    r = (g @ B.T) * (1 - h * h)
    G, H = X[:, :, None] * r[:, None], h[:, :, None] * g[:, None]
    V = np.hstack([G.reshape(len(X), A.size), H.reshape(len(X), B.size)])
    return _cut(V, C).sum(axis=0)


def wrong_divides_by_zero(X, y, A, B, C):
    V = np.hstack(_parts(X, y, A, B))
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    return (V / norms * np.minimum(norms, C)).sum(axis=0)


def wrong_matrix(X, y, A, B, C):
    return _sum(X, y, A, B, C)[None]


def wrong_in_place(X, y, A, B, C):
    out = _sum(X, y, A, B, C)
    A *= 2.0
    return out


def wrong_whole_numbers(X, y, A, B, C):
    out = np.zeros_like(np.concatenate([A.ravel(), B.ravel()]))
    out[:] = _sum(X, y, A, B, C)
    return out


RIGHT = (right_ghost_norms, right_loop, right_whole_gradients, right_functions)
WRONG = {
    wrong_starter: r"for one record.*less 1 at the class",
    wrong_does_not_clip: r"with C = 0\.1.*Nothing was clipped",
    wrong_clips_the_sum: r"for 12 records.*Only the sum",
    wrong_clips_by_layer: r"Each layer is clipped by itself",
    wrong_mean: r"five records.*That is a mean",
    wrong_no_slope: r"multiplied by its slope",
    wrong_downhill: r"points downhill",
    wrong_normalizes: r"got norm C",
    wrong_order: r"in A comes first",
    wrong_probabilities_alone: r"for one record.*less 1 at the class",
    wrong_overflows: r"exponential of 1000|not finite|nan",
    wrong_divides_by_zero: r"0/0 is no number|nan",
    wrong_matrix: r"shape",
    wrong_in_place: r"argument A after the call",
    wrong_whole_numbers: r"all in integers.*loses its fraction",
}
