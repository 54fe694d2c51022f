"""Section 6.3.1. DP-SGD: gradient descent on clipped, noised gradients."""

from math import ceil, sqrt

from ... import checks
from ...arrays import (
    Rng,
    as_rng,
    namespace,
    noisy_sum,
    standard_normal,
)
from ...privacy import (
    Gaussian,
    Relation,
    Release,
    Trace,
)
from ...problem import Problem
from .._steps import check_momentum, check_path


def dp_sgd_noise_multiplier(
    epsilon: float,
    delta: float,
    *,
    steps: int,
    relation: Relation = Relation.ADD_REMOVE,
    method: str = "exact",
) -> float:
    r"""Compute the noise that makes DP-SGD (ε, δ)-private. [Theorem 6.10]

    Parameters
    ----------
    epsilon, delta : float
        The privacy to reach, :math:`(\varepsilon, \delta)`, for all steps together.
    method : {"exact", "textbook"}, optional
        The least noise that suffices, or the theorem's formula
        :math:`\sqrt{2T(\ln(1/\delta) + \varepsilon)}/\varepsilon`.

    Returns
    -------
    float
        :math:`\lambda`, standard deviation over clip norm. It grows as the root of T.

    Examples
    --------
    >>> exact = dp_sgd_noise_multiplier(1.0, 1e-6, steps=100)
    >>> book = dp_sgd_noise_multiplier(1.0, 1e-6, steps=100, method="textbook")
    >>> round(exact, 2), round(book, 2)  # the theorem is valid, and asks for 29% more
    (42.25, 54.43)
    """
    from ...accounting import noise_multiplier  # only for this

    steps = checks.count(steps=steps)
    return noise_multiplier(
        epsilon, delta, releases=steps, relation=relation, method=method
    )


