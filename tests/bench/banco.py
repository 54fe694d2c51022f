"""BANCO: 32 seeds at once, beside the bare draws of as many runs."""

import harness
import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms.local.banco import banco
from dpteach.algorithms.local.local_sgd import local_sgd
from dpteach.arrays import l2_laplace

N, P, SEEDS = harness.size(10_000, 50), 100, 32


def problem() -> Problem:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, P))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = X @ (10 * X[0])
    return Problem(X, y, losses.absolute, constraints.Everywhere())


def main() -> None:
    D = problem()
    settings = {"epsilon": 4.0, "clip_norm": 1.0, "rng": 0}

    def normals():
        rng = np.random.default_rng(0)
        for _ in range(N):
            rng.standard_normal((SEEDS, P))

    def noise():
        rng, like = np.random.default_rng(0), D.zeros(SEEDS)
        for _ in range(N):
            l2_laplace(rng, 0.5, like)

    contestants = {
        "BANCO": lambda: banco(D, path_every=N, runs=(SEEDS,), **settings),
        "BANCO, whole path": lambda: banco(D, runs=(SEEDS,), **settings),
        "local SGD": lambda: local_sgd(
            D, learning_rate=1e-3, path_every=N, runs=(SEEDS,), **settings
        ),
        "normal draws": normals,
        "noise draws": noise,
    }
    seconds = harness.interleaved(contestants, repeats=5)
    what = f"{SEEDS} seeds, n = {N}, p = {P}"
    harness.report(what, seconds, "BANCO", "noise draws", 2.0)
    harness.report(what, seconds, "BANCO", "normal draws", None)
    harness.report(what, seconds, "BANCO, whole path", "noise draws", None)
    harness.report(what, seconds, "local SGD", "noise draws", None)

    one = {
        "BANCO, one run": lambda: banco(D, path_every=N, **settings),
        "normal draws": lambda: np.random.default_rng(0).standard_normal((N, P)),
    }
    seconds = harness.interleaved(one, repeats=5)
    harness.report(
        f"the loop as printed, p = {P}", seconds, "BANCO, one run", "normal draws", None
    )


if __name__ == "__main__":
    main()
