"""The bank of ``tree_prefix_sums``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def right_dictionary(x, sigma, rng):
    nodes, out = {}, np.zeros(x.shape)
    for t in range(1, len(x) + 1):
        start, size = 0, 1 << t.bit_length()
        while start < t:
            if start + size <= t:
                if (start, size) not in nodes:
                    noise = sigma * rng.standard_normal(x.shape[1])
                    nodes[start, size] = x[start : start + size].sum(axis=0) + noise
                out[t - 1] += nodes[start, size]
                start += size
            size //= 2
    return out


def right_recurrence(x, sigma, rng):
    # [1, t] is the node that ends at t, and a prefix that is already known.
    n, p = x.shape
    out = np.zeros((n + 1, p))
    for t in range(1, n + 1):
        first = t - (t & -t)
        out[t] = out[first] + x[first:t].sum(axis=0) + rng.normal(0.0, sigma, p)
    return out[1:]


def right_streaming(x, sigma, rng):
    # level j holds the sum of an open block of 2^j rows, and its noisy copy
    levels = len(x).bit_length() + 1
    exact, noisy = [None] * levels, [None] * levels
    out = []
    for row in x:
        carry, j = row, 0
        while exact[j] is not None:
            carry = carry + exact[j]
            exact[j] = noisy[j] = None
            j += 1
        exact[j] = carry
        noisy[j] = carry + rng.normal(scale=sigma, size=len(row))
        out.append(sum(node for node in noisy if node is not None))
    return np.array(out)


def right_recursive(x, sigma, rng):
    def prefixes(block):  # noisy prefixes of a block whose length is a power of 2
        if len(block) == 1:
            return block + sigma * rng.standard_normal(block.shape)
        half = len(block) // 2
        left, right = prefixes(block[:half]), prefixes(block[half:])
        whole = block.sum(axis=0) + sigma * rng.standard_normal(block.shape[1])
        return np.vstack([left, left[-1] + right[:-1], whole[None, :]])

    n = len(x)
    size = 1 << (n - 1).bit_length()
    padded = np.vstack([x, np.zeros((size - n, x.shape[1]))])
    return prefixes(padded)[:n]


def right_other_noise(x, sigma, rng):
    # Box and Muller: no tape can replay it, so it is measured
    n, p = x.shape
    u, v = 1.0 - rng.random((n, p)), rng.random((n, p))
    noise = sigma * np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
    out = np.zeros((n + 1, p))
    for t in range(1, n + 1):
        first = t & (t - 1)
        out[t] = out[first] + x[first:t].sum(axis=0) + noise[t - 1]
    return out[1:]


def right_clips_first(x, sigma, rng):
    # the rows are promised to be short; to make sure does no harm
    short = x / np.maximum(1.0, np.linalg.norm(x, axis=1, keepdims=True))
    return right_recurrence(short, sigma, rng)


def wrong_noise_on_each_sum(x, sigma, rng):
    return np.cumsum(x, axis=0) + rng.normal(0.0, sigma, x.shape)


def wrong_noise_on_each_row(x, sigma, rng):
    return np.cumsum(x + rng.normal(0.0, sigma, x.shape), axis=0)


def wrong_one_noise_for_all(x, sigma, rng):
    return np.cumsum(x, axis=0) + rng.normal(0.0, sigma, x.shape[1])


def wrong_fresh_node_noise(x, sigma, rng):
    out = np.zeros(x.shape)
    for t in range(1, len(x) + 1):
        start = 0
        for j in reversed(range(t.bit_length())):
            if t >> j & 1:
                block = x[start : start + 2**j].sum(axis=0)
                out[t - 1] += block + rng.normal(0.0, sigma, x.shape[1])
                start += 2**j
    return out


def wrong_scalar_noise(x, sigma, rng):
    n, p = x.shape
    out = np.zeros((n + 1, p))
    for t in range(1, n + 1):
        first = t & (t - 1)
        out[t] = out[first] + x[first:t].sum(axis=0) + rng.normal(0.0, sigma)
    return out[1:]


def _tree(x, draw):
    out = np.zeros((len(x) + 1, x.shape[1]))
    for t in range(1, len(x) + 1):
        first = t & (t - 1)
        out[t] = out[first] + x[first:t].sum(axis=0) + draw(t)
    return out[1:]


def wrong_variance(x, sigma, rng):
    return _tree(x, lambda t: rng.normal(0.0, sigma**2, x.shape[1]))


def wrong_noise_by_level(x, sigma, rng):
    return _tree(x, lambda t: rng.normal(0.0, sigma * (t & -t) ** 0.5, x.shape[1]))


def wrong_too_much_noise(x, sigma, rng):
    levels = len(x).bit_length()
    return _tree(x, lambda t: rng.normal(0.0, sigma * levels**0.5, x.shape[1]))


def wrong_noise_shared_by_level(x, sigma, rng):
    noise = rng.normal(0.0, sigma, (len(x).bit_length(), x.shape[1]))
    return _tree(x, lambda t: noise[(t & -t).bit_length() - 1])


def wrong_leaves_without_noise(x, sigma, rng):
    zero = np.zeros(x.shape[1])
    return _tree(x, lambda t: zero if t % 2 else rng.normal(0.0, sigma, x.shape[1]))


def wrong_excludes_the_last(x, sigma, rng):
    return np.vstack([np.zeros((1, x.shape[1])), right_recurrence(x, sigma, rng)[:-1]])


def wrong_node_only(x, sigma, rng):
    rows = []
    for t in range(1, len(x) + 1):
        noise = rng.normal(0.0, sigma, x.shape[1])
        rows.append(x[t - (t & -t) : t].sum(axis=0) + noise)
    return np.array(rows)


def wrong_total_only(x, sigma, rng):
    return x.sum(axis=0) + rng.normal(0.0, sigma, x.shape)


def wrong_powers_only(x, sigma, rng):
    n = len(x)
    if n & (n - 1):
        raise ValueError("the number of rows must be a power of 2")
    return right_recurrence(x, sigma, rng)


def wrong_fixed_seed(x, sigma, rng):
    return right_recurrence(x, sigma, np.random.default_rng(42))


def wrong_python_random(x, sigma, rng):
    import random

    return _tree(x, lambda t: np.array([random.gauss(0, sigma) for _ in x[0]]))


def wrong_axis(x, sigma, rng):
    return np.cumsum(x, axis=1) + rng.normal(0.0, sigma, x.shape)


def wrong_laplace(x, sigma, rng):
    return _tree(x, lambda t: rng.laplace(0.0, sigma / 2**0.5, x.shape[1]))


def wrong_weak_other_noise(x, sigma, rng):
    return right_other_noise(x, 0.8 * sigma, rng)


def wrong_flat(x, sigma, rng):
    return right_recurrence(x, sigma, rng)[:, 0]


def wrong_endless(x, sigma, rng):
    t = 1
    out = np.zeros(x.shape)
    while t <= len(x):
        out[t - 1] = x[:t].sum(axis=0) + rng.normal(0.0, sigma, x.shape[1])
    return out


def wrong_one_radius(x, sigma, rng):
    # Box and Muller, with one radius for all coordinates of a node
    n, p = x.shape
    u, v = 1.0 - rng.random((n, 1)), rng.random((n, p))
    noise = sigma * np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
    return np.cumsum(x, axis=0) + _prefixes(noise)


def wrong_cut_noise(x, sigma, rng):
    noise = sigma * np.clip(rng.standard_normal(x.shape), -3, 3)
    return np.cumsum(x, axis=0) + _prefixes(noise)


def _prefixes(noise):
    out = np.zeros((len(noise) + 1, noise.shape[1]))
    for t in range(1, len(noise) + 1):
        out[t] = out[t & (t - 1)] + noise[t - 1]
    return out[1:]


def wrong_five_levels(x, sigma, rng):
    out = np.zeros((len(x), x.shape[1]))
    nodes = {}
    for t in range(1, len(x) + 1):
        start = 0
        for size in (16, 8, 4, 2, 1):
            if t & size:
                if (start, size) not in nodes:
                    noise = rng.normal(0.0, sigma, x.shape[1])
                    nodes[start, size] = x[start : start + size].sum(axis=0) + noise
                out[t - 1] += nodes[start, size]
                start += size
    return out


def wrong_longest_row(x, sigma, rng):
    longest = np.linalg.norm(x, axis=1).max()
    return right_recurrence(x, sigma * min(1.0, longest), rng)


def wrong_single_row_without_noise(x, sigma, rng):
    return x.copy() if len(x) == 1 else right_other_noise(x, sigma, rng)


def wrong_whole_sums(x, sigma, rng):
    out = np.zeros_like(x)
    out[:] = right_other_noise(x, sigma, rng)
    return out


def right_in_single_precision(x, sigma, rng):
    rows = x.astype(np.float32)
    noise = rng.normal(0.0, sigma, x.shape).astype(np.float32)
    out = np.zeros((len(x) + 1, x.shape[1]), dtype=np.float32)
    for t in range(1, len(x) + 1):
        first = t & (t - 1)
        out[t] = out[first] + rows[first:t].sum(axis=0) + noise[t - 1]
    return out[1:]


RIGHT = (
    right_dictionary,
    right_recurrence,
    right_streaming,
    right_recursive,
    right_other_noise,
    right_clips_first,
    right_in_single_precision,
)
WRONG = {
    wrong_noise_on_each_sum: r"privacy of record 1.*μ of at most.*noise of its own",
    wrong_noise_on_each_row: r"noise at t = 8 .*variance 8 sigma².*grows with t",
    wrong_one_noise_for_all: r"μ = inf.*One draw serves all sums",
    wrong_fresh_node_noise: r"privacy of record 1.*noise of its own",
    wrong_scalar_noise: r"μ = inf.*All coordinates share one draw",
    wrong_variance: r"privacy of record.*takes a standard deviation",
    wrong_noise_by_level: r"variance 8 sigma².*8 is 1000 in binary.*the longer it is",
    wrong_too_much_noise: r"variance \d+ sigma²; wanted \d sigma².*too much noise",
    wrong_noise_shared_by_level: r"Some combination of the sums has no",
    wrong_leaves_without_noise: r"μ = inf.*Some sums carry no noise",
    wrong_excludes_the_last: r"prefix sum at t = 1 .*the t-th included",
    wrong_node_only: r"prefix sum at t = 3 .*one node of the tree",
    wrong_total_only: r"sum of the whole stream",
    wrong_powers_only: r"ValueError: the number of rows.*power of 2",
    wrong_fixed_seed: r"same result three times.*A seed inside",
    wrong_python_random: r"Python's random module.*the argument rng alone",
    wrong_axis: r"wrong axis",
    wrong_laplace: r"You draw from rng\.laplace",
    wrong_weak_other_noise: r"about 0\.\d+ times what is asked for.*rng\.random",
    wrong_flat: r"seen shape \(5,\).*of shape \(5, 2\)",
    wrong_endless: r"no result after.*loop never end",
    wrong_one_radius: r"hang together.*independent Gaussian noise",
    wrong_cut_noise: r"50 deviations from 0.*Is the noise cut",
    wrong_five_levels: r"prefix sum at t = 32 of n = 33",
    wrong_longest_row: r"privacy of record 1 of 1.*whatever the rows are",
    wrong_single_row_without_noise: r"record 1 of 1.*carry no noise",
    wrong_whole_sums: r"in arrays of integers.*loses its fraction",
}
