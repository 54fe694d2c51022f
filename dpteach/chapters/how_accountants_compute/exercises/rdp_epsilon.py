"""Exercise: an accountant by Rényi moments, for Gaussian releases on samples."""

# ruff: noqa: ARG005  (formulas of one table share one signature)

from collections.abc import Callable
from functools import lru_cache, partial
from math import inf, log, sqrt

import numpy as np

from ....accounting import (
    epsilon_of,
    gaussian_epsilon,
    renyi_epsilon,
    sampled_gaussian_rdp,
)
from ....grading._priced_cases import apart, at_each, called
from ....grading.exercise import Exercise
from ....grading.ladder import matching_hint
from ....grading.report import Fault
from ....grading.student import Student
from ....privacy import Relation, SampledGaussian

ORDERS = np.arange(2, 65)


def log_moments(
    lam: float, q: float, *, choose: float = 1.0, absent: float = 1.0
) -> np.ndarray:
    """Compute ln E[e^{(α−1)Z}] of one release at each whole order.

    ``choose`` and ``absent`` are 0 where binomial coefficients, or the powers of 1 − q,
    are forgotten.
    """
    from scipy.special import gammaln, xlog1py

    i, alpha = np.arange(ORDERS[-1] + 1), ORDERS[:, None]
    left = np.maximum(alpha - i, 0)
    ways = gammaln(alpha + 1) - gammaln(i + 1) - gammaln(left + 1)
    terms = choose * ways + i * log(q) + (i * i - i) / (2 * lam**2)
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
) -> float:
    """Convert moments; ``below`` and ``divide`` are 0 where α stands for α − 1.

    The first in D_α, the second under ln(1/δ).
    """
    divergence = moments(lam, q) / (ORDERS - below)
    return float(best(T * divergence + log(1 / delta) / (ORDERS - divide)))


def _whole(lam: float, q: float) -> np.ndarray:
    return ORDERS * (ORDERS - 1) / (2 * lam**2) + 0 * q


def _thumb(lam: float, q: float) -> np.ndarray:
    return q * q * _whole(lam, q)


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
        lambda lam, q, T, d: price(lam, q, 1, d),
        "That is the price of one release: T plays no part.",
    ),
    (
        lambda lam, q, T, d: T * price(lam, q, 1, d),
        "You convert each release by itself, so ln(1/δ) is paid T times. What is it "
        "that adds up?",
    ),
    (
        lambda lam, q, T, d: sqrt(T) * price(lam, q, 1, d),
        "The root of T comes by itself, from the best order. What is it that adds up?",
    ),
    (partial(price, below=0), _SHIFTED),
    (partial(price, divide=0), _SHIFTED),
    (partial(price, moments=_thumb), _THUMB),
    (partial(price, moments=_thumb, best=lambda prices: prices[8 - 2]), _THUMB),
    (
        lambda lam, q, T, d: price(lam, q, T, d, moments=_whole),
        "That is the price without sampling: your answer does not depend on q.",
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
)


# How far the exact price, by an integral, may be off; and what rounding may add.
_INTEGRAL, _ROUNDING = 1e-6, 1e-9
Case = tuple[float, float, int, float]  # lam, q, T, delta


@lru_cache(maxsize=64)
def _one(lam: float, q: float) -> np.ndarray:
    """Compute D_α of one release at the whole orders."""
    return np.array(
        [sampled_gaussian_rdp(int(a), rate=q, noise_multiplier=lam) for a in ORDERS]
    )


def _proved(case: Case, method: str) -> float:
    lam, q, T, delta = case
    return renyi_epsilon(ORDERS, T * _one(lam, q), delta, method=method)


@lru_cache(maxsize=64)
def _exact(lam: float, q: float, T: int, delta: float) -> float:
    if q == 1:
        return gaussian_epsilon(sqrt(T) / lam, delta)
    relation = Relation.ADD_REMOVE
    event = SampledGaussian(lam, rate=q, releases=T, relation=relation)
    return epsilon_of(event, delta)


def _overflow(lam: float) -> str:
    most = int(ORDERS[-1])
    return (
        f"At order {most} an exponent is {(most**2 - most) / (2 * lam**2):,.0f}, and "
        "floats end at e⁷⁰⁹. What becomes of such a term, and of one with ln 0 or "
        "0 · ∞? Is there an order with α − 1 = 0?"
    )


