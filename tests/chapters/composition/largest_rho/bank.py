"""The bank of ``largest_rho``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np


def right_quadratic(eps, delta):
    log_term = math.log(1 / delta)
    return (math.sqrt(log_term + eps) - math.sqrt(log_term)) ** 2


def right_halving(eps, delta):
    low, high = 0.0, eps
    for _ in range(100):
        rho = (low + high) / 2
        if rho + 2 * math.sqrt(rho * math.log(1 / delta)) <= eps:
            low = rho
        else:
            high = rho
    return low


def right_best_order(eps, delta):
    a = np.geomspace(1e-3, 1e5, 4000)  # orders less 1
    log_factor = a * np.log(a) - (1 + a) * np.log1p(a)
    # a (a + 1) rho - a eps + log_factor <= ln delta: the best order allows most
    return np.max((math.log(delta) + a * eps - log_factor) / (a * (a + 1)))


def right_order_of_the_theorem(eps, delta):
    root = -math.sqrt(math.log(1 / delta)) + math.sqrt(math.log(1 / delta) + eps)
    alpha = (eps + root**2) / (2 * root**2)
    return (math.log(delta) / (alpha - 1) + eps) / alpha


def wrong_exact_price_of_gaussian_noise(eps, delta):
    low, high = 1e-6, 100.0
    for _ in range(100):
        mu = math.sqrt(low * high)
        a, b = eps / mu - mu / 2, eps / mu + mu / 2
        first = math.erfc(a / math.sqrt(2)) / 2
        spent = first - math.exp(eps) * math.erfc(b / math.sqrt(2)) / 2
        low, high = (mu, high) if spent <= delta else (low, mu)
    return low**2 / 2


def wrong_without_the_drift(eps, delta):
    return eps**2 / (4 * math.log(1 / delta))


def wrong_pure_release(eps, delta):
    return eps**2 / 2


def wrong_epsilon_itself(eps, delta):
    return eps


def wrong_root(eps, delta):
    log_term = math.log(1 / delta)
    return math.sqrt(log_term + eps) - math.sqrt(log_term)


def wrong_other_root(eps, delta):
    log_term = math.log(1 / delta)
    return (math.sqrt(log_term + eps) + math.sqrt(log_term)) ** 2


def wrong_logarithm(eps, delta):
    log_term = math.log10(1 / delta)
    return (math.sqrt(log_term + eps) - math.sqrt(log_term)) ** 2


def wrong_sign_of_logarithm(eps, delta):
    log_term = math.log(delta)
    return (math.sqrt(max(log_term + eps, 0)) - math.sqrt(max(log_term, 0))) ** 2


def wrong_mu_squared(eps, delta):
    log_term = math.log(1 / delta)
    return 2 * (math.sqrt(log_term + eps) - math.sqrt(log_term)) ** 2


def wrong_half(eps, delta):
    log_term = math.log(1 / delta)
    return (math.sqrt(log_term + eps) - math.sqrt(log_term)) ** 2 / 2


def wrong_order_two(eps, delta):
    return (eps - math.log(1 / delta)) / 2


def wrong_way_there(eps, delta):
    return eps + 2 * math.sqrt(eps * math.log(1 / delta))


def wrong_tail_only(eps, delta):
    return (eps / NormalDist().inv_cdf(1 - delta)) ** 2 / 2


def wrong_whole_orders(eps, delta):
    orders = np.arange(2, 33)
    return np.max((math.log(delta) / (orders - 1) + eps) / orders)


def wrong_text(eps, delta):
    return f"{right_quadratic(eps, delta):.3f}"


RIGHT = (
    right_quadratic,
    right_halving,
    right_best_order,
    right_order_of_the_theorem,
)
WRONG = {
    wrong_exact_price_of_gaussian_noise: r"guarantees.*exact price of Gaussian noise",
    wrong_without_the_drift: r"This drops the ρ beside the root",
    wrong_pure_release: r"guarantees.*pure ε-private",
    wrong_epsilon_itself: r"guarantees.*not the same unit",
    wrong_root: r"guarantees.*a square is missing",
    wrong_other_root: r"guarantees.*More is spent than any order of the",
    wrong_logarithm: r"guarantees.*base 10",
    wrong_sign_of_logarithm: r"a price above 0",
    wrong_mu_squared: r"guarantees.*Twice too much",
    wrong_half: r"size of your rho.*Which ρ makes the bound of the",
    wrong_order_two: r"a price above 0",
    wrong_way_there: r"guarantees.*the way back",
    wrong_tail_only: r"guarantees.*More is spent",
    wrong_whole_orders: r"size of your rho.*makes the bound of the theorem meet",
    wrong_text: r"seen a str.*wanted a number",
}
