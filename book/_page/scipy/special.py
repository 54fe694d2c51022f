"""Special functions: from ``math`` where it has them, else by series and fractions."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from . import missing

_TINY = 1e-300
_ROOT = math.sqrt(2)
_NORMAL = NormalDist()
_NUMBERS = frozenset({float, np.float64, int})
_EXACT = {"xtol": 1e-300, "rtol": 1e-15, "maxiter": 1000}


def _elementwise(function: Callable[..., float]) -> Callable[..., np.ndarray]:
    several = np.vectorize(function, otypes=[float])

    def applied(*given):
        if _NUMBERS.issuperset(map(type, given)):  # searches ask thousands of times
            return np.float64(function(*given))
        with np.errstate(invalid="ignore"):  # a NaN comes back as one, without a word
            out = several(*given)
        return out[()] if out.ndim == 0 else out  # a number for a number, as SciPy does

    return applied


def _log_gamma(x: float) -> float:
    return math.inf if x == 0 else math.lgamma(x)


def _normal_quantile(p: float) -> float:
    if 0 < p < 1:
        return _NORMAL.inv_cdf(p)
    return {0.0: -math.inf, 1.0: math.inf}.get(p, math.nan)


erf, erfc = _elementwise(math.erf), _elementwise(math.erfc)
gammaln, ndtri = _elementwise(_log_gamma), _elementwise(_normal_quantile)


def xlog1py(x, y):
    """Compute x ln(1 + y), with 0 where x is 0."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x == 0, 0.0, x * np.log1p(y))[()]


def xlogy(x, y):
    """Compute x ln y, with 0 where x is 0."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x == 0, 0.0, x * np.log(y))[()]


def _scaled_erfc(x: float) -> float:
    """Compute exp(x²) erfc(x)."""
    if x < 12:
        if x < -27:
            return math.inf
        # x² in two parts, so that its rounding error is not blown up by exp
        high = x - math.fmod(x, 2.0**-12)
        near = math.exp((x - high) * (x + high)) * math.erfc(x)
        return math.exp(high * high) * near
    term = total = 1.0
    for k in range(1, 30, 2):  # 1 − 1/2x² + 3/4x⁴ − …, below 1e-17 after 15 terms
        term *= -k / (2 * x * x)
        total += term
    return total / (x * math.sqrt(math.pi))


def _log_normal(x: float) -> float:
    """Compute ln Φ(x)."""
    if x > 0:
        return math.log1p(-math.erfc(x / _ROOT) / 2)
    if x > -36:  # here erfc does not underflow
        return math.log(math.erfc(-x / _ROOT) / 2)
    if x == -math.inf:
        return x
    return math.log(_scaled_erfc(-x / _ROOT) / 2) - x * x / 2


def _normal_quantile_of_log(y: float) -> float:
    """Find x at which ln Φ(x) is y."""
    if y > -2:
        return -_normal_quantile(-math.expm1(y))
    if y > -600:
        return _normal_quantile(math.exp(y))
    x = -math.sqrt(-2 * y)
    for _ in range(6):  # Newton's steps; the slope is 1/M(−x), about −x
        far = -x / _ROOT
        log = math.log(_scaled_erfc(far) / 2) - x * x / 2
        x -= (log - y) * _scaled_erfc(far) * math.sqrt(math.pi / 2)
    return x


ndtr = _elementwise(lambda x: math.erfc(-x / _ROOT) / 2)
erfcx, log_ndtr = _elementwise(_scaled_erfc), _elementwise(_log_normal)
ndtri_exp = _elementwise(_normal_quantile_of_log)


def i0e(x):
    """Compute exp(−|x|) I₀(x)."""
    x = np.abs(np.asarray(x, dtype=float))
    small, large = np.minimum(x, 30.0), np.maximum(x, 30.0)
    near = np.i0(small) * np.exp(-small)
    term = total = np.ones(x.shape)
    for k in range(1, 20):
        term = term * ((2 * k - 1) ** 2 / (8 * k * large))
        total = total + term
    return np.where(x < 30, near, total / np.sqrt(2 * math.pi * large))[()]


def _gamma_tails(a: float, x: float) -> tuple[float, float]:
    """Compute P(a, x) and Q(a, x): the smaller directly, the other from it."""
    if x <= 0:
        return 0.0, 1.0
    if math.isinf(x):
        return 1.0, 0.0
    density = math.exp(_log_gamma_term(a, x))
    if x < a + 1:  # a series of positive terms
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        low = density * total
        return low, 1 - low
    b, c = x + 1 - a, 1 / _TINY  # Legendre's continued fraction, as Lentz evaluates it
    d = 1 / b
    h = d
    for k in range(1, 100_000):
        step = -k * (k - a)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    high = density * h
    return 1 - high, high


def _log_gamma_term(a: float, x: float) -> float:
    """Compute ln(xᵃ e⁻ˣ / Γ(a)), near the peak too, where large terms would cancel."""
    if a < 30 or x < a / 2:
        return a * math.log(x) - x - math.lgamma(a)
    d = (x - a) / a
    # ln Γ(a) by Stirling, so that a ln(x/a) − (x − a) stays by itself
    series = (
        1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * a * a)) / (a * a)) / (a * a)
    ) / a
    return a * _log_minus(d) + 0.5 * math.log(a / (2 * math.pi)) - series


def _log_minus(d: float) -> float:
    """Compute ln(1 + d) − d."""
    if abs(d) > 0.1:
        return math.log1p(d) - d
    return -sum((-d) ** k / k for k in range(2, 20))


def _gamma_tails_at(a: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute P(a, x) and Q(a, x) at many x from 0 on, as ``_gamma_tails`` at one."""
    low, high = np.zeros(x.shape), np.ones(x.shape)
    left, right = (x > 0) & (x < a + 1), x >= a + 1
    low[left] = _gamma_series(a, x[left])
    high[left] = 1 - low[left]
    high[right] = _gamma_fraction(a, x[right])
    low[right] = 1 - high[right]
    return low, high


