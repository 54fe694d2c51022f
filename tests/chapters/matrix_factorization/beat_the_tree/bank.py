"""The bank of ``beat_the_tree``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_square_root(n):
    c = np.ones(n)
    for k in range(1, n):
        c[k] = c[k - 1] * (2 * k - 1) / (2 * k)
    C = np.zeros((n, n))
    for j in range(n):
        C[j:, j] = c[: n - j]
    return C, C


def right_matrix_root(n):
    # Newton's way to the root of a triangle: each column needs only those before it
    C = np.eye(n)
    for i in range(1, n):
        for j in reversed(range(i)):
            C[i, j] = (1.0 - C[i, j + 1 : i] @ C[j + 1 : i, j]) / 2.0
    return C, C


def right_normalized(n):
    lag = np.subtract.outer(np.arange(n), np.arange(n))
    c = np.cumprod(np.r_[1.0, (np.arange(1, n) - 0.5) / np.arange(1, n)])
    C = np.where(lag < 0, 0.0, c[np.abs(lag)])
    C = C / np.linalg.norm(C, axis=0)
    return np.linalg.solve(C.T, np.tri(n).T).T, C


def right_balanced(n):
    # U √S and √S Vᵀ of the singular value decomposition, as one factor each
    U, s, Vt = np.linalg.svd(np.tri(n))
    return U * np.sqrt(s), np.sqrt(s)[:, None] * Vt


def right_tree_with_all_nodes(n):
    rows, size = [], 1
    while size <= n:
        for first in range(0, n - size + 1, size):
            rows.append([first <= j < first + size for j in range(n)])
        size *= 2
    C = np.array(rows, dtype=float)
    return np.tri(n) @ np.linalg.pinv(C), C


def wrong_each_sum(n):
    return np.eye(n), np.tri(n)


def wrong_each_vector(n):
    return np.tri(n), np.eye(n)


def _tree(n):
    nodes = [(h, i) for h in range(n.bit_length()) for i in range(n >> h)]
    C = np.zeros((len(nodes), n))
    for row, (h, i) in zip(C, nodes, strict=True):
        row[i << h : (i + 1) << h] = 1
    return nodes, C


def wrong_plain_tree(n):
    nodes, C = _tree(n)
    B = np.zeros((n, len(nodes)))
    for t in range(1, n + 1):
        start = 0
        for h in reversed(range(n.bit_length())):
            if t >> h & 1:
                B[t - 1, nodes.index((h, start >> h))] = 1
                start += 1 << h
    return B, C


def wrong_honaker(n):
    nodes, C = _tree(n)
    B = np.zeros((n, len(nodes)))
    for t in range(1, n + 1):
        start = 0
        for h in reversed(range(n.bit_length())):
            if t >> h & 1:
                for d in range(h + 1):
                    share = 2.0**-d / (2 - 2.0**-h)
                    for i in range(1 << d):
                        node = (h - d, (start >> (h - d)) + i)
                        B[t - 1, nodes.index(node)] = share
                start += 1 << h
    return B, C


def wrong_swapped(n):
    _, C = _tree(n)
    return C, np.tri(n) @ np.linalg.pinv(C)


def wrong_order_of_two(n):
    C = np.linalg.cholesky(np.eye(n) + 0.1)
    return C, np.linalg.solve(C, np.tri(n)) @ C @ np.linalg.inv(C).T


def wrong_transposed(n):
    C = right_square_root(n)[0]
    return C.T, C.T


def wrong_scaled(n):
    C = right_square_root(n)[0]
    return C / 2, C


def wrong_inverse_only(n):
    C = right_square_root(n)[0]
    return np.linalg.inv(C), C


def wrong_strict_triangle(n):
    C = right_square_root(n)[0]
    return (np.tri(n) - np.eye(n)) @ np.linalg.inv(C), C


def wrong_square_root_of_entries(n):
    return np.sqrt(np.tri(n)), np.sqrt(np.tri(n))


def wrong_coefficients(n):
    c = np.array([1 / np.sqrt(k + 1) for k in range(n)])
    C = np.array([[c[i - j] if i >= j else 0.0 for j in range(n)] for i in range(n)])
    return C, C


def wrong_encoder_alone(n):
    return right_square_root(n)[0]


def wrong_no_return(n):
    B, C = right_square_root(n)
    print(B.shape, C.shape)


def wrong_shapes(n):
    _, C = _tree(n)
    return np.tri(n), C


def wrong_powers_only(n):
    if n & (n - 1):
        raise ValueError("n must be a power of 2")
    return right_square_root(n)


def wrong_not_finite(n):
    C = np.tri(n) / (np.arange(n) + 0.0)
    return np.tri(n), C


def wrong_complex(n):
    C = right_square_root(n)[0] * (1 + 0j)
    return C, C


def wrong_ragged(n):
    return [[1.0] * (i + 1) for i in range(n + 1)], np.eye(n)


def wrong_half_way(n):
    # Most of the load on one side: C is nearly the identity.
    C = np.eye(n) + 0.002 * np.tri(n, k=-1)
    return np.tri(n) @ np.linalg.inv(C), C


def wrong_sixty_four_coefficients(n):
    c = np.zeros(n)
    c[0] = 1.0
    for k in range(1, min(n, 64)):
        c[k] = c[k - 1] * (2 * k - 1) / (2 * k)
    C = np.array([[c[i - j] if i >= j else 0.0 for j in range(n)] for i in range(n)])
    return C, C


RIGHT = (
    right_square_root,
    right_matrix_root,
    right_normalized,
    right_balanced,
    right_tree_with_all_nodes,
)
WRONG = {
    wrong_each_sum: r"worst sum at n = 16.*one vector is in all of them",
    wrong_each_vector: r"worst sum at n = 16.*Each vector has noise of its own",
    wrong_plain_tree: r"= 4\.4721.*This is the plain tree",
    wrong_honaker: r"= 3\.7225.*Honaker's tree itself",
    wrong_swapped: r"Is that the pair \(C, B\)",
    wrong_order_of_two: r"B is fixed by B C = A",
    wrong_transposed: r"transposed",
    wrong_scaled: r"All sums come out times 0\.5",
    wrong_inverse_only: r"the identity: nothing is added up",
    wrong_strict_triangle: r"the t-th belongs to it",
    wrong_square_root_of_entries: r"B is fixed by B C = A",
    wrong_coefficients: r"B is fixed by B C = A",
    wrong_encoder_alone: r"one array of shape.*Return both",
    wrong_no_return: r"seen None; .*Return both",
    wrong_shapes: r"inner sizes must agree",
    wrong_powers_only: r"ValueError: n must be a power of 2",
    wrong_not_finite: r"divided by 0",
    wrong_complex: r"array of complex128.*matrix of real numbers",
    wrong_ragged: r"a matrix of real numbers",
    wrong_half_way: r"worst sum at n = 16.*at the other's expense",
    wrong_sixty_four_coefficients: r"at n = 100",
}
