"""Floor 4. Exact samplers for a real release, from integers and the system's entropy.

The rest of the package draws floating-point noise from a seeded generator, which is
right for teaching only: the last bits of such noise can distinguish neighbors, whatever
ε says. Here each draw has exactly its stated distribution. The time that a draw takes
still depends on its value, so do not let anybody measure that time.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor, inf, isqrt, nextafter
from numbers import Rational
from secrets import randbelow
from typing import Any

import numpy as np

from . import checks
from .privacy import Pure, Relation, Release


def bernoulli_exp(exponent: float | Fraction) -> bool:
    r"""Toss a coin that is True with probability :math:`e^{-\gamma}`, exactly.

    Parameters
    ----------
    exponent : float or Fraction
        :math:`\gamma`, at least 0. A float is taken as the fraction that it is.

    Returns
    -------
    bool
        The outcome.

    Raises
    ------
    ValueError, TypeError
        If ``exponent`` is not a finite number of at least 0.

    Notes
    -----
    Algorithm 1 of Canonne, Kamath and Steinke (2020), after von Neumann: no logarithm
    is taken, only coins of rational probability are tossed.

    References
    ----------
    * von Neumann (1951), Various Techniques Used in Connection with Random Digits.
    * Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
      Privacy.

    Examples
    --------
    >>> bernoulli_exp(0)
    True
    >>> bernoulli_exp(10_000)  # true once in e^10000
    False
    """
    checks.nonnegative(exponent=exponent)
    return _bernoulli_exp(_fraction(exponent))


def discrete_laplace(scale: float | Fraction) -> int:
    r"""Draw an integer with probability proportional to :math:`e^{-|x|/t}`, exactly.

    Parameters
    ----------
    scale : float or Fraction
        :math:`t`, above 0. Added to an integer query of sensitivity Δ, it makes the
        answer :math:`\Delta/t`-private.

    Returns
    -------
    int
        The draw.

    Raises
    ------
    ValueError, TypeError
        If ``scale`` is not a finite number above 0.

    Notes
    -----
    Algorithm 2 of Canonne, Kamath and Steinke (2020).

    References
    ----------
    * Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
      Privacy.

    Examples
    --------
    >>> abs(discrete_laplace(10)) < 1000  # beyond: once in e^100
    True
    """
    checks.positive(scale=scale)
    return _discrete_laplace(_fraction(scale))


def discrete_gaussian(variance: float | Fraction) -> int:
    r"""Draw an integer with probability :math:`\propto e^{-x^2/(2\sigma^2)}`, exactly.

    Parameters
    ----------
    variance : float or Fraction
        :math:`\sigma^2`, above 0. Added to an integer query of sensitivity Δ, it makes
        the answer :math:`\Delta^2/(2\sigma^2)`-concentrated private (zCDP); it is not
        μ-GDP.

    Returns
    -------
    int
        The draw.

    Raises
    ------
    ValueError, TypeError
        If ``variance`` is not a finite number above 0.

    Notes
    -----
    Algorithm 3 of Canonne, Kamath and Steinke (2020): discrete Laplace, thinned.

    References
    ----------
    * Canonne, Kamath and Steinke (2020), The Discrete Gaussian for Differential
      Privacy.

    Examples
    --------
    >>> abs(discrete_gaussian(100)) < 200  # beyond 20 σ: once in e^200
    True
    """
    checks.positive(variance=variance)
    square = _fraction(variance)
    t = isqrt(square.numerator // square.denominator) + 1
    while True:
        y = _discrete_laplace(Fraction(t))
        if _bernoulli_exp((abs(y) - square / t) ** 2 / (2 * square)):
            return y


def release_number(
    value: float | Fraction,
    *,
    sensitivity: float | Fraction,
    epsilon: float | Fraction,
    grid: float | Fraction = 1,
    relation: Relation,
) -> Release:
    r"""Publish a number with exact discrete Laplace noise, on a fixed grid.

    Parameters
    ----------
    value : float or Fraction
        The true answer; it is rounded down to a multiple of ``grid`` first.
    sensitivity : float or Fraction
        :math:`\Delta`, how far one record moves the answer. On the grid that is
        :math:`\lceil\Delta/\mathrm{grid}\rceil` steps, and the noise is scaled to them.
    grid : float or Fraction, optional
        The distance between two possible outputs, fixed before the data are seen.

    Returns
    -------
    Release
        ``theta``, shape ``(1,)``, is the noisy multiple of ``grid``.

    Examples
    --------
    >>> from dpteach import Relation
    >>> out = release_number(1234, sensitivity=1, epsilon=0.5,
    ...                      relation=Relation.ADD_REMOVE)
    >>> float(out.theta[0]).is_integer(), out.event.epsilon
    (True, 0.5)
    """
    checks.answer(value=value)
    checks.moderate(sensitivity=sensitivity, epsilon=epsilon, grid=grid)
    checks.instance(Relation, relation=relation)
    step = _fraction(grid)
    steps = -floor(-_fraction(sensitivity) / step)
    scale = steps / _fraction(epsilon)
    noisy = floor(_fraction(value) / step) + _discrete_laplace(scale)
    return _published([noisy * step], epsilon, relation)


def release_histogram(
    counts: Sequence[int],
    *,
    sensitivity: int = 1,
    epsilon: float | Fraction,
    relation: Relation,
) -> Release:
    r"""Publish counts, each with exact discrete Laplace noise.

    Parameters
    ----------
    counts : sequence of int
        One count per bin. The bins must be fixed before the data are seen.
    sensitivity : int, optional
        :math:`\Delta`, how far one record moves all counts together (in ℓ1): 1 if a
        record is in one bin and may be absent, 2 if it may change its bin.
    epsilon : float or Fraction
        :math:`\varepsilon`, for the whole histogram.

    Returns
    -------
    Release
        ``theta``, shape ``(bins,)``, holds the noisy counts, which may be negative.

    Examples
    --------
    >>> from dpteach import Relation
    >>> out = release_histogram([10, 0, 7], epsilon=1, relation=Relation.ADD_REMOVE)
    >>> out.theta.shape
    (3,)
    """
    words = str | bytes | memoryview
    if isinstance(counts, words) or not isinstance(counts, Sequence):
        kind = checks.shown(counts)
        raise TypeError(f"`counts` must be a list of ints, got {kind}.")
    if not counts:
        raise ValueError("`counts` must have at least one bin, got none.")
    for each in counts:
        checks.tally(counts=each)
    checks.count(sensitivity=sensitivity)
    checks.moderate(epsilon=epsilon)
    checks.instance(Relation, relation=relation)
    if relation is Relation.REPLACE and sensitivity < 2:
        raise ValueError(
            "`sensitivity` must be at least 2 under Relation.REPLACE, got "
            f"{sensitivity}. A record that changes its bin changes two counts."
        )
    scale = _fraction(sensitivity) / _fraction(epsilon)
    noisy = [Fraction(int(each) + _discrete_laplace(scale)) for each in counts]
    return _published(noisy, epsilon, relation)


def exponential_choice(
    scores: Sequence[float | Fraction],
    *,
    sensitivity: float | Fraction,
    epsilon: float | Fraction,
) -> int:
    r"""Choose i with probability :math:`\propto e^{\varepsilon s_i/(2\Delta)}`.

    Parameters
    ----------
    scores : sequence of float or Fraction
        :math:`s_i`, the higher the better. Floats are taken as the fractions that they
        are: compute them so that rounding is within the sensitivity.
    sensitivity : float or Fraction
        :math:`\Delta`, how far one record moves any score.
    epsilon : float or Fraction
        :math:`\varepsilon`, the privacy of the choice.

    Returns
    -------
    int
        The index that was chosen.

    Notes
    -----
    A candidate is drawn evenly and kept with probability e^{−ε(max − s)/(2Δ)}: that
    takes, on average, at most as many trials as there are candidates.

    Examples
    --------
    >>> exponential_choice([0, 1000, 3], sensitivity=1, epsilon=1)  # else: e^-498
    1
    """
    if isinstance(scores, str | bytes) or not isinstance(scores, Sequence | np.ndarray):
        kind = checks.shown(scores)
        raise TypeError(f"`scores` must be a list of numbers, got {kind}.")
    if len(scores) == 0:
        raise ValueError("`scores` must have at least one entry, got none.")
    for each in scores:
        checks.answer(scores=each)
    checks.moderate(sensitivity=sensitivity, epsilon=epsilon)
    exact = [_fraction(each) for each in scores]
    rate, best = _fraction(epsilon) / (2 * _fraction(sensitivity)), max(exact)
    while True:
        i = randbelow(len(exact))
        if _bernoulli_exp(rate * (best - exact[i])):
            return i


def _fraction(number: Any) -> Fraction:
    """Return a number exactly; NumPy's integers would overflow inside a fraction."""
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(float(number))