def _gamma_series(a: float, x: np.ndarray) -> np.ndarray:
    term = np.full(x.shape, 1 / a)
    total, k = term, a
    while np.any(term > total * 1e-17):
        k += 1
        term = term * x / k
        total = total + term
    return _gamma_density(a, x) * total


def _gamma_fraction(a: float, x: np.ndarray) -> np.ndarray:
    far = x > 1e4 + 4 * a  # nothing is left there
    x = np.where(far, 1e4 + 4 * a, x)
    b, c = x + 1 - a, np.full(x.shape, 1 / _TINY)
    d = 1 / b
    h = d
    for k in range(1, 100_000):
        step = -k * (k - a)
        b = b + 2
        d, c = step * d + b, b + step / c
        d, c = 1 / np.where(d == 0, _TINY, d), np.where(c == 0, _TINY, c)
        h = h * d * c
        if np.all(np.abs(d * c - 1) < 1e-15):
            break
    return np.where(far, 0.0, _gamma_density(a, x) * h)


def _gamma_density(a: float, x: np.ndarray) -> np.ndarray:
    """Compute xᵃ e⁻ˣ / Γ(a), as ``_log_gamma_term`` does."""
    if a < 30:
        return np.exp(a * np.log(x) - x - math.lgamma(a))
    d = np.maximum((x - a) / a, -0.999)  # below, nothing is left
    near = -sum((-d) ** k / k for k in range(2, 20))
    log_minus = np.where(np.abs(d) > 0.1, np.log1p(d) - d, near)
    return np.exp(a * log_minus + _log_gamma_term(a, a))  # at the peak d is 0


def _gamma_tail(side: int) -> Callable[..., np.ndarray]:
    one = _elementwise(lambda a, x: _gamma_tails(a, x)[side])

    def applied(a, x):
        if type(a) in _NUMBERS and a > 0 and np.size(x) > 1 and np.min(x) >= 0:
            return _gamma_tails_at(a, np.asarray(x, dtype=float))[side]
        return one(a, x)

    return applied


gammainc, gammaincc = _gamma_tail(0), _gamma_tail(1)


def chdtrc(degrees, x):
    """Compute the upper tail of the chi-square distribution."""
    return gammaincc(np.asarray(degrees) / 2, np.asarray(x) / 2)


def chdtr(degrees, x):
    """Compute the lower tail of the chi-square distribution."""
    return gammainc(np.asarray(degrees) / 2, np.asarray(x) / 2)


def _beta_tails(a: float, b: float, x: float) -> tuple[float, float]:
    """Compute I_x(a, b) and 1 − I_x(a, b): the smaller directly."""
    if not (a >= 0 and b >= 0 and a + b > 0 and 0 <= x <= 1):
        return math.nan, math.nan
    if x in (0, 1) or a == 0 or b == 0:  # all of it at an end
        return (1.0, 0.0) if x == 1 or (x > 0 and a == 0) else (0.0, 1.0)
    if x > (a + 1) / (a + b + 2):
        return _beta_tails(b, a, 1 - x)[::-1]
    log_term = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    h = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = h
        d = 1 / (1 + even * d or _TINY)
        c = 1 + even / c or _TINY
        h *= d * c
        d = 1 / (1 + odd * d or _TINY)
        c = 1 + odd / c or _TINY
        h *= d * c
        if abs(h - before) < 1e-16 * abs(h):
            break
    low = math.exp(log_term) * h / a
    return low, 1 - low


betainc = _elementwise(lambda a, b, x: _beta_tails(a, b, x)[0])


def _inverted(tails: Callable[[float], tuple[float, float]], q: float, top: float):
    """Find x from 0 to ``top`` at which the lower tail is q, by its smaller side."""
    from .optimize import brentq

    if not 0 <= q <= 1:
        return math.nan  # SciPy's answer, as for a shape that is not positive
    if q in (0, 1):
        return 0.0 if q == 0 else top
    if q < 0.5:
        return brentq(
            lambda x: math.log(tails(x)[0] or _TINY) - math.log(q), 0, top, **_EXACT
        )
    rest = math.log1p(-q)
    return brentq(lambda x: rest - math.log(tails(x)[1] or _TINY), 0, top, **_EXACT)


def _gamma_quantile(a: float, q: float) -> float:
    if a >= 0 and q in (0, 1):
        return math.inf if q else 0.0
    if not (a > 0 and 0 < q < 1):
        return math.nan
    top = a + 1.0
    while _gamma_tails(a, top)[0] < q and _gamma_tails(a, top)[1] > 1 - q:
        top *= 2
    return _inverted(lambda x: _gamma_tails(a, x), q, top)


@lru_cache(4096)  # an audit asks for the same few bounds again and again
def _beta_quantile(a: float, b: float, q: float) -> float:
    if not (a > 0 and b > 0):
        return math.nan
    return _inverted(lambda x: _beta_tails(a, b, x), q, 1.0)


gammaincinv = _elementwise(_gamma_quantile)
betaincinv = _elementwise(_beta_quantile)


def __getattr__(name: str):
    raise missing(__name__, name)
