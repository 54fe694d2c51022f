"""Errors of correlated noise beside jax_privacy, at equal steps, visits and memory.

Each factorization is made by its package's optimizer. Its mean error is computed here,
for both, from the encoder's matrix and the sensitivity that is certified here. Its
errors are stored, and ``noise.py`` compares ours with them where it is not installed.
Then an epoch of the DP-FTRL paper's network, with its clipped gradients and with ours.
"""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

# This file bears the name of the package that it measures: look for that elsewhere.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import harness  # noqa: E402  (see above)
import jax  # noqa: E402  (see above)
import noise  # noqa: E402  (see above)
import numpy as np  # noqa: E402  (see above)
from jax_privacy import clipping  # noqa: E402  (see above)
from jax_privacy.matrix_factorization import (  # noqa: E402  (see above)
    banded,
    buffered_toeplitz,
    dense,
    toeplitz,
)

from dpteach import Problem, constraints, losses  # noqa: E402  (see above)
from dpteach.algorithms import (  # noqa: E402  (see above)
    Bands,
    Buffers,
    Factorization,
    MatrixMechanism,
    sampled_dp_sgd,
)
from dpteach.data import digits  # noqa: E402  (see above)

SETTINGS = {
    "passes": ((16, 4), (36, 3), (48, 6), (64, 4), (64, 8), (90, 5), (128, 8)),
    "separated": ((48, 3, 12), (60, 5, 10), (64, 4, 16), (128, 8, 16)),
    "bands": ((64, 8), (100, 12), (256, 16), (300, 20), (512, 64)),
    "buffered": ((128, 1, 128, 2), (150, 3, 40, 2), (200, 4, 50, 2), (300, 2, 100, 1)),
}


def with_encoder(C: np.ndarray) -> Factorization:
    C = np.asarray(C, float)
    return Factorization(np.linalg.solve(C.T, np.tri(len(C)).T).T, C)


def passes(T: int, k: int) -> float:
    C = with_encoder(dense.optimize(T, epochs=k))
    return MatrixMechanism(C, T, k, T // k, equally_spaced=True).mean_error


def separated(T: int, k: int, d: int) -> float:
    C = with_encoder(banded.optimize(T, bands=d).materialize())
    return MatrixMechanism(C, T, k, d).mean_error


def bands(T: int, b: int) -> float:
    c = np.asarray(toeplitz.optimize_banded_toeplitz(T, b), float)
    return Bands(tuple((c / c[0]).tolist())).mean_error(T)


def buffered(T: int, k: int, d: int, m: int) -> float:
    best = buffered_toeplitz.optimize(
        n=T, min_sep=d, max_participations=k, error="mean",
        min_buffers=m, max_buffers=m,
    )  # fmt: skip
    decay, weights = (
        tuple(np.asarray(x, float).tolist())
        for x in (best.buf_decay, best.output_scale)
    )
    return Buffers(decay, weights).mean_error(T, participations=k, separation=d)


THEIRS = {
    function.__name__: function for function in (passes, separated, bands, buffered)
}


def lines_of_the_chapter() -> None:
    """Run the lines that chapter 11 prints for jax_privacy."""
    images = digits()
    X, y = jax.numpy.asarray(images.X), jax.numpy.asarray(images.y)
    names = {
        "loss": lambda W, x, y: -jax.nn.log_softmax(x @ W)[y],
        "noise_multiplier": 20.0, "rng": np.random.default_rng(0),
        "W": jax.numpy.zeros((65, 10)), "X": X, "y": y,
    }  # fmt: skip
    exec(harness.chapter_lines("from jax_privacy"), names)
    right = float((jax.numpy.argmax(X @ names["W"], axis=1) == y).mean())
    assert right > 0.8
    print(f"chapter 11, jax_privacy: {100 * right:.0f} of 100 images")


IMAGES, BATCH = harness.size(2048, 64), 256  # of the network


def paper_network(rng: np.random.Generator) -> tuple[dict, Callable]:
    """The DP-FTRL paper's network, of 26,010 weights, and the loss of one image."""
    shapes = {"A": (16, 1, 8, 8), "B": (32, 16, 4, 4), "C": (512, 32), "D": (32, 10)}
    start = {
        name: jax.numpy.asarray(0.05 * rng.standard_normal(shape), "float32")
        for name, shape in shapes.items()
    } | {
        name.lower(): jax.numpy.zeros(
            shape[0] if len(shape) > 2 else shape[1], "float32"
        )
        for name, shape in shapes.items()
    }

    def layer(x, filters, constants, margin):
        x = jax.lax.conv_general_dilated(x, filters, (2, 2), [(margin, margin)] * 2)
        x = jax.numpy.tanh(x + constants[:, None, None])
        return jax.lax.reduce_window(
            x, -jax.numpy.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 1, 1), "valid"
        )

    def loss(w, x, y):
        x = layer(x.reshape(1, 1, 28, 28), w["A"], w["a"], 3)
        x = layer(x, w["B"], w["b"], 0).reshape(512)
        scores = jax.numpy.tanh(x @ w["C"] + w["c"]) @ w["D"] + w["d"]
        return -jax.nn.log_softmax(scores)[y.astype(int)]

    return start, loss


def network() -> None:
    """Compare an epoch of the network, on Poisson batches, in single precision."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (IMAGES, 784)).astype(np.float32)
    y = rng.integers(0, 10, IMAGES).astype(np.float32)
    start, loss = paper_network(rng)
    steps = round(IMAGES / BATCH)
    clipped = jax.jit(
        clipping.clipped_grad(
            loss, l2_clip_norm=1.0, batch_argnums=(1, 2), keep_batch_dim=False
        )
    )

    def theirs():  # batches of one size, so that nothing is compiled anew
        w = start
        for rows in np.split(rng.permutation(IMAGES)[: steps * BATCH], steps):
            g = clipped(w, X[rows], y[rows])
            w = jax.tree.map(
                lambda v, d: v
                - 1e-4 * (d + 1.1 * rng.standard_normal(v.shape, np.float32)),
                w, g,
            )  # fmt: skip
        return jax.block_until_ready(w)

    D = Problem(
        jax.numpy.asarray(X), jax.numpy.asarray(y),
        losses.differentiable(loss, start), constraints.Everywhere(),
    )  # fmt: skip

    def ours():
        return sampled_dp_sgd(
            D, rate=BATCH / IMAGES, clip_norm=1.0, steps=steps, noise_multiplier=1.1,
            learning_rate=1e-4, path_every=steps, rng=0,
        )  # fmt: skip

    seconds = harness.interleaved({"jax_privacy": theirs, "ours": ours}, repeats=5)
    harness.report("an epoch of the paper's network", seconds, "ours", "jax_privacy")


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    lines_of_the_chapter()
    network()
    rows = []
    for kind, settings in SETTINGS.items():
        for setting in settings:
            start = time.process_time()
            error = THEIRS[kind](*setting)
            print(f"theirs: {time.process_time() - start:.2g} s CPU", flush=True)
            rows.append({"kind": kind, "setting": setting, "theirs": error})
            noise.compare(**rows[-1])
    stored = {"version": version("jax_privacy"), "rows": rows}
    lines = json.dumps(stored).replace("[{", "[\n{").replace("}, {", "},\n{")
    noise.STORED.write_text(f"{lines}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
