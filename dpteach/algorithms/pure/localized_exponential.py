"""Section 6.5.2. Look twice: find a small ball first, then draw a model within it."""

from math import inf, log, sqrt

from ... import checks
from ...arrays import Rng, as_like, as_rng, namespace
from ...constraints import Simplex
from ...privacy import Composed, Relation, Release, Selection
from ...problem import Problem
from ._assumptions import within_bounds
from ._ball_draws import draw_in_balls
from ._risks import in_double
from .exponential import exponential_mechanism_exponent
from .output import output_perturbation, output_perturbation_sensitivity


def localization_radius(
    epsilon: float,
    *,
    p: int,
    lipschitz: float,
    regularization: float,
    failure_probability: float,
    tolerance: float = 0.0,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Compute how far the best model may be from a private guess. [Section 6.5.2]

    .. math:: r = \frac{2kL}{\Lambda\varepsilon}\bigl(p + \sqrt{2pt} + t\bigr),
              \qquad t = \ln(1/\beta)

    with k = 1 for a record added or removed and k = 2 for one replaced.

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, of which the guess spends half.
    lipschitz : float
        :math:`L`, at least the norm of every record's gradient.
    regularization : float
        :math:`\Lambda`, the strong convexity of the regularized risk.
    failure_probability : float
        :math:`\beta`: the best model is farther away with at most this probability.
    tolerance : float, optional
        :math:`\gamma`, as in ``output_perturbation``; it adds
        :math:`\gamma/\Lambda` and its share of the noise.

    Returns
    -------
    float
        :math:`r`, a distance between models. It does not look at the data.

    Examples
    --------
    >>> kind = dict(p=5, lipschitz=1.0, failure_probability=0.01)
    >>> [round(localization_radius(1.0, regularization=Lam, **kind), 3)
    ...  for Lam in (10.0, 100.0, 1000.0)]
    [3.278, 0.328, 0.033]
    """
    epsilon, p = checks.moderate(epsilon=epsilon), checks.count(p=p)
    regularization = checks.moderate(regularization=regularization)
    tolerance = checks.nonnegative(tolerance=tolerance)
    reach = output_perturbation_sensitivity(
        lipschitz=lipschitz,
        regularization=regularization,
        tolerance=tolerance,
        relation=relation,
    )
    length = _gamma_quantile(p, failure_probability)
    return 2 * reach / epsilon * length + tolerance / regularization


def _gamma_quantile(p: int, failure_probability: float) -> float:
    # A Gamma variable of shape p is larger with probability at most β
    t = -log(checks.probability(failure_probability=failure_probability))
    return p + sqrt(2 * p * t) + t


def localized_exponential_mechanism(
    problem: Problem,
    *,
    epsilon: float,
    lipschitz: float,
    regularization: float,
    failure_probability: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    tolerance: float = 1e-8,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Draw from a small ball around a private guess. [Section 6.5.2]

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss (smooth for the solver; privacy needs only
        convexity) and a constraint set with an interior, or none.
    epsilon : float
        :math:`\varepsilon`, in nats: half for the guess, half for the draw.
    lipschitz : float
        :math:`L`, at least the norm of a record's gradient on C; see ``out_of_bounds``.
    regularization : float
        :math:`\Lambda`, above 0. The wanted model minimizes
        :math:`\mathcal J(\theta) = \mathcal L(\theta; D) +
        \frac\Lambda2\|\theta\|_2^2`.
    failure_probability : float
        :math:`\beta`, public: with at most this probability the ball misses it.
    tolerance : float, optional
        :math:`\gamma`, fixed in advance: the solver's error, covered by the noise.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond these bounds: its row is scaled down to them, or
        it is an error, which tells of that record and which the event does not cover.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; ``path``, shape ``(2, *runs, p)``, holds the
        guess, too. The event composes both stages.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or γ is so small that rounding hides it;
        with "refuse" also if a record's slope exceeds ``lipschitz``.

    Notes
    -----
    Source: named in Section 6.5.2, with its rate. The draw is exact, by rejection from
    the uniform distribution on the ball. While the ball holds the best model and lies
    in C, a draw takes :math:`e^{(1 + B/\Lambda)x/2}` proposals on average, at most,
    where B is the curvature of the records' risk and :math:`x = p + \sqrt{2pt} + t`.
    So use it in few dimensions. The number depends on the data: do not publish the
    running time.

    References
    ----------
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = localized_exponential_mechanism(
    ...     D, epsilon=1.0, lipschitz=1.0, regularization=100.0,
    ...     failure_probability=0.01, rng=0)
    >>> guess, draw = out.event.events
    >>> guess.epsilon, draw.epsilon
    (0.5, 0.5)
    """
    checks.instance(Problem, problem=problem)
    regularization, tolerance = checks.moderate(
        regularization=regularization, tolerance=tolerance
    )
    _require_interior(problem)
    kind = {
        "lipschitz": lipschitz,
        "regularization": regularization,
        "tolerance": tolerance,
        "relation": relation,
    }
    r = localization_radius(
        epsilon, p=problem.p, failure_probability=failure_probability, **kind
    )
    D = in_double(within_bounds(problem, out_of_bounds, lipschitz=lipschitz))
    rng, C, eps = as_rng(rng), problem.constraint, float(epsilon)

    # 1: θ_0 ← Π_C(θ̂ + b), b ~ density ∝ exp(−‖b‖₂/s), s = 2kL/(Λε)
    lam = 2 * relation.sensitivity / eps  # for half of ε
    guess = output_perturbation(D, noise_multiplier=lam, rng=rng, runs=runs, **kind)
    theta_0 = C.project(guess.theta)
    # 2: C_0 ← {θ ∈ C : ‖θ − θ_0‖₂ ≤ r}, r = s (p + √(2pt) + t), t = ln(1/β)
    size = min(2 * r, C.diameter(D.p))  # at least ‖C_0‖₂
    # 3: Sample, output θ_priv ∈ C_0 w.p. ∝ exp(−c · 𝒥(θ; D)), c = ε/(2kL min{2r, ‖C‖₂})
    c = exponential_mechanism_exponent(
        eps / 2, lipschitz=lipschitz, diameter=size, relation=relation
    )
    theta = draw_in_balls(D, regularization, tolerance, theta_0, r, c, rng)
    theta_0, theta = (as_like(each, problem.X) for each in (theta_0, theta))
    event = Composed((guess.event, Selection(eps / 2, relation=relation)))
    path = namespace(theta).stack([theta_0, theta])
    return Release(theta=theta, path=path, event=event)


def _require_interior(problem: Problem) -> None:
    if isinstance(problem.constraint, Simplex):
        raise ValueError(
            "`problem` must have a constraint set with an interior, got "
            f"{problem.constraint!r}. No ball of models lies in a simplex: give an "
            "L1Ball, or no constraint."
        )


def localized_exponential_risk_bound(
    epsilon: float,
    *,
    p: int,
    lipschitz: float,
    regularization: float,
    failure_probability: float,
    diameter: float = inf,
    relation: Relation = Relation.ADD_REMOVE,
) -> float:
    r"""Bound the excess of a draw near a private guess. [Section 6.5.2]

    .. math:: f \le \frac xc = \frac{8k^2L^2x^2}{\Lambda\varepsilon^2},\qquad
              x = p + \sqrt{2pt} + t,\quad t = \ln(1/\beta),
              \quad\text{with probability at least } 1 - 2\beta

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, of both stages together.
    diameter : float, optional
        :math:`\|\mathcal C\|_2`; where it is below 2r, it takes its place in c.

    Returns
    -------
    float
        The bound on the excess of the regularized risk, a sum over records, for an
        exact minimum (γ = 0).

    Examples
    --------
    >>> kind = dict(p=5, lipschitz=1.0, failure_probability=0.01)
    >>> [round(localized_exponential_risk_bound(1.0, regularization=Lam, **kind), 1)
    ...  for Lam in (10.0, 100.0, 1000.0)]
    [214.9, 21.5, 2.1]
    """
    epsilon, lipschitz = checks.moderate(epsilon=epsilon, lipschitz=lipschitz)
    p = checks.count(p=p)
    r = localization_radius(
        epsilon,
        p=p,
        lipschitz=lipschitz,
        regularization=regularization,
        failure_probability=failure_probability,
        relation=relation,
    )
    if not (isinstance(diameter, float) and diameter == inf):
        diameter = checks.moderate(diameter=diameter)
    size = min(2 * r, diameter)
    c = exponential_mechanism_exponent(
        epsilon / 2, lipschitz=lipschitz, diameter=size, relation=relation
    )
    return _gamma_quantile(p, failure_probability) / c
