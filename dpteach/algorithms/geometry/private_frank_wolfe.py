"""Section 6.4.2. Private Frank-Wolfe: greedy steps toward privately chosen corners."""

from math import inf, log, sqrt

import numpy as np

from ... import checks
from ...accounting import zcdp_rho
from ...arrays import (
    Array,
    Rng,
    as_like,
    as_rng,
    namespace,
)
from ...privacy import (
    Pure,
    Relation,
    Release,
    Selection,
    Trace,
)
from ...problem import Problem
from .._steps import check_path
from ..pure._assumptions import shares, within_bounds
from ..pure._risks import in_double
from ._corners import (
    Walk,
    choose,
    corner_norm,
    corner_scores,
    require_polytope,
)
from .sparse import SparseProblem

NOISES = ("exponential", "gumbel", "laplace")


def private_frank_wolfe_noise(
    epsilon: float,
    delta: float,
    *,
    steps: int,
    lipschitz_l1: float,
    l1_radius: float,
    relation: Relation = Relation.ADD_REMOVE,
    method: str = "exact",
) -> float:
    r"""Compute the noise on the corners' scores. [Theorem 6.21]

    .. math:: \frac1c = \frac{2\Delta_1}{\varepsilon_0},\quad
              \varepsilon_0 = \sqrt{\frac{8\rho}{T-1}};\qquad
              b = \frac{2\Delta_1\sqrt{8T\ln(1/\delta)}}{\varepsilon}

    Parameters
    ----------
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`, for all steps together.
    steps : int
        :math:`T`, at least 2: T − 1 corners are chosen.
    lipschitz_l1 : float
        :math:`L_1`, at least every entry of every record's gradient on C.
    l1_radius : float
        :math:`\|\mathcal C\|_1`, the largest :math:`\|s\|_1` of a corner.
    relation : Relation, optional
        Which data sets are neighbors; a replaced record counts twice.
    method : {"exact", "textbook"}, optional
        The scale 1/c of the exponential mechanism (Gumbel noise), where ρ is what (ε,
        δ) allows; or the Laplace scale b that advanced composition proves for
        :math:`\varepsilon \le 8\ln(1/\delta)`, and for no larger ε.

    Returns
    -------
    float
        The scale of the noise, in the unit of the scores; :math:`\Delta_1` is
        :math:`L_1\|\mathcal C\|_1`, times 2 for a replaced record.

    Notes
    -----
    Source: Theorem 6.21; E-32: a sum over records is not divided by n; E-34: scores may
    move in both directions, so that a choice costs 2Δ₁ over the scale.

    Examples
    --------
    >>> kind = dict(steps=100, lipschitz_l1=2.0, l1_radius=1.0)
    >>> exact = private_frank_wolfe_noise(1.0, 1e-6, **kind)
    >>> book = private_frank_wolfe_noise(1.0, 1e-6, **kind, method="textbook")
    >>> round(exact, 1), round(book, 1)
    (90.2, 420.5)
    """
    epsilon, lipschitz_l1, l1_radius = checks.moderate(
        epsilon=epsilon, lipschitz_l1=lipschitz_l1, l1_radius=l1_radius
    )
    delta = checks.probability(delta=delta)
    steps = checks.count(2, steps=steps)
    checks.instance(Relation, relation=relation)
    checks.one_of(("exact", "textbook"), method=method)
    Delta = lipschitz_l1 * l1_radius * relation.sensitivity
    if method == "textbook":
        # advanced composition proves ε/2 + ε²/(16 ln(1/δ)), at most ε up to here
        if epsilon > -8 * log(delta):
            raise ValueError(
                f"`epsilon` must be at most 8 ln(1/δ) = {-8 * log(delta):.4g} for "
                f"method='textbook', got {epsilon!r}: beyond, its noise costs more. "
                "Take method='exact', which is noise='exponential' or 'gumbel'."
            )
        return 2 * Delta * sqrt(-8 * steps * log(delta)) / epsilon
    return 2 * Delta / sqrt(8 * zcdp_rho(epsilon, delta) / (steps - 1))


