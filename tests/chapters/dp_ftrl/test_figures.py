"""The figures of chapter 13: what is measured keeps its bounds."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms import dp_ftrl, dp_ftrl_regret_bound
from dpteach.chapters.dp_ftrl import averages as online_to_batch
from dpteach.chapters.dp_ftrl import regret_and_noise as ftrl
from dpteach.data import planted_logistic


@pytest.mark.parametrize("steps", ftrl.LENGTHS[:2])
@pytest.mark.parametrize("epsilon", ftrl.EPSILONS)
def test_measured_regret_lies_below_the_bound(epsilon, steps):
    z = ftrl.tied.solve(epsilon, steps)
    _, _, bound, measured, *_ = ftrl.regret_split(epsilon, z, steps, 100)
    assert (measured.y < bound.y).all()


def test_the_adversary_gets_more_than_chance_and_less_than_the_theorem():
    drawn, _, worst, *_ = ftrl.any_order(1.0)
    z = ftrl.tied.solve(1.0, 128)
    bound = dp_ftrl_regret_bound(
        steps=128, p=5, noise_multiplier=z, regularization=60.0, lipschitz=1.0,
        distance=ftrl.RADIUS,
    )["total"]  # fmt: skip
    data = planted_logistic(n=128, p=5, strength=ftrl.RADIUS, rng=1)
    D = Problem(data.X, data.y, losses.logistic, constraints.L2Ball(ftrl.RADIUS))
    best = D.risk(data.planted) / 128
    assert drawn.y[-1] < worst.y[-1] < 128 * (best + bound)


def test_the_adversary_sends_each_record_once_and_the_worst_one_next():
    """Learn and choose by turns, as an adversary would, for the first 30 records."""
    *_, worst, _, _ = ftrl.any_order(1.0)
    data = planted_logistic(n=128, p=5, strength=ftrl.RADIUS, rng=1)
    order, paid = [0], [np.log(2.0)]
    while len(order) < 30:
        D = Problem(
            data.X[order], data.y[order], losses.logistic,
            constraints.L2Ball(ftrl.RADIUS),
        )  # fmt: skip
        theta = dp_ftrl(
            D, clip_norm=1.0, noise_multiplier=ftrl.tied.solve(1.0, 128),
            regularization=60.0, rng=3,
        ).path[-1]  # fmt: skip
        loss = np.logaddexp(0, -data.y * (data.X @ theta))
        loss[order] = -np.inf
        order.append(int(np.argmax(loss)))
        paid.append(loss.max())
    assert worst.y[:30] == pytest.approx(np.cumsum(paid))


def test_regret_bounds_risk_in_the_first_pass_and_not_after_it():
    """Means of 400 draws: a thousandth is less than half a standard error."""
    table = np.array(online_to_batch.regret_and_risk()["regret and risk"])
    first = online_to_batch.PLACES <= online_to_batch.RECORDS
    regret, risk = table[:, 0], table[:, 1]
    assert (risk[..., first] <= regret[..., first] + 1e-3).all()
    i = online_to_batch.EPSILONS.index(30)
    assert risk[i, -1] > 1.5 * regret[i, -1]


def test_the_first_draw_is_what_the_code_makes_of_it():
    stored = online_to_batch.regret_and_risk()["first draw"]
    found = online_to_batch.one_run(
        online_to_batch.EPSILONS[0], online_to_batch.REGULARIZATION, 0
    )
    assert np.allclose(found, stored, atol=1e-4)
