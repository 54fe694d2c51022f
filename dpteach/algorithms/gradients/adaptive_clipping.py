"""DP-SGD whose clip norm follows a quantile of the gradients' norms."""

from math import exp, log, sqrt

from ... import checks
from ...arrays import (
    Rng,
    as_rng,
    namespace,
    noisy_sum,
    np,
    standard_normal,
    to_numpy,
)
from ...privacy import Relation, Release, SampledGaussian, Trace
from ...problem import Problem
from .._steps import rows_like
from .sampled_sgd import poisson_sample

# L_t stays within this factor of the first one, so that no float overflows or vanishes.
FURTHEST = 1e6


def adaptive_noise_multiplier(noise_multiplier: float, *, count_noise: float) -> float:
    r"""Compute the gradients' share of the noise if a count is published as well.

    Source: Andrew, Thakkar, McMahan and Ramaswamy (2021), theorem 1.

    Parameters
    ----------
    noise_multiplier : float
        :math:`\lambda`, that of one Gaussian mechanism with the price of both releases.
    count_noise : float
        :math:`\sigma_c`, above :math:`\lambda/2`: the standard deviation of the noise
        on the count, in records.

    Returns
    -------
    float
        :math:`\lambda_g = (\lambda^{-2} - (2\sigma_c)^{-2})^{-1/2}`, standard deviation
        over clip norm of the noise on the sum of gradients.

    Examples
    --------
    >>> round(adaptive_noise_multiplier(1.0, count_noise=12.5), 4)
    1.0008
    """
    noise_multiplier, count_noise = checks.moderate(
        noise_multiplier=noise_multiplier, count_noise=count_noise
    )
    share = noise_multiplier / 2 / count_noise
    if share >= 1:
        raise ValueError(
            f"`count_noise` must be above {noise_multiplier / 2}, half of the noise "
            f"multiplier, got {count_noise}: the count alone costs the whole price."
        )
    return noise_multiplier / sqrt((1 - share) * (1 + share))


def adaptive_dp_sgd(
    problem: Problem,
    *,
    rate: float,
    batch_size: int,
    clip_norm: float,
    quantile: float,
    count_noise: float,
    clip_learning_rate: float,
    steps: int,
    noise_multiplier: float,
    learning_rate: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    trace: Trace | None = None,
) -> Release:
    r"""Descend on Poisson samples while the clip norm follows a quantile of the norms.

    Source: Andrew, Thakkar, McMahan and Ramaswamy (2021).

    Parameters
    ----------
    batch_size : int
        :math:`b`, about how many records a batch has, which must be public. A wrong
        guess makes the clip norm follow another quantile, and costs no privacy.
    clip_norm : float
        :math:`L_0`, at the start. It stays within a factor of a million of it.
    quantile : float
        :math:`\alpha`, the share of gradients that should be no longer than
        :math:`L_t`; 0.5 is the median. Gradients that are 0 are not counted.
    count_noise : float
        :math:`\sigma_c`, above :math:`\lambda/2`: the standard deviation of the noise
        on the count of short gradients, in records.
    clip_learning_rate : float
        :math:`\eta_L`, how fast :math:`\ln L_t` moves; 0.2 is usual.
    noise_multiplier : float
        :math:`\lambda`, of a step with its count. The noise on the gradients is a
        little larger: see ``adaptive_noise_multiplier``.
    learning_rate : float
        :math:`\eta`, for gradients that estimate the whole sum, as in ``dp_sgd``.
    trace : Trace, optional
        Filled with each step's ``gradient``, ``noise``, ``count``, and ``clip_norm``.
        Of these only ``clip_norm`` is among what was paid for.

    Returns
    -------
    Release
        ``theta``, shape ``(p,)``, is the average model and ``path``, shape ``(T, p)``,
        every model; ``event`` is a ``SampledGaussian`` for an accountant to price.

    Examples
    --------
    >>> from dpteach.data import example
    >>> out = adaptive_dp_sgd(example(), rate=0.1, batch_size=10, clip_norm=1.0,
    ...                       quantile=0.5, count_noise=5.0, clip_learning_rate=0.2,
    ...                       steps=100, noise_multiplier=2.0, learning_rate=0.01,
    ...                       rng=0)
    >>> out.event.noise_multiplier, out.event.rate  # sampled steps, and no more
    (2.0, 0.1)
    """
    checks.instance(Problem, problem=problem)
    rate = checks.probability(rate=checks.moderate(rate=rate))
    quantile = checks.probability(quantile=checks.moderate(quantile=quantile))
    batch_size, steps = checks.count(batch_size=batch_size, steps=steps)
    clip_norm, learning_rate = checks.moderate(
        clip_norm=clip_norm, learning_rate=learning_rate
    )
    clip_learning_rate, count_noise = checks.moderate(
        clip_learning_rate=clip_learning_rate, count_noise=count_noise
    )
    lam_g = adaptive_noise_multiplier(noise_multiplier, count_noise=count_noise)
    checks.fits(steps * problem.p, steps=steps)
    checks.instance((Trace, type(None)), trace=trace)
    event = SampledGaussian(
        noise_multiplier, rate=rate, releases=steps, relation=relation
    )
    rng, D, C, q, T = as_rng(rng), problem, problem.constraint, rate, steps
    L_0, alpha, b, eta_L = clip_norm, quantile, batch_size, clip_learning_rate
    eta, sigma_c, L, path = learning_rate, count_noise, clip_norm, []

    # 1: θ_0 ← Π_C(0)
    theta = C.project(D.zeros())
    # 2: for t = 0, …, T−1 do
    for t in range(T):
        # 3: B_t ← each record of D with probability q, independently
        B = rows_like(poisson_sample(D.n, rate=q, rng=rng), D.X)
        # 4: g_t ← Σ_{i∈B_t} clip(∇ℓ(θ_t; d_i), L_t)
        g = D.clipped_gradient(theta, L, rows=B)
        # 5: c_t ← Σ_i (1[‖∇ℓ(θ_t; d_i)‖₂ ≤ L_t] − ½), over i∈B_t with ∇ℓ(θ_t; d_i) ≠ 0
        c = _count(to_numpy(D.gradient_norms(theta, rows=B)), L)
        # 6: θ_{t+1} ← Π_C(θ_t − (η/q) (g_t + N(0, (L_t λ_g)² I_p)))
        z = L * lam_g * standard_normal(rng, theta.shape, like=theta)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=z, count=c, clip_norm=L)
        theta = C.project(theta - eta / q * noisy_sum(g, z))
        path.append(theta)
        # 7: ln L_{t+1} ← ln L_t − η_L (½ + (c_t + N(0, σ_c²))/b − α), and near ln L_0
        c = c + sigma_c * float(standard_normal(rng, (1,), like=theta)[0])
        L = _near(L_0, log(L / L_0) - eta_L * (0.5 + c / b - alpha))
    # 8: end for
    path = namespace(D.X).stack(path)
    # 9: return θ_priv = (1/T) Σ_{t=1}^T θ_t
    return Release(theta=namespace(D.X).mean(path, axis=0), path=path, event=event)


def _count(norms: np.ndarray, clip_norm: float) -> float:
    """Add ½ for each norm of at most L, −½ for each longer one, 0 for 0 and NaN.

    So a row of zeros, which is what is left of a record, counts like no record at all.
    """
    counted = norms[norms > 0]
    return float((counted <= clip_norm).sum() - counted.size / 2)


def _near(first: float, moved: float) -> float:
    limit = log(FURTHEST)
    return first * exp(min(max(moved, -limit), limit))
