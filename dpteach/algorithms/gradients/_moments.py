"""What algorithms on the noisy moments of a data set share."""

from ... import checks
from ...arrays import Array, namespace, row_norms, standard_normal
from ..pure._assumptions import require_at_least


def require_rows(X: Array, row_norm: float) -> None:
    """Refuse an X that is empty or has a row longer than stated."""
    checks.finite_array(ndim=2, X=X)
    row_norm = checks.moderate(row_norm=row_norm)
    if 0 in X.shape:
        raise ValueError(f"`X` must not be empty, got shape {tuple(X.shape)}.")
    largest = float(namespace(X).max(row_norms(X)))
    require_at_least(largest, "a row's largest norm", X, row_norm=row_norm)


def symmetric_noise(rng, runs: tuple[int, ...], p: int, like: Array) -> Array:
    """Draw a symmetric matrix of variance 1 on its diagonal, and 1/2 off it.

    That gives each direction of the space of symmetric matrices the same noise.
    """
    xp = namespace(like)
    G = standard_normal(rng, (*runs, p, p), like)
    return (G + xp.matrix_transpose(G)) / 2
