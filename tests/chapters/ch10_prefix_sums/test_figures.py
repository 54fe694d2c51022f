"""The figures of chapter 10: the nodes, the stream and the prices that they draw."""

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.algorithms.streams.streaming_tree import StreamingTree
from dpteach.algorithms.streams.tree import prefix_variance
from dpteach.chapters.ch10_prefix_sums import nodes as tree


@pytest.mark.parametrize("t", range(1, 17))
def test_the_lit_nodes_cover_each_record_of_the_sum_once(t):
    cells = tree.nodes_of_a_sum(t)[0]
    lit = cells.level == 1
    left = np.rint(cells.x[lit] - cells.width[lit] / 0.94 / 2 + 0.5).astype(int)
    width = np.rint(cells.width[lit] / 0.94).astype(int)
    covered = [d for a, w in zip(left, width, strict=True) for d in range(a, a + w)]
    assert sorted(covered) == list(range(1, t + 1))
    assert lit.sum() == prefix_variance(t)


def test_the_stream_that_is_drawn_is_the_streaming_trees():
    z = tree._noise_for(1.0, 64)
    true, noisy, *_ = tree.one_stream(1.0, z, 64)
    stream = StreamingTree(64, sigma=z, shape=(1,), rng=1)
    noise = [stream.add(np.zeros(1))[0] for _ in range(64)]
    assert np.allclose(64 * (noisy.y - true.y), noise)


@pytest.mark.parametrize("steps", tree.LENGTHS)
def test_all_mechanisms_of_the_figure_cost_the_same(steps):
    z = tree._noise_for(1.0, steps)
    *_, spent = tree.one_stream(1.0, z, steps)
    assert epsilon_of(spent.event, tree.DELTA) == pytest.approx(1.0, rel=1e-9)
    found = tree._deviations(steps)
    # In units of 1/μ: a record in all T sums, or in one vector, or in the tree's nodes.
    assert found["sum"][-1] == pytest.approx(np.sqrt(steps))
    assert found["vector"][-1] == pytest.approx(np.sqrt(steps))
    assert (found["best estimate"] <= found["tree"]).all()


def test_adding_up_passes_is_never_enough_after_the_first():
    counts = tree._counts()
    assert counts["one tree"][0] == counts["added"][0]
    ratio = np.divide(counts["one tree"], counts["added"])
    assert (np.diff(ratio) > 0).all()
