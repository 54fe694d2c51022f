"""Audits of one run: by counting right guesses, for (ε, δ) or μ, and by scores, for μ.

Put canaries in by fair coins, run once, and look at what the run says of each.
"""

from collections.abc import Callable
from math import exp, log, sqrt

import numpy as np

from .. import checks
from ..numerics import log_binomial

LARGEST_T = 1e4  # a smaller t proves less, and beyond it SciPy is slow
LEAST = 1e-300  # instead of 0, to divide by


def one_run_epsilon_lower_bound(
    correct: int, guesses: int, canaries: int, *, delta: float, false_alarm: float
) -> float:
    r"""Bound ε from below by one run with canaries, each included by a fair coin.

    .. math:: \inf\{\varepsilon : P[W \ge v] + 2m\delta
              \max_{1 \le i \le v} P[v - i \le W < v]/i > \alpha\},
              \quad W \sim \mathrm{Bin}(r, e^\varepsilon/(1 + e^\varepsilon))

    Parameters
    ----------
    correct : int
        :math:`v`, how many guesses of a canary's coin were right.
    guesses : int
        :math:`r`, how many were made; fixed beforehand.
    canaries : int
        :math:`m`, how many canaries there were; for the others no guess was made.
    delta : float
        :math:`\delta` of the claim; 0 for a pure one.
    false_alarm : float
        :math:`\alpha`, how likely the bound may be wrong.

    Returns
    -------
    float
        The bound, at least 0.

    Notes
    -----
    Source: Steinke, Nasr and Jagielski (2023). One run is cheap, but the bound is
    loose.

    References
    ----------
    * Steinke, Nasr and Jagielski (2023), Privacy Auditing with One (1) Training Run.

    Examples
    --------
    >>> bound = one_run_epsilon_lower_bound(90, 100, 1000, delta=1e-6, false_alarm=0.05)
    >>> round(bound, 2)  # nine of ten would be ε = ln 9 = 2.20, if it were exact
    1.63
    """
    delta = checks.below_one(delta=delta)
    false_alarm = checks.probability(false_alarm=false_alarm)
    v, r, m = _counts(correct, guesses, canaries)
    p_value = _one_run_p_value(v, r, m, delta)
    # On a grid first: with δ > 0 the p-value need not grow with ε all the way.
    return _first(lambda epsilon: p_value(epsilon) > false_alarm, step=0.05)


def _one_run_p_value(v: int, r: int, m: int, delta: float) -> Callable[[float], float]:
    from scipy.special import betainc

    k = np.arange(v - 1, -1, -1)
    log_choose = log_binomial(k, r, 0.0) + r * log(2)

    def p_value(epsilon: float) -> float:
        tail = float(betainc(v, r - v + 1, 1 / (1 + exp(-epsilon)))) if v else 1.0
        if delta == 0 or v == 0:
            return tail
        log_mass = log_choose + k * epsilon - r * np.logaddexp(0, epsilon)
        below = np.cumsum(np.exp(log_mass))  # P[v − i ≤ W < v]
        return tail + 2 * m * delta * float(np.max(below / (v - k)))

    return p_value


def _counts(correct: int, guesses: int, canaries: int) -> tuple[int, int, int]:
    correct = checks.count(0, correct=correct)
    guesses, canaries = checks.count(guesses=guesses, canaries=canaries)
    if not correct <= guesses <= canaries:
        raise ValueError(
            "`guesses` must lie between `correct` and `canaries`, got "
            f"{guesses}, with correct = {correct} and canaries = {canaries}."
        )
    return correct, guesses, canaries


def _first(allowed: Callable[[float], bool], *, step: float) -> float:
    """Find where a claim is first allowed: on a grid, and then by halving."""
    if allowed(0.0):
        return 0.0
    low = 0.0
    while not allowed(low + step):
        low += step
    for _ in range(40):
        step /= 2
        if not allowed(low + step):
            low += step
    return low


