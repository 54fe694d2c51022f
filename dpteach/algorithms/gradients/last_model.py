"""Noisy gradient descent that publishes its last model only: a price that stops."""

from math import ceil, exp, expm1, floor, inf, log, sqrt

from ... import checks
from ...arrays import Rng, as_like, as_rng, standard_normal
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ..pure._assumptions import require_differentiable, within_bounds
from ..pure._risks import in_double
from .bolt_on import FIXED_LENGTH


def last_model_event(
    noise_multiplier: float,
    *,
    steps: int,
    contraction: float,
    pulls_across: float = inf,
    relation: Relation = Relation.ZERO_OUT,
) -> Gaussian:
    r"""Price the last model of a noisy descent whose steps bring models nearer.

    .. math:: \mu = \frac{\Delta}{\lambda}
              \sqrt{\frac{(1 - c^T)(1 + c)}{(1 + c^T)(1 - c)}}
              \quad\text{if } \mathcal C \text{ is unbounded}

    The bounded case is that of the best number k of last steps, in closed form. Source:
    Bok, Su and Altschuler (2024).

    Parameters
    ----------
    contraction : float
        :math:`c`, above 0 and at most 1: on both of two neighbors a step without noise
        takes any two models to at most c times their distance.
    pulls_across : float, optional
        :math:`w = \mathrm{diam}(\mathcal C)/(\eta\Delta L)`, infinite if C is not
        bounded.
    relation : Relation, optional
        The neighboring data sets; :math:`\Delta` is 2 for ``REPLACE``, else 1.

    Returns
    -------
    Gaussian
        One release that is :math:`\mu`-GDP. It pays for no other model, and for no
        average.

    Examples
    --------
    >>> last = last_model_event(3.0, steps=50, contraction=0.9)
    >>> path = Gaussian(3.0, releases=50, relation=Relation.ZERO_OUT)
    >>> round(last.mu, 4), round(path.mu, 4)
    (1.4455, 2.357)
    """
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    steps = checks.count(steps=steps)
    contraction = checks.positive(contraction=contraction)
    if contraction > 1:
        raise ValueError(
            f"`contraction` must be at most 1, got {contraction!r}: if a step can "
            "drive models apart, nothing is gained over the price of the path."
        )
    if not (isinstance(pulls_across, float) and pulls_across == inf):
        pulls_across = checks.positive(pulls_across=pulls_across)
    T, c, w = steps, contraction, pulls_across
    shifts = [_shift(T, c, 0.0)]
    if w < inf and T > 1:
        shifts += [_shift(k, c, w) for k in _best_last_steps(T, c, w)]
    return Gaussian(noise_multiplier / min(shifts), relation=relation)


def _shift(k: int, c: float, w: float) -> float:
    # (Σ_{j<k} c^j + c^k w)/√(Σ_{j<k} c^{2j}): k steps that begin w pulls apart
    if c == 1:
        return (k + w) / sqrt(k)
    power = exp(k * log(c))
    pulls = -expm1(k * log(c)) / (1 - c)
    squares = -expm1(2 * k * log(c)) / ((1 - c) * (1 + c))
    return (pulls + power * w) / sqrt(squares)


def _best_last_steps(T: int, c: float, w: float) -> list[int]:
    # The shift falls, then rises, in k; its least real k is w or ln(1 − w(1−c))/ln c.
    k, left = min(w, T), 1 - w * (1 - c)
    if c < 1:
        k = min(log(left) / log(c), T) if left > 0 else T
    return [min(max(side, 1), T - 1) for side in (floor(k), ceil(k))]


