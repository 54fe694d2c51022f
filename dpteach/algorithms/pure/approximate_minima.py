"""Section 6.2.2. Objective perturbation when the minimum is only approximate."""

from dataclasses import replace

from ... import checks
from ...arrays import Rng, as_rng, l2_laplace
from ...privacy import (
    Composed,
    Pure,
    Relation,
    Release,
)
from ...problem import Problem
from .objective import objective_perturbation


def approximate_minima_perturbation(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    regularization: float,
    noise_multiplier: float,
    tolerance: float,
    cover_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish an approximate minimum of a tilted risk, plus noise. [Section 6.2.2]

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss and a constraint set.
    lipschitz : float
        :math:`L`. Data with a record of larger slope are refused.
    smoothness : float
        :math:`\beta`. Data with a record of larger curvature are refused.
    regularization : float
        :math:`\Lambda`.
    noise_multiplier : float
        :math:`\lambda` of the tilt, as in ``objective_perturbation``.
    tolerance : float
        :math:`\gamma`, fixed in advance: the solver stops within :math:`\gamma/\Lambda`
        of the minimum, or raises. Never relax it for one data set, because the noise
        would then depend on the data.
    cover_multiplier : float
        Scale of the second noise over :math:`2\gamma/\Lambda`, which is at least how
        far apart two solvers can end around one minimum. It costs its inverse in ε.
    rng : int, Generator or None
        Where the noise comes from.
    relation : Relation, optional
        The neighbors for which the returned event holds.
    runs : tuple of int, optional
        Shape of a batch of independent runs.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, which may lie outside C by the second noise;
        ``event`` composes the tilt and the cover.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the loss has a kink, a record has a larger
        slope or curvature than stated, or the solver does not reach ``tolerance``.
        Nothing is released then.

    Notes
    -----
    Source: Section 6.2.2, computational efficiency; E-16. Sensitivity 2γ/Λ, because
    neighbors may err in opposite directions.

    References
    ----------
    * Iyengar and others (2019), Towards Practical Differentially Private Convex
      Optimization.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> from dpteach.accounting import epsilon_of
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = approximate_minima_perturbation(
    ...     D, lipschitz=1.0, smoothness=0.25, regularization=1.0, noise_multiplier=1.0,
    ...     tolerance=1e-9, cover_multiplier=100.0, rng=0)
    >>> first, second = out.event.events
    >>> round(first.epsilon, 3), round(second.epsilon, 3)  # 1 + ln 1.25, and 1/100
    (1.223, 0.01)
    """
    regularization = checks.moderate(regularization=regularization)
    tolerance, cover_multiplier = checks.moderate(
        tolerance=tolerance, cover_multiplier=cover_multiplier
    )
    rng = as_rng(rng)

    # 1: θ† ← any point with ‖∇𝒥_noisy(θ†; D)‖₂ ≤ γ, which is within γ/Λ of θ_priv
    tilted = objective_perturbation(
        problem,
        lipschitz=lipschitz,
        smoothness=smoothness,
        regularization=regularization,
        noise_multiplier=noise_multiplier,
        rng=rng,
        relation=relation,
        tolerance=tolerance,
        runs=runs,
    )
    # 2: Output θ† + b₂, where b₂ ∼ 𝒢(2γ/Λ · cover)  [E-16]
    scale = cover_multiplier * 2 * tolerance / regularization
    theta = tilted.theta + l2_laplace(rng, scale, like=tilted.theta)
    cover = Pure(1 / cover_multiplier, relation=relation)
    event = Composed((tilted.event, cover))
    return replace(tilted, theta=theta, path=theta[None, ...], event=event)
