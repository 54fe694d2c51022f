"""The tree: its sums, its variances, its price and its errata."""

from fractions import Fraction
from math import ceil, erfc, exp, inf, log, log2, sqrt

import numpy as np
import pytest
from scipy.stats import chi, chi2

from dpteach import Relation
from dpteach.accounting import (
    epsilon_of,
    gaussian_mu,
)
from dpteach.algorithms.streams.tree import (
    Tree,
    add_to_tree,
    get_sum,
    initialize_tree,
    levels,
    prefix_noise_bound,
    prefix_variance,
    tree_noise_multiplier,
)
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian
from tests.algorithms.streams.nodes import (
    leaves_of,
    lecture_sigma,
    nodes_read,
    nodes_read_by_any,
    textbook,
)
from tests.errata import erratum

ZERO, REPLACE = Relation.ZERO_OUT, Relation.REPLACE

# t: the nodes that the t-th sum reads, by first and last leaf, and the two variances
NODES = {
    1: ([(1, 1)], 1, 1),
    2: ([(1, 2)], 1, Fraction(2, 3)),
    3: ([(1, 2), (3, 3)], 2, Fraction(5, 3)),
    4: ([(1, 4)], 1, Fraction(4, 7)),
    5: ([(1, 4), (5, 5)], 2, Fraction(11, 7)),
    6: ([(1, 4), (5, 6)], 2, Fraction(26, 21)),
    7: ([(1, 4), (5, 6), (7, 7)], 3, Fraction(47, 21)),
    8: ([(1, 8)], 1, Fraction(8, 15)),
    9: ([(1, 8), (9, 9)], 2, Fraction(23, 15)),
    10: ([(1, 8), (9, 10)], 2, Fraction(6, 5)),
    11: ([(1, 8), (9, 10), (11, 11)], 3, Fraction(11, 5)),
    12: ([(1, 8), (9, 12)], 2, Fraction(116, 105)),
    13: ([(1, 8), (9, 12), (13, 13)], 3, Fraction(221, 105)),
    14: ([(1, 8), (9, 12), (13, 14)], 3, Fraction(62, 35)),
    15: ([(1, 8), (9, 12), (13, 14), (15, 15)], 4, Fraction(97, 35)),
    16: ([(1, 16)], 1, Fraction(16, 31)),
}


@pytest.mark.claim(
    "12-prefix-sums",
    "The noise of each sum is that of the nodes it reads.",
    order=4,
)
@pytest.mark.parametrize("t", NODES)
def test_the_nodes_of_each_sum_and_their_variances(t):
    found = sorted(leaves_of(node, 16) for node in nodes_read(16, t))
    assert found == NODES[t][0]
    assert prefix_variance(t) == NODES[t][1]
    assert prefix_variance(t, estimator="honaker") == pytest.approx(
        float(NODES[t][2]), rel=1e-15
    )


def test_honaker_variances_of_long_streams():
    for t, exact in {
        100: 1.583302087239095,
        1023: 5.802859135945372,
        1024: 1024 / 2047,
    }.items():
        assert prefix_variance(t, estimator="honaker") == pytest.approx(
            exact, rel=1e-14
        )


@pytest.mark.parametrize(
    ("steps", "plain", "honaker"),
    [(16, 10.3, 7.09), (256, 36.0, 21.6), (1024, 55.0, 31.9)],
)
def test_mean_variance_times_squared_sensitivity(steps, plain, honaker):
    for estimator, expected in (("plain", plain), ("honaker", honaker)):
        variances = [
            prefix_variance(t, estimator=estimator) for t in range(1, steps + 1)
        ]
        assert np.mean(variances) * levels(steps) == pytest.approx(expected, rel=5e-3)
    assert (plain > (steps + 1) / 2) == (
        steps == 16
    )  # noise per vector wins when short


def test_mean_honaker_variance():
    for steps, mean in ((16, 1.41797235023041475), (1024, 2.90191808775773785)):
        found = np.mean(
            [prefix_variance(t, estimator="honaker") for t in range(1, steps + 1)]
        )
        assert found == pytest.approx(mean, rel=1e-14)

    def errors(steps, estimator):
        k = levels(steps)
        variances = [
            prefix_variance(t, estimator=estimator) for t in range(1, steps + 1)
        ]
        return sqrt(k * np.mean(variances)), sqrt(k * max(variances))

    assert errors(16, "honaker")[0] == pytest.approx(2.66267943078998, rel=1e-13)
    assert errors(1024, "honaker")[0] == pytest.approx(5.64987601327101, rel=1e-13)
    assert errors(1024, "plain") == pytest.approx((7.416923, 10.488088), rel=1e-7)