def noisy_gradient_descent(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    regularization: float,
    learning_rate: float,
    steps: int,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Descend along noisy gradients, and publish the last model alone.

    The proof is for real numbers: it does not bound what float64 rounds away inside a
    step. ``dp_sgd`` may show its whole path, so rounding gives nothing more away there.
    Sources: Altschuler and Talwar (2022), Bok, Su and Altschuler (2024).

    Parameters
    ----------
    problem : Problem
        The data, a convex smooth loss and a constraint set. Here privacy itself needs
        convexity and smoothness; the privacy of ``dp_sgd`` does not.
    lipschitz, smoothness : float
        :math:`L` and :math:`\beta`, at least a record's slope and curvature on C.
    regularization : float
        :math:`\Lambda`, at least 0, of the term :math:`\Lambda\|\theta\|^2/2`, which is
        added to the risk and holds no data.
    learning_rate : float
        :math:`\eta`, at most :math:`2/(2\Lambda + n\beta)`, so that a step shrinks
        distances to :math:`c = 1 - \eta\Lambda` of what they were.
    noise_multiplier : float
        :math:`\lambda`. Each step's noise has deviation :math:`L\lambda` in each entry.
    rng : int, Generator or None
        Where the noise comes from. Nobody may ever see it: the price of the last model
        counts on the noise of all steps being secret.
    relation : Relation, optional
        A record is zeroed out or replaced, but not added or removed: the learning rate
        depends on n.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record beyond these bounds is scaled down to them or refused; the
        error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, is the last model, and ``path`` holds it alone.

    Examples
    --------
    >>> import numpy as np
    >>> from dpteach import Problem, constraints, losses
    >>> D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    >>> known = {"lipschitz": 1.0, "smoothness": 0.25, "regularization": 1.0,
    ...          "learning_rate": 0.5, "noise_multiplier": 5.0, "rng": 0}
    >>> short, long = (noisy_gradient_descent(D, **known, steps=T) for T in (10, 1000))
    >>> round(short.event.mu, 4), round(long.event.mu, 4)  # after ten steps it stops
    (0.3461, 0.3464)
    """
    checks.instance(Problem, problem=problem)
    lipschitz, learning_rate = checks.moderate(
        lipschitz=lipschitz, learning_rate=learning_rate
    )
    smoothness = checks.moderate(smoothness=smoothness)
    regularization = checks.nonnegative(regularization=regularization)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    steps = checks.count(steps=steps)
    runs = checks.shape(problem.p, runs=runs)
    checks.one_of(FIXED_LENGTH, relation=relation)
    require_differentiable(problem)
    L, eta, T, Lam = lipschitz, learning_rate, steps, regularization
    _require_contraction(eta, 2 * Lam + problem.n * smoothness)
    stated = {"lipschitz": L, "smoothness": smoothness}
    D = in_double(within_bounds(problem, out_of_bounds, **stated))
    C, rng, sigma = problem.constraint, as_rng(rng), L * noise_multiplier
    event = last_model_event(
        noise_multiplier,
        steps=T,
        contraction=max(1 - eta * Lam, 1e-16),
        pulls_across=C.diameter(D.p) / (eta * relation.sensitivity * L),
        relation=relation,
    )

    # 1: θ_0 ← Π_C(0)
    theta = C.project(D.zeros(*runs))
    # 2: for t = 0, …, T−1 do
    for _ in range(T):
        # 3: g_t ← ∇𝓛(θ_t; D) + Λ θ_t
        g = D.gradient(theta) + Lam * theta
        # 4: θ_{t+1} ← Π_C(θ_t − η (g_t + N(0, σ² I_p))), where σ = L·λ
        b = sigma * standard_normal(rng, theta.shape, like=theta)
        theta = C.project(theta - eta * (g + b))
    # 5: end for
    # 6: return θ_T
    theta = as_like(theta, problem.X)
    return Release(theta=theta, path=theta[None, ...], event=event)


def _require_contraction(learning_rate: float, curvature: float) -> None:
    longest = 2 / curvature if curvature else inf
    if learning_rate > longest:
        raise ValueError(
            "`learning_rate` must be at most 2/(2 regularization + n smoothness) = "
            f"{longest:.6g}, got {learning_rate!r}: a longer step may move two models "
            "apart."
        )
