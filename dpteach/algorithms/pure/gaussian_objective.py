"""Section 6.2.2. Objective perturbation with normal noise, for linear models only."""

from dataclasses import replace
from math import erfc, exp, log, log1p, sqrt

from ... import checks, numerics
from ...accounting.rules.gaussian import log_delta
from ...arrays import Rng, as_like, as_rng, standard_normal
from ...privacy import Approximate, Relation, Release
from ...problem import Problem
from ._assumptions import require_differentiable, scaled_rows, shares
from ._minimum import best_iterate, require_tolerance
from ._risks import in_double

# Losses whose slope has the same sign at every score: one-sided, and cheaper.
SIGN_MONOTONE = ("logistic", "linear")


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
        :math:`\varepsilon`, in nats. Below κ (twice κ for a replaced record) no noise
        makes δ small.
    smoothness : float
        :math:`\beta`, at least the curvature of every record's loss.
    sign_monotone : bool, optional
        Whether a record's slope keeps its sign for all scores, as the logistic loss's
        does. If not, twice the tail (an average over the sign of the noise) counts.
    relation : Relation, optional
        Which data sets are neighbors. A replaced record is removed, and another added:
        :math:`(1 + e^{\varepsilon/2})\,\delta(\varepsilon/2)`.

    Returns
    -------
    float
        δ, an upper bound.

    Notes
    -----
    Source: Section 6.2.2 names this variant and leaves constants open. In a linear
    model, a record's gradient has a fixed direction, so the noise in other directions
    does not matter. For other losses we know of no proof, so they are refused.

    Examples
    --------
    >>> kind = dict(smoothness=0.25, regularization=1.0)
    >>> round(1e5 * gaussian_objective_delta(4.0, 1.0, **kind), 4)
    9.5259
    """
    noise_multiplier, epsilon = checks.moderate(
        noise_multiplier=noise_multiplier, epsilon=epsilon
    )
    smoothness, regularization = checks.moderate(
        smoothness=smoothness, regularization=regularization
    )
    from scipy.special import erfcx  # scipy here: importing dpteach stays fast

    checks.instance(bool, sign_monotone=sign_monotone)
    checks.instance(Relation, relation=relation)
    if epsilon > 1400:
        raise ValueError(
            f"`epsilon` must be at most 1400, got {epsilon!r}: beyond, e^ε leaves the "
            "range of numbers. Give a privacy budget such as epsilon=1."
        )
    kappa, m = log1p(smoothness / regularization), 1 / noise_multiplier
    left = epsilon / relation.sensitivity - kappa
    if sign_monotone and left < 0:  # the loss is κ + max(0, mZ + m²/2), above ε always
        one = numerics.log_of(1 - exp(left) * erfc(m / sqrt(8)))
    elif sign_monotone:
        one = log_delta(m, left)
    elif left >= m * m / 2:
        one = log(2) + log_delta(m, left)
    else:  # κ + m|Z| + m²/2, above ε always; e^{left} alone may overflow
        one = numerics.log_of(1 - exp(left - m * m / 2) * erfcx(m / sqrt(2)))
    # a δ below every float may be one that e^{ε/2} raises above it
    steps = log1p(exp(epsilon / 2)) if relation is Relation.REPLACE else 0.0
    return exp(min(0.0, steps + float(one)))


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
    regularization : float
        :math:`\Lambda`; a larger one leaves more of ε to the noise.
    sign_monotone : bool, optional
        As in ``gaussian_objective_delta``.

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
    delta = checks.probability(delta=delta)
    epsilon, smoothness = checks.moderate(epsilon=epsilon, smoothness=smoothness)
    regularization = checks.moderate(regularization=regularization)
    checks.instance(Relation, relation=relation)
    least = relation.sensitivity * log1p(smoothness / regularization)
    if epsilon <= least:
        raise ValueError(
            f"`epsilon` must be above {least:.6g}, which the determinant may cost, got "
            f"{epsilon!r}. Raise it, or the regularization."
        )

    def excess(lam: float) -> float:
        return -delta + gaussian_objective_delta(
            lam,
            epsilon,
            smoothness=smoothness,
            regularization=regularization,
            sign_monotone=sign_monotone,
            relation=relation,
        )

    loud, quiet = 1.0, 1.0
    while excess(loud) <= 0:
        loud /= 2
    while excess(quiet) > 0:
        quiet *= 2
    return numerics.safe_root(excess, loud, quiet)


def gaussian_objective_perturbation(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    regularization: float,
    epsilon: float,
    delta: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    tolerance: float = 1e-8,
    out_of_bounds: str = "clip",
    overwrite: bool = False,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish the minimum of a normally tilted risk, priced as exact. [Section 6.2.2]

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss of one score, and a constraint set.
    lipschitz : float
        :math:`L`, at least the norm of a record's gradient on C; see ``out_of_bounds``.
    smoothness : float
        :math:`\beta`, at least a record's curvature; see ``out_of_bounds``.
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`.
    tolerance : float, optional
        :math:`\gamma`: the solver stops within :math:`\gamma/\Lambda` of the minimum,
        or at its best after a public number of steps; the event is that of the exact
        minimum.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond these bounds: its row is scaled down to them, or
        it is an error, which tells of that record and which the event does not cover.
    overwrite : bool, optional
        Whether rows of a NumPy X may be scaled in place, which saves a copy of X.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; the expected excess risk is at most
        :math:`W\sigma\sqrt p` at :math:`\Lambda = \sigma\sqrt p/W`.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the loss has a kink or several scores, or γ
        is so small that rounding hides it; with "refuse" also if a record exceeds what
        is stated.

    Notes
    -----
    Source: Section 6.2.2, extension to (ε, δ). The squared loss has no bounded slope on
    :math:`R^p` and is refused there. How long the solver runs depends on the data: do
    not publish the running time.

    References
    ----------
    * Kifer, Smith and Thakurta (2012), Private Convex Empirical Risk Minimization and
      High-Dimensional Regression.
    * Redberg, Koskela and Wang (2023), Improving the Privacy and Practicality of
      Objective Perturbation for Differentially Private Linear Learners.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = gaussian_objective_perturbation(D, lipschitz=1.0, smoothness=0.25,
    ...     regularization=10.0, epsilon=1.0, delta=1e-6, rng=0)
    >>> from dpteach.accounting import epsilon_of
    >>> epsilon_of(out.event, 1e-6)
    1.0
    """
    lipschitz, regularization = checks.moderate(
        lipschitz=lipschitz, regularization=regularization
    )
    tolerance = checks.moderate(tolerance=tolerance)
    monotone = _one_score(problem).loss.name in SIGN_MONOTONE
    checks.instance(bool, overwrite=overwrite)
    runs = checks.shape(problem.p, runs=runs)
    kind = {"smoothness": smoothness, "regularization": regularization}
    lam = gaussian_objective_noise_multiplier(
        epsilon, delta, **kind, sign_monotone=monotone, relation=relation
    )
    require_differentiable(problem)
    rng, L, Lam = as_rng(rng), lipschitz, regularization
    require_tolerance(tolerance, L, tilt=sqrt(problem.p) * L * lam)
    beta = checks.moderate(smoothness=smoothness)
    share = shares(problem, out_of_bounds, lipschitz=L, smoothness=beta)
    D = in_double(replace(problem, X=scaled_rows(problem.X, share, overwrite)))

    # 1: b ∼ N(0, (L λ)² I_p)
    b = L * lam * standard_normal(rng, (*runs, D.p), like=D.X)
    # 2: θ_priv ← argmin_{θ∈C} 𝓛(θ; D) + (Λ/2)‖θ‖² + ⟨b, θ⟩
    theta, _ = best_iterate(D, Lam, b, tolerance)
    # 3: Output θ_priv
    theta = as_like(theta, problem.X)
    event = Approximate(epsilon, delta, relation=relation)
    return Release(theta=theta, path=theta[None, ...], event=event)


def _one_score(problem: Problem) -> Problem:
    checks.instance(Problem, problem=problem)
    if problem.loss.classes is not None:
        raise ValueError(
            f"`problem` must have a loss of one score, got {problem.loss.name}: we "
            "know of no proof for others. Use objective_perturbation."
        )
    return problem
