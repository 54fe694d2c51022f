"""BANCO's bet, also where its closed form overflows."""

from typing import Any

import numpy as np

from ... import checks
from ...numerics import log_sinh_integral
from ._stakes import Number, capped


def bet(x: Number, y: float, a: float) -> Any:
    r"""Compute how much BANCO stakes when the coins add up to x. [Algorithm 1, BANCO]

    .. math:: m = \frac{1}{2a}\int_{-a}^{a} \beta\,e^{\beta x - \beta^2 y}\,d\beta

    Parameters
    ----------
    x, y, a : float
        The sum of the coins so far, or an array of many sums; the variance so far,
        t(σ₁D²/2 + G²); and the largest stake β that is tried, min(k₁/G, 1/b).

    Returns
    -------
    float or ndarray
        :math:`m`, to a relative 1e-13, at most e^709 in size; ``log_bet`` has no limit.

    Examples
    --------
    >>> bet(3000.0, 1e4, 0.25)  # the printed form divides infinity by infinity here
    2.76...e+95
    """
    y = checks.between(0, 1e100, y=y)
    a = checks.between(1e-30, 1e30, a=a)
    _check(x, y)
    m = capped(x, y, a)
    return m if m.ndim else float(m)


def log_bet(x: Number, y: float, a: float) -> Any:
    r"""Compute the sign and the logarithm of ``bet``, for any x. [Algorithm 1, BANCO]

    Parameters
    ----------
    x, y, a : float
        As for ``bet``.

    Returns
    -------
    tuple of float or ndarray
        The sign of :math:`m`, and :math:`\log|m|`, which is -inf at x = 0.

    Examples
    --------
    >>> float(log_bet(1e5, 1e4, 0.6838)[1])  # m itself would have 27661 digits
    63692.11...
    """
    y = checks.between(0, 1e100, y=y)
    a = checks.between(1e-30, 1e30, a=a)
    _check(x, y)
    return np.sign(x), np.log(a) + log_sinh_integral(a * np.abs(x), a * a * y)


def _check(x: Number, y: float) -> None:
    if isinstance(x, np.ndarray):
        checks.finite_array(ndim=1, x=x)
    else:
        checks.finite(x=x)
    if y:  # at 0 the integral is another, which needs no root of y
        checks.moderate(y=y)
