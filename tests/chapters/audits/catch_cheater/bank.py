"""The bank of ``catch_cheater``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from statistics import NormalDist

import numpy as np
from scipy.special import betainc, betaincinv, ndtri

N = NormalDist()


def _upper(k, n, a):
    return 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - a))


def _verdict(misses, false, n, mu, a, b=None):
    fnr, fpr = _upper(misses, n, a), _upper(false, n, b or a)
    if fnr == 1.0 or fpr == 1.0:
        return False
    return N.inv_cdf(1 - fpr) - N.inv_cdf(fnr) > mu


def _verdicts(present, absent, mu, a):
    n = present.shape[1]
    return np.array(
        [
            _verdict(int((x <= mu / 2).sum()), int((y > mu / 2).sum()), n, mu, a)
            for x, y in zip(present, absent, strict=True)
        ]
    )


def right_library(present, absent, mu, alpha):
    boxes, n = present.shape
    misses = np.sum(present <= mu / 2, axis=1)
    false = np.sum(absent > mu / 2, axis=1)
    a = alpha / (2 * boxes)
    with np.errstate(all="ignore"):
        fnr = np.where(misses < n, betaincinv(misses + 1, n - misses, 1 - a), 1.0)
        fpr = np.where(false < n, betaincinv(false + 1, n - false, 1 - a), 1.0)
        bound = -ndtri(fpr) - ndtri(fnr)
    return (bound > mu) & (fnr < 1) & (fpr < 1)


def right_halving(present, absent, mu, alpha):
    boxes, n = present.shape
    share = alpha / boxes / 2

    def upper(k):
        # k or fewer of n have probability 1 − I_x(k + 1, n − k)
        if k == n:
            return 1.0
        low, high = 0.0, 1.0
        while high - low > 1e-12:
            x = (low + high) / 2
            if 1 - betainc(k + 1, n - k, x) > share:
                low = x
            else:
                high = x
        return high

    out = []
    for with_canary, without in zip(present, absent, strict=True):
        fnr = upper(int(np.count_nonzero(with_canary <= mu / 2)))
        fpr = upper(int(np.count_nonzero(without > mu / 2)))
        known = fnr < 1 and fpr < 1
        out.append(known and N.inv_cdf(1 - fpr) - N.inv_cdf(fnr) > mu)
    return np.array(out, dtype=int)


def right_ones_and_zeros(present, absent, mu, alpha):
    out = np.zeros(len(present))
    for b in range(len(present)):
        n = len(present[b])
        hits, false = sum(present[b] > mu / 2), sum(absent[b] > mu / 2)
        if _verdict(int(n - hits), int(false), n, mu, alpha / len(present) / 2):
            out[b] = 1
    return out


def right_package(present, absent, mu, alpha):
    from dpteach.auditing import mu_lower_bound

    n = present.shape[1]
    hits, false = ((x > mu / 2).sum(axis=1) for x in (present, absent))
    return np.array(
        [
            mu_lower_bound(int(k), n, int(j), n, false_alarm=alpha / len(hits)) > mu
            for k, j in zip(hits, false, strict=True)
        ]
    )


def wrong_starter(present, absent, mu, alpha):
    return present.mean(axis=1) - absent.mean(axis=1) > mu


def wrong_each_box(present, absent, mu, alpha):
    return _verdicts(present, absent, mu, alpha / 2)


def wrong_one_bound_a_box(present, absent, mu, alpha):
    return _verdicts(present, absent, mu, alpha / len(present))


def wrong_too_careful(present, absent, mu, alpha):
    return _verdicts(present, absent, mu, alpha / len(present) / 4)


def wrong_independent(present, absent, mu, alpha):
    # boxes that depend on one another may all be unlucky at once
    return _verdicts(present, absent, mu, 1 - (1 - alpha) ** (0.5 / len(present)))


def wrong_shares(present, absent, mu, alpha):
    hits = np.clip((present > mu / 2).mean(axis=1), 1e-9, 1 - 1e-9)
    false = np.clip((absent > mu / 2).mean(axis=1), 1e-9, 1 - 1e-9)
    return ndtri(hits) - ndtri(false) > mu


def wrong_exchanged(present, absent, mu, alpha):
    return right_library(absent, present, mu, alpha)


def wrong_opposite(present, absent, mu, alpha):
    return ~right_library(present, absent, mu, alpha)


def wrong_best_threshold(present, absent, mu, alpha):
    n, out = present.shape[1], []
    for x, y in zip(present, absent, strict=True):
        cuts = np.quantile(np.append(x, y), np.linspace(0.05, 0.95, 19))
        found = [
            _verdict(
                int((x <= c).sum()), int((y > c).sum()), n, mu, alpha / len(present) / 2
            )
            for c in cuts
        ]
        out.append(any(found))
    return np.array(out)


def wrong_threshold_at_mu(present, absent, mu, alpha):
    n = present.shape[1]
    return np.array(
        [
            _verdict(
                int((x <= mu).sum()), int((y > mu).sum()), n, mu,
                alpha / len(present) / 2,
            )
            for x, y in zip(present, absent, strict=True)
        ]
    )  # fmt: skip


def wrong_median(present, absent, mu, alpha):
    return np.median(present, axis=1) - np.median(absent, axis=1) > mu


def wrong_normal(present, absent, mu, alpha):
    n, z = present.shape[1], -N.inv_cdf(alpha / (2 * len(present)))
    fnr, fpr = (present <= mu / 2).mean(axis=1), (absent > mu / 2).mean(axis=1)
    fnr = fnr + z * np.sqrt(fnr * (1 - fnr) / n)
    fpr = fpr + z * np.sqrt(fpr * (1 - fpr) / n)
    fnr, fpr = np.clip(fnr, 1e-12, 1 - 1e-12), np.clip(fpr, 1e-12, 1 - 1e-12)
    return -ndtri(fpr) - ndtri(fnr) > mu


def wrong_names_them(present, absent, mu, alpha):
    return np.flatnonzero(right_library(present, absent, mu, alpha))


def wrong_one_verdict(present, absent, mu, alpha):
    return bool(right_library(present, absent, mu, alpha).any())


RIGHT = (right_library, right_halving, right_ones_and_zeros, right_package)
WRONG = {
    wrong_starter: r"Means say nothing",
    wrong_each_box: r"Each box is accused wrongly",
    wrong_one_bound_a_box: r"two bounds for each box",
    wrong_too_careful: r"more careful than they have to be",
    wrong_independent: r"First count",
    wrong_shares: r"shares that were seen",
    wrong_exchanged: r"exchanged the runs",
    wrong_opposite: r"other way around",
    wrong_best_threshold: r"First count",
    wrong_threshold_at_mu: r"First count",
    wrong_median: r"First count|Means say nothing",
    wrong_normal: r"First count",
    wrong_names_them: r"one verdict for each box",
    wrong_one_verdict: r"one verdict for each box",
}
