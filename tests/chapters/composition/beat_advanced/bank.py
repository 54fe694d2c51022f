"""The bank of ``beat_advanced``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

from dpteach.accounting import gaussian_epsilon, zcdp_epsilon


def _basic(eps0, T):
    return T * eps0


def _advanced(eps0, T, delta):
    luck = eps0 * math.sqrt(2 * T * math.log(1 / delta))
    return luck + T * eps0 * math.tanh(eps0 / 2)


def right_binomial(eps0, T, delta):
    i = np.arange(T + 1)
    loss = (T - 2 * i) * eps0
    chance = binom.pmf(i, T, 1 / (1 + math.exp(eps0)))

    def lost(eps):
        above = loss > eps
        return chance[above] @ -np.expm1(eps - loss[above])

    low, high = 0.0, T * eps0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if lost(middle) <= delta else (middle, high)
    return high


def right_two_tails(eps0, T, delta):
    """Solve P[Z > ε] − e^ε Q[Z > ε] = δ between two possible losses."""
    i = np.arange(T + 1)  # losses of (T − 2 i) ε₀ and more
    log_p = binom.logpmf(i, T, 1 / (1 + math.exp(eps0)))
    log_q = binom.logpmf(i, T, 1 / (1 + math.exp(-eps0)))
    above_p, above_q = (np.logaddexp.accumulate(each) for each in (log_p, log_q))
    eps = np.log(np.exp(above_p) - delta) - above_q
    return eps[np.argmax(eps >= (T - 2 * i - 2) * eps0)]


def right_logarithms(eps0, T, delta):
    """Walk down from the largest loss; term by term, by the ratio of neighbors."""
    log_chance = T * (eps0 - math.log1p(math.exp(eps0)))
    total, log_share = 0.0, -math.inf  # P[loss ≥ …], and the mean of e^{−loss} there
    for i in range(T + 1):
        loss = (T - 2 * i) * eps0
        total += math.exp(log_chance)
        log_share = np.logaddexp(log_share, log_chance - loss)
        if total > delta:
            eps = math.log(total - delta) - log_share
            if eps >= loss - 2 * eps0:
                return eps
        log_chance += math.log((T - i) / (i + 1)) - eps0
    return 0.0


def right_moments(eps0, T, delta):
    """Take the best order and the first bound of the theorem, or add up."""
    s = np.geomspace(1e-2, 1e5, 3000)
    log_p, log_q = -np.log1p(math.exp(-eps0)), -np.log1p(math.exp(eps0))
    log_moment = T * np.logaddexp(log_p + s * eps0, log_q - s * eps0)
    factor = s * np.log(s) - (1 + s) * np.log1p(s)
    return min(T * eps0, np.min((log_moment + factor - math.log(delta)) / s))


def right_root(eps0, T, delta):
    i = np.arange(T + 1)
    loss = (T - 2 * i) * eps0
    log_chance = binom.logpmf(i, T, 1 / (1 + math.exp(eps0)))

    def gap(eps):
        part = np.maximum(-np.expm1(np.minimum(eps - loss, 0.0)), 1e-300)
        return np.logaddexp.reduce(log_chance + np.log(part)) - math.log(delta)

    return brentq(gap, 0.0, T * eps0, xtol=1e-13, rtol=1e-14)


def _solve(eps0, T, delta, lost):
    low, high = 0.0, T * eps0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if lost(middle) <= delta else (middle, high)
    return high


def _weights(eps0, T, sign=1):
    i = np.arange(T + 1)
    chance = binom.pmf(i, T, 1 / (1 + math.exp(sign * eps0)))
    return (T - 2 * i) * eps0, chance


def wrong_basic(eps0, T, delta):
    return _basic(eps0, T)


def wrong_advanced(eps0, T, delta):
    return _advanced(eps0, T, delta)


def wrong_the_better_of_both(eps0, T, delta):
    return min(_basic(eps0, T), _advanced(eps0, T, delta))


def wrong_a_little_less(eps0, T, delta):
    return 0.999 * min(_basic(eps0, T), _advanced(eps0, T, delta))


def wrong_exact_in_the_middle_only(eps0, T, delta):
    return min(right_moments(eps0, T, delta), 0.95 * _basic(eps0, T))


def wrong_moments_without_basic(eps0, T, delta):
    s = np.geomspace(1e-2, 50, 3000)
    log_moment = T * (
        s * eps0
        + np.log1p(np.exp(-(2 * s + 1) * eps0))
        - math.log1p(math.exp(-eps0))
    )  # fmt: skip
    factor = s * np.log(s) - (1 + s) * np.log1p(s)
    return np.min((log_moment + factor - math.log(delta)) / s)


def wrong_moments_last_bound(eps0, T, delta):
    s = np.geomspace(1e-2, 1e5, 5000)
    ratio = np.log1p(np.exp(-(2 * s + 1) * eps0)) - math.log1p(math.exp(-eps0))
    return min(T * eps0, np.min((T * (s * eps0 + ratio) - math.log(delta)) / s))


def wrong_no_drift(eps0, T, delta):
    return min(_basic(eps0, T), eps0 * math.sqrt(2 * T * math.log(1 / delta)))


def wrong_drift_alone(eps0, T, delta):
    return T * eps0 * math.tanh(eps0 / 2)


def wrong_older_drift(eps0, T, delta):
    luck = eps0 * math.sqrt(2 * T * math.log(1 / delta))
    return min(_basic(eps0, T), luck + T * eps0 * math.expm1(eps0))


def wrong_no_two_under_the_root(eps0, T, delta):
    luck = eps0 * math.sqrt(T * math.log(1 / delta))
    return min(_basic(eps0, T), luck + T * eps0 * math.tanh(eps0 / 2))


def wrong_base_ten(eps0, T, delta):
    luck = eps0 * math.sqrt(2 * T * math.log10(1 / delta))
    return min(_basic(eps0, T), luck + T * eps0 * math.tanh(eps0 / 2))


def wrong_root_of_the_steps(eps0, T, delta):
    return math.sqrt(T) * eps0


def wrong_concentrated(eps0, T, delta):
    return min(_basic(eps0, T), zcdp_epsilon(T * eps0**2 / 2, delta))


def wrong_concentrated_last_bound(eps0, T, delta):
    return min(_basic(eps0, T), zcdp_epsilon(T * eps0**2 / 2, delta, method="basic"))


def wrong_concentrated_with_a_sharper_rho(eps0, T, delta):
    return min(_basic(eps0, T), zcdp_epsilon(T * eps0 * math.tanh(eps0 / 2), delta))


def wrong_concentrated_with_epsilon(eps0, T, delta):
    return zcdp_epsilon(T * eps0, delta)


def wrong_concentrated_without_half(eps0, T, delta):
    return min(_basic(eps0, T), zcdp_epsilon(T * eps0**2, delta))


def wrong_concentrated_of_a_choice(eps0, T, delta):
    return min(_basic(eps0, T), zcdp_epsilon(T * eps0**2 / 8, delta))


def wrong_tail(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    return loss[np.searchsorted(np.cumsum(chance), delta, side="right")]


def wrong_tail_one_loss_lower(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    return loss[np.searchsorted(np.cumsum(chance), delta, side="right") + 1]


def wrong_tail_under_q(eps0, T, delta):
    loss, chance = _weights(eps0, T, -1)
    return loss[np.searchsorted(np.cumsum(chance), delta, side="right")]


def wrong_tail_by_one_minus(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    upward, total = loss[::-1], np.cumsum(chance[::-1])
    return _solve(eps0, T, delta, lambda eps: 1 - total[np.sum(upward <= eps) - 1])


def wrong_both_tails(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    return _solve(eps0, T, delta, lambda eps: chance[np.abs(loss) > eps].sum())


def wrong_weights_under_q(eps0, T, delta):
    loss, chance = _weights(eps0, T, -1)

    def lost(eps):
        return chance @ np.maximum(-np.expm1(np.minimum(eps - loss, 700)), 0)

    return _solve(eps0, T, delta, lost)


def wrong_not_clipped(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    return _solve(
        eps0, T, delta, lambda eps: chance @ -np.expm1(np.minimum(eps - loss, 700))
    )


def wrong_floats_overflow(eps0, T, delta):
    odds = math.exp(eps0)
    chance = [math.comb(T, i) * odds ** (T - i) / (1 + odds) ** T for i in range(T + 1)]

    def lost(eps):
        return sum(
            c * (1 - math.exp(eps - (T - 2 * i) * eps0))
            for i, c in enumerate(chance)
            if (T - 2 * i) * eps0 > eps
        )

    return _solve(eps0, T, delta, lost)


def wrong_powers_underflow(eps0, T, delta):
    i = np.arange(T + 1)
    p = 1 / (1 + math.exp(-eps0))
    chance = p ** (T - i)
    for k in range(T):
        chance[k + 1 :] *= (T - k) / (k + 1) * (1 - p)
    loss = (T - 2 * i) * eps0

    def lost(eps):
        return chance @ np.maximum(-np.expm1(np.minimum(eps - loss, 700)), 0)

    return _solve(eps0, T, delta, lost)


def wrong_normal_limit(eps0, T, delta):
    mean = T * eps0 * math.tanh(eps0 / 2)
    spread = eps0 * math.sqrt(T) / math.cosh(eps0 / 2)
    return min(_basic(eps0, T), mean - spread * NormalDist().inv_cdf(delta))


def wrong_gaussian_limit(eps0, T, delta):
    mu = eps0 * math.sqrt(T) / math.cosh(eps0 / 2)
    return min(_basic(eps0, T), gaussian_epsilon(mu, delta))


def wrong_gaussian_of_the_same_mean(eps0, T, delta):
    mu = math.sqrt(2 * T * eps0 * math.tanh(eps0 / 2))
    return min(_basic(eps0, T), gaussian_epsilon(mu, delta))


def wrong_gaussian_that_is_worse(eps0, T, delta):
    """Each step is μ-GDP, with the μ of the coin that errs as often: a proof."""
    mu = -2 * NormalDist().inv_cdf(1 / (1 + math.exp(eps0)))
    return min(_basic(eps0, T), gaussian_epsilon(mu * math.sqrt(T), delta))


def wrong_each_step_by_itself(eps0, T, delta):
    share = math.exp(eps0) - delta / T * (1 + math.exp(eps0))
    return T * math.log(share)


def wrong_few_halvings(eps0, T, delta):
    loss, chance = _weights(eps0, T)
    low, high = 0.0, T * eps0
    for _ in range(12):
        eps = (low + high) / 2
        part = np.maximum(-np.expm1(np.minimum(eps - loss, 700)), 0)
        low, high = (eps, high) if chance @ part > delta else (low, eps)
    return low


def wrong_chance_of_the_worst(eps0, T, delta):
    worst = (1 / (1 + math.exp(-eps0))) ** T
    return 0.0 if worst <= delta else T * eps0


def wrong_much_less_delta(eps0, T, delta):
    return right_two_tails(eps0, T, delta / 100)


RIGHT = (
    right_binomial,
    right_two_tails,
    right_logarithms,
    right_moments,
    right_root,
)
WRONG = {
    wrong_basic: r"eps0 = 0\.1, .*at most 5\.7\d+, as advanced.*That is basic",
    wrong_advanced: r"20\.6% above the least.*That is advanced",
    wrong_the_better_of_both: r"20\.6% above the least.*That is advanced",
    wrong_a_little_less: r"20\.4% above the least one.*at most 10% above",
    wrong_exact_in_the_middle_only: r"Here the largest of all losses is",
    wrong_moments_without_basic: r"eps0 = 1, T = 10.*as basic composition",
    wrong_moments_last_bound: r"16\.8% above.*Is there a better bound",
    wrong_no_drift: r"The mean of the losses is missing",
    wrong_drift_alone: r"have at your ε.*What is the chance of each total",
    wrong_older_drift: r"What is the chance of each total",
    wrong_no_two_under_the_root: r"have at your ε.*What is the chance of each total",
    wrong_base_ten: r"have at your ε.*What is the chance of each total",
    wrong_root_of_the_steps: r"have at your ε.*What is the chance of each total",
    wrong_concentrated: r"above the least.*That holds for everything that has",
    wrong_concentrated_last_bound: r"as advanced.*That is advanced composition",
    wrong_concentrated_with_a_sharper_rho: r"above the least.*What is the chance of",
    wrong_concentrated_with_epsilon: r"as advanced.*What is the chance of each total",
    wrong_concentrated_without_half: r"as advanced.*What is the chance of each total",
    wrong_concentrated_of_a_choice: r"have at your ε.*What is the chance of each total",
    wrong_tail: r"22\.4% above.*only a part counts",
    wrong_tail_one_loss_lower: r"have at your ε.*What is the chance of each total",
    wrong_tail_under_q: r"have at your ε.*What is the chance of each total",
    wrong_tail_by_one_minus: r"above the least|have at your ε",
    wrong_both_tails: r"above the least",
    wrong_weights_under_q: r"have at your ε.*chances under Q",
    wrong_not_clipped: r"Outputs whose loss is below ε count",
    wrong_floats_overflow: r"OverflowError|no result after",
    wrong_powers_underflow: r"T = 10000|T = 1000",
    wrong_normal_limit: r"above the least.*That takes the loss to be normal",
    wrong_gaussian_limit: r"Chances of 1e-12 are lost in 1",
    wrong_gaussian_of_the_same_mean: r"What is the chance of each total",
    wrong_gaussian_that_is_worse: r"above the least|as advanced",
    wrong_each_step_by_itself: r"as advanced.*nothing is gained",
    wrong_few_halvings: r"have at your ε",
    wrong_chance_of_the_worst: r"seen 0; wanted a number above 0",
    wrong_much_less_delta: r"17% above the least",
}
