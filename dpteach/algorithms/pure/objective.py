"""Section 6.2.2. Objective perturbation: the minimum of a randomly tilted risk."""

from math import expm1, inf, lgamma, log, log1p, pi

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_like,
    as_rng,
    l2_laplace,
    l2_norm,
    namespace,
)
from ...privacy import Pure, Relation, Release
from ...problem import Problem
from ._assumptions import models, require_differentiable, within_bounds
from ._minimum import best_iterate, require_tolerance
from ._risks import in_double


def objective_perturbation_parameters(
    epsilon: float,
    *,
    smoothness: float,
    rank: int = 1,
    regularization: float | None = None,
    relation: Relation = Relation.ADD_REMOVE,
    method: str = "exact",
) -> tuple[float, float]:
    r"""Compute noise and regularization that make Algorithm 2 ε-DP. [Theorem 6.7]

    .. math:: \lambda = \frac{k}{\varepsilon - \kappa},\qquad
              \kappa = r\ln(1 + \beta/\Lambda) < \varepsilon

    with k = 1 for a record added or removed and k = 2 for one replaced. Source: Theorem
    6.7; E-10, E-11.

    Parameters
    ----------
    rank : int, optional
        :math:`r`, at least the rank of every record's Hessian; 1 for linear models.
    regularization : float, optional
        :math:`\Lambda`. If left out, the least one that leaves half of ε to the noise.
    method : {"exact", "textbook"}, optional
        "exact" spends κ on the determinant and all the rest on the noise; "textbook"
        has λ = 2k/ε and needs :math:`\Lambda \ge r\beta/(1 - e^{-\varepsilon/2})`.

    Returns
    -------
    tuple of float
        The noise multiplier :math:`\lambda` and the regularization :math:`\Lambda`.

    Examples
    --------
    >>> objective_perturbation_parameters(1.0, smoothness=0.25, method="textbook")
    (2.0, 0.635...)
    >>> objective_perturbation_parameters(1.0, smoothness=0.25, regularization=1.0)
    (1.287..., 1.0)
    """
    epsilon, smoothness = checks.moderate(epsilon=epsilon, smoothness=smoothness)
    rank = checks.count(rank=rank)
    checks.instance(Relation, relation=relation)
    checks.one_of(("exact", "textbook"), method=method)
    k = relation.sensitivity
    if method == "textbook":
        least = rank * smoothness / -expm1(-epsilon / 2)
        default = least
    else:  # κ is ε at `least`, and ε/2 at `default`
        least = smoothness / expm1(min(epsilon / rank, 700))
        default = smoothness / expm1(min(epsilon / (2 * rank), 700))
    Lam = default if regularization is None else regularization
    Lam = checks.moderate(regularization=Lam)
    kappa = rank * log1p(smoothness / Lam)
    if Lam < least or kappa >= epsilon:
        raise ValueError(
            f"`regularization` must be above {least:.6g}, the least that this method "
            f"allows at epsilon={epsilon!r}, got {Lam!r}. Raise it, or raise epsilon."
        )
    lam = 2 * k / epsilon if method == "textbook" else k / (epsilon - kappa)
    step = 2.0**-52
    while k / lam + kappa > epsilon:  # rounding may not spend more than ε
        lam, step = lam * (1 + step), 2 * step
    return lam, Lam


