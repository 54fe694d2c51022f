"""Figure of the chapter on machines: a record that changes what others contribute."""

from typing import Any

import numpy as np

from ... import checks, losses, problem
from ...constraints import Everywhere
from ...figures.axes import Axes
from ...figures.explore import Slider
from ...figures.figure import figure
from ...figures.marks import Bars, Line, Mark, Sentence
from ...figures.results import stored
from ...figures.style import write
from ...problem import Problem

WIDTHS = (5, 8, 10, 16, 20, 50, 100)
DTYPES = ("float32", "float64")
_ROWS = range(96, 129)


def move(with_it: np.ndarray, without: np.ndarray, L: float) -> float:
    """Measure how far one record moved a sum, in clip norms.

    Examples
    --------
    >>> move(np.array([3.0, 4.0]), np.zeros(2), 5.0)
    1.0
    """
    return float(np.linalg.norm(with_it - without)) / L


def plain_sum(theta: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Add up the hinge's gradients at the scores of one matrix product.

    Every label is 1, so that a record counts if its score is below 1.

    Examples
    --------
    >>> plain_sum(np.array([1.0, 0.0]), np.array([[0.5, 2.0], [3.0, 0.0]]))
    array([-0.5, -2. ])
    """
    return -(X[theta @ X.T < 1].astype(float)).sum(axis=0)


@stored(uses=(problem, losses), seed=0, trials=60)
def moves_by_place(seed: int, trials: int) -> dict[str, Any]:
    """Find how far one record whose own gradient is 0 moves a sum of hinge gradients.

    All other records are alike, and their score is 1 up to its last bit, where the
    hinge has its kink. The largest move over all trials is kept for each number of rows
    and each width, for one product of matrices and for ``Problem``.
    """
    rng = np.random.default_rng(seed)
    values: dict[str, Any] = {}
    for dtype in DTYPES:
        for p in WIDTHS:
            most = {"plain": [0.0] * len(_ROWS), "ours": [0.0] * len(_ROWS)}
            for _ in range(trials):
                theta, x = rng.standard_normal((2, p))
                x = (x / (x @ theta)).astype(dtype)
                scores = theta.astype(dtype) @ np.repeat(x[None], 127, axis=0).T
                for score in set(map(float, scores)):
                    at = (theta / score).astype(dtype)
                    added = (10 * at / (at @ at)).astype(dtype)  # its score is 10
                    for k, n in enumerate(_ROWS):
                        X = np.repeat(x[None], n, axis=0)
                        both = np.concatenate([added[None], X])
                        _keep(most, k, at, both, X)
            values[f"{dtype} {p}"] = most
    return values


def _keep(most: dict, k: int, theta: np.ndarray, both: np.ndarray, X: np.ndarray):
    L = float(np.linalg.norm(X[0].astype(float)))
    plain = move(plain_sum(theta, both), plain_sum(theta, X), L)
    most["plain"][k] = round(max(most["plain"][k], plain), 3)
    sums = [
        Problem(rows, np.ones(len(rows)), losses.hinge, Everywhere()).clipped_gradient(
            theta, L
        )
        for rows in (both, X)
    ]
    most["ours"][k] = round(max(most["ours"][k], move(sums[0], sums[1], L)), 3)


@figure(
    axes=Axes(
        "records before one is added",
        "largest move of the sum, in clip norms L",
        xlim=(95, 129),
        ylim=(0, 4),
        xticks=(96, 104, 112, 120, 128),
    ),
    title="A record that changes what others contribute",
    alt=(
        "Bars over the number of records. For one product of matrices, some reach "
        "several clip norms, although the record that is added has gradient zero. For "
        "products row by row, all are zero."
    ),
    caption=(
        "Hinge loss. The record that is added has gradient 0, so the sum should not "
        "move. All others are alike, with a score of 1 up to the last bit. The largest "
        "of 60 trials for each number of rows, on one processor with one library of "
        "matrix products; others have other patterns."
    ),
    identity="moves-by-place",
    dtype=Slider(DTYPES, start="float64"),
    p=Slider(WIDTHS, start=20),
)
def by_place(dtype: str, p: int) -> list[Mark]:
    """Draw how far a record of gradient 0 moves a sum, for each number of rows.

    Examples
    --------
    >>> bars, line, _ = by_place("float64", 20)
    >>> len(bars.x), float(line.y.max())
    (33, 0.0)
    """
    checks.one_of(DTYPES, dtype=dtype)
    checks.one_of(WIDTHS, p=p)
    most = moves_by_place()[f"{dtype} {p}"]
    worst = max(most["plain"])
    count = sum(value > 0 for value in most["plain"])
    return [
        Bars(list(_ROWS), most["plain"], "one product of matrices", "broken"),
        Line(list(_ROWS), most["ours"], "row by row", "private"),
        Sentence(
            f"{{dtype}}, p = {{p}}: with one product of matrices a record of gradient "
            f"0 moves the sum by up to {write(worst)} L, at {count} of 33 sizes of the "
            f"table; row by row by {write(max(most['ours']))} L."
        ),
    ]
