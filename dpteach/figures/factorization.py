"""The experiments on matrix factorization: pure, drawn by ``explore``.

Beside each experiment stands what ``explore`` has to know of it, in capitals.
"""

from functools import cache
from typing import Any

import numpy as np

from .. import checks
from ..algorithms.factorization import (
    Factorization,
    independent_factorization,
    prefix_sum_lower_bound,
    tree_factorization,
)
from ..algorithms.toeplitz import banded_factorization, square_root_factorization
from .axes import Axes
from .marks import Cells, Line, Mark, Points, Sentence
from .style import write

LENGTHS = (4, 8, 16, 32, 64, 128, 256, 512)
WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@cache
def _mean_errors(method: str) -> tuple[float, ...]:
    make = {
        "independent": independent_factorization,
        "tree": lambda T: tree_factorization(T, estimator="honaker"),
        "root": lambda T: square_root_factorization(T, normalized=True),
    }[method]
    return tuple(make(T).mean_error for T in LENGTHS)


def error_against_steps(steps: int) -> list[Mark]:
    """Compare the noise of prefix sums, method by method, at one price.

    Parameters
    ----------
    steps : int
        How many sums are released: one of ``LENGTHS``.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If ``steps`` is none of these.

    Examples
    --------
    >>> independent, tree, root, bound, *_ = error_against_steps(16)
    >>> bool(independent.y[-1] > tree.y[-1] > root.y[-1] > bound.y[-1])
    True
    """
    checks.one_of(LENGTHS, steps=steps)
    i = LENGTHS.index(steps)
    independent, tree, root = (
        _mean_errors(method) for method in ("independent", "tree", "root")
    )
    bound = [prefix_sum_lower_bound(T) for T in LENGTHS]
    first, second = ("independent noise", "the tree")
    if independent[i] > tree[i]:
        first, second = second, first
    return [
        Line(LENGTHS, independent, "noise on each vector (DP-SGD)", "reference"),
        Line(LENGTHS, tree, "tree, Honaker's weights", "measured"),
        Line(LENGTHS, root, "square root, columns of norm 1", "private"),
        Line(LENGTHS, bound, "no factorization is below", "bound"),
        Points([steps], [root[i]], "your T", "private"),
        Sentence(
            f"After {{steps}} sums, {first} is less noisy than {second}: "
            f"{write(min(independent[i], tree[i]))} against "
            f"{write(max(independent[i], tree[i]))} times the noise of one release. "
            f"The square root has {write(root[i])}; none is below {write(bound[i])}."
        ),
    ]


ERROR_AGAINST_STEPS: dict[str, Any] = {
    "axes": (
        Axes(
            "sums T",
            "noise of a sum, over one release's",
            xlim=(4, 512),
            ylim=(1, 20),
            xscale="log",
            yscale="log",
            xticks=LENGTHS,
            yticks=(1, 2, 5, 10, 20),
        ),
    ),
    "title": "One price, four amounts of noise",
    "alt": (
        "Four rising curves. Independent noise grows as the root of T. The tree "
        "crosses below it near 10 and grows slowly; the square root is lower still, "
        "and a bound lies just under it."
    ),
    "caption": (
        "Root mean square over all T sums, each vector of norm at most 1, one "
        "participation a record. All four cost the same at the same noise multiplier."
    ),
    "identity": "error-against-steps",
}


@cache
def _banded(bands: int, steps: int) -> Factorization:
    return banded_factorization(steps, bands=bands)


def bands_and_error(bands: int) -> list[Mark]:
    """Show how bands link steps, from DP-SGD to the square root.

    Parameters
    ----------
    bands : int
        How many coefficients are kept: one of ``WIDTHS``.

    Returns
    -------
    list of marks
        What ``explore`` draws.

    Raises
    ------
    ValueError, TypeError
        If ``bands`` is none of these.

    Examples
    --------
    >>> cells, error, *_ = bands_and_error(1)  # the identity: 32 full cells
    >>> int((cells.level > 0).sum()), len(error.x) == len(WIDTHS)
    (32, True)
    """
    checks.one_of(WIDTHS, bands=bands)
    size = 32
    C = _banded(min(bands, size), size).encoder
    row, column = np.indices(C.shape).reshape(2, -1) + 1
    errors = [_banded(b, 256).mean_error for b in WIDTHS]
    now = errors[WIDTHS.index(bands)]
    return [
        Cells(column, size + 1 - row, C.ravel(), "entry of C", "private"),
        Line(WIDTHS, errors, "noise of a sum", "private", panel=1),
        Points([bands], [now], "your b", "private", panel=1),
        Sentence(
            f"With {{bands}} bands a step shares its noise with those fewer than "
            f"{bands} steps away, and a sum has {write(now)} times the noise of one "
            f"release. Steps {bands} apart share none, and can be sampled afresh."
        ),
    ]


BANDS_AND_ERROR: dict[str, Any] = {
    "axes": (
        Axes(
            "vector",
            "row of C, the first on top",
            xlim=(0.5, 32.5),
            ylim=(0.5, 32.5),
            yticks=(),
            title="T = 32",
        ),
        Axes(
            "bands b",
            "noise of a sum, over one release's",
            xlim=(1, 256),
            ylim=(2, 12),
            xscale="log",
            yscale="log",
            xticks=WIDTHS,
            yticks=(2, 3, 5, 12),
            title="T = 256",
        ),
    ),
    "title": "From independent noise to the square root",
    "alt": (
        "Left, a matrix that is a diagonal for one band and a full triangle for many. "
        "Right, the noise of a sum falls from 11 to below 3 as bands are added."
    ),
    "caption": (
        "Root mean square over all T sums, one participation a record, no sampling. "
        "With sampling, few bands gain more: the best b is then in between."
    ),
    "identity": "bands-and-error",
}
