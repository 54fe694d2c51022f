"""What a privacy proof assumes about the data, kept up record by record.

For a convex φ the slope |φ′| is largest at an end of the scores that a record can have
on C. So each record's Lipschitz constant is known exactly, for every loss.
"""

from dataclasses import replace
from math import inf, sqrt

import numpy as np

from ... import checks
from ...arrays import Array, blocks, largest_entries, namespace
from ...constraints import Constraint, ConvexSet, Everywhere
from ...problem import Problem

# Rows scaled to norm 1 have a norm of 1 up to rounding: a few hundred roundings pass.
ROUNDINGS = 256


def radius(constraint: Constraint, p: int) -> float:
    """Compute max ‖θ‖₂ over C; of a set of one's own nothing is known."""
    known = isinstance(constraint, ConvexSet)
    return constraint.largest_norm(p) if known else inf


def models(problem: Problem, **named: Array) -> None:
    """Refuse what is not an array of finite models, one per row: shape ``(k, p)``."""
    for name, value in named.items():
        checks.finite_array(ndim=2, **{name: value})
        if value.shape[-1] != problem.p:
            raise ValueError(
                f"`{name}` must have shape (k, {problem.p}), one model per row, "
                f"got {tuple(value.shape)}."
            )


def bounded(problem: Problem) -> None:
    """Refuse a constraint set without a bound."""
    if isinstance(problem.constraint, Everywhere):
        raise ValueError(
            "`problem` must have a bounded constraint set, got Everywhere(). "
            "Give one, such as constraints.L2Ball(1.0)."
        )


def steepest_slopes(problem: Problem) -> Array:
    """Compute max over C of |φ′| for each record, shape ``(n,)``."""
    X, y, loss, C = problem.X, problem.y, problem.loss, problem.constraint
    xp = namespace(X)
    if loss.classes is not None or radius(C, problem.p) == inf:
        return xp.full((X.shape[0],), loss.lipschitz, dtype=X.dtype, device=X.device)
    far = C.largest_scores(X)  # pyright: ignore[reportAttributeAccessIssue]
    ends = xp.stack([loss.slope(far, y), loss.slope(-far, y)])
    return xp.max(xp.abs(ends), axis=0)


def within_bounds(problem: Problem, out_of_bounds: str, **stated: float) -> Problem:
    """Scale down each row whose gradient on C, or curvature, exceeds what is stated.

    What a record becomes depends on itself and on public numbers; see ``shares``.
    """
    share = shares(problem, out_of_bounds, **stated)
    return replace(problem, X=scaled_rows(problem.X, share))


def shares(
    problem: Problem,
    out_of_bounds: str,
    *,
    order: float = 2,
    smoothness: float = inf,
    **lipschitz: float,
) -> Array:
    """Compute the share of each row that keeps to the stated bounds, shape ``(n,)``.

    A slope does not grow as the scores shrink, so a row times L/(its largest gradient)
    has gradients of at most L on C. ``order`` is the norm of a gradient: 2, or infinity
    for an ℓ₁-Lipschitz loss. With "refuse", a record out of bounds is an error.
    """
    ((name, L),) = lipschitz.items()
    checks.one_of(("clip", "refuse"), out_of_bounds=out_of_bounds)
    require_convex_set(problem)
    X, loss, xp = problem.X, problem.loss, namespace(problem.X)
    with np.errstate(all="ignore"):  # a warning would tell of a record
        norms = problem.row_norms if order == 2 else largest_entries(X)
        size = xp.astype(norms, xp.float64)
        slope = xp.astype(steepest_slopes(problem), xp.float64)
        # A row of zeros has no gradient, whatever the slope of the loss: 0 · inf is 0.
        share = share_within(xp.where(size > 0, slope * size, 0 * size), L)
        bounds = {name: L}
        if smoothness < inf:
            bounds["smoothness"] = smoothness
            longest = sqrt(smoothness / loss.smoothness) if loss.smoothness else inf
            share = xp.minimum(share, share_within(size, longest))
    return kept_shares(share, X, out_of_bounds, **bounds)


def share_within(largest: Array, bound: float) -> Array:
    """Compute min{1, bound/largest}, and 0 where ``largest`` is no number."""
    xp = namespace(largest)
    share = xp.where(largest <= bound, xp.ones_like(largest), bound / largest)
    return xp.where(xp.isfinite(largest), share, xp.zeros_like(share))


def kept_shares(share: Array, X: Array, out_of_bounds: str, **stated: float) -> Array:
    """Return the shares; with "refuse", demand that all are 1 up to rounding."""
    xp = namespace(X)
    least = 1 - ROUNDINGS * float(xp.finfo(X.dtype).eps)
    if out_of_bounds == "refuse" and bool(xp.any(share < least)):
        raise beyond(**stated)
    return share


def beyond(**stated: float) -> ValueError:
    """Say that a record exceeds what is stated, and nothing of the record."""
    names = " and ".join(f"`{name}`" for name in stated)
    values = " and ".join(f"{value!r}" for value in stated.values())
    return ValueError(
        f"{names} must bound every record, got {values}, and a record exceeds it. Give "
        "a larger public bound, or take out_of_bounds='clip', which scales such "
        "records down."
    )


def scaled_rows(X: Array, share: Array, overwrite: bool = False) -> Array:
    """Multiply each row by its share; a row whose share is 1 keeps every bit.

    By blocks, so that memory is taken for the result alone, or for none if a NumPy X
    may be overwritten. All rows are written, even if none is scaled: time may not tell
    whether one was.
    """
    xp, n = namespace(X), X.shape[0]
    parts = (_scaled(X[rows, :], share[rows]) for rows in blocks(n))
    if xp is not np:
        return xp.concat(list(parts) or [X])
    scaled = X if overwrite else np.empty_like(X)
    for rows, part in zip(blocks(n), parts, strict=True):
        scaled[rows] = part
    return scaled


def _scaled(X: Array, share: Array) -> Array:
    xp, size = namespace(X), largest_entries(X)
    unit = X / xp.where(size > 0, size, xp.ones_like(size))[:, None]
    # 32 bits may not hold a share, but they hold the largest entry's size times it.
    short = xp.astype(xp.astype(size, share.dtype) * share, X.dtype)
    return xp.where((share < 1)[:, None], unit * short[:, None], X)


def require_convex_set(problem: Problem) -> None:
    """Refuse a set of one's own, and one on which the loss has no largest slope."""
    # Projecting noisy gradients is post-processing. Here the proof rests on C itself.
    if not isinstance(problem.constraint, ConvexSet):
        raise TypeError(
            "`problem` must have one of the sets in dpteach.constraints, got "
            f"{problem.constraint!r}. Privacy rests on a convex set here, and the "
            "convexity of other sets cannot be checked; dp_sgd takes any set."
        )
    endless = radius(problem.constraint, problem.p) == inf
    if endless and problem.loss.lipschitz == inf:
        raise ValueError(
            f"`problem` must have bounded gradients, got the {problem.loss.name} "
            f"loss on {problem.constraint!r}. Give a bounded constraint set."
        )


def require_differentiable(problem: Problem) -> None:
    """Refuse a loss with a kink."""
    if problem.loss.smoothness == inf:
        raise ValueError(
            f"`problem` must have a smooth loss, got {problem.loss.name}, which has a "
            "kink: the minimum would lie on records. Use losses.huber or logistic."
        )
