"""The bank of ``measure_constants``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_loops(U, f, G):
    L, beta, m = 0.0, -np.inf, np.inf
    for i in range(len(U)):
        for j in range(len(U)):
            way = U[j] - U[i]
            far = np.linalg.norm(way)
            if far > 0:
                L = max(L, abs(f[j] - f[i]) / far)
                bend = (f[j] - f[i] - G[i] @ way) / (far * far / 2)
                beta, m = max(beta, bend), min(m, bend)
    return np.array([L, beta, m])


def right_masked(U, f, G):
    ways = U - U[:, None]  # entry (i, j) leads from i to j
    squared = (ways * ways).sum(axis=2)
    differ = squared > 0
    rises = f - f[:, None]
    gaps = rises - np.einsum("ik,ijk->ij", G, ways)
    bends = gaps[differ] / squared[differ] * 2
    L = np.sqrt((rises * rises)[differ] / squared[differ]).max()
    return np.array([L, bends.max(), bends.min()])


def right_unique_points(U, f, G):
    U, first = np.unique(U, axis=0, return_index=True)
    f, G = f[first], G[first]
    i, j = np.nonzero(~np.eye(len(U), dtype=bool))
    far = np.hypot.reduce(U[j] - U[i], axis=1)
    tangent = f[i] + np.sum(G[i] * (U[j] - U[i]), axis=1)
    bends = 2.0 * (f[j] - tangent) / far**2
    return np.max(np.abs(f[i] - f[j]) / far), np.max(bends), np.min(bends)


def right_sorted_lists(U, f, G):
    slopes, bends = [], []
    for u, value, gradient in zip(U, f, G, strict=True):
        for v, other in zip(U, f, strict=True):
            if (u != v).any():
                away = float(np.sum((v - u) ** 2))
                slopes.append(abs(value - other) / away**0.5)
                bends.append(2 * (other - value + np.dot(gradient, u - v)) / away)
    bends.sort()
    return [max(slopes), bends[-1], bends[0]]


def _pairs(U, kept=lambda i, j: True):
    return [
        (i, j)
        for i in range(len(U))
        for j in range(len(U))
        if (U[i] != U[j]).any() and kept(i, j)
    ]


def _slope(U, f, i, j):
    return abs(f[i] - f[j]) / np.linalg.norm(U[i] - U[j])


def _bend(U, f, G, i, j):
    gap = f[j] - f[i] - G[i] @ (U[j] - U[i])
    return 2 * gap / np.linalg.norm(U[j] - U[i]) ** 2


def _answer(U, f, G, slope=_slope, bend=_bend, kept=lambda i, j: True):
    pairs = _pairs(U, kept)
    bends = [bend(U, f, G, i, j) for i, j in pairs]
    return np.array([max(slope(U, f, i, j) for i, j in pairs), max(bends), min(bends)])


def wrong_half(U, f, G):
    def bend(U, f, G, i, j):
        return _bend(U, f, G, i, j) / 2

    return _answer(U, f, G, bend=bend)


def wrong_quarter(U, f, G):
    def bend(U, f, G, i, j):
        return _bend(U, f, G, i, j) / 4

    return _answer(U, f, G, bend=bend)


def wrong_not_squared(U, f, G):
    def bend(U, f, G, i, j):
        return 2 * (f[j] - f[i] - G[i] @ (U[j] - U[i])) / np.linalg.norm(U[j] - U[i])

    return _answer(U, f, G, bend=bend)


def wrong_gradient_of_the_other_end(U, f, G):
    def bend(U, f, G, i, j):
        gap = f[j] - f[i] - G[j] @ (U[j] - U[i])
        return 2 * gap / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_size_of_the_gap(U, f, G):
    def bend(U, f, G, i, j):
        return abs(_bend(U, f, G, i, j))

    return _answer(U, f, G, bend=bend)


def wrong_no_tangent(U, f, G):
    def bend(U, f, G, i, j):
        return 2 * (f[j] - f[i]) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_no_tangent_nor_sign(U, f, G):
    def bend(U, f, G, i, j):
        return 2 * abs(f[j] - f[i]) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_tangent_times_a_point(U, f, G):
    def bend(U, f, G, i, j):
        return 2 * (f[j] - f[i] - G[i] @ U[j]) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_tangent_added(U, f, G):
    def bend(U, f, G, i, j):
        return 2 * (f[j] - f[i] + G[i] @ (U[j] - U[i])) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_gradients_compared(U, f, G):
    def bend(U, f, G, i, j):
        return np.linalg.norm(G[j] - G[i]) / np.linalg.norm(U[j] - U[i])

    return _answer(U, f, G, bend=bend)


def wrong_monotone(U, f, G):
    def bend(U, f, G, i, j):
        return (G[j] - G[i]) @ (U[j] - U[i]) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, bend=bend)


def wrong_one_order(U, f, G):
    return _answer(U, f, G, kept=lambda i, j: i < j)


def wrong_other_order(U, f, G):
    return _answer(U, f, G, kept=lambda i, j: i > j)


def wrong_neighbors(U, f, G):
    return _answer(U, f, G, kept=lambda i, j: abs(i - j) == 1)


def wrong_next_only(U, f, G):
    slopes = [_slope(U, f, i, j) for i, j in _pairs(U)]
    bends = [_bend(U, f, G, i, j) for i, j in _pairs(U, lambda i, j: j == i + 1)]
    return np.array([max(slopes), max(bends), min(bends)])


def wrong_rises_only(U, f, G):
    def slope(U, f, i, j):
        return (f[j] - f[i]) / np.linalg.norm(U[j] - U[i]) if j > i else -np.inf

    return _answer(U, f, G, slope=slope)


def wrong_slope_squared(U, f, G):
    def slope(U, f, i, j):
        return abs(f[j] - f[i]) / np.sum((U[j] - U[i]) ** 2)

    return _answer(U, f, G, slope=slope)


def wrong_distance_forgotten(U, f, G):
    def slope(U, f, i, j):
        return abs(f[j] - f[i])

    return _answer(U, f, G, slope=slope)


def wrong_absolute_distance(U, f, G):
    def slope(U, f, i, j):
        return abs(f[j] - f[i]) / np.abs(U[j] - U[i]).sum()

    return _answer(U, f, G, slope=slope)


def wrong_largest_difference(U, f, G):
    def slope(U, f, i, j):
        return abs(f[j] - f[i]) / np.abs(U[j] - U[i]).max()

    return _answer(U, f, G, slope=slope)


def wrong_longest_gradient(U, f, G):
    answer = _answer(U, f, G)
    answer[0] = np.linalg.norm(G, axis=1).max()
    return answer


def wrong_averages(U, f, G):
    answer = _answer(U, f, G)
    answer[0] = np.mean([_slope(U, f, i, j) for i, j in _pairs(U)])
    return answer


def wrong_average_curvature(U, f, G):
    answer = _answer(U, f, G)
    answer[1] = np.mean([_bend(U, f, G, i, j) for i, j in _pairs(U)])
    return answer


def wrong_flattest(U, f, G):
    answer = _answer(U, f, G)
    answer[0] = min(_slope(U, f, i, j) for i, j in _pairs(U))
    return answer


def wrong_largest_for_m(U, f, G):
    L, beta, _ = _answer(U, f, G)
    return np.array([L, beta, beta])


def wrong_least_for_beta(U, f, G):
    L, _, m = _answer(U, f, G)
    return np.array([L, m, m])


def wrong_order(U, f, G):
    return _answer(U, f, G)[[0, 2, 1]]


def wrong_m_at_least_zero(U, f, G):
    L, beta, m = _answer(U, f, G)
    return np.array([L, beta, max(m, 0.0)])


def wrong_beta_at_least_zero(U, f, G):
    L, beta, m = _answer(U, f, G)
    return np.array([L, max(beta, 0.0), m])


def wrong_starts_at_zero(U, f, G):
    L = beta = m = 0.0
    for i, j in _pairs(U):
        bend = _bend(U, f, G, i, j)
        L, beta, m = max(L, _slope(U, f, i, j)), max(beta, bend), min(m, bend)
    return np.array([L, beta, m])


def wrong_equal_points_divide_by_zero(U, f, G):
    i, j = np.nonzero(~np.eye(len(U), dtype=bool))
    far = np.linalg.norm(U[j] - U[i], axis=1)
    bends = 2 * (f[j] - f[i] - (G[i] * (U[j] - U[i])).sum(axis=1)) / far**2
    return np.array([(np.abs(f[j] - f[i]) / far).max(), bends.max(), bends.min()])


def wrong_equal_points_count_as_zero(U, f, G):
    i, j = np.nonzero(~np.eye(len(U), dtype=bool))
    far = np.linalg.norm(U[j] - U[i], axis=1) + 1e-12
    bends = 2 * (f[j] - f[i] - (G[i] * (U[j] - U[i])).sum(axis=1)) / far**2
    return np.array([(np.abs(f[j] - f[i]) / far).max(), bends.max(), bends.min()])


def wrong_any_equal_entry_is_skipped(U, f, G):
    return _answer(U, f, G, kept=lambda i, j: (U[i] != U[j]).all())


def wrong_whole_matrix(U, f, G):
    far = np.linalg.norm(U[:, None] - U)
    return np.array([np.ptp(f) / far, 2 * np.ptp(f) / far**2, 0.0])


def wrong_two_numbers(U, f, G):
    return _answer(U, f, G)[:2]


def wrong_all_pairs(U, f, G):
    return [[_slope(U, f, i, j), _bend(U, f, G, i, j)] for i, j in _pairs(U)]


def wrong_whole_numbers(U, f, G):
    answer = np.zeros_like(f, shape=3)
    answer[:] = _answer(U, f, G)
    return answer


def wrong_in_place(U, f, G):
    U -= U[0]
    return _answer(U, f, G)


def wrong_close_points_skipped(U, f, G):
    L, beta, m = 0.0, -np.inf, np.inf
    for i in range(len(U)):
        for j in range(len(U)):
            far = np.linalg.norm(U[j] - U[i])
            if far > 1e-3:
                L = max(L, abs(f[j] - f[i]) / far)
                bend = (f[j] - f[i] - G[i] @ (U[j] - U[i])) / (far * far / 2)
                beta, m = max(beta, bend), min(m, bend)
    return np.array([L, beta, m])


RIGHT = (right_loops, right_masked, right_unique_points, right_sorted_lists)
WRONG = {
    wrong_half: r"U = \[0\.0, 3\.0\].*seen \(0\.8333, 0\.2778, 0\.05556\).*Half of it",
    wrong_quarter: r"By how much is f above its tangent",
    wrong_not_squared: r"By how much is f above its tangent",
    wrong_gradient_of_the_other_end: r"β is not right.*the other end",
    wrong_size_of_the_gap: r"By how much is f above its tangent",
    wrong_no_tangent: r"No tangent is subtracted",
    wrong_no_tangent_nor_sign: r"By how much is f above its tangent",
    wrong_tangent_times_a_point: r"By how much is f above its tangent",
    wrong_tangent_added: r"By how much is f above its tangent",
    wrong_gradients_compared: r"how fast the gradient turns",
    wrong_monotone: r"By how much is f above its tangent",
    wrong_one_order: r"in one order only",
    wrong_other_order: r"β is not right.*By how much is f above its tangent",
    wrong_neighbors: r"follow each other in the log|above its tangent",
    wrong_next_only: r"By how much is f above its tangent",
    wrong_rises_only: r"Falls are not seen",
    wrong_slope_squared: r"What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_distance_forgotten: r"What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_absolute_distance: r"What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_largest_difference: r"What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_longest_gradient: r"longest gradient",
    wrong_averages: r"L is not right.*What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_average_curvature: r"β is not right.*By how much is f above its tangent",
    wrong_flattest: r"What does \|f\(u\) − f\(v\)\| ≤ L‖u − v‖",
    wrong_largest_for_m: r"m is not right.*By how much is f above its tangent",
    wrong_least_for_beta: r"β is not right.*By how much is f above its tangent",
    wrong_order: r"in another order",
    wrong_m_at_least_zero: r"cosines.*m is not right.*stays at 0",
    wrong_beta_at_least_zero: r"upside down.*β is not right.*stays at 0",
    wrong_starts_at_zero: r"By how much is f above its tangent",
    wrong_equal_points_divide_by_zero: r"nan at index",
    wrong_equal_points_count_as_zero: r"9 points, .* count as a pair",
    wrong_any_equal_entry_is_skipped: r"whole entries.*β is not right.*By how much is",
    wrong_whole_matrix: r"L is not right.*say of L",
    wrong_two_numbers: r"shape \(2,\)",
    wrong_all_pairs: r"shape \(2, 2\)",
    wrong_whole_numbers: r"whole entries.*is cut off",
    wrong_in_place: r"argument U after the call",
    wrong_close_points_skipped: r"10,000 times as close|inf",
}
