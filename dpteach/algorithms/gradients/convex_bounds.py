"""Classical guarantees of gradient descent, with their constants; no privacy."""

from math import inf, sqrt

from ... import checks
from ...arrays import namespace
from ...problem import Problem
from ..pure._assumptions import radius, steepest_slopes
from ._descent import require_records


def best_learning_rate(*, steps: int, lipschitz: float, distance: float) -> float:
    r"""Compute the step at which ``regret_bound`` is least: R/(L√T).

    Parameters
    ----------
    steps : int
        :math:`T`, known in advance.
    lipschitz : float
        :math:`L`, at least the norm of every gradient that a step uses.
    distance : float
        :math:`R`, at least :math:`\|\theta_1 - \theta^*\|_2`; the diameter of
        :math:`\mathcal C` always is.

    Returns
    -------
    float
        :math:`\eta`; as a regularization, its inverse.

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
    r"""Bound the average regret of gradient descent, greedy or lazy.

    .. math:: \frac1T\sum_{t=1}^T \ell_t(\theta_t) - \ell_t(\theta^*) \le
        \frac{R^2}{2\eta T} + \frac{\eta L^2}{2}

    Parameters
    ----------
    lipschitz : float
        :math:`L`, at least the norm of every gradient that a step uses. If the
        gradients are random and unbiased, their root mean square suffices.
    distance : float
        :math:`R`, at least :math:`\|\theta_1 - \theta^*\|_2`.
    learning_rate : float or None, optional
        :math:`\eta`, or :math:`1/\Lambda` for the lazy kind; None takes the best one,
        which makes the bound :math:`RL/\sqrt T`.

    Returns
    -------
    float
        The bound, for convex losses in any order. It also bounds the excess risk of the
        average model if all :math:`\ell_t` are one function or, in expectation, if they
        are independent draws.

    Notes
    -----
    ``dp_ftrl_regret_bound`` is this with noise.

    References
    ----------
    * Zinkevich (2003), Online Convex Programming and Generalized Infinitesimal Gradient
      Ascent.

    Examples
    --------
    >>> regret_bound(steps=100, lipschitz=2.0, distance=1.0)  # RL/√T
    0.2
    >>> regret_bound(steps=100, lipschitz=2.0, distance=1.0, learning_rate=0.1)
    0.25
    """
    steps = checks.count(steps=steps)
    lipschitz, distance = checks.moderate(lipschitz=lipschitz, distance=distance)
    best = best_learning_rate(steps=steps, lipschitz=lipschitz, distance=distance)
    eta = best if learning_rate is None else learning_rate
    eta = checks.moderate(learning_rate=eta)
    return distance**2 / (2 * eta * steps) + eta * lipschitz**2 / 2


def smooth_descent_bound(*, steps: int, smoothness: float, distance: float) -> float:
    r"""Bound the excess risk of the last model, for a smooth loss: βR²/(2T).

    Parameters
    ----------
    steps : int
        :math:`T`, each of size :math:`1/\beta`.
    smoothness : float
        :math:`\beta`, of the function that is minimized, the sum over records.
    distance : float
        :math:`R`, at least :math:`\|\theta_1 - \theta^*\|_2`.

    Returns
    -------
    float
        The bound on :math:`\mathcal L(\theta_{T+1}) - \mathcal L(\theta^*)`, with or
        without a constraint.

    Notes
    -----
    A Huber loss in one dimension comes within a factor of 2 + 1/T.

    References
    ----------
    * Nesterov (2004), Introductory Lectures on Convex Optimization: A Basic Course.

    Examples
    --------
    >>> smooth_descent_bound(steps=100, smoothness=4.0, distance=1.0)
    0.02
    """
    steps = checks.count(steps=steps)
    smoothness, distance = checks.moderate(smoothness=smoothness, distance=distance)
    return smoothness * distance**2 / (2 * steps)


def strongly_convex_descent_bound(
    *, steps: int, lipschitz: float, strong_convexity: float
) -> float:
    r"""Bound the excess risk of the weighted average, 2L²/(m(T + 1)).

    Parameters
    ----------
    steps : int
        :math:`T`, of size :math:`\eta_t = 2/(m(t + 1))`.
    lipschitz : float
        :math:`L`, at least the norm of every gradient that a step uses. If the
        gradients are random and unbiased, their root mean square suffices.
    strong_convexity : float
        :math:`m`, of the function that is minimized, the sum over records.

    Returns
    -------
    float
        The bound for ``online_to_batch(path, weighted=True)``; in expectation, if
        gradients are random. The start does not matter.

    References
    ----------
    * Lacoste-Julien, Schmidt and Bach (2012), A Simpler Approach to Obtaining an O(1/t)
      Convergence Rate for the Projected Stochastic Subgradient Method.

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
    r"""Compute what a problem's 𝓛 satisfies on C. [Definitions 6.1 to 6.3 and 6.16]

    Parameters
    ----------
    problem : Problem
        At least one record. The constants come from the data: they are not private, so
        a private algorithm must not be tuned by them.

    Returns
    -------
    dict of str to float
        ``lipschitz``, at least :math:`\|\nabla\mathcal L\|_2`; ``smoothness`` and
        ``strong_convexity``, between which all eigenvalues of the Hessian lie; and
        ``curvature_constant``, at least :math:`\Gamma`. A constant that does not exist
        is infinite.

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
