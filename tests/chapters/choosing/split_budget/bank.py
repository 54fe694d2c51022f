"""The bank of ``split_budget``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def right_roots(mu, T, share):
    lam = np.sqrt(T / (1 - share)) / mu
    s = 1 / (np.sqrt(share) * mu)
    return np.array([lam, s])


def right_parts_first(mu, T, share):
    score = mu * math.sqrt(share)
    steps = math.sqrt(mu**2 - score**2)
    return math.sqrt(T) / steps, 1 / score


def right_variances(mu, T, share):
    variances = np.array([T / (1 - share), 1 / share]) / mu**2
    return variances**0.5


def right_step_by_step(mu, T, share):
    a_step = (1 - share) * mu**2 / T  # of μ²
    return [1 / math.sqrt(a_step), (share * mu**2) ** -0.5]


def wrong_starter(mu, T, share):
    return np.array([np.sqrt(T) / ((1 - share) * mu), 1 / (share * mu)])


def wrong_all_linear(mu, T, share):
    return np.array([T / ((1 - share) * mu), 1 / (share * mu)])


def wrong_one_step(mu, T, share):
    return np.array([1 / (np.sqrt(1 - share) * mu), 1 / (np.sqrt(share) * mu)])


def wrong_exchanged(mu, T, share):
    return np.array([np.sqrt(T / share) / mu, 1 / (np.sqrt(1 - share) * mu)])


def wrong_both_whole(mu, T, share):
    return np.array([np.sqrt(T) / mu, 1 / mu])


def wrong_times_mu(mu, T, share):
    return np.array([np.sqrt(T / (1 - share)) * mu, mu / np.sqrt(share)])


def wrong_variances(mu, T, share):
    return np.array([T / (1 - share), 1 / share]) / mu**2


def wrong_order(mu, T, share):
    return right_roots(mu, T, share)[::-1]


def wrong_one_number(mu, T, share):
    return right_roots(mu, T, share)[0]


def wrong_three_percent_less(mu, T, share):
    return 0.97 * right_roots(mu, T, share)


def wrong_even_split(mu, T, share):
    return right_roots(mu, T, 0.5)


RIGHT = (right_roots, right_parts_first, right_variances, right_step_by_step)
WRONG = {
    wrong_starter: r"shares are of μ²",
    wrong_all_linear: r"squares do|shares are of μ²",
    wrong_one_step: r"How many steps share",
    wrong_exchanged: r"exchanged",
    wrong_both_whole: r"whole budget",
    wrong_times_mu: r"less noise, not more",
    wrong_variances: r"the variance|squares",
    wrong_order: r"stand in the other order",
    wrong_one_number: r"shape",
    wrong_three_percent_less: r"each of the two numbers",
    wrong_even_split: r"each of the two numbers",
}
