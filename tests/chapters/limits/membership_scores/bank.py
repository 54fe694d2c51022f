"""The bank of ``membership_scores``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def _scaled(scores, variance):
    return scores / np.sqrt(np.sum(variance))


def right_product(a, X, P):
    spread = np.sqrt(np.sum((a - P) ** 2 * (1 - P**2)))
    return (X - P) @ (a - P) / spread


def right_loop(a, X, P):
    variance = 0.0
    for j in range(len(P)):
        variance += (a[j] - P[j]) ** 2 * (1 - P[j]) * (1 + P[j])
    out = []
    for x in X:
        score = sum((a[j] - P[j]) * (x[j] - P[j]) for j in range(len(P)))
        out.append(score / math.sqrt(variance))
    return np.array(out)


def right_einsum(a, X, P):
    pull = a - P
    chance = (1 + P) / 2
    variance = 4 * np.einsum("j,j,j->", pull * pull, chance, 1 - chance)
    return np.einsum("ij,j->i", X - P, pull) * variance**-0.5


def right_one_matrix(a, X, P):
    # The score, with its mean taken off afterwards
    weight = (a - P) / np.linalg.norm((a - P) * np.sqrt(1 - P * P))
    return X @ weight - P @ weight


def wrong_agreement(a, X, P):
    return _scaled(X @ a, a**2 * (1 - P**2))


def wrong_not_scaled(a, X, P):
    return (X - P) @ (a - P)


def wrong_variance(a, X, P):
    return (X - P) @ (a - P) / np.sum((a - P) ** 2 * (1 - P**2))


def wrong_unit_variance(a, X, P):
    return (X - P) @ (a - P) / np.linalg.norm(a - P)


def wrong_squared_mean(a, X, P):
    return _scaled((X - P) @ (a - P), (a - P) ** 2 * P**2)


def wrong_unweighted_variance(a, X, P):
    return _scaled((X - P) @ (a - P), 1 - P**2)


def wrong_weight_not_squared(a, X, P):
    return _scaled((X - P) @ (a - P), np.abs(a - P) * (1 - P**2))


def wrong_mean_not_centered(a, X, P):
    return _scaled((X - P) @ a, (a - P) ** 2 * (1 - P**2))


def wrong_people_not_centered(a, X, P):
    return _scaled(X @ (a - P), (a - P) ** 2 * (1 - P**2))


def wrong_sign(a, X, P):
    return _scaled((X - P) @ (P - a), (a - P) ** 2 * (1 - P**2))


def wrong_sizes(a, X, P):
    return np.abs(_scaled((X - P) @ (a - P), (a - P) ** 2 * (1 - P**2)))


def wrong_deviation_of_these_people(a, X, P):
    scores = (X - P) @ (a - P)
    return scores / max(scores.std(), 1e-300)


def wrong_mean_of_these_people(a, X, P):
    return _scaled((X - X.mean(axis=0)) @ (a - P), (a - P) ** 2 * (1 - P**2))


def wrong_one_score_for_all(a, X, P):
    return np.sum((X - P) @ (a - P))


def wrong_scores_of_signs(a, X, P):
    return (X - P) * (a - P)


def wrong_in_place(a, X, P):
    a -= P
    return _scaled((X - P) @ a, a**2 * (1 - P**2))


def wrong_divides_by_zero(a, X, P):
    z = (X - P) / np.sqrt(1 - P**2)
    pull = (a - P) * np.sqrt(1 - P**2)
    return z @ pull / np.linalg.norm(pull)


def wrong_cut_scores(a, X, P):
    return np.clip(right_product(a, X, P), -6, 6)


RIGHT = (right_product, right_loop, right_einsum, right_one_matrix)
WRONG = {
    wrong_agreement: r"Nothing is centered",
    wrong_not_scaled: r"not in units of its deviation",
    wrong_variance: r"divides by the variance",
    wrong_unit_variance: r"does not have variance 1",
    wrong_squared_mean: r"What is the variance of a sign",
    wrong_unweighted_variance: r"The entries of a − P weight the",
    wrong_weight_not_squared: r"What is the variance of a sign",
    wrong_mean_not_centered: r"The mean is not centered",
    wrong_people_not_centered: r"The people are not centered",
    wrong_sign: r"The sign is reversed",
    wrong_sizes: r"What is the variance of a sign",
    wrong_deviation_of_these_people: r"over the people at hand",
    wrong_mean_of_these_people: r"centered by their own mean",
    wrong_one_score_for_all: r"seen shape \(\); wanted.*shape \(5,\)",
    wrong_scores_of_signs: r"seen shape \(5, 4\); wanted.*shape \(5,\)",
    wrong_in_place: r"argument a after the call",
    wrong_divides_by_zero: r"nan at index.*divided by 0",
    wrong_cut_scores: r"with 100 signs each.*Nothing bounds a score",
}
