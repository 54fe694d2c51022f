"""Wrong bounds on the ε of a survey, and their reasons: for ``audit_response``."""

from collections.abc import Callable
from functools import partial
from math import log, sqrt
from statistics import NormalDist

import numpy as np

from .....auditing.sampled import _at_least, _at_most

Counts = tuple[int, int, int, int, float]  # k1, n1, k0, n0, risk
# Bounds of a probability by k of n, below and above, each wrong with chance a at most.
Interval = Callable[[int, int, float], tuple[float, float]]


def exact_interval(k: int, n: int, a: float) -> tuple[float, float]:
    """Return the bounds of Clopper and Pearson."""
    return _at_least(k, n, a), _at_most(k, n, a)


def _seen(k: int, n: int, _: float) -> tuple[float, float]:
    return k / n, k / n


def _smoothed(k: int, n: int, _: float) -> tuple[float, float]:
    return (k + 1) / (n + 2), (k + 1) / (n + 2)


def _normal(k: int, n: int, a: float) -> tuple[float, float]:
    half = -NormalDist().inv_cdf(a) * sqrt(k * (n - k) / n**3)
    return k / n - half, k / n + half


def _score(k: int, n: int, a: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf(a)
    half = -z * sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    middle = (k + z * z / 2) / (n + z * z)
    return middle - half, middle + half


def _any_law(k: int, n: int, a: float) -> tuple[float, float]:
    half = sqrt(log(1 / a) / (2 * n))
    return k / n - half, k / n + half


def _believed(k: int, n: int, a: float, prior: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low, high = (float(betaincinv(k + prior, n - k + prior, b)) for b in (a, 1 - a))
    return low, high


def _ratio(above: float, below: float) -> float:
    return log(above / below) if above > 0 and below > 0 else 0.0


def _ratios(first: Interval, second: Interval, counts: Counts, a: float) -> list[float]:
    """List what bounds for the two probabilities prove of the four ratios."""
    k1, n1, k0, n0, risk = counts
    p, q = first(k1, n1, a * risk), second(k0, n0, a * risk)
    return [
        _ratio(p[0], q[1]),
        _ratio(q[0], p[1]),
        _ratio(1 - p[1], 1 - q[0]),
        _ratio(1 - q[1], 1 - p[0]),
    ]


def best_ratio(interval: Interval, a: float = 0.25) -> Callable[..., float]:
    """Return the largest of what four ratios prove; each bound has a of the risk."""
    return lambda *counts: max(_ratios(interval, interval, counts, a))


def _exact_ratios(counts: Counts, a: float) -> list[float]:
    return _ratios(exact_interval, exact_interval, counts, a)


def _some(which: tuple[int, ...], a: float) -> Callable[..., float]:
    return lambda *counts: max(_exact_ratios(counts, a)[each] for each in which)


def _mixed(first: Interval, second: Interval, a: float) -> Callable[..., float]:
    return lambda *counts: max(_ratios(first, second, counts, a))


def _swapped(interval: Interval) -> Interval:
    def answer(k: int, n: int, a: float) -> tuple[float, float]:
        low, high = interval(k, n, a)
        return high, low

    return answer


def _difference(k1: int, n1: int, k0: int, n0: int, risk: float) -> float:
    p, q = exact_interval(k1, n1, risk / 2), exact_interval(k0, n0, risk / 2)
    return max(p[0] - q[1], q[0] - p[1])


def _delta_method(a: float) -> Callable[..., float]:
    def answer(k1: int, n1: int, k0: int, n0: int, risk: float) -> float:
        z, found = -NormalDist().inv_cdf(a * risk), []
        for k, n, j, m in ((k1, n1, k0, n0), (n1 - k1, n1, n0 - k0, n0)):
            spread = sqrt(1 / k - 1 / n + 1 / j - 1 / m)
            found.append(abs(log(k * m / (n * j))) - z * spread)
        return max(found)

    return answer


def _pooled(k1: int, n1: int, k0: int, n0: int, risk: float) -> float:
    low, high = exact_interval(k1 + n0 - k0, n1 + n0, risk / 2)
    return max(_ratio(low, 1 - low), _ratio(1 - high, high))


_SHARES = (0.125, 0.25, 0.5, 1.0)
_FIRST = (0.0625, *_SHARES)
_NORMAL = (
    "That takes the counts to be normal. They are not when few people, or nearly all, "
    "give one of the two reports."
)
_BELIEVED = (
    "That is what is likely after a prior belief about p and q. The promise here is "
    "for every p and q, also for those that were thought unlikely."
)
_ONE_SIDE = (
    "One of the two shares is taken as it was seen. It scatters as the other does."
)
_LARGEST = "That is the largest ε that fits the counts. Which is the least?"
_E = "ε counts in powers of e."
_OF_ONE = (
    "That looks at reports of 1 alone. A report of 0 has two probabilities as well, "
    "and their ratio may be larger."
)
_ONE_WAY = (
    "That looks at p/q only, as if p were the larger one. Which of the other ratios "
    "may be large?"
)
# Wrong bounds that many give, and what they reveal.
BOUNDS: tuple[tuple[Callable[..., float], str], ...] = (
    *(
        (
            formula,
            "That is the ratio of the shares that were seen. They scatter: half of "
            "the time or more, their ratio is above the true one.",
        )
        for formula in (
            best_ratio(_seen),
            lambda *counts: _ratios(_seen, _seen, counts, 1)[0],
            lambda *counts: abs(_ratios(_seen, _seen, counts, 1)[0]),
            best_ratio(_smoothed),
            lambda *counts: _ratios(_smoothed, _smoothed, counts, 1)[0],
        )
    ),
    *(
        (best_ratio(lambda k, n, a: exact_interval(k, n, 1 - a), a), _LARGEST)
        for a in _FIRST
    ),
    *((best_ratio(_swapped(exact_interval), a), _LARGEST) for a in _FIRST),
    (
        best_ratio(exact_interval, 1.0),
        "Each of your bounds alone may be wrong with probability `risk`. How likely is "
        "it that one of them is?",
    ),
    *(
        (formula(a), _NORMAL)
        for a in _FIRST
        for formula in (
            partial(best_ratio, _normal),
            partial(best_ratio, _score),
            _delta_method,
        )
    ),
    *(
        (best_ratio(partial(_believed, prior=prior), a), _BELIEVED)
        for a in _FIRST
        for prior in (0.5, 1.0)
    ),
    *(
        (_mixed(*pair, a), _ONE_SIDE)
        for a in _FIRST
        for pair in ((exact_interval, _seen), (_seen, exact_interval))
    ),
    *(
        (
            lambda *counts, a=a: best_ratio(exact_interval)(*counts[:4], a),
            "The bound does not change with `risk`.",
        )
        for a in (0.05, 0.025, 0.1, 0.2)
    ),
    *(
        (lambda *counts, a=a: best_ratio(exact_interval, a)(*counts) / log(2), _E)
        for a in _FIRST
    ),
    *(
        (lambda *counts, a=a: best_ratio(exact_interval, a)(*counts) / log(10), _E)
        for a in _FIRST
    ),
    *(
        (
            lambda *counts, a=a: np.exp(best_ratio(exact_interval, a)(*counts)),
            "That is a bound on e^ε, the ratio itself.",
        )
        for a in _FIRST
    ),
    (
        _difference,
        "That bounds the difference of p and q. It is below ε, but the ratio says "
        "more.",
    ),
    *((_some((0,), a), _ONE_WAY) for a in _SHARES),
    *((_some((0, 1), a), _OF_ONE) for a in _SHARES),
    *(
        (
            _some((0, 3), a),
            "That takes p to be the larger one. It may as well be q.",
        )
        for a in _SHARES
    ),
    *(
        (
            best_ratio(_any_law, a),
            "Hoeffding's bound holds for any numbers from 0 to 1. Zeros and ones of "
            "which few are 1 scatter far less, and that is given away.",
        )
        for a in _FIRST
    ),
    *(
        (
            best_ratio(exact_interval, a),
            "Your bounds are exact, but each is more careful than it has to be: "
            "together they are wrong far less often than `risk`.",
        )
        for a in (1 / 16, 1 / 32)
    ),
    *(
        (
            lambda *counts, a=a: min(
                max(_exact_ratios(counts, a)[k : k + 2]) for k in (0, 2)
            ),
            "That is the smaller of what the two reports prove. Both are proved.",
        )
        for a in _SHARES
    ),
    (
        _pooled,
        "That takes truth and lie to be as likely on both sides: p = 1 − q. Nobody "
        "said so.",
    ),
)  # fmt: skip