@pytest.mark.claim(
    "12-prefix-sums",
    "The tree loses at 3 to 5, 7 to 11 and 15 to 19 sums, and wins from 20 on.",
    order=10,
)
def test_a_short_stream_is_better_off_with_noise_in_each_vector():
    """Worst variance times squared sensitivity: T alone, or levels times 1s."""
    worse = [
        T
        for T in range(1, 200)
        if levels(T) * max(prefix_variance(t) for t in range(1, T + 1)) > T
    ]
    assert worse == [*range(3, 6), *range(7, 12), *range(15, 20)]


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8, 13])
def test_the_tree_sums_what_was_added(steps):
    X = np.random.default_rng(0).integers(-9, 9, (steps, 2)).astype(float)
    tree = initialize_tree(steps, sigma=1.0, shape=(2,), rng=Tape())
    for t in range(1, steps + 1):
        tree = add_to_tree(tree, t, X[t - 1])
        assert np.array_equal(get_sum(tree, t), X[:t].sum(axis=0))


def test_levels():
    steps = (1, 2, 3, 4, 7, 8, 16, 100, 1000, 1023, 1024, 1025, 1600, 4800, 69750)
    found = [levels(n) for n in steps]
    assert found == [1, 2, 2, 3, 3, 4, 5, 7, 10, 10, 11, 11, 11, 13, 17]


@pytest.mark.parametrize(
    ("steps", "exact", "book"),
    [
        (1, 4.224678889326835283, 5.4434383541956776906),
        (2, 5.9745981819573142841, 7.6981843464454068902),
        (16, 9.4466691796431144426, 12.171898191311112878),
        (1000, 13.359607673103212263, 17.213663501976721343),
        (1024, 14.011674735632498552, 18.053842590296782309),
    ],
)
def test_theorem_6_13_noise_exact_and_by_the_book(steps, exact, book):
    find = tree_noise_multiplier
    assert find(1.0, 1e-6, steps=steps) == pytest.approx(exact, rel=1e-9)
    assert find(1.0, 1e-6, steps=steps, method="textbook") == pytest.approx(book)
    twice = find(1.0, 1e-6, steps=steps, relation=REPLACE)
    assert twice == pytest.approx(2 * exact, rel=1e-9)


def test_theorem_6_13_error_is_at_most_the_noise_of_all_levels():
    for steps in (1, 2, 7, 100):
        for t in range(1, steps + 1):
            mean = sqrt(prefix_variance(t)) * chi(5).mean()
            assert mean <= sqrt(5 * levels(steps))


def test_no_tree_is_larger_than_it_must_be():
    """Of the nodes above leaf 1, those without unused leaves are as many as priced."""
    for steps in (1, 2, 3, 4, 5, 8, 1000, 1024):
        tree = initialize_tree(steps, sigma=1.0, shape=(), rng=Tape([]))
        assert tree.leaves // 2 < steps <= tree.leaves
        nodes = add_to_tree(tree, 1, np.array(1.0)).nodes
        above = [k for k, x in enumerate(nodes) if x]
        sizes = [tree.leaves >> (k.bit_length() - 1) for k in above]
        assert sum(size <= steps for size in sizes) == levels(steps)


def test_a_stream_refuses_to_lose_a_record():
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        tree_noise_multiplier(1.0, 1e-6, steps=8, relation=Relation.ADD_REMOVE)


def test_a_leaf_beyond_the_price_is_refused():
    tree = initialize_tree(5, sigma=1.0, shape=(), rng=0)
    with pytest.raises(ValueError, match=r"`t` must be at most 5"):
        add_to_tree(tree, 6, np.array(1.0))


def test_the_bound_on_all_noise_holds_where_it_can_be_computed():
    """For p = 1 and n = 2 the two sums have independent noise: the chance is exact."""
    for beta in (0.3, 0.01, 1e-6):
        bound = prefix_noise_bound(2, p=1, sigma=1.0, failure_probability=beta)
        fails = 1 - (1 - erfc(bound / sqrt(2))) ** 2
        assert 0 < fails < beta
    for estimator in ("plain", "honaker"):
        for n in (1, 5, 6, 64, 100):
            worst = max(prefix_variance(t, estimator=estimator) for t in range(n + 1))
            bound = prefix_noise_bound(
                n, p=3, sigma=2.0, failure_probability=0.1, estimator=estimator
            )
            expected = 2 * sqrt(worst) * (sqrt(3) + sqrt(2 * log(n / 0.1)))
            assert bound == pytest.approx(expected, rel=1e-14)


