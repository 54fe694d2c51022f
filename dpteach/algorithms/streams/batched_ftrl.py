"""DP-FTRL paper, sections 3.1 and 5. DP-FTRL in practice: batches, epochs, momentum."""

from math import sqrt

from ... import checks
from ...arrays import (
    Rng,
    as_like,
    as_rng,
    namespace,
    noisy_sum,
)
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from .._running_total import RunningTotal
from .._steps import check_momentum
from ..matrices.factorization import Factorization, correlated_noise
from ._stream import check_stream


def batched_ftrl(
    problem: Problem,
    *,
    factorization: Factorization,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    epochs: int = 1,
    momentum: float = 0.0,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Follow the regularized leader over batches, epoch after epoch. [DP-FTRLM]

    Parameters
    ----------
    problem : Problem
        The data :math:`D`, in an order that was fixed without looking at them. They are
        cut, in that order, into T batches of n/T records.
    factorization : Factorization
        :math:`A = BC` with the T steps of *one* epoch. Each epoch has fresh noise.
    clip_norm : float
        :math:`L`. No record moves a sum by more than this in one epoch.
    noise_multiplier : float
        :math:`\lambda`, of one epoch: noise of standard deviation
        :math:`\sigma = L\lambda\,\max_j\|Ce_j\|` hides how one record moves Cx.
    regularization : float
        :math:`\Lambda`, for gradients that are sums over a batch. Without a constraint
        and momentum, 1/Λ is the learning rate.
    epochs : int, optional
        :math:`E`, the number of passes over the data.
    momentum : float, optional
        :math:`\gamma`, at least 0 and below 1. Compare runs at equal Λ(1 - γ).
    relation : Relation, optional
        The neighbors, of the same length: ``ZERO_OUT`` or ``REPLACE``.

    Returns
    -------
    Release
        ``path``, shape ``(E T + 1, *runs, p)``, has all models, and ``theta`` is the
        average of all but the last; ``event`` is E Gaussian releases.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; zero noise and ADD_REMOVE are refused.

    Notes
    -----
    With ``independent_factorization`` and one epoch this is noisy gradient descent that
    does not rely on sampling. What remains after an epoch is its last *noisy* sum; the
    exact sum must not be kept.

    References
    ----------
    * Kairouz and others (2021), Practical and Private (Deep) Learning Without Sampling
      or Shuffling.

    Examples
    --------
    >>> from dpteach.algorithms.matrices.toeplitz import square_root_factorization
    >>> from dpteach.data import example
    >>> out = batched_ftrl(example(), factorization=square_root_factorization(20),
    ...                    clip_norm=1.0, noise_multiplier=4.0, regularization=500.0,
    ...                    epochs=3, momentum=0.9, rng=0)
    >>> len(out.path), out.event.releases  # 20 batches of 50 records, three times
    (61, 3)
    """
    momentum = check_momentum(momentum)
    _check_batches(problem, factorization, relation)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    regularization = checks.moderate(regularization=regularization)
    epochs = checks.count(epochs=epochs)
    models = epochs * factorization.steps * problem.p
    checks.fits(models, epochs=epochs)
    runs = checks.shape(models, runs=runs)
    D, C, L, Lam = problem, problem.constraint, clip_norm, regularization
    gamma, E, T = momentum, epochs, factorization.steps
    rng, xp = as_rng(rng), namespace(D.X)
    sigma, m = L * noise_multiplier * factorization.sensitivity, D.n // T

    # 1: s_0, v_0 ← 0; θ_1 ← Π_C(0); output θ_1
    left = v = D.zeros(*runs)  # the noisy sum of the epochs before
    path = [C.project(v)]
    # The sums of two batches m long may lie a step of the grid apart in each entry.
    L = L * (1 - 8 * sqrt(D.p) * D.n * 2.0**-53)
    # 2: for each of E epochs do
    for _ in range(E):
        # 3: b_1, …, b_T ← B z, fresh, where z has deviation σ = Lλ max_j ‖C e_j‖
        b = correlated_noise(factorization, sigma=sigma, shape=tuple(v.shape), rng=rng)
        total = RunningTotal(T, clip_norm=m * L)
        # 4: for each batch B_t of the epoch do
        for t in range(T):
            # 5: s ← s + Σ_{i∈B_t} clip(∇ℓ(θ; d_i), L), with the newest model θ
            batch = xp.arange(t * m, (t + 1) * m, device=D.X.device)
            s = total.add(D.clipped_gradient(path[-1], L, rows=batch))
            # 6: v ← γ v + (s + b_t)
            noisy = noisy_sum(s, as_like(b[t], v)) + left
            v = gamma * v + noisy
            # 7: θ ← argmin_{θ∈C} ⟨v, θ⟩ + (Λ/2)‖θ‖² = Π_C(−v/Λ); output θ
            path.append(C.project(-v / Lam))
        # 8: s ← s + b_T: what an epoch leaves behind is noisy
        left = noisy
    # 9: return the average of all models but the last
    path = xp.stack(path)
    event = Gaussian(noise_multiplier, releases=E, relation=relation)
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _check_batches(
    problem: Problem, factorization: Factorization, relation: Relation
) -> None:
    checks.instance(Problem, problem=problem)
    checks.instance(Factorization, factorization=factorization)
    check_stream(relation)
    if problem.n == 0 or problem.n % factorization.steps:
        raise ValueError(
            f"`factorization` must have a number of steps that divides the "
            f"{problem.n} records into equal batches, got {factorization.steps}. "
            "Leave out the last records, or take another number of steps."
        )
