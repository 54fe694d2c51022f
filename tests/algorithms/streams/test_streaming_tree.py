"""The tree as a stream: the same sums, less memory, restarts."""

from itertools import product

import array_api_strict
import numpy as np
import pytest

from dpteach.algorithms.streams.streaming_tree import RestartedTree, StreamingTree
from dpteach.algorithms.streams.tree import (
    ESTIMATORS,
    add_to_tree,
    get_sum,
    initialize_tree,
    levels,
    prefix_variance,
)
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape
from tests.algorithms.streams.nodes import noise_of, restarted, run


@pytest.mark.claim(
    "12-prefix-sums",
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
        clip_norm=10.0,
        sigma=3.0,
        shape=(2,),
        rng=Tape(np.concatenate([literal.nodes[k] / 3.0 for k in ends])),
    )
    for t in range(1, steps + 1):
        literal = add_to_tree(literal, t, X[t - 1])
        assert np.allclose(stream.add(X[t - 1]), get_sum(literal, t), rtol=1e-13)


def test_node_noise_equal_to_its_number():
    tape = Tape(np.arange(1.0, 100.0))
    plain = run(
        StreamingTree(8, clip_norm=10.0, sigma=1.0, shape=(1,), rng=tape),
        np.zeros((8, 1)),
    )
    assert plain[:, 0].tolist() == [1, 2, 5, 4, 9, 10, 17, 8]
    assert tape.draws == 8
    tape = Tape(np.arange(1.0, 100.0))
    honaker = StreamingTree(
        8, clip_norm=10.0, sigma=1.0, shape=(1,), rng=tape, estimator="honaker"
    )
    assert run(honaker, np.zeros((8, 1)))[:, 0] == pytest.approx(
        [
            1, 3, 7, 8.285714285714, 16.285714285714, 20.619047619048, 31.619047619048,
            21.333333333333,
        ],
        rel=1e-12,
    )  # fmt: skip
    assert tape.draws == 15


