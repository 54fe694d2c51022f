"""The bank of ``scale_rows``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_vectorized(X, low, high):
    inside = np.clip(X, low, high)
    Z = 2 * (inside - low) / (high - low) - 1
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def right_loop(X, low, high):
    out = np.zeros(X.shape)
    for i in range(len(X)):
        for j in range(X.shape[1]):
            value = X[i, j]
            value = min(max(value, low[j]), high[j])
            out[i, j] = 2 * (value - low[j]) / (high[j] - low[j]) - 1
        norm = np.sqrt(np.sum(out[i] ** 2))
        if norm > 1:
            out[i] = out[i] / norm
    return out


def right_middle_first(X, low, high):
    half = (high - low) / 2
    Z = (X - low - half) / half
    Z = np.minimum(np.maximum(Z, -1.0), 1.0)
    squares = np.einsum("ij,ij->i", Z, Z)
    factor = np.ones(len(Z))
    factor[squares > 1] = squares[squares > 1] ** -0.5
    return factor[:, None] * Z


def right_long_rows_alone(X, low, high):
    Z = (2 * np.clip(X, low, high) - low - high) / (high - low)
    length = np.linalg.norm(Z, axis=1)
    long = length > 1
    Z[long] /= length[long][:, None]
    return Z


def wrong_own_limits(X, low, high):
    Z = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    return 2 * Z - 1


def wrong_own_limits_shortened(X, low, high):
    least, most = X.min(axis=0), X.max(axis=0)
    Z = 2 * (X - least) / (most - least) - 1
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def wrong_long_rows_stay(X, low, high):
    inside = np.clip(X, low, high)
    return 2 * (inside - low) / (high - low) - 1


def wrong_all_rows_of_norm_one(X, low, high):
    Z = wrong_long_rows_stay(X, low, high)
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


def wrong_longest_row(X, low, high):
    Z = wrong_long_rows_stay(X, low, high)
    return Z / max(1.0, np.linalg.norm(Z, axis=1).max(initial=0))


def wrong_root_of_p(X, low, high):
    return wrong_long_rows_stay(X, low, high) / np.sqrt(X.shape[1])


def wrong_no_limits(X, low, high):
    Z = 2 * (X - low) / (high - low) - 1
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def wrong_zero_to_one(X, low, high):
    inside = np.clip(X, low, high)
    Z = (inside - low) / (high - low)
    return Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1.0)


def wrong_drops_rows(X, low, high):
    return right_vectorized(X[(np.clip(X, low, high) == X).all(axis=1)], low, high)


def wrong_in_place(X, low, high):
    np.clip(X, low, high, out=X)
    return right_vectorized(X, low, high)


def wrong_columns(X, low, high):
    Z = wrong_long_rows_stay(X, low, high)
    return Z / np.maximum(np.linalg.norm(Z, axis=0), 1.0)


def wrong_whole_norm(X, low, high):
    Z = wrong_long_rows_stay(X, low, high)
    return Z / max(1.0, np.linalg.norm(Z))


def wrong_entries_cut(X, low, high):
    return np.clip(wrong_long_rows_stay(X, low, high), -1, 1)


RIGHT = (right_vectorized, right_loop, right_middle_first, right_long_rows_alone)
WRONG = {
    wrong_own_limits: r"row \d+ of",
    wrong_own_limits_shortened: r"read off the data",
    wrong_long_rows_stay: r"not shortened to norm 1",
    wrong_all_rows_of_norm_one: r"stretched to norm 1",
    wrong_longest_row: r"divided by the longest one",
    wrong_root_of_p: r"divided by the root of p",
    wrong_no_limits: r"beyond its limits was not moved|Some values are beyond",
    wrong_zero_to_one: r"maps to \[0, 1\]",
    wrong_drops_rows: r"shape",
    wrong_in_place: r"argument X after the call",
    wrong_columns: r"row \d+ of",
    wrong_whole_norm: r"row \d+ of",
    wrong_entries_cut: r"not shortened to norm 1",
}
