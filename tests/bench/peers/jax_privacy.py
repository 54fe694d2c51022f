"""Errors of correlated noise beside jax_privacy, at equal steps, visits and memory.

Each factorization is made by its package's optimizer. Its mean error is computed here,
for both, from the encoder's matrix and the sensitivity that is certified here.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

# This file bears the name of the package that it measures: look for that elsewhere.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import harness  # noqa: E402  (see above)
import jax  # noqa: E402  (see above)
import numpy as np  # noqa: E402  (see above)
from jax_privacy.matrix_factorization import (  # noqa: E402  (see above)
    banded,
    buffered_toeplitz,
    dense,
    toeplitz,
)

from dpteach.algorithms import (  # noqa: E402  (see above)
    Bands,
    Buffers,
    Factorization,
    MatrixMechanism,
    multi_participation_factorization,
    optimal_bands,
    optimal_buffers,
)
from dpteach.data import digits  # noqa: E402  (see above)

# T, passes in one order; T, k, d and bands = d; T, bands, one visit; T, k, d, buffers
EPOCHS = ((16, 4), (64, 4), (64, 8), (128, 8))
SEPARATED = ((64, 4, 16), (128, 8, 16))
TOEPLITZ = ((64, 8), (256, 16), (512, 64))
BUFFERED = ((128, 1, 128, 2), (200, 4, 50, 2))


def with_encoder(C: np.ndarray) -> Factorization:
    C = np.asarray(C, float)
    return Factorization(np.linalg.solve(C.T, np.tri(len(C)).T).T, C)


def compare(name: str, ours: Callable, theirs: Callable, bound: float) -> None:
    start = time.process_time()
    own = ours()
    middle = time.process_time()
    other = theirs()
    spent = middle - start, time.process_time() - middle
    ratio = own / other
    print(
        f"{name}: ours {own:.6f}, theirs {other:.6f}, none is below {bound:.6f}; CPU "
        f"{spent[0]:.2g} s / {spent[1]:.2g} s"
        f"{harness.verdict(f'{name}: error, ours / theirs', ratio, 1 + 1e-6)}",
        flush=True,
    )


def passes(T: int, k: int) -> None:
    bound = multi_participation_factorization(T, epochs=k)[1].lower_bound

    def theirs() -> float:
        C = with_encoder(dense.optimize(T, epochs=k))
        return MatrixMechanism(C, T, k, T // k, equally_spaced=True).mean_error

    compare(
        f"T = {T}, {k} passes",
        lambda: multi_participation_factorization(T, epochs=k)[0].mean_error,
        theirs,
        bound,
    )


def separated(T: int, k: int, d: int) -> None:
    rules = {"participations": k, "separation": d}
    bound = multi_participation_factorization(T, **rules)[1].lower_bound

    def theirs() -> float:
        C = with_encoder(banded.optimize(T, bands=d).materialize())
        return MatrixMechanism(C, T, k, d).mean_error

    compare(
        f"T = {T}, {k} visits {d} apart, {d - 1} vectors",
        lambda: (
            multi_participation_factorization(T, memory=d - 1, **rules)[0].mean_error
        ),
        theirs,
        bound,
    )


def bands(T: int, b: int) -> None:
    def theirs() -> float:
        c = np.asarray(toeplitz.optimize_banded_toeplitz(T, b), float)
        return Bands(tuple((c / c[0]).tolist())).mean_error(T)

    bound = multi_participation_factorization(T, epochs=1, memory=0)[1].lower_bound
    compare(
        f"T = {T}, {b} coefficients",
        lambda: optimal_bands(T, bands=b).mean_error(T),
        theirs,
        bound,
    )


def buffered(T: int, k: int, d: int, m: int) -> None:
    rules = {"participations": k, "separation": d}

    def theirs() -> float:
        found = buffered_toeplitz.optimize(
            n=T, min_sep=d, max_participations=k, error="mean",
            min_buffers=m, max_buffers=m,
        )  # fmt: skip
        decay, weights = (
            tuple(np.asarray(x, float).tolist())
            for x in (found.buf_decay, found.output_scale)
        )
        return Buffers(decay, weights).mean_error(T, **rules)

    bound = multi_participation_factorization(T, memory=0, **rules)[1].lower_bound
    compare(
        f"T = {T}, {k} visits {d} apart, {m} buffers",
        lambda: optimal_buffers(T, buffers=m, **rules).mean_error(T, **rules),
        theirs,
        bound,
    )


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


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    lines_of_the_chapter()
    for setting in EPOCHS:
        passes(*setting)
    for setting in SEPARATED:
        separated(*setting)
    for setting in TOEPLITZ:
        bands(*setting)
    for setting in BUFFERED:
        buffered(*setting)


if __name__ == "__main__":
    main()
