"""DP-FTRL with any factorization of prefix sums; the tree is one of them."""

from ... import checks
from ...arrays import (
    Rng,
    as_like,
    as_rng,
    namespace,
    noisy_sum,
)
from ...privacy import (
    Gaussian,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem
from .._fixed_length import require_fixed_length
from .._running_total import RunningTotal
from .factorization import Factorization, correlated_noise


def matrix_ftrl(
    problem: Problem,
    *,
    factorization: Factorization,
    clip_norm: float,
    noise_multiplier: float,
    regularization: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Follow the regularized leader with correlated noise. [After Algorithm 4]

    Parameters
    ----------
    problem : Problem
        The stream :math:`D = d_1, \dots, d_n` in the order of its rows; the loss
        :math:`\ell` and the constraint set :math:`\mathcal C`.
    factorization : Factorization
        :math:`A = BC`, with T = n steps.
    clip_norm : float
        :math:`L`. No record moves a sum by more than this, whatever the loss.
    noise_multiplier : float
        :math:`\lambda`, of the whole release: noise of standard deviation
        :math:`\sigma = L\lambda\,\max_j\|Ce_j\|` hides how one record moves Cx.
    regularization : float
        :math:`\Lambda`. Without a constraint, 1/Λ is the learning rate.
    relation : Relation, optional
        The neighbors, of the same length: ``ZERO_OUT`` or ``REPLACE``.
    trace : Trace, optional
        Filled with what the curator sees: ``gradient`` and ``noise`` of each step.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the average of
        :math:`\theta_1, \dots, \theta_n`. ``path``, shape ``(n + 1, *runs, p)``, has
        :math:`\theta_{n+1}` too: all of them together are one Gaussian mechanism, which
        is the ``event``.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range; zero noise and ADD_REMOVE are refused.

    Notes
    -----
    All factorizations cost the same at one λ; they differ in how noisy the sums are,
    ``factorization.mean_error`` times Lλ. That gradients may be chosen after seeing
    earlier sums costs nothing (Denisov and others, 2022).

    References
    ----------
    * Denisov and others (2022), Improved Differential Privacy for SGD via Optimal
      Private Linear Operators on Adaptive Streams.

    Examples
    --------
    >>> from dpteach.algorithms.matrices.toeplitz import square_root_factorization
    >>> from dpteach.data import example
    >>> D = example()
    >>> root = square_root_factorization(D.n)
    >>> out = matrix_ftrl(D, factorization=root, clip_norm=1.0, noise_multiplier=4.0,
    ...                   regularization=50.0, rng=0)
    >>> out.event
    Gaussian(noise_multiplier=4.0, releases=1, relation=Relation.ZERO_OUT)
    """
    checks.instance(Problem, problem=problem)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    regularization = checks.moderate(regularization=regularization)
    runs = checks.shape((problem.n + 1) * problem.p, runs=runs)
    checks.instance((Trace, type(None)), trace=trace)
    _check_steps(problem, factorization, relation)
    D, C, L, Lam = problem, problem.constraint, clip_norm, regularization
    event, xp = Gaussian(noise_multiplier, relation=relation), namespace(D.X)

    # 1: θ_1 ← Π_C(0); output θ_1
    theta = C.project(D.zeros(*runs))
    path, total = [theta], RunningTotal(D.n, clip_norm=L)
    # 2: b_1, …, b_n ← B z, where z has standard deviation σ = Lλ max_j ‖C e_j‖
    sigma = L * noise_multiplier * factorization.sensitivity
    b = correlated_noise(
        factorization, sigma=sigma, shape=tuple(theta.shape), rng=as_rng(rng)
    )
    # 3: for t = 1, …, n do
    for t in range(1, D.n + 1):
        # 4: s_t ← s_{t−1} + clip(∇ℓ(θ_t; d_t), L)
        g = D.clipped_record_gradient(theta, t - 1, L)
        s = total.add(g)
        # 5: θ_{t+1} ← argmin_{θ∈C} ⟨s_t + b_t, θ⟩ + (Λ/2)‖θ‖²; output θ_{t+1}
        noise = as_like(b[t - 1], theta)
        theta = C.project(-noisy_sum(s, noise) / Lam)
        path.append(theta)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=noise)
    # 6: end for
    path = xp.stack(path)
    # 7: return θ_priv = (1/n) Σ_{t=1}^n θ_t
    return Release(theta=xp.mean(path[:-1, ...], axis=0), path=path, event=event)


def _check_steps(
    problem: Problem, factorization: Factorization, relation: Relation
) -> None:
    checks.instance(Factorization, factorization=factorization)
    if problem.n != factorization.steps:
        raise ValueError(
            f"`factorization` must have n = {problem.n} steps, one per record, got "
            f"{factorization.steps}."
        )
    require_fixed_length(
        relation,
        "if one record is removed, all later ones come a step earlier, so more than "
        "one column of C moves",
    )
