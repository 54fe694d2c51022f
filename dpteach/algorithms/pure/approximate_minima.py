"""Section 6.2.2. Objective perturbation when the minimum is only approximate."""

from dataclasses import replace

from ... import checks
from ...arrays import Rng, as_like, as_rng, l2_laplace
from ...privacy import (
    Composed,
    Pure,
    Relation,
    Release,
)
from ...problem import Problem
from ._risks import in_double
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
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish an approximate minimum of a tilted risk, plus noise. [Section 6.2.2]

    The sensitivity is 2γ/Λ, because neighbors may err in opposite directions (E-16).
    How long the solver runs depends on the data: do not publish the running time.
    Sources: Section 6.2.2, on computational efficiency; Iyengar and others (2019).

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda` of the tilt, as in ``objective_perturbation``.
    tolerance : float
        :math:`\gamma`, fixed in advance: the solver stops within :math:`\gamma/\Lambda`
        of the minimum, or at its best after a public number of steps. Never relax it
        for one data set, because the noise would then depend on the data.
    cover_multiplier : float
        Scale of the second noise over :math:`2\gamma/\Lambda`, which is at least how
        far apart two solvers can end around one minimum. It costs its inverse in ε.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record beyond ``lipschitz`` or ``smoothness`` is scaled down or
        refused; the error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, which may lie outside C by the second noise;
        ``event`` composes the tilt and the cover.

    Raises
    ------
    ValueError
        If the loss has a kink, or γ is so small that rounding hides it.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = approximate_minima_perturbation(
    ...     D, lipschitz=1.0, smoothness=0.25, regularization=1.0, noise_multiplier=1.0,
    ...     tolerance=1e-9, cover_multiplier=100.0, rng=0)
    >>> first, second = out.event.events
    >>> round(first.epsilon, 3), round(second.epsilon, 3)  # 1 + ln 1.25, and 1/100
    (1.223, 0.01)
    """
    checks.instance(Problem, problem=problem)
    regularization = checks.moderate(regularization=regularization)
    tolerance, cover_multiplier = checks.moderate(
        tolerance=tolerance, cover_multiplier=cover_multiplier
    )
    rng = as_rng(rng)

    # 1: θ† ← any point with ‖∇𝒥_noisy(θ†; D)‖₂ ≤ γ, which is within γ/Λ of θ_priv
    tilted = objective_perturbation(
        in_double(problem),
        lipschitz=lipschitz,
        smoothness=smoothness,
        regularization=regularization,
        noise_multiplier=noise_multiplier,
        rng=rng,
        relation=relation,
        tolerance=tolerance,
        out_of_bounds=out_of_bounds,
        runs=runs,
    )
    # 2: Output θ† + b₂, where b₂ ∼ 𝒢(2γ/Λ · cover)  [E-16]
    scale = cover_multiplier * 2 * tolerance / regularization
    theta = tilted.theta + l2_laplace(rng, scale, like=tilted.theta)
    theta = as_like(theta, problem.X)
    cover = Pure(1 / cover_multiplier, relation=relation)
    event = Composed((tilted.event, cover))
    return replace(tilted, theta=theta, path=theta[None, ...], event=event)