def _judge(student: Student, case: Case, hint: str) -> None:
    lam, q, T, delta = case
    found = called(student, case, _overflow(lam))
    quantity = f"your ε at lam = {lam:.4g}, q = {q:.4g}, T = {T}, delta = {delta:.3g}"
    told = partial(matching_hint, np.asarray(found), PRICES, case)
    most = _proved(case, "basic")
    if found > most * (1 + _ROUNDING):
        seen, limit = apart(found, most)
        raise Fault(
            quantity,
            seen,
            f"at most {limit}, by whole orders and the last bound of the theorem",
            told(hint),
        )
    # The exact price takes time; a proof by moments is above it.
    if found < _proved(case, "canonne_kamath_steinke") * (1 - _ROUNDING):
        least = _exact(*case)
        if found < least * (1 - _INTEGRAL):
            seen, limit = apart(found, least)
            raise Fault(
                quantity,
                seen,
                f"at least {limit}, the exact price: no proof can go below it",
                told("That is not a proof: some step of it claims too little."),
            )


def _anywhere(student: Student, rng: np.random.Generator) -> None:
    left = 3
    while left:
        lam, q = 10 ** float(rng.uniform(-0.6, 1.3)), 10 ** float(rng.uniform(-3, 0))
        T, delta = int(10 ** rng.uniform(0, 4)), 10 ** float(rng.uniform(-12, -5))
        case = lam, q, T, delta
        # if a record is hardly ever drawn, the exact price is known as a bound alone
        if q * T > 0.5 and 0.05 < _proved(case, "basic") < 60:
            left -= 1
            _judge(
                student,
                case,
                "Are there runs for which your orders do not reach far enough?",
            )


EXERCISE = Exercise(
    name="rdp_epsilon",
    parameters=("lam", "q", "T", "delta"),
    title="An accountant of your own",
    statement="""\
A run makes $T$ releases. For each of them every record enters a fresh sample with
probability $q$. A sum over the sample, which one record moves by at most 1, is released
with noise $\\mathcal{N}(0, \\lambda^2)$. Neighbors differ by one record more or less.
To remove it is the worse direction, with

$$P = (1 - q)\\,\\mathcal{N}(0, \\lambda^2) + q\\,\\mathcal{N}(1, \\lambda^2), \\qquad
Q = \\mathcal{N}(0, \\lambda^2),$$

and the loss $Z = \\ln(P(y)/Q(y))$ of an output $y \\sim P$. At whole orders $\\alpha$
its moments have a closed form:

$$\\mathbb{E}\\bigl[e^{(\\alpha - 1)Z}\\bigr] = \\mathbb{E}_{y \\sim Q}\\Bigl[
\\Bigl(\\frac{P(y)}{Q(y)}\\Bigr)^{\\alpha}\\Bigr] = \\sum_{i=0}^{\\alpha}
\\binom{\\alpha}{i} (1 - q)^{\\alpha - i}\\, q^i\\, e^{(i^2 - i)/(2\\lambda^2)}.$$

With $D_\\alpha = \\frac{1}{\\alpha - 1}\\ln\\mathbb{E}[e^{(\\alpha - 1)Z}]$ of all
releases together, the theorem of the chapter on one moment says for each $\\alpha$

$$\\delta \\le e^{(\\alpha - 1)(D_\\alpha - \\varepsilon)}\\,
\\frac{(\\alpha - 1)^{\\alpha - 1}}{\\alpha^\\alpha}
\\le e^{(\\alpha - 1)(D_\\alpha - \\varepsilon)}.$$

Write `rdp_epsilon(lam, q, T, delta)`, which returns an $\\varepsilon$ that is
**proved**: all $T$ releases together are $(\\varepsilon, \\delta)$-private. What the
orders $\\alpha = 2, 3, \\dots, 64$ prove by the last bound is small enough; a better
proof is welcome.

It must work for $\\lambda$ from 0.2 to 20, $q$ from 0.001 to 1 itself, where every
record joins, $T$ from 1 to 10,000 and $\\delta$ from $10^{-12}$ to $10^{-5}$.""",
    starter="""\
import math


def rdp_epsilon(lam, q, T, delta):
    alpha = 8
    D = q**2 * alpha / (2 * lam**2)  # a rule of thumb
    return T * D + math.log(1 / delta) / (alpha - 1)  # your code here""",
    worked=(
        "4.8865 <= rdp_epsilon(1.0, 1.0, 1, 1e-6) <= 5.7632",
        "True",
        "With q = 1 one term of the sum is left, and D at order α is α/2. The last "
        "bound gives α/2 + 13.8155/(α − 1), which at whole orders is least at α = 6: "
        "3 + 2.7631 = 5.7631. The exact price is 4.88655.",
    ),
    hints=(
        "Solve $e^{(\\alpha - 1)(D_\\alpha - \\varepsilon)} = \\delta$ for "
        "$\\varepsilon$. For which orders does this hold, and which result would you "
        "like best?",
        "What adds up over releases: $\\varepsilon$, the moment, or its logarithm?",
        "A term of the sum can be far too large for a float, though its logarithm is "
        "a small number. Take the largest logarithm out of the sum before you use "
        "`exp`.",
    ),
    checks=(
        (
            "one release on a sample",
            at_each(
                _judge,
                cases=((1.5, 0.5, 1, 1e-5), (1.0, 0.1, 1, 1e-6)),
                hint="What does each order prove, and which of them is best?",
            ),
        ),
        (
            "many releases",
            at_each(
                _judge,
                cases=((2.0, 0.01, 1000, 1e-6), (10.0, 0.3, 50, 1e-8)),
                hint="One release is right. Is it the sum, or the choice of the order?",
            ),
        ),
        (
            "all records in each release",
            at_each(
                _judge,
                cases=(
                    (20.0, 1.0, 100, 1e-6),
                    (0.2, 1.0, 1, 1e-6),
                    (0.5, 1.0, 10_000, 1e-9),
                ),
                hint="At q = 1 only one term of the sum is left.",
            ),
        ),
        (
            "little noise",
            at_each(
                _judge,
                cases=((0.3, 0.001, 30, 1e-9), (0.6, 0.2, 10, 1e-8)),
                hint="Here the best whole order is 2.",
            ),
        ),
        (
            "releases that reveal little",
            at_each(
                _judge,
                cases=((15.0, 0.05, 1200, 1e-9), (20.0, 0.1, 10, 1e-12)),
                hint="Here the best order is large. Do your orders reach that far?",
            ),
        ),
        ("three runs anywhere", _anywhere),
    ),
    praise="This is the moments accountant. Compare it with price_of: the difference "
    "from the exact price is what a single moment cannot see.",
)

