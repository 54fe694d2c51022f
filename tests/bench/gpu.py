"""The same DP-SGD on a GPU: equal to NumPy, and how near it comes to the card's limits.

Runs with every GPU array library that is installed (PyTorch, CuPy, JAX) and prints one
line a figure. The limit is the time to read X twice at the bandwidth of a large copy
measured in the same run: a step without fusion must read it for the scores, and again
for the gradient.
"""

import functools
import json
import os
import platform
import sys
import time

import harness
import numpy as np

from dpteach import (
    Problem,
    constraints,
    dp_sgd,
    losses,
)
from dpteach.arrays import to_numpy
from dpteach.device_noise import DeviceGenerator

N, D, K = harness.size(60_000, 600), 784, 10
SETTINGS = {"clip_norm": 1.0, "noise_multiplier": 50.0, "learning_rate": 1e-4}


def libraries():
    """Name, to-device, synchronize, copy; what is installed."""
    found = {}
    try:
        import torch

        if torch.cuda.is_available():
            found["torch"] = (
                torch.__version__,
                lambda a: torch.asarray(a, device="cuda"),
                lambda _=None: torch.cuda.synchronize(),
                lambda a: a.clone(),
            )
    except ImportError:
        pass
    try:
        import cupy

        found["cupy"] = (
            cupy.__version__,
            cupy.asarray,
            lambda _=None: cupy.cuda.Device().synchronize(),
            lambda a: a.copy(),
        )
    except ImportError:
        pass
    try:
        import jax

        if jax.default_backend() == "gpu":
            jax.config.update("jax_enable_x64", True)
            found["jax"] = (
                jax.__version__,
                jax.device_put,
                lambda a=None: a.block_until_ready() if a is not None else None,
                lambda a: a + 0,
            )
    except ImportError:
        pass
    return found


def data(dtype):
    rng = np.random.default_rng(0)
    X = rng.random((N, D), dtype=np.float32)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X.astype(dtype), rng.integers(0, K, N)


def seconds(run, synchronize, repeats=30):
    """Median wall seconds of a call, the device's work included."""
    spent = []
    for turn in range(repeats + 5):
        begin = time.perf_counter()
        synchronize(run())
        if turn >= 5:
            spent.append(time.perf_counter() - begin)
    return float(np.median(spent))


def measure(name, library, say):
    version, put, synchronize, copy = library
    X64, y = data(np.float64)
    few = slice(0, 5000)
    host, device = (
        dp_sgd(
            Problem(X, labels, losses.softmax(K), constraints.L2Ball(10.0)),
            steps=20,
            rng=0,
            **SETTINGS,
        ).path
        for X, labels in ((X64[few], y[few]), (put(X64[few]), put(y[few])))
    )
    gap = np.abs(to_numpy(device) - host).max() / np.abs(host).max()
    say(
        library=name,
        version=version,
        what="float64 path against NumPy",
        relative_difference=f"{gap:.2e}",
        goal=harness.verdict(f"{name}: float64 path against NumPy", gap, 1e-12).strip(),
    )
    X = put(X64.astype(np.float32))
    problem = Problem(X, put(y), losses.softmax(K), constraints.L2Ball(10.0))
    theta, project = problem.zeros(), problem.constraint.project
    one_pass = seconds(lambda: copy(X), synchronize)  # reads X and writes it
    plain = seconds(
        lambda: project(theta - 1e-4 * problem.gradient(theta)), synchronize
    )
    steps = 20
    for source, rng in (
        ("host", np.random.default_rng(0)),
        ("device", DeviceGenerator(0)),
    ):
        run = functools.partial(dp_sgd, problem, steps=steps, rng=rng, **SETTINGS)
        private = seconds(lambda run=run: run().theta, synchronize) / steps
        say(
            library=name,
            what=f"float32 step {N}x{D}x{K}, noise drawn on the {source}",
            step_us=f"{private * 1e6:.0f}",
            over_non_private=f"{private / plain:.3f}",
            fraction_of_copy_limit=f"{one_pass / private:.2f}",
            copy_TB_s=f"{2 * X64.size * 4 / one_pass / 1e12:.2f}",
        )


def main():
    rows = []

    def say(**row):
        rows.append(row)
        print("  ".join(f"{key}={value}" for key, value in row.items()), flush=True)

    for name, library in libraries().items():
        measure(name, library, say)
    if not rows:
        print("No GPU array library found a GPU: nothing was measured.")
    elif "OUT" in os.environ:
        provenance = {
            "command": " ".join(sys.argv),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "date": time.strftime("%Y-%m-%d"),
        }
        with open(f"{os.environ['OUT']}/gpu.json", "w") as stream:
            json.dump({**provenance, "rows": rows}, stream, indent=1)


if __name__ == "__main__":
    main()
