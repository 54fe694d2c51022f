"""The figures of the chapters on streams show what the package computes."""

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.algorithms.streams.streaming_tree import StreamingTree
from dpteach.algorithms.streams.tree import prefix_variance
from dpteach.chapters.ch10_prefix_sums import nodes as tree
from dpteach.chapters.ch11_dp_ftrl import averages as online_to_batch
from dpteach.chapters.ch11_dp_ftrl import regret_and_noise as ftrl


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


@pytest.mark.parametrize("steps", ftrl.LENGTHS[:2])
@pytest.mark.parametrize("epsilon", ftrl.EPSILONS)
def test_measured_regret_lies_below_the_bound(epsilon, steps):
    z = ftrl._noise_for(epsilon, steps)
    _, _, bound, measured, *_ = ftrl.regret_split(epsilon, z, steps, 100)
    assert (measured.y < bound.y).all()


def test_the_adversary_gets_more_than_chance_and_less_than_the_theorem():
    drawn, _, worst, *_ = ftrl.any_order(1.0)
    bound = ftrl._bound(ftrl._noise_for(1.0, 128), 128, 60.0)["total"]
    _, best = ftrl._stream(128)
    assert drawn.y[-1] < worst.y[-1] < 128 * (best + bound)
    assert sorted(ftrl._worst_next(1.0)) == list(range(128))


def test_regret_bounds_risk_in_the_first_pass_and_not_after_it():
    """Means of 400 draws: a thousandth is less than half a standard error."""
    table = np.array(online_to_batch.regret_and_risk()["regret and risk"])
    first = online_to_batch.PLACES <= online_to_batch.RECORDS
    regret, risk = table[:, :, 0], table[:, :, 1]
    assert (risk[..., first] <= regret[..., first] + 1e-3).all()
    i = online_to_batch.EPSILONS.index(30)
    assert risk[i, 0, -1] > 1.5 * regret[i, 0, -1]


def test_the_first_draw_is_what_the_code_makes_of_it():
    stored = online_to_batch.regret_and_risk()["first draw"]
    found = online_to_batch.one_run(
        online_to_batch.EPSILONS[0], online_to_batch.REGULARIZATIONS[0], 0
    )
    assert np.allclose(found, stored, atol=1e-4)
