"""The figures of chapter 12: the nodes, the stream and the prices that they draw."""

import numpy as np
import pytest

from dpteach.accounting import epsilon_of, gaussian_mu
from dpteach.algorithms.streams.streaming_tree import StreamingTree
from dpteach.algorithms.streams.tree import prefix_variance
from dpteach.chapters.prefix_sums import nodes as tree


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
    z = tree.tied.solve(1.0, 64)
    true, noisy, *_ = tree.one_stream(1.0, z, 64)
    stream = StreamingTree(64, clip_norm=1.0, sigma=z, shape=(1,), rng=1)
    noise = [stream.add(np.zeros(1))[0] for _ in range(64)]
    assert np.allclose(64 * (noisy.y - true.y), noise)


@pytest.mark.parametrize("steps", tree.LENGTHS)
def test_all_mechanisms_of_the_figure_cost_the_same(steps):
    z = tree.tied.solve(1.0, steps)
    *marks, _, spent = tree.one_stream(1.0, z, steps)
    assert epsilon_of(spent.event, tree.DELTA) == pytest.approx(1.0, rel=1e-9)
    plain, best, vector, fresh = (mark.y for mark in marks if mark.panel == 1)
    # A record is in all T sums, or in one vector, or in the tree's nodes: in percent of
    # fresh noise, whose deviation is √T/μ.
    most = np.sqrt(steps) / gaussian_mu(1.0, tree.DELTA)
    assert (fresh == 100).all()
    assert vector[-1] == pytest.approx(100)
    assert (best <= plain).all()
    last = z * np.sqrt(prefix_variance(steps))
    assert plain[-1] == pytest.approx(100 * last / most)


def test_adding_up_passes_is_never_enough_after_the_first():
    one, _, added, *_ = tree.several_epochs(40.0)
    assert one.y[0] == added.y[0]
    # what is spent, in squared clip norms, over what adding up passes says
    ratio = [
        (gaussian_mu(a, tree.DELTA) / gaussian_mu(b, tree.DELTA)) ** 2
        for a, b in zip(one.y, added.y, strict=True)
    ]
    assert (np.diff(ratio) > 0).all()
