"""What the descents without privacy share: checks of arguments and of iterates."""

from collections.abc import Callable

from ... import checks
from ...arrays import Array, namespace
from ...problem import Problem

# One step size for all t, or a function of t = 1, 2, …
Rate = float | Callable[[int], float]


def rate_of(learning_rate: Rate) -> Callable[[int], float]:
    """Check the argument; return t ↦ η_t."""
    if callable(learning_rate):
        return learning_rate
    learning_rate = checks.moderate(learning_rate=learning_rate)
    return lambda _: learning_rate  # pyright: ignore[reportReturnType]: a number


def require_records(problem: Problem) -> None:
    """Refuse a problem without records: there is nothing to draw, or to learn from."""
    checks.instance(Problem, problem=problem)
    if problem.n == 0:
        raise ValueError("`problem` must have at least one record, got none.")


def require_finite(theta: Array, **rate: object) -> Array:
    """Refuse a model that diverged: if steps are too long, each overshoots more."""
    xp = namespace(theta)
    if not bool(xp.all(xp.isfinite(theta))):
        (name, value), *_ = rate.items()
        side = "large" if name == "learning_rate" else "small"
        raise ValueError(
            f"`{name}` must not be so {side} that models overflow, got {value!r}. "
            "A step of at most 2 over the smoothness of the sum is safe."
        )
    return theta


def first_model(problem: Problem, start: Array | None) -> Array:
    """Check the arguments; compute Π_C(start)."""
    checks.instance(Problem, problem=problem)
    if start is None:
        return problem.constraint.project(problem.zeros())
    checks.finite_array(ndim=1, start=start)
    if start.shape[0] != problem.p:
        raise ValueError(
            f"`start` must have shape ({problem.p},), got {tuple(start.shape)}."
        )
    return problem.constraint.project(start)
