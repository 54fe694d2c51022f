"""Wrong bounds on the ε of a survey, and their reasons: for ``audit_response``."""

from collections.abc import Callable
from math import log, sqrt
from statistics import NormalDist

Counts = tuple[int, int, int, int, float]  # k1, n1, k0, n0, risk
# Bounds of a probability by k of n, below and above, each wrong with chance a at most.
Interval = Callable[[int, int, float], tuple[float, float]]


def exact_interval(k: int, n: int, a: float) -> tuple[float, float]:
    """Return the bounds of Clopper and Pearson."""
    from scipy.special import betaincinv

    low = float(betaincinv(k, n - k + 1, a)) if k > 0 else 0.0
    return low, float(betaincinv(k + 1, n - k, 1 - a)) if k < n else 1.0


def _seen(k: int, n: int, _: float) -> tuple[float, float]:
    return k / n, k / n


def _normal(k: int, n: int, a: float) -> tuple[float, float]:
    half = -NormalDist().inv_cdf(a) * sqrt(k * (n - k) / n**3)
    return k / n - half, k / n + half


def _any_distribution(k: int, n: int, a: float) -> tuple[float, float]:
    half = sqrt(log(1 / a) / (2 * n))
    return k / n - half, k / n + half


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


def _difference(k1: int, n1: int, k0: int, n0: int, risk: float) -> float:
    p, q = exact_interval(k1, n1, risk / 2), exact_interval(k0, n0, risk / 2)
    return max(p[0] - q[1], q[0] - p[1])


_NORMAL = (
    "That takes the counts to be normal. They are not when few people, or nearly all, "
    "give one of the two reports."
)
# Wrong bounds that many give, and what they reveal.
BOUNDS: tuple[tuple[Callable[..., float], str], ...] = (
    (
        best_ratio(_seen),
        "That is the ratio of the shares that were seen. They scatter: half of the "
        "time or more, their ratio is above the true one.",
    ),
    (
        best_ratio(exact_interval, 1.0),
        "Each of your bounds alone may be wrong with probability `risk`. How likely is "
        "it that one of them is?",
    ),
    (best_ratio(_normal), _NORMAL),
    (best_ratio(_normal, 0.5), _NORMAL),
    (
        lambda *counts: best_ratio(exact_interval)(*counts[:4], 0.05),
        "The bound does not change with `risk`.",
    ),
    (
        _difference,
        "That bounds the difference of p and q. It is below ε, but the ratio says "
        "more.",
    ),
    (
        lambda *counts: _ratios(exact_interval, exact_interval, counts, 0.5)[0],
        "That looks at p/q only, as if p were the larger one. Which of the other "
        "ratios may be large?",
    ),
    (
        lambda *counts: max(_ratios(exact_interval, exact_interval, counts, 0.25)[:2]),
        "That looks at reports of 1 alone. A report of 0 has two probabilities as "
        "well, and their ratio may be larger.",
    ),
    (
        best_ratio(_any_distribution),
        "Hoeffding's bound holds for any numbers from 0 to 1. If few of the reports "
        "are 1, they scatter far less, and your bound does not use that.",
    ),
    (
        best_ratio(exact_interval, 1 / 16),
        "Your bounds are exact, but each is more careful than it has to be: together "
        "they are wrong far less often than `risk`.",
    ),
)
