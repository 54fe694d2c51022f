"""What algorithms in which each user reports once have in common."""

from ... import checks
from ...privacy import Trace
from ...problem import Problem


def check_one_pass(
    problem: Problem, path_every: int, runs: tuple[int, ...], trace: Trace | None
) -> None:
    """Check the arguments that they share."""
    checks.instance(Problem, problem=problem)
    if problem.n == 0:
        raise ValueError(
            "`problem` must hold at least one record, got n = 0. "
            "Without users there are no steps."
        )
    path_every = checks.count(path_every=path_every)
    if path_every > problem.n:
        raise ValueError(
            f"`path_every` must be at most n = {problem.n}, got {path_every}. "
            "Lower it, because otherwise no model is kept."
        )
    checks.shape(problem.n // path_every * problem.p, runs=runs)
    checks.instance((Trace, type(None)), trace=trace)


def noise_scale(epsilon: float, clip_norm: float) -> float:
    """Compute 2G/ε, the scale of the noise, if its square is a float."""
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    scale = 2 * clip_norm / epsilon
    if not 1e-140 < scale < 1e140:
        raise ValueError(
            f"`epsilon` must be similar in magnitude to `clip_norm`, got {epsilon} and "
            f"{clip_norm}: the noise's scale, 2G/ε, leaves the range of floating-point "
            "numbers."
        )
    return scale
