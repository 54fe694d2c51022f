"""Section 6.3.1. DP-SGD on random batches: fewer gradients for the same privacy."""

from ... import checks
from ...arrays import (
    Rng,
    as_rng,
    namespace,
    noisy_sum,
    np,
    standard_normal,
)
from ...privacy import (
    Relation,
    Release,
    SampledGaussian,
    Trace,
)
from ...problem import Problem
from .._steps import check_momentum, check_path, rows_like


def poisson_sample(n: int, *, rate: float, rng: Rng) -> np.ndarray:
    """Choose each of n records with the same probability, independently.

    Returns
    -------
    numpy.ndarray
        The chosen row numbers, each at most once, in no particular order.

    Examples
    --------
    >>> sizes = [len(poisson_sample(1000, rate=0.01, rng=seed)) for seed in range(4)]
    >>> sizes  # the size of a batch is itself random: never divide by it
    [11, 10, 8, 6]
    """
    n = checks.count(0, n=n)
    checks.fits(n, n=n)
    rate = checks.probability(rate=rate)
    rng = as_rng(rng)
    # The same distribution as n coin flips, at the cost of the batch alone.
    size = rng.binomial(n, rate)
    return rng.choice(n, size=size, replace=False, shuffle=False)


def fixed_batches_event(
    noise_multiplier: float, *, batch_size: int, n: int, releases: int
) -> SampledGaussian:
    r"""Return the event of batches of a fixed size that are drawn uniformly.

    A record that is drawn takes the place of another, so the sum moves by twice the
    clip norm. The price is therefore exactly that of Poisson batches with half the
    noise. Source: Section 6.3.1 draws one record per step; E-21, O-03.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, of the noise on the sum over a batch.
    batch_size : int
        :math:`m`, how many records are drawn without replacement, below n; public.
    n : int
        :math:`n`, how many records the larger of two neighbors has; public.

    Returns
    -------
    SampledGaussian
        For neighbors that differ by adding or removing one record.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> drawn = fixed_batches_event(5.44, batch_size=1, n=1000, releases=10**6)
    >>> coins = SampledGaussian(5.44, rate=1e-3, releases=10**6,
    ...                         relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(drawn, 1e-6), 2), round(epsilon_of(coins, 1e-6), 2)
    (1.67, 0.77)
    """
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    batch_size, n, releases = checks.count(
        batch_size=batch_size, n=n, releases=releases
    )
    if batch_size >= n:
        raise ValueError(f"`batch_size` must be below n={n}, got {batch_size}.")
    return SampledGaussian(
        noise_multiplier / 2,
        rate=batch_size / n,
        releases=releases,
        relation=Relation.ADD_REMOVE,
    )


def sampled_dp_sgd(
    problem: Problem,
    *,
    rate: float,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    learning_rate: float,
    rng: Rng,
    momentum: float = 0.0,
    path_every: int = 1,
    relation: Relation = Relation.ADD_REMOVE,
    trace: Trace | None = None,
) -> Release:
    r"""Descend along clipped, noised gradients of Poisson samples. [Section 6.3.1]

    Sources: Abadi and others (2016), Balle, Barthe and Gaboardi (2018). Section 6.3.1
    draws one record uniformly; there the same noise and the same T do not suffice, and
    with Poisson sampling they suffice only if p is small: see E-21.

    Parameters
    ----------
    rate : float
        :math:`q`. Each record joins each step's batch with this probability,
        independently of everything else. Shuffled or fixed-size batches are a
        different algorithm, with a different price: see ``fixed_batches_event``.
    noise_multiplier : float
        :math:`\lambda`. The noise on the *sum over the batch* has standard deviation
        :math:`L\lambda` in each coordinate.
    learning_rate : float
        :math:`\eta`, for gradients that estimate the whole sum, as in ``dp_sgd``: the
        usual rate, for the mean of a batch, divided by the number of records.
    momentum, path_every : optional
        As in ``dp_sgd``.
    trace : Trace, optional
        Filled with each step's ``gradient``, ``noise`` and batch ``size``.

    Returns
    -------
    Release
        ``theta``, shape ``(p,)``, is the average model and ``path``, shape ``(T, p)``,
        every model; ``event`` is a ``SampledGaussian`` for an accountant to price.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.data import example
    >>> from dpteach.privacy import Gaussian
    >>> out = sampled_dp_sgd(example(), rate=0.05, clip_norm=1.0, steps=100,
    ...                      noise_multiplier=2.0, learning_rate=0.01, rng=0)
    >>> everybody = Gaussian(2.0, releases=100, relation=Relation.ADD_REMOVE)
    >>> round(epsilon_of(out.event, 1e-6), 2), round(epsilon_of(everybody, 1e-6), 2)
    (1.27, 35.57)
    """
    checks.instance(Problem, problem=problem)
    rate = checks.moderate(rate=rate)
    rate = checks.probability(rate=rate)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    learning_rate = checks.moderate(learning_rate=learning_rate)
    steps = checks.count(steps=steps)
    momentum, path_every = check_momentum(momentum), check_path(path_every, steps)
    checks.fits(steps // path_every * problem.p, steps=steps)
    checks.instance((Trace, type(None)), trace=trace)
    event = SampledGaussian(
        noise_multiplier, rate=rate, releases=steps, relation=relation
    )
    rng, D, C, q, L = as_rng(rng), problem, problem.constraint, rate, clip_norm
    T, eta, sigma, path = steps, learning_rate, clip_norm * noise_multiplier, []
    gamma, v, total = momentum, D.zeros(), D.zeros()

    # 1: θ_0 ← Π_C(0)
    theta = C.project(D.zeros())
    # 2: for t = 0, …, T−1 do
    for t in range(T):
        # 3: B_t ← each record of D with probability q, independently
        B = rows_like(poisson_sample(D.n, rate=q, rng=rng), D.X)
        # 4: g_t ← Σ_{i∈B_t} clip(∇ℓ(θ_t; d_i), L)
        g = D.clipped_gradient(theta, L, rows=B)
        # 5: θ_{t+1} ← Π_C(θ_t − (η/q) v), where v ← γ v + g_t + N(0, σ² I_p) and
        #    σ = L·λ
        b = sigma * standard_normal(rng, theta.shape, like=theta)
        v = gamma * v + noisy_sum(g, b)
        theta = C.project(theta - eta / q * v)
        total = total + theta
        if (t + 1) % path_every == 0:
            path.append(theta)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=b, size=B.shape[0])
    # 6: end for
    path = namespace(D.X).stack(path)
    # 7: return θ_priv = (1/T) Σ_{t=1}^T θ_t
    return Release(theta=total / T, path=path, event=event)
