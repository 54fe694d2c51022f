"""Wrong prices from Rényi moments, and what each reveals: for ``rdp_epsilon``.

One set of lines computes them all: each wrong answer changes a part of it.
"""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable
from functools import partial
from math import inf, log, log10, sqrt

import numpy as np

ORDERS = np.arange(2, 65)


def _exponent(i: np.ndarray, lam: float) -> np.ndarray:
    return (i * i - i) / (2 * lam**2)


def log_moments(
    lam: float,
    q: float,
    *,
    exponent: Callable = _exponent,
    choose: float = 1.0,
    absent: float = 1.0,
) -> np.ndarray:
    """Compute ln E[e^{(α−1)Z}] of one release at each whole order.

    ``choose`` and ``absent`` are 0 where binomial coefficients, or the powers of 1 − q,
    are forgotten.
    """
    from scipy.special import gammaln, xlog1py

    i, alpha = np.arange(ORDERS[-1] + 1), ORDERS[:, None]
    left = np.maximum(alpha - i, 0)
    ways = gammaln(alpha + 1) - gammaln(i + 1) - gammaln(left + 1)
    terms = choose * ways + i * log(q) + exponent(i, lam)
    terms = terms + (xlog1py(left, -q) if absent else 0.0)
    return np.logaddexp.reduce(np.where(i > alpha, -inf, terms), axis=1)


def price(
    lam: float,
    q: float,
    T: float,
    delta: float,
    *,
    moments: Callable = log_moments,
    below: int = 1,
    divide: int = 1,
    best: Callable = np.min,
    logarithm: Callable = log,
) -> float:
    """Convert moments; ``below`` and ``divide`` are 0 where α stands for α − 1.

    The first in D_α, the second under ln(1/δ).
    """
    divergence = moments(lam, q) / (ORDERS - below)
    extra = logarithm(1 / delta) / (ORDERS - divide)
    return float(best(T * divergence + extra))


def _whole(lam: float, q: float) -> np.ndarray:
    return ORDERS * (ORDERS - 1) / (2 * lam**2) + 0 * q


def _linear(factor: float, lam: float, q: float) -> np.ndarray:
    return factor * _whole(lam, q)


def _joined(factor: float, lam: float, q: float) -> np.ndarray:
    """Compute ln(1 + factor (e^{…} − 1)), without overflow."""
    return np.logaddexp(log(factor) + _whole(lam, q), np.log1p(-min(factor, 1 - 1e-16)))


def _at(order: int) -> Callable:
    return lambda prices: prices[order - 2]


