"""Answers to ``layered_step``: right ones, and wrong ones with their messages."""

import numpy as np


def right_whole(w, G, H, C, sigma, lr, batch, rng):
    V = np.concatenate([G, H], axis=1)
    V = V[np.isfinite(V).all(axis=1)]
    norms = np.linalg.norm(V, axis=1, keepdims=True)
    total = (V / np.maximum(norms / C, 1.0)).sum(axis=0)
    return w - lr / batch * (total + rng.normal(0.0, C * sigma, w.shape))


def right_loop(w, G, H, C, sigma, lr, batch, rng):
    total = np.zeros(len(w))
    for g, h in zip(G, H, strict=True):
        v = np.append(g, h)
        norm = np.sqrt(v @ v)
        if np.isfinite(norm):
            total += v * min(1.0, C / max(norm, C))
    for j in range(len(w)):
        total[j] += C * sigma * rng.standard_normal()
    return w - lr * total / batch


def right_norms_by_layer(w, G, H, C, sigma, lr, batch, rng):
    squares = np.einsum("ij,ij->i", G, G) + np.einsum("ij,ij->i", H, H)
    kept = np.isfinite(squares)
    factor = C / np.maximum(np.sqrt(squares[kept]), C)
    total = np.concatenate([factor @ G[kept], factor @ H[kept]])
    z = np.append(rng.normal(size=G.shape[1]), rng.normal(size=H.shape[1]))
    return w - (lr / batch) * (total + C * sigma * z)


def right_zeros(w, G, H, C, sigma, lr, batch, rng):
    V = np.hstack([G, H])
    good = np.isfinite(V).all(axis=1, keepdims=True)
    V = np.where(good, V, 0.0)
    V = V * np.minimum(1.0, C / np.maximum(np.linalg.norm(V, axis=1), 1e-300))[:, None]
    return w - lr * (V.sum(axis=0) + C * sigma * rng.standard_normal(len(w))) / batch


def _sum(G, H, C):
    V = np.hstack([G, H])
    V = V[np.isfinite(V).all(axis=1)]
    return (V / np.maximum(np.linalg.norm(V, axis=1) / C, 1.0)[:, None]).sum(axis=0)


def _cut(V, C):
    return (V / np.maximum(np.linalg.norm(V, axis=1) / C, 1.0)[:, None]).sum(axis=0)


def wrong_starter(w, G, H, C, sigma, lr, batch, rng):
    sums = []
    for layer in (G, H):
        norms = np.linalg.norm(layer, axis=1, keepdims=True)
        sums.append((layer / np.maximum(norms / C, 1.0)).sum(axis=0))
    step = np.concatenate(sums)
    step[: G.shape[1]] += rng.normal(0.0, C * sigma, G.shape[1])
    return w - lr * step / max(len(G), 1)


def wrong_clips_layers(w, G, H, C, sigma, lr, batch, rng):
    total = np.append(_cut(G, C), _cut(H, C))
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_half_a_clip_each(w, G, H, C, sigma, lr, batch, rng):
    total = np.append(_cut(G, C / 2), _cut(H, C / 2))
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_shared_clip(w, G, H, C, sigma, lr, batch, rng):
    total = np.append(_cut(G, C / 2**0.5), _cut(H, C / 2**0.5))
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_divides_by_count(w, G, H, C, sigma, lr, batch, rng):
    total = _sum(G, H, C) + rng.normal(0, C * sigma, len(w))
    return w - lr * total / max(len(G), 1)


def wrong_no_clip(w, G, H, C, sigma, lr, batch, rng):
    total = np.hstack([G, H]).sum(axis=0)
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_clips_the_sum(w, G, H, C, sigma, lr, batch, rng):
    total = _cut(np.hstack([G, H]).sum(axis=0, keepdims=True), C)
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_clips_entries(w, G, H, C, sigma, lr, batch, rng):
    total = np.clip(np.hstack([G, H]), -C, C).sum(axis=0)
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_uphill(w, G, H, C, sigma, lr, batch, rng):
    return w + lr * (_sum(G, H, C) + rng.normal(0, C * sigma, len(w))) / batch


def wrong_change_alone(w, G, H, C, sigma, lr, batch, rng):
    return -lr * (_sum(G, H, C) + rng.normal(0, C * sigma, len(w))) / batch


def wrong_lets_nan_through(w, G, H, C, sigma, lr, batch, rng):
    total = _cut(np.hstack([G, H]), C)
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_zeroes_entries(w, G, H, C, sigma, lr, batch, rng):
    V = np.hstack([G, H])
    total = _cut(np.where(np.isfinite(V), V, 0.0), C)
    return w - lr * (total + rng.normal(0, C * sigma, len(w))) / batch


