"""The exponential mechanism with a quadratic regularizer: a Gaussian price."""

from math import prod, sqrt

import numpy as np

from ... import checks
from ...arrays import Array, Rng, as_like, as_rng, to_numpy
from ...constraints import Everywhere
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ._assumptions import require_differentiable, within_bounds
from ._minimum import best_iterate
from ._risks import in_double, risk_differences
from ._segments import released

BLOCK = 2**20  # losses evaluated at a time
PROPOSALS = 10**6  # for each draw on average, at most
SOLVED = 1e-6  # of L: a better center only saves time


def regularized_exponential_event(
    exponent: float,
    *,
    lipschitz: float,
    regularization: float,
    relation: Relation = Relation.ADD_REMOVE,
) -> Gaussian:
    r"""Price a draw with density ∝ exp(−c𝒥), where 𝒥 is strongly convex.

    .. math:: \mu = k L \sqrt{c/\Lambda}

    with k = 1 for a record added, removed or zeroed out and k = 2 for one replaced.

    Parameters
    ----------
    lipschitz : float
        :math:`L`, at least the norm of every record's gradient on C.
    regularization : float
        :math:`\Lambda`, the strong convexity of 𝒥 on every data set.

    Returns
    -------
    Gaussian
        One release that is :math:`\mu`-GDP.

    References
    ----------
    * Gopi, Lee and Liu (2022), Private Convex Optimization via Exponential Mechanism.

    Examples
    --------
    >>> kind = {"lipschitz": 1.0, "regularization": 4.0}
    >>> regularized_exponential_event(1.0, **kind).mu
    0.5
    """
    exponent, lipschitz = checks.moderate(exponent=exponent, lipschitz=lipschitz)
    regularization = checks.moderate(regularization=regularization)
    noise = sqrt(regularization) / sqrt(exponent) / lipschitz
    return Gaussian(noise, relation=relation)


def regularized_exponential_mechanism(
    problem: Problem,
    *,
    exponent: float,
    lipschitz: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish a draw with density ∝ exp(−c(𝓛(θ) + (Λ/2)‖θ‖²)).

    Parameters
    ----------
    problem : Problem
        The data, a smooth convex loss (smooth for the sampler; privacy needs only
        convexity), and no constraint: Λ keeps models near 0.
    exponent : float
        :math:`c`. For :math:`\mu`-GDP take :math:`c = \Lambda\mu^2/(kL)^2`.
    lipschitz : float
        :math:`L`, at least the norm of a record's gradient; see ``out_of_bounds``.
    regularization : float
        :math:`\Lambda`, above 0.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond these bounds: its row is scaled down to them, or
        it is an error, which tells of that record and which the event does not cover.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``.

    Notes
    -----
    Normal proposals below the density's tangent, so use it for a few weights only. The
    running time depends on the data: do not publish it. After a million proposals for
    a draw the zero model takes its place, which the event does not cover.

    References
    ----------
    * Gopi, Lee and Liu (2022), Private Convex Optimization via Exponential Mechanism.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((9, 1)), np.ones(9), losses.logistic,
    ...             constraints.Everywhere())
    >>> out = regularized_exponential_mechanism(
    ...     D, exponent=1.0, lipschitz=1.0, regularization=4.0, rng=0, runs=(2000,))
    >>> out.event.mu, round(float(out.theta.mean()), 2)  # the best is at 0.73
    (0.5, 0.73)
    """
    checks.instance(Problem, problem=problem)
    runs = checks.shape(problem.p, runs=runs)
    require_differentiable(problem)
    _require_no_constraint(problem)
    L, c, Lam = lipschitz, exponent, regularization
    event = regularized_exponential_event(
        c, lipschitz=L, regularization=Lam, relation=relation
    )
    rng = as_rng(rng)

    # 1: 𝒥(θ; D) ← Σ_{i=1}^n ℓ(θ; d_i) + (Λ/2)‖θ‖²
    D = in_double(within_bounds(problem, out_of_bounds, lipschitz=L))
    # 2: Sample, output θ_priv ∈ R^p w.p. ∝ exp(−c · 𝒥(θ; D))
    theta = _draw(D, float(Lam), float(c), SOLVED * L, rng, runs)
    theta = as_like(theta, problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def _require_no_constraint(problem: Problem) -> None:
    if not isinstance(problem.constraint, Everywhere):
        raise ValueError(
            "`problem` must have no constraint, got "
            f"{problem.constraint!r}. Give constraints.Everywhere(): normal proposals "
            "may never land in a small set; the regularization keeps models near 0."
        )


def _draw(
    D: Problem,
    Lam: float,
    c: float,
    gamma: float,
    rng: np.random.Generator,
    runs: tuple[int, ...],
) -> Array:
    # 𝓛 lies above its tangent at any θ̂. With the tangent in its place the density is
    # normal; a proposal is kept w.p. e^{−c·(what 𝓛 exceeds the tangent by)}.
    at = best_iterate(D, Lam, D.zeros(), gamma)[0]
    slope, start = (to_numpy(a).astype(float) for a in (D.gradient(at), at))
    scores, size = D.scores(at), prod(runs)
    theta, waiting, left = np.zeros((size, D.p)), np.arange(size), PROPOSALS * size
    most = max(1, BLOCK // max(1, D.n))
    while len(waiting) and left > 0:
        now = waiting[:most]
        left -= len(now)
        noise = rng.standard_normal((len(now), D.p)) / np.sqrt(c * Lam)
        points = noise - slope / Lam
        risk = risk_differences(D, D.scores(as_like(points, D.X)), scores)
        above = to_numpy(risk).astype(float) - (points - start) @ slope
        kept = np.log(1 - rng.random(len(now))) <= -c * np.maximum(above, 0)
        theta[now[kept]] = points[kept]
        waiting = np.concatenate([waiting[most:], now[~kept]])
    return released(theta, D, runs)


def regularized_exponential_risk_bound(
    exponent: float, *, p: int, regularization: float, distance: float
) -> float:
    r"""Bound the expected excess risk of a draw with density ∝ exp(−c𝒥).

    .. math:: \frac pc + \frac\Lambda2 W^2

    Parameters
    ----------
    distance : float
        :math:`W`, at least the norm of the best model.

    Returns
    -------
    float
        The bound on the excess empirical risk, a sum over records, for a convex loss.
        At :math:`c = \Lambda\mu^2/(kL)^2` it is least, and equal to
        :math:`kLW\sqrt{2p}/\mu`, for :math:`\Lambda = kL\sqrt{2p}/(\mu W)`.

    Examples
    --------
    >>> Lam = 20**0.5  # for k = L = W = μ = 1 and p = 10: c = Λ
    >>> bound = regularized_exponential_risk_bound(
    ...     Lam, p=10, regularization=Lam, distance=1.0)
    >>> bool(abs(bound - 20**0.5) < 1e-12)
    True
    """
    exponent, distance = checks.moderate(exponent=exponent, distance=distance)
    p = checks.count(p=p)
    regularization = checks.moderate(regularization=regularization)
    return p / exponent + regularization * distance * distance / 2
