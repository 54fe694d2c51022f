"""DP-SGD: a private full-batch step beside the same step without privacy."""

import harness
import numpy as np

from dpteach import (
    Problem,
    constraints,
    dp_sgd,
    losses,
)


def problem(n: int, d: int, classes: int, dtype: type) -> Problem:
    rng = np.random.default_rng(0)
    X = rng.random((n, d), dtype=np.float32).astype(dtype)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    if classes > 2:
        y, loss = rng.integers(0, classes, n), losses.softmax(classes)
    else:
        y, loss = 2 * rng.integers(0, 2, n) - 1, losses.logistic
    return Problem(X, y, loss, constraints.Everywhere())


def main() -> None:
    for full, d, classes, goal in ((60_000, 784, 10, 1.05), (20_000, 50, 2, None)):
        n = harness.size(full, 200)
        for dtype in (np.float32, np.float64):
            D = problem(n, d, classes, dtype)
            theta = D.zeros()
            settings = {"clip_norm": 1.0, "noise_multiplier": 1.0, "rng": 0}

            def private(D=D, settings=settings):
                return dp_sgd(D, steps=1, learning_rate=1e-4, **settings)

            def non_private(D=D, theta=theta):
                return theta - 1e-4 * D.gradient(theta)

            seconds = harness.interleaved(
                {"private step": private, "non-private step": non_private}
            )
            what = f"full batch {n}x{d}, {classes} classes, {np.dtype(dtype).name}"
            harness.report(what, seconds, "private step", "non-private step", goal)


if __name__ == "__main__":
    main()