def private_frank_wolfe(
    problem: Problem | SparseProblem,
    *,
    lipschitz_l1: float,
    epsilon: float,
    delta: float,
    steps: int,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    noise: str = "exponential",
    path_every: int = 1,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Walk toward privately chosen corners. [Algorithm 6]

    Parameters
    ----------
    problem : Problem or SparseProblem
        The data, a loss of one score, and an L1Ball or a Simplex; privacy does not need
        convexity.
    lipschitz_l1 : float
        :math:`L_1`, at least every entry of a record's gradient on C; see
        ``out_of_bounds``.
    epsilon, delta : float
        :math:`(\varepsilon, \delta)`, for the whole path.
    steps : int
        :math:`T`, at least 2; see ``private_frank_wolfe_steps``. Set it from public
        numbers alone.
    relation : Relation, optional
        The neighbors for which (ε, δ) and the returned event hold.
    noise : {"exponential", "gumbel", "laplace"}, optional
        "gumbel" adds noise to every score; "exponential" draws from the same
        distribution by one uniform number; "laplace" is the noise of the source, with
        the scale that its proof needs.
    path_every : int, optional
        The path keeps every model whose number is a multiple of this: by default all of
        them. If p is large, ``path_every=steps`` keeps the last one alone.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a record beyond that: its row is scaled down to it, or it is an
        error, which tells of that record and which the event does not cover.
    trace : Trace, optional
        Filled with what the curator sees: ``scores`` and ``corner`` of each step.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the last model, with at most T − 1 non-zero
        entries on an L1Ball; ``path`` holds each :math:`\theta_t` whose t is a multiple
        of ``path_every``. All of them together cost ``event`` once.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; with "refuse" also if a record's gradient
        exceeds what is stated.

    Notes
    -----
    Source: Algorithm 6; E-32, E-33, E-34.

    References
    ----------
    * Talwar, Thakurta and Zhang (2015), Nearly Optimal Private LASSO.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> from dpteach.accounting import epsilon_of
    >>> X, y = np.ones((4, 3)), np.ones(4)
    >>> D = Problem(X, y, losses.squared, constraints.L1Ball(1.0))
    >>> out = private_frank_wolfe(D, lipschitz_l1=2.0, epsilon=1.0, delta=1e-6, steps=9,
    ...                           rng=0)
    >>> epsilon_of(out.event, 1e-6) <= 1.0
    True
    """
    lipschitz_l1 = checks.moderate(lipschitz_l1=lipschitz_l1)
    checks.instance((Trace, type(None)), trace=trace)
    steps = checks.count(2, steps=steps)
    path_every = check_path(path_every, steps)
    budget = {"epsilon": epsilon, "delta": delta, "steps": steps, "relation": relation}
    b, event = _scale_and_event(problem, noise, lipschitz_l1, budget)
    runs = checks.shape(steps // path_every * problem.p, runs=runs)
    D = _within_bounds(problem, out_of_bounds, lipschitz_l1)
    rng, C, T = as_rng(rng), problem.constraint, steps

    # 1: Choose an arbitrary θ_1 from C
    walk = Walk(D, runs)
    xp, path = namespace(walk.theta), [walk.theta] if path_every == 1 else []
    # 2: for t = 1 to T−1 do
    for t in range(1, T):
        # 3: ∀s ∈ S, α_s ← ⟨s, ∇𝓛(θ_t; D)⟩ − b z_s with Gumbel z_s, or
        #    Lap(2 L₁‖C‖₁ √(8T ln(1/δ))/ε)  [E-32, E-34]
        alpha = corner_scores(C, walk.gradient())
        # 4: θ̂_t ← argmin_{s∈S} α_s
        corner = _noisy_argmin(alpha, b, noise, rng)
        # 5: θ_{t+1} ← (1−γ_t)θ_t + γ_t θ̂_t, where γ_t = 2/(t + 1)  [E-33]
        walk.move(corner, 2 / (t + 1))
        if (t + 1) % path_every == 0:
            path.append(walk.theta)
        if trace is not None:
            trace.record(t=t, scores=alpha, corner=corner)
    # 6: end for
    # 7: Output θ_priv = θ_T
    like = problem.zeros()
    theta, path = as_like(walk.theta, like), as_like(xp.stack(path), like)
    return Release(theta=theta, path=path, event=event)


def _scale_and_event(
    problem: Problem | SparseProblem, noise: str, lipschitz_l1: float, budget: dict
) -> tuple[float, Pure | Selection]:
    require_polytope(problem)
    checks.one_of(NOISES, noise=noise)
    length = corner_norm(problem.constraint)
    b = private_frank_wolfe_noise(
        **budget,
        lipschitz_l1=lipschitz_l1,
        l1_radius=length,
        method="textbook" if noise == "laplace" else "exact",
    )
    relation, choices = budget["relation"], budget["steps"] - 1
    # One choice moves each score by Δ₁ at most, up or down: 2Δ₁ between two scores
    one = 2 * lipschitz_l1 * length * relation.sensitivity / b
    kind = Pure if noise == "laplace" else Selection
    return b, kind(one, releases=choices, relation=relation)


def _noisy_argmin(
    alpha: Array, b: float, noise: str, rng: np.random.Generator
) -> Array:
    if noise == "exponential":
        return choose(alpha, b, rng)
    draw = rng.laplace if noise == "laplace" else rng.gumbel
    # Gumbel noise is not symmetric: the scores' maximum needs noise of this sign.
    noisy = alpha - b * as_like(draw(size=alpha.shape), alpha)
    return namespace(alpha).argmin(noisy, axis=-1)


def _within_bounds(
    problem: Problem | SparseProblem, out_of_bounds: str, lipschitz_l1: float
) -> Problem | SparseProblem:
    stated = {"order": inf, "lipschitz_l1": lipschitz_l1}
    if isinstance(problem, Problem):
        return in_double(within_bounds(problem, out_of_bounds, **stated))
    # On an l1 ball a record's slope is its largest entry, so one column is enough.
    largest = problem.largest_entries()[:, None]
    thin = Problem(largest, problem.y, problem.loss, problem.constraint)
    return problem.scaled(shares(thin, out_of_bounds, **stated))
