"""Section 6.5.2. Localization in phases: risk on new records, in linear time."""

from math import sqrt

from ... import checks
from ...arrays import Rng, as_like, as_rng, namespace, standard_normal
from ...privacy import Gaussian, Relation, Release
from ...problem import Problem
from ..pure._assumptions import require_differentiable, within_bounds
from ..pure._risks import in_double
from .bolt_on import FIXED_LENGTH


def phased_localization_learning_rate(
    *,
    lipschitz: float,
    smoothness: float,
    distance: float,
    n: int,
    p: int,
    noise_multiplier: float,
) -> float:
    r"""Compute the first phase's rate for which the bound on the risk is least.

    .. math:: \eta = \min\Bigl\{\frac2\beta,\
              \frac{W}{L\sqrt{2N/3 + 16p\lambda^2}}\Bigr\}

    Parameters
    ----------
    distance : float
        :math:`W`, at least the distance from the first model to the best one.
    n : int
        How many records there are, at least 2; :math:`N` is the largest power of 2 that
        is at most n.

    Returns
    -------
    float
        :math:`\eta`. The last noise, which is far smaller than the rest, is left out.

    Examples
    --------
    >>> known = {"lipschitz": 1.0, "smoothness": 1.0, "distance": 1.0}
    >>> round(phased_localization_learning_rate(
    ...     **known, n=1024, p=5, noise_multiplier=2.0), 6)
    0.031581
    """
    lipschitz, smoothness = checks.moderate(lipschitz=lipschitz, smoothness=smoothness)
    distance, noise_multiplier = checks.moderate(
        distance=distance, noise_multiplier=noise_multiplier
    )
    n, p = checks.count(2, n=n), checks.count(p=p)
    L, W, lam, N = lipschitz, distance, noise_multiplier, 2 ** (n.bit_length() - 1)
    return min(2 / smoothness, W / L / sqrt(2 * N / 3 + 16 * p * lam**2))


def phased_localization_risk_bound(
    *,
    lipschitz: float,
    distance: float,
    n: int,
    p: int,
    noise_multiplier: float,
    learning_rate: float,
) -> float:
    r"""Bound the mean excess risk on new records after all phases.

    .. math:: \frac{W^2}{\eta N} + \eta L^2\Bigl(\frac23 + \frac{16p\lambda^2}N\Bigr)
              + \frac{4\eta L^2\lambda\sqrt p}{N^2}

    Source: Feldman, Koren and Talwar (2020).

    Parameters
    ----------
    distance : float
        :math:`W`, at least the distance from the first model to the best one.
    n : int
        How many independent records there are, at least 2; :math:`N` is the largest
        power of 2 that is at most n.

    Returns
    -------
    float
        For convex losses, and per record: the excess of the mean loss on a new one.

    Examples
    --------
    >>> known = {"lipschitz": 1.0, "distance": 1.0, "n": 1024, "p": 5}
    >>> eta = phased_localization_learning_rate(
    ...     **known, smoothness=1.0, noise_multiplier=2.0)
    >>> round(phased_localization_risk_bound(  # at μ = 1, if records are replaced
    ...     **known, noise_multiplier=2.0, learning_rate=eta), 4)
    0.0618
    """
    lipschitz, distance = checks.moderate(lipschitz=lipschitz, distance=distance)
    noise_multiplier, learning_rate = checks.moderate(
        noise_multiplier=noise_multiplier, learning_rate=learning_rate
    )
    n, p = checks.count(2, n=n), checks.count(p=p)
    L, W, lam, eta = lipschitz, distance, noise_multiplier, learning_rate
    N = 2 ** (n.bit_length() - 1)
    passes = W**2 / (eta * N) + eta * L**2 * (2 / 3 + 16 * p * lam**2 / N)
    return passes + 4 * eta * L**2 * lam * sqrt(p) / N**2


