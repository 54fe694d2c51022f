"""The experiments on matrix factorization, as pure functions that ``explore`` draws."""

from functools import cache
from typing import Any

import numpy as np

from ... import checks
from ...algorithms.matrices.factorization import (
    Factorization,
    independent_factorization,
    naive_factorization,
    prefix_sum_lower_bound,
    tree_factorization,
)
from ...algorithms.matrices.optimal_buffers import optimal_buffers
from ...algorithms.matrices.optimal_factorization import optimal_factorization
from ...algorithms.matrices.toeplitz import square_root_factorization
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import (
    Cells,
    Line,
    Mark,
    Points,
    Sentence,
)
from ...figures.predict import Draw
from ...figures.style import write

LENGTHS = (4, 8, 16, 32, 64, 128, 256, 512)
FACTORIZATIONS = {
    "noise on each sum": naive_factorization,
    "noise on each vector": independent_factorization,
    "tree": tree_factorization,
    "tree, Honaker": lambda T: tree_factorization(T, estimator="honaker"),
    "tree, best weights": lambda T: tree_factorization(T, estimator="full"),
    "square root": square_root_factorization,
    "square root, normalized": lambda T: square_root_factorization(T, normalized=True),
    "two buffers": lambda T: optimal_buffers(T).factorization(T),
    "optimal": lambda T: optimal_factorization(T, tolerance=1e-3)[0],
}


_SQUARE: dict[str, Any] = {"xlim": (0, 1), "ylim": (0, 1), "xticks": (), "yticks": ()}


@cache
def made(factorization: str, steps: int) -> Factorization:
    """Make the factorization of that name."""
    checks.one_of(tuple(FACTORIZATIONS), factorization=factorization)
    return FACTORIZATIONS[factorization](steps)


@cache
def _mean_errors(factorization: str) -> tuple[float, ...]:
    return tuple(made(factorization, T).mean_error for T in LENGTHS)


# ------------------------------------------------------------------- two matrices

_T = 16
_ROWS = 2 * _T - 1  # as many as a tree has nodes


def _cells(matrix: np.ndarray, slots: int) -> tuple[np.ndarray, ...]:
    """Spread a matrix over the unit square; places that it does not need are empty."""
    level = np.abs(matrix) / np.abs(matrix).max()
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    x = (columns + 0.5) / matrix.shape[1]
    y = 1 - (rows + 0.5) / matrix.shape[0]
    spare = slots - matrix.size
    middle = np.full(spare, 0.5)
    return (
        np.r_[x, middle],
        np.r_[y, middle],
        np.r_[level.ravel(), np.zeros(spare)],
        np.r_[np.full(matrix.size, 1 / matrix.shape[1]), np.full(spare, 1e-3)],
        np.r_[np.full(matrix.size, 1 / matrix.shape[0]), np.full(spare, 1e-3)],
    )


@figure(
    axes=(
        Axes("vector", "what is noised", title="encoder C", **_SQUARE),
        Axes("noise", "sum", title="decoder B", **_SQUARE),
    ),
    title="Two matrices, one product",
    alt=(
        "Two squares of cells. For noise on each vector the encoder C is a diagonal "
        "and the decoder B a full triangle; for a tree both are made of blocks; for "
        "the square root both are triangles that fade from the diagonal."
    ),
    caption=(
        "T = 16. The fuller the color, the larger the entry, in absolute value. "
        "Error: noise of a sum, in units of the noise that one release needs."
    ),
    identity="two-matrices",
    factorization=Slider(tuple(FACTORIZATIONS), start="square root"),
)
def two_matrices(factorization: str) -> list[Mark]:
    """Draw the encoder and the decoder of 16 prefix sums.

    Examples
    --------
    >>> encoder, decoder, *_ = two_matrices("noise on each vector")
    >>> int((encoder.level > 0).sum()), int((decoder.level > 0).sum())  # C = I, B = A
    (16, 136)
    """
    now = made(factorization, _T)
    marks: list[Mark] = []
    for panel, matrix in enumerate((now.encoder, now.decoder)):
        x, y, level, width, height = _cells(matrix, _ROWS * _T)
        size: dict[str, Any] = {"width": width, "height": height, "panel": panel}
        marks.append(Cells(x, y, level, "size of an entry", "private", **size))
    spread = now.mean_error / now.sensitivity
    return [
        *marks,
        Sentence(
            f"With “{{factorization}}”, one vector moves Cx by at most "
            f"{write(now.sensitivity)}, and a sum collects {write(spread)} times the "
            f"noise that hides it. The product is the error: {write(now.mean_error)} "
            f"on average over 16 sums, {write(now.max_error)} at the worst."
        ),
    ]


# ------------------------------------------------------------------ the one plot


@figure(
    asks=Draw(
        "which-grow-slowly",
        "Noise on each vector grows like √T, and that of the tree like ln T. Draw the "
        "least noise that any factorization can have.",
        hides=["no factorization is below", "your method", "your T"],
        why="It grows like ln T, too: no factorization can avoid a growth like (ln "
        "T)/π. From the tree on, everything is a matter of constants.",
    ),
    axes=(
        Axes(
            "sums T",
            "noise of a sum (one release: 1)",
            xlim=(4, 512),
            ylim=(1, 25),
            xscale="log",
            yscale="log",
            xticks=LENGTHS,
            yticks=(1, 2, 5, 10, 20),
        ),
    ),
    title="One price, nine amounts of noise",
    alt=(
        "Rising curves. Noise on each vector grows as the root of T. The tree "
        "crosses below it near 10 and grows slowly; the square root and the optimum "
        "are lower still, and a bound lies just under them."
    ),
    caption=(
        "Root mean square over all T sums, each vector of norm at most 1, one "
        "participation per record. All cost the same at the same noise multiplier. The "
        "optimum is drawn to within 0.1%."
    ),
    identity="error-against-steps",
    steps=Slider(LENGTHS, start=128),
    factorization=Slider(tuple(FACTORIZATIONS), start="square root"),
)
def error_against_steps(steps: int, factorization: str) -> list[Mark]:
    """Compare the noise of prefix sums, method by method, at one price.

    Examples
    --------
    >>> independent, tree, best, bound, *_ = error_against_steps(16, "optimal")
    >>> bool(independent.y[-1] > tree.y[-1] > best.y[-1] > bound.y[-1])
    True
    """
    checks.one_of(LENGTHS, steps=steps)
    checks.one_of(tuple(FACTORIZATIONS), factorization=factorization)
    i = LENGTHS.index(steps)
    independent, tree, now = (
        _mean_errors(each)
        for each in ("noise on each vector", "tree, Honaker", factorization)
    )
    bound = [prefix_sum_lower_bound(T) for T in LENGTHS]
    return [
        Line(LENGTHS, independent, "noise on each vector", "reference"),
        Line(LENGTHS, tree, "tree, Honaker’s weights", "measured"),
        Line(LENGTHS, now, "your method", "private"),
        Line(LENGTHS, bound, "no factorization is below", "bound"),
        Points([steps], [now[i]], "your T", "private", moves="steps"),
        Sentence(
            f"Over {{steps}} sums, “{{factorization}}” has {write(now[i])} times the "
            f"noise of one release. Honaker’s tree has {write(tree[i])}, noise on each "
            f"vector {write(independent[i])}, and nothing is below {write(bound[i])}."
        ),
    ]