@erratum("E-22")
def test_e22_the_improved_error_has_the_root_of_p(claimed, actual):
    """E-22: with √n, as printed, the tree would be no improvement."""
    n, p, tail = 1024, 10, log(1e6)
    naive = sqrt(n * p * tail)
    printed = sqrt(n * log(n) ** 2 * tail)
    ours = sqrt(p * log(n) ** 2 * tail)
    assert [round(x) for x in (naive, printed, ours)] == [376, claimed, actual]
    z = tree_noise_multiplier(1.0, 1e-6, steps=n)
    mean = np.mean([sqrt(prefix_variance(t)) for t in range(1, n + 1)])
    tree = z * mean * chi(p).mean()
    alone = sqrt(n) / gaussian_mu(1.0, 1e-6) * chi(p).mean()
    assert [round(tree), round(alone)] == [95, 417]


@erratum("E-23")
def test_e23_the_noise_counts_levels_not_leaves(claimed, actual):
    """E-23: 2^⌈lg n⌉ in place of 2⌈lg n⌉ is the naive noise again, and more."""
    levels_noise = textbook(10, 1.0, 1e-6)
    leaves_noise = sqrt(2**10 * (log(1e6) + 1))
    assert [round(levels_noise, 1), round(leaves_noise, 1)] == [actual, claimed]


@erratum("E-25")
def test_e25_the_root_is_its_own_left_sibling(actual):
    """E-25: with it, the printed rule reads each of the leaves 1, …, t once."""
    for n in range(1, 130):
        N = 1 << (n - 1).bit_length()
        for t in range(1, n + 1):
            leaf, b = N + t - 1, (N + t - 1).bit_length()
            path = [leaf >> (b - j) for j in range(1, b + 1)]
            ones = [k for k, bit in zip(path, f"{t:0{b}b}", strict=True) if bit == "1"]
            read = [k if k == 1 else k & ~1 for k in ones]
            covered = [leaf for k in read for leaf in range_of(k, N)]
            assert sorted(covered) == list(range(1, t + 1))
            # Without the root's rule, the sum of all n = 2^k vectors reads nothing.
            assert (1 in ones) == (t == N)
    assert nodes_read(4, 4) == {1}
    assert sum(len(range_of(k, 4)) for k in nodes_read(4, 4)) == actual


def range_of(node, N):
    first, last = leaves_of(node, N)
    return range(first, last + 1)


@erratum("E-28")
def test_e28_the_noise_bound_fails_for_one_weight(claimed, actual):
    """E-28: p = 1, n = 2. The printed bound is exceeded too often; ours is not."""
    for beta, expected in ((claimed, actual), (1e-4, 0.0033), (1e-6, 2.8e-4)):
        printed = sqrt(1 * 1 * log(2 / beta))
        fails = 1 - (1 - erfc(printed / sqrt(2))) ** 2
        assert fails == pytest.approx(expected, rel=0.02)
        ours = prefix_noise_bound(2, p=1, sigma=1.0, failure_probability=beta)
        assert 1 - (1 - erfc(ours / sqrt(2))) ** 2 < beta
    # p ≥ 2: one sum exceeds it with probability at most β/n, if ln(n/β) ≥ ln 4
    u = np.linspace(log(4), 100, 10_000)
    for p in (2, 3, 5, 30, 300, 10**5):
        assert np.all(chi2.logsf(p * u, p) <= -u + 1e-12)
    assert chi2.sf(300 * log(2 / 0.9), 300) > 0.99 > 0.9  # not for every β


@erratum("L-03")
def test_l03_the_lectures_noise_has_a_range(claimed, actual):
    """L-03: σ = 2√(log T log(1/δ))/ε suffices for ZERO_OUT, log₂ and moderate ε."""
    delta = 1e-6

    def true(T, epsilon, lg, relation):
        event = Gaussian(
            lecture_sigma(T, epsilon, delta, lg), releases=levels(T), relation=relation
        )
        return epsilon_of(event, delta)

    assert true(256, 1.0, log2, ZERO) == pytest.approx(0.58, abs=0.01)
    assert true(256, 1.0, log, ZERO) == pytest.approx(0.71, abs=0.01)
    spent = true(2, float(claimed), log, ZERO)
    assert spent == pytest.approx(actual, abs=0.01)
    assert true(4, 8.0, log, ZERO) == pytest.approx(8.32, abs=0.01)
    assert true(256, 1.0, log2, REPLACE) == pytest.approx(1.22, abs=0.01)
    assert true(256, 1.0, log, REPLACE) == pytest.approx(1.49, abs=0.01)
    assert lecture_sigma(1, 1.0, delta, log) == 0.0


