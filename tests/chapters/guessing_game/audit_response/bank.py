"""The bank of ``audit_response``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import bdtr, betainccinv, betaincinv
from scipy.stats import beta, binomtest, norm

from dpteach.auditing import event_epsilon_lower_bound


def _best(p, q):
    # what bounds (below, above) of p and q prove of the four ratios
    p, q = np.array(p), np.array(q)
    with np.errstate(all="ignore"):
        found = [
            np.log(p[0] / q[1]),
            np.log(q[0] / p[1]),
            np.log((1 - p[1]) / (1 - q[0])),
            np.log((1 - q[1]) / (1 - p[0])),
        ]
    return max([0.0, *(each for each in found if np.isfinite(each))])


def right_four_bounds(k1, n1, k0, n0, risk):
    a = risk / 4
    p_low = betaincinv(k1, n1 - k1 + 1, a) if k1 > 0 else 0.0
    q_low = betaincinv(k0, n0 - k0 + 1, a) if k0 > 0 else 0.0
    p_high = betaincinv(k1 + 1, n1 - k1, 1 - a) if k1 < n1 else 1.0
    q_high = betaincinv(k0 + 1, n0 - k0, 1 - a) if k0 < n0 else 1.0
    best = 1.0
    for above, below in ((p_low, q_high), (q_low, p_high)):
        best = max(best, above / below)
    for above, below in ((1 - p_high, 1 - q_low), (1 - q_high, 1 - p_low)):
        best = max(best, above / below)
    return np.log(best)


def right_eight_bounds(k1, n1, k0, n0, risk):
    # four claims, each of them made of two bounds
    found = [0.0]
    for k, n, j, m in (
        (k1, n1, k0, n0),
        (k0, n0, k1, n1),
        (n1 - k1, n1, n0 - k0, n0),
        (n0 - k0, n0, n1 - k1, n1),
    ):
        low = betaincinv(k, n - k + 1, risk / 8) if k else 0.0
        high = betainccinv(j + 1, m - j, risk / 8) if j < m else 1.0
        if low > high:
            found.append(math.log(low) - math.log(high))
    return max(found)


def right_library(k1, n1, k0, n0, risk):
    k, n = np.array([k1, k0]), np.array([n1, n0])
    low = np.nan_to_num(beta.ppf(risk / 4, k, n - k + 1), nan=0.0)
    high = np.nan_to_num(beta.ppf(1 - risk / 4, k + 1, n - k), nan=1.0)
    ones, zeros = low / high[::-1], (1 - high) / (1 - low[::-1])
    return np.log(max(1.0, *ones, *zeros))


def right_halving(k1, n1, k0, n0, risk):
    def most(k, n):
        if k == n:
            return 1.0
        return brentq(lambda x: bdtr(k, n, x) - risk / 4, k / n, 1.0, xtol=1e-15)

    p_high, q_high = most(k1, n1), most(k0, n0)
    not_p_high, not_q_high = most(n1 - k1, n1), most(n0 - k0, n0)
    return max(
        0.0,
        *(math.log(low / high) if low > 0 else 0.0 for low, high in (
            (1 - not_p_high, q_high), (1 - not_q_high, p_high),
            (1 - p_high, not_q_high), (1 - q_high, not_p_high),
        )),
    )  # fmt: skip


def right_package(k1, n1, k0, n0, risk):
    same = {"delta": 0.0, "false_alarm": risk, "either_way": True}
    return max(0.0, event_epsilon_lower_bound(k1, n1, k0, n0, **same))


def right_uneven(k1, n1, k0, n0, risk):
    # more of the risk for the bounds above than for those below
    ends = [
        (_exact(k, n, 0.15 * risk)[0], _exact(k, n, 0.35 * risk)[1])
        for k, n in ((k1, n1), (k0, n0))
    ]
    return _best(*ends)


def _exact(k, n, a):
    low = betaincinv(k, n - k + 1, a) if k > 0 else 0.0
    return low, betaincinv(k + 1, n - k, 1 - a) if k < n else 1.0


def wrong_shares_seen(k1, n1, k0, n0, risk):
    return _best((k1 / n1,) * 2, (k0 / n0,) * 2)


def wrong_one_ratio_seen(k1, n1, k0, n0, risk):
    return max(0.0, math.log(k1 / n1 / (k0 / n0))) if k1 and k0 else 0.0


def wrong_one_more_of_each(k1, n1, k0, n0, risk):
    p, q = (k1 + 1) / (n1 + 2), (k0 + 1) / (n0 + 2)
    return _best((p, p), (q, q))


def wrong_division_by_zero(k1, n1, k0, n0, risk):
    return np.log(np.float64(k1 / n1) / (k0 / n0))


def wrong_infinite_at_zero_counts(k1, n1, k0, n0, risk):
    if k0 == 0 and k1 > 0:
        return math.inf
    return right_four_bounds(k1, n1, k0, n0, risk)


def wrong_below_zero(k1, n1, k0, n0, risk):
    return np.log(_exact(k1, n1, risk / 2)[0] / _exact(k0, n0, risk / 2)[1])


def wrong_negative(k1, n1, k0, n0, risk):
    low, high = _exact(k1, n1, risk / 2)[0], _exact(k0, n0, risk / 2)[1]
    return np.log(max(low, 1e-9) / high)


def wrong_normal(k1, n1, k0, n0, risk):
    z, ends = norm.isf(risk / 4), []
    for k, n in ((k1, n1), (k0, n0)):
        p = k / n
        half = z * math.sqrt(p * (1 - p) / n)
        ends.append((max(p - half, 0.0), min(p + half, 1.0)))
    return _best(*ends)


def wrong_normal_two_sided(k1, n1, k0, n0, risk):
    z, ends = norm.isf(risk / 2), []
    for k, n in ((k1, n1), (k0, n0)):
        p = k / n
        half = z * math.sqrt(p * (1 - p) / n)
        ends.append((max(p - half, 1e-9), min(p + half, 1 - 1e-9)))
    return _best(*ends)


def wrong_normal_of_the_logarithm(k1, n1, k0, n0, risk):
    found = 0.0
    for k, n, j, m in ((k1, n1, k0, n0), (n1 - k1, n1, n0 - k0, n0)):
        if k and j:
            spread = math.sqrt(1 / k - 1 / n + 1 / j - 1 / m)
            ratio = abs(math.log(k / n / (j / m)))
            found = max(found, ratio - norm.isf(risk / 4) * spread)
    return found


def wrong_score_interval(k1, n1, k0, n0, risk):
    ends = [
        binomtest(k, n).proportion_ci(1 - risk / 2, method="wilson")
        for k, n in ((k1, n1), (k0, n0))
    ]
    return _best(*((each.low, each.high) for each in ends))


def wrong_posterior(k1, n1, k0, n0, risk):
    ends = [
        beta.ppf([risk / 4, 1 - risk / 4], k + 1, n - k + 1)
        for k, n in ((k1, n1), (k0, n0))
    ]
    return _best(*ends)


def wrong_jeffreys(k1, n1, k0, n0, risk):
    ends = [
        betaincinv(k + 0.5, n - k + 0.5, np.array([risk / 4, 1 - risk / 4]))
        for k, n in ((k1, n1), (k0, n0))
    ]
    return _best(*ends)


def wrong_risk_not_split(k1, n1, k0, n0, risk):
    return _best(_exact(k1, n1, risk), _exact(k0, n0, risk))


def wrong_bound_over_what_was_seen(k1, n1, k0, n0, risk):
    return _best(_exact(k1, n1, risk / 2), (k0 / n0,) * 2)


def wrong_what_was_seen_over_bound(k1, n1, k0, n0, risk):
    return _best((k1 / n1,) * 2, _exact(k0, n0, risk / 4))


def wrong_largest(k1, n1, k0, n0, risk):
    p, q = _exact(k1, n1, risk / 4), _exact(k0, n0, risk / 4)
    return _best(p[::-1], q[::-1])


def wrong_level(k1, n1, k0, n0, risk):
    return _best(_exact(k1, n1, 1 - risk / 4), _exact(k0, n0, 1 - risk / 4))


def wrong_fixed_risk(k1, n1, k0, n0, risk):
    return _best(_exact(k1, n1, 0.0125), _exact(k0, n0, 0.0125))


def wrong_beta_parameters(k1, n1, k0, n0, risk):
    ends = [
        (betaincinv(k + 1, n - k, risk / 4) if k < n else 1.0,
         betaincinv(k, n - k + 1, 1 - risk / 4) if k else 0.0)
        for k, n in ((k1, n1), (k0, n0))
    ]  # fmt: skip
    return _best(*ends)


def wrong_base_two(k1, n1, k0, n0, risk):
    return right_four_bounds(k1, n1, k0, n0, risk) / math.log(2)


def wrong_base_ten(k1, n1, k0, n0, risk):
    return right_four_bounds(k1, n1, k0, n0, risk) / math.log(10)


def wrong_no_logarithm(k1, n1, k0, n0, risk):
    return np.exp(right_four_bounds(k1, n1, k0, n0, risk))


def wrong_difference(k1, n1, k0, n0, risk):
    p, q = _exact(k1, n1, risk / 2), _exact(k0, n0, risk / 2)
    return max(0.0, p[0] - q[1], q[0] - p[1])


def wrong_one_ratio(k1, n1, k0, n0, risk):
    low, high = _exact(k1, n1, risk / 2)[0], _exact(k0, n0, risk / 2)[1]
    return max(0.0, math.log(low / high)) if low > 0 else 0.0


def wrong_reports_of_one_alone(k1, n1, k0, n0, risk):
    p, q = _exact(k1, n1, risk / 4), _exact(k0, n0, risk / 4)
    return np.log(max(1.0, p[0] / q[1], q[0] / p[1]))


def wrong_p_is_larger(k1, n1, k0, n0, risk):
    p, q = _exact(k1, n1, risk / 2), _exact(k0, n0, risk / 2)
    return np.log(max(1.0, p[0] / q[1], (1 - q[1]) / (1 - p[0])))


def wrong_hoeffding(k1, n1, k0, n0, risk):
    ends = []
    for k, n in ((k1, n1), (k0, n0)):
        half = math.sqrt(math.log(4 / risk) / (2 * n))
        ends.append((max(0.0, k / n - half), min(1.0, k / n + half)))
    return _best(*ends)


def wrong_too_careful(k1, n1, k0, n0, risk):
    # a share for each of four claims, cut in halves for two bounds, and again for
    # the two ends of each interval
    return _best(_exact(k1, n1, risk / 16), _exact(k0, n0, risk / 16))


def wrong_smaller_of_two(k1, n1, k0, n0, risk):
    p, q = _exact(k1, n1, risk / 4), _exact(k0, n0, risk / 4)
    ones = max(p[0] / q[1], q[0] / p[1], 1.0)
    zeros = max((1 - p[1]) / (1 - q[0]), (1 - q[1]) / (1 - p[0]), 1.0)
    return math.log(min(ones, zeros))


def wrong_truth_is_as_likely_on_both_sides(k1, n1, k0, n0, risk):
    k, n = k1 + n0 - k0, n1 + n0
    low, high = _exact(k, n, risk / 2)
    return _best((low, high), (1 - high, 1 - low)) if 0 < k < n else 0.0


def wrong_math_module(k1, n1, k0, n0, risk):
    low, high = _exact(k1, n1, risk / 2)[0], _exact(k0, n0, risk / 2)[1]
    return max(0.0, math.log(low / high))


def wrong_nothing(k1, n1, k0, n0, risk):
    return 0.0


def wrong_pair(k1, n1, k0, n0, risk):
    return right_four_bounds(k1, n1, k0, n0, risk), math.inf


RIGHT = (
    right_four_bounds,
    right_eight_bounds,
    right_library,
    right_halving,
    right_package,
    right_uneven,
)
WRONG = {
    wrong_shares_seen: r"how often.*They scatter",
    wrong_one_ratio_seen: r"how often.*Which of your two bounds fails",
    wrong_one_more_of_each: r"how often.*Which of your two bounds fails",
    wrong_division_by_zero: r"A report that nobody has given yet",
    wrong_infinite_at_zero_counts: r"seen inf.*A report that nobody has given yet",
    wrong_below_zero: r"0 or more.*prove nothing",
    wrong_negative: r"0 or more.*prove nothing",
    wrong_normal: r"how often.*to be normal",
    wrong_normal_two_sided: r"how often.*to be normal",
    wrong_normal_of_the_logarithm: r"how often.*Which of your two bounds fails",
    wrong_score_interval: r"how often.*Which of your two bounds fails",
    wrong_posterior: r"how often.*Which of your two bounds fails",
    wrong_jeffreys: r"how often.*Which of your two bounds fails",
    wrong_risk_not_split: r"how often.*that one of them is",
    wrong_bound_over_what_was_seen: r"how often.*Which of your two bounds fails",
    wrong_what_was_seen_over_bound: r"how often.*Which of your two bounds fails",
    wrong_largest: r"how often.*Which of your two bounds fails",
    wrong_level: r"how often.*Which of your two bounds fails",
    wrong_fixed_risk: r"how often.*not change with `risk`",
    wrong_beta_parameters: r"how often.*Which of your two bounds",
    wrong_base_two: r"how often.*Which of your two bounds fails",
    wrong_base_ten: r"What else do these counts say about",
    wrong_no_logarithm: r"how often.*Which of your two bounds fails",
    wrong_difference: r"That bounds the difference of p and",
    wrong_one_ratio: r"That looks at p/q only",
    wrong_reports_of_one_alone: r"That looks at reports of 1 alone",
    wrong_p_is_larger: r"What else do these counts say about",
    wrong_hoeffding: r"Hoeffding's bound holds for any",
    wrong_too_careful: r"Your bounds are exact",
    wrong_smaller_of_two: r"What else do these counts say about",
    wrong_truth_is_as_likely_on_both_sides: r"how often.*Which of your two bounds",
    wrong_nothing: r"What else do these counts say about",
    wrong_math_module: r"0 or more.*prove nothing",
    wrong_pair: r"seen shape \(2,\)",
}
