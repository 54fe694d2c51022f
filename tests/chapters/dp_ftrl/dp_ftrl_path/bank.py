"""The bank of ``dp_ftrl_path``: answers that must pass, and answers that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np

from dpteach.arrays import clip as cut


def _gradient(w, x, label, C):
    return cut((x @ w - label) * x, C)


def right_recurrence(X, y, C, R, sigma, reg, rng):
    n, p = X.shape
    s, b, path = np.zeros(p), np.zeros((n + 1, p)), [np.zeros(p)]
    for t in range(1, n + 1):
        g = (X[t - 1] @ path[-1] - y[t - 1]) * X[t - 1]
        s = s + g / max(1.0, np.linalg.norm(g) / C)
        b[t] = b[t & (t - 1)] + rng.normal(0.0, C * sigma, p)
        theta = -(s + b[t]) / reg
        path.append(theta / max(1.0, np.linalg.norm(theta) / R))
    return np.array(path)


def right_dictionary(X, y, C, R, sigma, reg, rng):
    n, p = X.shape
    nodes, gradients, path = {}, [], [np.zeros(p)]
    for t in range(1, n + 1):
        gradients.append(_gradient(path[-1], X[t - 1], y[t - 1], C))
        total, end, left = np.zeros(p), 0, t
        while left:
            size = 1 << (left.bit_length() - 1)
            if (end, size) not in nodes:
                noise = C * sigma * rng.standard_normal(p)
                nodes[end, size] = np.sum(gradients[end : end + size], axis=0) + noise
            total, end, left = total + nodes[end, size], end + size, left - size
        path.append(cut(-total / reg, R))
    return np.stack(path)


def right_all_noise_first(X, y, C, R, sigma, reg, rng):
    n, p = X.shape
    z = rng.standard_normal((n, p)) * sigma * C
    path, s = np.zeros((n + 1, p)), np.zeros(p)
    for t in range(1, n + 1):
        s = s + _gradient(path[t - 1], X[t - 1], y[t - 1], C)
        b, k = np.zeros(p), t
        while k:
            b, k = b + z[k - 1], k & (k - 1)
        path[t] = cut(-(s + b) / reg, R)
    return path


def right_other_noise(X, y, C, R, sigma, reg, rng):
    # no tape can replay such noise, so it is measured
    n, p = X.shape
    s, b, path = np.zeros(p), np.zeros((n + 1, p)), [np.zeros(p)]
    for t in range(1, n + 1):
        u, v = 1.0 - rng.random(p), rng.random(p)
        z = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)
        s = s + _gradient(path[-1], X[t - 1], y[t - 1], C)
        b[t] = b[t & (t - 1)] + C * sigma * z
        path.append(cut(-(s + b[t]) / reg, R))
    return np.array(path)


def right_honaker(X, y, C, R, sigma, reg, rng):
    # the same nodes, better mixed: no more noise than the tree's plain sums
    n, p = X.shape
    path, s, stack = [np.zeros(p)], np.zeros(p), []
    for t in range(1, n + 1):
        s = s + _gradient(path[-1], X[t - 1], y[t - 1], C)
        b, v, size = C * sigma * rng.standard_normal(p), 1.0, 1
        while stack and stack[-1][0] == size:
            _, a, _ = stack.pop()
            v, size = 1 / (1 + 1 / (2 * v)), 2 * size
            own = C * sigma * rng.standard_normal(p)
            b = v * own + (1 - v) * (a + b)
        stack.append((size, b, v))
        path.append(cut(-(s + sum(each for _, each, _ in stack)) / reg, R))
    return np.array(path)


def _pass(X, y, C, R, reg, noise, start=0.0):
    """Follow the leader with the given noise of the sums, a row each."""
    s, path = np.zeros(X.shape[1]), [np.zeros(X.shape[1]) + start]
    for x, label, b in zip(X, y, noise, strict=True):
        s = s + _gradient(path[-1], x, label, C)
        path.append(cut(-(s + b) / reg, R))
    return np.array(path)


def _tree(n, p, scale, rng):
    b = np.zeros((n + 1, p))
    for t in range(1, n + 1):
        b[t] = b[t & (t - 1)] + scale * rng.standard_normal(p)
    return b[1:]


def wrong_greedy(X, y, C, R, sigma, reg, rng):
    steps = np.diff(_tree(*X.shape, C * sigma, rng), axis=0, prepend=0.0)
    path = [np.zeros(X.shape[1])]
    for x, label, a in zip(X, y, steps, strict=True):
        path.append(cut(path[-1] - (_gradient(path[-1], x, label, C) + a) / reg, R))
    return np.array(path)


def wrong_no_clip(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, np.inf, R, reg, _tree(*X.shape, C * sigma, rng))


def wrong_no_ball(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, C, np.inf, reg, _tree(*X.shape, C * sigma, rng))


def wrong_late_ball(X, y, C, R, sigma, reg, rng):
    return cut(wrong_no_ball(X, y, C, R, sigma, reg, rng), R)


def wrong_at_start(X, y, C, R, sigma, reg, rng):
    sums = np.cumsum(cut(-y[:, None] * X, C), axis=0)
    sums = sums + _tree(*X.shape, C * sigma, rng)
    return cut(np.concatenate([np.zeros((1, X.shape[1])), -sums / reg]), R)


def wrong_mean(X, y, C, R, sigma, reg, rng):
    b, s, path = _tree(*X.shape, C * sigma, rng), 0.0, [np.zeros(X.shape[1])]
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        s = s + _gradient(path[-1], x, label, C)
        path.append(cut(-(s + b[t]) / reg / (t + 1), R))
    return np.array(path)


def wrong_no_start(X, y, C, R, sigma, reg, rng):
    return right_recurrence(X, y, C, R, sigma, reg, rng)[1:]


def wrong_noise_per_gradient(X, y, C, R, sigma, reg, rng):
    noise = np.cumsum(C * sigma * rng.standard_normal(X.shape), axis=0)
    return _pass(X, y, C, R, reg, noise)


def wrong_noise_per_sum(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, C, R, reg, C * sigma * rng.standard_normal(X.shape))


def wrong_tree_size_noise_per_sum(X, y, C, R, sigma, reg, rng):
    ones = np.array([t.bit_count() for t in range(1, len(X) + 1)])[:, None]
    noise = C * sigma * np.sqrt(ones) * rng.standard_normal(X.shape)
    return _pass(X, y, C, R, reg, noise)


def wrong_one_draw(X, y, C, R, sigma, reg, rng):
    noise = C * sigma * rng.standard_normal(X.shape[1])
    return _pass(X, y, C, R, reg, np.tile(noise, (len(X), 1)))


def wrong_shared_levels(X, y, C, R, sigma, reg, rng):
    n, p = X.shape
    level = C * sigma * rng.standard_normal((n.bit_length(), p))
    b = [sum(level[j] for j in range(n.bit_length()) if t >> j & 1)
         for t in range(1, n + 1)]  # fmt: skip
    return _pass(X, y, C, R, reg, b)


def wrong_one_number(X, y, C, R, sigma, reg, rng):
    b = _tree(len(X), 1, C * sigma, rng)
    return _pass(X, y, C, R, reg, b + np.zeros(X.shape))


def wrong_without_c(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, C, R, reg, _tree(*X.shape, sigma, rng))


def wrong_variance(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, C, R, reg, _tree(*X.shape, (C * sigma) ** 2, rng))


def wrong_on_the_model(X, y, C, R, sigma, reg, rng):
    return _pass(X, y, C, R, reg, reg * _tree(*X.shape, C * sigma, rng))


def wrong_fixed_seed(X, y, C, R, sigma, reg, rng):
    return right_recurrence(X, y, C, R, sigma, reg, np.random.default_rng(0))


def wrong_noisy_start(X, y, C, R, sigma, reg, rng):
    start = C * sigma * rng.standard_normal(X.shape[1]) / reg
    return _pass(X, y, C, R, reg, _tree(*X.shape, C * sigma, rng), start)


def wrong_hidden_path(X, y, C, R, sigma, reg, rng):
    # gradients at models without noise
    quiet = _pass(X, y, C, R, reg, np.zeros(X.shape))
    pulls = [_gradient(w, x, v, C) for w, x, v in zip(quiet, X, y, strict=False)]
    sums = np.cumsum(pulls, axis=0) + _tree(*X.shape, C * sigma, rng)
    return np.concatenate([quiet[:1], cut(-sums / reg, R)])


def wrong_top_left_out(X, y, C, R, sigma, reg, rng):
    b = _tree(*X.shape, C * sigma, rng)
    n = len(X)
    if n & (n - 1) == 0:
        b[-1] = 0.0  # the root has no noise
    return _pass(X, y, C, R, reg, b)


def wrong_small_scale(X, y, C, R, sigma, reg, rng):
    return right_recurrence(X, y, C, R, 0.97 * sigma, reg, rng)


def wrong_laplace(X, y, C, R, sigma, reg, rng):
    b = np.zeros((len(X) + 1, X.shape[1]))
    for t in range(1, len(X) + 1):
        b[t] = b[t & (t - 1)] + rng.laplace(0, C * sigma / 2**0.5, X.shape[1])
    return _pass(X, y, C, R, reg, b[1:])


def wrong_noise_from_data(X, y, C, R, sigma, reg, rng):
    longest = min(C, np.linalg.norm(y[:, None] * X, axis=1).max())
    return _pass(X, y, C, R, reg, _tree(*X.shape, longest * sigma, rng))


def wrong_clips_the_sum(X, y, C, R, sigma, reg, rng):
    b, s, path = _tree(*X.shape, C * sigma, rng), 0.0, [np.zeros(X.shape[1])]
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        s = cut(s + (x @ path[-1] - label) * x, C)
        path.append(cut(-(s + b[t]) / reg, R))
    return np.array(path)


def wrong_changes_the_data(X, y, C, R, sigma, reg, rng):
    y -= 0.5
    return right_recurrence(X, y, C, R, sigma, reg, rng)


def wrong_few_seeds(X, y, C, R, sigma, reg, rng):
    few = np.random.default_rng(rng.integers(1000))
    return right_recurrence(X, y, C, R, sigma, reg, few)


RIGHT = (
    right_recurrence,
    right_dictionary,
    right_all_noise_first,
    right_other_noise,
    right_honaker,
)
WRONG = {
    wrong_few_seeds: r"different results.*a small seed",
    wrong_greedy: "projected descent",
    wrong_no_clip: "No gradient was clipped",
    wrong_no_ball: "left the ball",
    wrong_late_ball: "back to the ball in the end",
    wrong_at_start: "taken at zero",
    wrong_mean: "divided by t",
    wrong_no_start: "shape",
    wrong_noise_per_gradient: "does each gradient get noise of its own",
    wrong_noise_per_sum: "Each sum gets noise of its own",
    wrong_tree_size_noise_per_sum: "Each sum gets noise of its own",
    wrong_one_draw: "share a draw",
    wrong_shared_levels: "share a draw",
    wrong_one_number: "share one draw",
    wrong_without_c: "C is missing|variance 2",
    wrong_variance: "a variance|variance ",
    wrong_on_the_model: "belongs to the sum|variance ",
    wrong_fixed_seed: "A seed inside",
    wrong_noisy_start: "so it is 0",
    wrong_hidden_path: "noise and ball included",
    wrong_top_left_out: "no noise at all",
    wrong_small_scale: "privacy of record",
    wrong_laplace: "measured",
    wrong_noise_from_data: "no noise at all|three times",
    wrong_clips_the_sum: "by hand, and compare",
    wrong_changes_the_data: "argument y after the call",
}
