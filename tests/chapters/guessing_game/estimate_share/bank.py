"""The bank of ``estimate_share``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def right_plain(reports, eps):
    p = 1 / (1 + math.exp(-eps))
    share = (np.mean(reports) - (1 - p)) / (2 * p - 1)
    return share, p * (1 - p) / (len(reports) * (2 * p - 1) ** 2)


def right_by_people(reports, eps):
    lie = 1 / (1 + math.exp(eps))
    gap = 1 - 2 * lie
    scores = [(int(report) - lie) / gap for report in reports]
    n = len(scores)
    return sum(scores) / n, lie * (1 - lie) / gap**2 / n


def right_hyperbolic(reports, eps):
    yes = np.count_nonzero(reports) / reports.size
    share = 0.5 + (yes - 0.5) / math.tanh(eps / 2)
    return np.array([share, 0.25 / (reports.size * math.sinh(eps / 2) ** 2)])


def right_by_inverse(reports, eps):
    chances = np.array([[1.0, math.exp(-eps)], [math.exp(-eps), 1.0]])
    chances = chances / chances.sum(axis=1, keepdims=True)
    seen = np.bincount(reports, minlength=2) / reports.size
    share = np.linalg.solve(chances.T, seen)[1]
    slope = np.linalg.inv(chances)[1, 1] - np.linalg.inv(chances)[0, 1]
    return share, slope**2 * chances[0, 0] * chances[0, 1] / reports.size


def _p(eps):
    return 1 / (1 + math.exp(-eps))


def _share(reports, eps):
    p = _p(eps)
    return (reports.mean() - (1 - p)) / (2 * p - 1)


def _variance(reports, eps):
    p = _p(eps)
    return p * (1 - p) / (len(reports) * (2 * p - 1) ** 2)


def wrong_mean_of_reports(reports, eps):
    return reports.mean(), _variance(reports, eps)


def wrong_swapped(reports, eps):
    p = 1 / (1 + math.exp(eps))
    return (reports.mean() - (1 - p)) / (2 * p - 1), _variance(reports, eps)


def wrong_divides_by_truth(reports, eps):
    return reports.mean() / _p(eps), _variance(reports, eps)


def wrong_divides_by_gap(reports, eps):
    return reports.mean() / (2 * _p(eps) - 1), _variance(reports, eps)


def wrong_center(reports, eps):
    p = _p(eps)
    return (reports.mean() - 0.5) / (2 * p - 1), _variance(reports, eps)


def wrong_lie_of_e(reports, eps):
    lie = math.exp(-eps)
    return (reports.mean() - lie) / (1 - 2 * lie), lie * (1 - lie) / len(reports)


def wrong_powers_of_two(reports, eps):
    p = 2**eps / (1 + 2**eps)
    return (reports.mean() - 1 + p) / (2 * p - 1), _variance(reports, eps)


def wrong_cut(reports, eps):
    return np.clip(_share(reports, eps), 0.0, 1.0), _variance(reports, eps)


def wrong_count(reports, eps):
    return len(reports) * _share(reports, eps), _variance(reports, eps)


def wrong_first_person(reports, eps):
    return _share(reports[:1], eps), _variance(reports[:1], eps)


def wrong_weights(reports, eps):
    weights = np.arange(1.0, len(reports) + 1)
    p = _p(eps)
    scores = (reports - (1 - p)) / (2 * p - 1)
    return weights @ scores / weights.sum(), _variance(reports, eps)


def wrong_deviation(reports, eps):
    return _share(reports, eps), math.sqrt(_variance(reports, eps))


def wrong_variance_of_the_mean(reports, eps):
    p = _p(eps)
    return _share(reports, eps), p * (1 - p) / len(reports)


def wrong_slope_not_squared(reports, eps):
    p = _p(eps)
    return _share(reports, eps), p * (1 - p) / (len(reports) * (2 * p - 1))


def wrong_variance_of_one(reports, eps):
    return _share(reports, eps), _variance(reports[:1], eps)


def wrong_n_squared(reports, eps):
    return _share(reports, eps), _variance(reports, eps) / len(reports)


def wrong_fair_coin(reports, eps):
    p = _p(eps)
    return _share(reports, eps), 0.25 / (len(reports) * (2 * p - 1) ** 2)


def wrong_variance_of_sampling(reports, eps):
    share = _share(reports, eps)
    return share, share * (1 - share) / len(reports)


def wrong_variance_from_reports(reports, eps):
    p, m = _p(eps), reports.mean()
    return _share(reports, eps), m * (1 - m) / (len(reports) * (2 * p - 1) ** 2)


def wrong_order(reports, eps):
    return _variance(reports, eps), _share(reports, eps)


def wrong_one_number(reports, eps):
    return _share(reports, eps)


def wrong_one_less(reports, eps):
    p, n = _p(eps), len(reports)
    return _share(reports, eps), p * (1 - p) / ((n - 1) * (2 * p - 1) ** 2)


def wrong_series(reports, eps):
    # right for small ε, where sinh(ε/2) is nearly ε/2
    return _share(reports, eps), 1 / (len(reports) * eps**2)


def wrong_coins_of_its_own(reports, eps):
    noise = np.random.default_rng(0).normal(0, 0.01)
    return _share(reports, eps) + noise, _variance(reports, eps)


RIGHT = (right_plain, right_by_people, right_hyperbolic, right_by_inverse)
WRONG = {
    wrong_mean_of_reports: r"over all coins.*share of the reports",
    wrong_swapped: r"truth and lie are swapped",
    wrong_divides_by_truth: r"come from people who answer 0",
    wrong_divides_by_gap: r"Even if nobody answers 1",
    wrong_center: r"when half of the reports are 1",
    wrong_lie_of_e: r"What is the mean of one report",
    wrong_powers_of_two: r"What is the mean of one report",
    wrong_cut: r"cut to \[0, 1\]",
    wrong_count: r"What is the mean of one report",
    wrong_first_person: r"What is the mean of one report",
    wrong_weights: r"over all coins.*mean of one report",
    wrong_deviation: r"that you state.*standard deviation",
    wrong_variance_of_the_mean: r"variance of the mean report",
    wrong_slope_not_squared: r"stretches its variance by more",
    wrong_variance_of_one: r"What is the variance of one report",
    wrong_n_squared: r"What is the variance of one report",
    wrong_fair_coin: r"Is this coin fair",
    wrong_variance_of_sampling: r"changes with the reports",
    wrong_variance_from_reports: r"changes with the reports",
    wrong_order: r"What is the mean of one report",
    wrong_one_number: r"seen shape \(\).*of shape \(2,\)",
    wrong_one_less: r"that you state.*variance of one report",
    wrong_series: r"that you state.*variance of one report",
    wrong_coins_of_its_own: r"over all coins.*mean of one report",
}
