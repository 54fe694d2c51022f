"""Section 6.3.2. Learning one record at a time, greedily or lazily; not private."""

import numpy as np

from ... import checks
from ...arrays import Array, namespace
from ...problem import Problem
from ._descent import (
    Rate,
    rate_of,
    require_finite,
    require_records,
)


@np.errstate(over="ignore", invalid="ignore")
def online_gradient_descent(problem: Problem, *, learning_rate: Rate) -> Array:
    r"""Step against each record's gradient in turn: greedy projection. Not private.

    Source: Zinkevich (2003).

    Parameters
    ----------
    learning_rate : float or callable
        :math:`\eta`, or a function that maps t = 1, 2, … to :math:`\eta_t`.

    Returns
    -------
    Array
        Shape ``(n + 1, p)``: model t was chosen before row t of the data was seen.

    Examples
    --------
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((5, 1)), np.array([1.0, 1.0, 1.0, -1.0, -1.0]),
    ...             losses.linear, constraints.L2Ball(1.0))
    >>> online_gradient_descent(D, learning_rate=1.0).ravel()  # turns back at once
    array([ 0.,  1.,  1.,  1.,  0., -1.])
    """
    require_records(problem)
    eta, C, n = rate_of(learning_rate), problem.constraint, problem.n

    # 1: θ_1 ← Π_C(0)
    theta = C.project(problem.zeros())
    path = [theta]
    # 2: for t = 1, …, n do
    for t in range(1, n + 1):
        # 3: g_t ← ∇ℓ(θ_t; d_t)
        g = problem.record_gradient(theta, t - 1)
        # 4: θ_{t+1} ← Π_C(θ_t − η_t g_t)
        theta = C.project(theta - eta(t) * g)
        path.append(require_finite(theta, learning_rate=learning_rate))
    # 5: end for
    # 6: return θ_1, …, θ_{n+1}
    return namespace(theta).stack(path)


@np.errstate(over="ignore", invalid="ignore")
def lazy_gradient_descent(problem: Problem, *, regularization: float) -> Array:
    r"""Follow the regularized leader: project the sum of gradients. Not private.

    With noise on the sum it is ``dp_ftrl``. Sources: Xiao (2010), McMahan (2011).

    Parameters
    ----------
    regularization : float
        :math:`\Lambda`; without a constraint, 1/Λ is the greedy kind's learning rate.

    Returns
    -------
    Array
        Shape ``(n + 1, p)``: model t was chosen before row t of the data was seen.

    Examples
    --------
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((5, 1)), np.array([1.0, 1.0, 1.0, -1.0, -1.0]),
    ...             losses.linear, constraints.L2Ball(1.0))
    >>> lazy_gradient_descent(D, regularization=1.0).ravel()  # it went farther
    array([0., 1., 1., 1., 1., 1.])
    """
    require_records(problem)
    regularization = checks.moderate(regularization=regularization)
    C, n, Lam = problem.constraint, problem.n, regularization

    # 1: θ_1 ← Π_C(0), s_0 ← 0
    theta = C.project(problem.zeros())
    s, path = problem.zeros(), [theta]
    # 2: for t = 1, …, n do
    for t in range(1, n + 1):
        # 3: s_t ← s_{t−1} + ∇ℓ(θ_t; d_t)
        s = s + problem.record_gradient(theta, t - 1)
        # 4: θ_{t+1} ← argmin_{θ∈C} ⟨s_t, θ⟩ + (Λ/2)‖θ‖² = Π_C(−s_t/Λ)
        theta = C.project(-s / Lam)
        path.append(require_finite(theta, regularization=Lam))
    # 5: end for
    # 6: return θ_1, …, θ_{n+1}
    return namespace(theta).stack(path)


def regrets(problem: Problem, path: Array, theta: Array) -> Array:
    r"""Compute what each record cost beyond a fixed model. [Section 6.3.2]

    Parameters
    ----------
    path, theta : Array
        The models of a learner, shape ``(n + 1, p)``, and the one to compare with.

    Returns
    -------
    Array
        :math:`\ell(\theta_t; d_t) - \ell(\theta^*; d_t)`, shape ``(n,)``.

    Examples
    --------
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((4, 1)), np.ones(4), losses.linear, constraints.L2Ball(1.0))
    >>> path = online_gradient_descent(D, learning_rate=0.5)
    >>> regrets(D, path, np.array([1.0]))  # nothing is lost once θ has arrived
    array([1. , 0.5, 0. , 0. ])
    """
    require_records(problem)
    checks.finite_array(ndim=2, path=path)
    checks.finite_array(ndim=1, theta=theta)
    D, n, p = problem, problem.n, problem.p
    if tuple(path.shape) != (n + 1, p):
        raise ValueError(
            f"`path` must have shape ({n + 1}, {p}), a model before each record and "
            f"one after the last, got {tuple(path.shape)}."
        )
    if theta.shape[0] != p:
        raise ValueError(f"`theta` must have shape ({p},), got {tuple(theta.shape)}.")
    models = path[:n, :]
    return _risks(D, models) - _risks(D, theta + 0 * models)


def _risks(D: Problem, models: Array) -> Array:
    # ℓ(θ_t; d_t): a model for each record
    if D.loss.classes is None:
        scores = namespace(models).vecdot(D.X, models)
    else:
        columns = namespace(models).reshape(models, (D.n, D.X.shape[1], -1))
        scores = (D.X[:, None, :] @ columns)[:, 0, :]
    return D.loss.value(scores, D.y)