@pytest.mark.claim(
    "12-prefix-sums",
    "It draws one vector a step, and keeps as few as promised.",
    order=3,
)
def test_draws_and_memory():
    for steps, draws in ((7, 11), (8, 15), (1000, 1994), (1024, 2047)):
        for estimator, expected in (("plain", steps), ("honaker", draws)):
            tape = Tape()
            stream = StreamingTree(
                steps,
                clip_norm=10.0,
                sigma=1.0,
                shape=(1,),
                rng=tape,
                estimator=estimator,
            )
            run(stream, np.zeros((steps, 1)))
            assert tape.draws == expected
            assert len(stream._noise) == len(stream._nodes) == levels(steps)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_long_vectors_are_drawn_into_old_ones_and_no_sum_changes(dtype):
    """The same numbers as with a generator of a subclass, which draws afresh."""

    class Other(np.random.Generator):
        pass

    settings = {"clip_norm": 100.0, "sigma": 2.0, "shape": (9_000,)}
    v = np.ones(9_000, dtype)
    stream = StreamingTree(13, rng=np.random.default_rng(5), **settings)
    afresh = StreamingTree(13, rng=Other(np.random.PCG64(5)), **settings)
    sums = [stream.add(v) for _ in range(13)]
    assert sums[0].dtype == dtype
    assert np.array_equal(sums, [afresh.add(v) for _ in range(13)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_seed_gives_one_answer_on_every_array_library(dtype):
    X = np.random.default_rng(0).standard_normal((9, 4)).astype(dtype)
    settings = {"clip_norm": 10.0, "sigma": 2.0, "shape": (4,), "rng": 3}
    settings["estimator"] = "honaker"
    expected = run(StreamingTree(9, **settings), X)
    strict = StreamingTree(9, **settings)
    found = [to_numpy(strict.add(array_api_strict.asarray(x))) for x in X]
    assert found[0].dtype == dtype
    assert np.array_equal(found, expected)


def test_inputs_and_results_are_left_alone():
    x = np.ones(2)
    x.flags.writeable = False
    stream = StreamingTree(4, clip_norm=10.0, sigma=1.0, shape=(2,), rng=0)
    sums = [stream.add(x) for _ in range(4)]
    kept = [s.copy() for s in sums]
    again = run(
        StreamingTree(4, clip_norm=10.0, sigma=1.0, shape=(2,), rng=0), np.ones((4, 2))
    )
    assert np.array_equal(sums, kept)
    assert np.array_equal(sums, again)


def test_what_does_not_fit_is_refused():
    stream = StreamingTree(1, clip_norm=10.0, sigma=1.0, shape=(2,), rng=0)
    for bad, word in (
        (np.zeros(3), "shape"),
        (np.array([np.nan, 0.0]), "finite"),
        (np.zeros((1, 2)), "axes"),
        (np.array([8.0, 8.0]), "norm at most `clip_norm`=10.0"),
    ):
        with pytest.raises(ValueError, match=f"`v` must.*{word}"):
            stream.add(bad)
    with pytest.raises(TypeError, match="`v` must"):
        stream.add([0.0, 0.0])
    stream.add(np.zeros(2))
    with pytest.raises(ValueError, match="`v` must be one of `steps`=1"):
        stream.add(np.zeros(2))
    restarted = RestartedTree(
        1, restart_every=1, clip_norm=10.0, sigma=1.0, shape=(2,), rng=0
    )
    restarted.add(np.zeros(2))
    with pytest.raises(ValueError, match="`v` must be one of `steps`=1"):
        restarted.add(np.zeros(2))


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("steps", [1, 2, 7, 16, 21])
def test_variances_are_those_of_the_formula(steps, estimator):
    B = noise_of(
        steps,
        lambda rng: StreamingTree(
            steps, clip_norm=10.0, sigma=1.0, shape=(1,), rng=rng, estimator=estimator
        ),
    )
    expected = [prefix_variance(t, estimator=estimator) for t in range(1, steps + 1)]
    assert np.sum(B**2, axis=1) == pytest.approx(expected, rel=1e-12)


def test_a_completed_tree_leaves_one_node_behind():
    """240 steps a tree: variance 4 or 2.03 stays, or 1 or 0.50 once it is full."""
    for estimator, plain, full in (("plain", 4, 1), ("honaker", 2.030, 0.50098)):
        for complete, expected in ((False, plain), (True, full)):
            draws = Tape()
            stream = restarted(241, 240, draws, complete=complete, estimator=estimator)
            run(stream, np.zeros((241, 1)))
            eye = Tape(np.eye(draws.draws))
            stream = RestartedTree(
                241, restart_every=240, clip_norm=10.0, sigma=1.0,
                shape=(draws.draws,), rng=eye,
                estimator=estimator, complete=complete,
            )  # fmt: skip
            last = run(stream, np.zeros((241, draws.draws)))[-1]
            # The first leaf of the new tree adds a variance of 1.
            assert np.sum(last**2) - 1 == pytest.approx(expected, abs=5e-4)


def test_completion_of_a_power_of_two_changes_no_draw():
    """Such a tree is complete as it is: no level is added, and none is priced."""
    X = np.random.default_rng(0).standard_normal((16, 3))
    for every, estimator in product((1, 2, 4, 8), ESTIMATORS):
        plain, complete = (
            RestartedTree(
                16, restart_every=every, clip_norm=10.0, sigma=1.0, shape=(3,), rng=7,
                estimator=estimator, complete=each,
            )
            for each in (False, True)
        )  # fmt: skip
        for x in X:
            np.testing.assert_array_equal(plain.add(x), complete.add(x))


def test_a_restart_keeps_the_sum_and_its_noise():
    X = np.arange(1.0, 7.0)[:, None]
    assert run(restarted(6, 2, Tape()), X)[:, 0].tolist() == [1, 3, 6, 10, 15, 21]
    B = noise_of(4, lambda rng: restarted(4, 2, rng))
    assert B.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


STREAM = {"steps": 5, "clip_norm": 1.0, "sigma": 1.0, "shape": (2,), "rng": 0}


def test_noise_of_long_vectors_is_drawn_in_the_dtype_of_each():
    """The third sum's node takes the place of the first's, if it is of its kind."""
    tree = StreamingTree(4, clip_norm=10.0, sigma=1.0, shape=(9000,), rng=0)
    for dtype in (np.float64, np.float64, np.float32):
        tree.add(np.zeros(9000, dtype=dtype))
        assert tree.noise.dtype == dtype


def test_long_vectors_take_their_noise_from_a_tape_too():
    z = np.random.default_rng(1).normal(size=(3, 9000))
    tree = StreamingTree(3, clip_norm=10.0, sigma=1.0, shape=(9000,), rng=Tape(z))
    sums = [tree.add(np.zeros(9000)).copy() for _ in range(3)]
    np.testing.assert_allclose(sums, [z[0], z[1], z[1] + z[2]])


BAD_INPUT = {
    StreamingTree: {**STREAM, "estimator": "honaker"},
    RestartedTree: {
        **STREAM,
        "restart_every": 3,
        "estimator": "plain",
        "complete": True,
    },
}
