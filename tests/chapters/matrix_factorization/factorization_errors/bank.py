"""Answers to ``factorization_errors``: right ones, and wrong ones with messages."""

import math

import numpy as np


def right_vectorized(B, C):
    sensitivity = np.linalg.norm(C, axis=0).max()
    squares = np.sum(B**2, axis=1)
    mean = sensitivity * np.sqrt(squares.mean())
    worst = sensitivity * np.sqrt(squares.max())
    return np.array([sensitivity, mean, worst])


def right_loops(B, C):
    moved = max(math.sqrt(sum(x * x for x in column)) for column in C.T)
    rows = [math.sqrt(sum(x * x for x in row)) for row in B]
    total = sum(r * r for r in rows)
    return np.array([moved, moved * math.sqrt(total / len(rows)), moved * max(rows)])


def right_covariance(B, C):
    # what the noise of the sums really is: its covariance
    size = np.einsum("ij,ij->j", C, C).max()
    variances = np.diag(size * B @ B.T)
    return np.sqrt([size, np.mean(variances), np.max(variances)])


def right_frobenius(B, C):
    T = B.shape[0]
    s = np.sqrt(np.max(np.diag(C.T @ C)))
    return np.array(
        [s, s * np.linalg.norm(B) / T**0.5, s * max(np.linalg.norm(b) for b in B)]
    )


def _own(B, C, moved):
    squares = np.sum(B**2, axis=1)
    return np.array(
        [moved, moved * squares.mean() ** 0.5, moved * squares.max() ** 0.5]
    )


def wrong_starter(B, C):
    return np.full(3, np.linalg.norm(C))


def wrong_rows_of_c(B, C):
    return _own(B, C, np.linalg.norm(C, axis=1).max())


def wrong_columns_of_b(B, C):
    return _own(B.T, C, np.linalg.norm(C, axis=0).max())


def wrong_average_column(B, C):
    return _own(B, C, np.sqrt((C**2).sum(axis=0).mean()))


def wrong_whole_norm(B, C):
    return _own(B, C, np.linalg.norm(C))


def wrong_singular_value(B, C):
    return _own(B, C, np.linalg.norm(C, 2))


def wrong_no_sensitivity(B, C):
    rows = np.linalg.norm(B, axis=1)
    moved = np.linalg.norm(C, axis=0).max()
    return np.array([moved, np.sqrt((rows**2).mean()), rows.max()])


def wrong_variances(B, C):
    return _own(B, C, np.linalg.norm(C, axis=0).max()) ** 2


def wrong_mean_of_roots(B, C):
    moved, rows = np.linalg.norm(C, axis=0).max(), np.linalg.norm(B, axis=1)
    return moved * np.array([1.0, rows.mean(), rows.max()])


def wrong_absolute(B, C):
    return _own(B, C, np.abs(C).sum(axis=0).max())


def wrong_sum(B, C):
    moved = np.linalg.norm(C, axis=0).max()
    return np.array([moved, moved * np.linalg.norm(B), _own(B, C, moved)[2]])


def wrong_first_column(B, C):
    return _own(B, C, np.linalg.norm(C[:, 0]))


def wrong_last_sum(B, C):
    found = _own(B, C, np.linalg.norm(C, axis=0).max())
    return np.array([found[0], found[1], found[0] * np.linalg.norm(B[0])])


def wrong_writes(B, C):
    B *= 1.0000001
    return right_vectorized(B, C)


def wrong_two(B, C):
    return right_vectorized(B, C)[:2]


RIGHT = (right_vectorized, right_loops, right_covariance, right_frobenius)
WRONG = {
    wrong_starter: r"Which column of C",
    wrong_rows_of_c: r"Those are C's rows",
    wrong_columns_of_b: r"Those are B's columns",
    wrong_average_column: r"average over C's columns",
    wrong_whole_norm: r"norm of all of C",
    wrong_singular_value: r"largest singular value",
    wrong_no_sensitivity: r"errors lack the sensitivity",
    wrong_variances: r"Those are squares",
    wrong_mean_of_roots: r"not the mean of the roots",
    wrong_absolute: r"add up absolute values",
    wrong_sum: r"divide by T under the root",
    wrong_first_column: r"Which column of C",
    wrong_last_sum: r"Which column of C",
    wrong_writes: r"argument B after the call",
    wrong_two: r"shape \(2,\)",
}
