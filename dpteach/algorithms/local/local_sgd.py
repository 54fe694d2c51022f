"""Local differential privacy: each user adds the noise, and no server is trusted."""

from math import sqrt

from ... import checks
from ...arrays import (
    Array,
    Rng,
    as_rng,
    clip,
    l2_laplace,
    namespace,
)
from ...privacy import (
    Pure,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem
from ._reports import check_one_pass, noise_scale


def local_randomizer(v: Array, *, epsilon: float, clip_norm: float, rng: Rng) -> Array:
    r"""Send a vector with the noise that hides it. [Section 3 of the BANCO paper]

    The noise has density proportional to :math:`e^{-\varepsilon\|z\|_2/(2G)}`: uniform
    direction, gamma-distributed length. Two vectors of norm at most G are at most 2G
    apart, so the report is ε-locally private. It is made of floating-point numbers,
    which is fine for teaching but not for a release to an adversary.

    Parameters
    ----------
    v : Array
        Shape ``(n, p)``, one vector per user, or ``(p,)``; clipped to the norm G first.

    Returns
    -------
    Array
        The reports, of the shape of ``v``, with mean clip(v, G).

    Examples
    --------
    >>> import numpy as np
    >>> sent = local_randomizer(np.zeros((10**4, 5)), epsilon=1.0, clip_norm=1.0, rng=0)
    >>> round(float(np.mean(np.linalg.norm(sent, axis=1))))  # 2pG/ε: grows with p
    10
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    scale = noise_scale(epsilon, clip_norm)
    checks.finite_array(ndim=1 if getattr(v, "ndim", 2) == 1 else 2, v=v)
    return clip(v, clip_norm) + l2_laplace(as_rng(rng), scale, v)


def local_noise_variance(epsilon: float, *, p: int, clip_norm: float) -> float:
    """Compute σ² = E‖ξ‖² = 4G²(p² + p)/ε² for reports of clip norm G. [Theorem 2]

    Returns
    -------
    float
        The noise's second moment, over all coordinates together.

    Examples
    --------
    >>> local_noise_variance(1.0, p=10, clip_norm=1.0)  # a gradient is at most 1 long
    440.0
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    p = checks.count(p=p)
    return noise_scale(epsilon, clip_norm) ** 2 * (p**2 + p)


def local_sgd(
    problem: Problem,
    *,
    epsilon: float,
    clip_norm: float,
    learning_rate: float,
    rng: Rng,
    path_every: int = 1,
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    """Make one pass of gradient steps, each on one user's noisy report. [Section 1]

    Source: the BANCO paper, after Song, Chaudhuri and Sarwate (2013).

    Parameters
    ----------
    problem : Problem
        The users' records in the order of their arrival, the loss, the set.
    trace : Trace, optional
        Filled with each step's exact ``gradient``.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the average of the models that users were
        sent, ``path`` these models. A user reports once, so ``event`` is one ε.

    Examples
    --------
    >>> from dpteach.data import example
    >>> out = local_sgd(example(), epsilon=2.0, clip_norm=1.0, learning_rate=0.1, rng=0)
    >>> out.event  # n does not enter: each user is protected by her own noise
    Pure(epsilon=2.0, releases=1, relation=Relation.REPLACE)
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    check_one_pass(problem, path_every, runs, trace)
    path_every = checks.count(path_every=path_every)
    learning_rate = checks.moderate(learning_rate=learning_rate)
    scale = noise_scale(epsilon, clip_norm)
    rng, event = as_rng(rng), Pure(epsilon, relation=Relation.REPLACE)
    D, C, G, eta, path = problem, problem.constraint, clip_norm, learning_rate, []

    # 1: w_1 ← Π_C(0)
    w = C.project(D.zeros(*runs))
    total = 0 * w
    # 2: for t = 1, …, n do
    for t in range(1, D.n + 1):
        total = total + w
        if t % path_every == 0:
            path.append(w)
        # 3: user t is sent w_t, and sends ĝ_t ← clip(∇ℓ(w_t; d_t), G) + ξ_t
        g = D.clipped_record_gradient(w, t - 1, G)
        noisy = g + l2_laplace(rng, scale, like=w)
        # 4: w_{t+1} ← Π_C(w_t − η ĝ_t)
        w = C.project(w - eta * noisy)
        if trace is not None:
            trace.record(t=t, gradient=g)
    # 5: end for
    # 6: return (1/n) Σ_{t=1}^n w_t
    return Release(theta=total / D.n, path=namespace(w).stack(path), event=event)


def local_sgd_learning_rate(
    epsilon: float, *, n: int, p: int, clip_norm: float, distance: float
) -> float:
    r"""Compute the learning rate of the best bound, which needs ‖w*‖. [Section 1]

    .. math:: \eta = \frac{\|w^*\|}{\sqrt{(G^2 + \sigma^2)\,n}}

    Parameters
    ----------
    clip_norm, distance : float
        :math:`G`, at least the norm of every gradient, and :math:`\|w^*\|_2`.

    Returns
    -------
    float
        :math:`\eta`, with :math:`\sigma^2` from ``local_noise_variance``.

    Examples
    --------
    >>> near = local_sgd_learning_rate(1.0, n=10_000, p=5, clip_norm=1.0, distance=1.0)
    >>> far = local_sgd_learning_rate(1.0, n=10_000, p=5, clip_norm=1.0, distance=100.0)
    >>> round(far / near)  # to tune η is to know ‖w*‖: BANCO does without
    100
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    n = checks.count(n=n)
    distance = checks.moderate(distance=distance)
    variance = local_noise_variance(epsilon, p=p, clip_norm=clip_norm)
    second_moment = variance + clip_norm**2
    return distance / sqrt(second_moment * n)


def local_sgd_risk_bound(
    epsilon: float,
    *,
    n: int,
    p: int,
    clip_norm: float,
    learning_rate: float,
    distance: float,
) -> float:
    r"""Bound the expected excess population risk, a mean over users. [Section 1]

    .. math:: \mathbb E R(\bar w) - R(w^*) \le \|w^*\|^2/2\eta n + \eta(G^2+\sigma^2)/2

    Parameters
    ----------
    clip_norm, distance : float
        :math:`G`, at least the norm of every gradient, and :math:`\|w^*\|_2`.

    Returns
    -------
    float
        The bound, for a convex loss and users drawn independently.

    Examples
    --------
    >>> same = dict(n=10_000, p=5, clip_norm=1.0, distance=1.0)
    >>> best = local_sgd_learning_rate(1.0, **same)
    >>> [round(local_sgd_risk_bound(1.0, learning_rate=k * best, **same), 2)
    ...  for k in (0.1, 1, 10)]  # a rate that is off by ten costs a factor five
    [0.56, 0.11, 0.56]
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    n = checks.count(n=n)
    learning_rate, distance = checks.moderate(
        learning_rate=learning_rate, distance=distance
    )
    variance = local_noise_variance(epsilon, p=p, clip_norm=clip_norm)
    second_moment = variance + clip_norm**2
    return (
        distance * distance / (2 * learning_rate * n)
        + learning_rate * second_moment / 2
    )