def wrong_first_layer_alone(w, G, H, C, sigma, lr, batch, rng):
    total = _sum(G, H, C)
    total[: G.shape[1]] += rng.normal(0, C * sigma, G.shape[1])
    return w - lr * total / batch


def wrong_same_noise_in_layers(w, G, H, C, sigma, lr, batch, rng):
    z = rng.normal(0, C * sigma, G.shape[1])
    return w - lr * (_sum(G, H, C) + np.append(z, z[: H.shape[1]])) / batch


def wrong_one_number_for_all(w, G, H, C, sigma, lr, batch, rng):
    return w - lr * (_sum(G, H, C) + rng.normal(0, C * sigma)) / batch


def wrong_no_clip_norm_in_noise(w, G, H, C, sigma, lr, batch, rng):
    return w - lr * (_sum(G, H, C) + rng.normal(0, sigma, len(w))) / batch


def wrong_variance(w, G, H, C, sigma, lr, batch, rng):
    z = rng.normal(0, (C * sigma) ** 2, len(w))
    return w - lr * (_sum(G, H, C) + z) / batch


def wrong_noise_after_division(w, G, H, C, sigma, lr, batch, rng):
    return w - lr * (_sum(G, H, C) / batch + rng.normal(0, C * sigma, len(w)))


def wrong_root_two(w, G, H, C, sigma, lr, batch, rng):
    z = rng.normal(0, 2**0.5 * C * sigma, len(w))
    return w - lr * (_sum(G, H, C) + z) / batch


def wrong_fixed_seed(w, G, H, C, sigma, lr, batch, rng):
    z = np.random.default_rng(0).normal(0, C * sigma, len(w))
    return w - lr * (_sum(G, H, C) + z) / batch


def wrong_no_noise(w, G, H, C, sigma, lr, batch, rng):
    return w - lr * _sum(G, H, C) / batch


def wrong_skips_empty(w, G, H, C, sigma, lr, batch, rng):
    if len(G) == 0:
        return w
    return w - lr * (_sum(G, H, C) + rng.normal(0, C * sigma, len(w))) / batch


def wrong_laplace(w, G, H, C, sigma, lr, batch, rng):
    z = rng.laplace(0, C * sigma / 2**0.5, len(w))
    return w - lr * (_sum(G, H, C) + z) / batch


def wrong_in_place(w, G, H, C, sigma, lr, batch, rng):
    w -= lr * (_sum(G, H, C) + rng.normal(0, C * sigma, len(w))) / batch
    return w


def wrong_longest_gradient(w, G, H, C, sigma, lr, batch, rng):
    V = np.hstack([G, H])
    V = V[np.isfinite(V).all(axis=1)]
    most = min(C, np.linalg.norm(V, axis=1).max(initial=0.0) or C)
    z = rng.normal(0, most * sigma, len(w))
    return w - lr * (_sum(G, H, C) + z) / batch


RIGHT = (right_whole, right_loop, right_norms_by_layer, right_zeros)
WRONG = {
    wrong_starter: r"for 6 records.*Each layer is cut to C by itself",
    wrong_clips_layers: r"for 6 records.*Each layer is cut to C by itself",
    wrong_half_a_clip_each: r"for 6 records.*Clip each gradient, add them up",
    wrong_shared_clip: r"for 6 records.*Clip each gradient, add them up",
    wrong_divides_by_count: r"number of records that came.*public",
    wrong_no_clip: r"No gradient was clipped",
    wrong_clips_the_sum: r"cut before the sum",
    wrong_clips_entries: r"for 6 records.*Clip each gradient, add them up",
    wrong_uphill: r"for 6 records.*Clip each gradient, add them up",
    wrong_change_alone: r"for 6 records.*Clip each gradient, add them up",
    wrong_lets_nan_through: r"not finite|nan|NaN",
    wrong_zeroes_entries: r"one has inf in its gradient.*all of it",
    wrong_first_layer_alone: r"from 0 to.*in both layers",
    wrong_same_noise_in_layers: r"from 0 to.*a number of its own",
    wrong_one_number_for_all: r"from 0 to.*a number of its own",
    wrong_no_clip_norm_in_noise: r"1\.25 times what is asked for.*C is missing",
    wrong_variance: r"1\.04 times.*takes a standard deviation",
    wrong_noise_after_division: r"5 times what is asked for.*belongs to the sum",
    wrong_root_two: r"1\.41 times.*more noise than is needed",
    wrong_fixed_seed: r"same result three times",
    wrong_no_noise: r"same result three times.*Is noise drawn at all",
    wrong_skips_empty: r"same result three times.*Without noise",
    wrong_laplace: r"You draw from rng\.laplace",
    wrong_in_place: r"argument w after the call",
    wrong_longest_gradient: r"every gradient is shorter than C",
}