@erratum("L-08")
def test_l08_a_record_touches_a_node_on_every_level(actual):
    """L-08: leaf 1 of 8 lies in 4 nodes, and all of them are published."""
    before = initialize_tree(8, sigma=1.0, shape=(), rng=0)
    after = add_to_tree(before, 1, np.array(1.0))
    changed = {
        k for k in range(1, 16) if float(after.nodes[k]) != float(before.nodes[k])
    }
    assert changed == {1, 2, 4, 8}
    assert len(nodes_read_by_any(8, 1)) == len(changed) == actual


@erratum("F-03")
def test_f03_a_leaf_lies_in_one_node_more(claimed, actual):
    """F-03: ⌊lg n⌋ + 1 nodes; ⌈lg n⌉ differs when n is a power of two."""
    assert ceil(log2(1024)) == claimed
    assert levels(1024) == actual
    differ = [n for n in range(1, 1025) if levels(n) != ceil(log2(n))]
    assert differ == [2**j for j in range(11)]


@erratum("F-05")
def test_f05_the_noise_bound_fails_for_one_weight(claimed, actual):
    """F-05: 4.2% at β = 1% for p = 1, n = 2; at n = 1 the bound is 0. As E-28."""
    printed = sqrt(1 * ceil(log2(2)) * log(2 / claimed))
    fails = 1 - (1 - erfc(printed / sqrt(2))) ** 2
    assert fails == pytest.approx(actual, abs=1e-4)
    assert ceil(log2(1)) == 0
    assert prefix_noise_bound(1, p=1, sigma=1.0, failure_probability=0.01) > 0
    # p = 2: exact again, and the printed form holds
    assert 1 - (1 - exp(-log(2 / 0.01))) ** 2 < 0.01


@erratum("F-06")
def test_f06_no_bound_holds_always(actual):
    """F-06: Gaussian noise passes any bound, with a probability that is never 0."""
    for sigmas in (1.0, 5.0, 30.0):
        assert erfc(sigmas / sqrt(2)) > 0
    assert erfc(30 / sqrt(2)) == pytest.approx(actual, rel=1e-3, abs=0)
    bounds = [
        prefix_noise_bound(2, p=1, sigma=1.0, failure_probability=beta)
        for beta in (1e-2, 1e-8, 1e-300)
    ]
    assert bounds == sorted(bounds)
    assert bounds[-1] < inf


def test_a_vector_of_another_shape_is_refused():
    tree = initialize_tree(2, sigma=1.0, shape=(2,), rng=0)
    with pytest.raises(ValueError, match="`v` must have the tree's shape"):
        add_to_tree(tree, 1, np.zeros(3))


@pytest.mark.claim(
    "12-prefix-sums",
    "Honaker's estimate is the best one from the nodes that are there.",
    order=5,
)
def test_honaker_is_the_best_estimate_from_the_nodes_there_are():
    """Least squares over all nodes that are complete at t can do no better."""
    for t in range(1, 33):
        nodes = [
            [i << h <= leaf < (i + 1) << h for leaf in range(t)]
            for h in range(t.bit_length())
            for i in range(t >> h)
        ]
        A = np.array(nodes, dtype=float)
        best = np.ones(t) @ np.linalg.solve(A.T @ A, np.ones(t))
        assert prefix_variance(t, estimator="honaker") == pytest.approx(best, rel=1e-12)


def test_a_tree_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="`nodes` must be 2N"):
        Tree(steps=3, nodes=(None, 0.0))


TREE = initialize_tree(5, sigma=1.0, shape=(2,), rng=0)
BAD_INPUT = {
    Tree: {"steps": 1, "nodes": (None, np.zeros(2))},
    levels: {"steps": 8},
    tree_noise_multiplier: {
        "epsilon": 1.0,
        "delta": 1e-6,
        "steps": 8,
        "relation": Relation.ZERO_OUT,
        "method": "exact",
    },
    initialize_tree: {"steps": 5, "sigma": 1.0, "shape": (2,), "rng": 0},
    add_to_tree: {"tree": TREE, "t": 3, "v": np.array([1.0, 2.0])},
    get_sum: {"tree": TREE, "t": 3},
    prefix_variance: {"t": 3, "estimator": "honaker"},
    prefix_noise_bound: {
        "steps": 8,
        "p": 2,
        "sigma": 1.0,
        "failure_probability": 0.01,
        "estimator": "plain",
    },
}
