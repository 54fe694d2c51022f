"""The bank of ``accumulated_step``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np

from dpteach.arrays import clip as cut


def right_loop(G, C, sigma, batch, size, rng):
    total = np.zeros(G.shape[1])
    for start in range(0, len(G), size):
        part = G[start : start + size]
        norms = np.linalg.norm(part, axis=1, keepdims=True)
        total = total + (part / np.maximum(norms / C, 1.0)).sum(axis=0)
    noise = C * sigma * rng.standard_normal(G.shape[1])
    return (total + noise) / batch


def right_at_once(G, C, sigma, batch, size, rng):
    noise = rng.normal(0.0, C * sigma, G.shape[1])
    return (cut(G, C).sum(axis=0) + noise) / batch


def right_noise_first(G, C, sigma, batch, size, rng):
    total = rng.normal(scale=C * sigma, size=G.shape[1])
    for row in G:
        norm = np.linalg.norm(row)
        total += row * C / norm if norm > C else row
    return total / batch


def right_shares(G, C, sigma, batch, size, rng):
    # k draws of deviation s have a sum of deviation √k s
    count = max(-(-len(G) // size), 1)
    total = np.zeros(G.shape[1])
    for k in range(count):
        part = cut(G[k * size : (k + 1) * size], C).sum(axis=0)
        total += part + C * sigma / np.sqrt(count) * rng.standard_normal(G.shape[1])
    return total / batch


def _total(G, C):
    return cut(G, C).sum(axis=0)


def _parts(G, size):
    return [G[k : k + size] for k in range(0, len(G), size)]


def wrong_starter(G, C, sigma, batch, size, rng):
    total, count = np.zeros(G.shape[1]), len(G) // size
    for k in range(count):
        g = G[k * size : (k + 1) * size].sum(axis=0)
        g = g * min(1.0, C / np.linalg.norm(g))
        total += g + C * sigma / count * rng.standard_normal(G.shape[1])
    return total / batch


def wrong_clips_parts(G, C, sigma, batch, size, rng):
    total = sum((cut(part.sum(0), C) for part in _parts(G, size)), np.zeros(G.shape[1]))
    return (total + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_clips_means(G, C, sigma, batch, size, rng):
    means = (cut(part.mean(0), C) for part in _parts(G, size))
    total = sum(means, np.zeros(G.shape[1]))
    return (total + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_drops_the_last(G, C, sigma, batch, size, rng):
    total = _total(G[: len(G) // size * size], C)
    return (total + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_means_of_parts(G, C, sigma, batch, size, rng):
    means = (cut(part, C).mean(0) for part in _parts(G, size))
    total = sum(means, np.zeros(G.shape[1]))
    return (total + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_divides_by_count(G, C, sigma, batch, size, rng):
    noisy = _total(G, C) + rng.normal(0, C * sigma, G.shape[1])
    return noisy / max(len(G), 1)


def wrong_noise_in_each(G, C, sigma, batch, size, rng):
    total = rng.normal(0, C * sigma, G.shape[1]) if not len(G) else 0
    for part in _parts(G, size):
        total = total + _total(part, C) + rng.normal(0, C * sigma, G.shape[1])
    return total / batch


def wrong_equal_shares(G, C, sigma, batch, size, rng):
    parts = _parts(G, size) or [G]
    total = np.zeros(G.shape[1])
    for part in parts:
        noise = C * sigma / len(parts) * rng.standard_normal(G.shape[1])
        total += _total(part, C) + noise
    return total / batch


def wrong_divided_noise(G, C, sigma, batch, size, rng):
    count = max(-(-len(G) // size), 1)
    noise = rng.normal(0, C * sigma / count, G.shape[1])
    return (_total(G, C) + noise) / batch


def wrong_without_clip_norm(G, C, sigma, batch, size, rng):
    return (_total(G, C) + rng.normal(0, sigma, G.shape[1])) / batch


def wrong_noise_after_division(G, C, sigma, batch, size, rng):
    return _total(G, C) / batch + rng.normal(0, C * sigma, G.shape[1])


def wrong_one_number(G, C, sigma, batch, size, rng):
    return (_total(G, C) + rng.normal(0, C * sigma)) / batch


def wrong_skips_empty(G, C, sigma, batch, size, rng):
    if not len(G):
        return np.zeros(G.shape[1])
    return right_at_once(G, C, sigma, batch, size, rng)


def wrong_same_noise(G, C, sigma, batch, size, rng):
    noise = np.random.default_rng(0).normal(0, C * sigma, G.shape[1])
    return (_total(G, C) + noise) / batch


def wrong_no_clip(G, C, sigma, batch, size, rng):
    return (G.sum(axis=0) + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_laplace(G, C, sigma, batch, size, rng):
    noise = rng.laplace(0, C * sigma / np.sqrt(2), G.shape[1])
    return (_total(G, C) + noise) / batch


def wrong_in_place(G, C, sigma, batch, size, rng):
    G *= np.minimum(1.0, C / np.linalg.norm(G, axis=1, keepdims=True))
    return (G.sum(axis=0) + rng.normal(0, C * sigma, G.shape[1])) / batch


def wrong_longest_gradient(G, C, sigma, batch, size, rng):
    norms = np.linalg.norm(G, axis=1)
    most = min(C, norms.max(initial=0.0) or C)
    noise = rng.normal(0.0, most * sigma, G.shape[1])
    return (cut(G, C).sum(axis=0) + noise) / batch


def wrong_bound_of_one(G, C, sigma, batch, size, rng):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    G = np.where(norms > 1, G * C / np.maximum(norms, 1), G)
    return (G.sum(axis=0) + C * sigma * rng.normal(size=G.shape[1])) / batch


def wrong_cut_noise(G, C, sigma, batch, size, rng):
    noise = C * sigma * np.clip(rng.normal(size=G.shape[1]), -3, 3)
    return (cut(G, C).sum(axis=0) + noise) / batch


def wrong_few_seeds(G, C, sigma, batch, size, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_at_once(G, C, sigma, batch, size, few)


RIGHT = (right_loop, right_at_once, right_noise_first, right_shares)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_starter: r"must be cut, not the sum",
    wrong_clips_parts: r"must be cut, not the sum",
    wrong_clips_means: r"must be cut, not the sum",
    wrong_drops_the_last: r"records are lost",
    wrong_means_of_parts: r"averaged before",
    wrong_divides_by_count: r"number is secret",
    wrong_noise_in_each: r"gets the whole noise",
    wrong_equal_shares: r"equal share of the deviation",
    wrong_divided_noise: r"divided by the number of micro",
    wrong_without_clip_norm: r"C is missing",
    wrong_noise_after_division: r"belongs to the sum",
    wrong_one_number: r"from 0 to.*one number for each coordinate",
    wrong_skips_empty: r"0 records.*There is none",
    wrong_same_noise: r"the same result three times",
    wrong_no_clip: r"Cut each gradient",
    wrong_laplace: r"rng\.laplace",
    wrong_in_place: r"argument G after the call",
    wrong_longest_gradient: r"every gradient is shorter than C.*must not matter",
    wrong_bound_of_one: r"the result at sigma = 0, for 9 records",
    wrong_cut_noise: r"50 deviations from 0.*Is the noise cut",
}
