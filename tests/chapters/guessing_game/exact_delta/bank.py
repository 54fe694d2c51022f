"""The bank of ``exact_delta``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math

import numpy as np


def right_positive_parts(P, Q, eps):
    factor = math.exp(eps)
    forth = np.maximum(P - factor * Q, 0.0).sum()
    back = np.maximum(Q - factor * P, 0.0).sum()
    return max(forth, back)


def right_loop(P, Q, eps):
    forth, back = 0.0, 0.0
    for p, q in zip(P, Q, strict=True):
        if p > math.exp(eps) * q:
            forth += p - math.exp(eps) * q
        if q > math.exp(eps) * p:
            back += q - math.exp(eps) * p
    return forth if forth > back else back


def right_overlap(P, Q, eps):
    # what is left of 1 when all that the other side covers is taken away
    both = np.stack([P, Q])
    covered = np.minimum(both, np.exp(eps) * both[::-1])
    return float(1.0 - covered.sum(axis=1).min())


def right_best_set(P, Q, eps):
    found = []
    for one, other in ((P, Q), (Q, P)):
        chosen = one - np.exp(eps) * other > 0
        found.append(one[chosen].sum() - np.exp(eps) * other[chosen].sum())
    return max(found)


def right_sorted(P, Q, eps):
    gain = np.sort(np.array([P - np.exp(eps) * Q, Q - np.exp(eps) * P]), axis=1)
    sums = np.cumsum(gain[:, ::-1], axis=1)
    return max(0.0, sums.max())


def _beyond(P, Q, eps):
    return np.maximum(P - np.exp(eps) * Q, 0.0).sum()


def wrong_one_direction(P, Q, eps):
    return _beyond(P, Q, eps)


def wrong_other_direction(P, Q, eps):
    return _beyond(Q, P, eps)


def wrong_sum_of_directions(P, Q, eps):
    return _beyond(P, Q, eps) + _beyond(Q, P, eps)


def wrong_milder_direction(P, Q, eps):
    return min(_beyond(P, Q, eps), _beyond(Q, P, eps))


def wrong_worst_output(P, Q, eps):
    worst = max(np.max(P - np.exp(eps) * Q), np.max(Q - np.exp(eps) * P))
    return max(0.0, worst)


def wrong_chance_of_a_large_ratio(P, Q, eps):
    return max(P[np.exp(eps) * Q < P].sum(), Q[np.exp(eps) * P < Q].sum())


def wrong_absolute_values(P, Q, eps):
    return max(
        np.abs(P - np.exp(eps) * Q).sum(), np.abs(Q - np.exp(eps) * P).sum()
    )  # fmt: skip


def wrong_no_positive_part(P, Q, eps):
    return max((P - np.exp(eps) * Q).sum(), (Q - np.exp(eps) * P).sum(), 0.0)


def wrong_half(P, Q, eps):
    return 0.5 * max(_beyond(P, Q, eps), _beyond(Q, P, eps))


def wrong_total_variation(P, Q, eps):
    return 0.5 * np.abs(P - Q).sum()


def wrong_factor_epsilon(P, Q, eps):
    return max(np.maximum(P - eps * Q, 0).sum(), np.maximum(Q - eps * P, 0).sum())


def wrong_factor_one_plus(P, Q, eps):
    factor = 1 + eps
    return max(np.maximum(P - factor * Q, 0).sum(), np.maximum(Q - factor * P, 0).sum())


def wrong_factor_upside_down(P, Q, eps):
    return max(_beyond(P, Q, -eps), _beyond(Q, P, -eps))


def wrong_powers_of_two(P, Q, eps):
    return max(_beyond(P, Q, eps * np.log(2)), _beyond(Q, P, eps * np.log(2)))


def wrong_ratio(P, Q, eps):
    # skips outputs that only one side can give
    loss = np.log(P / Q)
    seen = np.isfinite(loss)
    forth = np.maximum(P[seen] * (1 - np.exp(eps - loss[seen])), 0).sum()
    back = np.maximum(Q[seen] * (1 - np.exp(eps + loss[seen])), 0).sum()
    return max(forth, back)


def wrong_ratios_alone(P, Q, eps):
    return max(np.max(P / Q), np.max(Q / P), np.exp(eps)) - np.exp(eps)


def wrong_epsilon_of_the_table(P, Q, eps):
    return float(np.max(np.abs(np.log(P / Q))) > eps)


def wrong_each_output(P, Q, eps):
    return np.maximum(P - np.exp(eps) * Q, 0.0)


def wrong_in_place(P, Q, eps):
    P -= np.exp(eps) * Q
    return P[P > 0].sum()


def wrong_averaged(P, Q, eps):
    return (_beyond(P, Q, eps) + _beyond(Q, P, eps)) / 2


def wrong_where_both_are_possible(P, Q, eps):
    both = (P > 0) & (Q > 0)
    forth = np.maximum(P - np.exp(eps) * Q, 0.0)[both].sum()
    back = np.maximum(Q - np.exp(eps) * P, 0.0).sum()
    return max(forth, back)


def wrong_nothing_forth(P, Q, eps):
    forth = np.maximum(P - np.exp(eps) * Q, 0.0).sum()
    back = np.maximum(Q - np.exp(eps) * P, 0.0).sum()
    return max(forth, back) if forth > 0 else 0.0


def wrong_epsilon_cut(P, Q, eps):
    return right_positive_parts(P, Q, min(eps, 5.0))


def wrong_all_of_what_one_side_allows(P, Q, eps):
    for A, B in ((P, Q), (Q, P)):
        if np.any(A[B == 0] > 0):
            return A[np.exp(eps) * B < A].sum()
    return max(
        np.maximum(P - np.exp(eps) * Q, 0).sum(),
        np.maximum(Q - np.exp(eps) * P, 0).sum(),
    )


RIGHT = (
    right_positive_parts, right_loop, right_overlap, right_best_set, right_sorted,
)  # fmt: skip
WRONG = {
    wrong_all_of_what_one_side_allows: r"impossible on one side|identifies",
    wrong_one_direction: r"ask both ways",
    wrong_other_direction: r"ask both ways",
    wrong_sum_of_directions: r"one δ must serve for each",
    wrong_milder_direction: r"milder of the two|ask both ways",
    wrong_worst_output: r"worst single output",
    wrong_chance_of_a_large_ratio: r"how likely the ratio exceeds",
    wrong_absolute_values: r"Outputs that are less likely than",
    wrong_no_positive_part: r"Over all outputs together",
    wrong_half: r"Which set of outputs is the most",
    wrong_total_variation: r"δ at ε = 0",
    wrong_factor_epsilon: r"by the factor e\^ε, not by ε",
    wrong_factor_one_plus: r"Which set of outputs is the most",
    wrong_factor_upside_down: r"Which set of outputs is the most",
    wrong_powers_of_two: r"Which set of outputs is the most",
    wrong_ratio: r"published at random.*An output that has probability 0 on",
    wrong_ratios_alone: r"Which set of outputs is the most",
    wrong_epsilon_of_the_table: r"your δ at eps.*most telling",
    wrong_each_output: r"seen shape \(4,\)",
    wrong_in_place: r"argument P after the call",
    wrong_averaged: r"your δ at eps",
    wrong_where_both_are_possible: r"P = \[0\.2 0\.8\].*impossible on one side",
    wrong_nothing_forth: r"P = \[0\. 1\.\].*impossible on one side",
    wrong_epsilon_cut: r"at eps = (10|5).*",
}
