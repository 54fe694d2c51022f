"""Markov chains toward the density ∝ exp(−c 𝓛): approximate, not ε-DP.

A chain's distribution is near its target only after enough steps, and the chain itself
does not show how many are enough. If it were within total variation τ of the target for
every data set, it would be (ε, (1 + e^ε)τ)-DP. So these functions return points and no
event.
"""

from math import prod, sqrt

import numpy as np

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_like,
    as_rng,
    l2_norm,
    namespace,
    to_numpy,
)
from ...arrays import standard_normal as normal
from ...constraints import Box, L2Ball
from ...problem import Problem
from ._assumptions import bounded
from ._risks import risk_differences
from ._segments import draw_log_concave

ROOM = 1e-12  # a projection moves a point of C only by rounding


def _checked(problem: Problem, exponent: float, steps: int, runs: tuple) -> None:
    checks.instance(Problem, problem=problem)
    exponent = checks.moderate(exponent=exponent)
    steps = checks.count(steps=steps)
    checks.shape(problem.p, runs=runs)
    bounded(problem)


def hit_and_run(
    problem: Problem,
    *,
    exponent: float,
    steps: int,
    rng: Rng,
    runs: tuple[int, ...] = (),
) -> Array:
    r"""Walk along random chords of C, each drawn exactly: approximate, not ε-DP.

    Parameters
    ----------
    problem : Problem
        A convex loss on a box or a ball, of any dimension.
    exponent : float
        :math:`c` of the target density, see ``exponential_mechanism_exponent``.
    steps : int
        How many chords. No number of chords certifies a privacy guarantee.
    runs : tuple of int, optional
        Shape of a batch of independent chains, one after the other.

    Returns
    -------
    Array
        The chains' last points, shape ``(*runs, p)``. Not a ``Release``: no event
        describes what they cost.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or C is neither a box nor a ball.

    Notes
    -----
    Source: Section 6.2.1, on sampling. A chord's density is log-concave; tangents of 𝓛
    bound it from above, and a rejected point adds its tangent. How many a chord takes
    depends on the data; after 100 the chain stays where it is.

    References
    ----------
    * Smith (1984), Efficient Monte Carlo Procedures for Generating Points Uniformly
      Distributed over Bounded Regions.
    * Lovász and Vempala (2006), Hit-and-Run from a Corner.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((3, 2)), np.ones(3), losses.hinge, constraints.Box(-1, 1))
    >>> hit_and_run(D, exponent=1.0, steps=20, rng=0, runs=(5,)).shape
    (5, 2)
    """
    exponent = checks.moderate(exponent=exponent)
    steps = checks.count(steps=steps)
    _checked(problem, exponent, steps, runs)
    runs = checks.shape(problem.p, runs=runs)
    checks.fits(steps * problem.p, steps=steps)
    rng, D, C = as_rng(rng), problem, problem.constraint
    if not isinstance(C, Box | L2Ball):
        raise ValueError(
            f"`problem` must have a Box or an L2Ball to draw chords in, got {C!r}."
        )
    theta = to_numpy(C.project(D.zeros(prod(runs)))).astype(float)
    with np.errstate(all="ignore"):  # a warning would tell of a record
        for _ in range(steps):
            v = rng.standard_normal(theta.shape)
            v = v / np.linalg.norm(v, axis=1, keepdims=True)
            low, high = _chord(C, theta, v)
            moves = [
                _draw_on_chord(D, *each, exponent, rng)
                for each in zip(theta, v, low, high, strict=True)
            ]
            theta = theta + np.array(moves)[:, None] * v
    return as_like(theta.reshape(*runs, D.p), D.X)


