"""DP-SGD on samples: a step and its memory, beside the same without privacy."""

import tracemalloc

import harness
import numpy as np

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients.sampled_sgd import poisson_sample, sampled_dp_sgd

N, D, K = harness.size(60_000, 600), 784, 10
BATCH, STEPS = 256, harness.size(50, 2)


def non_private(problem: Problem, seed: int) -> list:
    rng, theta, path = np.random.default_rng(seed), problem.zeros(), []
    for _ in range(STEPS):
        rows = poisson_sample(N, rate=BATCH / N, rng=rng)
        # No record's gradient is longer than √2: this clip never acts.
        theta = theta - 1e-3 * problem.clipped_gradient(theta, 1e6, rows=rows)
        path.append(theta)
    return path


def plain(problem: Problem, seed: int) -> list:
    """The floor: what one would write without privacy, and nothing more."""
    rng, path = np.random.default_rng(seed), []
    W, X, y, eye = np.zeros((D, K), np.float32), problem.X, problem.y, np.eye(K)
    eye, y = eye.astype(np.float32), y.astype(int)  # a Problem's labels are floats
    for _ in range(STEPS):
        size = rng.binomial(N, BATCH / N)
        rows = rng.choice(N, size=size, replace=False, shuffle=False)
        Z = X[rows] @ W
        R = np.exp(Z - Z.max(axis=1, keepdims=True))
        R /= R.sum(axis=1, keepdims=True)
        R -= eye[y[rows]]
        W = W - 1e-3 * (X[rows].T @ R)
        path.append(W)
    return path


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((N, D), dtype=np.float32) / 28
    problem = Problem(
        X, rng.integers(0, K, N), losses.softmax(K), constraints.Everywhere()
    )

    def private():
        return sampled_dp_sgd(
            problem,
            rate=BATCH / N,
            clip_norm=1.0,
            steps=STEPS,
            noise_multiplier=1.1,
            learning_rate=1e-3 * BATCH / N,
            rng=0,
        )

    seconds = harness.interleaved(
        {
            "private step": private,
            "same code, no privacy": lambda: non_private(problem, 0),
            "plain NumPy, no privacy": lambda: plain(problem, 0),
        }
    )
    what = f"sampled step {N}x{D}, {K} classes, batch {BATCH}, float32, {STEPS} steps"
    harness.report(what, seconds, "private step", "same code, no privacy", 1.35)
    harness.report(what, seconds, "private step", "plain NumPy, no privacy", 1.35)

    peaks = {}
    for name, run in (
        ("private", private),
        ("non-private", lambda: non_private(problem, 0)),
    ):
        tracemalloc.start()
        run()
        peaks[name] = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
    more = peaks["private"] - peaks["non-private"]
    said = harness.verdict(
        f"{what}: memory beyond that without privacy", more, 4, " MiB"
    )
    print(
        f"{what}: {more:.2f} MiB more memory at the peak than without privacy; both "
        f"keep the path{said}"
    )


if __name__ == "__main__":
    main()
