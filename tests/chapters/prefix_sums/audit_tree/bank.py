"""The bank of ``audit_tree``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np


def _lam(n, eps, delta):
    levels = math.ceil(math.log2(n))
    return math.sqrt(2 * levels * (math.log(1 / delta) + eps)) / eps


def _delta(mu, eps):
    normal = NormalDist()
    second = math.exp(eps) * normal.cdf(-mu / 2 - eps / mu)
    return normal.cdf(mu / 2 - eps / mu) - second


def right_formula(n, eps, delta):
    if n == 1:
        return 1.0
    mu = math.sqrt(math.floor(math.log2(n)) + 1) / _lam(n, eps, delta)
    return _delta(mu, eps)


def right_counting(n, eps, delta):
    # the complete nodes that hold leaf 1: [1], [1, 2], [1, 4], …
    last, k = 1, 0
    while last <= n:
        last, k = 2 * last, k + 1
    lam = eps**-1 * math.sqrt(2 * (n - 1).bit_length() * (eps - math.log(delta)))
    if lam == 0:
        return 1.0
    mu = math.sqrt(k) / lam

    def tail(x):
        return math.erfc(x / math.sqrt(2)) / 2

    return tail(eps / mu - mu / 2) - math.exp(eps) * tail(eps / mu + mu / 2)


def right_integral(n, eps, delta):
    # δ is the integral of (p − e^ε q)⁺ for the normal distributions of means μ and 0
    if n == 1:
        return 1
    mu = n.bit_length() ** 0.5 / _lam(n, eps, delta)
    start = eps / mu + mu / 2
    x = np.linspace(start, start + 12, 200_001)
    p = np.exp(-((x - mu) ** 2) / 2)
    excess = p - np.exp(eps - x**2 / 2)
    return float(np.sum((excess[1:] + excess[:-1]) / 2) * (x[1] - x[0])) / math.sqrt(
        2 * math.pi
    )


def right_strategy_matrix(n, eps, delta):
    # the nodes that prefixes read, and the longest column of that 0-1 matrix
    blocks = set()
    for t in range(1, min(n, 64) + 1):
        while t:
            blocks.add((t - (t & -t), t))
            t &= t - 1
    if n > 64:  # beyond that, leaf 1 gains a node with each doubling
        blocks |= {(0, 2**h) for h in range(n.bit_length())}
    holds_first = sum(first == 0 for first, _ in blocks)
    return _delta(math.sqrt(holds_first) / _lam(n, eps, delta), eps) if n > 1 else 1.0


def wrong_believes(n, eps, delta):
    if n == 1:
        return 1.0
    return _delta(math.sqrt(math.ceil(math.log2(n))) / _lam(n, eps, delta), eps)


def wrong_one_more(n, eps, delta):
    if n == 1:
        return 1.0
    return _delta(math.sqrt(math.ceil(math.log2(n)) + 1) / _lam(n, eps, delta), eps)


def wrong_corrected_noise(n, eps, delta):
    k = n.bit_length()
    lam = math.sqrt(2 * k * (math.log(1 / delta) + eps)) / eps
    return _delta(math.sqrt(k) / lam, eps)


def wrong_promise(n, eps, delta):
    return delta


def wrong_every_sum(n, eps, delta):
    return _delta(math.sqrt(n * n.bit_length()) / _lam(n, eps, delta), eps)


def wrong_adds_lengths(n, eps, delta):
    return _delta(n.bit_length() / _lam(n, eps, delta), eps)


def wrong_one_node(n, eps, delta):
    return _delta(1 / _lam(n, eps, delta), eps)


def wrong_replaced(n, eps, delta):
    return _delta(2 * math.sqrt(n.bit_length()) / _lam(n, eps, delta), eps)


def wrong_tail(n, eps, delta):
    mu = math.sqrt(n.bit_length()) / _lam(n, eps, delta)
    return 1 - NormalDist().cdf(eps / mu - mu / 2)


def wrong_concentrated(n, eps, delta):
    mu = math.sqrt(n.bit_length()) / _lam(n, eps, delta)
    return math.exp(-((eps - mu**2 / 2) ** 2) / (2 * mu**2))


def wrong_upside_down(n, eps, delta):
    return _delta(_lam(n, eps, delta) / math.sqrt(n.bit_length()), eps)


def wrong_crashes_at_one(n, eps, delta):
    return _delta(math.sqrt(n.bit_length()) / _lam(n, eps, delta), eps)


def wrong_hides_at_one(n, eps, delta):
    return 0.0 if n == 1 else right_formula(n, eps, delta)


def wrong_no_root(n, eps, delta):
    return _delta(math.sqrt(n.bit_length()) / _lam(n, eps, delta) ** 2, eps)


def wrong_epsilon(n, eps, delta):
    return math.sqrt(n.bit_length()) / _lam(n, eps, delta)


RIGHT = (right_formula, right_counting, right_integral, right_strategy_matrix)
WRONG = {
    wrong_believes: r"n = 16.*one count of nodes for noise and price alike",
    wrong_one_more: r"n = 3.*one node too many.*in no sum",
    wrong_corrected_noise: r"one count of nodes for noise and price alike",
    wrong_promise: r"n = 16.*seen 1e-05; wanted .*That is what the theorem promises",
    wrong_every_sum: r"noise is on nodes, not on sums",
    wrong_adds_lengths: r"squares add up",
    wrong_one_node: r"First the squared sensitivity",
    wrong_replaced: r"replaced; here it is zeroed out",
    wrong_tail: r"chance that the privacy loss exceeds",
    wrong_concentrated: r"a bound on δ",
    wrong_upside_down: r"upside down",
    wrong_crashes_at_one: r"ZeroDivisionError",
    wrong_hides_at_one: r"n = 1,.*1: nothing is hidden.*noise of a tree over one",
    wrong_no_root: r"First the squared sensitivity",
    wrong_epsilon: r"First the squared sensitivity",
}
