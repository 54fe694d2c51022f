"""The figures of chapter 11: what is measured keeps its bounds."""

import numpy as np
import pytest

from dpteach.chapters.ch11_dp_ftrl import averages as online_to_batch
from dpteach.chapters.ch11_dp_ftrl import regret_and_noise as ftrl


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
