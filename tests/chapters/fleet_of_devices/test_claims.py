"""The chapter on fleets: its figures keep their promises, and its numbers are right."""

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from dpteach.accounting import gaussian_epsilon, price_of
from dpteach.algorithms import (
    admitted_devices,
    banded_factorization,
    participation_sensitivity,
    separated_squared_sensitivity,
    tree_factorization,
)
from dpteach.auditing import Tape, replayed_mu
from dpteach.chapters.fleet_of_devices import board, dropouts, pauses
from dpteach.privacy import Gaussian, Relation


@pytest.mark.claim(
    "16-fleet-of-devices",
    "The keyboard's published price is right for its accountant, ε = 8.90, and the "
    "exact one is 8.53.",
    order=6,
)
def test_the_price_of_the_keyboard():
    rule = {"steps": 2000, "participations": 6, "separation": 314}
    squares = separated_squared_sensitivity(estimator="honaker", **rule)
    phone = Gaussian(7.0, releases=squares, relation=Relation.ZERO_OUT)
    published, exact = (
        price_of(phone, delta=1e-10, accountant=name).epsilon
        for name in ("concentrated", "exact")
    )
    assert (published, exact) == pytest.approx((8.90, 8.53), abs=0.005)
    tree = tree_factorization(2000, estimator="honaker")
    assert 7 * sqrt(np.sum(tree.decoder**2) / 2000) == pytest.approx(12.36, abs=0.005)


def test_no_two_turns_of_the_flagship_share_noise():
    """So a device with j turns has spent √j/λ, and the promise is that of all k."""
    for T in board.ROUNDS:
        made, k = banded_factorization(T, bands=board.APART), board.turns(T)
        moved = participation_sensitivity(
            made, participations=k, separation=board.APART
        ).value
        assert moved <= sqrt(k) * made.sensitivity * (1 + 1e-9)
        for epsilon in board.EPSILONS:
            lam = board.noise_for(epsilon, T)
            assert gaussian_epsilon(sqrt(k) / lam, board.DELTA) == pytest.approx(
                epsilon, rel=1e-4
            )


@pytest.mark.parametrize("T", board.ROUNDS)
def test_the_flagship_shows_what_its_rule_admits(T):
    """No device is twice in eight rounds, and none has spent more than the promise."""
    seen = np.zeros((board.ROUNDS[-1], board.DEVICES), dtype=bool)
    for t, u in np.concatenate([board.fleet()["finish"], board.fleet()["drop"]]):
        assert not seen[max(0, t - board.APART) : t, u - 1].any()
        seen[t - 1, u - 1] = True
    again = admitted_devices(
        seen, participations=board.turns(board.ROUNDS[-1]), separation=board.APART
    )
    assert np.array_equal(again, seen)
    for epsilon in board.EPSILONS:
        lam = board.noise_for(epsilon, T)
        *_, spent, promise, _, _, _ = board.rounds(epsilon, lam, T, board.ROUNDS[-1])
        assert spent.x.max() <= promise.x[0] * (1 + 1e-4)


def test_later_rounds_of_the_flagship_only_add():
    lam, before = board.noise_for(1.0, 32), -1
    for t in range(1, 33):
        _, finish, drop, early, *_ = board.rounds(1.0, lam, 32, t)
        now = sum(float(mark.level.sum()) for mark in (finish, drop, early))
        assert now >= before
        before = now
    assert before == sum(map(len, board.fleet().values()))


@pytest.mark.claim(
    "16-fleet-of-devices",
    "At every pause the noise lies above its certified bound, and falls as the pause "
    "grows.",
    order=7,
)
def test_noise_falls_with_the_pause_and_stays_above_the_bound():
    values = pauses.error_of_pauses()
    bound = np.array(values["bound"])
    for row in values["best"]:
        best = np.array(row)
        assert (best >= bound).all()
        assert (np.diff(best) < 0).all()
        assert (best < np.array(values["tree"])).all()
        # twice the pause saves less than half: a fixed fleet is better with short ones
        assert (best[1:] > best[:-1] / 2).all()
        assert (best < 1.25 * bound).all()
    fresh = np.array(values["each"]) / np.array(values["best"][0])
    assert (fresh[0], fresh[4]) == pytest.approx((3.4, 6.4), abs=0.05)


def test_a_pause_is_computed_again():
    rule = {"participations": 1, "separation": 1024}
    made, proof = pauses.multi_participation_factorization(1024, memory=1, **rule)
    values = pauses.error_of_pauses()
    assert values["best"][0][-1] == pytest.approx(made.mean_error, rel=1e-4)
    assert values["bound"][-1] == pytest.approx(proof.lower_bound, rel=1e-4)


def test_a_fleet_is_trained_again():
    """One entry of the stored results, without noise."""
    values = dropouts.accuracy_of_fleets()["without_noise"]
    found = dropouts.accuracy(1.0, dropouts.CONCENTRATIONS[1], 0.75, 0, Tape([]))
    assert round(found, 3) == values[1][3]


def test_dropouts_cost_accuracy():
    values = dropouts.accuracy_of_fleets()
    for row in values["private"]:
        for each in row:
            assert each["mean"][0] > each["mean"][-1]


@pytest.mark.claim(
    "16-fleet-of-devices",
    "Divided by how many came, a device counts for two; by a public number, for one.",
    order=5,
)
def test_the_divisor_must_be_public():
    updates = np.array([1.0] * 9 + [-1.0])

    def mean_of(divisor):
        return lambda came, rng: (
            came.sum() / (divisor or len(came)) + 0.3 * rng.standard_normal(1)
        )

    public, counted = (
        replayed_mu(mean_of(m), updates, updates[:-1], rng=0) for m in (10, None)
    )
    assert (public, counted) == pytest.approx((1 / 3, 2 / 3))


def test_the_numbers_of_the_text():
    guess = NormalDist().cdf
    assert (guess(2.5), guess(0.05)) == pytest.approx((0.994, 0.520), abs=5e-4)
    watch = [gaussian_epsilon(sqrt(k) / 5, 1e-7) for k in (6, 1000)]
    assert watch == pytest.approx([2.44, 52.2], abs=0.05)


def test_the_numbers_of_the_dropouts():
    values = dropouts.accuracy_of_fleets()
    halves = [values["private"][i][0]["mean"] for i in (3, 0)]
    halves.append(values["without_noise"][0])
    found = [(round(row[0], 1), round(row[2], 1)) for row in halves]
    assert found == [(88.7, 79.1), (61.6, 35.4), (88.9, 85.2)]
