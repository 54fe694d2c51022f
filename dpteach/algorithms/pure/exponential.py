"""Section 6.2.1. The exponential mechanism: sample a model, good ones more likely."""

from math import log, sqrt

from ... import checks
from ...arrays import Rng, as_like, as_rng
from ...privacy import Relation, Release, Selection
from ...problem import Problem
from ._assumptions import bounded, within_bounds
from ._risks import in_double
from .exponential_samplers import Grid, Piecewise
from .rejection_samplers import LinearOnBall, Rejection


def exponential_mechanism_exponent(
    epsilon: float,
    *,
    lipschitz: float,
    diameter: float,
    relation: Relation = Relation.ADD_REMOVE,
    method: str = "exact",
) -> float:
    r"""Compute the c of exp(−c 𝓛) that makes Algorithm 1 ε-private. [Theorem 6.4]

    .. math:: c = \frac{\varepsilon}{k\,L\,\|\mathcal C\|_2}

    with k = 2 for a record replaced, else 1. A smaller bound on the range over C of
    𝓛(θ; D) − 𝓛(θ; D'), if certified for all neighbors, may be given as ``lipschitz``,
    with ``diameter=1``. Source: Theorem 6.4; E-04.

    Parameters
    ----------
    method : {"exact", "textbook"}, optional
        The largest c that suffices, or the source's formula, which always has k = 2.

    Returns
    -------
    float
        :math:`c`, in nats per unit of loss.

    Examples
    --------
    >>> [exponential_mechanism_exponent(1.0, lipschitz=1.0, diameter=2.0, method=each)
    ...  for each in ("exact", "textbook")]  # the latter gives ε/2-DP here
    [0.5, 0.25]
    """
    epsilon, lipschitz, diameter = checks.moderate(
        epsilon=epsilon, lipschitz=lipschitz, diameter=diameter
    )
    checks.instance(Relation, relation=relation)
    checks.one_of(("exact", "textbook"), method=method)
    factor = 2 if method == "textbook" else relation.sensitivity
    return epsilon / (factor * lipschitz * diameter)


def exponential_mechanism(
    problem: Problem,
    *,
    epsilon: float,
    lipschitz: float,
    sampler: Piecewise | Grid | LinearOnBall | Rejection,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    method: str = "exact",
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    """Publish a random model, exponentially more likely if it is good. [Algorithm 1]

    Sources: McSherry and Talwar (2007), Bassily, Smith and Thakurta (2014); E-04.

    Parameters
    ----------
    problem : Problem
        The data, a loss and a bounded constraint set; three samplers need convexity.
    sampler : Piecewise, Grid, LinearOnBall or Rejection
        How to draw exactly; each sampler states for which problems it can.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record steeper than ``lipschitz`` is scaled down to it or refused; the
        error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; ``event`` is a choice of bounded range, whose ε
        is half the nominal one for the textbook's exponent under ``ADD_REMOVE``.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import constraints, losses
    >>> y, C = np.linspace(-1.0, 1.0, 9), constraints.Box(-1.0, 1.0)
    >>> D = Problem(np.ones((9, 1)), y, losses.absolute, C)
    >>> out = exponential_mechanism(D, epsilon=1.0, lipschitz=1.0, sampler=Piecewise(),
    ...                             rng=0, runs=(4000,))
    >>> out.event.epsilon, bool(abs(np.median(out.theta)) < 0.05)  # near the median, 0
    (1.0, True)
    """
    checks.instance(Problem, problem=problem)
    checks.instance((Piecewise, Grid, LinearOnBall, Rejection), sampler=sampler)
    runs = checks.shape(problem.p, runs=runs)
    bounded(problem)
    L = checks.moderate(lipschitz=lipschitz)
    rng, B = as_rng(rng), L * problem.constraint.diameter(problem.p)
    c = exponential_mechanism_exponent(
        epsilon, lipschitz=B, diameter=1.0, relation=relation, method=method
    )

    # 1: 𝓛(θ; D) ← Σ_{i=1}^n ℓ(θ; d_i)
    D = in_double(within_bounds(problem, out_of_bounds, lipschitz=L))  # D.risk
    # 2: Sample, output θ_priv from C w.p. ∝ exp(−c · 𝓛(θ; D)), c = ε/(k L‖C‖₂)  [E-04]
    theta = as_like(sampler.sample(D, c, rng, runs), problem.X)
    event = Selection(c * B * relation.sensitivity, relation=relation)
    return Release(theta=theta, path=theta[None, ...], event=event)


def exponential_mechanism_risk_bound(
    exponent: float, *, p: int, failure_probability: float | None = None
) -> float:
    r"""Bound the excess risk f of Algorithm 1 for a convex loss. [Theorem 6.5]

    .. math:: \mathbb E f \le p/c, \qquad f \le \bigl(p + \sqrt{2pt} + t\bigr)/c

    Cones attain both bounds. Source: Theorem 6.5, which has O(·); E-05, E-06.

    Parameters
    ----------
    failure_probability : float, optional
        :math:`\beta = e^{-t}` of the second bound; the first is on the expectation.

    Returns
    -------
    float
        The bound, a sum over records: 2pL‖C‖₂/ε at the textbook's exponent.

    Examples
    --------
    >>> exponential_mechanism_risk_bound(0.5, p=10)
    20.0
    >>> round(exponential_mechanism_risk_bound(0.5, p=10, failure_probability=0.05), 1)
    41.5
    """
    exponent = checks.moderate(exponent=exponent)
    p = checks.count(p=p)
    if failure_probability is None:
        return p / exponent
    failure_probability = checks.probability(failure_probability=failure_probability)
    t = -log(failure_probability)
    return (p + sqrt(2 * p * t) + t) / exponent


def exponential_mechanism_nonconvex_risk_bound(
    exponent: float,
    *,
    n: int,
    p: int,
    lipschitz: float,
    diameter: float,
    failure_probability: float | None = None,
) -> float:
    r"""Bound the excess risk f of Algorithm 1 for any loss. [Section 6.2.1, note]

    .. math:: f \le \frac1c\Bigl(p + p\,\max\bigl(0,
              \ln\frac{c\,n L\|\mathcal C\|_2}{p}\bigr) + t\Bigr)

    if C is convex. With t = ln(1/β) it fails with probability β at most; without β it
    is on the expectation, and t = 1. Source: the note before Theorem 6.5; E-06b.

    Returns
    -------
    float
        The bound, a sum over records.

    Examples
    --------
    >>> kind = dict(n=100, p=1, lipschitz=1.0, diameter=2.0)
    >>> round(exponential_mechanism_nonconvex_risk_bound(0.25, **kind), 2)
    23.65
    """
    exponent, lipschitz, diameter = checks.moderate(
        exponent=exponent, lipschitz=lipschitz, diameter=diameter
    )
    n, p = checks.count(n=n, p=p)
    t = 1.0
    if failure_probability is not None:
        failure_probability = checks.probability(
            failure_probability=failure_probability
        )
        t = -log(failure_probability)
    spread = log(max(1.0, exponent * n * lipschitz * diameter / p))
    return (p + p * spread + t) / exponent
