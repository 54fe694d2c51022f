"""Section 6.4.1. Frank-Wolfe: greedy steps to corners of a polytope, not private."""

from collections.abc import Callable

from ... import checks
from ...arrays import Array, namespace
from ...problem import Problem
from ._corners import Walk, corner_scores, require_polytope
from .sparse import SparseProblem


def decreasing_step(t: int) -> float:
    """Compute the step 2/(t + 1), which forgets the starting point. [Theorem 6.19]

    Parameters
    ----------
    t : int
        The number of the step, from 1.

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
    r"""Minimize by steps toward the best corner. Not private. [Algorithm 5]

    Parameters
    ----------
    problem : Problem or SparseProblem
        The data, a smooth convex loss of one score, and an L1Ball or a Simplex.
    steps : int
        :math:`T`, how many models there are; T − 1 steps lead from the first to the
        last.
    step : callable, optional
        Maps t = 1, 2, … to :math:`\gamma_t` in (0, 1]; constant steps do not converge.

    Returns
    -------
    Array
        All models :math:`\theta_1, \dots, \theta_T`, shape ``(T, p)``; the last is the
        answer. Not a ``Release``: nothing here is private.

    Notes
    -----
    Source: Algorithm 5; E-33.

    References
    ----------
    * Frank and Wolfe (1956), An Algorithm for Quadratic Programming.
    * Jaggi (2013), Revisiting Frank-Wolfe: Projection-Free Sparse Convex Optimization.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]])
    >>> y = np.array([1.0, 1.0, 0.5])
    >>> D = Problem(X, y, losses.squared, constraints.L1Ball(1.0))
    >>> frank_wolfe(D, steps=5)[-1].round(3)
    array([ 0.8, -0.2])
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


def frank_wolfe_gap(problem: Problem | SparseProblem, theta: Array) -> Array:
    r"""Certify how far each model is from the minimum. Not private. [Section 6.4.1]

    .. math:: \max_{s \in S}\,\langle\nabla f(\theta), \theta - s\rangle
              \ge f(\theta) - f(\theta^*)

    Parameters
    ----------
    problem : Problem or SparseProblem
        The data, a convex loss of one score, and an L1Ball or a Simplex.
    theta : Array
        Models, one per row, shape ``(k, p)``.

    Returns
    -------
    Array
        Upper bounds on the excess risk, shape ``(k,)``, at one gradient each.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]])
    >>> y = np.array([1.0, 1.0, 0.5])
    >>> D = Problem(X, y, losses.squared, constraints.L1Ball(1.0))
    >>> frank_wolfe_gap(D, np.zeros((1, 2)))
    array([2.])
    """
    require_polytope(problem)
    checks.finite_array(ndim=2, theta=theta)
    if theta.shape[1] != problem.p:
        raise ValueError(
            f"`theta` must have shape (k, {problem.p}), got {tuple(theta.shape)}."
        )
    xp, g = namespace(theta), problem.gradient(theta)
    least = xp.min(corner_scores(problem.constraint, g), axis=-1)
    return xp.sum(g * theta, axis=-1) - least


def frank_wolfe_risk_bound(*, curvature_constant: float, steps: int) -> float:
    r"""Bound the excess of the last model, 2Γ/(T + 1). [Theorem 6.19]

    Parameters
    ----------
    curvature_constant : float
        :math:`\Gamma_f` of the function that is minimized: for
        :math:`\tfrac12\|X\theta - y\|^2` it is :math:`\max\|X(a - b)\|_2^2` over C.
    steps : int
        :math:`T`, how many models there are, at least 2.

    Returns
    -------
    float
        The bound, with the decreasing step, in the function's unit.

    Notes
    -----
    Source: Theorem 6.19, with the step that it needs (E-33); E-31 for Γ.

    Examples
    --------
    >>> frank_wolfe_risk_bound(curvature_constant=4.0, steps=7)
    1.0
    """
    curvature_constant = checks.moderate(curvature_constant=curvature_constant)
    steps = checks.count(2, steps=steps)
    return 2 * curvature_constant / (steps + 1)
