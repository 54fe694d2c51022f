"""The bank of ``audit_epsilon``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np
from scipy.special import betainc, betaincinv


def _at_least(k, n, p):
    # the probability of k or more hits of n
    if p <= 0 or p >= 1:
        return float(k == 0 or p >= 1)
    j = np.arange(k, n + 1)
    ways = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in j]
    return np.exp(np.array(ways) + j * math.log(p) + (n - j) * math.log1p(-p)).sum()


def _low(k, n, a):
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if _at_least(k, n, middle) < a:
            low = middle
        else:
            high = middle
    return low if k else 0.0


def _high(k, n, a):
    return 1 - _low(n - k, n, a)


def _ratio(above, below):
    return math.log(above / below) if above > below > 0 else 0.0


def right_halving(k1, n1, k0, n0, delta, alpha):
    def log_ways(n):
        each = np.log(np.arange(1, n + 1))
        sums = np.concatenate([[0.0], np.cumsum(each)])
        return sums[n] - sums - sums[::-1]

    def tail(k, n, p, ways):
        j = np.arange(k, n + 1)
        return np.exp(ways[k:] + j * np.log(p) + (n - j) * np.log1p(-p)).sum()

    def below(k, n):
        if k == 0:
            return 0.0
        ways, low, high = log_ways(n), 0.0, 1.0
        while high - low > 1e-13:
            p = (low + high) / 2
            if tail(k, n, p, ways) < alpha / 2:
                low = p
            else:
                high = p
        return low

    p, q = below(k1, n1), 1 - below(n0 - k0, n0)
    return np.log((p - delta) / q) if p - delta > q else 0.0


def right_beta_quantiles(k1, n1, k0, n0, delta, alpha):
    p = betaincinv(k1, n1 - k1 + 1, alpha / 2) if k1 > 0 else 0.0
    q = betaincinv(k0 + 1, n0 - k0, 1 - alpha / 2) if k0 < n0 else 1.0
    return max(0.0, math.log(max(p - delta, 1e-300)) - math.log(q))


def right_recurrence(k1, n1, k0, n0, delta, alpha):
    # each term of the tail from the one before
    def tail(k, n, p):
        ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        term = total = math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))
        for j in range(k, n):
            term *= p / (1 - p) * (n - j) / (j + 1)
            total += term
        return total

    def below(k, n):
        if k == 0:
            return 0.0
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            if tail(k, n, middle) < alpha / 2:
                low = middle
            else:
                high = middle
        return high

    p, q = below(k1, n1), 1 - below(n0 - k0, n0)
    if p <= delta:
        return 0.0
    return max(math.log(p - delta) - math.log(q), 0.0)


def right_incomplete_beta(k1, n1, k0, n0, delta, alpha):
    # k or more of n hits have probability I_p(k, n − k + 1)
    def solve(a, b, share):
        low, high = 0.0, 1.0
        while high - low > 1e-12:
            p = (low + high) / 2
            low, high = (p, high) if betainc(a, b, p) < share else (low, p)
        return high

    p = solve(k1, n1 - k1 + 1, alpha / 2) if k1 else 0
    q = solve(k0 + 1, n0 - k0, 1 - alpha / 2) if k0 != n0 else 1
    ratio = (p - delta) / q
    return math.log(ratio) if ratio > 1 else 0


def wrong_starter(k1, n1, k0, n0, delta, alpha):
    if k1 / n1 <= delta or k0 == 0:
        return 0.0
    return np.log((k1 / n1 - delta) / (k0 / n0))


def wrong_shares(k1, n1, k0, n0, delta, alpha):
    return _ratio(k1 / n1 - delta, max(k0 / n0, 1e-12))


def wrong_whole_risk_each(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k1, n1, alpha) - delta, _high(k0, n0, alpha))


def wrong_quarter_risk_each(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k1, n1, alpha / 4) - delta, _high(k0, n0, alpha / 4))


def wrong_forgets_delta(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k1, n1, alpha / 2), _high(k0, n0, alpha / 2))


def wrong_delta_below(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k1, n1, alpha / 2), _high(k0, n0, alpha / 2) + delta)


def wrong_normal(k1, n1, k0, n0, delta, alpha):
    z, p, q = -NormalDist().inv_cdf(alpha / 2), k1 / n1, k0 / n0
    low = p - z * math.sqrt(p * (1 - p) / n1)
    return _ratio(low - delta, q + z * math.sqrt(q * (1 - q) / n0))


def wrong_hoeffding(k1, n1, k0, n0, delta, alpha):
    low = k1 / n1 - math.sqrt(math.log(2 / alpha) / (2 * n1))
    high = k0 / n0 + math.sqrt(math.log(2 / alpha) / (2 * n0))
    return _ratio(low - delta, high)


def wrong_exchanged(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k0, n0, alpha / 2) - delta, _high(k1, n1, alpha / 2))


def wrong_base_ten(k1, n1, k0, n0, delta, alpha):
    return right_beta_quantiles(k1, n1, k0, n0, delta, alpha) / math.log(10)


def wrong_negative(k1, n1, k0, n0, delta, alpha):
    low, high = _low(k1, n1, alpha / 2), _high(k0, n0, alpha / 2)
    return math.log(max(low - delta, 1e-12) / high)


def wrong_difference(k1, n1, k0, n0, delta, alpha):
    return max(_low(k1, n1, alpha / 2) - delta - _high(k0, n0, alpha / 2), 0.0)


def wrong_fixed_risk(k1, n1, k0, n0, delta, alpha):
    return _ratio(_low(k1, n1, 0.005) - delta, _high(k0, n0, 0.005))


def wrong_quick(k1, n1, k0, n0, delta, alpha):
    # too coarse a grid of probabilities
    low = math.floor(2000 * _low(k1, n1, alpha / 2)) / 2000
    return _ratio(low - delta, _high(k0, n0, alpha / 2))


RIGHT = (right_halving, right_beta_quantiles, right_recurrence, right_incomplete_beta)
WRONG = {
    wrong_starter: r"shares that were seen",
    wrong_shares: r"shares that were seen",
    wrong_whole_risk_each: r"one of them is",
    wrong_quarter_risk_each: r"more careful than it has to be",
    wrong_forgets_delta: r"δ is missing",
    wrong_delta_below: r"δ is on the wrong side",
    wrong_normal: r"takes the counts to be normal",
    wrong_hoeffding: r"Hoeffding",
    wrong_exchanged: r"exchanged the runs",
    wrong_base_ten: r"base 10",
    wrong_negative: r"prove nothing at all",
    wrong_difference: r"each by itself",
    wrong_fixed_risk: r"each by itself",
    wrong_quick: r"each by itself",
}
