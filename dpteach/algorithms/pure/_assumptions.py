"""What a privacy proof assumes about the data, checked record by record.

For a convex φ the slope |φ′| is largest at an end of the scores that a record can have
on C. So each record's Lipschitz constant is known exactly, for every loss.
"""

from math import inf

from ... import checks
from ...arrays import Array, largest_entries, namespace
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


def require_lipschitz(
    problem: Problem, *, order: float = 2, **constant: float
) -> float:
    """Return ``constant``; refuse data if a record's gradient exceeds it in C.

    ``order`` is the norm of the gradient: 2, or infinity for an ℓ₁-Lipschitz loss.
    """
    stated = checks.moderate(**constant)
    # Projecting noisy gradients is post-processing. Here the proof rests on C itself.
    if not isinstance(problem.constraint, ConvexSet):
        raise TypeError(
            "`problem` must have one of the sets in dpteach.constraints, got "
            f"{problem.constraint!r}. Privacy rests on a convex set here, and the "
            "convexity of other sets cannot be checked; dp_sgd takes any set."
        )
    if problem.n == 0:
        return stated
    xp = namespace(problem.X)
    size = problem.row_norms if order == 2 else largest_entries(problem.X)
    # A row of zeros has no gradient, whatever the slope of the loss: 0 · inf is 0.
    slopes = xp.where(size > 0, steepest_slopes(problem), 0 * size)
    largest = float(xp.max(slopes * size))
    if largest == inf:
        raise ValueError(
            f"`problem` must have bounded gradients, got the {problem.loss.name} "
            f"loss on {problem.constraint!r}. Give a bounded constraint set."
        )
    what = "the largest norm of a record's gradient on the constraint set"
    require_at_least(largest, what, problem.X, **constant)
    return stated


def require_smooth(problem: Problem, smoothness: float) -> float:
    """Return β; refuse a loss with a kink, and a record of curvature above β."""
    smoothness = checks.moderate(smoothness=smoothness)
    require_differentiable(problem)
    if problem.n > 0:
        longest = float(namespace(problem.X).max(problem.row_norms))
        largest, what = problem.loss.smoothness * longest**2, "the largest curvature"
        require_at_least(largest, what, problem.X, smoothness=smoothness)
    return smoothness


def require_differentiable(problem: Problem) -> None:
    """Refuse a loss with a kink."""
    if problem.loss.smoothness == inf:
        raise ValueError(
            f"`problem` must have a smooth loss, got {problem.loss.name}, which has a "
            "kink: the minimum would lie on records. Use losses.huber or logistic."
        )


def require_at_least(largest: float, what: str, X: Array, **constant: float) -> None:
    """Refuse a stated constant that the data exceed, up to rounding."""
    ((name, value),) = constant.items()
    roundings = ROUNDINGS * float(namespace(X).finfo(X.dtype).eps)
    if largest > float(value) * (1 + roundings):
        raise ValueError(
            f"`{name}` must be at least {largest:.6g}, {what}, got {value!r}. Scale or "
            f"clip the rows of X to a public bound first, or raise `{name}` to one."
        )
