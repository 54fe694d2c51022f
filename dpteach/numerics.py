"""Floor 0. Functions in the log domain, and a root that errs on the safe side."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

# Gauss–Legendre nodes on [0, 1]: exact to rounding for the short intervals used here.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2
# And with 64 of them, for a bump of twenty standard deviations.
_FINE_NODES, _FINE_WEIGHTS = np.polynomial.legendre.leggauss(64)
_FINE_NODES, _FINE_WEIGHTS = (_FINE_NODES + 1) / 2, _FINE_WEIGHTS / 2


def log_of(x: Any) -> np.ndarray:
    """Compute ln x, with ln 0 = −∞ and no warning."""
    with np.errstate(divide="ignore"):
        return np.log(x)


def mills(x: np.ndarray) -> np.ndarray:
    """Compute (1 − Φ(x))/φ(x), which neither overflows nor cancels for x ≥ −5."""
    from scipy.special import erfcx  # scipy here: importing dpteach stays fast

    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))


def mills_drop(low: np.ndarray, width: float) -> np.ndarray:
    """Compute mills(low) − mills(low + width) without cancelling, for low ≥ −5."""
    if width > 0.1:
        return mills(low) - mills(low + width)
    # The drop is ∫ −M′, and −M′(x) = 1 − x M(x): each value positive, none cancels.
    x = np.expand_dims(low, -1) + width * _NODES
    slope = np.where(x < 30, 1 - np.minimum(x, 30) * mills(np.minimum(x, 30)), 0.0)
    y = 1 / np.maximum(x, 30) ** 2
    tail = y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y * (1 - 9 * y * (1 - 11 * y)))))
    return width * (np.where(x < 30, slope, tail) @ _WEIGHTS)


def _stirling_error(n: np.ndarray) -> np.ndarray:
    # ln n! − (n + ½) ln n + n − ½ ln 2π
    from scipy.special import gammaln

    small, large = np.clip(n, 1.0, 16.0), np.maximum(n, 16.0)
    exact = gammaln(small + 1) - (small + 0.5) * np.log(small) + small
    y = 1 / large**2
    series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / large
    return np.where(n < 16, exact - 0.5 * math.log(2 * math.pi), series)


def _deviance(d: np.ndarray) -> np.ndarray:
    # (1 + d) ln(1 + d) − d ≥ 0, for d > −1; by a series where the terms would cancel
    near = np.clip(d, -0.2, 0.25)
    r = near / (2 + near)
    odd = r**2 * (1 / 3 + r**2 * (1 / 5 + r**2 * (1 / 7 + r**2 * (1 / 9 + r**2 / 11))))
    odd = odd + r**12 * (1 / 13 + r**2 * (1 / 15 + r**2 / 17))
    # ln(1+d) = 2r(1 + odd), and 2r − d = −d r
    series = near * 2 * r * (1 + odd) + 2 * r * odd - near * r
    return np.where(d == near, series, (1 + d) * np.log1p(d) - d)


def log_binomial(i: np.ndarray, k: int, log_odds: float) -> np.ndarray:
    """Compute ln P(Binomial(k, q) = i), where q = 1/(1 + e^{log_odds}), 0 ≤ i ≤ k.

    A saddle-point form whose error stays near rounding for k up to 1e12.
    """
    i, tail = np.asarray(i, dtype=float), math.log1p(math.exp(-log_odds))
    log_p, log_q = -tail, -log_odds - tail
    # i − kq, with q = (1 − tanh(log_odds/2))/2: exact where k is large and odds even
    x = (i - k / 2) + k * math.tanh(log_odds / 2) / 2
    inside = np.clip(i, 1, max(k - 1, 1))
    kq, kp = k * math.exp(log_q), k * math.exp(log_p)
    if kq < 1e-3 or k < 16:  # few terms, none large: the plain formula
        from scipy.special import gammaln

        choose = gammaln(k + 1.0) - gammaln(i + 1) - gammaln(k - i + 1)
        return choose + i * log_q + (k - i) * log_p
    log_mass = (
        0.5 * np.log(k / (2 * math.pi * inside * np.maximum(k - inside, 1)))
        + _stirling_error(np.asarray(float(k)))
        - _stirling_error(inside)
        - _stirling_error(k - inside)
        - kq * _deviance(np.maximum(x / kq, -0.999999999999))
        - kp * _deviance(np.maximum(-x / kp, -0.999999999999))
    )
    log_mass = np.where(i == 0, k * log_p, log_mass)
    return np.where(i == k, k * log_q, log_mass)


def safe_root(f: Callable[[float], float], bad: float, good: float) -> float:
    """Find where the monotone ``f`` crosses 0 between ``bad`` and ``good``.

    ``f(bad) > 0 >= f(good)``. The answer x has ``f(x) <= 0``: rounding never leaves it
    on the bad side.
    """
    from scipy.optimize import brentq

    x: Any = brentq(
        # −∞ (a probability of 0) would stop the secant steps
        lambda x: min(max(f(x), -1e3), 1e3),
        bad,
        good,
        xtol=1e-320,
        rtol=np.float64(1e-15),
        maxiter=2000,
    )
    step = 1e-15
    while f(x) > 0:
        size = max(abs(x), 1e-15 * abs(good - bad))  # above 0 where x is 0
        x += math.copysign(step * size, good - bad)
        step *= 2
        if (x - good) * (good - bad) > 0:
            return good
    return x


def log_sinh_integral(X, Y) -> np.ndarray:
    """Compute log ∫₀¹ t sinh(tX) exp(−t²Y) dt, elementwise, for X and Y of at least 0.

    This is log|m/a| at X = a|x|, Y = a²y. The integrand is positive, so that nothing
    cancels. If its bump at t = X/2Y is narrow and inside [0, 1], integration by parts
    leaves error functions of positive arguments; otherwise Gauss-Legendre quadrature
    runs over the support alone.
    """
    X, Y = np.broadcast_arrays(np.asarray(X, float), np.asarray(Y, float))
    linear = np.maximum(X, 1e-9)  # below it, sinh(tX) = tX to the last digit
    inside = (Y > 30) & (linear <= 2 * Y)
    out = np.empty(X.shape)
    out[inside] = _log_bump_inside(linear[inside], Y[inside])
    out[~inside] = _log_by_quadrature(linear[~inside], Y[~inside])
    with np.errstate(divide="ignore"):
        return out + np.log(X / linear)


def _log_bump_inside(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    r = np.sqrt(Y)
    h = X / (2 * r)
    u, v = r + h, r - h
    bump = math.sqrt(math.pi) * h * (erf(u) + erf(v)) - (
        np.exp(-v * v) - np.exp(-u * u)
    )
    return h * h + np.log(bump / (4 * Y))


def _log_by_quadrature(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    # The log of the integrand is concave, of curvature at least 2Y, and its top lies
    # between `low` and `high`; what is 50 below the top is less than 1e-21 of all.
    with np.errstate(divide="ignore"):
        low = np.minimum(1.0, 2 / (np.hypot(X, np.sqrt(8 * Y)) - X))
        high = np.minimum(1.0, 4 / (np.hypot(X, np.sqrt(16 * Y)) - X))
        stop = np.minimum(1.0, high + np.sqrt(50 / Y))
    slope = np.maximum(X - 2 * Y * low, 0.0)
    with np.errstate(divide="ignore"):
        reach = 100 / (slope + np.hypot(slope, np.sqrt(200 * Y)))
    reach = np.minimum(low, reach)
    width = (stop - low + reach)[..., None]  # above 0 even where it is lost beside 1
    t = (low - reach)[..., None] + width * _FINE_NODES
    z = t * X[..., None]
    # log sinh z = z − log 2 + log(1 − e^{−2z}), which loses no digit for z > 0
    log_sinh = z - math.log(2) + np.log(-np.expm1(-2 * z))
    terms = np.log(t) + log_sinh - t * t * Y[..., None] + np.log(_FINE_WEIGHTS * width)
    top = np.max(terms, axis=-1, keepdims=True)
    return top[..., 0] + np.log(np.sum(np.exp(terms - top), axis=-1))
