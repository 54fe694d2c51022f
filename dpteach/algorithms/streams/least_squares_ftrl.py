"""DP-FTRL paper, Algorithm 2. DP-FTRL for least squares, without linear losses."""

from math import inf

from ... import checks, losses
from ...accounting import noise_multiplier as gaussian_noise_multiplier
from ...arrays import (
    Array,
    Rng,
    as_rng,
    clip,
    l2_norm,
    namespace,
)
from ...constraints import L2Ball
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ._runs import check_run
from ._stream import check_stream
from .streaming_tree import StreamingTree
from .tree import levels


def least_squares_dp_ftrl_noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    steps: int,
    relation: Relation = Relation.ZERO_OUT,
    method: str = "exact",
) -> float:
    r"""Compute the noise of both trees that makes DP-FTRL-LS private. [Theorem 4.3]

    Parameters
    ----------
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`, for all models together.
    steps : int
        :math:`n`, the length of the stream.
    relation : Relation, optional
        ``ZERO_OUT`` or ``REPLACE``.
    method : {"exact", "textbook"}, optional
        The least noise, or :math:`\sqrt{4k(\ln(1/\delta) + \varepsilon)}/\varepsilon`.

    Returns
    -------
    float
        The noise multiplier of each tree: √2 times that of ``dp_ftrl``, because a
        record touches the nodes of two trees.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or ``relation`` is ADD_REMOVE.

    Examples
    --------
    >>> from dpteach.algorithms.streams.ftrl import dp_ftrl_noise_multiplier
    >>> two = least_squares_dp_ftrl_noise_multiplier(1.0, 1e-6, steps=1000)
    >>> round(two / dp_ftrl_noise_multiplier(1.0, 1e-6, steps=1000), 6)
    1.414214
    """
    check_stream(relation)
    return gaussian_noise_multiplier(
        epsilon, delta, releases=2 * levels(steps), relation=relation, method=method
    )


