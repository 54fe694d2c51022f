"""BANCO's bet, evaluated where the printed closed form overflows."""

from math import log, pi, sqrt

import numpy as np

from .. import checks

# Gauss-Legendre nodes on [0, 1]: 64 resolve a bump of twenty standard deviations
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2
LARGEST = 709.0  # e^709 is a float, e^710 is not


def bet(x, y, a):
    r"""Compute how much BANCO stakes after winning x. [Algorithm 1, BANCO]

    .. math:: m = \frac{1}{2a}\int_{-a}^{a} \beta\,e^{\beta x - \beta^2 y}\,d\beta

    Parameters
    ----------
    x : float or ndarray
        :math:`x = \sum_s \langle \hat g_s, q_s\rangle`, what was won so far.
    y : float or ndarray
        :math:`y = t\,(\sigma_{1D}^2/2 + G^2)`, the variance so far, at least 0.
    a : float or ndarray
        :math:`a = \min(k_1/G, 1/b)`, the largest stake β that is tried, above 0.

    Returns
    -------
    float or ndarray
        :math:`m`, odd in x, to a relative 1e-13; where :math:`|m| > e^{709}`, the
        stake is held at that. ``log_bet`` has no such limit.

    Raises
    ------
    ValueError, TypeError
        If an argument is not a finite number (or array) in its range.

    Notes
    -----
    The closed form of the source is right, and overflows once :math:`a^2 y > 709`; the
    authors point to Koolen (2015) for its numerics.

    Examples
    --------
    >>> round(bet(1.3, 2.7, 0.4), 6)
    0.055246
    >>> bet(3000.0, 1e4, 0.25)  # the printed form divides infinity by infinity here
    2.76...e+95
    """
    x, y, a = _checked(x, y, a)
    m = _capped(x, y, a)
    return m if m.ndim else float(m)


def log_bet(x, y, a):
    r"""Compute the sign and the logarithm of ``bet``, for any x. [Algorithm 1, BANCO]

    Parameters
    ----------
    x, y, a : float or ndarray
        As for ``bet``.

    Returns
    -------
    tuple of float or ndarray
        The sign of :math:`m`, and :math:`\log|m|`, which is -inf at x = 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is not a finite number (or array) in its range.

    Examples
    --------
    >>> sign, size = log_bet(-1e5, 1e4, 0.6838)
    >>> float(sign), round(float(size), 4)  # m itself would have 27661 digits
    (-1.0, 63692.1166)
    """
    x, y, a = _checked(x, y, a)
    with np.errstate(divide="ignore"):
        return np.sign(x), np.log(a) + log_sinh_integral(a * np.abs(x), a * a * y)


def _checked(x, y, a) -> tuple[np.ndarray, ...]:
    arrays = []
    for name, value in (("x", x), ("y", y), ("a", a)):
        if isinstance(value, np.ndarray):
            checks.finite_array(ndim=value.ndim, **{name: value})
        else:
            checks.finite(**{name: value})
        arrays.append(np.asarray(value, dtype=float))
    x, y, a = arrays
    if np.any(y < 0):
        raise ValueError(f"`y` must be at least 0, got {y.min()}. It is a variance.")
    if np.any(a <= 0):
        raise ValueError(f"`a` must be above 0, got {a.min()}. Give min(k₁/G, 1/b).")
    try:
        return tuple(np.broadcast_arrays(x, y, a))
    except ValueError:
        shapes = ", ".join(str(each.shape) for each in arrays)
        raise ValueError(
            f"`x`, `y` and `a` must have shapes that broadcast, got {shapes}."
        ) from None


def stake(x: np.ndarray, y: float, a: float) -> np.ndarray:
    """Compute m behind the door, for many x at one y > 0, as the algorithm needs it."""
    h = x * (0.5 / sqrt(y))
    size = np.abs(h).max(initial=0.0)
    if size < 26 and a * sqrt(y) > size + 6.5:
        # The bump at β = x/2y lies so far inside (−a, a), nearly always, that its tails
        # beyond hold less than 1e-18 of it: this is what is left of the closed form.
        return sqrt(pi) / (2 * a * y) * h * np.exp(h * h)
    return _capped(x, y, a)


def _capped(x, y, a) -> np.ndarray:
    """Compute m behind the door, held at e^709."""
    log_m = np.log(a) + log_sinh_integral(a * np.abs(x), a * a * y)
    return np.sign(x) * np.exp(np.minimum(log_m, LARGEST))


def log_sinh_integral(X, Y) -> np.ndarray:
    """Compute log ∫₀¹ t sinh(tX) exp(−t²Y) dt, elementwise, for X and Y of at least 0.

    This is log|m/a| at X = a|x|, Y = a²y. The integrand is positive, so that nothing
    cancels. Where its bump at t = X/2Y is narrow and inside [0, 1], integration by
    parts leaves error functions of positive arguments; elsewhere Gauss-Legendre runs
    over its support alone.
    """
    X, Y = np.broadcast_arrays(np.asarray(X, float), np.asarray(Y, float))
    linear = np.maximum(X, 1e-9)  # below it, sinh(tX) = tX to the last digit
    inside = (Y > 30) & (linear <= 2 * Y)
    out = np.empty(X.shape)
    out[inside] = _log_inside(linear[inside], Y[inside])
    out[~inside] = _log_quadrature(linear[~inside], Y[~inside])
    with np.errstate(divide="ignore"):
        return out + np.log(X / linear)


def _log_inside(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    r = np.sqrt(Y)
    h = X / (2 * r)
    u, v = r + h, r - h
    bump = sqrt(pi) * h * (erf(u) + erf(v)) - (np.exp(-v * v) - np.exp(-u * u))
    return h * h + np.log(bump / (4 * Y))


def _log_quadrature(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    # The log of the integrand is concave, with curvature at least 2Y and its top between
    # `low` and `high`; what lies 50 below the top is less than 1e-21 of the whole.
    with np.errstate(divide="ignore"):
        low = np.minimum(1.0, 2 / (np.hypot(X, np.sqrt(8 * Y)) - X))
        high = np.minimum(1.0, 4 / (np.hypot(X, np.sqrt(16 * Y)) - X))
        stop = np.minimum(1.0, high + np.sqrt(50 / Y))
    slope = np.maximum(X - 2 * Y * low, 0.0)
    with np.errstate(divide="ignore"):
        reach = 100 / (slope + np.hypot(slope, np.sqrt(200 * Y)))
    start = np.maximum(0.0, low - reach)
    width = (stop - start)[..., None]
    t = start[..., None] + width * _NODES
    z = t * X[..., None]
    # log sinh z = z − log 2 + log(1 − e^{−2z}), which loses no digit for z > 0
    log_sinh = z - log(2) + np.log(-np.expm1(-2 * z))
    terms = np.log(t) + log_sinh - t * t * Y[..., None] + np.log(_WEIGHTS * width)
    top = np.max(terms, axis=-1, keepdims=True)
    return top[..., 0] + np.log(np.sum(np.exp(terms - top), axis=-1))
