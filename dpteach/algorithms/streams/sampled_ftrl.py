"""DP-FTRL in practice. Batches that are drawn at random, under correlated noise."""

from math import sqrt

from ... import checks
from ...arrays import Rng, as_rng, namespace, noisy_sum
from ...privacy import Release
from ...problem import Problem
from .._running_total import RunningTotal
from .._steps import check_momentum
from ..matrices.sampled_mechanism import SampledMechanism


def sampled_ftrl(
    problem: Problem,
    *,
    mechanism: SampledMechanism,
    clip_norm: float,
    regularization: float,
    momentum: float = 0.0,
    rng: Rng,
) -> Release:
    r"""Follow the regularized leader over random batches with correlated noise.

    Gradients may depend on all sums before: in the proofs of all these prices the rows
    of C are taken one after the other, each given the outcomes so far. Source:
    Choquette-Choo and others (2023), (Amplified) Banded Matrix Factorization.

    Parameters
    ----------
    mechanism : SampledMechanism
        How batches are drawn, the encoder C, the noise and its price; see
        ``sampled_mechanisms``.
    clip_norm : float
        :math:`L`. No record adds a longer vector to a sum, in any step.
    regularization : float
        :math:`\Lambda`, for gradients that are sums over a batch. Without a constraint
        and momentum, 1/Λ is the learning rate.
    momentum : float, optional
        :math:`\gamma`, at least 0 and below 1. Compare runs at equal Λ(1 - γ).
    rng : int, Generator or None
        The source of the batches and of the noise. The batches must stay secret.

    Returns
    -------
    Release
        ``path``, shape ``(T + 1, p)``, has all models, and ``theta`` is the average of
        all but the last; ``event`` is that of the mechanism.

    Examples
    --------
    >>> from dpteach.algorithms import sampled_mechanisms
    >>> from dpteach.data import example
    >>> budget = {"epsilon": 4.0, "delta": 1e-4}
    >>> best, *_ = sampled_mechanisms(20, epochs=2, **budget, draws=2**12, rng=0)
    >>> out = sampled_ftrl(example(), mechanism=best, clip_norm=1.0,
    ...                    regularization=500.0, rng=0)
    >>> len(out.path), out.event
    (21, Approximate(epsilon=4.0, delta=0.0001, relation=Relation.ZERO_OUT))
    """
    checks.instance(Problem, problem=problem)
    checks.instance(SampledMechanism, mechanism=mechanism)
    clip_norm, regularization = checks.moderate(
        clip_norm=clip_norm, regularization=regularization
    )
    momentum = check_momentum(momentum)
    checks.fits((mechanism.steps + 1) * (problem.p + problem.n), mechanism=mechanism)
    rng, D, C, L = as_rng(rng), problem, problem.constraint, clip_norm
    Lam, gamma, T, xp = regularization, momentum, mechanism.steps, namespace(D.X)
    sigma = L * mechanism.noise_multiplier

    # 1: s_0, b_0, v_0 ← 0; θ_1 ← Π_C(0); output θ_1
    b = v = D.zeros()
    path = [C.project(v)]
    # The sums of two batches may lie a step of the grid apart in each entry.
    L = L * (1 - 8 * sqrt(D.p) * D.n * T * 2.0**-53)
    total = RunningTotal(T, clip_norm=max(D.n, 1) * L)
    batches = list(mechanism.batches(D.n, rng=rng))  # before noise: it may be redrawn
    rows = mechanism.encoder.noise(rng, tuple(v.shape), like=v)
    # 2: for each of T batches B_t, drawn as the mechanism says, do
    for batch in batches:
        # 3: s_t ← s_{t−1} + Σ_{i∈B_t} clip(∇ℓ(θ_t; d_i), L)
        B = xp.asarray(batch, device=D.X.device)
        s = total.add(D.clipped_gradient(path[-1], L, rows=B))
        # 4: b_t ← b_{t−1} + (row t of C⁻¹z), where z has standard deviation σ = Lλ
        b = b + sigma * next(rows)
        # 5: v ← γ v + (s_t + b_t)
        v = gamma * v + noisy_sum(s, b)
        # 6: θ_{t+1} ← argmin_{θ∈C} ⟨v, θ⟩ + (Λ/2)‖θ‖² = Π_C(−v/Λ); output θ_{t+1}
        path.append(C.project(-v / Lam))
    # 7: return the average of all models but the last
    path = xp.stack(path)
    theta = xp.mean(path[:-1, ...], axis=0)
    return Release(theta=theta, path=path, event=mechanism.event)
