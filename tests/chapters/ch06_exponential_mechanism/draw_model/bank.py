"""The bank of ``draw_model``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_inverse(risk, eps, B, rng):
    weight = np.exp(-eps / B * (risk - risk.min()))
    ends = np.cumsum(weight)
    place = np.searchsorted(ends, rng.random() * ends[-1], side="right")
    return int(min(place, len(risk) - 1))


def right_choice(risk, eps, B, rng):
    score = (risk.min() - risk) * (eps / B)
    weight = np.exp(score)
    return rng.choice(len(risk), p=weight / weight.sum())


def right_gumbel(risk, eps, B, rng):
    return np.argmax(rng.gumbel(size=len(risk)) - risk * eps / B)


def right_race(risk, eps, B, rng):
    # the first of exponential clocks whose rates are the weights
    rate = np.exp((np.min(risk) - risk) * eps / B)
    clocks = rng.exponential(size=risk.size)
    with np.errstate(divide="ignore"):
        return int(np.argmin(clocks / rate))


def right_rejection(risk, eps, B, rng):
    least, c = float(min(risk)), eps / B
    while True:
        k = int(rng.integers(len(risk)))
        if rng.random() < np.exp(-c * (risk[k] - least)):
            return k


def _draw(weight, rng):
    return int(rng.choice(len(weight), p=weight / weight.sum()))


def _with(risk, c, rng):
    return _draw(np.exp(-c * (risk - risk.min())), rng)


def wrong_starter(risk, eps, B, rng):
    weight = np.exp(-eps * risk / 2)
    return int(np.argmax(weight))


def wrong_sign(risk, eps, B, rng):
    return _draw(np.exp(eps / B * (risk - risk.max())), rng)


def wrong_half(risk, eps, B, rng):
    return _with(risk, eps / (2 * B), rng)


def wrong_twice(risk, eps, B, rng):
    return _with(risk, 2 * eps / B, rng)


def wrong_no_range(risk, eps, B, rng):
    return _with(risk, eps, rng)


def wrong_range_multiplied(risk, eps, B, rng):
    return _with(risk, eps * B, rng)


def wrong_mean_of_models(risk, eps, B, rng):
    return _with(risk, eps / B / len(risk), rng)


def wrong_power(risk, eps, B, rng):
    return _draw(1 / (1 + risk - risk.min()), rng)


def wrong_best(risk, eps, B, rng):
    return int(np.argmin(risk))


def wrong_uniform(risk, eps, B, rng):
    return int(rng.integers(len(risk)))


def wrong_overflow(risk, eps, B, rng):
    weight = np.exp(-eps / B * risk)
    ends = np.cumsum(weight)
    return int(np.searchsorted(ends / ends[-1], rng.random(), side="right"))


def wrong_laplace(risk, eps, B, rng):
    return int(np.argmin(risk + rng.laplace(0, B / eps, len(risk))))


def wrong_normal(risk, eps, B, rng):
    return int(np.argmin(risk + B / eps * rng.standard_normal(len(risk))))


def wrong_range_of_the_data(risk, eps, B, rng):
    return _with(risk, eps / max(np.ptp(risk), 1e-9), rng)


def wrong_risk(risk, eps, B, rng):
    return float(risk[_with(risk, eps / B, rng)])


def wrong_fixed_seed(risk, eps, B, rng):
    return _with(risk, eps / B, np.random.default_rng(3))


def wrong_global(risk, eps, B, rng):
    return int(np.argmax(np.random.gumbel(size=len(risk)) - risk * eps / B))  # noqa: NPY002  (the mistake)


def wrong_chain(risk, eps, B, rng):
    at = 0
    for _ in range(20):
        to = int(np.clip(at + rng.choice([-1, 1]), 0, len(risk) - 1))
        if rng.random() < np.exp(min(0.0, eps / B * (risk[at] - risk[to]))):
            at = to
    return at


def wrong_in_place(risk, eps, B, rng):
    risk -= risk.min()
    return _with(risk, eps / B, rng)


RIGHT = (right_inverse, right_choice, right_gumbel, right_race, right_rejection)
WRONG = {
    wrong_starter: r"the same result three times",
    wrong_sign: r"Which sign has the exponent",
    wrong_half: r"nothing is paid twice",
    wrong_twice: r"twice what the budget allows",
    wrong_no_range: r"B does not enter",
    wrong_range_multiplied: r"sharper or flatter",
    wrong_mean_of_models: r"depends on the number of models",
    wrong_power: r"falls as a power",
    wrong_best: r"the same result three times",
    wrong_uniform: r"looks at no data",
    wrong_overflow: r"model|NaN|warning|divide|invalid|finite",
    wrong_laplace: r"in proportion to the weights",
    wrong_normal: r"in proportion to the weights",
    wrong_range_of_the_data: r"in proportion to the weights",
    wrong_risk: r"the same result three times|different models",
    wrong_fixed_seed: r"the same result three times",
    wrong_global: r"global state of numpy",
    wrong_chain: r"different models|in proportion",
    wrong_in_place: r"argument risk after the call",
}
