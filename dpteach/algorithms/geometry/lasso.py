"""Section 6.4.3. Private LASSO: least squares on an l1 ball, p far above n."""

from dataclasses import replace
from math import ceil, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from ... import checks, losses
from ...accounting import zcdp_rho
from ...arrays import Array, Rng, namespace
from ...constraints import L1Ball
from ...privacy import Relation, Release
from ...problem import Problem
from ..pure._assumptions import beyond
from .private_frank_wolfe import private_frank_wolfe
from .sparse import SparseProblem


class LassoConstants(NamedTuple):
    r"""What Theorem 6.22 needs of a loss: :math:`L_1` and :math:`\Gamma_\ell`."""

    lipschitz_l1: float
    curvature_constant: float


def lasso_constants(
    *, l1_radius: float, feature_bound: float = 1.0, label_bound: float = 1.0
) -> LassoConstants:
    r"""Compute the constants of least squares on an l1 ball. [Corollary 6.24]

    .. math:: L_1 = B(Bs + Y),\qquad \Gamma_\ell = 4 B^2 s^2

    Source: Section 6.4.3, which has O(1); E-31 for the factor ½.

    Parameters
    ----------
    l1_radius : float
        :math:`s = \|\mathcal C\|_1`.

    Returns
    -------
    LassoConstants
        ``lipschitz_l1`` and ``curvature_constant``, for one record's
        :math:`\tfrac12(\langle x, \theta\rangle - y)^2`.

    Examples
    --------
    >>> lasso_constants(l1_radius=1.0)
    LassoConstants(lipschitz_l1=2.0, curvature_constant=4.0)
    """
    l1_radius, feature_bound = checks.moderate(
        l1_radius=l1_radius, feature_bound=feature_bound
    )
    label_bound = checks.between(0, 1e90, label_bound=label_bound)
    reach = feature_bound * l1_radius
    if not 1e-50 <= reach <= 1e50:
        raise ValueError(
            f"`l1_radius` must be from 1e-50 to 1e50 times 1/feature_bound, got "
            f"{l1_radius!r} and {feature_bound!r}: the square of their product leaves "
            "the range of floats. Choose another unit."
        )
    return LassoConstants(feature_bound * (reach + label_bound), 4 * reach * reach)


def private_lasso_steps(epsilon: float, delta: float, *, n: int, p: int) -> int:
    r"""Compute steps for the private LASSO on the unit l1 ball. [Corollary 6.24]

    .. math:: T = \Bigl\lceil\Bigl(\frac{8\sqrt2\,n\sqrt\rho}{\ln 2p}\Bigr)^{2/3}
              \Bigr\rceil

    Parameters
    ----------
    epsilon, delta : float
        The privacy of all steps together, when one record is added or removed.

    Returns
    -------
    int
        :math:`T \ge 2`, in closed form; ``private_frank_wolfe_steps`` finds the best.

    Raises
    ------
    ValueError
        If n is so small that T would be 1.

    Examples
    --------
    >>> private_lasso_steps(1.0, 1e-6, n=5000, p=200)
    130
    """
    n, p = checks.count(n=n, p=p)
    steps = ceil((8 * sqrt(2 * zcdp_rho(epsilon, delta)) * n / log(2 * p)) ** (2 / 3))
    if steps < 2:
        raise ValueError(
            "`n` must be larger for even one private choice to be worthwhile at this "
            f"budget, got {n}."
        )
    return steps


def private_lasso_risk_bound(epsilon: float, delta: float, *, n: int, p: int) -> float:
    r"""Bound the expected excess risk of the private LASSO. [Corollary 6.24]

    .. math:: 3 \cdot 4^{1/3} \Bigl(\frac{n\ln^2(2p)}{\rho}\Bigr)^{1/3}

    Source: Corollary 6.24, which has O(·); E-36. ρ is the concentrated price that gives
    (ε, δ), at least :math:`\varepsilon^2/(4(\ln(1/\delta) + \varepsilon))`.

    Parameters
    ----------
    epsilon, delta : float
        The privacy of all steps together, when one record is added or removed.

    Returns
    -------
    float
        The bound, a sum over records with entries and labels in [-1, 1], on the unit l1
        ball, with the steps of ``private_lasso_steps`` and the exponential mechanism.

    Examples
    --------
    >>> round(private_lasso_risk_bound(1.0, 1e-6, n=5000, p=200))
    927
    """
    n, p = checks.count(n=n, p=p)
    private_lasso_steps(epsilon, delta, n=n, p=p)
    rho = zcdp_rho(epsilon, delta)
    return 3 * (4 * n * log(2 * p) ** 2 / rho) ** (1 / 3)


