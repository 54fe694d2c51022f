"""The bank of ``shuffled_budget``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from math import exp, expm1, log, log10, sqrt

import numpy as np


def right_bisection(eps, delta, n):
    def bound(e0):
        step = exp(1.5 * e0) * expm1(e0) / sqrt(n)
        return step * sqrt(2 * log(1 / delta)) + step**2 / 2

    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        if bound(middle) <= eps:
            low = middle
        else:
            high = middle
    return max(eps, low)


def right_quadratic_then_newton(eps, delta, n):
    # with u for what both terms share, the bound is a quadratic of u
    twice = 2 * log(1 / delta)
    u = (sqrt(twice + 2 * eps) - sqrt(twice)) * sqrt(n)
    # solve e^{1.5 x} (e^x − 1) = u, in logarithms, from above
    x = max(log(u) / 2.5, 0.0) + 1.0
    for _ in range(60):
        value = 1.5 * x + log(expm1(x)) - log(u)
        slope = 1.5 + exp(x) / expm1(x)
        x = max(x - value / slope, x / 10)
    return x if x > eps else eps


def right_finer_grids(eps, delta, n):
    low, high = 0.0, 16.0
    for _ in range(6):
        e0 = np.linspace(low, high, 101)
        step = np.exp(1.5 * e0) * np.expm1(e0) / n**0.5
        fine = step * np.sqrt(-2 * np.log(delta)) + step**2 / 2 <= eps
        k = int(np.flatnonzero(fine)[-1])
        low, high = e0[k], e0[k + 1]
    return np.maximum(low, eps)


def right_secant(eps, delta, n):
    def log_bound(e0):
        first = np.exp(1.5 * e0) * np.expm1(e0) * np.sqrt(2 * np.log(1 / delta) / n)
        second = np.exp(3 * e0) * np.expm1(e0) ** 2 / (2 * n)
        return np.log(first + second) - np.log(eps)

    # keep a bracket, and cut it where the straight line says, or in the middle
    low, high = 1e-9, 15.0
    for k in range(200):
        f, g = log_bound(low), log_bound(high)
        cut = (low + high) / 2 if k % 2 else low - f * (high - low) / (g - f)
        if not low < cut < high:
            cut = (low + high) / 2
        if log_bound(cut) > 0:
            high = cut
        else:
            low = cut
        if high - low < 1e-10 * low:
            break
    return max(low, eps)


def _search(bound, eps, top=20.0):
    low, high = 0.0, top
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if bound(middle) <= eps else (low, middle)
    return low


def _formula(e0, delta, n):
    step = exp(1.5 * e0) * expm1(e0) / sqrt(n)
    return step * sqrt(2 * log(1 / delta)) + step**2 / 2


def wrong_starter(eps, delta, n):
    return eps * np.sqrt(n)


def wrong_forward(eps, delta, n):
    return _formula(eps, delta, n)


def wrong_forward_cut(eps, delta, n):
    return min(eps, _formula(eps, delta, n))


def wrong_never_above_eps(eps, delta, n):
    return min(eps, _search(lambda e0: _formula(e0, delta, n), eps))


def wrong_root_alone(eps, delta, n):
    return _search(lambda e0: _formula(e0, delta, n), eps)


def wrong_first_term(eps, delta, n):
    def bound(e0):
        return exp(1.5 * e0) * expm1(e0) * sqrt(2 * log(1 / delta) / n)

    return max(eps, _search(bound, eps))


def wrong_no_root_of_n(eps, delta, n):
    def bound(e0):
        return exp(1.5 * e0) * expm1(e0) * sqrt(2 * log(1 / delta)) / n

    return max(eps, _search(bound, eps))


def wrong_one_logarithm(eps, delta, n):
    return max(eps, _search(lambda e0: _formula(e0, sqrt(delta), n), eps))


def wrong_base_ten(eps, delta, n):
    shown = exp(-log10(1 / delta))
    return max(eps, _search(lambda e0: _formula(e0, shown, n), eps))


def wrong_no_powers(eps, delta, n):
    def bound(e0):
        step = expm1(e0) / sqrt(n)
        return step * sqrt(2 * log(1 / delta)) + step**2 / 2

    return max(eps, _search(bound, eps))


def wrong_coarse_grid(eps, delta, n):
    grid = np.linspace(0, 16, 20_001)[1:]
    fits = [e0 for e0 in grid if _formula(e0, delta, n) <= eps]
    return max([eps, *fits])


def wrong_interval_to_two(eps, delta, n):
    return max(eps, _search(lambda e0: _formula(e0, delta, n), eps, top=2.0))


def wrong_small_epsilon_formula(eps, delta, n):
    return max(eps, eps * sqrt(n / (2 * log(1 / delta))))


def wrong_three_percent_more(eps, delta, n):
    return 1.03 * max(eps, _search(lambda e0: _formula(e0, delta, n), eps))


def wrong_delta_ignored(eps, delta, n):
    return max(eps, _search(lambda e0: _formula(e0, 1e-6, n), eps))


RIGHT = (
    right_bisection,
    right_quadratic_then_newton,
    right_finer_grids,
    right_secant,
)
WRONG = {
    wrong_starter: r"Does your ε₀, put into the bound",
    wrong_forward: r"Asked is the way back",
    wrong_forward_cut: r"Asked is the way back",
    wrong_never_above_eps: r"Does your ε₀, put into the bound",
    wrong_root_alone: r"n = 10000: .*never needed|n = 1: .*never needed",
    wrong_first_term: r"leaves out the second term",
    wrong_no_root_of_n: r"root of n, not with n",
    wrong_one_logarithm: r"twice the logarithm",
    wrong_base_ten: r"not that of base 10",
    wrong_no_powers: r"powers of e before the brackets",
    wrong_coarse_grid: r"nearly right",
    wrong_interval_to_two: r"put into the bound|search reach it",
    wrong_small_epsilon_formula: r"Does your ε₀, put into the bound",
    wrong_three_percent_more: r"Does your ε₀, put into the bound",
    wrong_delta_ignored: r"delta = 1e-08|Does your ε₀",
}
