"""The bank of ``enough_steps``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_all_starts(P, pi, delta):
    tables = P
    for T in range(1, 1_000):
        if (np.abs(tables - pi).sum(axis=1) / 2).max() <= delta:
            return T
        tables = tables @ P
    return None


def right_one_start_at_a_time(P, pi, delta):
    worst = 0
    for i in range(len(P)):
        chances, T = P[i], 1
        while np.maximum(chances - pi, 0.0).sum() > delta:
            chances, T = chances @ P, T + 1
        worst = max(worst, T)
    return worst


def right_by_halving(P, pi, delta):
    def far(T):
        power = np.linalg.matrix_power(P, T)
        return 0.5 * np.abs(power - pi).sum(axis=1).max()

    high = 1
    while far(high) > delta:
        high *= 2
    low = high // 2  # too few; high is enough
    while high - low > 1:
        middle = (low + high) // 2
        if far(middle) > delta:
            low = middle
        else:
            high = middle
    return high


def right_by_eigenvectors(P, pi, delta):
    values, vectors = np.linalg.eig(P)
    inverse = np.linalg.inv(vectors)
    for T in range(1, 1_000):
        tables = ((vectors * values**T) @ inverse).real
        if np.linalg.norm(tables - pi, ord=np.inf) <= 2 * delta:
            return T
    return None


def _count(P, near):
    power = np.eye(len(P))
    for T in range(1_000):
        if near(power):
            return T
        power = power @ P
    return 1_000


def wrong_without_the_half(P, pi, delta):
    return _count(P, lambda W: np.abs(W - pi).sum(axis=1).max() <= delta)


def wrong_start_at_zero(P, pi, delta):
    chances, T = P[0], 1
    while np.abs(chances - pi).sum() / 2 > delta:
        chances, T = chances @ P, T + 1
    return T


def wrong_average_start(P, pi, delta):
    return _count(P, lambda W: np.abs(W - pi).sum(axis=1).mean() / 2 <= delta)


def wrong_best_start(P, pi, delta):
    return _count(P, lambda W: np.abs(W - pi).sum(axis=1).min() / 2 <= delta)


def wrong_start_from_the_limit(P, pi, delta):
    return _count(P, lambda W: pi @ np.abs(W - pi).sum(axis=1) / 2 <= delta)


def wrong_largest_entry(P, pi, delta):
    return _count(P, lambda W: np.abs(W - pi).max() <= delta)


def wrong_by_eye(P, pi, delta):
    return _count(P, lambda W: np.abs(W @ P - W).sum(axis=1).max() / 2 <= delta)


def wrong_columns(P, pi, delta):
    return _count(P, lambda W: np.abs(W.T - pi).sum(axis=1).max() / 2 <= delta)


def wrong_limit(P, pi, delta):
    even = np.full(len(P), 1 / len(P))
    return _count(P, lambda W: np.abs(W - even).sum(axis=1).max() / 2 <= delta)


def wrong_second_eigenvalue(P, pi, delta):
    second = np.sort(np.abs(np.linalg.eigvals(P)))[-2]
    return np.ceil(np.log(delta) / np.log(second))


def wrong_textbook_bound(P, pi, delta):
    second = np.sort(np.abs(np.linalg.eigvals(P)))[-2]
    return np.ceil(np.log(delta * pi.min()) / np.log(second))


def wrong_powers_of_two(P, pi, delta):
    power, T = P, 1
    while np.abs(power - pi).sum(axis=1).max() / 2 > delta:
        power, T = power @ power, 2 * T
    return T


def wrong_one_too_few(P, pi, delta):
    return right_all_starts(P, pi, delta) - 1


def wrong_one_too_many(P, pi, delta):
    T = 1
    power = np.eye(len(P))
    while np.abs(power - pi).sum(axis=1).max() / 2 > delta:
        power, T = power @ P, T + 1
    return T


def wrong_entrywise_power(P, pi, delta):
    T = 1
    while np.abs(P**T - pi).sum(axis=1).max() / 2 > delta:
        T += 1
    return T


def wrong_ten_thousand(P, pi, delta):
    return 10_000


def wrong_a_list(P, pi, delta):
    tables = np.eye(len(P))
    far = []
    for _ in range(50):
        tables = tables @ P
        far.append(np.abs(tables - pi).sum(axis=1).max() / 2)
    return far


def wrong_in_place(P, pi, delta):
    T, step = 1, P.copy()
    while np.abs(P - pi).sum(axis=1).max() / 2 > delta:
        P[:] = P @ step
        T += 1
    return T


def _from_starts(P, pi, delta, starts):
    tables = P[starts]
    for T in range(1, 1_000):
        if (np.abs(tables - pi).sum(axis=1) / 2).max() <= delta:
            return T
        tables = tables @ P
    return None


def wrong_both_ends(P, pi, delta):
    return _from_starts(P, pi, delta, [0, -1])


def wrong_least_likely_start(P, pi, delta):
    return _from_starts(P, pi, delta, [int(np.argmin(pi))])


RIGHT = (
    right_all_starts,
    right_one_start_at_a_time,
    right_by_halving,
    right_by_eigenvectors,
)
WRONG = {
    wrong_without_the_half: r"half of it",
    wrong_start_at_zero: r"starts at place 0",
    wrong_average_start: r"average over the starts",
    wrong_best_start: r"Which matrix holds the",
    wrong_start_from_the_limit: r"Which matrix holds the",
    wrong_largest_entry: r"largest difference of one place",
    wrong_by_eye: r"a step changes little",
    wrong_columns: r"Row i of the power is the",
    wrong_limit: r"seen 1000.*Which matrix holds the",
    wrong_second_eigenvalue: r"second eigenvalue",
    wrong_textbook_bound: r"a bound on the number of steps",
    wrong_powers_of_two: r"Which matrix holds the",
    wrong_one_too_few: r"still above delta",
    wrong_one_too_many: r"One step fewer is enough",
    wrong_entrywise_power: r"no result after.*loop never end",
    wrong_ten_thousand: r"seen 10000; wanted 1\..*Which matrix",
    wrong_a_list: r"shape \(50,\)",
    wrong_in_place: r"argument P after the call",
    wrong_both_ends: r"the steps of a chain on",
    wrong_least_likely_start: r"the steps of a chain on",
}
