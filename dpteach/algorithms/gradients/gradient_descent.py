"""Sections 6.1 and 6.3. Gradient descent, on all records or on one, not private."""

import numpy as np

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_rng,
    namespace,
)
from ...problem import Problem
from ._descent import (
    Rate,
    first_model,
    rate_of,
    require_finite,
    require_records,
)


@np.errstate(over="ignore", invalid="ignore")
def gradient_descent(
    problem: Problem,
    *,
    steps: int,
    learning_rate: Rate,
    start: Array | None = None,
) -> Array:
    r"""Descend along the gradient, and go back to C after each step. Not private.

    With a fixed step the last model is the answer for a smooth loss, and the average,
    ``online_to_batch``, for any other. Sources: Nesterov (2004), Bubeck (2015).

    Parameters
    ----------
    learning_rate : float or callable
        :math:`\eta`, or a function that maps t = 1, 2, … to :math:`\eta_t`.
    start : Array, optional
        :math:`\theta_1`, shape ``(p,)``; zero if left out.

    Returns
    -------
    Array
        All models :math:`\theta_1, \dots, \theta_{T+1}`, shape ``(T + 1, p)``.

    Examples
    --------
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.array([3.0, 1.0]), losses.squared,
    ...             constraints.L2Ball(2.0))
    >>> gradient_descent(D, steps=20, learning_rate=0.5)[-1].round(3)  # on the rim
    array([1.897, 0.632])
    """
    theta, eta, T = first_model(problem, start), rate_of(learning_rate), steps
    steps = checks.count(steps=steps)
    checks.fits(steps * problem.p, steps=steps)
    C, xp = problem.constraint, namespace(theta)

    # 1: θ_1 ← Π_C(start)
    path = [theta]
    # 2: for t = 1, …, T do
    for t in range(1, T + 1):
        # 3: g_t ← ∇𝓛(θ_t; D)
        g = problem.gradient(theta)
        # 4: θ_{t+1} ← Π_C(θ_t − η_t g_t)
        theta = C.project(theta - eta(t) * g)
        path.append(require_finite(theta, learning_rate=learning_rate))
    # 5: end for
    # 6: return θ_1, …, θ_{T+1}
    return xp.stack(path)


def smooth_descent_bound(*, steps: int, smoothness: float, distance: float) -> float:
    r"""Bound the excess risk of the last model, if steps are 1/β: βR²/(2T).

    Parameters
    ----------
    smoothness : float
        :math:`\beta`, of the function that is minimized, the sum over records.

    Returns
    -------
    float
        The bound, with or without a constraint. Source: Nesterov (2004).

    Examples
    --------
    >>> smooth_descent_bound(steps=100, smoothness=4.0, distance=1.0)
    0.02
    """
    steps = checks.count(steps=steps)
    smoothness, distance = checks.moderate(smoothness=smoothness, distance=distance)
    return smoothness * distance**2 / (2 * steps)


@np.errstate(over="ignore", invalid="ignore")
def stochastic_gradient_descent(
    problem: Problem,
    *,
    steps: int,
    learning_rate: Rate,
    rng: Rng,
    start: Array | None = None,
) -> Array:
    r"""Descend along the gradient of one record, drawn at random. Not private.

    Source: Robbins and Monro (1951).

    Parameters
    ----------
    learning_rate : float or callable
        :math:`\eta`, or a function of t; it multiplies n times a record's gradient.

    Returns
    -------
    Array
        All models, shape ``(T + 1, p)``; their average is the answer.

    Examples
    --------
    >>> from dpteach.data import example
    >>> D = example()
    >>> path = stochastic_gradient_descent(D, steps=2000, learning_rate=1e-3, rng=0)
    >>> best = gradient_descent(D, steps=2000, learning_rate=1e-2)[-1]
    >>> bool(D.risk(path[0]) > D.risk(online_to_batch(path)) > D.risk(best))
    True
    """
    theta, eta, T = first_model(problem, start), rate_of(learning_rate), steps
    steps = checks.count(steps=steps)
    checks.fits(steps * problem.p, steps=steps)
    require_records(problem)
    n, C, xp = problem.n, problem.constraint, namespace(theta)
    draws, path = as_rng(rng).integers(n, size=T).tolist(), [theta]

    # 1: for t = 1, …, T do
    for t in range(1, T + 1):
        # 2: g_t ← n ∇ℓ(θ_t; d_i), where i is uniform: its mean is ∇𝓛(θ_t; D)
        g = n * problem.record_gradient(theta, draws[t - 1])
        # 3: θ_{t+1} ← Π_C(θ_t − η_t g_t)
        theta = C.project(theta - eta(t) * g)
        path.append(require_finite(theta, learning_rate=learning_rate))
    # 4: end for
    # 5: return θ_1, …, θ_{T+1}
    return xp.stack(path)


def online_to_batch(path: Array, *, weighted: bool = False) -> Array:
    r"""Average the models that a gradient was taken at: one answer per path. [(6.50)]

    The last model is left out. Source: Cesa-Bianchi, Conconi and Gentile (2004).

    Parameters
    ----------
    weighted : bool, optional
        Whether model t has weight t, to forget the start: for strongly convex losses.

    Returns
    -------
    Array
        :math:`\frac1T\sum_{t=1}^T\theta_t`, or :math:`\sum_t t\,\theta_t/\sum_t t`.

    Examples
    --------
    >>> path = np.array([[0.0], [3.0], [6.0], [100.0]])
    >>> online_to_batch(path), online_to_batch(path, weighted=True)
    (array([3.]), array([4.]))
    """
    checks.finite_array(ndim=2, path=path)
    checks.flag(weighted=weighted)
    T, xp = path.shape[0] - 1, namespace(path)
    if T < 1:
        raise ValueError(
            f"`path` must hold at least two models, got shape {tuple(path.shape)}."
        )
    models = path[:T, :]
    if not weighted:
        return xp.mean(models, axis=0)
    t = xp.arange(1, T + 1, dtype=path.dtype, device=path.device)
    return (t / xp.sum(t)) @ models