EXPLANATION = r"""
**Step 1. One moment of one release.** For a whole order $\alpha$ the sum in the
statement is finite. Its terms can be as large as $e^{\alpha^2/(2\lambda^2)}$, so work
with their logarithms, and take the largest one out before you use `exp`.

**Step 2. $T$ releases.** The losses of independent releases add up, so their moments
multiply and the logarithms add. Hence $(\alpha - 1)D_\alpha$ is $T$ times the logarithm
of the moment of one.

**Step 3. Solve for $\varepsilon$.** Setting
$e^{(\alpha - 1)(D_\alpha - \varepsilon)} = \delta$ gives
$\varepsilon = D_\alpha + \ln(1/\delta)/(\alpha - 1)$. Each order proves its own
$\varepsilon$, so you may keep the least.

```python
import math


def log_moment(lam, q, alpha):
    logs = []
    for i in range(alpha + 1):
        if q == 1 and i < alpha:
            continue  # the factor (1 − q)^(α − i) is 0
        log_absent = (alpha - i) * math.log1p(-q) if i < alpha else 0.0
        log_ways = math.log(math.comb(alpha, i))
        growth = (i * i - i) / (2 * lam**2)
        logs.append(log_ways + log_absent + i * math.log(q) + growth)
    top = max(logs)
    return top + math.log(sum(math.exp(each - top) for each in logs))


def rdp_epsilon(lam, q, T, delta):
    return min(
        (T * log_moment(lam, q, alpha) + math.log(1 / delta)) / (alpha - 1)
        for alpha in range(2, 65)
    )
```

**What wrong answers overlook.** $q^2\alpha/(2\lambda^2)$ is a rule of thumb for small
orders and much noise. It is not a bound. A single fixed order is proved, but it may
cost several times too much: rare samples with little noise want order 2, and much noise
wants orders beyond 50. Adding the $\varepsilon$ of the releases, and not the logarithms
of their moments, is basic composition.
"""
