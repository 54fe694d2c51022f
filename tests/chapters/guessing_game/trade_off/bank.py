"""The bank of ``trade_off``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import itertools

import numpy as np
from scipy.optimize import linprog


def right_corners(P, Q, alpha):
    order = np.argsort(np.arctan2(Q, P))
    alarms = np.concatenate([[0.0], np.cumsum(Q[order])])
    misses = np.concatenate([[1.0], 1.0 - np.cumsum(P[order])])
    return np.interp(alpha, alarms, misses)


def right_purse(P, Q, alpha):
    # spend alpha on the output that gives most for it, then on the next
    ratio = [p / q if q > 0 else np.inf for p, q in zip(P, Q, strict=True)]
    order = sorted(range(len(P)), key=ratio.__getitem__, reverse=True)
    found = []
    for left in alpha:
        misses = 1.0
        for k in order:
            part = 1.0 if Q[k] <= left else left / Q[k]
            misses -= part * P[k]
            left -= part * Q[k]
        found.append(misses)
    return np.array(found)


def right_lines(P, Q, alpha):
    # every factor t gives a line below the curve; the highest of them is the curve
    seen = Q > 0
    t = np.append(0.0, P[seen] / Q[seen])[:, None]
    start = np.minimum(P, t * Q).sum(axis=1)
    return (start[:, None] - t * alpha).max(axis=0)


def right_linear_program(P, Q, alpha):
    found = [
        linprog(-P, A_ub=Q[None], b_ub=[a], bounds=(0, 1), method="highs-ds").fun
        for a in alpha
    ]
    return 1 + np.array(found)


def right_slices(P, Q, alpha):
    # how much of each output fits, once those before it have taken their part
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(Q / P)  # outputs that neither has come last
    P, Q = P[order], Q[order]
    room = alpha[:, None] - (np.cumsum(Q) - Q)
    share = np.where(Q > 0, np.clip(room / np.where(Q > 0, Q, 1.0), 0, 1), 1.0)
    return 1 - share @ P


def _corners(P, Q, order):
    return np.append(0, np.cumsum(Q[order])), np.append(1, 1 - np.cumsum(P[order]))


def _by_ratio(P, Q):
    with np.errstate(all="ignore"):
        return np.argsort(-np.nan_to_num(P / Q, nan=0.0))


def wrong_only_whole_outputs(P, Q, alpha):
    alarms, misses = _corners(P, Q, _by_ratio(P, Q))
    return np.array([misses[alarms <= a + 1e-12].min() for a in alpha])


def wrong_best_set_of_few(P, Q, alpha):
    sets = list(itertools.product((0, 1), repeat=len(P)))
    return np.array([
        min(1 - np.dot(s, P) for s in sets if np.dot(s, Q) <= a + 1e-12) for a in alpha
    ])  # fmt: skip


def wrong_one_output_too_many(P, Q, alpha):
    alarms, misses = _corners(P, Q, _by_ratio(P, Q))
    at = np.searchsorted(alarms, alpha - 1e-12)
    return misses[np.minimum(at, len(P))]


def wrong_sorted_by_P(P, Q, alpha):
    return np.interp(alpha, *_corners(P, Q, np.argsort(-P)))


def wrong_sorted_by_Q(P, Q, alpha):
    return np.interp(alpha, *_corners(P, Q, np.argsort(Q)))


def wrong_sorted_by_difference(P, Q, alpha):
    return np.interp(alpha, *_corners(P, Q, np.argsort(Q - P)))


def wrong_whole_outputs_by_P(P, Q, alpha):
    alarms, misses = _corners(P, Q, np.argsort(-P))
    return np.array([misses[alarms <= a + 1e-12].min() for a in alpha])


def wrong_not_sorted(P, Q, alpha):
    return np.interp(alpha, np.cumsum(Q), 1 - np.cumsum(P))


def wrong_not_sorted_from_the_start(P, Q, alpha):
    return np.interp(alpha, *_corners(P, Q, np.arange(len(P))))


def wrong_worst_test(P, Q, alpha):
    return np.interp(alpha, *_corners(P, Q, _by_ratio(P, Q)[::-1]))


def wrong_roles(P, Q, alpha):
    return np.interp(alpha, *_corners(Q, P, _by_ratio(Q, P)))


def wrong_axes(P, Q, alpha):
    alarms, misses = _corners(P, Q, _by_ratio(P, Q))
    return np.interp(alpha, misses[::-1], alarms[::-1])


def wrong_hits(P, Q, alpha):
    return 1 - right_corners(P, Q, alpha)


def wrong_pure_bound(P, Q, alpha):
    eps = np.max(np.abs(np.log(P / Q)))
    return np.maximum(1 - np.exp(eps) * alpha, np.exp(-eps) * (1 - alpha))


def wrong_total_variation(P, Q, alpha):
    return np.maximum(0, 1 - alpha - 0.5 * np.abs(P - Q).sum())


def wrong_one_threshold(P, Q, alpha):
    S = P > Q
    a, b = Q[S].sum(), 1 - P[S].sum()
    return np.where(alpha < a, 1 - (1 - b) * alpha / a, b * (1 - alpha) / (1 - a))


def wrong_one_threshold_alone(P, Q, alpha):
    return np.full(len(alpha), P[P <= Q].sum())


def wrong_one_output(P, Q, alpha):
    return np.array([1 - np.max(P * np.minimum(1, a / Q)) for a in alpha])


def wrong_blind(P, Q, alpha):
    return 1 - alpha


def wrong_curve_begins_late(P, Q, alpha):
    alarms, misses = _corners(P, Q, _by_ratio(P, Q))
    return np.interp(alpha, alarms[1:], misses[1:])


def wrong_drops_what_only_P_has(P, Q, alpha):
    P, Q = P[Q > 0], Q[Q > 0]
    return np.interp(alpha, *_corners(P, Q, np.argsort(-P / Q)))


def wrong_one_output_for_each_ratio(P, Q, alpha):
    rows = {q / p if p > 0 else np.inf: (p, q) for p, q in zip(P, Q, strict=True)}
    P, Q = np.array([rows[ratio] for ratio in sorted(rows)]).T
    return np.interp(alpha, *_corners(P, Q, np.arange(len(P))))


def wrong_slopes(P, Q, alpha):
    order = np.argsort(-P / Q)
    alarms, misses = _corners(P, Q, order)
    at = np.clip(np.searchsorted(alarms, alpha, side="right") - 1, 0, len(P) - 1)
    return misses[at] - (P / Q)[order][at] * (alpha - alarms[at])


def wrong_grid_of_thresholds(P, Q, alpha):
    t = np.geomspace(1e-3, 1e3, 1000)[:, None]
    start = np.minimum(P, t * Q).sum(axis=1)
    return np.max(start[:, None] - t * alpha, axis=0).clip(0)


def wrong_both_roles(P, Q, alpha):
    return np.minimum(right_corners(P, Q, alpha), right_corners(Q, P, alpha))


def wrong_safer_of_both_roles(P, Q, alpha):
    return np.maximum(right_corners(P, Q, alpha), right_corners(Q, P, alpha))


def wrong_sorted_shares(P, Q, alpha):
    return right_corners(P, Q, np.sort(alpha))


def wrong_chance_of_an_error(P, Q, alpha):
    return (alpha + right_corners(P, Q, alpha)) / 2


def wrong_first_share_only(P, Q, alpha):
    return right_corners(P, Q, alpha)[0]


def wrong_in_place(P, Q, alpha):
    P /= Q
    return alpha * P.max()


RIGHT = (
    right_corners, right_purse, right_lines, right_linear_program, right_slices,
)  # fmt: skip
WRONG = {
    wrong_only_whole_outputs: r"Between two of your tests",
    wrong_best_set_of_few: r"Here the best test tosses a coin",
    wrong_one_output_too_many: r"Here the best test tosses a coin",
    wrong_sorted_by_P: r"outputs that P makes likely",
    wrong_sorted_by_Q: r"outputs that Q makes unlikely",
    wrong_sorted_by_difference: r"largest difference",
    wrong_whole_outputs_by_P: r"Here the best test says “in” on a",
    wrong_not_sorted: r"order in which they stand",
    wrong_not_sorted_from_the_start: r"Here the best test says “in” on a",
    wrong_worst_test: r"Here the best test says “in” on a",
    wrong_roles: r"roles are exchanged",
    wrong_axes: r"roles are exchanged",
    wrong_hits: r"Those are the hits",
    wrong_pure_bound: r"largest in the table",
    wrong_total_variation: r"Here the best test says “in” on a",
    wrong_one_threshold: r"mixes one test with blind guesses",
    wrong_one_threshold_alone: r"Here the best test says “in” on a",
    wrong_one_output: r"Here the best test says “in” on a",
    wrong_blind: r"Here the best test says “in” on a",
    wrong_curve_begins_late: r"Here the best test says “in” on a",
    wrong_drops_what_only_P_has: r"a sure hit, and costs nothing",
    wrong_one_output_for_each_ratio: r"those of equal ratio",
    wrong_slopes: r"seen nan at index",
    wrong_grid_of_thresholds: r"only so many thresholds",
    wrong_both_roles: r"Here the best test says “in” on a",
    wrong_safer_of_both_roles: r"Here the best test says “in” on a",
    wrong_sorted_shares: r"Here the best test tosses a coin",
    wrong_chance_of_an_error: r"Here the best test says “in” on a",
    wrong_first_share_only: r"seen shape \(\)",
    wrong_in_place: r"argument P after the call",
}
