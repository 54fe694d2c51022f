"""The bank of ``draw_model``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import bisect
import math

import numpy as np


def right_inverse(risk, eps, B, u):
    weight = np.exp(-eps / B * (risk - risk.min()))
    ends = np.cumsum(weight)
    place = np.searchsorted(ends, u * ends[-1], side="right")
    return int(min(place, len(risk) - 1))


def right_loop(risk, eps, B, u):
    least, c = min(risk), eps / B
    weights = [math.exp(c * (least - each)) for each in risk]
    left = u * sum(weights)
    for k, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return k
    return len(weights) - 1


def right_probabilities(risk, eps, B, u):
    score = (np.min(risk) - risk) * (eps / B)
    p = np.exp(score) / np.sum(np.exp(score))
    ends = np.cumsum(p)[:-1]
    return np.sum(u >= ends)


def right_logarithms(risk, eps, B, u):
    score = -risk * eps / B
    ends = np.logaddexp.accumulate(score - score.max())
    if u == 0:
        return 0
    return min(bisect.bisect_right(list(ends - ends[-1]), math.log(u)), len(risk) - 1)


def _at(weight, u):
    ends = np.cumsum(weight)
    return int(min(np.searchsorted(ends, u * ends[-1], side="right"), len(ends) - 1))


def _with(risk, c, u):
    return _at(np.exp(-c * (risk - risk.min())), u)


def wrong_starter(risk, eps, B, u):
    weight = np.exp(-eps * risk / 2)
    return int(np.argmax(weight))


def wrong_sign(risk, eps, B, u):
    return _at(np.exp(eps / B * (risk - risk.max())), u)


def wrong_half(risk, eps, B, u):
    return _with(risk, eps / (2 * B), u)


def wrong_twice(risk, eps, B, u):
    return _with(risk, 2 * eps / B, u)


def wrong_no_range(risk, eps, B, u):
    return _with(risk, eps, u)


def wrong_range_multiplied(risk, eps, B, u):
    return _with(risk, eps * B, u)


def wrong_mean_of_models(risk, eps, B, u):
    return _with(risk, eps / B / len(risk), u)


def wrong_range_of_the_data(risk, eps, B, u):
    return _with(risk, eps / max(np.ptp(risk), 1e-9), u)


def wrong_power(risk, eps, B, u):
    return _at(1 / (1 + risk - risk.min()), u)


def wrong_uniform(risk, eps, B, u):
    return int(u * len(risk))


def wrong_best(risk, eps, B, u):
    return int(np.argmin(risk))


def wrong_two_percent(risk, eps, B, u):
    return _with(risk, 1.02 * eps / B, u)


def wrong_underflow(risk, eps, B, u):
    weight = np.exp(-eps / B * risk)
    ends = np.cumsum(weight)
    return int(np.searchsorted(ends / max(ends[-1], 1e-300), u, side="right"))


def wrong_past_the_end(risk, eps, B, u):
    weight = np.exp(-eps / B * (risk - risk.min()))
    return int(np.searchsorted(np.cumsum(weight / weight.sum()) - 1e-12, u))


def wrong_sorted(risk, eps, B, u):
    return _with(np.sort(risk), eps / B, u)


def wrong_backward(risk, eps, B, u):
    return len(risk) - 1 - _with(risk[::-1], eps / B, u)


def wrong_nearest(risk, eps, B, u):
    weight = np.exp(-eps / B * (risk - risk.min()))
    return int(np.argmin(np.abs(np.cumsum(weight) / weight.sum() - u)))


def wrong_risk(risk, eps, B, u):
    return float(risk[_with(risk, eps / B, u)]) + 0.5


def wrong_one_more(risk, eps, B, u):
    return _with(risk, eps / B, u) + 1


def wrong_own_noise(risk, eps, B, u):
    noise = np.random.default_rng().gumbel(size=len(risk))
    return int(np.argmax(noise - risk * eps / B))


def wrong_in_place(risk, eps, B, u):
    risk -= risk.min()
    return _with(risk, eps / B, u)


def wrong_sum_below_one(risk, eps, B, u):
    chance = np.exp(-eps * (risk - risk.min()) / B)
    return int(np.searchsorted(np.cumsum(chance / chance.sum()), u, side="right"))


def wrong_whole_exponents(risk, eps, B, u):
    exponent = np.zeros_like(risk)
    exponent[:] = -eps * (risk - risk.min()) / B
    chance = np.exp(exponent - exponent.max())
    ends = np.cumsum(chance / chance.sum())
    return min(int(np.searchsorted(ends, u, side="right")), len(risk) - 1)


RIGHT = (right_inverse, right_loop, right_probabilities, right_logarithms)
WRONG = {
    wrong_starter: r"Lay the probabilities",
    wrong_sign: r"Which sign has the exponent",
    wrong_half: r"nothing is paid twice",
    wrong_twice: r"twice what the budget allows",
    wrong_no_range: r"B does not enter",
    wrong_range_multiplied: r"sharper or flatter",
    wrong_mean_of_models: r"depends on the number of models",
    wrong_range_of_the_data: r"range from the data",
    wrong_power: r"falls as a power",
    wrong_uniform: r"looks at no data",
    wrong_best: r"Lay the probabilities",
    wrong_two_percent: r"Lay the probabilities",
    wrong_underflow: r"risks are|u =",
    wrong_past_the_end: r"whole number from 0",
    wrong_sorted: r"Lay the probabilities",
    wrong_backward: r"Lay the probabilities",
    wrong_nearest: r"Lay the probabilities",
    wrong_risk: r"not its risk",
    wrong_one_more: r"count from 0|Lay the probabilities",
    wrong_own_noise: r"no randomness|Lay the probabilities",
    wrong_in_place: r"argument risk after the call",
    wrong_sum_below_one: r"for 200 models and u = 0\.99999.*end below 1 by rounding",
    wrong_whole_exponents: r"in arrays of integers.*loses its fraction",
}
