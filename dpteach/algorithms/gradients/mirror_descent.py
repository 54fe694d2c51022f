"""Section 6.5.2. Private mirror descent: noisy gradients, steps for the simplex."""

from math import log, sqrt

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_rng,
    namespace,
    noisy_sum,
    standard_normal,
)
from ...constraints import Simplex
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem


def private_mirror_descent(
    problem: Problem,
    *,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    learning_rate: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Multiply weights by exponentials of noisy gradients. [Section 6.5.2]

    This is mirror descent, of Nemirovsky and Yudin (1983), with entropy on the simplex;
    with noise it is a case of Talwar, Thakurta and Zhang (2014).

    Parameters
    ----------
    problem : Problem
        The data and the loss; the constraint set is ``Simplex()``.
    clip_norm : float
        :math:`L`, for the 2-norm of each record's gradient, as in ``dp_sgd``: the noise
        is normal, whatever the geometry of the step.
    learning_rate : float
        :math:`\eta`, in the exponent; see ``mirror_descent_learning_rate``.

    Returns
    -------
    Release
        ``path``, shape ``(T + 1, *runs, p)``, begins with equal weights; ``theta`` is
        the average of all models but the last.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import losses
    >>> X = np.eye(50)[[7] * 500]  # one coordinate pays
    >>> D = Problem(X, np.ones(500), losses.linear, Simplex())
    >>> out = private_mirror_descent(D, clip_norm=1.0, steps=20, noise_multiplier=20.0,
    ...                              learning_rate=0.002, rng=0)
    >>> int(np.argmax(out.theta))
    7
    """
    checks.instance(Problem, problem=problem)
    checks.instance(Simplex, constraint=problem.constraint)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    learning_rate = checks.moderate(learning_rate=learning_rate)
    steps = checks.count(steps=steps)
    checks.fits(steps * problem.p, steps=steps)
    runs = checks.shape((steps + 1) * problem.p, runs=runs)
    event = Gaussian(noise_multiplier, releases=steps, relation=relation)
    rng, D, L, T, eta = as_rng(rng), problem, clip_norm, steps, learning_rate
    xp, sigma, S = namespace(D.X), L * noise_multiplier, D.zeros(*runs)

    # 1: θ_1 ← (1/p, …, 1/p); output θ_1
    path = [_weights(S)]
    # 2: for t = 1, …, T do
    for _ in range(T):
        # 3: g_t ← Σ_i clip(∇ℓ(θ_t; d_i), L)
        g = D.clipped_gradient(path[-1], L)
        # 4: S_t ← S_{t−1} + g_t + N(0, σ² I_p), where σ = Lλ
        b = sigma * standard_normal(rng, S.shape, like=S)
        S = S + noisy_sum(g, b)
        # 5: θ_{t+1} ∝ exp(−η S_t), coordinate by coordinate; output θ_{t+1}
        path.append(_weights(-eta * S))
    # 6: end for
    path = xp.stack(path)
    # 7: return θ_priv = (1/T) Σ_{t=1}^T θ_t
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _weights(v: Array) -> Array:
    """Compute weights in proportion to e^v, without overflow."""
    xp = namespace(v)
    w = xp.exp(v - xp.max(v, axis=-1, keepdims=True))
    return w / xp.sum(w, axis=-1, keepdims=True)


def _largest_gradient(n: int, p: int, noise_multiplier: float, L: float) -> float:
    # The root of E max_j |g_j + b_j|², by the triangle inequality in that norm:
    # |g_j| ≤ nL, and E max_j b_j² ≤ 2σ²(1 + ln p), as P(b_j² > uσ²) ≤ e^{−u/2}.
    n = checks.count(n=n)
    p = checks.count(2, p=p)
    noise_multiplier, L = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=L
    )
    return L * (n + noise_multiplier * sqrt(2 * (1 + log(p))))


def mirror_descent_learning_rate(
    *, n: int, p: int, steps: int, noise_multiplier: float, lipschitz: float
) -> float:
    r"""Compute the learning rate that minimizes the risk bound.

    .. math:: \eta = \frac1G\sqrt{\frac{2\ln p}{T}}, \qquad
        G = L\,\bigl(n + \lambda\sqrt{2(1 + \ln p)}\bigr)

    Parameters
    ----------
    lipschitz : float
        :math:`L`, at least the 2-norm of every record's gradient; also the clip norm.

    Returns
    -------
    float
        :math:`\eta`.

    Examples
    --------
    >>> mirror_descent_learning_rate(n=500, p=50, steps=20, noise_multiplier=20.0,
    ...                              lipschitz=1.0)
    0.0011...
    """
    steps = checks.count(steps=steps)
    G = _largest_gradient(n, p, noise_multiplier, lipschitz)
    return sqrt(2 * log(p) / steps) / G


def mirror_descent_risk_bound(
    *, n: int, p: int, steps: int, noise_multiplier: float, lipschitz: float
) -> float:
    r"""Bound the expected excess risk at the best learning rate, G√(2 ln p/T).

    G is that of ``mirror_descent_learning_rate``. The bound comes from the regret of
    exponential weights, ln p/η + (η/2) Σ_t max_j (g_j + b_j)².

    Returns
    -------
    float
        The bound, for convex losses, as a sum over records. It grows with p only as
        :math:`\ln p`, while ``dp_sgd_risk_bound`` grows as the root of p.

    Examples
    --------
    >>> from dpteach.algorithms.gradients.sgd import dp_sgd_risk_bound
    >>> known = {"n": 1000, "p": 100_000, "steps": 1000, "noise_multiplier": 100.0,
    ...          "lipschitz": 1.0}
    >>> round(dp_sgd_risk_bound(distance=sqrt(2), **known))
    1416
    >>> round(mirror_descent_risk_bound(**known))
    228
    """
    steps = checks.count(steps=steps)
    G = _largest_gradient(n, p, noise_multiplier, lipschitz)
    return G * sqrt(2 * log(p) / steps)
