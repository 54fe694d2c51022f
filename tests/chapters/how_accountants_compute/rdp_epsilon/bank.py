"""The bank of ``rdp_epsilon``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np

from dpteach.accounting import gaussian_epsilon


def right_loop(lam, q, T, delta):
    best = math.inf
    for alpha in range(2, 65):
        terms = []
        for i in range(alpha + 1):
            if q == 1 and i < alpha:
                continue  # (1 − q)^{α − i} is 0
            absent = 0.0 if i == alpha else (alpha - i) * math.log(1 - q)
            ways = math.log(math.comb(alpha, i))
            terms.append(ways + absent + i * math.log(q) + (i * i - i) / (2 * lam**2))
        top = max(terms)
        log_moment = top + math.log(sum(math.exp(t - top) for t in terms))
        best = min(best, (T * log_moment + math.log(1 / delta)) / (alpha - 1))
    return best


def right_arrays(lam, q, T, delta):
    ways = np.zeros(66)  # ln C(α, i), row by row of Pascal's triangle
    ways[1:] = -np.inf
    i = np.arange(66)
    best = np.inf
    for alpha in range(1, 65):
        ways = np.logaddexp(ways, np.append(-np.inf, ways[:-1]))
        absent = np.where(i < alpha, (alpha - i) * np.log1p(-min(q, 1 - 1e-15)), 0)
        terms = ways + absent + i * np.log(q) + i * (i - 1) / (2 * lam**2)
        if alpha > 1:
            divergence = T * np.logaddexp.reduce(terms) / (alpha - 1)
            best = min(best, divergence - np.log(delta) / (alpha - 1))
    return best


def right_best_conversion(lam, q, T, delta):
    """Convert by the first bound of the theorem."""
    alpha = np.arange(2.0, 65.0)
    a = alpha - 1
    log_moment = np.array([_log_moment(lam, q, int(order)) for order in alpha])
    log_factor = a * np.log(a) - alpha * np.log(alpha)
    return np.min((T * log_moment - np.log(delta) + log_factor) / a)


def right_any_orders(lam, q, T, delta):
    """Integrate (P/Q)^α under Q, at orders that need not be whole."""
    best = math.inf
    for alpha in np.append(np.linspace(1.1, 1.9, 9), np.arange(2, 65)):
        x = np.linspace(-9 * lam, alpha + 9 * lam, 2000)
        loss = np.logaddexp(np.log1p(-q), np.log(q) + (2 * x - 1) / (2 * lam**2))
        exponent = alpha * loss - x**2 / (2 * lam**2)
        log_area = np.logaddexp.reduce(exponent) + math.log(x[1] - x[0])
        log_moment = log_area - math.log(lam * math.sqrt(2 * math.pi))
        best = min(best, (T * log_moment - math.log(delta)) / (alpha - 1))
    return best


def right_exact_without_sampling(lam, q, T, delta):
    if q == 1:
        return gaussian_epsilon(math.sqrt(T) / lam, delta)
    orders = range(2, 65)
    return min((T * _log_moment(lam, q, a) - math.log(delta)) / (a - 1) for a in orders)


def _log_terms(lam, q, alpha):
    i = np.arange(alpha + 1)
    ways = np.array([math.log(math.comb(alpha, k)) for k in range(alpha + 1)])
    with np.errstate(divide="ignore", invalid="ignore"):
        absent = np.where(i < alpha, (alpha - i) * np.log1p(-q), 0.0)
    return ways, absent, i * math.log(q), (i * i - i) / (2 * lam**2)


def _log_moment(lam, q, alpha):
    return np.logaddexp.reduce(sum(_log_terms(lam, q, alpha)))


def _prices(lam, q, T, delta, orders=range(2, 65)):
    return [
        T * _log_moment(lam, q, alpha) / (alpha - 1) + math.log(1 / delta) / (alpha - 1)
        for alpha in orders
    ]


def wrong_floats_overflow(lam, q, T, delta):
    best = math.inf
    for alpha in range(2, 65):
        moment = sum(
            math.comb(alpha, i) * (1 - q) ** (alpha - i) * q**i
            * math.exp((i * i - i) / (2 * lam**2)) for i in range(alpha + 1)
        )  # fmt: skip
        best = min(best, (T * math.log(moment) + math.log(1 / delta)) / (alpha - 1))
    return best


def wrong_arrays_overflow(lam, q, T, delta):
    prices = []
    for alpha in range(2, 65):
        i = np.arange(alpha + 1)
        ways = np.array([float(math.comb(alpha, k)) for k in i])
        moment = np.sum(
            ways * (1 - q) ** (alpha - i) * q**i * np.exp((i * i - i) / (2 * lam**2))
        )
        prices.append((T * np.log(moment) + np.log(1 / delta)) / (alpha - 1))
    return np.min(prices)


def wrong_logarithm_of_nothing(lam, q, T, delta):
    prices = []
    for alpha in range(2, 65):
        i = np.arange(alpha + 1)
        ways = np.array([math.log(math.comb(alpha, int(k))) for k in i])
        exponent = (i * i - i) / (2 * lam**2)
        terms = ways + (alpha - i) * np.log1p(-q) + i * np.log(q) + exponent
        moment = np.logaddexp.reduce(terms)
        prices.append((T * moment + np.log(1 / delta)) / (alpha - 1))
    return np.min(prices)


def wrong_order_one(lam, q, T, delta):
    return min(_prices(lam, q, T, delta, range(1, 65)))


def wrong_each_step_converted(lam, q, T, delta):
    return T * min(_prices(lam, q, 1, delta))


def wrong_each_step_and_delta_converted(lam, q, T, delta):
    return T * min(_prices(lam, q, 1, delta / T))


def wrong_root_of_the_steps(lam, q, T, delta):
    return math.sqrt(T) * min(_prices(lam, q, 1, delta))


def wrong_forgets_the_steps(lam, q, T, delta):
    return min(_prices(lam, q, 1, delta))


def wrong_root_of_the_divergence(lam, q, T, delta):
    return min(_prices(lam, q, math.sqrt(T), delta))


def wrong_steps_inside_the_logarithm(lam, q, T, delta):
    return min(
        (math.log(T) + _log_moment(lam, q, alpha) - math.log(delta)) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_alpha_in_both(lam, q, T, delta):
    return min(
        (T * _log_moment(lam, q, alpha) - math.log(delta)) / alpha
        for alpha in range(2, 65)
    )


def wrong_alpha_in_the_divergence(lam, q, T, delta):
    return min(
        T * _log_moment(lam, q, alpha) / alpha - math.log(delta) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_alpha_in_the_conversion(lam, q, T, delta):
    return min(
        T * _log_moment(lam, q, alpha) / (alpha - 1) - math.log(delta) / alpha
        for alpha in range(2, 65)
    )


def wrong_one_order_up(lam, q, T, delta):
    return min(
        (T * _log_moment(lam, q, alpha + 1) - math.log(delta)) / (alpha - 1)
        for alpha in range(2, 64)
    )


def wrong_moment_under_q(lam, q, T, delta):
    return min(
        (T * _log_moment(lam, q, alpha - 1) - math.log(delta)) / (alpha - 1)
        for alpha in range(3, 65)
    )


def wrong_sign_of_the_logarithm(lam, q, T, delta):
    return min(
        (T * _log_moment(lam, q, alpha) + math.log(delta)) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_base_ten(lam, q, T, delta):
    return min(
        (T * _log_moment(lam, q, alpha) - math.log10(delta)) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_rule_of_thumb(lam, q, T, delta):
    return min(
        T * q**2 * alpha / (2 * lam**2) + math.log(1 / delta) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_linear_in_the_rate(lam, q, T, delta):
    return min(
        T * q * alpha / (2 * lam**2) + math.log(1 / delta) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_no_sampling(lam, q, T, delta):
    return min(
        T * alpha / (2 * lam**2) + math.log(1 / delta) / (alpha - 1)
        for alpha in range(2, 65)
    )


def wrong_one_order(lam, q, T, delta):
    return _prices(lam, q, T, delta, [8])[0]


def wrong_worst_order(lam, q, T, delta):
    return max(_prices(lam, q, T, delta))


def wrong_mean_over_orders(lam, q, T, delta):
    return np.mean(_prices(lam, q, T, delta))


def wrong_short_list_of_orders(lam, q, T, delta):
    return min(_prices(lam, q, T, delta, range(2, 33)))


def wrong_better_bound_up_to_order_50(lam, q, T, delta):
    alpha = np.arange(2.0, 51.0)
    a = alpha - 1
    log_moment = np.array([_log_moment(lam, q, int(order)) for order in alpha])
    log_factor = a * np.log(a) - alpha * np.log(alpha)
    return np.min((T * log_moment - np.log(delta) + log_factor) / a)


def wrong_orders_from_three(lam, q, T, delta):
    return min(_prices(lam, q, T, delta, range(3, 65)))


def _changed(lam, q, T, delta, terms):
    def moment(alpha):
        ways, absent, present, exponent = _log_terms(lam, q, alpha)
        i = np.arange(alpha + 1)
        return np.logaddexp.reduce(terms(ways, absent, present, exponent, i))

    return min(
        (T * moment(alpha) - math.log(delta)) / (alpha - 1) for alpha in range(2, 65)
    )


def wrong_no_binomial(lam, q, T, delta):
    return _changed(lam, q, T, delta, lambda ways, a, p, e, i: a + p + e)


def wrong_no_powers_of_the_rest(lam, q, T, delta):
    return _changed(lam, q, T, delta, lambda ways, a, p, e, i: ways + p + e)


def wrong_no_powers_of_the_rate(lam, q, T, delta):
    return _changed(lam, q, T, delta, lambda ways, a, p, e, i: ways + a + e)


def wrong_square_alone(lam, q, T, delta):
    return _changed(
        lam, q, T, delta, lambda ways, a, p, e, i: ways + a + p + i * i / (2 * lam**2)
    )


def wrong_no_half(lam, q, T, delta):
    return _changed(lam, q, T, delta, lambda ways, a, p, e, i: ways + a + p + 2 * e)


def wrong_noise_not_squared(lam, q, T, delta):
    return _changed(lam, q, T, delta, lambda ways, a, p, e, i: ways + a + p + lam * e)


def wrong_noise_is_the_variance(lam, q, T, delta):
    return min(_prices(math.sqrt(lam), q, T, delta))


def wrong_noise_squared_twice(lam, q, T, delta):
    return min(_prices(lam**2, q, T, delta))


def wrong_largest_term(lam, q, T, delta):
    return _changed(
        lam, q, T, delta, lambda ways, a, p, e, i: np.atleast_1d(max(ways + a + p + e))
    )


def wrong_limit_of_many_releases(lam, q, T, delta):
    mu = q * math.sqrt(T * math.expm1(min(1 / lam**2, 700)))
    return gaussian_epsilon(mu, delta)


def wrong_returns_the_order(lam, q, T, delta):
    return int(np.argmin(_prices(lam, q, T, delta))) + 2


def wrong_all_orders(lam, q, T, delta):
    return np.array(_prices(lam, q, T, delta))


RIGHT = (
    right_loop,
    right_arrays,
    right_best_conversion,
    right_any_orders,
    right_exact_without_sampling,
)
WRONG = {
    wrong_floats_overflow: r"OverflowError.*an exponent is",
    wrong_arrays_overflow: r"nan|inf",
    wrong_logarithm_of_nothing: r"q = 1.*seen nan.*ln 0 or 0 · ∞",
    wrong_order_one: r"α − 1 = 0",
    wrong_each_step_converted: r"at most.*ln\(1/δ\) is paid T times",
    wrong_each_step_and_delta_converted: r"at most.*the choice of the order",
    wrong_root_of_the_steps: r"The root of T",
    wrong_forgets_the_steps: r"at least.*T plays no part",
    wrong_root_of_the_divergence: r"at least.*That is not a proof",
    wrong_steps_inside_the_logarithm: r"at least.*That is not a proof",
    wrong_alpha_in_both: r"at least.*That is not a proof",
    wrong_alpha_in_the_divergence: r"at least.*α and α − 1 are mixed up",
    wrong_alpha_in_the_conversion: r"at least.*α and α − 1 are mixed up",
    wrong_one_order_up: r"at most.*What does each order prove",
    wrong_moment_under_q: r"at least.*That is not a proof",
    wrong_sign_of_the_logarithm: r"at least.*That is not a proof",
    wrong_base_ten: r"at least.*That is not a proof",
    wrong_rule_of_thumb: r"at least.*rule of thumb",
    wrong_linear_in_the_rate: r"That is not a proof",
    wrong_no_sampling: r"at most.*does not depend on q",
    wrong_one_order: r"at most.*What does each order prove",
    wrong_worst_order: r"at most.*What does each order prove",
    wrong_mean_over_orders: r"at most.*What does each order prove",
    wrong_short_list_of_orders: r"at most.*Here the best order is large",
    wrong_better_bound_up_to_order_50: r"at most.*Here the best order is large",
    wrong_orders_from_three: r"at most.*At q = 1 only one term of the sum",
    wrong_no_binomial: r"at least.*binomial coefficients",
    wrong_no_powers_of_the_rest: r"at most.*powers of 1 − q",
    wrong_no_powers_of_the_rate: r"at most",
    wrong_square_alone: r"at most.*What does each order prove",
    wrong_no_half: r"at most.*What does each order prove",
    wrong_noise_not_squared: r"What does each order prove",
    wrong_noise_is_the_variance: r"What does each order prove",
    wrong_noise_squared_twice: r"That is not a proof",
    wrong_largest_term: r"at least",
    wrong_limit_of_many_releases: r"at least",
    wrong_returns_the_order: r"your ε at",
    wrong_all_orders: r"seen shape \(63,\)",
}
