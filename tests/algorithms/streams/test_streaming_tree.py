"""The streaming tree is the literal tree, node for node; audits are exact."""

from math import sqrt

import array_api_strict
import numpy as np
import pytest

from dpteach import Relation
from dpteach.accounting import gaussian_epsilon
from dpteach.algorithms.streams.participation import squared_sensitivity
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.streaming_tree import RestartedTree, StreamingTree
from dpteach.algorithms.streams.tree import (
    ESTIMATORS,
    Tree,
    add_to_tree,
    get_sum,
    initialize_tree,
    levels,
    prefix_variance,
)
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape, exact_mu, noise_map
from dpteach.auditing.leaky_trees import leaky_trees, prefix_audit
from dpteach.privacy import Gaussian

ZERO = Relation.ZERO_OUT


def run(stream, X):
    return np.stack([stream.add(x) for x in X])


def noise_of(steps, make):
    """The noise map of a stream's published sums, from its running code."""
    return noise_map(lambda rng: run(make(rng), np.zeros((steps, 1)))).matrix


def effect(steps, participations):
    """How far the exact sums move if a record adds 1 in each of these steps."""
    pattern = np.zeros(steps)
    pattern[np.array(participations) - 1] = 1
    return np.cumsum(pattern)


# --- The same tree --------------------------------------------------------------------


@pytest.mark.claim(
    "10-prefix-sums",
    "The stream with little memory releases the sums of the printed tree, node "
    "for node.",
    order=2,
)
@pytest.mark.parametrize("steps", [1, 2, 5, 8, 13, 32])
def test_the_stream_is_the_literal_tree_node_for_node(steps):
    """Whatever the literal tree's nodes are, a stream with the same ones agrees."""
    X = np.random.default_rng(1).standard_normal((steps, 2))
    literal = initialize_tree(steps, sigma=3.0, shape=(2,), rng=5)
    N = literal.leaves
    # At step t the stream draws the node that ends at leaf t: t's lowest 1 is its size.
    ends = [(N + t - 1) >> ((t & -t).bit_length() - 1) for t in range(1, steps + 1)]
    assert len(set(ends)) == steps
    stream = StreamingTree(
        steps,
        sigma=3.0,
        shape=(2,),
        rng=Tape(np.concatenate([literal.nodes[k] / 3.0 for k in ends])),
    )
    for t in range(1, steps + 1):
        literal = add_to_tree(literal, t, X[t - 1])
        assert np.allclose(stream.add(X[t - 1]), get_sum(literal, t), rtol=1e-13)


def test_node_noise_equal_to_its_number():
    tape = Tape(np.arange(1.0, 100.0))
    plain = run(StreamingTree(8, sigma=1.0, shape=(1,), rng=tape), np.zeros((8, 1)))
    assert plain[:, 0].tolist() == [1, 2, 5, 4, 9, 10, 17, 8]
    assert tape.draws == 8
    tape = Tape(np.arange(1.0, 100.0))
    honaker = StreamingTree(8, sigma=1.0, shape=(1,), rng=tape, estimator="honaker")
    assert run(honaker, np.zeros((8, 1)))[:, 0] == pytest.approx(
        [
            1, 3, 7, 8.285714285714, 16.285714285714, 20.619047619048, 31.619047619048,
            21.333333333333,
        ],
        rel=1e-12,
    )  # fmt: skip
    assert tape.draws == 15


@pytest.mark.claim(
    "10-prefix-sums",
    "It draws one vector a step, and keeps as few as promised.",
    order=3,
)
def test_draws_and_memory():
    for steps, draws in ((7, 11), (8, 15), (1000, 1994), (1024, 2047)):
        for estimator, expected in (("plain", steps), ("honaker", draws)):
            tape = Tape()
            stream = StreamingTree(
                steps, sigma=1.0, shape=(1,), rng=tape, estimator=estimator
            )
            run(stream, np.zeros((steps, 1)))
            assert tape.draws == expected
            assert len(stream._noise) == len(stream._nodes) == levels(steps)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("steps", [1, 2, 3, 7, 8, 100])
