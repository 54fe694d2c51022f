"""The bank of ``clip``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_factor(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return G * np.minimum(1.0, C / np.maximum(norms, C))


def right_loop(G, C):
    out = np.zeros(G.shape)
    for i in range(len(G)):
        norm = np.sqrt(np.sum(G[i] ** 2))
        if norm > C:
            out[i] = G[i] * (C / norm)
        else:
            out[i] = G[i]
    return out


def right_where(G, C):
    squares = np.einsum("ij,ij->i", G, G)
    factor = np.ones(len(G))
    long = squares > C * C
    factor[long] = C / np.sqrt(squares[long])
    return factor[:, None] * G


def right_library_style(G, C):
    norms = np.linalg.norm(G, axis=-1)
    return (G.T * np.clip(C / (norms + 1e-6), None, 1.0)).T


def wrong_coordinates(G, C):
    return np.clip(G, -C, C)


def wrong_whole_matrix(G, C):
    return G * min(1.0, C / np.linalg.norm(G))


def wrong_always_normalized(G, C):
    return C * G / np.linalg.norm(G, axis=1, keepdims=True)


def wrong_zero_over_zero(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return np.where(norms <= 0, np.nan, G * np.minimum(1.0, C / norms))


def wrong_in_place(G, C):
    G *= np.minimum(1.0, C / np.maximum(np.linalg.norm(G, axis=1, keepdims=True), C))
    return G


def wrong_columns(G, C):
    return G / np.maximum(np.linalg.norm(G, axis=0) / C, 1.0)


def wrong_absolute_values(G, C):
    return G / np.maximum(np.abs(G).sum(axis=1, keepdims=True) / C, 1.0)


def wrong_squared_norm(G, C):
    squares = np.sum(G**2, axis=1, keepdims=True)
    return G * np.minimum(1.0, C / np.maximum(squares, 1e-12))


def wrong_drops_long_rows(G, C):
    return np.where(np.linalg.norm(G, axis=1, keepdims=True) > C, 0.0, G)


def wrong_threshold_of_one(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return G * np.minimum(1.0, 1.0 / np.maximum(norms, 1.0))


def wrong_scales_after(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return C * G / np.maximum(norms, 1.0)


def wrong_max_for_min(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return G * np.maximum(1.0, C / np.maximum(norms, 1e-12))


def wrong_sum(G, C):
    return right_factor(G, C).sum(axis=0)


def wrong_no_return(G, C):
    right_factor(G, C)


def wrong_shape_of_norms(G, C):
    return G * np.minimum(1.0, C / np.linalg.norm(G, axis=1))


def wrong_keeps_integers(G, C):
    out = np.zeros_like(G)
    for i, g in enumerate(G):
        out[i] = g / max(1.0, np.linalg.norm(g) / C)
    return out


def wrong_empty_batch(G, C):
    return np.array([g / max(1.0, np.linalg.norm(g) / C) for g in G])


def wrong_largest_entry(G, C):
    return G / np.maximum(np.abs(G).max(axis=1, keepdims=True, initial=0) / C, 1.0)


RIGHT = (right_factor, right_loop, right_where, right_library_style)
WRONG = {
    wrong_coordinates: r"row \d.*Each entry is cut by itself",
    wrong_whole_matrix: r"row \d.*the whole matrix",
    wrong_always_normalized: r"row \d.*wanted norm 0\.0\d+.*the short ones too",
    wrong_zero_over_zero: r"seen nan at index \(2, 0\).*divided by 0",
    wrong_in_place: r"argument G after the call.*the same values",
    wrong_columns: r"norms of the columns",
    wrong_absolute_values: r"norm of absolute values",
    wrong_squared_norm: r"root is missing",
    wrong_drops_long_rows: r"seen norm 0.*Keep their direction",
    wrong_threshold_of_one: r"C = 0\.7.*cut to norm 1, not to norm C",
    wrong_scales_after: r"C = 0\.7.*multiplied by C, the short ones too",
    wrong_max_for_min: r"Nothing was cut",
    wrong_sum: r"seen shape \(5,\).*wanted an array of numbers, of shape \(8, 5\)",
    wrong_no_return: r"seen None.*return missing",
    wrong_shape_of_norms: r"could not be broadcast.*“return G \* np\.minimum",
    wrong_keeps_integers: r"integers here",
    wrong_empty_batch: r"seen shape \(0,\).*Random batches are sometimes empty",
    wrong_largest_entry: r"Each row has its own norm",
}
