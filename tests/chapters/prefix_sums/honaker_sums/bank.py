"""The bank of ``honaker_sums``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

import numpy as np


def _prefixes(est):
    N = len(est) // 2
    out = np.zeros(N + 1)
    for t in range(1, N + 1):
        low = t & -t
        out[t] = out[t - low] + est[N // low + t // low - 1]
    return out[1:]


def right_levels(nodes):
    est = np.array(nodes, dtype=float)
    k, v = len(nodes) // 4, 1.0
    while k:
        v = 1 / (1 + 1 / (2 * v))
        below = est[2 * k : 4 * k]
        est[k : 2 * k] = v * nodes[k : 2 * k] + (1 - v) * (below[::2] + below[1::2])
        k //= 2
    return _prefixes(est)


def right_recursive(nodes):
    N = len(nodes) // 2

    def improve(k):
        # the estimate of node k, its variance, and the prefix sums below it
        if k >= N:
            return nodes[k], 1.0, [nodes[k]]
        left, a, early = improve(2 * k)
        right, b, late = improve(2 * k + 1)
        w = (a + b) / (1 + a + b)
        best = w * nodes[k] + (1 - w) * (left + right)
        return best, w, [*early, *(left + each for each in late[:-1]), best]

    return np.array(improve(1)[2])


def right_unnormalized(nodes):
    # u is an estimate over its variance; a parent adds half of what its children say
    N = len(nodes) // 2
    u, est = np.array(nodes, dtype=float), np.array(nodes, dtype=float)
    for k in reversed(range(1, N)):
        u[k] += (u[2 * k] + u[2 * k + 1]) / 2
        leaves = N // 2 ** (k.bit_length() - 1)
        est[k] = u[k] / (2 - 1 / leaves)
    out = []
    for t in range(1, N + 1):
        total, k, size = 0.0, 1, N
        while t:
            if t == size:
                total, t = total + est[k], 0
            elif t >= size // 2:
                total, t, k = total + est[2 * k], t - size // 2, 2 * k + 1
                size //= 2
            else:
                k, size = 2 * k, size // 2
        out.append(total)
    return out


def right_least_squares(nodes):
    # the best unbiased estimate from all nodes that are complete at time t
    N = len(nodes) // 2
    A = np.zeros((2 * N, N))
    A[N:] = np.eye(N)
    for k in range(N - 1, 0, -1):
        A[k] = A[2 * k] + A[2 * k + 1]
    out = []
    for t in range(1, N + 1):
        known = [k for k in range(1, 2 * N) if not A[k, t:].any()]
        fit = np.linalg.lstsq(A[known, :t], nodes[known], rcond=None)[0]
        out.append(fit.sum())
    return np.array(out)


def _improved(nodes, weight):
    N, est = len(nodes) // 2, np.array(nodes, dtype=float)
    for k in range(N - 1, 0, -1):
        h = N.bit_length() - k.bit_length()
        w = weight(h)
        est[k] = w * nodes[k] + (1 - w) * (est[2 * k] + est[2 * k + 1])
    return est


def _v(h):
    return 2**h / (2 ** (h + 1) - 1)


def wrong_plain(nodes):
    return _prefixes(np.array(nodes, dtype=float))


def wrong_leaves(nodes):
    return np.cumsum(nodes[len(nodes) // 2 :])


def wrong_halves(nodes):
    return _prefixes(_improved(nodes, lambda h: 1 / 2))


def wrong_swapped(nodes):
    return _prefixes(_improved(nodes, lambda h: 1 - _v(h)))


def wrong_one_weight(nodes):
    return _prefixes(_improved(nodes, lambda h: 2 / 3))


def wrong_raw_children(nodes):
    est = np.array(nodes, dtype=float)
    for k in range(1, len(nodes) // 2):
        est[k] = (2 * nodes[k] + nodes[2 * k] + nodes[2 * k + 1]) / 3
    return _prefixes(est)


def wrong_future(nodes):
    # all nodes at once: sum t is then told by nodes that end after t
    N = len(nodes) // 2
    A = np.zeros((2 * N, N))
    A[N:] = np.eye(N)
    for k in range(N - 1, 0, -1):
        A[k] = A[2 * k] + A[2 * k + 1]
    return np.cumsum(np.linalg.lstsq(A[1:], nodes[1:], rcond=None)[0])


def wrong_renoised(nodes):
    fresh = np.random.default_rng().normal(size=len(nodes))
    return _prefixes(_improved(nodes + 1e-3 * fresh, _v))


def wrong_mean_of_children(nodes):
    N, est = len(nodes) // 2, np.array(nodes, dtype=float)
    for k in range(N - 1, 0, -1):
        w = _v(N.bit_length() - k.bit_length())
        est[k] = w * nodes[k] + (1 - w) * (est[2 * k] + est[2 * k + 1]) / 2
    return _prefixes(est)


def wrong_excludes_the_last(nodes):
    return np.concatenate([[0.0], _prefixes(_improved(nodes, _v))[:-1]])


def wrong_total(nodes):
    return _improved(nodes, _v)[1]


def wrong_records(nodes):
    return nodes[len(nodes) // 2 :].astype(float)


def wrong_heap_from_zero(nodes):
    N, est = len(nodes) // 2, np.array(nodes[:-1], dtype=float)
    for k in range(N - 2, -1, -1):
        w = _v(N.bit_length() - (k + 1).bit_length())
        est[k] = w * est[k] + (1 - w) * (est[2 * k + 1] + est[2 * k + 2])
    return _prefixes(np.concatenate([[0.0], est]))


def wrong_sum_of_weights(nodes):
    N, est = len(nodes) // 2, np.array(nodes, dtype=float)
    for k in range(N - 1, 0, -1):
        w = _v(N.bit_length() - k.bit_length())
        est[k] = w * (nodes[k] + est[2 * k] + est[2 * k + 1])
    return _prefixes(est)


def wrong_rounds(nodes):
    # a count is a whole number
    return np.round(_prefixes(_improved(nodes, _v)))


def wrong_clips(nodes):
    # a count cannot fall: but that is no weighted sum
    return np.maximum.accumulate(_prefixes(_improved(nodes, _v)))


def wrong_in_place(nodes):
    N = len(nodes) // 2
    for k in range(N - 1, 0, -1):
        w = _v(N.bit_length() - k.bit_length())
        nodes[k] = w * nodes[k] + (1 - w) * (nodes[2 * k] + nodes[2 * k + 1])
    return _prefixes(nodes)


def wrong_whole_nodes(nodes):
    N = len(nodes) // 2
    est, var = nodes.copy(), np.ones(2 * N)
    for k in range(N - 1, 0, -1):
        v = var[2 * k] + var[2 * k + 1]
        est[k] = (v * nodes[k] + est[2 * k] + est[2 * k + 1]) / (1 + v)
        var[k] = v / (1 + v)
    out = np.zeros(N + 1)
    for t in range(1, N + 1):
        out[t] = out[t & (t - 1)] + est[(N + t - (t & -t)) // (t & -t)]
    return out[1:]


RIGHT = (right_levels, right_recursive, right_unnormalized, right_least_squares)
WRONG = {
    wrong_plain: r"noise of sum 2 of 2: seen variance 1.*wanted 0\.6667.*plain sums",
    wrong_leaves: r"Only the leaves are used",
    wrong_halves: r"equal weights",
    wrong_swapped: r"weights are swapped",
    wrong_one_weight: r"sum 4 of 4.*weight of a node above two leaves",
    wrong_raw_children: r"children's sums are taken raw",
    wrong_future: r"weight of node 1 in sum 1.*holds record 4, which has not come",
    wrong_renoised: r"two results.*noisy already|If all nodes are exact",
    wrong_mean_of_children: r"Two children together hold",
    wrong_excludes_the_last: r"The t-th sum holds the t-th record",
    wrong_total: r"shape \(\).*of shape \(8,\)",
    wrong_records: r"single records, not sums",
    wrong_heap_from_zero: r"If all nodes are exact.*node 1 the root",
    wrong_sum_of_weights: r"If all nodes are exact.*weights of one sum",
    wrong_rounds: r"from nodes without noise.*every estimate must be",
    wrong_clips: r"sum \d of 8, from nodes without noise|no weighted sums",
    wrong_in_place: r"argument nodes after the call",
    wrong_whole_nodes: r"in arrays of integers.*loses its fraction",
}