def phased_localization(
    problem: Problem,
    *,
    lipschitz: float,
    smoothness: float,
    learning_rate: float,
    noise_multiplier: float,
    rng: Rng,
    relation: Relation = Relation.ZERO_OUT,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Descend once over the records, in phases; after each, add noise to the average.

    Source: Feldman, Koren and Talwar (2020).

    Parameters
    ----------
    problem : Problem
        At least two records, in the order of the pass; a convex smooth loss and a
        constraint set. Here privacy itself needs convexity and smoothness.
    lipschitz, smoothness : float
        :math:`L` and :math:`\beta`, at least a record's slope and curvature on C.
    learning_rate : float
        :math:`\eta`, of the first phase, at most :math:`2/\beta`.
    noise_multiplier : float
        :math:`\lambda`. A phase's noise has deviation :math:`\lambda L\eta_j`.
    relation : Relation, optional
        A record is zeroed out or replaced, but not added or removed: n is public.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether a record beyond these bounds is scaled down to them or refused; the
        error tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta``, shape ``(*runs, p)``, and ``path``, the models after each of the
        :math:`\lfloor\lg n\rfloor` phases: all of them together cost ``event`` once.

    Examples
    --------
    >>> from dpteach.data import example
    >>> out = phased_localization(example(), lipschitz=1.0, smoothness=0.25,
    ...                           learning_rate=0.5, noise_multiplier=2.0, rng=0)
    >>> out.event
    Gaussian(noise_multiplier=2.0, releases=1, relation=Relation.ZERO_OUT)
    """
    checks.instance(Problem, problem=problem)
    noise_multiplier = checks.moderate(noise_multiplier=noise_multiplier)
    lipschitz, learning_rate = checks.moderate(
        lipschitz=lipschitz, learning_rate=learning_rate
    )
    smoothness = checks.moderate(smoothness=smoothness)
    runs = checks.shape(problem.p, runs=runs)
    checks.one_of(FIXED_LENGTH, relation=relation)
    require_differentiable(problem)
    _require_phases(problem.n, smoothness, learning_rate)
    stated = {"lipschitz": lipschitz, "smoothness": smoothness}
    D = in_double(within_bounds(problem, out_of_bounds, **stated))
    C, L, lam, rng, path = (
        D.constraint, lipschitz, noise_multiplier, as_rng(rng), []
    )  # fmt: skip

    # 1: x_0 ← Π_C(0), J ← ⌊lg n⌋, i ← 0
    x, J, i = C.project(D.zeros(*runs)), D.n.bit_length() - 1, 0
    # 2: for j = 1, …, J do
    for j in range(1, J + 1):
        # 3: n_j ← ⌊n/2^j⌋, η_j ← 4^{1−j} η, θ ← x_{j−1}, s ← 0
        n_j, eta, theta, s = D.n // 2**j, learning_rate * 4.0 ** (1 - j), x, 0.0
        # 4: for the next n_j records d_i: s ← s + θ, θ ← Π_C(θ − η_j ∇ℓ(θ; d_i))
        for _ in range(n_j):
            s = s + theta
            theta = C.project(theta - eta * D.record_gradient(theta, i))
            i += 1
        # 5: x_j ← Π_C(s/n_j + N(0, (λ L η_j)² I_p))
        b = lam * L * eta * standard_normal(rng, theta.shape, like=theta)
        x = C.project(s / n_j + b)
        path.append(as_like(x, problem.X))
    # 6: end for
    # 7: return x_J
    path = namespace(path[-1]).stack(path)
    return Release(
        theta=path[-1, ...], path=path, event=Gaussian(lam, relation=relation)
    )


def _require_phases(n: int, smoothness: float, learning_rate: float) -> None:
    if n < 2:
        raise ValueError(
            f"`problem` must have at least 2 records, got {n}: the first phase takes "
            "half of them."
        )
    if learning_rate > 2 / smoothness:
        raise ValueError(
            f"`learning_rate` must be at most 2/smoothness = {2 / smoothness:.6g}, got "
            f"{learning_rate!r}: a longer step may move two models apart."
        )
