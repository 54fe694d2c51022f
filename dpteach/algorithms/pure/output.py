"""Section 6.5.2. Output perturbation: the minimum, plus noise that hides one record."""

from math import sqrt

from ... import checks
from ...arrays import Rng, as_like, as_rng, l2_laplace, standard_normal
from ...privacy import (
    Gaussian,
    Pure,
    Relation,
    Release,
)
from ...problem import Problem
from ._assumptions import require_differentiable, within_bounds
from ._minimum import best_iterate, require_tolerance
from ._risks import in_double


def output_perturbation_sensitivity(
    *,
    lipschitz: float,
    regularization: float,
    tolerance: float = 0.0,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Bound how far one record moves the regularized minimum. [Section 6.5.2]

    .. math:: \|\hat\theta(D) - \hat\theta(D')\|_2 \le \frac{kL + 2\gamma}{\Lambda}

    with k = 1 for a record added or removed and k = 2 for one replaced.

    Parameters
    ----------
    regularization : float
        :math:`\Lambda`, the strong convexity of the regularized risk.
    tolerance : float, optional
        :math:`\gamma`: each run's minimum is found to within :math:`\gamma/\Lambda`,
        and two runs may err in opposite directions.

    Returns
    -------
    float
        The sensitivity, a distance between models. No smoothness is needed.

    Examples
    --------
    >>> output_perturbation_sensitivity(lipschitz=1.0, regularization=10.0)
    0.1
    """
    lipschitz, regularization = checks.moderate(
        lipschitz=lipschitz, regularization=regularization
    )
    tolerance = checks.between(0, 1e100, tolerance=tolerance)
    checks.instance(Relation, relation=relation)
    return (relation.sensitivity * lipschitz + 2 * tolerance) / regularization


def output_perturbation(
    problem: Problem,
    *,
    lipschitz: float,
    regularization: float,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    noise: str = "gamma",
    tolerance: float = 1e-8,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish the regularized minimum plus noise. [Section 6.5.2]

    How long the solver runs depends on the data: do not publish the running time.
    Source: Chaudhuri, Monteleoni and Sarwate (2011).

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss (smooth for the solver; privacy needs only
        convexity) and a constraint set.
    regularization : float
        :math:`\Lambda`, above 0.
    noise_multiplier : float
        :math:`\lambda`, the noise's scale over :math:`L/\Lambda`: the standard
        deviation of a coordinate ("gaussian"), or the scale of the length ("gamma").
    noise : {"gamma", "gaussian"}, optional
        Density :math:`\propto e^{-\|b\|_2/s}`, for pure ε; or normal.
    tolerance : float, optional
        :math:`\gamma`, fixed in advance: the solver's error, covered by the noise. What
        is best after a public number of steps is taken, should rounding stop it before.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record steeper than ``lipschitz`` is scaled down to it or refused; the
        error tells of that record, and the event does not cover it.
    runs : tuple of int, optional
        Shape of a batch of independent runs, all around the same minimum.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``. It may lie outside C; project it if needed.

    Raises
    ------
    ValueError
        If the loss has a kink, or γ is so small that rounding hides it.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = output_perturbation(D, lipschitz=1.0, regularization=1.0,
    ...                           noise_multiplier=2.0, rng=0)
    >>> out.event
    Pure(epsilon=0.5, releases=1, relation=Relation.ADD_REMOVE)
    """
    checks.instance(Problem, problem=problem)
    noise_multiplier, tolerance = checks.moderate(
        noise_multiplier=noise_multiplier, tolerance=tolerance
    )
    checks.one_of(("gamma", "gaussian"), noise=noise)
    runs = checks.shape(problem.p, runs=runs)
    # How far one record moves the minimum; checks L, Λ and the relation
    reach = output_perturbation_sensitivity(
        lipschitz=lipschitz,
        regularization=regularization,
        tolerance=tolerance,
        relation=relation,
    )
    require_differentiable(problem)
    require_tolerance(tolerance, lipschitz)
    D = in_double(within_bounds(problem, out_of_bounds, lipschitz=lipschitz))
    rng, lam, k = as_rng(rng), noise_multiplier, relation.sensitivity

    # 1: θ̂ ← argmin_{θ∈C} 𝓛(θ; D) + (Λ/2)‖θ‖², to within γ/Λ
    theta, _ = best_iterate(D, regularization, D.zeros(), tolerance)
    # 2: b ~ density ∝ exp(−‖b‖₂/s) or N(0, s² I_p), where s = λ (L + 2γ/k)/Λ
    s, like = lam * reach / k, D.zeros(*runs)
    if noise == "gamma":
        b = l2_laplace(rng, s, like)
        event = Pure(k / lam, relation=relation)
    else:
        b = s * standard_normal(rng, like.shape, like)
        event = Gaussian(lam, relation=relation)
    # 3: Output θ_priv = θ̂ + b
    theta = as_like(theta + b, problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def output_perturbation_risk_bound(
    *,
    n: int,
    p: int,
    lipschitz: float,
    regularization: float,
    noise_multiplier: float,
    distance: float,
    noise: str = "gamma",
) -> float:
    r"""Bound the expected excess empirical risk of output perturbation. [Section 6.5.2]

    .. math:: nL\,\mathbb E\|b\|_2 + \frac{\Lambda}{2} W^2

    Parameters
    ----------
    lipschitz : float
        :math:`L`, on all of :math:`R^p`, because noise may lead out of C.
    distance : float
        :math:`W`, at least the norm of the best model.
    noise : {"gamma", "gaussian"}, optional
        E‖b‖₂ is s p, or at most s √p, at the scale s = λL/Λ.

    Returns
    -------
    float
        The bound, a sum over records, for an exact minimum (γ = 0).

    Examples
    --------
    >>> kind = dict(n=1000, p=5, lipschitz=1.0, noise_multiplier=1.0, distance=1.0)
    >>> [round(output_perturbation_risk_bound(regularization=Lam, **kind))
    ...  for Lam in (10.0, 100.0, 1000.0)]
    [505, 100, 505]
    """
    n, p = checks.count(n=n, p=p)
    lipschitz, regularization = checks.moderate(
        lipschitz=lipschitz, regularization=regularization
    )
    noise_multiplier, distance = checks.moderate(
        noise_multiplier=noise_multiplier, distance=distance
    )
    checks.one_of(("gamma", "gaussian"), noise=noise)
    length = p if noise == "gamma" else sqrt(p)
    tilt = n * lipschitz * noise_multiplier * lipschitz / regularization * length
    return tilt + regularization * distance * distance / 2
