"""The bank of ``sampled_delta``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from statistics import NormalDist

import numpy as np


def right_tails(eps, lam, q):
    # to remove the record is always the worse direction
    kink = lam**2 * math.log1p(math.expm1(eps) / q) + 0.5

    def above(x):
        return 0.5 * math.erfc(x / (lam * math.sqrt(2)))

    return q * above(kink - 1) - (math.expm1(eps) + q) * above(kink)


def right_both_directions(eps, lam, q):
    noise, factor = NormalDist(0, lam), math.exp(eps)
    kink = lam**2 * math.log((factor - 1 + q) / q) + 0.5
    remove = q * noise.cdf(1 - kink) - (factor - 1 + q) * noise.cdf(-kink)
    add, left = 0.0, 1 - factor * (1 - q)
    if left > 0:
        kink = lam**2 * math.log(left / (factor * q)) + 0.5
        add = left * noise.cdf(kink) - factor * q * noise.cdf(kink - 1)
    return max(remove, add)


def right_grid(eps, lam, q):
    x, step = np.linspace(-9 * lam, 1 + 9 * lam, 150001, retstep=True)
    zero = np.exp(-(x**2) / (2 * lam**2)) / math.sqrt(2 * math.pi * lam**2)
    one = np.exp(-((x - 1) ** 2) / (2 * lam**2)) / math.sqrt(2 * math.pi * lam**2)
    P, Q = (1 - q) * zero + q * one, zero
    remove = np.maximum(P - math.exp(eps) * Q, 0).sum() * step
    add = np.maximum(Q - math.exp(eps) * P, 0).sum() * step
    return max(remove, add)


def right_from_the_kink(eps, lam, q):
    # Simpson's rule, in units of λ, where the integrand is smooth
    ratio = (math.exp(eps) - 1 + q) / q
    z = np.linspace(0, 12, 2001) + lam * math.log(ratio) + 0.5 / lam
    zero, one = np.exp(-(z**2) / 2), np.exp(-((z - 1 / lam) ** 2) / 2)
    value = q * one - (math.exp(eps) - 1 + q) * zero
    weight = np.tile([2.0, 4.0], 1001)[:2001]
    weight[[0, -1]] = 1.0
    return (weight * value).sum() * 0.006 / 3 / math.sqrt(2 * math.pi)


def right_loss(eps, lam, q):
    # δ(ε) is what a privacy loss above ε leaves, by Gauss and Legendre
    node, weight = np.polynomial.legendre.leggauss(80)
    low = lam**2 * math.log1p(math.expm1(eps) / q) + 0.5
    x = low + 6 * lam * (1 + node)
    density = np.exp(-((x / lam) ** 2) / 2) / (lam * math.sqrt(2 * math.pi))
    loss = np.log(1 - q + q * np.exp((x - 0.5) / lam**2))
    gain = density * np.exp(loss) * -np.expm1(eps - loss)
    return 6 * lam * (weight @ gain)


def _tables(lam, q):
    """Return a fine grid's step, and both normals on it."""
    x = np.linspace(-12 * lam, 1 + 12 * lam, 200_001)
    zero, one = (np.exp(-((x - m) ** 2) / (2 * lam**2)) for m in (0, 1))
    scale = (x[1] - x[0]) / math.sqrt(2 * math.pi * lam**2)
    return scale * zero, scale * one


def _beyond(P, Q, eps):
    return np.maximum(P - math.exp(eps) * Q, 0).sum()


def _gaussian(eps, mu):
    normal = NormalDist()
    return normal.cdf(mu / 2 - eps / mu) - math.exp(eps) * normal.cdf(
        -mu / 2 - eps / mu
    )


def wrong_adding_only(eps, lam, q):
    zero, one = _tables(lam, q)
    return _beyond(zero, (1 - q) * zero + q * one, eps)


def wrong_milder_direction(eps, lam, q):
    zero, one = _tables(lam, q)
    P = (1 - q) * zero + q * one
    return min(_beyond(P, zero, eps), _beyond(zero, P, eps))


def wrong_sum_of_directions(eps, lam, q):
    zero, one = _tables(lam, q)
    P = (1 - q) * zero + q * one
    return _beyond(P, zero, eps) + _beyond(zero, P, eps)


def wrong_mean_of_directions(eps, lam, q):
    return wrong_sum_of_directions(eps, lam, q) / 2


def wrong_without_sampling(eps, lam, q):
    zero, one = _tables(lam, q)
    return max(_beyond(one, zero, eps), _beyond(zero, one, eps))


def wrong_delta_times_rate(eps, lam, q):
    return q * _gaussian(eps, 1 / lam)


def wrong_amplified_without_rate(eps, lam, q):
    return _gaussian(math.log1p(math.expm1(eps) / q), 1 / lam)


def wrong_amplified_the_other_way(eps, lam, q):
    return q * _gaussian(math.log1p(q * math.expm1(eps)), 1 / lam)


def wrong_amplified_epsilon_alone(eps, lam, q):
    return _gaussian(math.log1p(q * math.expm1(eps)), 1 / lam)


def wrong_scaled_epsilon(eps, lam, q):
    return _gaussian(q * eps, 1 / lam)


def wrong_epsilon_over_rate(eps, lam, q):
    return _gaussian(eps / q, 1 / lam)


def wrong_mean_of_the_mixture(eps, lam, q):
    return _gaussian(eps, q / lam)


