"""The bank of ``find_leaks``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_joined(G1, G2, C, sigma, batch, rng):
    G = np.concatenate([G1, G2], axis=1)
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    total = (G / np.maximum(norms / C, 1)).sum(axis=0)
    return (total + rng.normal(0.0, C * sigma, total.shape)) / batch


def right_norms_of_both(G1, G2, C, sigma, batch, rng):
    norms = np.sqrt((G1**2).sum(axis=1) + (G2**2).sum(axis=1))
    weights = C / np.maximum(norms, C)
    parts = []
    for G in (G1, G2):
        noise = C * sigma * rng.standard_normal(G.shape[1])
        parts.append((weights @ G + noise) / batch)
    return np.concatenate(parts)


def right_loop(G1, G2, C, sigma, batch, rng):
    total = np.zeros(G1.shape[1] + G2.shape[1])
    for a, b in zip(G1, G2, strict=True):
        g = np.append(a, b)
        size = np.linalg.norm(g)
        total += g * C / size if size > C else g
    for j in range(len(total)):
        total[j] += rng.normal(scale=C * sigma)
    return total / batch


def right_noise_of_the_mean(G1, G2, C, sigma, batch, rng):
    G = np.hstack((G1, G2))
    factor = np.ones(len(G))
    long = np.einsum("ij,ij->i", G, G) > C**2
    factor[long] = C / np.linalg.norm(G[long], axis=1)
    mean = factor @ G / batch
    return mean + rng.normal(0, 1, mean.size) * (sigma * C / batch)


def _clip(G, C):
    return G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1)


def _sum(G1, G2, C):
    return _clip(np.hstack([G1, G2]), C).sum(axis=0)


def wrong_starter(G1, G2, C, sigma, batch, rng):
    seed = rng.integers(2**32)
    parts = []
    for G in (G1, G2):
        norms = np.linalg.norm(G, axis=1, keepdims=True)
        total = (G * np.minimum(1.0, C / norms)).sum(axis=0)
        noise = np.random.default_rng(seed).normal(0.0, C * sigma, total.shape)
        parts.append((total + noise) / len(G))
    return np.concatenate(parts)


def wrong_by_layer(G1, G2, C, sigma, batch, rng):
    total = np.concatenate([_clip(G1, C).sum(axis=0), _clip(G2, C).sum(axis=0)])
    return (total + rng.normal(0, C * sigma, total.shape)) / batch


def wrong_private_divisor(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + rng.normal(0, C * sigma, total.shape)) / max(len(G1), 1)


def wrong_one_key(G1, G2, C, sigma, batch, rng):
    first, second = np.split(_sum(G1, G2, C), [G1.shape[1]])
    seed = int(rng.integers(2**32))
    for part in (first, second):
        part += np.random.default_rng(seed).normal(0, C * sigma, part.shape)
    return np.concatenate([first, second]) / batch


def wrong_one_draw(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    noise = rng.normal(0, C * sigma, max(G1.shape[1], G2.shape[1]))
    return (total + np.append(noise[: G1.shape[1]], noise[: G2.shape[1]])) / batch


def wrong_noise_in_one_layer(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    total[: G1.shape[1]] += rng.normal(0, C * sigma, G1.shape[1])
    return total / batch


def wrong_scalar_noise(G1, G2, C, sigma, batch, rng):
    return (_sum(G1, G2, C) + rng.normal(0, C * sigma)) / batch


def wrong_no_clip(G1, G2, C, sigma, batch, rng):
    total = np.hstack([G1, G2]).sum(axis=0)
    return (total + rng.normal(0, C * sigma, total.shape)) / batch


def wrong_clips_the_sum(G1, G2, C, sigma, batch, rng):
    total = _clip(np.hstack([G1, G2]).sum(axis=0)[None], C)[0]
    return (total + rng.normal(0, C * sigma, total.shape)) / batch


def wrong_no_unit(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + rng.normal(0, sigma, total.shape)) / batch


def wrong_late_noise(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return total / batch + rng.normal(0, C * sigma, total.shape)


def wrong_divided_twice(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + rng.normal(0, C * sigma / batch, total.shape)) / batch


def wrong_variance(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + rng.normal(0, (C * sigma) ** 2, total.shape)) / batch


def wrong_fixed_seed(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + np.random.default_rng(42).normal(0, C * sigma, total.shape)) / batch


def wrong_in_place(G1, G2, C, sigma, batch, rng):
    norms = np.sqrt((G1**2).sum(axis=1) + (G2**2).sum(axis=1))[:, None]
    G1 /= np.maximum(norms / C, 1)
    G2 /= np.maximum(norms / C, 1)
    total = np.append(G1.sum(axis=0), G2.sum(axis=0))
    return (total + rng.normal(0, C * sigma, total.shape)) / batch


def wrong_noise_on_one_side(G1, G2, C, sigma, batch, rng):
    total = _sum(G1, G2, C)
    return (total + rng.normal(1, 1, total.shape) * C * sigma) / batch


def wrong_longest_gradient(G1, G2, C, sigma, batch, rng):
    norms = np.sqrt((G1**2).sum(axis=1) + (G2**2).sum(axis=1))
    weights = C / np.maximum(norms, C)
    total = np.concatenate([weights @ G1, weights @ G2])
    most = min(C, norms.max(initial=0.0) or C)
    return (total + rng.normal(0.0, most * sigma, len(total))) / batch


def wrong_cut_noise(G1, G2, C, sigma, batch, rng):
    G = np.concatenate([G1, G2], axis=1)
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    total = (G / np.maximum(norms / C, 1)).sum(axis=0)
    return (total + C * sigma * rng.normal(size=len(total)).clip(-3, 3)) / batch


RIGHT = (right_joined, right_norms_of_both, right_loop, right_noise_of_the_mean)
WRONG = {
    wrong_starter: r"Each layer is clipped by itself",
    wrong_by_layer: r"Each layer is clipped by itself",
    wrong_private_divisor: r"number of records that came",
    wrong_one_key: r"normal distribution|one draw used twice|rng\.integers",
    wrong_one_draw: r"one draw used twice",
    wrong_noise_in_one_layer: r"by direction",
    wrong_scalar_noise: r"one draw used twice",
    wrong_no_clip: r"Nothing was clipped",
    wrong_clips_the_sum: r"The sum was clipped",
    wrong_no_unit: r"C is missing",
    wrong_late_noise: r"belongs to the sum",
    wrong_divided_twice: r"divided by the batch twice",
    wrong_variance: r"not a deviation",
    wrong_noise_on_one_side: r"does yours pull to one side",
    wrong_fixed_seed: r"the same result three times",
    wrong_in_place: r"argument G1 after the call",
    wrong_longest_gradient: r"C = 200.*How far does one record move",
    wrong_cut_noise: r"50 deviations from 0.*Is the noise cut",
}
