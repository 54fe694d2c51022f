"""DP-FTRL paper, section 3.1. DP-FTRL with momentum."""

from ... import checks
from ...arrays import (
    Rng,
    namespace,
)
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from .._steps import check_momentum
from ._runs import check_reach, check_run
from .streaming_tree import StreamingTree
from .tree import levels


def momentum_dp_ftrl(
    problem: Problem,
    *,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    momentum: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    estimator: str = "plain",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Follow a running mean of the leaders of DP-FTRL. [DP-FTRLM]

    Momentum costs no privacy. Models are centered at θ_0 = 0. No regret bound is
    claimed, by the paper or here. Source: section 3.1 of the DP-FTRL paper (Kairouz and
    others, 2021), whose γ ∈ [0, 1] we take as γ ∈ [0, 1): with γ = 1 nothing is ever
    forgotten. See also Polyak (1964).

    Parameters
    ----------
    problem : Problem
        The stream :math:`D` in the order of its rows, the loss and the constraint set.
    regularization : float
        :math:`\Lambda`. Compare runs at the same :math:`\Lambda(1 - \gamma)`: without a
        constraint its inverse is the learning rate in the long run.
    momentum : float
        :math:`\gamma`, at least 0 and below 1. At 0 this is ``dp_ftrl``.
    relation, estimator : optional
        As in ``dp_ftrl``.

    Returns
    -------
    Release
        ``theta``, the average of :math:`\theta_1, \dots, \theta_n`, and ``path``, shape
        ``(n + 1, *runs, p)``; ``event`` is that of ``dp_ftrl``.

    Examples
    --------
    >>> from dpteach.data import example
    >>> settings = {"clip_norm": 1.0, "noise_multiplier": 10.0, "rng": 0}
    >>> out = momentum_dp_ftrl(example(), momentum=0.9, regularization=500.0,
    ...                        **settings)
    >>> out.event.releases  # what ``dp_ftrl`` spends on 1000 records
    10
    """
    clip_norm, noise_multiplier, regularization = checks.moderate(
        clip_norm=clip_norm,
        noise_multiplier=noise_multiplier,
        regularization=regularization,
    )
    momentum = check_momentum(momentum)
    check_run(problem, noise_multiplier, regularization, relation, runs)
    check_reach(problem, clip_norm, noise_multiplier, regularization)
    D, C, n, gamma = problem, problem.constraint, problem.n, momentum
    L, Lam, sigma = clip_norm, regularization, clip_norm * noise_multiplier
    event = Gaussian(noise_multiplier, releases=levels(n), relation=relation)

    # 1: θ_1 ← Π_C(0), v_0 ← 0; output θ_1
    v = D.zeros(*runs)
    path = [C.project(v)]
    # 2: 𝒯 ← InitializeTree(n, σ², L), where σ = Lλ is a node's noise
    tree = StreamingTree(
        n, clip_norm=L, sigma=sigma, shape=v.shape, rng=rng, estimator=estimator
    )
    # 3: for t = 1, …, n do
    for t in range(n):
        # 4: s_t ← Σ_{i≤t} clip(∇ℓ(θ_i; d_i), L) + b_t, by AddToTree and GetSum
        s = tree.add(D.clipped_record_gradient(path[t], t, L))
        # 5: v_t ← γ v_{t−1} + s_t
        v = gamma * v + s
        # 6: θ_{t+1} ← argmin_{θ∈C} ⟨v_t, θ⟩ + (Λ/2)‖θ‖² = Π_C(−v_t/Λ); output θ_{t+1}
        path.append(C.project(-v / Lam))
    # 7: end for
    xp, path = namespace(D.X), namespace(D.X).stack(path)
    # 8: return θ_priv = (1/n) Σ_{t=1}^n θ_t
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)
