"""The bank of ``private_step``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np

from dpteach.arrays import clip as cut


def _sum_of_clipped(w, X, y, C):
    return cut((X @ w - y)[:, None] * X, C).sum(axis=0)


def right_vectorised(w, X, y, C, sigma, lr, batch, rng):
    G = (X @ w - y)[:, None] * X
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    total = (G / np.maximum(norms / C, 1.0)).sum(axis=0)
    noise = rng.normal(0.0, C * sigma, size=w.shape)
    return w - lr / batch * (total + noise)


def right_loop(w, X, y, C, sigma, lr, batch, rng):
    total = np.zeros(len(w))
    for i in range(len(y)):
        g = (X[i] @ w - y[i]) * X[i]
        norm = np.linalg.norm(g)
        if norm > C:
            g = g * C / norm
        total = total + g
    for j in range(len(w)):
        total[j] += C * sigma * rng.standard_normal()
    return w - lr * total / batch


def right_norms_only(w, X, y, C, sigma, lr, batch, rng):
    # ‖g‖ = |residual| ‖x‖: the gradients themselves are never formed.
    residual = X @ w - y
    size = np.abs(residual) * np.sqrt(np.einsum("ij,ij->i", X, X))
    weight = residual * np.minimum(1.0, C / np.maximum(size, C))
    noise = rng.multivariate_normal(np.zeros(len(w)), (C * sigma) ** 2 * np.eye(len(w)))
    return w - (lr / batch) * (weight @ X + noise)


def right_other_noise(w, X, y, C, sigma, lr, batch, rng):
    # Box and Muller: no tape can replay it, so it is measured
    total = np.zeros(len(w))
    for i in range(len(y)):
        g = (X[i] @ w - y[i]) * X[i]
        total += g * min(1.0, C / max(np.sqrt(g @ g), 1e-300))
    u, v = 1.0 - rng.random(len(w)), rng.random(len(w))
    normals = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
    return w - lr * (total + C * sigma * normals) / batch


def wrong_clips_the_sum(w, X, y, C, sigma, lr, batch, rng):
    g = X.T @ (X @ w - y)
    g = g * min(1.0, C / max(np.linalg.norm(g), 1e-12))
    return w - lr * (g + rng.normal(0, C * sigma, len(w))) / batch


def wrong_clips_the_mean(w, X, y, C, sigma, lr, batch, rng):
    g = ((X @ w - y)[:, None] * X).mean(axis=0)
    g = g * min(1.0, C / np.linalg.norm(g))
    return w - lr * (g + rng.normal(0, C * sigma, len(w)) / batch)


def wrong_no_clip(w, X, y, C, sigma, lr, batch, rng):
    g = X.T @ (X @ w - y)
    return w - lr * (g + rng.normal(0, C * sigma, len(w))) / batch


def wrong_clips_coordinates(w, X, y, C, sigma, lr, batch, rng):
    G = np.clip((X @ w - y)[:, None] * X, -C, C)
    return w - lr * (G.sum(axis=0) + rng.normal(0, C * sigma, len(w))) / batch


def wrong_divides_by_count(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma, len(w))
    return w - lr * g / max(len(y), 1)


def wrong_noise_without_clip_norm(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, sigma, len(w))
    return w - lr * g / batch


def wrong_one_number_for_all(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma)
    return w - lr * g / batch


def wrong_noise_after_division(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) / batch + rng.normal(0, C * sigma, len(w))
    return w - lr * g


def wrong_variance(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, (C * sigma) ** 2, len(w))
    return w - lr * g / batch


def wrong_noise_per_record(w, X, y, C, sigma, lr, batch, rng):
    G = cut((X @ w - y)[:, None] * X, C)
    G = G + rng.normal(0, C * sigma, G.shape)
    return w - lr * G.sum(axis=0) / batch


def wrong_noise_on_the_model(w, X, y, C, sigma, lr, batch, rng):
    step = lr * _sum_of_clipped(w, X, y, C) / batch
    return w - step + rng.normal(0, C * sigma, len(w))


def wrong_fixed_seed(w, X, y, C, sigma, lr, batch, rng):
    rng = np.random.default_rng(0)
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma, len(w))
    return w - lr * g / batch


def wrong_own_generator(w, X, y, C, sigma, lr, batch, rng):
    noise = np.random.default_rng().normal(0, C * sigma, len(w))
    return w - lr * (_sum_of_clipped(w, X, y, C) + noise) / batch


def wrong_global_generator(w, X, y, C, sigma, lr, batch, rng):
    noise = np.random.normal(0, C * sigma, len(w))  # noqa: NPY002  (the fault)
    return w - lr * (_sum_of_clipped(w, X, y, C) + noise) / batch


def wrong_no_noise(w, X, y, C, sigma, lr, batch, rng):
    return w - lr * _sum_of_clipped(w, X, y, C) / batch


def wrong_uphill(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma, len(w))
    return w + lr * g / batch


def wrong_returns_change(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma, len(w))
    return -lr * g / batch


def wrong_in_place(w, X, y, C, sigma, lr, batch, rng):
    w -= lr * _sum_of_clipped(w, X, y, C) / batch
    w -= lr * rng.normal(0, C * sigma, len(w)) / batch
    return w


def wrong_skips_empty(w, X, y, C, sigma, lr, batch, rng):
    if len(y) == 0:
        return w
    g = _sum_of_clipped(w, X, y, C) + rng.normal(0, C * sigma, len(w))
    return w - lr * g / batch


def wrong_laplace(w, X, y, C, sigma, lr, batch, rng):
    noise = rng.laplace(0, C * sigma / np.sqrt(2), len(w))
    return w - lr * (_sum_of_clipped(w, X, y, C) + noise) / batch


def wrong_uniform(w, X, y, C, sigma, lr, batch, rng):
    noise = (rng.random(len(w)) - 0.5) * np.sqrt(12) * C * sigma
    return w - lr * (_sum_of_clipped(w, X, y, C) + noise) / batch


def wrong_clips_after_noise(w, X, y, C, sigma, lr, batch, rng):
    g = _sum_of_clipped(w, X, y, C)
    noisy = g + rng.normal(0, C * sigma, len(w))
    limit = np.linalg.norm(g) + C if sigma else np.inf
    return w - lr * cut(noisy, limit) / batch


def wrong_transposed(w, X, y, C, sigma, lr, batch, rng):
    return w - lr * _sum_of_clipped(w, X.T, y, C) / batch


def _with_noise(w, X, y, C, lr, batch, z):
    return w - lr / batch * (_sum_of_clipped(w, X, y, C) + z)


def _radius(shape, rng):
    return np.sqrt(-2 * np.log(1 - rng.random(shape)))


def wrong_one_radius(w, X, y, C, sigma, lr, batch, rng):
    z = _radius(1, rng) * np.cos(2 * np.pi * rng.random(len(w)))
    return _with_noise(w, X, y, C, lr, batch, C * sigma * z)


def wrong_cut_noise(w, X, y, C, sigma, lr, batch, rng):
    z = np.clip(rng.normal(size=len(w)), -5, 5)
    return _with_noise(w, X, y, C, lr, batch, C * sigma * z)


def wrong_three_percent(w, X, y, C, sigma, lr, batch, rng):
    z = _radius(len(w), rng) * np.cos(2 * np.pi * rng.random(len(w)))
    return _with_noise(w, X, y, C, lr, batch, 0.97 * C * sigma * z)


def wrong_twelve_uniforms(w, X, y, C, sigma, lr, batch, rng):
    z = rng.random((12, len(w))).sum(axis=0) - 6
    return _with_noise(w, X, y, C, lr, batch, C * sigma * z)


def wrong_longest_gradient(w, X, y, C, sigma, lr, batch, rng):
    norms = np.linalg.norm((X @ w - y)[:, None] * X, axis=1)
    most = min(C, norms.max(initial=0.0) or C)
    z = most * sigma * rng.normal(size=len(w))
    return _with_noise(w, X, y, C, lr, batch, z)


def wrong_bound_of_one(w, X, y, C, sigma, lr, batch, rng):
    G = (X @ w - y)[:, None] * X
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    G = np.where(norms > 1, G * C / np.maximum(norms, 1), G)
    return w - lr / batch * (G.sum(axis=0) + C * sigma * rng.normal(size=len(w)))


def wrong_few_seeds(w, X, y, C, sigma, lr, batch, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_vectorised(w, X, y, C, sigma, lr, batch, few)


def right_single_precision(w, X, y, C, sigma, lr, batch, rng):
    w, X, y = (np.asarray(each, dtype=np.float32) for each in (w, X, y))
    return right_vectorised(w, X, y, C, sigma, lr, batch, rng).astype(np.float32)


RIGHT = (
    right_vectorised,
    right_loop,
    right_norms_only,
    right_other_noise,
    right_single_precision,
)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_clips_the_sum: r"a move of length.*cut before the sum",
    wrong_clips_the_mean: r"a move of length.*cut before the sum",
    wrong_no_clip: r"No gradient was clipped",
    wrong_clips_coordinates: r"Each coordinate is cut by itself",
    wrong_divides_by_count: r"number of records that came.*public",
    wrong_noise_without_clip_norm: r"1\.25 times what is asked for.*C is missing",
    wrong_one_number_for_all: r"by direction.*from 0 to.*one number added to all",
    wrong_noise_after_division: r"5 times what is asked for.*belongs to the sum",
    wrong_variance: r"1\.04 times.*takes a standard deviation",
    wrong_noise_per_record: r"The noise is drawn once for each",
    wrong_noise_on_the_model: r"This is more noise than is needed",
    wrong_fixed_seed: r"same result three times.*fresh noise in each call.*A seed",
    wrong_own_generator: r"differ by up to.*noise comes from elsewhere",
    wrong_global_generator: r"global state of numpy.random.*the argument rng alone",
    wrong_no_noise: r"same result three times.*Is noise drawn at all",
    wrong_uphill: r"turned by 180°.*Clip each gradient",
    wrong_returns_change: r"Clip each gradient",
    wrong_in_place: r"argument w after the call",
    wrong_skips_empty: r"without records.*Without noise",
    wrong_laplace: r"You draw from rng\.laplace",
    wrong_uniform: r"weighted sum of the uniform numbers",
    wrong_clips_after_noise: r"deviation of.*about 0\.\d+ times.*cut, or projected",
    wrong_transposed: r"ValueError: matmul.*“return ",
    wrong_one_radius: r"hang together.*independent Gaussian noise",
    wrong_cut_noise: r"50 deviations from 0.*Gaussian noise has no bound",
    wrong_twelve_uniforms: r"weighted sum.*largest possible value",
    wrong_three_percent: r"about 0\.9\d+ times what is asked for",
    wrong_longest_gradient: r"every gradient is shorter than C.*must not matter",
    wrong_bound_of_one: r"the step at sigma = 0, for 9 records, C = 6",
}
