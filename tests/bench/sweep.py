"""A sweep: seeds in one batch beside a loop, and two processes beside one."""

import time

import harness
import joblib
import numpy as np

from dpteach import (
    Problem,
    constraints,
    data,
    dp_sgd,
    losses,
    sweep,
)

SEEDS, STEPS = harness.size(64, 4), harness.size(100, 3)
SIZES = {"small": (100, 5), "large": (1000, 10)}
DRAWN = {
    size: data.planted_logistic(n=n, p=p, strength=5.0, rng=0)
    for size, (n, p) in SIZES.items()
}


def experiment(*, size: str, noise_multiplier: float, seeds: list[int]) -> np.ndarray:
    drawn = DRAWN[size]
    D = Problem(drawn.X, drawn.y, losses.logistic, constraints.L2Ball(1.0))
    out = dp_sgd(
        D, clip_norm=1.0, steps=STEPS, noise_multiplier=noise_multiplier,
        learning_rate=1e-3, rng=seeds[0], runs=(len(seeds),),
    )  # fmt: skip
    return D.risk(out.theta)


def one_by_one(*, size: str, noise_multiplier: float, seed: int) -> float:
    return float(
        experiment(size=size, noise_multiplier=noise_multiplier, seeds=[seed])[0]
    )


def without_sweep(grid: dict) -> list[np.ndarray]:
    (size,), seeds = grid["size"], list(range(SEEDS))
    return [
        experiment(size=size, noise_multiplier=z, seeds=seeds)
        for z in grid["noise_multiplier"]
    ]


def main() -> None:
    for size, (n, p) in SIZES.items():
        grid = {"size": [size], "noise_multiplier": [5.0, 20.0]}
        with joblib.parallel_config(n_jobs=1):
            seconds = harness.interleaved(
                {
                    "in one batch": lambda grid=grid: sweep(experiment, grid, SEEDS),
                    "one by one": lambda grid=grid: sweep(one_by_one, grid, SEEDS),
                    "without sweep": lambda grid=grid: without_sweep(grid),
                },
                repeats=9,
            )
        what = f"{SEEDS} seeds, n={n}, p={p}, T={STEPS}"
        harness.report(what, seconds, "in one batch", "one by one")
        harness.report(what, seconds, "in one batch", "without sweep")

    # Processes take wall time, not this process's own: a longer task, then a ratio.
    grid = {"size": ["large"], "noise_multiplier": [5.0] * 8}
    took = {}
    for n_jobs in (1, 2):
        with joblib.parallel_config(n_jobs=n_jobs):
            sweep(experiment, grid, 2)  # start the workers
            begin = time.perf_counter()
            sweep(experiment, grid, SEEDS)
            took[n_jobs] = time.perf_counter() - begin
    print(
        f"8 settings of {SEEDS} seeds: 2 processes / 1 process = "
        f"{took[2] / took[1]:.3f} of the wall time ({took[2]:.3g} s / {took[1]:.3g} s)"
    )


if __name__ == "__main__":
    main()
