"""The BANCO paper. Bet on the distance, descend on the direction: no learning rate."""

from math import log, sqrt

from ... import checks
from ...arrays import (
    Rng,
    as_like,
    as_rng,
    at_least,
    l2_laplace,
    l2_norm,
    namespace,
)
from ...arrays import to_numpy as host
from ...constraints import Everywhere
from ...privacy import (
    Pure,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem
from ._reports import check_one_pass, noise_scale
from ._stakes import stake
from .betting import log_bet
from .local_sgd import local_noise_variance

# k₁ = 0.68380262…, rounded down: for 0 ≥ z ≥ −k₁, ln(1 + z) ≥ z − z²
BET_RANGE = 0.6838


def banco_tail(
    epsilon: float, *, p: int, clip_norm: float, method: str = "exact"
) -> tuple[float, float]:
    r"""Compute the noise's tail constants that BANCO needs. [Condition (2), BANCO]

    In every direction, :math:`E\,e^{\beta\xi} = (1 -
    4G^2\beta^2/\varepsilon^2)^{-(p+1)/2} \le e^{\beta^2\sigma_{1D}^2/2}` for all
    :math:`|\beta| \le 1/b`. B-01 says how the source's b is read.

    Parameters
    ----------
    method : {"exact", "textbook"}, optional
        The least variance that satisfies the condition,
        :math:`\sigma_{1D}^2 = 16\ln(4/3)(p+1)G^2/\varepsilon^2`, or the source's
        :math:`18 p^2 G^2/\varepsilon^2`.

    Returns
    -------
    tuple of float
        :math:`\sigma_{1D}^2` and :math:`b = 4G/\varepsilon`, for clip norm G.

    Examples
    --------
    >>> least, b = banco_tail(1.0, p=20, clip_norm=1.0)
    >>> book, _ = banco_tail(1.0, p=20, clip_norm=1.0, method="textbook")
    >>> round(least, 1), book, b
    (96.7, 7200.0, 4.0)
    """
    scale = noise_scale(epsilon, clip_norm)
    p = checks.count(p=p)
    checks.one_of(("exact", "textbook"), method=method)
    variance = 4 * log(4 / 3) * (p + 1) if method == "exact" else 4.5 * p**2
    return variance * scale**2, 2 * scale


def banco(
    problem: Problem,
    *,
    epsilon: float,
    clip_norm: float,
    rng: Rng,
    method: str = "exact",
    direction_rate: float = 1.0,
    path_every: int = 1,
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Learn from a noisy report per user, with no learning rate. [Algorithm 1, BANCO]

    The model is a length m times a direction q. The direction descends inside the unit
    ball; the length is a bet on the coin :math:`\langle \hat g_t, q_t\rangle`. Either
    sign of the direction's step gives the same models, to the last bit (B-02).

    Parameters
    ----------
    problem : Problem
        The users' records in the order of their arrival, and the loss; the set must be
        ``Everywhere()``.
    clip_norm : float
        :math:`G`, the norm to which each user clips.
    method : {"exact", "textbook"}, optional
        The tail constants; see ``banco_tail``.
    direction_rate : float, optional
        :math:`c`, the direction's step over :math:`(\sum_s \|\hat g_s\|^2)^{-1/2}`.
    trace : Trace, optional
        Filled with each step's exact ``gradient`` and with the ``bet`` m.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the average of the models that users were
        sent, ``path`` these models. A user reports once, so ``event`` is one ε.

    References
    ----------
    * Jun and Orabona (2019), Parameter-Free Locally Differentially Private Stochastic
      Subgradient Descent.
    * Jun and Orabona (2019), Parameter-Free Online Convex Optimization with
      Sub-Exponential Noise.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from dpteach import constraints
    >>> from dpteach.data import example
    >>> free = replace(example(), constraint=constraints.Everywhere())
    >>> out = banco(free, epsilon=4.0, clip_norm=1.0, rng=0)
    >>> out.event
    Pure(epsilon=4.0, releases=1, relation=Relation.REPLACE)
    >>> [bool((w == 0).all()) for w in out.path[:3]]  # nothing is won before step 3
    [True, True, False]
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    check_one_pass(problem, path_every, runs, trace)
    path_every = checks.count(path_every=path_every)
    direction_rate = checks.moderate(direction_rate=direction_rate)
    _check_unconstrained(problem)
    rng, event, path = as_rng(rng), Pure(epsilon, relation=Relation.REPLACE), []
    D, G, c, xp = problem, clip_norm, direction_rate, namespace(problem.X)
    sigma2_1d, b = banco_tail(epsilon, p=D.p, clip_norm=G, method=method)
    scale = noise_scale(epsilon, G)

    # 1: w_1 ← q_1 ← 0;  a ← min(k₁/G, 1/b)  [B-01]
    w = q = total = D.zeros(*runs)
    x, a = xp.sum(w, axis=-1), min(BET_RANGE / G, 1 / b)
    squares = x + xp.finfo(w.dtype).smallest_normal  # 0/0 = 0 in a noiseless run
    # 2: for t = 1, …, n do
    for t in range(1, D.n + 1):
        total = total + w
        if t % path_every == 0:
            path.append(w)
        # 3: receive ĝ_t ← −clip(∇ℓ(w_t; d_t), G) + ξ_t
        g = D.clipped_record_gradient(w, t - 1, G)
        noisy = l2_laplace(rng, scale, like=w) - g
        # 4: m ← (1/2a) ∫_{−a}^a β exp(βx − β²y) dβ, where x = Σ_{s≤t} ⟨ĝ_s, q_s⟩ and
        #    y = t (σ₁D²/2 + G²)
        x = x + xp.vecdot(noisy, q)
        m = as_like(stake(host(x), t * (sigma2_1d / 2 + G**2), a), x)
        # 5: q_{t+1/2} ← q_t + c ĝ_t / √(Σ_{s≤t} ‖ĝ_s‖²)  [B-02]
        squares = squares + xp.vecdot(noisy, noisy)
        q = q + noisy * (c / xp.sqrt(squares))[..., None]
        # 6: q_{t+1} ← q_{t+1/2} · min{1, 1/‖q_{t+1/2}‖}
        q = q / at_least(l2_norm(q), 1.0)
        # 7: w_{t+1} ← m q_{t+1}
        w = m[..., None] * q
        if trace is not None:
            trace.record(t=t, gradient=g, bet=m)
    # 8: end for
    # 9: return (1/n) Σ_{t=1}^n w_t
    return Release(theta=total / D.n, path=xp.stack(path), event=event)


def _check_unconstrained(problem: Problem) -> None:
    if not isinstance(problem.constraint, Everywhere):
        raise ValueError(
            f"`problem` must be unconstrained, got {problem.constraint!r}. "
            "BANCO has no projection; use local_sgd, or constraints.Everywhere()."
        )


def banco_risk_bound(
    epsilon: float,
    *,
    n: int,
    p: int,
    clip_norm: float,
    distance: float,
    method: str = "exact",
    direction_rate: float = 1.0,
) -> float:
    r"""Bound the expected excess population risk, a mean over users. [Theorems 2 and 3]

    The direction's regret is at most :math:`(2/c + c)\sqrt{(G^2 + \sigma^2)n}`, and the
    length's at most :math:`1 + \max_x(\|w^*\|x - \Phi(x, y_n))`, where the gambler's
    wealth is
    :math:`\Phi(x, y) = \frac{1}{2a}\int_{-a}^{a} e^{\beta x - \beta^2 y}\,d\beta`;
    about Φ we use only that it is positive.

    Parameters
    ----------
    clip_norm, distance : float
        :math:`G`, at least the norm of every gradient, and :math:`\|w^*\|_2`, which the
        algorithm does not know.
    method : {"exact", "textbook"}, optional
        The tail constants; see ``banco_tail``.

    Returns
    -------
    float
        The bound, for a convex loss and users drawn independently.

    Examples
    --------
    >>> few, many = (banco_risk_bound(4.0, n=n, p=5, clip_norm=1.0, distance=10.0)
    ...              for n in (10**4, 10**6))
    >>> round(few / many, 1)  # a hundredfold n: tenfold, less a logarithm
    9.1
    """
    epsilon, clip_norm = checks.moderate(epsilon=epsilon, clip_norm=clip_norm)
    n = checks.count(n=n)
    distance, direction_rate = checks.moderate(
        distance=distance, direction_rate=direction_rate
    )
    G, c = clip_norm, direction_rate
    sigma2_1d, b = banco_tail(epsilon, p=p, clip_norm=G, method=method)
    second_moment = G**2 + local_noise_variance(epsilon, p=p, clip_norm=G)
    y, a = n * (sigma2_1d / 2 + G**2), min(BET_RANGE / G, 1 / b)
    if not (y <= 1e100 and 1e-30 <= a <= 1e30):
        raise ValueError(
            f"`clip_norm` must be within 1e25 times 1 and `epsilon`, got {clip_norm!r} "
            f"and {epsilon!r}. Choose another unit: beyond, numbers overflow."
        )
    direction = (2 / c + c) * sqrt(second_moment * n)
    return (1 + distance * (_winnings(distance, y, a) + direction)) / n


def _winnings(target: float, y: float, a: float) -> float:
    """Find the x at which the bet reaches ``target``: m grows with x from 0 to ∞."""
    low, high = 0.0, 1.0
    while log_bet(high, y, a)[1] < log(target):
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if log_bet(middle, y, a)[1] < log(target):
            low = middle
        else:
            high = middle
    return high
