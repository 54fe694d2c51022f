"""The bank of ``shuffled_delta``: answers that must pass, and that must not.

WRONG maps each wrong answer to a pattern that its message must match.
"""

from collections import defaultdict
from itertools import combinations_with_replacement, product

import numpy as np


def right_dictionary(p, q, r, eps):
    P, Q = defaultdict(float), defaultdict(float)
    for a, b in product(range(len(p)), repeat=2):
        seen = tuple(sorted((a, b)))
        P[seen] += p[a] * r[b]
        Q[seen] += q[a] * r[b]
    there = sum(max(P[o] - np.exp(eps) * Q[o], 0) for o in P)
    back = sum(max(Q[o] - np.exp(eps) * P[o], 0) for o in P)
    return max(there, back)


def right_pairs(p, q, r, eps):
    there = back = 0.0
    for a, b in combinations_with_replacement(range(len(p)), 2):
        P, Q = p[a] * r[b], q[a] * r[b]
        if a != b:
            P, Q = P + p[b] * r[a], Q + q[b] * r[a]
        there += max(P - np.exp(eps) * Q, 0)
        back += max(Q - np.exp(eps) * P, 0)
    return there if there > back else back


def right_matrices(p, q, r, eps):
    # half of a symmetric matrix: each pair stands in it twice, with half its chance
    P, Q = np.outer(p, r), np.outer(q, r)
    P, Q = (P + P.T) / 2, (Q + Q.T) / 2
    grow = np.exp(eps)
    return max(np.clip(P - grow * Q, 0, None).sum(), np.clip(Q - grow * P, 0, 2).sum())


def right_polynomials(p, q, r, eps):
    # a report is a power: symbol a is z to the 7^a, and a pair the sum of two
    def chances(first):
        out = {}
        for a, x in enumerate(first):
            for b, y in enumerate(r):
                out[7**a + 7**b] = out.get(7**a + 7**b, 0.0) + x * y
        return np.array([out[key] for key in sorted(out)])

    P, Q, sticks = chances(p), chances(q), []
    for A, B in ((P, Q), (Q, P)):
        more = A - np.exp(eps) * B
        sticks.append(more[more > 0].sum())
    return float(max(sticks))


def _both(p, q, r, eps, chances):
    P, Q = chances(p, r), chances(q, r)
    grow = np.exp(eps)
    return max(np.maximum(P - grow * Q, 0).sum(), np.maximum(Q - grow * P, 0).sum())


def _chances(p, r):
    both = np.outer(p, r)
    above = np.triu_indices(len(p), 1)
    return np.append(np.diag(both), (both + both.T)[above])


def wrong_no_shuffle(p, q, r, eps):
    grow = np.exp(eps)
    return max(np.maximum(p - grow * q, 0).sum(), np.maximum(q - grow * p, 0).sum())


def wrong_ordered(p, q, r, eps):
    return _both(p, q, r, eps, lambda p, r: np.outer(p, r))


def wrong_one_direction(p, q, r, eps):
    P, Q = _chances(p, r), _chances(q, r)
    return np.maximum(P - np.exp(eps) * Q, 0).sum()


def wrong_other_direction(p, q, r, eps):
    P, Q = _chances(p, r), _chances(q, r)
    return np.maximum(Q - np.exp(eps) * P, 0).sum()


def wrong_kinder_direction(p, q, r, eps):
    P, Q = _chances(p, r), _chances(q, r)
    grow = np.exp(eps)
    return min(np.maximum(P - grow * Q, 0).sum(), np.maximum(Q - grow * P, 0).sum())


def wrong_equal_symbols_twice(p, q, r, eps):
    def chances(p, r):
        both = np.outer(p, r)
        return (both + both.T)[np.triu_indices(len(p))]

    return _both(p, q, r, eps, chances)


def wrong_every_pair_twice(p, q, r, eps):
    return _both(p, q, r, eps, lambda p, r: np.outer(p, r) + np.outer(r, p))


def wrong_one_report_seen(p, q, r, eps):
    return _both(p, q, r, eps, lambda p, r: (p + r) / 2)


def wrong_no_epsilon(p, q, r, eps):
    return _both(p, q, r, 0.0, _chances)


