"""The bank of ``search_epsilon``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr


def _delta(mu, eps):
    above = np.exp(log_ndtr(mu / 2 - eps / mu))
    return above - np.exp(eps + log_ndtr(-mu / 2 - eps / mu))


def _one(mu, delta):
    return brentq(lambda e: _delta(mu, e) - delta, 0, 200, xtol=1e-10)


def _tail(mu, m):
    if m == 1:
        return 0.0
    return brentq(lambda s: (m - 1) * _delta(mu, s) - np.expm1(s), 0, 50, xtol=1e-12)


def right_roots(mu, delta, m):
    return _one(mu, delta / m) + 2 * _tail(mu, m)


def right_bisection(mu, delta, m):
    def solve(condition, high):
        low = 0.0
        for _ in range(200):
            middle = (low + high) / 2
            if condition(middle):
                high = middle
            else:
                low = middle
        return high

    def price(eps):
        scaled = np.exp(eps + log_ndtr(-mu / 2 - eps / mu))
        return ndtr(mu / 2 - eps / mu) - scaled

    gamma = 1 / m
    s = solve(lambda s: (1 - gamma) * price(s) <= gamma * np.expm1(s), 50.0)
    return solve(lambda e: price(e) <= gamma * delta, 100.0) + 2 * s


def right_newton(mu, delta, m):
    # both unknowns by Newton's method, from below, where the curves are convex
    eps, goal = 0.0, delta / m
    for _ in range(500):
        slope = np.exp(eps + log_ndtr(-mu / 2 - eps / mu))
        step = (_delta(mu, eps) - goal) / slope
        eps += step
        if abs(step) < 1e-11:
            break
    s = 0.0
    for _ in range(500):
        gap = (m - 1) * _delta(mu, s) - np.expm1(s)
        slope = (m - 1) * np.exp(s + log_ndtr(-mu / 2 - s / mu)) + np.exp(s)
        s += gap / slope
    return eps + 2 * s


def right_grid(mu, delta, m):
    # the last of a grid that is refined around the answer
    def last(condition, high):
        low = 0.0
        for _ in range(12):
            grid = np.linspace(low, high, 101)
            k = int(np.argmax(condition(grid)))
            low, high = grid[max(k - 1, 0)], grid[k]
        return high

    one = last(lambda e: _delta(mu, e) <= delta / m, 100.0)
    s = last(lambda s: (m - 1) * _delta(mu, s) <= np.expm1(s), 40.0)
    return one + 2 * s


def wrong_starter(mu, delta, m):
    return mu * np.sqrt(2 * np.log(1 / delta))


def wrong_one_run(mu, delta, m):
    return _one(mu, delta)


def wrong_choice_is_free(mu, delta, m):
    return _one(mu, delta / m)


def wrong_one_tail(mu, delta, m):
    return _one(mu, delta / m) + _tail(mu, m)


def wrong_delta_of_the_run(mu, delta, m):
    return _one(mu, delta) + 2 * _tail(mu, m)


def wrong_composition(mu, delta, m):
    return _one(mu * np.sqrt(m), delta)


def wrong_sum(mu, delta, m):
    return m * _one(mu, delta)


def wrong_three_times(mu, delta, m):
    return 3 * _one(mu, delta)


def wrong_condition(mu, delta, m):
    s = brentq(lambda s: _delta(mu, s) - 1 / m, 0, 50) if _delta(mu, 0) > 1 / m else 0
    return _one(mu, delta / m) + 2 * s


def wrong_delta_times_runs(mu, delta, m):
    return _one(mu, delta * m) + 2 * _tail(mu, m)


def wrong_without_one_minus_gamma(mu, delta, m):
    s = brentq(lambda s: m * _delta(mu, s) - np.expm1(s), 0, 50, xtol=1e-12)
    return _one(mu, delta / m) + 2 * s


def wrong_rounded(mu, delta, m):
    return round(right_roots(mu, delta, m), 2)


def wrong_generous(mu, delta, m):
    return 1.05 * right_roots(mu, delta, m)


RIGHT = (right_roots, right_bisection, right_newton, right_grid)
WRONG = {
    wrong_starter: r"too much|less than",
    wrong_one_run: r"price of one run",
    wrong_choice_is_free: r"not the choice",
    wrong_one_tail: r"s counts twice",
    wrong_delta_of_the_run: r"priced at γ δ",
    wrong_composition: r"all runs were published",
    wrong_sum: r"adds up m runs",
    wrong_three_times: r"3 ε is for runs",
    wrong_condition: r"Where does e\^s − 1 stand",
    wrong_delta_times_runs: r"less than the theorem",
    wrong_without_one_minus_gamma: r"too much",
    wrong_rounded: r"too much|less than",
    wrong_generous: r"too much",
}