def least_squares_dp_ftrl(
    problem: Problem,
    *,
    row_norm: float,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    estimator: str = "plain",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Follow the leader of private quadratic losses. [Algorithm 2, DP-FTRL paper]

    Parameters
    ----------
    problem : Problem
        The stream :math:`(x_1, y_1), \dots, (x_n, y_n)`, with ``losses.squared`` and an
        ``L2Ball``. A row of zeros is the record ⊥.
    row_norm : float
        :math:`L`. Every longer :math:`x_t` is scaled to this norm, and every
        :math:`y_t` is clipped to [-1, 1], because privacy must not depend on a promise
        about the data.
    noise_multiplier : float
        :math:`\lambda`. The standard deviation of a node's noise is :math:`L^2\lambda`
        in the tree of :math:`x x^\top` and :math:`L\lambda` in that of :math:`y x`.
    relation : Relation, optional
        The neighbors, ``ZERO_OUT`` or ``REPLACE``; for the latter the event is an
        upper bound, because :math:`\|xx^\top - x'x'^\top\|_F \le \sqrt2 L^2`.
    estimator : {"plain", "honaker"}, optional
        How the trees' nodes become sums.

    Returns
    -------
    Release
        ``theta``, the average of :math:`\theta_1, \dots, \theta_n`, and ``path``, shape
        ``(n + 1, *runs, p)``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, the loss is not squared, or the constraint
        set is not a ball.

    Notes
    -----
    Memory grows as p² lg n, time as p³ a step. Two trees are the idea of
    Algorithm 2; the details are derived here.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> X = np.eye(2)[np.arange(200) % 2]
    >>> D = Problem(X, X @ [0.5, -0.5], losses.squared, constraints.L2Ball(1.0))
    >>> out = least_squares_dp_ftrl(D, row_norm=1.0, noise_multiplier=1.0,
    ...                             regularization=5.0, rng=0)
    >>> out.event.releases  # 8 levels, twice
    16
    """
    row_norm, noise_multiplier, regularization = checks.moderate(
        row_norm=row_norm,
        noise_multiplier=noise_multiplier,
        regularization=regularization,
    )
    check_run(problem, noise_multiplier, regularization, relation, runs)
    radius = _check_least_squares(problem, row_norm, noise_multiplier)
    D, n, p, z = problem, problem.n, problem.p, noise_multiplier
    L, Lam, xp = row_norm, regularization, namespace(D.X)
    noise = {"rng": as_rng(rng), "estimator": estimator}
    event = Gaussian(z, releases=2 * levels(n), relation=relation)
    identity = xp.eye(p, dtype=D.X.dtype, device=D.X.device)
    zeros = xp.zeros((*runs, p * p), dtype=D.X.dtype, device=D.X.device)

    # 1: θ_1 ← 0; output θ_1
    path = [D.zeros(*runs)]
    # 2: 𝒯_M, 𝒯_m ← InitializeTree(n, L²λ), InitializeTree(n, Lλ), by a node's noise
    tree_M, tree_m = (
        StreamingTree(n, clip_norm=norm, sigma=norm * z, shape=shape, **noise)
        for norm, shape in ((L**2, (*runs, p * p)), (L, (*runs, p)))
    )
    # 3: for t = 1, …, n do
    for t in range(n):
        # 4: x_t ← clip(x_t, L), y_t ← y_t cut to [−1, 1]
        x, y = clip(D.X[t, :], L), xp.clip(D.y[t], min=-1.0, max=1.0)
        # 5: M_t ← Σ_{i≤t} x_i x_iᵀ + noise, made symmetric, which costs no privacy
        square = xp.reshape(x[:, None] * x[None, :], (-1,))
        M = xp.reshape(tree_M.add(zeros + square), (*runs, p, p))
        M = (M + xp.matrix_transpose(M)) / 2
        # 6: m_t ← Σ_{i≤t} y_i x_i + noise
        m = tree_m.add(zeros[..., :p] + y * x)
        # 7: θ_{t+1} ← argmin_{θ∈C} ½ θᵀ(M_t + ΛI)θ − ⟨m_t, θ⟩; output θ_{t+1}
        path.append(_leader(M + Lam * identity, m, radius))
    # 8: end for
    path = xp.stack(path)
    # 9: return θ_priv = (1/n) Σ_{t=1}^n θ_t
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _leader(M: Array, m: Array, R: float) -> Array:
    """Minimize ½ θᵀMθ − ⟨m, θ⟩ over ‖θ‖ ≤ R, for any symmetric M, convex or not."""
    # θ is the leader if (M + νI)θ = m for the least ν ≥ 0 with M + νI ⪰ 0, ‖θ‖ ≤ R.
    xp = namespace(M)
    w, V = xp.linalg.eigh(M)
    c = (m[..., None, :] @ V)[..., 0, :]
    # The eigenvalues after ν made them at least 0; the rest of ν keeps its digits.
    w, concave = w - xp.clip(w[..., :1], max=0.0), w[..., :1] < 0
    # |c_j|/(w_j + ν) ≤ R for each j: a lower bound of ν, which Newton's method for
    # 1/‖θ(ν)‖ = 1/R raises without ever passing the root.
    nu = xp.clip(xp.max(xp.abs(c) / R - w, axis=-1, keepdims=True), min=0.0)
    for _ in range(100):
        a = c / xp.where(w + nu > 0, w + nu, xp.full_like(w, inf))
        norm = l2_norm(a)
        slope = xp.sum(a * a / xp.where(w + nu > 0, w + nu, 1 + 0 * w), axis=-1)
        step = (norm / R - 1) * norm**2 / xp.where(norm > 0, slope[..., None], 1.0)
        if not bool(xp.any(step > 1e-15 * nu)):
            break
        nu = nu + xp.clip(step, min=0.0)
    # If M is not convex, θ lies on the sphere. If m has no part along the lowest
    # direction, θ reaches the sphere only by moving along that direction.
    first = xp.arange(w.shape[-1], device=w.device) == 0
    rest = xp.where(first, 0 * a, a)
    up = xp.sqrt(xp.clip(R**2 - xp.sum(rest * rest, axis=-1, keepdims=True), min=0.0))
    short = concave & (norm < (1 - 1e-9) * R)
    a = xp.where(short & first, xp.where(c < 0, -up, up), a)
    return (V @ a[..., None])[..., 0]


def _check_least_squares(
    problem: Problem, row_norm: float, noise_multiplier: float
) -> float:
    row_norm = checks.moderate(row_norm=row_norm)
    if row_norm**2 * noise_multiplier == 0:
        raise ValueError(
            f"`row_norm` must not be so small that its square is 0, got {row_norm!r}: "
            "the noise would be 0 as well."
        )
    if problem.loss is not losses.squared:
        raise ValueError(
            f"`problem` must have the squared loss, got {problem.loss.name}. For other "
            "losses `dp_ftrl` follows the leader of their gradients."
        )
    if not isinstance(problem.constraint, L2Ball):
        raise ValueError(
            f"`problem` must be constrained to an L2Ball, got {problem.constraint!r}. "
            "With noise the quadratic may have no minimum without one."
        )
    return problem.constraint.radius
