"""Section 6.2.2. Objective perturbation with normal noise, for linear models only."""

from math import erfc, exp, log1p, sqrt

from .. import checks, numerics
from ..accounting import gaussian_delta
from ..privacy import Relation


def gaussian_objective_delta(
    noise_multiplier: float,
    epsilon: float,
    *,
    smoothness: float,
    regularization: float,
    sign_monotone: bool = True,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Bound the δ of objective perturbation with normal noise. [Section 6.2.2]

    .. math:: \delta_G(\varepsilon - \kappa; 1/\lambda),\qquad
              \kappa = \ln(1 + \beta/\Lambda)

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, standard deviation of a coordinate of the tilt over L.
    epsilon : float
        :math:`\varepsilon`, in nats; above κ (twice κ for a replaced record).
    smoothness : float
        :math:`\beta`, at least the curvature of every record's loss.
    regularization : float
        :math:`\Lambda`.
    sign_monotone : bool, optional
        Whether a record's slope keeps its sign for all scores, as the logistic loss's
        does. If not, twice the tail (an average over the sign of the noise) counts.
    relation : Relation, optional
        Which data sets are neighbours. A replaced record is removed, and another added:
        :math:`(1 + e^{\varepsilon/2})\,\delta(\varepsilon/2)`.

    Returns
    -------
    float
        δ, an upper bound.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ε does not cover κ.

    Notes
    -----
    Source: Section 6.2.2 names this variant and leaves constants open. Of a linear
    model a record's gradient has one fixed direction, so the noise across it does not
    matter. For other losses we know of no proof, and refuse.

    Examples
    --------
    >>> kind = dict(smoothness=0.25, regularization=1.0)
    >>> round(1e5 * gaussian_objective_delta(4.0, 1.0, **kind), 4)
    9.5259
    """
    checks.positive(noise_multiplier=noise_multiplier, epsilon=epsilon)
    checks.positive(smoothness=smoothness, regularization=regularization)
    checks.instance(bool, sign_monotone=sign_monotone)
    checks.instance(Relation, relation=relation)
    kappa, m = log1p(smoothness / regularization), 1 / noise_multiplier
    left = epsilon / relation.sensitivity - kappa
    if left <= 0:
        raise ValueError(
            f"`epsilon` must be above {relation.sensitivity * kappa:.6g}, what the "
            f"determinant may cost, got {epsilon!r}. Raise it, or the regularization."
        )
    if sign_monotone:
        one = gaussian_delta(m, left)
    elif left >= m * m / 2:
        one = 2 * gaussian_delta(m, left)
    else:
        one = 1 - exp(left) * erfc(m / sqrt(2))
    steps = 1 + exp(epsilon / 2) if relation is Relation.REPLACE else 1.0
    return min(1.0, steps * one)


def gaussian_objective_noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    smoothness: float,
    regularization: float,
    sign_monotone: bool = True,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Compute the normal noise that makes objective perturbation (ε, δ)-private.

    Parameters
    ----------
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`.
    smoothness : float
        :math:`\beta`.
    regularization : float
        :math:`\Lambda`; a larger one leaves more of ε to the noise.
    sign_monotone : bool, optional
        As in ``gaussian_objective_delta``.
    relation : Relation, optional
        Which data sets are neighbours.

    Returns
    -------
    float
        The noise multiplier :math:`\lambda`: standard deviation of the tilt over L.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ε does not cover κ.

    Examples
    --------
    >>> kind = dict(smoothness=0.25, regularization=10.0)
    >>> round(gaussian_objective_noise_multiplier(1.0, 1e-6, **kind), 3)
    4.324
    """
    checks.probability(delta=delta)

    def excess(lam: float) -> float:
        bound = gaussian_objective_delta(
            lam,
            epsilon,
            smoothness=smoothness,
            regularization=regularization,
            sign_monotone=sign_monotone,
            relation=relation,
        )
        return bound - delta

    loud, quiet = 1.0, 1.0
    while excess(loud) <= 0:
        loud /= 2
    while excess(quiet) > 0:
        quiet *= 2
    return numerics.safe_root(excess, loud, quiet)