def _chord(
    C: Box | L2Ball, theta: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Find the ends s of {θ + s v} ∩ C, one pair per row."""
    if isinstance(C, Box):
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([(C.low - theta) / v, (C.high - theta) / v])
        low, high = np.nanmin(ends, axis=0), np.nanmax(ends, axis=0)
        return np.minimum(low.max(axis=1), 0.0), np.maximum(high.min(axis=1), 0.0)
    along, inside = np.sum(theta * v, axis=1), C.radius**2 - np.sum(theta**2, axis=1)
    half = np.sqrt(along**2 + np.maximum(inside, 0.0))
    return -along - half, -along + half


def _draw_on_chord(
    D: Problem,
    theta: np.ndarray,
    v: np.ndarray,
    low: float,
    high: float,
    exponent: float,
    rng: np.random.Generator,
) -> float:
    at = D.scores(as_like(theta, D.X))

    def tangents(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        points = as_like(theta + s[:, None] * v, D.X)
        risks = risk_differences(D, D.scores(points), at)
        return to_numpy(risks).astype(float), to_numpy(D.gradient(points)) @ v

    if not low < high:
        return 0.0
    move = draw_log_concave(tangents, low, high, exponent, rng)
    return 0.0 if move is None else move


def langevin(
    problem: Problem,
    *,
    exponent: float,
    steps: int,
    step_size: float,
    rng: Rng,
    runs: tuple[int, ...] = (),
) -> Array:
    r"""Take noisy gradient steps with a Metropolis test (MALA): approximate, not ε-DP.

    Parameters
    ----------
    problem : Problem
        A loss on a bounded constraint set; a proposal outside C is refused.
    exponent : float
        :math:`c` of the target density, see ``exponential_mechanism_exponent``.
    steps : int
        How many proposals. No number of proposals certifies a privacy guarantee.
    step_size : float
        :math:`h` of a proposal, :math:`\theta - h c\nabla\mathcal L + N(0, 2h\,I)`.
    runs : tuple of int, optional
        Shape of a batch of independent chains.

    Returns
    -------
    Array
        The chains' last points, shape ``(*runs, p)``. Not a ``Release``: no event
        describes what they cost.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or C has no bound.

    Notes
    -----
    Source: Section 6.2.1, on sampling.

    References
    ----------
    * Roberts and Tweedie (1996), Exponential Convergence of Langevin Distributions and
      Their Discrete Approximations.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.ones((3, 2)), np.ones(3), losses.logistic,
    ...             constraints.L2Ball(1.0))
    >>> langevin(D, exponent=1.0, steps=50, step_size=0.1, rng=0, runs=(5,)).shape
    (5, 2)
    """
    exponent = checks.moderate(exponent=exponent)
    steps = checks.count(steps=steps)
    _checked(problem, exponent, steps, runs)
    runs = checks.shape(problem.p, runs=runs)
    checks.fits(steps * problem.p, steps=steps)
    step_size = checks.moderate(step_size=step_size)
    rng, D, c, h = as_rng(rng), problem, exponent, step_size
    xp = namespace(D.X)

    def square(v: Array) -> Array:
        return xp.sum(v * v, axis=-1) / (4 * h)

    theta = D.constraint.project(D.zeros(*runs))
    with np.errstate(all="ignore"):  # a warning would tell of a record
        scores, drift = D.scores(theta), h * c * D.gradient(theta)
        for _ in range(steps):
            move = theta - drift + sqrt(2 * h) * normal(rng, theta.shape, like=theta)
            inside = l2_norm(move - D.constraint.project(move))[..., 0] <= ROOM
            new, push = D.scores(move), h * c * D.gradient(move)
            log_ratio = -c * risk_differences(D, new, scores)
            log_ratio = log_ratio + square(move - theta + drift)
            log_ratio = log_ratio - square(theta - move + push)
            draw = as_like(np.log(1 - rng.random(runs)), D.X)
            accept = inside & (draw <= log_ratio)
            theta = xp.where(accept[..., None], move, theta)
            one = xp.reshape(accept, runs + (1,) * (new.ndim - len(runs)))
            scores = xp.where(one, new, scores)
            drift = xp.where(accept[..., None], push, drift)
    return theta


def metropolis_transitions(risk: np.ndarray, *, exponent: float) -> np.ndarray:
    r"""Tabulate a walk on a line of candidates, step by step: approximate, not ε-DP.

    Parameters
    ----------
    risk : ndarray
        :math:`\mathcal L` at m candidates in a row, shape ``(m,)``.
    exponent : float
        :math:`c` of the target probabilities :math:`\propto e^{-c\mathcal L}`.

    Returns
    -------
    ndarray
        Shape ``(m, m)``. Entry (i, j) is the probability of a step from i to j: one of
        the two adjacent candidates is proposed, and accepted with probability
        :math:`\min\{1, e^{-c(\mathcal L_j - \mathcal L_i)}\}`. It depends on the data,
        so use it for audits and figures, but do not publish it.

    Notes
    -----
    Source: Section 6.2.1, on sampling. Row i of the T-th power is the exact
    distribution of the chain that starts at i and stops after T steps.

    Examples
    --------
    >>> metropolis_transitions(np.array([0.0, 1.0]), exponent=np.log(2))
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    checks.finite_array(ndim=1, risk=risk)
    exponent = checks.moderate(exponent=exponent)
    up = np.exp(-exponent * np.maximum(np.diff(risk), 0)) / 2
    down = np.exp(-exponent * np.maximum(-np.diff(risk), 0)) / 2
    moves = np.diag(up, 1) + np.diag(down, -1)
    return moves + np.diag(1 - moves.sum(axis=1))
