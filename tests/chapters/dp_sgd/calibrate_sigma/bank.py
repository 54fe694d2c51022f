"""The bank of ``calibrate_sigma``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np


def right_chapter(eps, delta, T):
    return math.sqrt(2 * T * (math.log(1 / delta) + eps)) / eps


def right_concentrated(eps, delta, T):
    # rho-zCDP is (rho + 2 sqrt(rho ln(1/delta)), delta)-DP, and rho = T/(2 sigma^2)
    log_term = math.log(1 / delta)
    root = math.sqrt(log_term + eps) - math.sqrt(log_term)
    return math.sqrt(T / 2) / root


def right_renyi(eps, delta, T):
    # eps(alpha) = alpha T/(2 sigma^2) + ln(1/delta)/(alpha - 1), best alpha, halving
    alphas = 1 + np.logspace(-3, 7, 4001)
    cost = math.log(1 / delta) / (alphas - 1)
    usable = cost < eps
    rho = np.max((eps - cost[usable]) / alphas[usable])
    return math.sqrt(T / (2 * rho))


def right_exact(eps, delta, T):
    def log_cdf(x):
        if x > -30:
            return math.log(0.5 * math.erfc(-x / math.sqrt(2)))
        return -x * x / 2  # far out, where a bound will do

    def spent(mu):
        a, b = log_cdf(mu / 2 - eps / mu), eps + log_cdf(-mu / 2 - eps / mu)
        return math.exp(a) * -math.expm1(min(b - a, 0.0))

    low, high = 1e-9, 1e3
    for _ in range(100):
        mid = math.sqrt(low * high)
        if spent(mid) <= delta:
            low = mid
        else:
            high = mid
    return math.sqrt(T) / low


def wrong_one_step_only(eps, delta, T):
    return math.sqrt(2 * (math.log(1 / delta) + eps)) / eps


def wrong_linear_in_steps(eps, delta, T):
    return T * math.sqrt(2 * (math.log(1 / delta) + eps)) / eps


def wrong_classical_formula(eps, delta, T):
    return math.sqrt(2 * T * math.log(1.25 / delta)) / eps


def wrong_classical_linear(eps, delta, T):
    return T * math.sqrt(2 * math.log(1.25 / delta)) / eps


def wrong_classical_one_step(eps, delta, T):
    return math.sqrt(2 * math.log(1.25 / delta)) / eps


def wrong_variance(eps, delta, T):
    return 2 * T * (math.log(1 / delta) + eps) / eps**2


def wrong_upside_down(eps, delta, T):
    return eps / math.sqrt(2 * T * (math.log(1 / delta) + eps))


def wrong_logarithm(eps, delta, T):
    return math.sqrt(2 * T * (math.log10(1 / delta) + eps)) / eps


def wrong_sign_of_logarithm(eps, delta, T):
    return math.sqrt(max(2 * T * (math.log(delta) + eps), 0.0)) / eps


def wrong_forgets_the_two(eps, delta, T):
    return math.sqrt(T * (math.log(1 / delta) + eps)) / eps


def wrong_forgets_epsilon(eps, delta, T):
    return math.sqrt(2 * T * math.log(1 / delta)) / eps


def wrong_budget_split(eps, delta, T):
    step, failure = eps / T, delta / T
    return math.sqrt(2 * (math.log(1 / failure) + step)) / step


def wrong_gaussian_tail_only(eps, delta, T):
    return math.sqrt(T) * NormalDist().inv_cdf(1 - delta) / eps


def wrong_infinite_at_large_epsilon(eps, delta, T):
    low, high = 0.0, 1.0  # a search that starts from a bracket that is too small
    while (high - low) > 1e-9:
        mid = (low + high) / 2
        if math.sqrt(2 * T * (math.log(1 / delta) + eps)) / eps > mid:
            low = mid
        else:
            high = mid
    return high


def wrong_overflow(eps, delta, T):
    return math.sqrt(2 * math.log(math.exp(eps * T) / delta**T)) / eps


def wrong_array(eps, delta, T):
    return np.array([right_chapter(eps, delta, T)])


def wrong_text(eps, delta, T):
    return f"{right_chapter(eps, delta, T):.3f}"


def wrong_parameters(eps, delta):
    return math.sqrt(2 * math.log(1.25 / delta)) / eps


RIGHT = (right_chapter, right_concentrated, right_renyi, right_exact)
WRONG = {
    wrong_one_step_only: r"privacy that.*T = 100: .*each of the T releases all of ε",
    wrong_linear_in_steps: r"size of your sigma.*T = 100: .*grows as √T",
    wrong_classical_formula: r"privacy.*δ of at most.*for ε up to 1 only",
    wrong_classical_linear: r"size of your sigma.*T = 100: .*How should the noise grow",
    wrong_classical_one_step: r"T = 100.*each of the T releases all of ε",
    wrong_variance: r"times what privacy needs.*a root is missing",
    wrong_upside_down: r"with which δ = 0\.9.*upside down",
    wrong_logarithm: r"This is too little noise",
    wrong_sign_of_logarithm: r"seen 0;.*a standard deviation, above 0",
    wrong_forgets_the_two: r"privacy.*A factor 2 under the root is missing",
    wrong_forgets_epsilon: r"privacy.*ε stands beside",
    wrong_budget_split: r"times what privacy needs.*splits ε and δ evenly",
    wrong_gaussian_tail_only: r"privacy.*as if the mean were 0",
    wrong_infinite_at_large_epsilon: r"privacy.*seen sigma = 1,",
    wrong_overflow: r"T = 100: seen ZeroDivisionError.*“return math",
    wrong_array: r"seen shape \(1,\).*the number itself",
    wrong_text: r"seen a str.*wanted a number",
    wrong_parameters: r"seen calibrate_sigma\(eps, delta\).*\(eps, delta, T\)",
}
