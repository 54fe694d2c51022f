"""Beyond the source. Newton's method from one noisy curvature and noisy gradients."""

from dataclasses import replace
from math import inf, sqrt

from ... import checks
from ...arrays import Array, Rng, as_like, as_rng, namespace, standard_normal
from ...constraints import Everywhere
from ...losses import Loss
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ._moments import bounded_rows, moments, symmetric_noise


def private_newton(
    problem: Problem,
    *,
    row_norm: float,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Minimize the risk of a linear model in a few steps, without a learning rate.

    Parameters
    ----------
    problem : Problem
        With a smooth loss of one score, such as ``losses.logistic``, and without a
        constraint.
    row_norm : float
        :math:`B`, public; see ``out_of_bounds``.
    clip_norm : float
        :math:`L`, of gradients. With :math:`|\varphi'| \le 1`, as for the logistic
        loss, L = B clips none.
    steps : int
        :math:`T`. Five to twenty are enough where the noise lets them be.
    noise_multiplier : float
        :math:`\lambda`, of each of T + 1 releases: one of the curvature, and T
        gradients.
    regularization : float
        :math:`\Lambda` of :math:`\frac\Lambda2\|\theta\|_2^2`.
    out_of_bounds : {"clip", "refuse"}, optional
        What becomes of a row longer than B: it is scaled down, or it is an error, which
        tells of that record and which the event does not cover.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, and all T models in ``path``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; with "refuse" also if a record is.

    Notes
    -----
    No loss is curved more than :math:`\beta`, so :math:`\beta X^\top X` bounds the
    Hessian at every model, and without noise no step raises the risk (Böhning and
    Lindsay, 1988). One release of it serves all steps. Ganesh and others (2023) made
    Newton's method private first, and measured it for logistic regression.

    References
    ----------
    * Böhning and Lindsay (1988), Monotonicity of Quadratic-Approximation Algorithms.
    * Ganesh, Haghifam, Steinke and Thakurta (2023), Faster Differentially Private
      Convex Optimization via Second-Order Methods.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import constraints, losses
    >>> X = np.random.default_rng(0).choice([-0.5, 0.5], (5000, 4))
    >>> D = Problem(X, np.sign(X[:, 0]), losses.logistic, constraints.Everywhere())
    >>> out = private_newton(D, row_norm=1.0, clip_norm=1.0, steps=8,
    ...                      noise_multiplier=6.0, regularization=1.0, rng=0)
    >>> out.theta.round(0) + 0.0, out.event.releases
    (array([7., 0., 0., 0.]), 9)
    """
    X = _checked(problem, row_norm, out_of_bounds)
    L, row_norm = checks.moderate(clip_norm=clip_norm, row_norm=row_norm)
    steps = checks.count(steps=steps)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    Lam = checks.moderate(regularization=regularization)
    checks.instance(Relation, relation=relation)
    runs = checks.shape(X.shape[1] ** 2, runs=runs)
    rng, xp, beta = as_rng(rng), namespace(X), problem.loss.smoothness
    D = replace(problem, X=X)
    # one record moves Σ x xᵀ by at most B², one that is replaced by √2 B²
    far = row_norm**2 * sqrt(relation.sensitivity)
    tau = beta * noise_multiplier * far / relation.sensitivity

    # 1: A ← β XᵀX + E, with its eigenvalues raised to what E could make of 0, plus Λ
    A = beta * moments(X, X) + tau * symmetric_noise(rng, runs, D.p, X)
    a, U = xp.linalg.eigh(A)
    a = xp.clip(a, min=tau * sqrt(2 * D.p)) + Lam
    theta, path = D.zeros(*runs), []
    # 2: for t = 1 … T do
    for _ in range(steps):
        # 3: g ← Σ clip(∇ℓ(θ_t; d), L) + Λθ_t + N(0, (Lλ)² I_p)
        noise = L * noise_multiplier * standard_normal(rng, theta.shape, X)
        g = D.clipped_gradient(theta, L) + noise + Lam * theta
        # 4: θ_{t+1} ← θ_t − A⁻¹ g
        theta = theta - _times(U, _times(xp.matrix_transpose(U), g) / a)
        path.append(as_like(theta, problem.X))
    # 5: Output θ_priv = θ_{T+1}
    event = Gaussian(noise_multiplier, releases=steps + 1, relation=relation)
    return Release(theta=path[-1], path=xp.stack(path), event=event)


def _checked(problem: Problem, row_norm: float, out: str) -> Array:
    """Return the rows in 64 bits and within B; refuse other problems."""
    checks.instance(Problem, problem=problem)
    loss = problem.loss
    if not isinstance(loss, Loss) or loss.classes is not None or loss.smoothness == inf:
        raise ValueError(
            f"`problem` must have a smooth loss of one score, got {loss.name!r}. Take "
            "losses.logistic or losses.squared, or dp_sgd, which takes every loss."
        )
    if not isinstance(problem.constraint, Everywhere):
        raise ValueError(
            "`problem` must have the constraint Everywhere(): the steps leave any set. "
            "`regularization` keeps models short."
        )
    return bounded_rows(problem.X, row_norm, out)


def _times(A: Array, v: Array) -> Array:
    return (A @ v[..., None])[..., 0]
