"""Section 6.3.2. DP-FTRL: follow the regularized leader on private prefix sums."""

from ... import checks
from ...arrays import (
    Rng,
    namespace,
)
from ...privacy import (
    Gaussian,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem
from ._runs import check_reach, check_run
from .streaming_tree import StreamingTree
from .tree import levels, tree_noise_multiplier


def dp_ftrl_noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    steps: int,
    relation: Relation = Relation.ZERO_OUT,
    method: str = "exact",
) -> float:
    r"""Compute the noise that makes DP-FTRL (ε, δ)-private. [Theorem 6.14]

    The loss may be any: convexity matters only for the regret. Source: Theorem 6.14,
    and Theorem 3.1 of the DP-FTRL paper; E-24, F-03 and F-04 correct their constants.

    Parameters
    ----------
    steps : int
        :math:`n`, the length of the stream, which is public.
    relation, method : optional
        As in ``tree_noise_multiplier``: ADD_REMOVE is refused.

    Returns
    -------
    float
        The noise multiplier :math:`\lambda`: a node's standard deviation over L.

    Examples
    --------
    >>> round(dp_ftrl_noise_multiplier(1.0, 1e-6, steps=1000), 2)
    13.36
    """
    return tree_noise_multiplier(
        epsilon, delta, steps=steps, relation=relation, method=method
    )


def dp_ftrl(
    problem: Problem,
    *,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    estimator: str = "plain",
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Follow the regularized leader, one record after the other. [Algorithm 4]

    Lines 5 and 6 are one call of ``StreamingTree``. Source: Algorithm 4, Algorithm 1 of
    the DP-FTRL paper (Kairouz and others, 2021), and Lecture 14; see also Smith and
    Thakurta (2013).

    Parameters
    ----------
    problem : Problem
        The stream :math:`D = d_1, \dots, d_n` in the order of its rows, any order. If a
        row is all zeros, it is the record ⊥, whose gradient is zero.
    noise_multiplier : float
        :math:`\lambda`: each node has noise of standard deviation :math:`L\lambda`.
    regularization : float
        :math:`\Lambda`, the chapter's Δ, and λ in the lecture and the DP-FTRL paper.
        Without a constraint, 1/Λ is the learning rate.
    relation : Relation, optional
        The neighbors, of the same length: ``ZERO_OUT`` or ``REPLACE``.
    estimator : {"plain", "honaker"}, optional
        How the tree's nodes become sums; see ``StreamingTree``.
    trace : Trace, optional
        Filled with what the curator sees: ``gradient`` and ``noise`` of each step.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the average of :math:`\theta_1, \dots,
        \theta_n`. ``path``, shape ``(n + 1, *runs, p)``, has :math:`\theta_{n+1}` too:
        all of them together cost ``event`` once.

    Examples
    --------
    >>> from dpteach.data import example
    >>> out = dp_ftrl(example(), clip_norm=1.0, noise_multiplier=10.0,
    ...               regularization=50.0, rng=0)
    >>> len(out.path), out.event.releases  # ten levels of nodes pay for 1001 models
    (1001, 10)
    """
    clip_norm, noise_multiplier, regularization = checks.moderate(
        clip_norm=clip_norm,
        noise_multiplier=noise_multiplier,
        regularization=regularization,
    )
    check_run(problem, noise_multiplier, regularization, relation, runs)
    check_reach(problem, clip_norm, noise_multiplier, regularization)
    checks.instance((Trace, type(None)), trace=trace)
    D, C, n = problem, problem.constraint, problem.n
    L, Lam, sigma = clip_norm, regularization, clip_norm * noise_multiplier
    event = Gaussian(noise_multiplier, releases=levels(n), relation=relation)

    # 1: θ_1 ← argmin_{θ∈C} (Λ/2)‖θ‖² = Π_C(0); output θ_1
    theta = C.project(D.zeros(*runs))
    path = [theta]
    # 2: 𝒯 ← InitializeTree(n, σ², L), where σ = Lλ is a node's noise  [E-26]
    tree = StreamingTree(
        n, clip_norm=L, sigma=sigma, shape=theta.shape, rng=rng, estimator=estimator
    )
    # 3: for t = 1, …, n do
    for t in range(1, n + 1):
        # 4: ∇_t ← clip(∇ℓ(θ_t; d_t), L), and 0 if d_t = ⊥  [E-26]
        g = D.clipped_record_gradient(theta, t - 1, L)
        # 5: 𝒯 ← AddToTree(𝒯, t, ∇_t); s_t ← GetSum(𝒯, t), i.e. Σ_{i≤t} ∇_i + b_t
        s = tree.add(g)
        # 6: θ_{t+1} ← argmin_{θ∈C} ⟨s_t, θ⟩ + (Λ/2)‖θ‖² = Π_C(−s_t/Λ); output θ_{t+1}
        theta = C.project(-s / Lam)
        path.append(theta)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=tree.noise)
    # 7: end for
    path = namespace(D.X).stack(path)
    # 8: return θ_priv = (1/n) Σ_{t=1}^n θ_t
    return Release(
        theta=namespace(D.X).mean(path[:-1, ...], axis=0), path=path, event=event
    )
