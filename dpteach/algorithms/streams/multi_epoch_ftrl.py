"""DP-FTRL in practice. Many passes under one noise, which is never drawn afresh."""

from math import sqrt

from ... import checks
from ...arrays import Rng, as_rng, namespace, noisy_sum
from ...privacy import Relation, Release
from ...problem import Problem
from .._running_total import RunningTotal
from .._steps import check_momentum
from ..matrices.matrix_mechanism import MatrixMechanism
from ._stream import check_stream


def multi_epoch_ftrl(
    problem: Problem,
    *,
    mechanism: MatrixMechanism,
    epochs: int,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    momentum: float = 0.0,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Follow the regularized leader over many passes with one correlated noise.

    Parameters
    ----------
    problem : Problem
        The data :math:`D`, in an order that was fixed without looking at them. They are
        cut, in that order, into T/E batches of equal size.
    mechanism : MatrixMechanism
        The encoder C for the T steps of all passes, and how often and how far apart a
        record may take part; see ``multi_participation_factorization``.
    epochs : int
        :math:`E`, the number of passes: no more than its ``participations``, and no
        nearer to each other than its ``separation``.
    clip_norm : float
        :math:`L`. No record adds a longer vector to a sum, in any pass.
    noise_multiplier : float
        :math:`\lambda`, of all passes together: noise of standard deviation
        :math:`\sigma = L\lambda S` hides how one record moves Cx, by at most LS.
    regularization : float
        :math:`\Lambda`, for gradients that are sums over a batch. Without a constraint
        and momentum, 1/Λ is the learning rate.
    momentum : float, optional
        :math:`\gamma`, at least 0 and below 1. Compare runs at equal Λ(1 - γ).
    relation : Relation, optional
        The neighbors, of the same length: ``ZERO_OUT`` or ``REPLACE``.

    Returns
    -------
    Release
        ``path``, shape ``(T + 1, *runs, p)``, has all models, and ``theta`` is the
        average of all but the last; ``event`` is one Gaussian release. For its noise
        the run keeps ``mechanism.memory`` vectors.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or the passes break the mechanism's rule;
        zero noise and ADD_REMOVE are refused.

    Notes
    -----
    The gradients may depend on all sums before, and the price stays that of a fixed
    stream (Denisov and others, 2022): row t of C⁻¹z needs no later draw.

    References
    ----------
    * Choquette-Choo and others (2023), Multi-Epoch Matrix Factorization Mechanisms for
      Private Machine Learning.
    * Denisov and others (2022), Improved Differential Privacy for SGD via Optimal
      Private Linear Operators on Adaptive Streams.

    Examples
    --------
    >>> from dpteach.algorithms import multi_participation_factorization
    >>> from dpteach.data import example
    >>> best, _ = multi_participation_factorization(60, epochs=3, memory=2)
    >>> out = multi_epoch_ftrl(example(), mechanism=best, epochs=3, clip_norm=1.0,
    ...                        noise_multiplier=4.0, regularization=500.0, rng=0)
    >>> len(out.path), out.event  # 20 batches of 50 records, three times
    (61, Gaussian(noise_multiplier=4.0, releases=1, relation=Relation.ZERO_OUT))
    """
    checks.instance(Problem, problem=problem)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    regularization = checks.moderate(regularization=regularization)
    momentum = check_momentum(momentum)
    check_stream(relation)
    batches = _check_passes(problem, mechanism, epochs)
    checks.fits((mechanism.steps + 1) * problem.p, mechanism=mechanism)
    runs = checks.shape((mechanism.steps + 1) * problem.p, runs=runs)
    D, C, L, Lam = problem, problem.constraint, clip_norm, regularization
    gamma, T, m, xp = momentum, mechanism.steps, D.n // batches, namespace(D.X)
    sigma = L * noise_multiplier * mechanism.sensitivity.value

    # 1: s_0, b_0, v_0 ← 0; θ_1 ← Π_C(0); output θ_1
    b = v = D.zeros(*runs)
    path = [C.project(v)]
    # The sums of two batches m long may lie a step of the grid apart in each entry.
    L = L * (1 - 8 * sqrt(D.p) * m * T * 2.0**-53)
    total = RunningTotal(T, clip_norm=m * L)
    rows = mechanism.encoder.noise(as_rng(rng), tuple(v.shape), like=v)
    # 2: for t = 1, …, T do
    for t in range(T):
        # 3: s_t ← s_{t−1} + Σ_{i∈B} clip(∇ℓ(θ_t; d_i), L), B the next batch of the pass
        first = t % batches * m
        batch = xp.arange(first, first + m, device=D.X.device)
        s = total.add(D.clipped_gradient(path[-1], L, rows=batch))
        # 4: b_t ← b_{t−1} + (row t of C⁻¹z), where z has standard deviation σ = LλS
        b = b + sigma * next(rows)
        # 5: v ← γ v + (s_t + b_t)
        v = gamma * v + noisy_sum(s, b)
        # 6: θ_{t+1} ← argmin_{θ∈C} ⟨v, θ⟩ + (Λ/2)‖θ‖² = Π_C(−v/Λ); output θ_{t+1}
        path.append(C.project(-v / Lam))
    # 7: return the average of all models but the last
    path = xp.stack(path)
    event = mechanism.event(noise_multiplier, relation=relation)
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _check_passes(problem: Problem, mechanism: MatrixMechanism, epochs: int) -> int:
    """Refuse passes that the mechanism does not cover; return the batches of one."""
    checks.instance(MatrixMechanism, mechanism=mechanism)
    epochs, T, k = (
        checks.count(epochs=epochs),
        mechanism.steps,
        mechanism.participations,
    )
    d, spaced = mechanism.separation, mechanism.equally_spaced
    apart = T // epochs
    if T % epochs or epochs > k or apart < d or (spaced and apart % d):
        raise ValueError(
            f"`epochs` must divide the {T} steps, be at most {k}, and leave "
            f"{'a multiple of' if spaced else 'at least'} {d} steps between a record's "
            f"participations, got {epochs}. The mechanism is priced for that rule."
        )
    if problem.n == 0 or problem.n % (T // epochs):
        raise ValueError(
            f"`mechanism` must have a number of steps that divides the {problem.n} "
            f"records into equal batches, got {T} steps in {epochs} passes. Leave out "
            "the last records, or take another number of steps."
        )
    return T // epochs
