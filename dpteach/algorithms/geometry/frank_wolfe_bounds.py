"""Section 6.4. How good Frank-Wolfe is, private or not, and how many steps to take."""

from math import log

from ... import checks
from ...arrays import Array, namespace
from ...privacy import Relation
from ...problem import Problem
from ._corners import corner_scores, require_polytope
from .private_frank_wolfe import private_frank_wolfe_noise
from .sparse import SparseProblem


def frank_wolfe_gap(problem: Problem | SparseProblem, theta: Array) -> Array:
    r"""Certify how far each model is from the minimum. Not private. [Section 6.4.1]

    .. math:: \max_{s \in S}\,\langle\nabla f(\theta), \theta - s\rangle
              \ge f(\theta) - f(\theta^*)

    Returns
    -------
    Array
        Upper bounds on the excess risks of the rows of ``theta``, at a gradient each.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.squared, constraints.L1Ball(1.0))
    >>> frank_wolfe_gap(D, np.array([[0.0, 0.0], [0.5, 0.5]]))  # the latter is the best
    array([1., 0.])
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

    Source: Theorem 6.19, with the step that it needs (E-33); E-31 for Γ.

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

    Examples
    --------
    >>> frank_wolfe_risk_bound(curvature_constant=4.0, steps=7)
    1.0
    """
    curvature_constant = checks.moderate(curvature_constant=curvature_constant)
    steps = checks.count(2, steps=steps)
    return 2 * curvature_constant / (steps + 1)


def private_frank_wolfe_risk_bound(
    *,
    n: int,
    steps: int,
    corners: int,
    curvature_constant: float,
    scale: float,
    noise: str = "gumbel",
    failure_probability: float | None = None,
) -> float:
    r"""Bound the excess risk of private Frank-Wolfe. [Theorem 6.22; (6.59)]

    .. math:: \frac{2n\Gamma_\ell}{T+1} + b\,\ln|S|,\qquad
              \frac{2n\Gamma_\ell}{T+1} + b\,\ln\frac{|S|(T-1)}{\beta}

    A corner chosen with probability ∝ exp(−α/b) is worse than the best by at most
    :math:`b\ln|S|` on average. Sources: (6.59) and (6.60); E-35.

    Parameters
    ----------
    curvature_constant : float
        :math:`\Gamma_\ell`, at least the curvature constant of every record's loss.
    scale : float
        :math:`b = 1/c` of the exponential mechanism, see ``private_frank_wolfe_noise``.
    noise : {"gumbel", "laplace"}, optional
        "gumbel" is the exponential mechanism, drawn in either way. For Laplace noise of
        scale b, the harmonic number of :math:`|S|` replaces its logarithm, and in the
        second bound :math:`2b` replaces b.
    failure_probability : float or None, optional
        :math:`\beta` of the second bound; None takes the first, on the expectation.

    Returns
    -------
    float
        The bound, a sum over records.

    Examples
    --------
    >>> round(private_frank_wolfe_risk_bound(n=5000, steps=128, corners=400,
    ...                                      curvature_constant=4.0, scale=102.0))
    921
    """
    n, corners = checks.count(n=n, corners=corners)
    steps = checks.count(2, steps=steps)
    curvature_constant, scale = checks.moderate(
        curvature_constant=curvature_constant, scale=scale
    )
    checks.one_of(("gumbel", "laplace"), noise=noise)
    if failure_probability is not None:
        failure_probability = checks.probability(
            failure_probability=failure_probability
        )
        gap = log(corners * (steps - 1)) - log(failure_probability)
        gap *= 2 if noise == "laplace" else 1
    elif noise == "laplace":
        gap = sum(1 / k for k in range(1, corners + 1))
    else:
        gap = log(corners)
    return 2 * n * curvature_constant / (steps + 1) + scale * gap


def private_frank_wolfe_steps(
    epsilon: float,
    delta: float,
    *,
    n: int,
    corners: int,
    curvature_constant: float,
    lipschitz_l1: float,
    l1_radius: float,
    relation: Relation = Relation.ADD_REMOVE,
) -> int:
    r"""Compute the whole number of steps at which the bound is least. [Theorem 6.22]

    Source: Theorem 6.22, whose T leaves out the logarithms; E-36.

    Parameters
    ----------
    epsilon, delta : float
        The privacy of all steps together, :math:`(\varepsilon, \delta)`.
    n : int
        A public count; taken from the data, it would reveal if a record is present.

    Returns
    -------
    int
        :math:`T \ge 2`. The bound is valid but loose, so fewer steps often do better.

    Examples
    --------
    >>> private_frank_wolfe_steps(1.0, 1e-6, n=5000, corners=400, lipschitz_l1=2.0,
    ...                           l1_radius=1.0, curvature_constant=4.0)
    128
    """
    n, corners = checks.count(n=n, corners=corners)
    curvature_constant = checks.moderate(curvature_constant=curvature_constant)
    # The scale grows as the square root of T − 1, the number of choices.
    b = private_frank_wolfe_noise(
        epsilon,
        delta,
        steps=2,
        lipschitz_l1=lipschitz_l1,
        l1_radius=l1_radius,
        relation=relation,
    )

    def rises(T: int) -> bool:
        gained = 2 * n * curvature_constant / ((T + 1) * (T + 2))
        return b * log(corners) * (T**0.5 - (T - 1) ** 0.5) >= gained

    low, high = 2, 2  # the bound falls, and then rises
    while not rises(high) and high < 2**40:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if rises(middle) else (middle + 1, high)
    return high
