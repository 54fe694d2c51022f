"""Section 6.5.1. Lower bounds for curved risks: strong convexity, and the LASSO."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from .. import checks, losses
from ..arrays import Rng, as_rng
from ..constraints import L1Ball
from ..problem import Problem
from .excess import pure_excess_lower_bound
from .marginals import marginals_rms_lower_bound, membership_leak


def strongly_convex_excess_lower_bound(
    epsilon: float,
    delta: float,
    *,
    n: int,
    p: int,
    lipschitz: float = 1.0,
    strong_convexity: float = 1.0,
) -> float:
    r"""Bound from below the excess risk on strongly convex losses. [Section 6.5.2]

    .. math:: \frac{n L^2}{8\Delta}\,\alpha^2

    with α the least root mean square error of a private mean of n records.

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced; with
        δ = 0 the bound of order p² counts too, if it is larger.
    n, p : int
        How many records there are, and the length of a model.
    strong_convexity : float, optional
        :math:`\Delta`, of each record's loss: that of the risk is n times as large.

    Returns
    -------
    float
        For each such algorithm there are data on which its expected excess risk, a sum,
        is at least this: about :math:`L^2 p/(72\,\Delta n \sinh^2\varepsilon)`, and for
        δ = 0 also :math:`6.9 \cdot 10^{-4} L^2 p^2/(\Delta n\varepsilon^2)`.

    Notes
    -----
    Source: Section 6.5.2 has both rates, without constants. The loss
    :math:`\frac{\Delta}{2}\|\theta - \frac{L}{2\Delta} d\|_2^2` on the ball of radius
    :math:`L/(2\Delta)` has gradients of at most L, and the excess of θ is
    :math:`\frac{n\Delta}{2}` times its squared distance from the scaled mean.

    References
    ----------
    * Bassily, Smith and Thakurta (2014), Private Empirical Risk Minimization: Efficient
      Algorithms and Tight Error Bounds.

    Examples
    --------
    >>> kind = dict(n=1000, p=100)
    >>> round(strongly_convex_excess_lower_bound(0.1, 1e-6, **kind), 4)
    0.1382
    >>> round(strongly_convex_excess_lower_bound(0.1, 0.0, **kind), 4)
    0.6268
    """
    lipschitz, strong_convexity = checks.moderate(
        lipschitz=lipschitz, strong_convexity=strong_convexity
    )
    n, p = checks.count(n=n, p=p)
    square = marginals_rms_lower_bound(epsilon, delta, n=n, p=p) ** 2
    if delta == 0:
        square = max(square, (pure_excess_lower_bound(epsilon, n=n, p=p) / n) ** 2)
    return n * lipschitz**2 / (8 * strong_convexity) * square


def lasso_hard_problem(
    *, n: int, p: int, columns: int, informative: int, repeats: int, rng: Rng
) -> Problem:
    r"""Draw the hard instance of the LASSO: few records matter, the rest add curvature.

    Parameters
    ----------
    n, p : int
        How many records there are, and how many entries each has.
    columns : int
        w, how many entries are used: a power of 2, at most p.
    informative : int
        k, how many records have label 1 and signs with random means.
    repeats : int
        How often the w rows of a Hadamard matrix occur in the data, with label 0.
    rng : int, Generator or None
        The source of the signs.

    Returns
    -------
    Problem
        Least squares on the unit ℓ₁ ball; the remaining records are 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or more than n records are needed.

    Examples
    --------
    >>> D = lasso_hard_problem(n=40, p=10, columns=8, informative=3, repeats=4, rng=0)
    >>> D.X.shape, int(D.y.sum())
    ((40, 10), 3)
    """
    from scipy.linalg import hadamard  # scipy here: importing stays fast

    n, p, columns, informative, repeats = checks.count(
        n=n, p=p, columns=columns, informative=informative, repeats=repeats
    )
    checks.fits(n * p, n=n, p=p)
    if columns > p or columns & (columns - 1):
        raise ValueError(
            f"`columns` must be a power of 2 and at most p={p}, got {columns}."
        )
    if informative + columns * repeats > n:
        raise ValueError(
            f"`n` must be at least informative + columns * repeats = "
            f"{informative + columns * repeats}, got {n}."
        )
    rng = as_rng(rng)
    P = 2 * rng.random(columns) - 1
    X, y = np.zeros((n, p)), np.zeros(n)
    signs = rng.random((informative, columns)) < (1 + P) / 2
    X[:informative, :columns] = np.where(signs, 1.0, -1.0)
    y[:informative] = 1.0
    bowl = np.tile(hadamard(columns).astype(float), (repeats, 1))
    X[informative : informative + len(bowl), :columns] = bowl
    return Problem(X, y, losses.squared, L1Ball(1.0))


@dataclass(frozen=True)
class HardLasso:
    """The size of a hard instance of the LASSO, and what it proves.

    Parameters
    ----------
    columns : int
        w, how many entries are used.
    informative : int
        k, how many records have label 1.
    repeats : int
        How often the Hadamard rows occur in the data.
    excess : float
        A lower bound on the mean excess risk of a private algorithm.
    """

    columns: int
    informative: int
    repeats: int
    excess: float


def hardest_lasso(epsilon: float, delta: float, *, n: int, p: int) -> HardLasso:
    r"""Find the hardest instance of the LASSO for (ε, δ)-DP. [Section 6.4.3]

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n, p : int
        How many records there are, with entries and labels in [−1, 1], and how many
        entries.

    Returns
    -------
    HardLasso
        For ``lasso_hard_problem``. Sizes are searched on a grid. Each point of it gives
        a valid bound, and the largest is returned.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or no instance gives a bound above 0.

    Examples
    --------
    >>> hard = hardest_lasso(0.1, 1e-6, n=10_000, p=10_000)
    >>> hard.columns, hard.informative, hard.repeats
    (8192, 86, 1)
    """
    slope, rest = membership_leak(epsilon, delta)
    n, p = checks.count(n=n, p=p)
    columns = [2**j for j in range(int(min(n, p)).bit_length())]
    best = max((_hardest(w, n, slope, rest) for w in columns), key=lambda h: h.excess)
    if best.excess <= 0:
        raise ValueError(
            "`epsilon` must be smaller, or `p` larger, for a bound above 0 from this "
            f"instance, got {epsilon!r} and {p}."
        )
    return best


def lasso_excess_lower_bound(epsilon: float, delta: float, *, n: int, p: int) -> float:
    r"""Bound from below the excess risk of every (ε, δ)-DP LASSO. [Section 6.4.3]

    Parameters
    ----------
    epsilon, delta : float
        The privacy :math:`(\varepsilon, \delta)` when one record is replaced.
    n, p : int
        How many records there are, with entries and labels in [−1, 1], and how many
        entries.

    Returns
    -------
    float
        For each such algorithm with models in the unit ℓ₁ ball there are data on which
        its expected excess of :math:`\frac12\sum_i(\langle x_i, \theta\rangle - y_i)^2`
        is at least this: about :math:`n^{1/3}/(4\sinh^{2/3}\varepsilon)` if p is large.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range, or no instance gives a bound above 0.

    Notes
    -----
    Source: Section 6.4.3 quotes the rate and refers to Talwar, Thakurta and Zhang
    (2015).

    References
    ----------
    * Talwar, Thakurta and Zhang (2015), Nearly Optimal Private LASSO.

    Examples
    --------
    >>> round(lasso_excess_lower_bound(0.1, 1e-6, n=10_000, p=10_000), 1)
    28.2
    """
    return hardest_lasso(epsilon, delta, n=n, p=p).excess


def _hardest(w: int, n: int, slope: float, rest: float) -> HardLasso:
    """Maximize the bound over k, the repeats and the comparator, for w columns."""
    top = max(1.0, min(float(n - w), 2 * sqrt(w) / slope))
    k = np.unique(np.round(np.geomspace(1, top, 60)))[:, None, None]
    repeats = np.unique(np.round(np.geomspace(1, n // w, 60)))[:, None]
    fail = np.array([1e-1, 1e-2, 1e-3, 1e-4])  # P(the comparator is too long)
    N = w * repeats
    # S is the sum of the k informative rows: means of ‖S‖₂², ‖S‖₁ and ⟨x_i, S⟩²
    square = w * k * (k + 2) / 3
    size = w * np.where(k % 2, (k + 1) / 2, k * (k + 2) / (2 * (k + 1)))
    own = (w * (k + 2) / 3) ** 2 + w * (k * (k + 2) / 3 - ((k + 2) / 3) ** 2)
    # The model γS/N gains γ·gain − γ²·cost over the model 0. It is too long only with
    # probability `fail` (Hoeffding); then take 0 instead
    gain, cost = square / N, square / (2 * N) + k * own / (2 * N * N)
    longest = N / (size + k * np.sqrt(w * np.log(1 / fail) / 2))
    gamma = np.minimum(gain / (2 * cost), longest)
    # A private model θ gains at most ⟨θ, S⟩ − (N/2)‖θ‖₂²
    known = k * (k + 2) / 2
    private = known**2 * slope**2 / (2 * N) + 2 * known * rest
    bound = gamma * gain - gamma**2 * cost - fail * k / 2 - private
    bound = np.where(k + N <= n, bound, 0.0)
    at = np.unravel_index(np.argmax(bound), bound.shape)
    return HardLasso(w, int(k[at[0], 0, 0]), int(repeats[at[1], 0]), float(bound[at]))
