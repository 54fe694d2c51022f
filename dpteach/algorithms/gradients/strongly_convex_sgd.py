"""Section 6.3.1, strongly convex risks: DP-SGD with shrinking steps and weights.

The proof of the bound needs only the sum 𝓛 to be curved, not each record's loss.
Privacy needs neither.
"""

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


def strongly_convex_dp_sgd(
    problem: Problem,
    *,
    clip_norm: float,
    steps: int,
    noise_multiplier: float,
    strong_convexity: float,
    rng: Rng,
    relation: Relation = Relation.ADD_REMOVE,
    runs: tuple[int, ...] = (),
    trace: Trace | None = None,
) -> Release:
    r"""Descend as DP-SGD does, with steps that shrink as 1/t. [Section 6.3.1]

    Sources: Section 6.3.1, whose rate E-20 corrects; Bassily, Smith and Thakurta
    (2014). The weights are those of Lacoste-Julien, Schmidt and Bach (2012); the bound
    is proved in the book.

    Parameters
    ----------
    strong_convexity : float
        :math:`m`, of the risk, which is a sum over records as everywhere in this book.
        A public number; the utility guarantee holds if :math:`\mathcal L` is at least
        that strongly convex on :math:`\mathcal C`; the privacy guarantee always holds.
    trace : Trace, optional
        Filled with what the curator sees: ``gradient`` and ``noise`` of each step.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the weighted average and ``path``, shape
        ``(T, *runs, p)``, every model: all of them together cost ``event`` once.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> X, y = np.ones((1000, 1)), np.linspace(-0.2, 0.6, 1000)  # their mean is 0.2
    >>> D = Problem(X, y, losses.squared, constraints.L2Ball(1.0))
    >>> out = strongly_convex_dp_sgd(D, clip_norm=2.0, steps=100, noise_multiplier=30.0,
    ...                              strong_convexity=1000.0, rng=0)
    >>> out.theta.round(1)
    array([0.2])
    """
    checks.instance(Problem, problem=problem)
    clip_norm, noise_multiplier = checks.moderate(
        clip_norm=clip_norm, noise_multiplier=noise_multiplier
    )
    strong_convexity = checks.moderate(strong_convexity=strong_convexity)
    steps = checks.count(steps=steps)
    checks.fits(steps * problem.p, steps=steps)
    runs = checks.shape(steps * problem.p, runs=runs)
    checks.instance((Trace, type(None)), trace=trace)
    event = Gaussian(noise_multiplier, releases=steps, relation=relation)
    rng = as_rng(rng)
    D, C, L, T, m = problem, problem.constraint, clip_norm, steps, strong_convexity
    xp, sigma, path = namespace(D.X), L * noise_multiplier, []

    # 1: θ_0 ← Π_C(0);  θ̄ ← θ_0
    average = theta = C.project(D.zeros(*runs))
    # 2: for t = 0, …, T−1 do
    for t in range(T):
        # 3: g_t ← Σ_i clip(∇ℓ(θ_t; d_i));  η_t ← 2/(m(t + 2))
        g = D.clipped_gradient(theta, L)
        eta = 2 / (m * (t + 2))
        # 4: θ_{t+1} ← Π_C(θ_t − η_t (g_t + N(0, σ² I_p))), where σ = L·λ
        b = sigma * standard_normal(rng, theta.shape, like=theta)
        theta = C.project(theta - eta * noisy_sum(g, b))
        path.append(theta)
        # 5: θ̄ ← θ̄ + 2/(t + 3) · (θ_{t+1} − θ̄): model t weighs t + 1
        average = average + 2 / (t + 3) * (theta - average)
        if trace is not None:
            trace.record(t=t, gradient=g, noise=b)
    # 6: end for;  return θ̄
    return Release(theta=average, path=xp.stack(path), event=event)


def strongly_convex_risk_bound(
    *,
    n: int,
    p: int,
    steps: int,
    noise_multiplier: float,
    lipschitz: float,
    strong_convexity: float,
) -> float:
    r"""Bound the expected excess risk of a strongly convex sum. [Section 6.3.1]

    .. math:: \mathbb E[\mathcal L(\bar\theta; D)] - \mathcal L(\theta^*; D)
              \le \frac{2 L^2 (n^2 + p\lambda^2)}{m\,(T + 2)}

    E-20: twice the loss must have twice the bound; here :math:`L^2/m` doubles.

    Parameters
    ----------
    lipschitz : float
        :math:`L`, at least the norm of every record's gradient on :math:`\mathcal C`,
        so that clipping changes nothing.

    Returns
    -------
    float
        The bound, for ``strongly_convex_dp_sgd``. Divide by n for the mean.

    Examples
    --------
    >>> known = {"n": 1000, "p": 1, "noise_multiplier": 30.0, "lipschitz": 2.0,
    ...          "strong_convexity": 1000.0}
    >>> few, many = (strongly_convex_risk_bound(**known, steps=T) for T in (98, 998))
    >>> round(few / many, 6)  # ten times the steps, a tenth of the risk
    10.0
    """
    n, p, steps = checks.count(n=n, p=p, steps=steps)
    noise_multiplier, lipschitz = checks.moderate(
        noise_multiplier=noise_multiplier, lipschitz=lipschitz
    )
    strong_convexity = checks.moderate(strong_convexity=strong_convexity)
    B2 = lipschitz**2 * (n**2 + p * noise_multiplier**2)
    return 2 * B2 / (strong_convexity * (steps + 2))
