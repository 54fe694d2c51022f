"""Section 6.2.2, a remark. Draw models where the gradient is short, convex or not."""

from math import prod

import numpy as np

from ... import checks
from ...arrays import Rng, as_like, as_rng, l2_norm, to_numpy
from ...privacy import Relation, Release, Selection
from ...problem import Problem
from ._assumptions import models
from ._segments import draw_index, released
from .exponential_samplers import Grid

BLOCK = 2**20  # losses evaluated at a time


def gradient_norm_mechanism(
    problem: Problem,
    *,
    epsilon: float,
    clip_norm: float,
    sampler: Grid,
    rng: Rng,
    regularization: float = 0.0,
    relation: Relation = Relation.ADD_REMOVE,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Publish a model, exponentially more likely where the gradient is short.

    .. math:: \text{probability} \propto
              \exp\Bigl(-\frac{\varepsilon}{2kL}\,
              \|\nabla\mathcal J(\theta)\|_2\Bigr)

    It finds stationary points: a maximum or a saddle is as likely as a minimum. Its
    price is for real numbers, as that of ``Grid``. Source: Reimherr and Awan (2019).

    Parameters
    ----------
    problem : Problem
        The data, any loss, and a box or a ball in at most three dimensions. Neither
        convexity nor smoothness is needed.
    clip_norm : float
        :math:`L`; the sum of clipped gradients takes the place of the gradient of 𝓛.
    sampler : Grid
        The public grid of models.
    regularization : float, optional
        :math:`\Lambda`, of the term :math:`\Lambda\|\theta\|^2/2`, which holds no data.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, a point of the grid; ``event`` is a choice of
        bounded range.

    Examples
    --------
    >>> from dpteach import constraints, losses
    >>> y, C = np.linspace(-1.0, 1.0, 99), constraints.Box(-1.0, 1.0)
    >>> D = Problem(np.ones((99, 1)), y, losses.absolute, C)
    >>> out = gradient_norm_mechanism(D, epsilon=1.0, clip_norm=1.0,
    ...                               sampler=Grid(0.01), rng=0, runs=(4000,))
    >>> out.event.epsilon, bool(abs(np.median(out.theta)) < 0.05)  # a private median
    (1.0, True)
    """
    checks.instance(Problem, problem=problem)
    checks.instance(Grid, sampler=sampler)
    runs = checks.shape(problem.p, runs=runs)
    L, eps = checks.moderate(clip_norm=clip_norm, epsilon=epsilon)
    Lam = checks.between(0, 1e100, regularization=regularization)
    event, rng = Selection(eps, relation=relation), as_rng(rng)
    k = relation.sensitivity

    # 1: s(θ) ← ‖Σ_i clip(∇ℓ(θ; d_i), L) + Λθ‖₂ for each θ on a public grid
    points = sampler.points(problem)
    lengths = gradient_lengths(problem, points, clip_norm=L, regularization=Lam)
    # 2: Sample, output θ_priv w.p. ∝ exp(−ε s(θ)/(2kL))
    index = draw_index(-eps / (2 * k * L) * lengths, rng, prod(runs))
    theta = as_like(released(points[index], problem, runs), problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def gradient_lengths(
    problem: Problem,
    theta: np.ndarray,
    *,
    clip_norm: float,
    regularization: float = 0.0,
) -> np.ndarray:
    """Compute the norm of the clipped and regularized gradient at many models.

    Parameters
    ----------
    theta : ndarray
        Models, one per row, shape ``(G, p)``.
    clip_norm : float
        :math:`L`. One record moves each norm by at most L, or 2L if it is replaced.

    Returns
    -------
    ndarray
        Shape ``(G,)``.

    Examples
    --------
    >>> from dpteach.data import example
    >>> gradient_lengths(example(), np.zeros((1, 10)), clip_norm=1.0).shape
    (1,)
    """
    checks.instance(Problem, problem=problem)
    models(problem, theta=theta)
    clip_norm = checks.moderate(clip_norm=clip_norm)
    Lam = checks.between(0, 1e100, regularization=regularization)
    rows = max(1, BLOCK // max(1, problem.n))
    found = [np.empty(0)]
    for start in range(0, len(theta), rows):
        some = theta[start : start + rows]
        g = problem.clipped_gradient(as_like(some, problem.X), clip_norm)
        g = to_numpy(g).astype(float) + Lam * some
        found.append(to_numpy(l2_norm(g)[..., 0]))
    return np.concatenate(found)