def private_lasso(
    X: Array | Any,
    y: Array,
    *,
    l1_radius: float,
    epsilon: float,
    delta: float,
    steps: int,
    rng: Rng,
    feature_bound: float = 1.0,
    label_bound: float = 1.0,
    relation: Relation = Relation.ADD_REMOVE,
    noise: str = "exponential",
    path_every: int = 1,
    out_of_bounds: str = "clip",
    runs: tuple[int, ...] = (),
) -> Release:
    r"""Fit a sparse linear model privately. [Corollary 6.24]

    Sources: Section 6.4.3, with the sum of half squares (6.61); Tibshirani (1996),
    Talwar, Thakurta and Zhang (2015).

    Parameters
    ----------
    X : Array or scipy.sparse array
        Shape ``(n, p)``, every entry within ``feature_bound``; see ``out_of_bounds``.
    y : Array
        Shape ``(n,)``, every entry within ``label_bound``.
    l1_radius : float
        :math:`s`, the radius of the ball of models.
    epsilon, delta : float
        The privacy of all steps together, :math:`(\varepsilon, \delta)`.
    steps : int
        :math:`T`, at least 2, from public numbers; see ``private_frank_wolfe_steps``.
    noise : {"exponential", "gumbel", "laplace"}, optional
        As in ``private_frank_wolfe``.
    path_every : int, optional
        As in ``private_frank_wolfe``; the last model alone with ``path_every=steps``.
    out_of_bounds : {"clip", "refuse"}, optional
        Whether an entry or a label beyond its bound is cut to it or refused; the error
        tells of that record, and the event does not cover it.

    Returns
    -------
    Release
        ``theta`` has at most T − 1 non-zero entries.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).choice([-1.0, 1.0], (5000, 50))
    >>> out = private_lasso(X, 0.8 * X[:, 7], l1_radius=1.0, epsilon=1.0, delta=1e-6,
    ...                     steps=10, rng=0)
    >>> int(np.argmax(out.theta))  # the one feature that matters
    7
    """
    bounds = {"feature_bound": feature_bound, "label_bound": label_bound}
    # 1: L₁ ← B(Bs + Y)
    L1, _ = lasso_constants(l1_radius=l1_radius, **bounds)
    sparse = hasattr(X, "tocsc")
    # 2: D ← the records, ℓ = ½(⟨x, θ⟩ − y)², C = {‖θ‖₁ ≤ s}
    D = (SparseProblem if sparse else Problem)(X, y, losses.squared, L1Ball(l1_radius))
    D = _within_bounds(D, out_of_bounds, **bounds)
    # 3: Output what Algorithm 6 gives on D with L₁
    return private_frank_wolfe(
        D,
        lipschitz_l1=L1,
        epsilon=epsilon,
        delta=delta,
        steps=steps,
        rng=rng,
        relation=relation,
        noise=noise,
        path_every=path_every,
        out_of_bounds="clip",  # of rounding alone
        runs=runs,
    )


def _within_bounds(
    D: Problem | SparseProblem,
    out_of_bounds: str,
    *,
    feature_bound: float,
    label_bound: float,
) -> Problem | SparseProblem:
    checks.one_of(("clip", "refuse"), out_of_bounds=out_of_bounds)
    entries = D.X.data if isinstance(D, SparseProblem) else D.X
    cut = _cut(entries, out_of_bounds, feature_bound=feature_bound)
    y = _cut(D.y, out_of_bounds, label_bound=label_bound)
    if isinstance(D, SparseProblem):
        return D.with_data(cut, y)
    return replace(D, X=cut, y=y)


def _cut(data: Array, out_of_bounds: str, **stated: float) -> Array:
    (bound,) = stated.values()
    with np.errstate(over="ignore"):  # 32 bits may not hold the bound
        cut = namespace(data).clip(data, min=-float(bound), max=float(bound))
    if out_of_bounds == "refuse" and bool(namespace(data).any(cut != data)):
        raise beyond(**stated)
    return cut
