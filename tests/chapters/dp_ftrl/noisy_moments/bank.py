"""The bank of ``noisy_moments``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def _cut(X, y, L):
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    return X * np.minimum(1.0, L / np.maximum(norms, 1e-12)), np.clip(y, -1.0, 1.0)


def right_plain(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, L**2 * sigma, size=(p, p))
    m = X.T @ y + rng.normal(0.0, L * sigma, size=p)
    return np.column_stack([M, m])


def right_symmetric(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    G = L**2 * sigma * rng.standard_normal((X.shape[1], X.shape[1]))
    M = X.T @ X + (G + G.T) / 2
    m = y @ X + L * sigma * rng.standard_normal(X.shape[1])
    return np.hstack([M, m[:, None]])


def right_loop(X, y, L, sigma, rng):
    p = X.shape[1]
    out = np.zeros((p, p + 1))
    for x, label in zip(X, y, strict=True):
        norm = np.sqrt(x @ x)
        if norm > L:
            x = L * x / norm
        out[:, :p] += np.outer(x, x)
        out[:, p] += x * max(-1.0, min(1.0, label))
    for i in range(p):
        for j in range(p + 1):
            scale = L * sigma if j == p else L * L * sigma
            out[i, j] += scale * rng.standard_normal()
    return out


def right_triangle(X, y, L, sigma, rng):
    # off the diagonal one draw with half of the variance, in both places
    X, y = _cut(X, y, L)
    p = X.shape[1]
    E = np.zeros((p, p))
    for i in range(p):
        E[i, i] = rng.normal(0.0, L**2 * sigma)
        for j in range(i):
            E[i, j] = E[j, i] = rng.normal(0.0, L**2 * sigma / 2**0.5)
    return np.column_stack([X.T @ X + E, X.T @ y + rng.normal(0, L * sigma, p)])


def right_other_noise(X, y, L, sigma, rng):
    # Box and Muller: no tape can replay it, so it is measured
    X, y = _cut(X, y, L)
    p = X.shape[1]
    u, v = 1.0 - rng.random((p, p + 1)), rng.random((p, p + 1))
    noise = sigma * np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
    noise[:, :p] *= L**2
    noise[:, p] *= L
    return np.column_stack([X.T @ X, X.T @ y]) + noise


def _released(X, y, L, rng, first, second):
    X, y = _cut(X, y, L)
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, first, size=(p, p))
    return np.column_stack([M, X.T @ y + rng.normal(0.0, second, size=p)])


def wrong_no_clip(X, y, L, sigma, rng):
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, L**2 * sigma, size=(p, p))
    return np.column_stack([M, X.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_labels_as_they_are(X, y, L, sigma, rng):
    y = y / np.maximum(1.0, 0.0 * y)
    X, _ = _cut(X, y, L)
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, L**2 * sigma, size=(p, p))
    return np.column_stack([M, X.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_rows_as_they_are(X, y, L, sigma, rng):
    y = np.clip(y, -1, 1)
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, L**2 * sigma, size=(p, p))
    return np.column_stack([M, X.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_cut_in_one_sum(X, y, L, sigma, rng):
    cut, y = _cut(X, y, L)
    p = X.shape[1]
    M = X.T @ X + rng.normal(0.0, L**2 * sigma, size=(p, p))
    return np.column_stack([M, cut.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_coordinates(X, y, L, sigma, rng):
    X, y = np.clip(X, -L, L), np.clip(y, -1, 1)
    return np.column_stack([X.T @ X, X.T @ y]) + sigma * rng.standard_normal(
        (X.shape[1], X.shape[1] + 1)
    )


def wrong_means(X, y, L, sigma, rng):
    return _released(X, y, L, rng, L**2 * sigma, L * sigma) / len(X)


def wrong_no_square(X, y, L, sigma, rng):
    return _released(X, y, L, rng, L * sigma, L * sigma)


def wrong_without_L(X, y, L, sigma, rng):
    return _released(X, y, L, rng, sigma, sigma)


def wrong_square_in_both(X, y, L, sigma, rng):
    return _released(X, y, L, rng, L**2 * sigma, L**2 * sigma)


def wrong_first_without_noise(X, y, L, sigma, rng):
    return _released(X, y, L, rng, 0.0, L * sigma)


def wrong_second_without_noise(X, y, L, sigma, rng):
    return _released(X, y, L, rng, L**2 * sigma, 0.0)


def wrong_variance(X, y, L, sigma, rng):
    return _released(X, y, L, rng, (L**2 * sigma) ** 2, (L * sigma) ** 2)


def wrong_root_two(X, y, L, sigma, rng):
    return _released(X, y, L, rng, 2**0.5 * L**2 * sigma, 2**0.5 * L * sigma)


def wrong_split(X, y, L, sigma, rng):
    return _released(X, y, L, rng, L**2 * sigma / 2**0.5, L * sigma / 2**0.5)


def wrong_doubled(X, y, L, sigma, rng):
    return _released(X, y, L, rng, 2 * L**2 * sigma, 2 * L * sigma)


def wrong_root_of_p_more(X, y, L, sigma, rng):
    p = X.shape[1]
    X = X * (L / np.maximum(np.linalg.norm(X, axis=1), L))[:, None]
    M = X.T @ X + rng.normal(0, sigma * L**2 * np.sqrt(p), (p, p))
    return np.c_[M, X.T @ np.clip(y, -1, 1) + rng.normal(0, sigma * L, p)]


def wrong_copied_triangle(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    p = X.shape[1]
    G = np.triu(rng.normal(0.0, L**2 * sigma, size=(p, p)))
    M = X.T @ X + G + np.triu(G, 1).T
    return np.column_stack([M, X.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_unhalved(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    p = X.shape[1]
    G = rng.normal(0.0, L**2 * sigma, size=(p, p))
    M = X.T @ X + G + G.T
    return np.column_stack([M, X.T @ y + rng.normal(0.0, L * sigma, size=p)])


def wrong_shared_draw(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    G = rng.standard_normal((X.shape[1], X.shape[1]))
    M, m = X.T @ X + L**2 * sigma * G, X.T @ y + L * sigma * G[:, 0]
    return np.column_stack([M, m])


def wrong_no_noise(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    return np.column_stack([X.T @ X, X.T @ y])


def wrong_laplace(X, y, L, sigma, rng):
    X, y = _cut(X, y, L)
    noise = sigma * rng.laplace(0.0, 2**-0.5, size=(X.shape[1], X.shape[1] + 1))
    noise[:, :-1] *= L**2
    noise[:, -1] *= L
    return np.column_stack([X.T @ X, X.T @ y]) + noise


def _published(X, y, L, sigma, Z):
    X, y = _cut(X, y, L)
    noise = L * sigma * np.column_stack([L * Z[:, :-1], Z[:, -1]])
    return np.column_stack([X.T @ X, X.T @ y]) + noise


def wrong_third_row_repeats(X, y, L, sigma, rng):
    p = X.shape[1]
    Z = rng.normal(size=(p, p + 1))
    Z[2:] = Z[:1]
    return _published(X, y, L, sigma, Z)


def wrong_longest_row(X, y, L, sigma, rng):
    p = X.shape[1]
    longest = min(L, np.linalg.norm(X, axis=1).max())
    return _published(X, y, longest, sigma, rng.normal(size=(p, p + 1)))


def wrong_largest_label(X, y, L, sigma, rng):
    p = X.shape[1]
    Z = rng.normal(size=(p, p + 1))
    Z[:, -1] *= min(1.0, np.abs(y).max())
    return _published(X, y, L, sigma, Z)


def wrong_whole_numbers(X, y, L, sigma, rng):
    rows = np.zeros_like(X)
    for i, x in enumerate(X):
        rows[i] = x * min(1.0, L / max(np.linalg.norm(x), 1e-300))
    return right_plain(rows, y, L, sigma, rng)


def wrong_noise_off_center(X, y, L, sigma, rng):
    return right_plain(X, y, L, sigma, rng) + 0.3 * sigma * L


def wrong_few_seeds(X, y, L, sigma, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_plain(X, y, L, sigma, few)


RIGHT = (right_plain, right_symmetric, right_loop, right_triangle, right_other_noise)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_no_clip: r"Nothing was cut",
    wrong_labels_as_they_are: r"labels were not cut",
    wrong_rows_as_they_are: r"rows were not cut",
    wrong_cut_in_one_sum: r"First cut x and y",
    wrong_coordinates: r"Each entry of a row is cut by itself",
    wrong_means: r"First cut x and y",
    wrong_no_square: r"holds products: how long",
    wrong_without_L: r"L is missing|L = 0\.6.*times what privacy needs",
    wrong_square_in_both: r"Do two entries share a draw",
    wrong_first_without_noise: r"μ = inf.*Do two entries share a draw",
    wrong_second_without_noise: r"μ = inf.*Do two entries share a draw",
    wrong_variance: r"sigma squared|a variance",
    wrong_root_two: r"√2 is in the price",
    wrong_split: r"Do two entries share a draw",
    wrong_doubled: r"zeroed out moves a sum by its own length",
    wrong_root_of_p_more: r"p = 2.*1\.414 times.*Each sum has a sensitivity",
    wrong_copied_triangle: r"p = 2.*1\.414 times.*One triangle of M",
    wrong_unhalved: r"Each sum has a sensitivity of its",
    wrong_shared_draw: r"μ = .*Do two entries share a draw",
    wrong_no_noise: r"same result three times",
    wrong_laplace: r"You draw from rng\.laplace",
    wrong_third_row_repeats: r"p = 3: seen μ = inf.*share a draw",
    wrong_longest_row: r"at L = 3.*only L bounds them",
    wrong_largest_label: r"at L = 3.*only L bounds them",
    wrong_whole_numbers: r"in arrays of integers.*loses its fraction",
    wrong_noise_off_center: r"all normals drawn are 0.*must have mean 0",
}
