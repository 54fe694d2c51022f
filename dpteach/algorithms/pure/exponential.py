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

    .. math:: c = \frac{\varepsilon}{L\,\|\mathcal C\|_2}
              \text{ (one record added or removed)},\qquad c =
              \frac{\varepsilon}{2L\,\|\mathcal C\|_2} \text{ (one replaced)}

    Parameters
    ----------
    epsilon : float
        :math:`\varepsilon`, the privacy to reach, in nats.
    lipschitz : float
        :math:`L`, at least the norm of every record's gradient on C.
    diameter : float
        :math:`\|\mathcal C\|_2`, the largest distance within C.
    method : {"exact", "textbook"}, optional
        The largest c that suffices, or the source's formula, which divides by 2 under
        every relation.

    Returns
    -------
    float
        :math:`c`, in nats per unit of loss.

    Notes
    -----
    Source: Theorem 6.4; E-04. Between neighbors 𝓛 changes by a g whose range over C is
    at most :math:`B = L\|\mathcal C\|_2`, or 2B if a record is replaced. The density's
    log-ratio then lies in an interval of length cB that contains 0. If a smaller bound
    on that range is certified for every pair of neighbors, give it as ``lipschitz``
    with ``diameter=1``.

    Examples
    --------
    >>> kind = dict(lipschitz=1.0, diameter=2.0)
    >>> exponential_mechanism_exponent(1.0, **kind)
    0.5
    >>> exponential_mechanism_exponent(1.0, **kind, method="textbook")  # ε/2-DP here
    0.25
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
    r"""Publish a random model, exponentially more likely if it is good. [Algorithm 1]

    Parameters
    ----------
    problem : Problem
        The data :math:`D`, the loss :math:`\ell` and a bounded constraint set
        :math:`\mathcal C`. Privacy does not need convexity; three samplers do.
    lipschitz : float
        :math:`L`, at least the norm of a record's gradient on C; see ``out_of_bounds``.
    sampler : Piecewise, Grid, LinearOnBall or Rejection
        How to draw exactly; each sampler states for which problems it can.
    method : {"exact", "textbook"}, optional
        Which exponent; see ``exponential_mechanism_exponent``.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond these bounds: its row is scaled down to them, or
        it is an error, which tells of that record and which the event does not cover.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; ``event`` is a choice of bounded range, whose ε
        is what the exponent gives: half the nominal one for the textbook's exponent
        under ``ADD_REMOVE``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the sampler cannot draw exactly from this
        problem; with "refuse" also if a record's slope exceeds ``lipschitz``.

    Notes
    -----
    Source: Algorithm 1; E-04 for the exponent.

    References
    ----------
    * McSherry and Talwar (2007), Mechanism Design via Differential Privacy.
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((9, 1)), np.linspace(-1.0, 1.0, 9), losses.absolute,
    ...             constraints.Box(-1.0, 1.0))
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
    r"""Bound the excess risk of Algorithm 1 for a convex loss. [Theorem 6.5]

    .. math:: \mathbb E f \le p/c, \qquad
              f \le \bigl(p + \sqrt{2pt} + t\bigr)/c
              \text{ with probability at least } 1 - e^{-t}

    Parameters
    ----------
    exponent : float
        :math:`c`, see ``exponential_mechanism_exponent``.
    failure_probability : float, optional
        :math:`\beta = e^{-t}`. Without it the bound is on the expectation.

    Returns
    -------
    float
        The bound on the excess empirical risk, a sum over records: 2pL‖C‖₂/ε at the
        textbook's exponent, half of that at the exact one.

    Notes
    -----
    Source: Theorem 6.5 has O(·); E-05, E-06. The function c ↦ c^p ∫ exp(−c f) does not
    decrease, because C shrunk toward θ* stays in C. Its derivative gives the first
    bound. It also makes c f at most a Gamma(p) variable, which gives the second. Cones
    attain both.

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
    r"""Bound the excess risk of Algorithm 1 for any loss. [Section 6.2.1, note]

    .. math:: f \le \frac1c\Bigl(p + p\,\max\bigl(0,
              \ln\frac{c\,n L\|\mathcal C\|_2}{p}\bigr) + t\Bigr)

    Parameters
    ----------
    n, p : int
        A public count of records, and the length of a model.
    diameter : float
        :math:`\|\mathcal C\|_2`; C itself must be convex.
    failure_probability : float, optional
        :math:`\beta = e^{-t}`; without it t = 1 and the bound is on the expectation.

    Returns
    -------
    float
        The bound on the excess empirical risk, a sum over records.

    Notes
    -----
    Source: the note before Theorem 6.5; E-06b. A copy of C shrunk by p/(c n L‖C‖₂)
    toward θ* has excess risk at most p/c throughout, and it is not too small.

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
