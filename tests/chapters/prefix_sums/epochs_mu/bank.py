"""The bank of ``epochs_mu``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import math
from collections import Counter

import numpy as np


def right_counter(steps, epochs, restart, sigma):
    if restart:
        return math.sqrt(epochs * steps.bit_length()) / sigma
    T, worst = steps * epochs, 0
    for b in range(steps):
        counts = Counter()
        for t in range(b, T, steps):
            size = 1
            while (t // size + 1) * size <= T:
                counts[size, t // size] += 1
                size *= 2
        worst = max(worst, sum(c * c for c in counts.values()))
    return math.sqrt(worst) / sigma


def right_matrix(steps, epochs, restart, sigma):
    # rows are nodes, columns are steps: a record's effect is a column sum
    T = steps if restart else steps * epochs
    rows, size = [], 1
    while size <= T:
        for start in range(0, T - size + 1, size):
            rows.append((np.arange(T) >= start) & (np.arange(T) < start + size))
        size *= 2
    nodes = np.array(rows, dtype=float)
    moved = nodes.reshape(len(nodes), -1, steps).sum(axis=1)
    squared = (moved**2).sum(axis=0).max() * (epochs if restart else 1)
    return np.sqrt(squared) / sigma


def right_pairs(steps, epochs, restart, sigma):
    # Σ c² counts pairs of visits: for each pair, how many nodes hold both
    T = steps * epochs

    def shared(s, t):
        s, t, h, k = s, t, 0, 0
        while (max(s, t) >> h) + 1 << h <= T:
            k, h = k + (s >> h == t >> h), h + 1
        return k

    if restart:
        levels = len(bin(steps)) - 2
        return (epochs * levels) ** 0.5 / sigma
    squares = []
    for b in range(steps):
        visits = [b + steps * e for e in range(epochs)]
        squares.append(sum(shared(s, t) for s in visits for t in visits))
    return max(squares) ** 0.5 / sigma


def right_levels(steps, epochs, restart, sigma):
    total = np.zeros(steps)
    trees, T = (epochs, steps) if restart else (1, steps * epochs)
    place = np.arange(T) % steps
    h = 0
    while 2**h <= T:
        whole = T // 2**h
        block = np.arange(T) // 2**h
        table = np.zeros((whole + 1, steps))
        np.add.at(table, (np.minimum(block, whole), place), 1)
        total += (table[:whole] ** 2).sum(axis=0)
        h += 1
    return math.sqrt(trees * total.max()) / sigma


def right_first_record(steps, epochs, restart, sigma):
    # no record is worse than the first one: its nodes are complete the soonest
    T = steps if restart else steps * epochs
    total, size = 0, 1
    while size <= T:
        visits = [t // size for t in range(0, T, steps) if (t // size + 1) * size <= T]
        total += sum(visits.count(i) ** 2 for i in set(visits))
        size += size
    return math.sqrt(total * (epochs if restart else 1)) / sigma


def _counts(steps, epochs, b):
    T, counts = steps * epochs, Counter()
    for t in range(b, T, steps):
        size = 1
        while (t // size + 1) * size <= T:
            counts[size, t // size] += 1
            size *= 2
    return counts


def _squared(steps, epochs):
    return max(
        sum(c * c for c in _counts(steps, epochs, b).values()) for b in range(steps)
    )


def wrong_for_a_single_epoch(steps, epochs, restart, sigma):
    if epochs > 1:
        return right_counter(steps, epochs, restart, sigma)
    return math.sqrt(math.ceil(math.log2(steps))) / sigma


def wrong_square(steps, epochs, restart, sigma):
    return right_counter(steps, epochs, restart, sigma) ** 2 * sigma


def wrong_variance(steps, epochs, restart, sigma):
    return right_counter(steps, epochs, restart, sigma) / sigma


def wrong_always_restarted(steps, epochs, restart, sigma):
    return math.sqrt(epochs * steps.bit_length()) / sigma


def wrong_passes_added(steps, epochs, restart, sigma):
    return (
        math.sqrt(epochs * (steps if restart else steps * epochs).bit_length()) / sigma
    )


def wrong_k_not_root_k(steps, epochs, restart, sigma):
    return epochs * math.sqrt(steps.bit_length()) / sigma


def wrong_never_restarted(steps, epochs, restart, sigma):
    return math.sqrt(_squared(steps, epochs)) / sigma


def wrong_ceiling(steps, epochs, restart, sigma):
    if restart:
        return math.sqrt(epochs * math.ceil(math.log2(steps))) / sigma
    return right_counter(steps, epochs, restart, sigma)


def wrong_one_visit(steps, epochs, restart, sigma):
    return math.sqrt((steps if restart else steps * epochs).bit_length()) / sigma


def wrong_last_record(steps, epochs, restart, sigma):
    if restart:
        return right_counter(steps, epochs, restart, sigma)
    counts = _counts(steps, epochs, steps - 1)
    return math.sqrt(sum(c * c for c in counts.values())) / sigma


def wrong_padded(steps, epochs, restart, sigma):
    if restart:
        return right_counter(steps, epochs, restart, sigma)
    T = steps * epochs
    full, worst = 1 << (T - 1).bit_length(), 0
    for b in range(steps):
        total, size = 0, 1
        while size <= full:
            total += sum(
                c * c for c in Counter(np.arange(b, T, steps) // size).values()
            )
            size *= 2
        worst = max(worst, total)
    return math.sqrt(worst) / sigma


def wrong_every_node_all(steps, epochs, restart, sigma):
    if restart:
        return right_counter(steps, epochs, restart, sigma)
    return epochs * math.sqrt((steps * epochs).bit_length()) / sigma


def wrong_left_nodes(steps, epochs, restart, sigma):
    if restart:
        return right_counter(steps, epochs, restart, sigma)
    return (
        max(
            math.sqrt(
                sum(
                    c * c
                    for (_, i), c in _counts(steps, epochs, b).items()
                    if i % 2 == 0
                )
            )
            for b in range(steps)
        )
        / sigma
    )


def wrong_counts_not_squared(steps, epochs, restart, sigma):
    if restart:
        return right_counter(steps, epochs, restart, sigma)
    return (
        max(math.sqrt(sum(_counts(steps, epochs, b).values())) for b in range(steps))
        / sigma
    )


def wrong_upside_down(steps, epochs, restart, sigma):
    return sigma / right_counter(steps, epochs, restart, 1.0)


def wrong_array(steps, epochs, restart, sigma):
    return np.full(steps, right_counter(steps, epochs, restart, sigma))


RIGHT = (right_counter, right_matrix, right_pairs, right_levels, right_first_record)
WRONG = {
    wrong_for_a_single_epoch: r"of 1 epochs of 1 steps",
    wrong_square: r"new tree.*That is the square.*μ is a length",
    wrong_variance: r"For each place in the epoch count",
    wrong_always_restarted: r"in one tree.*prices a new tree for each epoch",
    wrong_passes_added: r"in one tree.*adds up single passes.*counts as c²",
    wrong_k_not_root_k: r"added up as lengths.*squares add up",
    wrong_never_restarted: r"price of a single tree",
    wrong_ceiling: r"4 steps in a new tree.*one level more when s is a power",
    wrong_one_visit: r"once in every epoch",
    wrong_last_record: r"last record of an epoch",
    wrong_padded: r"never complete",
    wrong_every_node_all: r"Small nodes lie within one epoch",
    wrong_left_nodes: r"in one tree.*For each place in the epoch count",
    wrong_counts_not_squared: r"in one tree.*counts as c²",
    wrong_upside_down: r"in a new tree.*count, node by node",
    wrong_array: r"shape \(4,\); wanted a number",
}