def test_all_noise_at_once_is_the_streams(steps, estimator):
    settings = {"sigma": 2.0, "shape": (3, 2), "rng": 4, "estimator": estimator}
    stream = run(StreamingTree(steps, **settings), np.zeros((steps, 3, 2)))
    assert np.array_equal(stream, tree_noise(steps, **settings))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_vectors_are_drawn_into_old_ones_and_no_sum_changes(dtype):
    """The same numbers as with a generator of a subclass, which draws afresh."""

    class Other(np.random.Generator):
        pass

    settings, v = {"sigma": 2.0, "shape": (9_000,)}, np.ones(9_000, dtype)
    stream = StreamingTree(13, rng=np.random.default_rng(5), **settings)
    afresh = StreamingTree(13, rng=Other(np.random.PCG64(5)), **settings)
    sums = [stream.add(v) for _ in range(13)]
    assert sums[0].dtype == dtype
    assert np.array_equal(sums, [afresh.add(v) for _ in range(13)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_seed_gives_one_answer_on_every_array_library(dtype):
    X = np.random.default_rng(0).standard_normal((9, 4)).astype(dtype)
    settings = {"sigma": 2.0, "shape": (4,), "rng": 3, "estimator": "honaker"}
    expected = run(StreamingTree(9, **settings), X)
    strict = StreamingTree(9, **settings)
    found = [to_numpy(strict.add(array_api_strict.asarray(x))) for x in X]
    assert found[0].dtype == dtype
    assert np.array_equal(found, expected)


def test_inputs_and_results_are_left_alone():
    x = np.ones(2)
    x.flags.writeable = False
    stream = StreamingTree(4, sigma=1.0, shape=(2,), rng=0)
    sums = [stream.add(x) for _ in range(4)]
    kept = [s.copy() for s in sums]
    again = run(StreamingTree(4, sigma=1.0, shape=(2,), rng=0), np.ones((4, 2)))
    assert np.array_equal(sums, kept)
    assert np.array_equal(sums, again)


def test_what_does_not_fit_is_refused():
    stream = StreamingTree(1, sigma=1.0, shape=(2,), rng=0)
    for bad, word in (
        (np.zeros(3), "shape"),
        (np.array([np.nan, 0.0]), "finite"),
        (np.zeros((1, 2)), "axes"),
    ):
        with pytest.raises(ValueError, match=f"`v` must.*{word}"):
            stream.add(bad)
    with pytest.raises(TypeError, match="`v` must"):
        stream.add([0.0, 0.0])
    stream.add(np.zeros(2))
    with pytest.raises(ValueError, match="`v` must be one of `steps`=1"):
        stream.add(np.zeros(2))
    restarted = RestartedTree(1, restart_every=1, sigma=1.0, shape=(2,), rng=0)
    restarted.add(np.zeros(2))
    with pytest.raises(ValueError, match="`v` must be one of `steps`=1"):
        restarted.add(np.zeros(2))


# --- Its noise, and its price ---------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("steps", [1, 2, 7, 16, 21])
def test_variances_are_those_of_the_formula(steps, estimator):
    B = noise_of(
        steps,
        lambda rng: StreamingTree(
            steps, sigma=1.0, shape=(1,), rng=rng, estimator=estimator
        ),
    )
    expected = [prefix_variance(t, estimator=estimator) for t in range(1, steps + 1)]
    assert np.sum(B**2, axis=1) == pytest.approx(expected, rel=1e-12)


@pytest.mark.claim(
    "10-prefix-sums",
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


def test_increments_of_the_noise_are_negatively_correlated():
    """a_t = b_t − b_{t−1}: what DP-FTRL would add as noise in gradient descent."""
    variances = {
        "plain": [1, 2, 1, 3, 1, 2, 1, 4],
        "honaker": [1, 1, 1, 1.380952, 1, 1, 1, 1.838095],
    }
    neighbors = {
        "plain": [-1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1],
        "honaker": [
            -2 / 3, 0, -6 / 7, 0, -2 / 3, 0, -14 / 15, 0,
            -2 / 3, 0, -6 / 7, 0, -2 / 3, 0, -30 / 31,
        ],
    }  # fmt: skip
    for estimator in ESTIMATORS:
        B = all_noise(16, estimator)
        a = np.diff(B, axis=0, prepend=0.0)
        covariance = a @ a.T
        found = np.diag(covariance)
        assert found[:8] == pytest.approx(variances[estimator], abs=1e-6)
        assert np.diag(covariance, 1) == pytest.approx(neighbors[estimator], abs=1e-12)
        assert covariance.sum() == pytest.approx(
            prefix_variance(16, estimator=estimator)
        )
    assert found[15] == pytest.approx(2.319816, abs=1e-6)


def all_noise(steps, estimator):
    """The noise map again, in one run: coordinate k of the shape is normal number k."""
    draws = 2 * steps - steps.bit_count() if estimator == "honaker" else steps
    eye = Tape(np.eye(draws))
    return tree_noise(steps, sigma=1.0, shape=(draws,), rng=eye, estimator=estimator)


@pytest.mark.claim(
    "10-prefix-sums",
    "The noise map recovered from the running tree costs exactly √(⌊lg T⌋ + 1)/λ, "
    "for the worst record.",
    order=1,
)
@pytest.mark.parametrize("steps", [1, 2, 6, 16, 100])
def test_the_price_is_exact(steps):
    B = all_noise(steps, "plain")
    mus = [exact_mu(5.0 * B, effect(steps, (t,))) for t in range(1, steps + 1)]
    claimed = Gaussian(5.0, releases=levels(steps), relation=ZERO).mu
    assert max(mus) == mus[0] == pytest.approx(claimed, rel=1e-10)


@pytest.mark.parametrize(("steps", "exact"), [(2, 1.8), (16, 4.403), (240, 6.870)])
def test_published_honaker_sums_cost_less_than_the_tree(steps, exact):
    B = all_noise(steps, "honaker")
    found = published(B, np.eye(steps))
    assert found == pytest.approx(exact, abs=6e-4)
    assert found < levels(steps)


def test_published_honaker_sums_of_a_long_stream_and_of_two_epochs():
    assert published(all_noise(1024, "honaker"), np.eye(1024)) == pytest.approx(
        9.466, abs=6e-4
    )
    # Of 1600 sums too, as in the paper: ε = 16.07, where the tree's nodes cost 17.67.
    assert gaussian_epsilon(sqrt(9.466) / 1.13, 1e-6) == pytest.approx(16.07, abs=5e-3)
    twice = np.vstack([np.eye(120), np.eye(120)])
    found = published(all_noise(240, "honaker"), twice)
    assert found == pytest.approx(14.90, abs=5e-3)
    whole = [
        squared_sensitivity((b, b + 120), steps=240, estimator="honaker")
        for b in range(1, 121)
    ]
    assert found < max(whole) == 18


def published(B, patterns):
    """The largest squared sensitivity over patterns of the sums themselves."""
    root = np.linalg.cholesky(B @ B.T)
    moved = np.linalg.solve(root, np.cumsum(patterns, axis=0))
    return float(np.max(np.sum(moved**2, axis=0)))


@pytest.mark.claim(
    "10-prefix-sums",
    "A record that comes several times costs the squares of its counts.",
    order=7,
)
@pytest.mark.parametrize(
    ("steps", "participations"),
    [(8, (1, 5)), (8, (2, 3, 4)), (22, (1, 4, 7, 13, 16)), (13, (1, 6, 11, 13))],
)
def test_several_participations_cost_what_their_pattern_says(steps, participations):
    B = all_noise(steps, "plain")
    mu = exact_mu(B, effect(steps, participations))
    squared = squared_sensitivity(participations, steps=steps)
    assert mu**2 == pytest.approx(squared, rel=1e-10)


# --- Restarts -------------------------------------------------------------------------


def restarted(steps, every, rng, **options):
    return RestartedTree(
        steps, restart_every=every, sigma=1.0, shape=(1,), rng=rng, **options
    )


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize(
    ("steps", "every", "participations"),
    [
        (12, 3, (1, 4, 7, 10)),
        (12, 6, (1, 7)),
        (11, 5, (2, 3, 6, 11)),
        (10, 7, (1, 5, 8)),
        (4, 9, (1, 3)),
    ],
)
def test_a_restarted_tree_costs_what_its_pattern_says(
    steps, every, participations, complete
):
    B = noise_of(steps, lambda rng: restarted(steps, every, rng, complete=complete))
    mu = exact_mu(B, effect(steps, participations))
    plan = {"steps": steps, "restart_every": every, "complete": complete}
    assert mu**2 <= squared_sensitivity(participations, **plan) * (1 + 1e-10)
    # The published sums say all that the nodes say, once each tree's last sum is whole.
    if not complete:
        assert mu**2 == pytest.approx(squared_sensitivity(participations, **plan))


def test_a_completed_tree_leaves_one_node_behind():
    """240 steps a tree: variance 4 or 2.03 stays, or 1 or 0.50 once it is full."""
    for estimator, plain, full in (("plain", 4, 1), ("honaker", 2.030, 0.50098)):
        for complete, expected in ((False, plain), (True, full)):
            draws = Tape()
            stream = restarted(241, 240, draws, complete=complete, estimator=estimator)
            run(stream, np.zeros((241, 1)))
            eye = Tape(np.eye(draws.draws))
            stream = RestartedTree(
                241, restart_every=240, sigma=1.0, shape=(draws.draws,), rng=eye,
                estimator=estimator, complete=complete,
            )  # fmt: skip
            last = run(stream, np.zeros((241, draws.draws)))[-1]
            # The first leaf of the new tree adds a variance of 1.
            assert np.sum(last**2) - 1 == pytest.approx(expected, abs=5e-4)


def test_a_restart_keeps_the_sum_and_its_noise():
    X = np.arange(1.0, 7.0)[:, None]
    assert run(restarted(6, 2, Tape()), X)[:, 0].tolist() == [1, 3, 6, 10, 15, 21]
    B = noise_of(4, lambda rng: restarted(4, 2, rng))
    assert B.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


# --- Broken variants, which the audit must catch --------------------------------------


def faults(noise, steps):
    """What an exact audit says against a stream that claims to be the plain tree."""
    mu, variance = prefix_audit(noise, steps=steps)
    found = []
    if mu > sqrt(levels(steps)) * (1 + 1e-9):
        found.append("price")
    expected = [prefix_variance(t) for t in range(1, steps + 1)]
    if not np.allclose(variance, expected, rtol=1e-9):
        found.append("noise")
    return found


@pytest.mark.claim(
    "10-prefix-sums",
    "Each of five ways to break the tree is caught by an exact audit.",
    order=6,
)
@pytest.mark.parametrize("steps", [8, 13])
def test_an_exact_audit_catches_each_way_to_break_the_tree(steps):
    caught = {way: faults(run, steps) for way, run in leaky_trees(steps).items()}
    assert caught == {
        "as printed": [],
        "one noise for a whole level": ["price"],
        "noisy sums merged": ["noise"],
        "fresh noise for each sum": ["price", "noise"],
        "fresh noise for each vector": ["noise"],
        "the top level left out": ["price", "noise"],
    }


@pytest.mark.claim("10-prefix-sums", "A restart from the exact sum is caught.", order=8)
def test_a_restart_from_the_exact_sum_is_caught():
    """The old vectors would be released again under the new tree's noise alone."""

    class Forgetful(RestartedTree):
        def add(self, v):
            noisy = super().add(v)
            return noisy - self._left  # without what the finished trees left behind

    steps, every = 8, 4
    d = effect(steps, (1,))
    claimed = squared_sensitivity((1,), steps=steps, restart_every=every)
    honest = noise_of(steps, lambda rng: restarted(steps, every, rng))
    assert exact_mu(honest, d) ** 2 == pytest.approx(claimed)
    broken = noise_of(
        steps,
        lambda rng: Forgetful(
            steps, restart_every=every, sigma=1.0, shape=(1,), rng=rng
        ),
    )
    assert exact_mu(broken, d) ** 2 > 1.3 * claimed


def test_a_tree_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="`nodes` must be 2N"):
        Tree(steps=3, nodes=(None, 0.0))