_THUMB = (
    "q² α/(2λ²) is a rule of thumb for low orders. Beyond some order the divergence "
    "shoots up, and what you found there is not proved."
)
_SHIFTED = (
    "α and α − 1 are mixed up. The sum over i from 0 to α is the moment of (α − 1)Z; "
    "D_α divides its logarithm by α − 1, and so does the theorem with ln(1/δ)."
)
# Wrong prices, as functions of (lam, q, T, delta), and the reason.
PRICES = (
    (
        partial(price, best=np.max),
        "That is the order that proves least. Each order is a proof by itself, so "
        "that you may choose.",
    ),
    (
        partial(price, best=np.mean),
        "That is an average over orders. Each order is a proof by itself, so that you "
        "may choose.",
    ),
    (
        lambda lam, q, T, d: price(lam, q, 1, d),
        "That is the price of one release: T plays no part.",
    ),
    (
        lambda lam, q, T, d: T * price(lam, q, 1, d),
        "You convert each release by itself, so that ln(1/δ) is paid T times. What is "
        "it that adds up?",
    ),
    (
        lambda lam, q, T, d: T * price(lam, q, 1, d / T),
        "You convert each release by itself, so that ln(1/δ) is paid T times. What is "
        "it that adds up?",
    ),
    (
        lambda lam, q, T, d: sqrt(T) * price(lam, q, 1, d),
        "The root of T comes by itself, from the best order. What is it that adds up?",
    ),
    (
        lambda lam, q, T, d: price(lam, q, sqrt(T), d),
        "Divergences add up over T releases: T times as much, not √T times.",
    ),
    (
        lambda lam, q, T, d: price(
            lam, q, 1, d, moments=lambda lam, q: log(T) + log_moments(lam, q)
        ),
        "T stands inside the logarithm. Moments of independent losses multiply, so "
        "their logarithms add up.",
    ),
    (
        lambda lam, q, T, d: price(lam, q, T, d, logarithm=lambda x: -log(x)),
        "ln(1/δ) has the wrong sign: a smaller δ must cost more.",
    ),
    (
        partial(price, logarithm=log10),
        "The logarithm is the natural one, not that of base 10.",
    ),
    (partial(price, below=0, divide=0), _SHIFTED),
    (partial(price, below=0), _SHIFTED),
    (partial(price, divide=0), _SHIFTED),
    (
        partial(price, moments=lambda lam, q: np.append(log_moments(lam, q)[1:], inf)),
        _SHIFTED,
    ),
    (lambda lam, q, T, d: price(lam, q, T, d, moments=partial(_linear, q * q)), _THUMB),
    *(
        (
            lambda lam, q, T, d, k=k: price(
                lam, q, T, d, moments=partial(_linear, q * q), best=_at(k)
            ),
            _THUMB,
        )
        for k in (2, 4, 8, 16, 32, 64)
    ),
    (
        lambda lam, q, T, d: price(lam, q, T, d, moments=partial(_linear, q)),
        "D_α is not scaled by q: P is a mixture of two normals.",
    ),
    (
        lambda lam, q, T, d: price(lam, q, T, d, moments=_whole),
        "That is the price without sampling: your answer does not depend on q.",
    ),
    (
        lambda lam, q, T, d: price(lam, q, T, d, moments=partial(_joined, q * q)),
        "That puts q² before the moment of a release without sampling. The power α of "
        "a mixture has more terms.",
    ),
    (
        lambda lam, q, T, d: price(lam, q, T, d, moments=partial(_joined, q)),
        "That puts q before the moment of a release without sampling. The power α of a "
        "mixture has more terms.",
    ),
    (
        partial(price, moments=partial(log_moments, choose=0.0)),
        "The binomial coefficients are missing: in how many ways do i factors of α "
        "come from the record?",
    ),
    (
        partial(price, moments=partial(log_moments, absent=0.0)),
        "The powers of 1 − q are missing: the other factors come from the outputs "
        "without the record.",
    ),
    (
        partial(
            price,
            moments=partial(log_moments, exponent=lambda i, lam: i * i / (2 * lam**2)),
        ),
        "The exponent is too large: at i = 1 it is 0, since a density has the total 1.",
    ),
    (
        partial(
            price,
            moments=partial(log_moments, exponent=lambda i, lam: (i * i - i) / lam**2),
        ),
        "A factor 2 is missing under the exponent i² − i.",
    ),
    (
        partial(
            price,
            moments=partial(
                log_moments, exponent=lambda i, lam: (i * i - i) / (2 * lam)
            ),
        ),
        "λ is the standard deviation of the noise, not its variance.",
    ),
    (
        lambda lam, q, T, d: price(sqrt(lam), q, T, d),
        "λ is the standard deviation of the noise, not its variance.",
    ),
    (
        lambda lam, q, T, d: price(lam**2, q, T, d),
        "λ is the standard deviation of the noise, and λ² its variance.",
    ),
    (
        lambda lam, q, T, d: price(lam, max(1 - q, 1e-9), T, d),
        "The record is in the sample with chance q, not 1 − q.",
    ),
    *(
        (
            partial(price, best=_at(k)),
            f"That is what order {k} proves. Is it your only order, or the first, or "
            "the last?",
        )
        for k in (2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 63, 64)
    ),
)