def objective_perturbation(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    regularization: float,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    tolerance: float = 1e-8,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish the minimum of a tilted risk, priced as if it were exact. [Algorithm 2]

    The proof needs C = R^p, and then any closed convex C follows, within its affine
    hull: a barrier adds nothing that depends on the data, and vanishes in the limit.
    How long the solver runs depends on the data: one record may multiply it, so do not
    publish the running time. Sources: Chaudhuri, Monteleoni and Sarwate (2011), Kifer,
    Smith and Thakurta (2012).

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss and a constraint set. With a constraint, the
        minimum is taken over C; it is not the projection of another minimum: see E-16.
    smoothness : float
        :math:`\beta`, at least a record's curvature; in the source
        :math:`\lambda_{\max}`.
    regularization : float
        :math:`\Lambda`, :math:`\Delta` in the source.
    noise_multiplier : float
        :math:`\lambda`. The tilt has density :math:`\propto e^{-\|b\|_2/(L\lambda)}`.
    tolerance : float, optional
        :math:`\gamma`: the solver stops within :math:`\gamma/\Lambda` of the minimum,
        or at its best after a public number of steps. The event is that of the exact
        minimum; ``approximate_minima_perturbation`` adds noise that covers γ.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record beyond ``lipschitz`` or ``smoothness`` is scaled down or
        refused; the error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; ``event`` holds
        :math:`\varepsilon = k/\lambda + r\ln(1 + \beta/\Lambda)`.

    Raises
    ------
    ValueError
        If the loss has a kink, or γ is so small that rounding hides it.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> lam, Lam = objective_perturbation_parameters(1.0, smoothness=0.25)
    >>> out = objective_perturbation(D, lipschitz=1.0, smoothness=0.25,
    ...                              regularization=Lam, noise_multiplier=lam, rng=0)
    >>> round(out.event.epsilon, 12)
    1.0
    """
    checks.instance(Problem, problem=problem)
    regularization, noise_multiplier = checks.moderate(
        regularization=regularization, noise_multiplier=noise_multiplier
    )
    tolerance = checks.moderate(tolerance=tolerance)
    checks.instance(Relation, relation=relation)
    runs = checks.shape(problem.p, runs=runs)
    require_differentiable(problem)
    L, beta = checks.moderate(lipschitz=lipschitz, smoothness=smoothness)
    require_tolerance(tolerance, L, tilt=problem.p * L * noise_multiplier)
    rng, lam, Lam = as_rng(rng), noise_multiplier, regularization
    kappa = problem.loss.rank * log1p(beta / Lam)
    event = Pure(relation.sensitivity / lam + kappa, relation=relation)

    # 1: 𝓛(θ; D) ← Σ_{i=1}^n ℓ(θ; d_i), of records that keep to L and β
    D = within_bounds(problem, out_of_bounds, lipschitz=L, smoothness=beta)
    D = in_double(D)
    # 2: θ_priv ← argmin_{θ∈C} 𝓛(θ; D) + (Λ/2)‖θ‖² + ⟨b, θ⟩, where b ∼ 𝒢(L·λ)
    b = l2_laplace(rng, L * lam, like=D.zeros(*runs))
    theta, _ = best_iterate(D, Lam, b, tolerance)
    # 3: Output θ_priv
    theta = as_like(theta, problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def objective_perturbation_log_density(
    problem: Problem,
    theta: Array,
    *,
    lipschitz: float,
    regularization: float,
    noise_multiplier: float,
) -> Array:
    r"""Compute the log of the density of θ_priv on :math:`R^p`. [(6.16)]

    .. math:: \ln\nu(-\nabla\mathcal J(\theta; D))
              + \ln\det\nabla^2\mathcal J(\theta; D)

    Source: (6.16), where the determinant divides; E-09.

    Parameters
    ----------
    problem : Problem
        The data and a twice differentiable loss of one score; no constraint.
    theta : Array
        Models, one per row, shape ``(k, p)``.

    Returns
    -------
    Array
        Shape ``(k,)``. It depends on the data, so use it for audits and figures, but do
        not publish it.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.zeros((0, 1)), np.zeros(0), losses.logistic,
    ...             constraints.Everywhere())  # no data: Laplace noise of scale Lλ/Λ
    >>> at_zero = objective_perturbation_log_density(
    ...     D, np.zeros((1, 1)), lipschitz=1.0, regularization=2.0,
    ...     noise_multiplier=1.0)
    >>> np.exp(at_zero).round(12)
    array([1.])
    """
    checks.instance(Problem, problem=problem)
    lipschitz, regularization = checks.moderate(
        lipschitz=lipschitz, regularization=regularization
    )
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    models(problem, theta=theta)
    D, p, curvature = problem, problem.p, problem.loss.curvature
    s = lipschitz * noise_multiplier
    if curvature is None:
        raise ValueError(
            f"`problem` must have a loss with a second derivative in one score, got "
            f"{D.loss.name}. Use losses.logistic, squared or huber."
        )
    xp, X = namespace(D.X), D.X
    h = curvature(theta @ X.T, D.y)
    H = (X.T * h[..., None, :]) @ X
    H = H + regularization * xp.eye(p, dtype=X.dtype, device=X.device)
    tilt = l2_norm(D.gradient(theta) + regularization * theta)[..., 0]
    # ∫ exp(−‖b‖/s) db: the sphere's surface times s^p Γ(p)
    normalizer = log(2) + p / 2 * log(pi) - lgamma(p / 2) + p * log(s) + lgamma(p)
    return xp.linalg.slogdet(H)[1] - tilt / s - normalizer


def objective_perturbation_risk_bound(
    *,
    p: int,
    lipschitz: float,
    regularization: float,
    noise_multiplier: float,
    distance: float,
    strong_convexity: float = 0.0,
) -> float:
    r"""Bound the expected excess empirical risk, a sum over records. [Theorem 6.9]

    .. math:: \frac{\mathbb E\|b\|_2^2}{2(m + \Lambda)} + \frac{\Lambda}{2} W^2,
              \qquad \mathbb E\|b\|_2^2 = p(p+1)(L\lambda)^2

    Sources: Theorem 6.9 and (6.36); E-12, E-13, O-05; for m > 0, Section 6.5.2.

    Parameters
    ----------
    regularization : float
        :math:`\Lambda`. At a given λ and m = 0 the bound is least, and equal to
        :math:`W L\lambda\sqrt{p(p+1)}`, at :math:`L\lambda\sqrt{p(p+1)}/W`; but that
        may be less than privacy needs, see ``objective_perturbation_parameters``.
    distance : float
        :math:`W`, at least the norm of the best model in C.
    strong_convexity : float, optional
        :math:`m`, of the risk on C, in addition to Λ. The algorithm does not need to
        know it.

    Returns
    -------
    float
        The bound, for any convex loss and any C that contains 0.

    Examples
    --------
    >>> kind = dict(p=5, lipschitz=1.0, noise_multiplier=2.0, distance=2.0)
    >>> round(objective_perturbation_risk_bound(regularization=30**0.5, **kind), 3)
    21.909
    >>> curved = objective_perturbation_risk_bound(
    ...     regularization=1.0, strong_convexity=1000.0, **kind)
    >>> round(curved, 3)  # as L²p²/(mε²), and what regularization costs
    2.06
    """
    p = checks.count(p=p)
    lipschitz, regularization = checks.moderate(
        lipschitz=lipschitz, regularization=regularization
    )
    noise_multiplier, distance = checks.moderate(
        noise_multiplier=noise_multiplier, distance=distance
    )
    strong_convexity = checks.between(0, 1e100, strong_convexity=strong_convexity)
    s, curvature = lipschitz * noise_multiplier, strong_convexity + regularization
    tilt = p * (p + 1) * s * s
    bound = tilt / (2 * curvature) + regularization * distance * distance / 2
    if bound == inf:
        raise ValueError(
            f"`lipschitz` times `noise_multiplier` must be small enough for the bound "
            f"to be a float, got {s!r}. Choose another unit."
        )
    return bound
