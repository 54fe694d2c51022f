"""Section 6.5.2. Bolt-on privacy: stochastic gradient descent, then noise once."""

from ... import checks
from ...arrays import Rng, as_like, as_rng, l2_laplace, standard_normal
from ...privacy import (
    Gaussian,
    Pure,
    Relation,
    Release,
)
from ...problem import Problem
from ..pure._assumptions import require_differentiable, within_bounds
from ..pure._risks import in_double

# If n is secret, adding or removing a record would change every later step.
FIXED_LENGTH = (Relation.ZERO_OUT, Relation.REPLACE)


def bolt_on_sensitivity(
    *,
    lipschitz: float,
    learning_rate: float,
    passes: int,
    relation: Relation = Relation.ZERO_OUT,
) -> float:
    r"""Bound how far one record moves the last iterate, k m L η. [Section 6.5.2]

    Parameters
    ----------
    learning_rate : float
        :math:`\eta`, constant, at most :math:`2/\beta` for β-smooth losses.
    passes : int
        m, how often each record is visited, always in the same order.
    relation : Relation, optional
        A record is zeroed out (k = 1) or replaced (k = 2), but not added or removed.

    Returns
    -------
    float
        The sensitivity. A step of a convex, smooth loss moves two iterates no farther
        apart; only a visit to the record that differs does, each time by kLη.

    Examples
    --------
    >>> bolt_on_sensitivity(lipschitz=1.0, learning_rate=0.5, passes=3)
    1.5
    """
    lipschitz, learning_rate = checks.moderate(
        lipschitz=lipschitz, learning_rate=learning_rate
    )
    passes = checks.count(passes=passes)
    checks.one_of(FIXED_LENGTH, relation=relation)
    return relation.sensitivity * passes * lipschitz * learning_rate


def bolt_on_sgd(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    learning_rate: float,
    passes: int,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    noise: str = "gaussian",
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Run stochastic gradient descent without noise, and add noise at the end.

    Section 6.5.2 names this algorithm. Source: Wu and others (2017).

    Parameters
    ----------
    problem : Problem
        The data, a convex smooth loss and a constraint set. Here privacy itself needs
        convexity and smoothness; the privacy of ``dp_sgd`` does not.
    lipschitz, smoothness : float
        :math:`L` and :math:`\beta`, at least a record's slope and curvature on C.
    learning_rate : float
        :math:`\eta`, at most :math:`2/\beta`.
    noise_multiplier : float
        :math:`\lambda`, the noise's scale over m L η, the sensitivity to a zeroed
        record.
    rng : int, Generator or None
        The source of the order and of the noise: the order must not depend on the data.
    noise : {"gaussian", "gamma"}, optional
        Normal, or of density :math:`\propto e^{-\|b\|_2/s}`, for pure ε.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record beyond these bounds is scaled down to them or refused; the
        error tells of that record, and the event does not cover it.
    runs : tuple of int, optional
        Shape of a batch of independent runs, all in the same order.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``; it may lie outside C.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> out = bolt_on_sgd(D, lipschitz=1.0, smoothness=0.25, learning_rate=0.5,
    ...                   passes=2, noise_multiplier=3.0, rng=0)
    >>> out.event
    Gaussian(noise_multiplier=3.0, releases=1, relation=Relation.ZERO_OUT)
    """
    learning_rate = checks.moderate(learning_rate=learning_rate)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    passes = checks.count(passes=passes)
    checks.one_of(("gaussian", "gamma"), noise=noise)
    kind = {"lipschitz": lipschitz, "learning_rate": learning_rate}
    reach = bolt_on_sensitivity(**kind, passes=passes, relation=relation)
    _require_contraction(problem, smoothness, learning_rate)
    runs = checks.shape(problem.p, runs=runs)
    checks.fits(passes * problem.n, passes=passes)
    stated = {"lipschitz": lipschitz, "smoothness": smoothness}
    D = in_double(within_bounds(problem, out_of_bounds, **stated))
    rng, lam, k = as_rng(rng), noise_multiplier, relation.sensitivity

    # 1: θ ← Π_C(0); draw one order of the records
    theta, order = D.constraint.project(D.zeros()), rng.permutation(D.n)
    # 2: for m passes, for each record i in that order: θ ← Π_C(θ − η ∇ℓ(θ; d_i))
    for i in [*order] * passes:
        step = theta - learning_rate * D.record_gradient(theta, int(i))
        theta = D.constraint.project(step)
    # 3: Output θ + b, where b has the scale λ m L η
    s, like = lam * reach / k, D.zeros(*runs)
    if noise == "gamma":
        b = l2_laplace(rng, s, like)
        event = Pure(k / lam, relation=relation)
    else:
        b = s * standard_normal(rng, like.shape, like)
        event = Gaussian(lam, relation=relation)
    theta = as_like(theta + b, problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def _require_contraction(
    problem: Problem, smoothness: float, learning_rate: float
) -> None:
    checks.instance(Problem, problem=problem)
    smoothness = checks.moderate(smoothness=smoothness)
    require_differentiable(problem)
    if learning_rate > 2 / smoothness:
        raise ValueError(
            f"`learning_rate` must be at most 2/smoothness = {2 / smoothness:.6g}, got "
            f"{learning_rate!r}: a longer step may move two iterates apart."
        )