def wrong_sign_of_epsilon(p, q, r, eps):
    return _both(p, q, r, -eps, _chances)


def wrong_total_variation(p, q, r, eps):
    return np.abs(_chances(p, r) - np.exp(eps) * _chances(q, r)).sum() / 2


def wrong_largest_outcome(p, q, r, eps):
    P, Q = _chances(p, r), _chances(q, r)
    return max(np.max(P - np.exp(eps) * Q), np.max(Q - np.exp(eps) * P))


def wrong_other_is_a_copy(p, q, r, eps):
    return _both(p, q, q, eps, _chances)


def wrong_both_change(p, q, r, eps):
    P, Q = _chances(p, p), _chances(q, q)
    grow = np.exp(eps)
    return max(np.maximum(P - grow * Q, 0).sum(), np.maximum(Q - grow * P, 0).sum())


def wrong_ratio(p, q, r, eps):
    return float(np.log(np.max(_chances(p, r) / _chances(q, r))))


def wrong_by_sampling(p, q, r, eps):
    rng = np.random.default_rng(0)
    n, k = 2000, len(p)
    second = rng.choice(k, n, p=r / r.sum())
    counts = []
    for chances in (p, q):
        first = rng.choice(k, n, p=chances / chances.sum())
        low, high = np.minimum(first, second), np.maximum(first, second)
        counts.append(np.bincount(low * k + high, minlength=k * k) / n)
    return np.maximum(counts[0] - np.exp(eps) * counts[1], 0).sum()


def wrong_two_symbols_only(p, q, r, eps):
    P = np.array([p[0] * r[0], p[0] * r[1] + p[1] * r[0], p[1] * r[1]])
    Q = np.array([q[0] * r[0], q[0] * r[1] + q[1] * r[0], q[1] * r[1]])
    grow = np.exp(eps)
    return max(np.maximum(P - grow * Q, 0).sum(), np.maximum(Q - grow * P, 0).sum())


def wrong_writes_into_p(p, q, r, eps):
    p -= np.exp(eps) * q
    return np.maximum(p, 0).sum()


def wrong_where_both_are_possible(p, q, r, eps):
    there = back = 0.0
    for a, b in combinations_with_replacement(range(len(p)), 2):
        P, Q = p[a] * r[b], q[a] * r[b]
        if a != b:
            P, Q = P + p[b] * r[a], Q + q[b] * r[a]
        if P > 0:
            back += max(Q - np.exp(eps) * P, 0)
        there += max(P - np.exp(eps) * Q, 0)
    return max(there, back)


def wrong_epsilon_cut(p, q, r, eps):
    return right_pairs(p, q, r, min(eps, 3.0))


RIGHT = (right_dictionary, right_pairs, right_matrices, right_polynomials)
WRONG = {
    wrong_no_shuffle: r"two symbols: .*does not know which of the two is hers",
    wrong_ordered: r"two symbols: .*does not know which of the two is hers",
    wrong_one_direction: r"randomized response: .*two directions: q against p",
    wrong_other_direction: r"two symbols: .*two directions: p against q",
    wrong_kinder_direction: r"two symbols: .*two directions: p against q",
    wrong_equal_symbols_twice: r"come about in one way",
    wrong_every_pair_twice: r"two symbols: .*List the unordered pairs",
    wrong_one_report_seen: r"chosen by a coin",
    wrong_no_epsilon: r"eps = 0\.3: .*List the unordered pairs",
    wrong_sign_of_epsilon: r"List the unordered pairs",
    wrong_total_variation: r"count as 0, not by their size",
    wrong_largest_outcome: r"adds up over all of them",
    wrong_other_is_a_copy: r"The other user reports from r",
    wrong_both_change: r"Only user 1's record differs",
    wrong_ratio: r"two symbols: .*List the unordered pairs",
    wrong_by_sampling: r"two symbols: .*List the unordered pairs",
    wrong_two_symbols_only: r"three symbols: .*List the unordered pairs",
    wrong_writes_into_p: r"argument p after the call",
    wrong_where_both_are_possible: r"only one record can.*impossible with one record",
    wrong_epsilon_cut: r"a large ε",
}
