"""What algorithms on the noisy moments of a data set share."""

import numpy as np

from ... import checks
from ...arrays import (
    Array,
    block_sum,
    lowered,
    lowered_for_sum,
    namespace,
    row_norms,
    standard_normal,
)
from ..pure._assumptions import beyond, kept_shares, scaled_rows, share_within


def bounded_rows(X: Array, row_norm: float, out_of_bounds: str) -> Array:
    """Return X in 64 bits, each row scaled down to a norm of at most B."""
    checks.finite_array(ndim=2, X=X)
    row_norm = checks.moderate(row_norm=row_norm)
    checks.one_of(("clip", "refuse"), out_of_bounds=out_of_bounds)
    if X.shape[1] == 0:
        raise ValueError(
            f"`X` must have at least one column, got shape {tuple(X.shape)}."
        )
    xp = namespace(X)
    given, X = X, xp.astype(X, xp.float64)
    with np.errstate(all="ignore"):  # a warning would tell of a record
        share = share_within(row_norms(X), row_norm)
        kept = kept_shares(share, given, out_of_bounds, row_norm=row_norm)
        return scaled_rows(X, kept)


def bounded_labels(y: Array, X: Array, label_bound: float, out_of_bounds: str) -> Array:
    """Return one label per row of X in 64 bits, each cut to [−Y, Y]."""
    checks.finite_array(ndim=1, y=y)
    label_bound = checks.between(0, 1e100, label_bound=label_bound)
    if y.shape[0] != X.shape[0]:
        raise ValueError(
            f"`y` must have shape ({X.shape[0]},), one label per row of X, got "
            f"{tuple(y.shape)}."
        )
    xp = namespace(y)
    y = xp.astype(y, xp.float64)
    cut = xp.clip(y, min=-label_bound, max=label_bound)
    if out_of_bounds == "refuse" and bool(xp.any(cut != y)):
        raise beyond(label_bound=label_bound)
    return cut


def moments(X: Array, Y: Array) -> Array:
    """Compute XᵀY times a little less than 1, so that it moves as in real numbers.

    Scaling all records down by what rounding may add to the sum's sensitivity has the
    effect of a lower clip norm: see ``lowered_for_sum``.
    """
    xp, (n, p) = namespace(X), X.shape
    total = block_sum(lambda at: xp.matrix_transpose(X[at, :]) @ Y[at, ...], n)
    return lowered_for_sum(lowered(1.0, 4 * p), n) * total


def symmetric_noise(rng, runs: tuple[int, ...], p: int, like: Array) -> Array:
    """Draw a symmetric matrix of variance 1 on its diagonal, and 1/2 off it.

    That gives each direction of the space of symmetric matrices the same noise.
    """
    xp = namespace(like)
    G = standard_normal(rng, (*runs, p, p), like)
    return (G + xp.matrix_transpose(G)) / 2
