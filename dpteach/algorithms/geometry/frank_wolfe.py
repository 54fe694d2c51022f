"""Section 6.4.1. Frank-Wolfe: greedy steps to corners of a polytope, not private."""

from collections.abc import Callable

from ... import checks
from ...arrays import Array, namespace
from ...problem import Problem
from ._corners import Walk, corner_scores, require_polytope
from .sparse import SparseProblem


def decreasing_step(t: int) -> float:
    """Compute the step 2/(t + 1), which forgets the starting point. [Theorem 6.19]

    Returns
    -------
    float
        γ_t. The first step is 1, so nothing of θ_1 remains.

    Examples
    --------
    >>> decreasing_step(1), decreasing_step(3)
    (1.0, 0.5)
    """
    t = checks.count(t=t)
    return 2 / (t + 1)


def frank_wolfe(
    problem: Problem | SparseProblem,
    *,
    steps: int,
    step: Callable[[int], float] = decreasing_step,
) -> Array:
    """Minimize by steps toward the best corner. Not private. [Algorithm 5]

    Sources: Algorithm 5, with E-33; Frank and Wolfe (1956), Jaggi (2013).

    Parameters
    ----------
    problem : Problem or SparseProblem
        The data, a smooth convex loss of one score, and an L1Ball or a Simplex.
    steps : int
        :math:`T`, how many models there are: T − 1 steps lead from first to last.

    Returns
    -------
    Array
        All models, shape ``(T, p)``; the last is the answer.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.squared, constraints.L1Ball(1.0))
    >>> frank_wolfe(D, steps=6)[:, 0].round(2)  # back and forth, ever nearer to 1/2
    array([0.  , 1.  , 0.33, 0.67, 0.4 , 0.6 ])
    """
    require_polytope(problem)
    steps = checks.count(steps=steps)
    checks.fits(steps * problem.p, steps=steps)
    if not callable(step):
        raise TypeError(
            f"`step` must be a function of t, such as decreasing_step, got {step!r}."
        )
    D, C, T, path = problem, problem.constraint, steps, []

    # 1: Choose an arbitrary θ_1 from C
    walk = Walk(D, ())
    xp = namespace(walk.theta)
    # 2: for t = 1 to T−1 do
    for t in range(1, T):
        path.append(walk.theta)
        # 3: Compute θ̂_t = argmin_{θ∈C} ⟨∇f(θ_t), θ − θ_t⟩
        best = xp.argmin(corner_scores(C, walk.gradient()), axis=-1)
        # 4: Set θ_{t+1} = θ_t + γ_t(θ̂_t − θ_t), where γ_t = 2/(t + 1)  [E-33]
        walk.move(best, step(t))
    # 5: end for
    path.append(walk.theta)
    # 6: return θ_T
    return xp.stack(path)
