"""What it costs that sums move as little as stated: beside the same, as it comes.

The plain step adds up in the dtype of the data, clips by plain norms, and lets a
library's product of matrices treat each row by its place.
"""

import harness
import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms.streams.ftrl import dp_ftrl
from dpteach.algorithms.streams.streaming_tree import StreamingTree
from dpteach.arrays import as_double, block_sum


def full_batch(n: int, d: int, K: int, dtype: type, goals: tuple) -> None:
    rng = np.random.default_rng(0)
    X = rng.random((n, d), dtype=np.float32).astype(dtype)
    loss = losses.softmax(K) if K > 1 else losses.logistic
    y = rng.integers(0, K, n) if K > 1 else rng.choice([-1.0, 1.0], n)
    D = Problem(X, y, loss, constraints.Everywhere())
    theta = 0.01 * rng.standard_normal(D.p).astype(dtype)
    W, norms = theta.reshape(d, K), np.sqrt(np.vecdot(X, X))[:, None]
    S = rng.standard_normal((n, K))
    eye, s = np.eye(K, dtype=dtype), S.astype(dtype)
    weights = S if K > 1 else S[:, 0]

    def plain():
        z = X @ W
        if K == 1:
            slope = -D.y[:, None] / (1 + np.exp(D.y[:, None] * z))
        else:
            e = np.exp(z - z.max(axis=1, keepdims=True))
            slope = e / e.sum(axis=1, keepdims=True) - eye[y]
        excess = np.sqrt(np.vecdot(slope, slope))[:, None] * norms
        return X.T @ (slope / np.maximum(excess, 1))

    def both():
        D.scores(theta)
        block_sum(lambda at: loss.combine(weights[at], as_double(X[at])), n)

    seconds = harness.interleaved(
        {
            "a clipped gradient": lambda: D.clipped_gradient(theta, 1.0),
            "a plain one": plain,
            "scores and sums": both,
            "plain scores and sums": lambda: (X @ W, X.T @ s),
        }
    )
    what = f"full batch {n}x{d}, {K} scores, {np.dtype(dtype).name}"
    harness.report(what, seconds, "scores and sums", "plain scores and sums", goals[0])
    harness.report(what, seconds, "a clipped gradient", "a plain one", goals[1])


def stream(n: int, d: int, dtype: type, goals: tuple) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((n, d)).astype(dtype), rng.choice([-1.0, 1.0], n)
    D = Problem(X, y, losses.logistic, constraints.Everywhere())
    settings = {"sigma": 4.0, "shape": (d,), "rng": 0}
    v = np.full(d, 0.9 * d**-0.5, dtype)

    def new_tree():
        return StreamingTree(n, clip_norm=1.0, **settings)

    def exact():
        tree = new_tree()
        for _ in range(n):
            tree.add(v)

    def as_it_comes(tree, v, total):
        np.isfinite(np.vdot(v, v))
        total += v
        out = tree.sigma * tree._next_noise(v)
        out += total
        return out

    def plain():
        tree, total = new_tree(), np.zeros(d, dtype)
        for _ in range(n):
            as_it_comes(tree, v, total)

    def private():
        dp_ftrl(D, clip_norm=1.0, noise_multiplier=4.0, regularization=50.0, rng=0)

    def plain_ftrl():
        tree, total, theta, path = new_tree(), np.zeros(d, dtype), D.zeros(), []
        for t in range(n):
            x, label = X[t : t + 1], D.y[t : t + 1]
            g = D.loss.slope(theta @ x.T, label) @ x
            g = g / np.maximum(np.sqrt(np.vecdot(g, g)), 1)
            theta = D.constraint.project(-as_it_comes(tree, g, total) / 50.0)
            path.append(theta)
        return np.mean(np.stack(path), axis=0)

    seconds = harness.interleaved(
        {"exact sums": exact, "plain sums": plain, "dp_ftrl": private,
         "the same with plain sums": plain_ftrl}, of=min,
    )  # fmt: skip
    what = f"stream of {n}, d = {d}, {np.dtype(dtype).name}"
    harness.report(what, seconds, "exact sums", "plain sums", goals[0])
    harness.report(what, seconds, "dp_ftrl", "the same with plain sums", goals[1])


def main() -> None:
    small = harness.size
    full_batch(small(60_000, 200), 784, 10, np.float32, (1.25, 1.35))
    full_batch(small(60_000, 200), 784, 1, np.float32, (1.25, 1.35))
    full_batch(small(60_000, 200), 784, 10, np.float64, (None, None))
    full_batch(small(20_000, 200), 50, 1, np.float64, (None, None))
    for dtype in (np.float32, np.float64):
        stream(small(2_000, 5), 100, dtype, (None, 1.15))
        stream(small(50, 2), 100_000, dtype, (None, 1.15))


if __name__ == "__main__":
    main()