def dp_sgd(
    problem: Problem,
    *,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    learning_rate: float,
    rng: Rng,
    momentum: float = 0.0,
    path_every: int = 1,
    relation: Relation = Relation.ADD_REMOVE,
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Descend along the sum of clipped gradients plus Gaussian noise. [Algorithm 3]

    Sources: Song, Chaudhuri and Sarwate (2013), Bassily, Smith and Thakurta (2014),
    Abadi and others (2016). Algorithm 3 has no momentum; E-19 reads its N(0, σ²) as a
    p-dimensional N(0, σ² I).

    Parameters
    ----------
    momentum : float, optional
        :math:`\gamma`, at least 0 and below 1: how much of the last direction the next
        one keeps. It costs no privacy; compare runs at equal η/(1 - γ).
    path_every : int, optional
        The path keeps every model whose number is a multiple of this; with ``steps`` it
        keeps the last one alone.
    trace : Trace, optional
        Filled with what the curator sees: ``gradient`` and ``noise`` of each step.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the average model and ``path``, shape
        ``(T, *runs, p)``, every model: all of them together cost ``event`` once.

    Examples
    --------
    >>> from dpteach.accounting import epsilon_of
    >>> from dpteach.data import example
    >>> book = dp_sgd_noise_multiplier(1.0, 1e-6, steps=100, method="textbook")
    >>> out = dp_sgd(example(), clip_norm=1.0, steps=100, noise_multiplier=book,
    ...              learning_rate=0.01, rng=0)
    >>> round(epsilon_of(out.event, 1e-6), 2)  # what that noise costs, exactly
    0.76
    """
    checks.instance(Problem, problem=problem)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    learning_rate = checks.moderate(learning_rate=learning_rate)
    steps = checks.count(steps=steps)
    momentum, path_every = check_momentum(momentum), check_path(path_every, steps)
    checks.fits(steps // path_every * problem.p, steps=steps)
    runs = checks.shape(steps // path_every * problem.p, runs=runs)
    checks.instance((Trace, type(None)), trace=trace)
    event = Gaussian(noise_multiplier, releases=steps, relation=relation)
    rng = as_rng(rng)
    D, C, L, T, eta = problem, problem.constraint, clip_norm, steps, learning_rate
    gamma, sigma, path = momentum, L * noise_multiplier, []
    v = total = D.zeros(*runs)

    # 1: θ_0 ← Π_C(0)
    theta = C.project(D.zeros(*runs))
    # 2: for t = 0, …, T−1 do
    for t in range(T):
        # 3: g_t ← Σ_i clip(∇ℓ(θ_t; d_i)), where clip(v) = v · min{1, L/‖v‖₂}
        g = D.clipped_gradient(theta, L)
        # 4: θ_{t+1} ← Π_C(θ_t − η v), where v ← γ v + g_t + N(0, σ² I_p) and
        #    σ = L·λ  [E-19]
        b = sigma * standard_normal(rng, theta.shape, like=theta)
        v = gamma * v + noisy_sum(g, b)
        theta = C.project(theta - eta * v)
        total = total + theta
        if (t + 1) % path_every == 0:
            path.append(theta)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=b)
    # 5: end for
    path = namespace(D.X).stack(path)
    # 6: return θ_priv = (1/T) Σ_{t=1}^T θ_t
    return Release(theta=total / T, path=path, event=event)


def dp_sgd_learning_rate(
    *,
    n: int,
    p: int,
    steps: int,
    noise_multiplier: float,
    lipschitz: float,
    distance: float,
) -> float:
    r"""Compute the learning rate that minimizes the right side of (6.45).

    .. math:: \eta = \frac{R}{L\sqrt{T\,(n^2 + p\lambda^2)}}

    Returns
    -------
    float
        :math:`\eta`, for the clip norm L.

    Examples
    --------
    >>> dp_sgd_learning_rate(n=1000, p=10, steps=100, noise_multiplier=42.0,
    ...                      lipschitz=1.0, distance=1.0)
    9.91...e-05
    """
    n, p, steps = checks.count(n=n, p=p, steps=steps)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    distance = checks.moderate(distance=distance)
    return distance / (lipschitz * sqrt(steps * (n**2 + p * noise_multiplier**2)))


def dp_sgd_risk_bound(
    *,
    n: int,
    p: int,
    steps: int,
    noise_multiplier: float,
    lipschitz: float,
    distance: float,
) -> float:
    r"""Bound the expected excess empirical risk, a sum over records. [(6.46)]

    .. math:: \mathbb E[\mathcal L(\theta^{priv}; D)] - \mathcal L(\theta^*; D)
              \le \Bigl(1 + \frac1{2T}\Bigr) R L \sqrt{(n^2 + p\lambda^2)/T}

    Source: Bassily, Smith and Thakurta (2014). In (6.46) R is the diameter of C, and
    the first factor is 1. O-01 corrects what the first edition said about smaller R.

    Parameters
    ----------
    p : int
        The length of a model; for a generalized linear model without a constraint, any
        public bound on the rank of X suffices, here and in the learning rate.
    lipschitz : float
        :math:`L`, at least every gradient's norm, so that clipping changes nothing.

    Returns
    -------
    float
        The bound, for a convex loss at the learning rate of ``dp_sgd_learning_rate``.
        Divide by n for the mean.

    Examples
    --------
    >>> few = dp_sgd_risk_bound(n=1000, p=10, steps=100, noise_multiplier=42.0,
    ...                         lipschitz=1.0, distance=1.0)
    >>> round(few / 1000, 3)  # a mean excess risk of about 0.1 after 100 steps
    0.101
    """
    n, p, steps = checks.count(n=n, p=p, steps=steps)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    distance = checks.moderate(distance=distance)
    from_afar = distance * lipschitz * sqrt((n**2 + p * noise_multiplier**2) / steps)
    return (1 + 1 / (2 * steps)) * from_afar


def dp_sgd_steps(epsilon: float, *, n: int, p: int) -> int:
    """Compute how many steps are worth their gradients: ⌈n²ε²/p⌉. [Theorem 6.11]

    Parameters
    ----------
    n : int
        A public count of records; taken from the data, it would reveal whether a record
        is present, because T itself would change.

    Returns
    -------
    int
        :math:`T`, at least 1. More steps neither help nor hurt at the best learning
        rate; each costs n gradients.

    Examples
    --------
    >>> dp_sgd_steps(1.0, n=1000, p=3)  # E-19: the theorem's T is not a whole number
    333334
    """
    epsilon = checks.moderate(epsilon=epsilon)
    n, p = checks.count(n=n, p=p)
    return max(1, ceil(n**2 * epsilon**2 / p))
