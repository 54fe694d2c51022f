"""The bank of ``packing_error``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from math import exp, floor, log

import numpy as np


def right_loops(V, n, eps):
    K = len(V)
    if K < 2:
        return 0.0
    m = min(n, int(np.floor(np.log(K / 2) / eps)))
    m = m - (n - m) % 2
    if m <= 0:
        return 0.0
    nearest = min(np.linalg.norm(V[i] - V[j]) for i in range(K) for j in range(i))
    return m / n * nearest / 2


def right_search_for_copies(V, n, eps):
    copies = 0
    for m in range(1, n + 1):
        if (n - m) % 2 == 0 and exp(min(eps * m, 500)) <= len(V) / 2:
            copies = m
    nearest = np.inf
    for j, word in enumerate(V):
        for other in V[:j]:
            nearest = min(nearest, sum((word - other) ** 2) ** 0.5)
    return copies * nearest / (2 * n) if copies else 0.0


def right_inner_products(V, n, eps):
    # words have norm 1, so a distance follows from an inner product
    K = V.shape[0]
    G = V @ V.T
    np.fill_diagonal(G, -1.0)
    d = np.sqrt(np.maximum(2 - 2 * G.max(), 0)) if G.max() < 1 - 1e-12 else 0.0
    m = np.clip(np.floor(np.log(np.maximum(K, 2) / 2) / eps), 0, n)
    m = m if (n - m) % 2 == 0 else m - 1
    return max(m, 0) * d / n / 2


def right_signs(V, n, eps):
    # two words that differ in h signs are √(4h/p) apart
    K, p = V.shape
    positive = V > 0
    h = min(
        (int(np.sum(a != b)) for k, a in enumerate(positive) for b in positive[:k]),
        default=0,
    )
    allowed = [m for m in range(n % 2, n + 1, 2) if eps * m <= log(K / 2)]
    return max(allowed, default=0) / n * (h / p) ** 0.5


def _nearest(V, pick=np.min):
    apart = np.linalg.norm(V[:, None] - V[None], axis=-1)
    return float(pick(apart[np.triu_indices(len(V), 1)])) if len(V) > 1 else 0.0


def _copies(K, n, eps):
    m = min(n, floor(log(K / 2) / eps)) if K > 1 else 0
    return max(0, m - (n - m) % 2)


def right_scalar_products(V, n, eps):
    # the squared distances of equal words are 0 up to rounding; a root makes it 1e-8
    K, m = len(V), n
    while m > 0 and eps * m > log(K / 2) + 1e-12:
        m -= 2
    if K < 2 or m <= 0:
        return 0.0
    largest = (V @ V.T)[np.triu_indices(K, 1)].max()
    return m / n * float(np.sqrt(abs(2 - 2 * largest))) / 2


def wrong_starter(V, n, eps):
    return 0.5 * np.log(len(V)) / (n * eps)


def wrong_no_half(V, n, eps):
    return _copies(len(V), n, eps) * _nearest(V) / n


def wrong_parity(V, n, eps):
    m = max(0, min(n, floor(log(len(V) / 2) / eps)))
    return m * _nearest(V) / (2 * n)


def wrong_more_copies_than_records(V, n, eps):
    return max(0, floor(log(len(V) / 2) / eps)) * _nearest(V) / (2 * n)


def wrong_certain(V, n, eps):
    return _copies(2 * len(V), n, eps) * _nearest(V) / (2 * n)


def wrong_mean_distance(V, n, eps):
    return _copies(len(V), n, eps) * _nearest(V, np.mean) / (2 * n)


def wrong_largest_distance(V, n, eps):
    return _copies(len(V), n, eps) * _nearest(V, np.max) / (2 * n)


def wrong_distance_one(V, n, eps):
    return _copies(len(V), n, eps) / (2 * n)


def wrong_all_records(V, n, eps):
    return _nearest(V) / 2


def wrong_twice_the_way(V, n, eps):
    return _copies(len(V), n, 2 * eps) * _nearest(V) / (2 * n)


def wrong_base_two(V, n, eps):
    return _copies(len(V), n, eps * log(2)) * _nearest(V) / (2 * n)


def wrong_with_itself(V, n, eps):
    apart = np.linalg.norm(V[:, None] - V[None], axis=-1)
    return _copies(len(V), n, eps) * apart.min() / (2 * n)


def wrong_counts_signs(V, n, eps):
    signs = min(int(np.sum(a != b)) for k, a in enumerate(V) for b in V[:k])
    return _copies(len(V), n, eps) * signs / (2 * n)


def wrong_not_whole(V, n, eps):
    return min(n, log(len(V) / 2) / eps) * _nearest(V) / (2 * n)


def wrong_gilbert_varshamov(V, n, eps):
    m = floor(min(n, max(0.0, 0.1308 * V.shape[1] - log(2)) / eps))
    return max(0, m - (n - m) % 2) / (2 * n)


def wrong_below_one_half(V, n, eps):
    allowed = [m for m in range(n % 2, n + 1, 2) if exp(min(eps * m, 500)) < len(V) / 2]
    return max(allowed, default=0) / n * _nearest(V) / 2


def wrong_ceiling_less_one(V, n, eps):
    m = min(n, max(0, np.ceil(log(max(len(V), 2) / 2) / eps) - 1))
    return max(0, m - (n - m) % 2) * _nearest(V) / (2 * n)


RIGHT = (
    right_loops,
    right_search_for_copies,
    right_inner_products,
    right_signs,
    right_scalar_products,
)
WRONG = {
    wrong_starter: r"4 words.*copies can stay hidden",
    wrong_no_half: r"Balls of that radius overlap",
    wrong_parity: r"n = 11.*cancel in pairs|cancel in pairs",
    wrong_more_copies_than_records: r"more copies than records|cancel in pairs",
    wrong_certain: r"fail half of the time",
    wrong_mean_distance: r"48 words.*average distance",
    wrong_largest_distance: r"48 words.*not the farthest",
    wrong_distance_one: r"words at distance 1",
    wrong_all_records: r"All records carry the word",
    wrong_twice_the_way: r"Compare with that one",
    wrong_base_two: r"logarithm is natural",
    wrong_with_itself: r"copies can stay hidden",
    wrong_counts_signs: r"copies can stay hidden",
    wrong_not_whole: r"copies can stay hidden",
    wrong_gilbert_varshamov: r"copies can stay hidden",
    wrong_below_one_half: r"n = 3.*allows 1/2 itself",
    wrong_ceiling_less_one: r"n = 3.*allows 1/2 itself",
}
