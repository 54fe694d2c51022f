"""The bank of ``corner_probabilities``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def _softmax(scores, c):
    weight = np.exp(-c * (scores - scores.min()))
    return weight / weight.sum()


def _corners(g, s):
    return s * np.concatenate([g, -g])


def right_softmax(g, n, L1, s, eps0):
    scores = s * np.concatenate([g, -g])
    c = eps0 / (2 * L1 * s)
    weight = np.exp(-c * (scores - scores.min()))
    return weight / weight.sum()


def right_loop(g, n, L1, s, eps0):
    exponents = []
    for sign in (1, -1):
        for x in g:
            exponents.append(-sign * eps0 * x / (2 * L1))
    top = max(exponents)
    weights = [math.exp(each - top) for each in exponents]
    total = sum(weights)
    return [weight / total for weight in weights]


def right_logarithms(g, n, L1, s, eps0):
    a = np.concatenate([-g, g]) * (0.5 * eps0 / L1)
    return np.exp(a - np.logaddexp.reduce(a))


def right_pairs(g, n, L1, s, eps0):
    # First a coordinate, then its sign: |a| + log(1 + e^(-2|a|)) is log 2 cosh a.
    a = eps0 * g / (2 * L1)
    size = np.abs(a) + np.log1p(np.exp(-2 * np.abs(a)))
    chance = np.exp(size - size.max())
    chance = chance / chance.sum()
    minus = 0.5 + 0.5 * np.tanh(a)
    plus = 0.5 - 0.5 * np.tanh(a)
    return np.concatenate([chance * plus, chance * minus])


def wrong_as_printed(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 * n / (L1 * s))


def wrong_divides_by_n(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 * n / (2 * L1 * s))


def wrong_forgets_the_two(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (L1 * s))


def wrong_uphill(g, n, L1, s, eps0):
    return _softmax(-_corners(g, s), eps0 / (2 * L1 * s))


def wrong_half_of_the_corners(g, n, L1, s, eps0):
    return _softmax(s * g, eps0 / (2 * L1 * s))


def wrong_sizes_only(g, n, L1, s, eps0):
    return _softmax(-s * np.abs(np.concatenate([g, g])), eps0 / (2 * L1 * s))


def wrong_radius_forgotten(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (2 * L1))


def wrong_short_corners(g, n, L1, s, eps0):
    return _softmax(_corners(g, 1.0), eps0 / (2 * L1 * s))


def wrong_steepness_forgotten(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (2 * s))


def wrong_twice_the_noise(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (4 * L1 * s))


def wrong_budget_shared(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (2 * L1 * s * len(g)))


def wrong_budget_shared_by_corners(g, n, L1, s, eps0):
    return _softmax(_corners(g, s), eps0 / (4 * L1 * s * len(g)))


def wrong_order(g, n, L1, s, eps0):
    return _softmax(s * np.stack([g, -g], axis=1).ravel(), eps0 / (2 * L1 * s))


def wrong_minus_first(g, n, L1, s, eps0):
    return _softmax(s * np.concatenate([-g, g]), eps0 / (2 * L1 * s))


def wrong_no_noise(g, n, L1, s, eps0):
    scores = _corners(g, s)
    return (scores == scores.min()) / (scores == scores.min()).sum()


def wrong_ignores_the_data(g, n, L1, s, eps0):
    return np.full(2 * len(g), 1 / (2 * len(g)))


def wrong_not_normalized(g, n, L1, s, eps0):
    scores = _corners(g, s)
    return np.exp(-eps0 * (scores - scores.min()) / (2 * L1 * s))


def wrong_overflows(g, n, L1, s, eps0):
    weight = np.exp(-eps0 * _corners(g, s) / (2 * L1 * s))
    return weight / weight.sum()


def wrong_index(g, n, L1, s, eps0):
    return int(np.argmin(_corners(g, s)))


def wrong_scores_in_place(g, n, L1, s, eps0):
    g *= s
    return _softmax(np.concatenate([g, -g]), eps0 / (2 * L1 * s))


def wrong_whole_numbers(g, n, L1, s, eps0):
    both = np.zeros(2 * len(g), g.dtype)
    both[: len(g)], both[len(g) :] = s * g, -s * g
    return right_softmax(both[: len(g)] / s, n, L1, s, eps0)


RIGHT = (right_softmax, right_loop, right_logarithms, right_pairs)
WRONG = {
    wrong_as_printed: r"exact ε between.*at most eps0.*Your sensitivity shrinks with n",
    wrong_divides_by_n: r"exact ε between.*at most eps0.*Your sensitivity shrinks with",
    wrong_forgets_the_two: r"exact ε between.*raise one score and lower another",
    wrong_uphill: r"likelier: corner 2 first.*goes downhill",
    wrong_half_of_the_corners: r"seen shape \(3,\); wanted.*shape \(6,\)",
    wrong_sizes_only: r"Each corner has a score of its own",
    wrong_radius_forgotten: r"exact ε between.*length of a corner",
    wrong_short_corners: r"wanted .* with the largest c.*corners have length s",
    wrong_steepness_forgotten: r"exact ε between.*nothing here depends on L1",
    wrong_twice_the_noise: r"with the largest c.*twice the noise",
    wrong_budget_shared: r"the coordinates do not share the budget",
    wrong_budget_shared_by_corners: r"Which c makes two scores e\^eps0",
    wrong_order: r"first all corners with a plus",
    wrong_minus_first: r"with a minus stand first",
    wrong_no_noise: r"exact ε between.*seen ∞.*A corner that had a chance has none",
    wrong_ignores_the_data: r"Each corner has a score of its own",
    wrong_not_normalized: r"seen sum .*; wanted.*Divide by the sum",
    wrong_overflows: r"seen nan at index.*Here a score is far from 0",
    wrong_index: r"seen shape \(\)",
    wrong_scores_in_place: r"argument g after the call",
    wrong_whole_numbers: r"in arrays of integers.*loses its fraction",
}
