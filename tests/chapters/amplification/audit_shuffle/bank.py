"""The bank of ``audit_shuffle``: answers that must pass, and answers that must not."""

import math
from statistics import NormalDist

import numpy as np


def _out(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def _some(shift, steps, sigma, c):
    inside = (1 - _out(c / sigma)) ** (steps - 1) * (1 - _out((c - shift) / sigma))
    return 1 - inside


def right_products(eps, steps, sigma, c):
    phi = NormalDist(0, sigma).cdf
    below = phi(c) ** (steps - 1)
    claim, wrong = 1 - below * phi(c - 2), 1 - below * phi(c - 1)
    return max(0.0, claim - math.exp(eps) * wrong)


def right_logarithms(eps, steps, sigma, c):
    rest = (steps - 1) * math.log1p(-_out(c / sigma))
    there = -math.expm1(rest + math.log1p(-_out((c - 2) / sigma)))
    zero = -math.expm1(rest + math.log1p(-_out((c - 1) / sigma)))
    gain = there - math.exp(eps) * zero
    return gain if gain > 0 else 0.0


def right_loop(eps, steps, sigma, c):
    answers = []
    for mine in (2.0, 1.0):
        means = [mine] + [0.0] * (steps - 1)
        all_below = 1.0
        for mean in means:
            all_below *= 1 - 0.5 * math.erfc((c - mean) / (sigma * math.sqrt(2)))
        answers.append(1 - all_below)
    return max(answers[0] - math.exp(eps) * answers[1], 0)


def right_conditioned(eps, steps, sigma, c):
    others = -math.expm1((steps - 1) * math.log1p(-_out(c / sigma)))
    claim = others + (1 - others) * _out((c - 2) / sigma)
    wrong = others + (1 - others) * _out((c - 1) / sigma)
    return np.maximum(0.0, claim - np.exp(eps) * wrong)


def wrong_starter(eps, steps, sigma, c):
    return 0.5 * math.erfc(c / (sigma * math.sqrt(2)))


def _gain(eps, claim, wrong):
    return max(0.0, claim - math.exp(eps) * wrong)


def wrong_quiet_others(eps, steps, sigma, c):
    return _gain(eps, _some(1, steps, sigma, c), _some(0, steps, sigma, c))


def wrong_batch_of_others(eps, steps, sigma, c):
    return _gain(eps, _some(2, steps, sigma, c), _some(0, steps, sigma, c))


def wrong_one_batch_more(eps, steps, sigma, c):
    return _gain(eps, _some(2, steps + 1, sigma, c), _some(1, steps + 1, sigma, c))


def wrong_fixed_order(eps, steps, sigma, c):
    return _gain(eps, _out((c - 2) / sigma), _out((c - 1) / sigma))


def wrong_no_factor(eps, steps, sigma, c):
    return _some(2, steps, sigma, c) - _some(1, steps, sigma, c)


def wrong_variance(eps, steps, sigma, c):
    root = math.sqrt(sigma)
    return _gain(eps, _some(2, steps, root, c), _some(1, steps, root, c))


def wrong_direction(eps, steps, sigma, c):
    return _gain(eps, _some(1, steps, sigma, c), _some(2, steps, sigma, c))


def wrong_negative(eps, steps, sigma, c):
    return _some(2, steps, sigma, c) - math.exp(eps) * _some(1, steps, sigma, c)


def wrong_all_batches_mine(eps, steps, sigma, c):
    claim = 1 - (1 - _out((c - 2) / sigma)) ** steps
    return _gain(eps, claim, 1 - (1 - _out((c - 1) / sigma)) ** steps)


def wrong_all_instead_of_some(eps, steps, sigma, c):
    others = _out(c / sigma) ** (steps - 1)
    return _gain(eps, others * _out((c - 2) / sigma), others * _out((c - 1) / sigma))


def wrong_union_bound(eps, steps, sigma, c):
    rest = (steps - 1) * _out(c / sigma)
    return _gain(eps, rest + _out((c - 2) / sigma), rest + _out((c - 1) / sigma))


def wrong_below(eps, steps, sigma, c):
    return _gain(eps, 1 - _some(2, steps, sigma, c), 1 - _some(1, steps, sigma, c))


def wrong_one_plus_epsilon(eps, steps, sigma, c):
    claim, wrong = _some(2, steps, sigma, c), _some(1, steps, sigma, c)
    return max(0.0, claim - (1 + eps) * wrong)


def wrong_drawn(eps, steps, sigma, c):
    rng = np.random.default_rng(0)
    sums = sigma * rng.standard_normal((400, steps))
    there, zero = sums.copy(), sums.copy()
    there[:, 0] += 2
    zero[:, 0] += 1
    claim, wrong = ((x > c).any(axis=1).mean() for x in (there, zero))
    return max(0.0, claim - math.exp(eps) * wrong)


def wrong_rounded(eps, steps, sigma, c):
    return round(right_products(eps, steps, sigma, c), 4)


RIGHT = (right_products, right_logarithms, right_loop, right_conditioned)
WRONG = {
    wrong_starter: r"all T sums stay below",
    wrong_quiet_others: r"among others whose gradients are 0",
    wrong_batch_of_others: r"a record less",
    wrong_one_batch_more: r"T sums in all",
    wrong_fixed_order: r"watches one sum",
    wrong_no_factor: r"counts e\^ε times",
    wrong_variance: r"not its variance",
    wrong_direction: r"more likely with you",
    wrong_negative: r"δ is never negative",
    wrong_all_batches_mine: r"Only one of the T batches",
    wrong_all_instead_of_some: r"proves nothing",
    wrong_union_bound: r"all T sums stay below",
    wrong_below: r"proves nothing",
    wrong_one_plus_epsilon: r"all T sums stay below",
    wrong_drawn: r"all T sums stay below|six digits",
    wrong_rounded: r"six digits",
}