def _bernoulli(p: Fraction) -> bool:
    return randbelow(p.denominator) < p.numerator


def _bernoulli_exp(gamma: Fraction) -> bool:
    while gamma > 1:  # e^{−γ} = e^{−1} ⋯ e^{−1} e^{−rest}
        if not _bernoulli_exp(Fraction(1)):
            return False
        gamma -= 1
    # Toss coins of probability γ/1, γ/2, … until one fails; P[the k-th is reached] =
    # γ^{k−1}/(k−1)!, so that an odd k has probability 1 − γ + γ²/2 − … = e^{−γ}.
    k = 1
    while _bernoulli(gamma / k):
        k += 1
    return k % 2 == 1


def _discrete_laplace(scale: Fraction) -> int:
    t, s = scale.numerator, scale.denominator
    while True:
        # x = u + t v is geometric with rate 1/t; its part above s is one with rate s/t.
        u = randbelow(t)
        if not _bernoulli_exp(Fraction(u, t)):
            continue
        v = 0
        while _bernoulli_exp(Fraction(1)):
            v += 1
        y, negative = (u + t * v) // s, randbelow(2) == 1
        if y or not negative:  # zero has one sign
            return -y if negative else y


def _published(
    values: list[Fraction], epsilon: float | Fraction, relation: Relation
) -> Release:
    theta = np.array([float(each) for each in values])
    said = float(epsilon)
    if said < _fraction(epsilon):  # an event's ε is never below the true one
        said = nextafter(said, inf)
    event = Pure(said, relation=relation)
    return Release(theta=theta, path=theta[None], event=event)
