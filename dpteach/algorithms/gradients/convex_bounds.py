"""Classical guarantees of gradient descent, with their constants; no privacy."""

from math import inf, sqrt

from ... import checks
from ...arrays import namespace
from ...problem import Problem
from ..pure._assumptions import radius, steepest_slopes
from ._descent import require_records


def best_learning_rate(*, steps: int, lipschitz: float, distance: float) -> float:
    r"""Compute the step at which ``regret_bound`` is least, R/(L√T).

    Returns
    -------
    float
        :math:`\eta`; as a regularization, its inverse. R may be the diameter of C.

    Examples
    --------
    >>> best_learning_rate(steps=100, lipschitz=2.0, distance=1.0)
    0.05
    """
    steps = checks.count(steps=steps)
    lipschitz, distance = checks.moderate(lipschitz=lipschitz, distance=distance)
    return distance / (lipschitz * sqrt(steps))


def regret_bound(
    *,
    steps: int,
    lipschitz: float,
    distance: float,
    learning_rate: float | None = None,
) -> float:
    """Bound the average regret of gradient descent by R²/(2ηT) + ηL²/2.

    L is at least the norm of every gradient that a step uses, or their root mean square
    if they are random and unbiased. By default η is the best one; it is 1/Λ for
    ``lazy_gradient_descent``. Source: Zinkevich (2003).

    Returns
    -------
    float
        The bound, for convex losses in any order. The excess risk of the average model
        obeys it too if all losses are one or, in expectation, are independent draws.

    Examples
    --------
    >>> regret_bound(steps=100, lipschitz=2.0, distance=1.0)  # RL/√T
    0.2
    """
    steps = checks.count(steps=steps)
    lipschitz, distance = checks.moderate(lipschitz=lipschitz, distance=distance)
    best = best_learning_rate(steps=steps, lipschitz=lipschitz, distance=distance)
    eta = best if learning_rate is None else learning_rate
    eta = checks.moderate(learning_rate=eta)
    return distance**2 / (2 * eta * steps) + eta * lipschitz**2 / 2


def strongly_convex_descent_bound(
    *, steps: int, lipschitz: float, strong_convexity: float
) -> float:
    """Bound the excess risk of the weighted average, 2L²/(m(T + 1)).

    Step t has the size 2/(m(t + 1)). Source: Lacoste-Julien, Schmidt and Bach (2012).

    Returns
    -------
    float
        For ``online_to_batch(path, weighted=True)``, with L as in ``regret_bound``.

    Examples
    --------
    >>> strongly_convex_descent_bound(steps=99, lipschitz=2.0, strong_convexity=1.0)
    0.08
    """
    steps = checks.count(steps=steps)
    lipschitz, strong_convexity = checks.moderate(
        lipschitz=lipschitz, strong_convexity=strong_convexity
    )
    return 2 * lipschitz**2 / (strong_convexity * (steps + 1))


def convex_constants(problem: Problem) -> dict[str, float]:
    """Compute what a problem's 𝓛 satisfies on C. [Definitions 6.1 to 6.3 and 6.16]

    The constants come from the data: a private algorithm must not be tuned by them.

    Returns
    -------
    dict of str to float
        ``lipschitz``, ``smoothness``, ``strong_convexity`` and ``curvature_constant``,
        of the sum over records; one that does not exist is infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.diag([1.0, 2.0]), np.zeros(2), losses.squared,
    ...             constraints.L2Ball(1.0))
    >>> list(convex_constants(D).values())  # 1² + 2², 2², 1², and 2² times 2²
    [5.0, 4.0, 1.0, 16.0]
    """
    require_records(problem)
    D, C, xp = problem, problem.constraint, namespace(problem.X)
    eigenvalues = xp.linalg.eigvalsh(D.X.T @ D.X)
    low, high = max(float(eigenvalues[0]), 0.0), float(eigenvalues[-1])
    slopes, sizes = steepest_slopes(D), D.row_norms
    beta = D.loss.smoothness * high if high else 0.0
    width = C.diameter(D.p)
    return {
        "lipschitz": float(xp.sum(xp.where(sizes > 0, slopes * sizes, 0 * sizes))),
        "smoothness": beta,
        "strong_convexity": _least_curvature(D) * low,
        "curvature_constant": beta * width**2 if beta and width else 0.0,
    }


def _least_curvature(problem: Problem) -> float:
    # φ″ has one peak, so it is least at an end of the scores that a record can have.
    D, C = problem, problem.constraint
    if D.loss.curvature is None:
        return 0.0
    xp, far = namespace(D.X), 1e9 + 0 * D.row_norms  # practically infinite
    if radius(C, D.p) < inf:
        far = radius(C, D.p) * D.row_norms
    return min(float(xp.min(D.loss.curvature(z, D.y))) for z in (far, -far))
