"""Figure of the chapter on matrix factorization: what memory buys, pass after pass."""

from typing import Any

import numpy as np

from ... import checks
from ...algorithms.matrices import (
    _dual_ascent,
    buffered_toeplitz,
    dual_certificate,
    matrix_mechanism,
    optimal_bands,
    optimal_buffers,
    optimal_inverse_bands,
    optimal_participation,
    participation_bound,
    sensitivity,
    toeplitz,
    toeplitz_encoder,
)
from ...algorithms.matrices.matrix_mechanism import MatrixMechanism
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Line, Mark, Points, Sentence
from ...figures.results import stored
from ...figures.style import write

ONE_PASS = 64  # steps
PASSES = (1, 2, 4, 8, 16)
MEMORIES = (0, 1, 2, 3, 7, 15, 31, 63)
WORDS = {
    "bands": "bands",
    "buffers": "buffers",
    "again": "draws that are made again",
}


@stored(
    uses=(
        matrix_mechanism,
        optimal_bands,
        optimal_buffers,
        optimal_inverse_bands,
        optimal_participation,
        participation_bound,
        dual_certificate,
        _dual_ascent,
        buffered_toeplitz,
        sensitivity,
        toeplitz,
        toeplitz_encoder,
    ),
    passes=PASSES,
    one_pass=ONE_PASS,
    seed=0,
)
def error_of_memory(
    passes: tuple,
    one_pass: int,
    seed: int,  # noqa: ARG001  (nothing is drawn)
) -> dict:
    """Compute the mean error of each kind of noise, and what none is below.

    Of each kind a row for each number of passes, with the pairs of memory and error.
    Nothing is drawn, so the seed has no effect here.
    """
    kinds = [_errors(one_pass * k, k) for k in passes]
    return {name: [row[name] for row in kinds] for name in kinds[0]}


def _errors(T: int, k: int) -> dict[str, Any]:
    d = T // k
    rules: dict[str, Any] = {"participations": k, "separation": d}

    def measured(*encoders: Any) -> list[list[float]]:
        made = [MatrixMechanism(C, T, k, d, equally_spaced=True) for C in encoders]
        return [[each.memory, float(f"{each.mean_error:.6g}")] for each in made]

    widths = [b for b in (1, 2, 4, 8, 16, 32, 64) if b <= d]
    lags = optimal_inverse_bands.optimal_inverse_bands(T, bands=4, **rules)
    bound = participation_bound.participation_lower_bound(T, **rules)
    dense = []
    if T <= 256:
        best, proof = optimal_participation.optimal_epochs_factorization(T, epochs=k)
        dense, bound = measured(best), max(bound, proof.lower_bound)
    return {
        "bands": measured(*(optimal_bands.optimal_bands(T, bands=b) for b in widths)),
        "buffers": measured(
            *(optimal_buffers.optimal_buffers(T, buffers=m, **rules) for m in (1, 2, 3))
        ),
        "again": measured(toeplitz_encoder.InverseBands(lags.coefficients, True)),
        "root": measured(toeplitz.square_root_factorization(T)),
        "dense": dense,
        "bound": float(f"{bound * (1 - 1e-5):.6g}"),  # rounded, and still below
    }


def best_of(epochs: int, memory: int) -> tuple[str, float]:
    """Return the kind of least error that fits into a memory, and its error.

    Examples
    --------
    >>> best_of(4, 2)
    ('buffers', 5.78927)
    """
    checks.one_of(PASSES, epochs=epochs)
    checks.one_of(MEMORIES, memory=memory)
    rows, i = error_of_memory(), PASSES.index(epochs)
    tried = [
        (error, WORDS[name])
        for name in WORDS
        for kept, error in rows[name][i]
        if kept <= memory
    ]
    error, name = min(tried)
    return name, error


@figure(
    axes=Axes(
        "vectors of noise in memory, with the new one",
        "noise of a sum (one release: 1)",
        xlim=(1, 1024),
        ylim=(1.5, 100),
        xscale="log",
        yscale="log",
        xticks=(1, 4, 16, 64, 256, 1024),
        yticks=(2, 5, 10, 20, 50, 100),
    ),
    title="What memory buys, pass after pass",
    alt=(
        "Noise falls as memory grows. Bands start high and fall for long; one to three "
        "buffers are far lower at once. A level line below all of them is what no "
        "noise can be below."
    ),
    caption=(
        "A pass has 64 steps, and a record comes once in each, always in the same "
        "place. Root mean square over all sums, at noise multiplier 1 for all passes "
        "together: every point has the same price."
    ),
    identity="memory-and-error",
    epochs=Slider(PASSES, start=4),
    memory=Slider(MEMORIES, start=2),
)
def memory_and_error(epochs: int, memory: int) -> list[Mark]:
    """Draw the errors of all kinds of noise over their memory, above their bound.

    Examples
    --------
    >>> bands, buffers, *_ = memory_and_error(4, 2)
    >>> bool(buffers.y[1] < bands.y[1])  # two vectors
    True
    """
    name, error = best_of(epochs, memory)
    rows, i = error_of_memory(), PASSES.index(epochs)
    bound = rows["bound"][i]

    def line(kind: str, role: str) -> Line:
        vectors, errors = np.array(rows[kind][i]).T
        return Line(vectors + 1, errors, kind, role)

    dense = " The dense optimum meets this." if rows["dense"][i] else ""
    again = rows["again"][i][0][1]
    kept = "1 vector" if memory == 1 else f"{memory or 'no'} vectors"
    return [
        line("bands", "reference"),
        line("buffers", "private"),
        Points([1], [again], "draws made again", "measured"),
        Line([1, 1024], [bound, bound], "no noise is below", "bound"),
        Points([memory + 1], [error], "your memory", "private", moves="memory"),
        Sentence(
            f"At E = {{epochs}}, with {kept} in memory, {name} are best: a sum has "
            f"{write(error)} times the noise of one release. Whatever the memory, "
            f"nothing is below {write(bound)}.{dense}"
        ),
    ]