def wrong_variance(eps, lam, q):
    return right_tails(eps, math.sqrt(lam), q)


def wrong_squared_noise(eps, lam, q):
    return right_tails(eps, lam**2, q)


def wrong_weights(eps, lam, q):
    zero, one = _tables(lam, q)
    return _beyond(q * zero + (1 - q) * one, zero, eps)


def wrong_no_factor(eps, lam, q):
    zero, one = _tables(lam, q)
    return np.maximum((1 - q) * zero + q * one - zero, 0).sum()


def wrong_factor_one_plus(eps, lam, q):
    zero, one = _tables(lam, q)
    return np.maximum((1 - q) * zero + q * one - (1 + eps) * zero, 0).sum()


def wrong_absolute_difference(eps, lam, q):
    zero, one = _tables(lam, q)
    return np.abs((1 - q) * zero + q * one - math.exp(eps) * zero).sum()


def wrong_half_of_absolute_difference(eps, lam, q):
    return wrong_absolute_difference(eps, lam, q) / 2


def wrong_no_positive_part(eps, lam, q):
    zero, one = _tables(lam, q)
    return ((1 - q) * zero + q * one - math.exp(eps) * zero).sum()


def wrong_total_of_the_mixture(eps, lam, q):
    zero, one = _tables(lam, q)
    return _beyond(zero + q * one, zero, eps)


def wrong_half(eps, lam, q):
    return right_tails(eps, lam, q) / 2


def wrong_kink_without_rate(eps, lam, q):
    # the set of the release without sampling, which is not the best one
    kink = lam**2 * eps + 0.5
    noise = NormalDist(0, lam)
    return q * noise.cdf(1 - kink) - (math.exp(eps) - 1 + q) * noise.cdf(-kink)


def wrong_density_at_the_peak(eps, lam, q):
    zero, one = _tables(lam, q)
    return np.max((1 - q) * zero + q * one - math.exp(eps) * zero)


def wrong_coarse_grid(eps, lam, q):
    x, step = np.linspace(-9 * lam, 1 + 9 * lam, 400, retstep=True)
    zero, one = (NormalDist(m, lam) for m in (0, 1))
    value = [
        (1 - q) * zero.pdf(y) + q * one.pdf(y) - math.exp(eps) * zero.pdf(y)
        for y in x
    ]  # fmt: skip
    return np.maximum(value, 0).sum() * step


def wrong_short_grid(eps, lam, q):
    x, step = np.linspace(-20, 20, 200_001, retstep=True)
    zero, one = (
        np.exp(-((x - m) ** 2) / (2 * lam**2)) / math.sqrt(2 * math.pi * lam**2)
        for m in (0, 1)
    )
    return _beyond((1 - q) * zero + q * one, zero, eps) * step


def wrong_rounded(eps, lam, q):
    return round(right_tails(eps, lam, q), 6)


def wrong_sampled_outputs(eps, lam, q):
    rng = np.random.default_rng(0)
    x = lam * rng.standard_normal(20_000) + (rng.random(20_000) < q)
    loss = np.log(1 - q + q * np.exp((x - 0.5) / lam**2))
    return np.maximum(1 - np.exp(eps - loss), 0).mean()


def wrong_text(eps, lam, q):
    return f"{right_tails(eps, lam, q):.3g}"


RIGHT = (
    right_tails, right_both_directions, right_grid, right_from_the_kink, right_loss,
)  # fmt: skip
WRONG = {
    wrong_adding_only: r"only the milder",
    wrong_milder_direction: r"only the milder",
    wrong_sum_of_directions: r"At which outputs is P above e\^ε Q",
    wrong_mean_of_directions: r"At which outputs is P above e\^ε Q",
    wrong_without_sampling: r"does not depend on q",
    wrong_delta_times_rate: r"q times δ is a bound",
    wrong_amplified_without_rate: r"Your inner ε is right",
    wrong_amplified_the_other_way: r"need the way back",
    wrong_amplified_epsilon_alone: r"At which outputs is P above e\^ε Q",
    wrong_scaled_epsilon: r"At which outputs is P above e\^ε Q",
    wrong_epsilon_over_rate: r"At which outputs is P above e\^ε Q",
    wrong_mean_of_the_mixture: r"The mean of P is q",
    wrong_variance: r"not its variance",
    wrong_squared_noise: r"the standard deviation is λ",
    wrong_weights: r"At which outputs is P above e\^ε Q",
    wrong_no_factor: r"At which outputs is P above e\^ε Q",
    wrong_factor_one_plus: r"At which outputs is P above e\^ε Q",
    wrong_absolute_difference: r"Outputs that are less likely than",
    wrong_half_of_absolute_difference: r"At which outputs is P above e\^ε Q",
    wrong_no_positive_part: r"Over all outputs together",
    wrong_total_of_the_mixture: r"At which outputs is P above e\^ε Q",
    wrong_half: r"At which outputs is P above e\^ε Q",
    wrong_kink_without_rate: r"by how much",
    wrong_density_at_the_peak: r"by how much",
    wrong_coarse_grid: r"six digits are asked for",
    wrong_short_grid: r"lam = 10.*(grow with λ|too short)",
    wrong_rounded: r"six digits are asked for",
    wrong_sampled_outputs: r"by how much|six digits",
    wrong_text: r"seen a str.*wanted a number",
}