def one_run_mu_lower_bound(
    correct: int, guesses: int, canaries: int, *, false_alarm: float
) -> float:
    r"""Bound the μ of any μ-GDP code from below by one run with canaries.

    For the numbers :math:`p_i` of runs with i right guesses, and for every i < v,

    .. math:: \sum_{j > i} \tfrac jm\,p_j \le
        \Phi\Bigl(\Phi^{-1}\bigl(\textstyle\sum_{j \ge i} \tfrac{r - j}m\,p_j\bigr)
        + \mu\Bigr)

    The bound is the least μ that allows :math:`\sum_{j \ge v} p_j = \alpha`.

    Parameters
    ----------
    correct : int
        :math:`v`, how many guesses of a canary's coin were right.
    guesses : int
        :math:`r`, how many were made; fixed beforehand.
    canaries : int
        :math:`m`, how many canaries there were; for the others no guess was made.
    false_alarm : float
        :math:`\alpha`, how likely the bound may be wrong.

    Returns
    -------
    float
        The bound, at least 0.

    References
    ----------
    * Mahloujifar, Melis and Chaudhuri (2025), Auditing f-Differential Privacy in One
      Run.

    Examples
    --------
    >>> from dpteach.accounting import gaussian_epsilon
    >>> bound = one_run_mu_lower_bound(90, 100, 1000, false_alarm=0.05)
    >>> round(bound, 2), round(gaussian_epsilon(bound, 1e-6), 2)
    (0.6, 2.77)
    """
    alpha = checks.probability(false_alarm=false_alarm)
    v, r, m = _counts(correct, guesses, canaries)
    from scipy.special import ndtr, ndtri

    def allowed(mu: float) -> bool:
        return _possible(alpha, v, r, m, lambda x: ndtr(ndtri(x) - mu))

    return _first(allowed, step=1.0)


def _possible(
    alpha: float, v: int, r: int, m: int, least: Callable[[float], float]
) -> bool:
    """Say whether μ-GDP allows v right guesses with probability α.

    Flip the coin of a canary j that was guessed right: i + 1 right guesses become i.
    So "more than i right, and j among them" is, given the other coins, the event "i or
    more right, and j wrong", and its two probabilities lie on the curve. Their means
    over all j and all coins do, too, because the curve is concave: right ≤ f(wrong).
    With as much as possible of the rest just below v, then below v − 1, and so on, the
    least is used up; it is possible if that is no more than 1.
    """
    right, wrong = alpha * v / m, alpha * (r - v) / m
    for i in range(v - 1, -1, -1):
        more = float(least(right)) - wrong
        if more > 0:
            wrong += more
            right += more * i / (r - i)
        if right + wrong > r / m:
            return False
    return True


def score_mu_lower_bound(
    scores_with: np.ndarray, scores_without: np.ndarray, *, false_alarm: float
) -> float:
    r"""Bound the μ of Gaussian noise from below by the scores of one run's canaries.

    The bound is the μ at which Student's t of two samples is as large as it was with
    probability ``false_alarm``: t is noncentral, with
    :math:`\mu/\sqrt{1/n_1 + 1/n_0}`.

    Parameters
    ----------
    scores_with : ndarray
        Shape :math:`(n_1,)`, a number for each canary that was in, such as the
        projection of all updates to its direction.
    scores_without : ndarray
        Shape :math:`(n_0,)`, the same for those that were out.
    false_alarm : float
        How likely the bound may be wrong, below 1/2; below 1e-12 the bound is 0.

    Returns
    -------
    float
        The bound, at least 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its range: there must be two scores of each kind.

    Notes
    -----
    Only for independent normal scores of one variance, in which nothing but the canary
    itself moves the mean: noise that every record meets, canaries with directions of
    their own, and no data in these directions.

    References
    ----------
    * Agrawal and others (2026), Let's Ask Gauss: Improved One-Run Privacy Auditing,
      where the same scores are used with an asymptotic bound.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> inside, outside = 1.0 + rng.normal(size=500), rng.normal(size=500)
    >>> round(score_mu_lower_bound(inside, outside, false_alarm=0.05), 2)  # truth: 1
    0.95
    """
    checks.finite_array(ndim=1, scores_with=scores_with, scores_without=scores_without)
    false_alarm = checks.probability(false_alarm=false_alarm)
    if false_alarm >= 0.5:
        raise ValueError(
            f"`false_alarm` must be below 1/2, got {false_alarm}. Give 0.05, say."
        )
    if min(len(scores_with), len(scores_without)) < 2:
        raise ValueError(
            "`scores_with` and `scores_without` must each hold two numbers or more, "
            f"got {len(scores_with)} and {len(scores_without)}."
        )
    from scipy.special import nctdtrinc

    n1, n0 = len(scores_with), len(scores_without)
    size = sqrt(1 / n1 + 1 / n0)
    t = _student(scores_with, scores_without) / size
    if t <= 0 or false_alarm < 1e-12:
        return 0.0
    shift = nctdtrinc(n1 + n0 - 2, 1 - false_alarm, min(t, LARGEST_T))
    return max(float(shift) * size, 0.0)


def _student(scores_with: np.ndarray, scores_without: np.ndarray) -> float:
    """Divide the difference of the means by the standard deviation in both samples."""
    x, y = scores_with.astype(float), scores_without.astype(float)
    largest = max(np.abs(x).max(), np.abs(y).max(), LEAST)
    x, y = x / largest, y / largest  # so that squares are numbers
    squares = np.sum((x - x.mean()) ** 2) + np.sum((y - y.mean()) ** 2)
    deviation = sqrt(squares / (len(x) + len(y) - 2))
    return float(x.mean() - y.mean()) / max(deviation, 1e-12)
