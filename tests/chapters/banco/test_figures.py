"""The experiments of the chapter on BANCO: what they must show."""

import numpy as np
import pytest

from dpteach.algorithms.local.banco import banco_risk_bound
from dpteach.chapters.banco import bettors
from dpteach.chapters.banco import risk as banco
from dpteach.figures.marks import Line


def curves(marks):
    return {mark.label: mark.y for mark in marks if isinstance(mark, Line)}


def test_an_unknown_norm_is_where_banco_wins():
    """Far from 0 the rate tuned for norm 1 fails and BANCO does not; near, it loses."""
    sgd, untuned, *_ = banco.seven_rates(4.0, 30.0)
    assert untuned.y[0] < sgd.y[2] / 2
    sgd, untuned, *_ = banco.seven_rates(4.0, 1.0)
    assert untuned.y[0] > 2 * sgd.y[2]


@pytest.mark.claim(
    "20-banco",
    "In 42 settings, of ε from 1 to 32, BANCO left 3.2 to 8 times the risk of the best "
    "of seven rates.",
    order=9,
)
def test_insurance_costs_a_factor_and_saves_a_larger_one():
    """What the chapter says of seven budgets; of the least, nothing is learned."""
    values = banco.risk_by_learning_rate()
    sgd, ours = np.array(values["sgd"]), np.array(values["banco"])
    price = ours / sgd.min(axis=-1)
    assert (price[1:].min().round(1), price[1:].max().round(1)) == (3.2, 8.0)
    beaten = np.sum(ours[..., None] < sgd, axis=-1)
    assert (beaten[1:].min(), beaten[1:].max()) == (3, 5)
    rise = ours[1:, -1] / ours[1:, 0]
    assert (rise.min().round(1), rise.max().round(1)) == (1.4, 2.4)
    assert ours[0].min() > 0.99


def test_the_stored_risks_of_seven_rates_come_from_the_code():
    """One setting, computed again."""
    given = dict(banco.risk_by_learning_rate.arguments)
    given |= {"epsilons": (0.5,), "distances": (0.1,), "factors": given["factors"][:1]}
    few, whole = (
        banco.risk_by_learning_rate.compute(**given),
        (banco.risk_by_learning_rate()),
    )
    assert few["banco"][0][0] == pytest.approx(whole["banco"][0][0], rel=1e-4)
    assert few["sgd"][0][0][0] == pytest.approx(whole["sgd"][0][0][0], rel=1e-4)


def test_the_stored_risks_by_users_come_from_the_code():
    """The first four numbers of users of one setting, computed again."""
    given = dict(banco.risk_by_users.arguments)
    given |= {"epsilons": (1.0,), "distances": (0.1,), "users": given["users"][:4]}
    few, whole = banco.risk_by_users.compute(**given), banco.risk_by_users()
    for name, table in few.items():
        assert table[0][0] == pytest.approx(whole[name][0][0][:4], rel=1e-4)


def test_the_measured_risk_is_below_the_bound_everywhere():
    given, whole = banco.risk_by_users.arguments, banco.risk_by_users()
    for i, epsilon in enumerate(given["epsilons"]):
        for j, far in enumerate(given["distances"]):
            for k, n in enumerate(given["users"]):
                bound = banco_risk_bound(
                    epsilon, n=n, p=banco.P, clip_norm=1.0, distance=far
                )
                assert whole["exact"][i][j][k] * far * banco.UNIT_RISK < bound


def test_the_potential_is_below_the_wealth_on_average():
    """E Φ(x, y) ≤ 1 + E Σ coin·stake, over 400 evenings of 30 coins; 5 deviations."""
    from dpteach.algorithms.local.banco import BET_RANGE, banco_tail
    from dpteach.algorithms.local.betting import bet
    from dpteach.arrays import l2_laplace

    rng, (variance, b) = np.random.default_rng(0), banco_tail(4.0, p=1, clip_norm=1.0)
    a, gain = min(BET_RANGE, 1 / b), []
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for _ in range(400):
        coins = np.where(rng.random(30) < 0.7, 1.0, -1.0)
        coins = coins + l2_laplace(rng, 0.5, np.zeros((30, 1)))[:, 0]
        x, y, wealth = 0.0, 0.0, 1.0
        for coin in coins:
            wealth += coin * (bet(x, y, a) if y else 0.0)
            x, y = x + coin, y + variance / 2 + 1
        beta = a * nodes
        gain.append(wealth - weights @ np.exp(beta * x - beta**2 * y) / 2)
    assert np.mean(gain) > 5 * np.std(gain) / 20


def test_a_naive_bettor_is_ruined_by_noise_and_not_without():
    ours, _, naive = curves(bettors.gambler(4.0, 0.4)).values()
    assert naive[-1] == 1e-2 < 1 < ours[-1]
    ours, _, naive = curves(bettors.gambler(16.0, 0.4)).values()
    assert naive[-1] > 1  # and then it is the better one


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`distance` must be one of"):
        banco.seven_rates(4.0, 2.0)
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        banco.risk_against_users(2.0, 1.0)
    with pytest.raises(ValueError, match="`x` must be"):
        bettors.bettor(np.nan, 3)
    with pytest.raises(ValueError, match="`bias` must be"):
        bettors.gambler(4.0, 2.0)
