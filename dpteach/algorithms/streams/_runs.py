"""The checks that the algorithms of the DP-FTRL family share."""

from ... import checks
from ...arrays import namespace
from ...privacy import Relation
from ...problem import Problem
from ._stream import check_stream
from .tree import levels


def check_run(
    problem: Problem,
    noise_multiplier: float,
    regularization: float,
    relation: Relation,
    runs: tuple[int, ...],
) -> None:
    """Check the arguments that all algorithms of the family share."""
    checks.instance(Problem, problem=problem)
    noise_multiplier, regularization = checks.moderate(
        noise_multiplier=noise_multiplier, regularization=regularization
    )
    checks.shape((problem.n + 1) * problem.p, runs=runs)
    check_stream(relation)
    if problem.n == 0:
        raise ValueError(
            "`problem` must have at least one record, got none: an empty stream "
            "releases only θ_1, which does not depend on data."
        )


def check_reach(
    problem: Problem, clip_norm: float, noise_multiplier: float, regularization: float
) -> None:
    """Refuse models whose norms overflow."""
    clip_norm = checks.moderate(clip_norm=clip_norm)
    n, L, z, Lam = problem.n, clip_norm, noise_multiplier, regularization
    if not 1e-100 <= L * z <= 1e100:
        raise ValueError(
            f"`clip_norm` times `noise_multiplier` must be from 1e-100 to 1e100, got "
            f"{L!r} and {z!r}. Choose another unit."
        )
    largest = namespace(problem.X).finfo(problem.X.dtype).max ** 0.5
    if L * (n + 100 * z * levels(n)) / Lam * problem.p > 1e-3 * largest:
        raise ValueError(
            f"`regularization` must not be so small that models overflow, got {Lam!r} "
            f"for clip_norm={L!r}, noise_multiplier={z!r}. dp_ftrl_regularization "
            "finds a good one."
        )
