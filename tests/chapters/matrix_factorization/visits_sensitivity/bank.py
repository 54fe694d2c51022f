"""Answers to ``visits_sensitivity``: right ones, and wrong ones with messages."""

from itertools import combinations, pairwise

import numpy as np


def right_combinations(C, visits, apart):
    T, worst = C.shape[1], 0.0
    for count in range(1, min(visits, T) + 1):
        for steps in combinations(range(T), count):
            if count == 1 or min(np.diff(steps)) >= apart:
                worst = max(worst, np.linalg.norm(C[:, list(steps)].sum(axis=1)))
    return worst


def right_recursion(C, visits, apart):
    def best(first, left, so_far):
        found = np.sqrt(so_far @ so_far)
        if left == 0:
            return found
        for j in range(first, C.shape[1]):
            found = max(found, best(j + apart, left - 1, so_far + C[:, j]))
        return found

    return best(0, visits, np.zeros(len(C)))


def right_bits(C, visits, apart):
    G, T = C.T @ C, C.shape[1]
    worst = 0.0
    for code in range(1 << T):
        used = [j for j in range(T) if code >> j & 1]
        if len(used) > visits:
            continue
        if any(b - a < apart for a, b in pairwise(used)):
            continue
        worst = max(worst, G[np.ix_(used, used)].sum())
    return worst**0.5


def right_growing(C, visits, apart):
    # all patterns, grown by one step at a time
    patterns = [((j,), C[:, j].astype(float)) for j in range(C.shape[1])]
    worst = 0.0
    for _ in range(visits):
        worst = max([worst, *[float(np.linalg.norm(v)) for _, v in patterns]])
        patterns = [
            ((*steps, j), v + C[:, j])
            for steps, v in patterns
            for j in range(steps[-1] + apart, C.shape[1])
        ]
    return worst


def _longest(C):
    return np.linalg.norm(C, axis=0).max()


def wrong_starter(C, visits, apart):
    return np.sqrt(visits) * np.linalg.norm(C[:, 0])


def wrong_one_visit(C, visits, apart):
    return _longest(C)


def wrong_root(C, visits, apart):
    return np.sqrt(visits) * _longest(C)


def wrong_times(C, visits, apart):
    return visits * _longest(C)


def wrong_first_pattern(C, visits, apart):
    return np.linalg.norm(C[:, ::apart][:, :visits].sum(axis=1))


def wrong_farther(C, visits, apart):
    return right_recursion(C, visits, apart + 1)


def wrong_nearer(C, visits, apart):
    return right_recursion(C, visits, max(1, apart - 1))


def wrong_no_distance(C, visits, apart):
    return right_recursion(C, visits, 1)


def wrong_rows(C, visits, apart):
    return right_recursion(C.T, visits, apart)


def wrong_square(C, visits, apart):
    return right_recursion(C, visits, apart) ** 2


def wrong_exactly(C, visits, apart):
    """Tries patterns of exactly k steps: a short stream has none."""
    worst = 0.0
    for steps in combinations(range(C.shape[1]), visits):
        if visits == 1 or min(np.diff(steps)) >= apart:
            worst = max(worst, np.linalg.norm(C[:, list(steps)].sum(axis=1)))
    return worst


def wrong_last_pattern(C, visits, apart):
    return np.linalg.norm(C[:, ::-1][:, ::apart][:, :visits].sum(axis=1))


def wrong_absolute(C, visits, apart):
    best = 0.0
    for j in range(min(apart, C.shape[1])):
        best = max(best, np.abs(C[:, j::apart][:, :visits]).sum())
    return best


def wrong_longest_first(C, visits, apart):
    norms, used = np.linalg.norm(C, axis=0), []
    for j in np.argsort(-norms):
        if len(used) < visits and all(abs(j - i) >= apart for i in used):
            used.append(j)
    return np.linalg.norm(C[:, used].sum(axis=1))


def wrong_nothing(C, visits, apart):
    right_recursion(C, visits, apart)


RIGHT = (right_combinations, right_recursion, right_bits, right_growing)
WRONG = {
    wrong_starter: r"largest move of Cx",
    wrong_one_visit: r"single participation",
    wrong_root: r"root of k is right if",
    wrong_times: r"add up norms",
    wrong_first_pattern: r"first pattern alone",
    wrong_farther: r"farther apart",
    wrong_nearer: r"d − 1 steps apart",
    wrong_no_distance: r"ignore the distance|d − 1 steps apart",
    wrong_rows: r"C's rows",
    wrong_square: r"square of the distance",
    wrong_exactly: r"patterns of exactly k steps|has room for fewer",
    wrong_last_pattern: r"all patterns of steps",
    wrong_absolute: r"all patterns of steps",
    wrong_longest_first: r"largest move of Cx",
    wrong_nothing: r"None",
}
