"""The bank of ``spend_budget``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np


def _spent(mu, eps):
    # δ at ε; e^ε Φ(−x) is small beside Φ, and erfc keeps its digits
    a, b = eps / mu - mu / 2, eps / mu + mu / 2
    first = math.erfc(a / math.sqrt(2)) / 2
    return first - math.exp(eps) * math.erfc(b / math.sqrt(2)) / 2


def _mu(eps, delta):
    low, high = 1e-6, 100.0
    for _ in range(100):
        middle = math.sqrt(low * high)
        if _spent(middle, eps) <= delta:
            low = middle
        else:
            high = middle
    return low


def right_closed_form(eps, delta, steps, ratio):
    low, high = 1e-6, 100.0
    for _ in range(100):
        middle = math.sqrt(low * high)
        if _spent(middle, eps) <= delta:
            low = middle
        else:
            high = middle
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / low


def right_loop(eps, delta, steps, ratio):
    squares = 0.0
    for T, r in zip(steps, ratio, strict=True):
        squares += T / r**2
    return np.array([r * math.sqrt(squares) / _mu(eps, delta) for r in ratio])


def right_search_for_the_factor(eps, delta, steps, ratio):
    low, high = 1e-9, 1e9
    for _ in range(120):
        s = math.sqrt(low * high)
        mu = np.linalg.norm(np.sqrt(steps) / (s * ratio))
        if mu > 90 or (mu > 1e-6 and _spent(mu, eps) > delta):
            low = s
        else:
            high = s
    return high * ratio


def right_concentrated_sum_then_secant(eps, delta, steps, ratio):
    rho_of_one = sum(steps / (2 * ratio**2))  # zero-concentrated prices add up

    def gap(log_s):
        mu = math.sqrt(2 * rho_of_one) * math.exp(-log_s)
        return math.log(_spent(mu, eps) / delta)

    mu = eps / math.sqrt(2 * (math.log(1 / delta) + eps))
    at = math.log(math.sqrt(2 * rho_of_one) / mu)
    before, here = at, at - 0.01
    while abs(here - before) > 1e-12:
        slope = (gap(here) - gap(before)) / (here - before)
        before, here = here, here - gap(here) / slope
    return ratio * math.exp(here)


def wrong_formula(eps, delta, steps, ratio):
    mu = eps / math.sqrt(2 * (math.log(1 / delta) + eps))
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / mu


def wrong_classical(eps, delta, steps, ratio):
    mu = eps / math.sqrt(2 * math.log(1.25 / delta))
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / mu


def wrong_even_split(eps, delta, steps, ratio):
    return np.sqrt(steps) / _mu(eps / 3, delta)


def wrong_even_split_of_both(eps, delta, steps, ratio):
    return np.sqrt(steps) / _mu(eps / 3, delta / 3)


def wrong_each_phase_all(eps, delta, steps, ratio):
    return np.sqrt(steps) / _mu(eps, delta)


def wrong_one_step_a_phase(eps, delta, steps, ratio):
    return ratio * np.sqrt(np.sum(1 / ratio**2)) / _mu(eps, delta)


def wrong_steps_squared(eps, delta, steps, ratio):
    return ratio * np.sqrt(np.sum((steps / ratio) ** 2)) / _mu(eps, delta)


def wrong_sum_of_mu(eps, delta, steps, ratio):
    return ratio * np.sum(np.sqrt(steps) / ratio) / _mu(eps, delta)


def wrong_mean_ratio(eps, delta, steps, ratio):
    return ratio * math.sqrt(steps.sum()) / np.mean(ratio) / _mu(eps, delta)


def wrong_last_phase_only(eps, delta, steps, ratio):
    return ratio * math.sqrt(steps[-1]) / ratio[-1] / _mu(eps, delta)


def wrong_upside_down(eps, delta, steps, ratio):
    return np.sqrt(np.sum(steps * ratio**2)) / ratio / _mu(eps, delta)


def wrong_ratio_not_squared(eps, delta, steps, ratio):
    return ratio * np.sqrt(np.sum(steps / ratio)) / _mu(eps, delta)


def wrong_variances(eps, delta, steps, ratio):
    return (ratio * np.sqrt(np.sum(steps / ratio**2)) / _mu(eps, delta)) ** 2


def wrong_factor_only(eps, delta, steps, ratio):
    return np.sqrt(np.sum(steps / ratio**2)) / _mu(eps, delta)


def wrong_bracket_too_small(eps, delta, steps, ratio):
    low, high = 1e-6, 2.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _spent(middle, eps) <= delta else (low, middle)
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / low


def wrong_forgets_the_second_term(eps, delta, steps, ratio):
    low, high = 1e-6, 100.0
    for _ in range(100):
        mu = math.sqrt(low * high)
        small = NormalDist().cdf(mu / 2 - eps / mu) <= delta
        low, high = (mu, high) if small else (low, mu)
    return ratio * np.sqrt(np.sum(steps / ratio**2)) / low


def wrong_changes_its_argument(eps, delta, steps, ratio):
    ratio *= np.sqrt(np.sum(steps / ratio**2)) / _mu(eps, delta)
    return ratio


RIGHT = (
    right_closed_form,
    right_loop,
    right_search_for_the_factor,
    right_concentrated_sum_then_secant,
)
WRONG = {
    wrong_formula: r"ε that all phases spend.*unspent.*by a bound on the price",
    wrong_classical: r"ε that all phases spend.*ln\(1\.25/δ\)",
    wrong_even_split: r"One number is free",
    wrong_even_split_of_both: r"splits ε and δ evenly",
    wrong_each_phase_all: r"proportions.*Each phase alone spends the whole",
    wrong_one_step_a_phase: r"Each phase is counted as one",
    wrong_steps_squared: r"unspent.*before they are squared",
    wrong_sum_of_mu: r"unspent.*add up μ",
    wrong_mean_ratio: r"the total μ of your noise",
    wrong_last_phase_only: r"the total μ of your noise",
    wrong_upside_down: r"proportions.*upside down",
    wrong_ratio_not_squared: r"unspent.*costs a quarter",
    wrong_variances: r"variances",
    wrong_factor_only: r"shape",
    wrong_bracket_too_small: r"unspent",
    wrong_forgets_the_second_term: r"unspent.*the total μ of your noise",
    wrong_changes_its_argument: r"ratio after the call: seen other values",
}
