"""Figures of the chapter on DP-FTRL in practice: what they must show."""

from math import sqrt

import numpy as np
import pytest

from dpteach.accounting import epsilon_of, gaussian_mu, price_of
from dpteach.algorithms.streams.batched_ftrl import batched_ftrl
from dpteach.algorithms.streams.participation import (
    separated_squared_sensitivity,
)
from dpteach.auditing import noise_map
from dpteach.chapters.dp_ftrl_in_practice import accuracy as figures
from dpteach.chapters.dp_ftrl_in_practice import larger_batches, one_pass
from dpteach.constraints import Everywhere
from dpteach.losses import linear
from dpteach.privacy import Gaussian, Relation, SampledGaussian
from dpteach.problem import Problem

NAMES = tuple(figures.FACTORIZATIONS)
ZERO_OUT = Relation.ZERO_OUT


def _means(entries):
    return np.array([np.mean(each["hits"]) for each in entries])


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "An entry of the stored runs, computed again.",
    order=6,
)
def test_an_entry_of_the_digits_is_computed_again():
    """One method at one ε, one pass and one split: the same rate and accuracy."""
    given = one_pass.accuracy_on_digits.arguments
    again = one_pass.choose(
        "sampled",
        one_pass.digits_in_splits(1),
        (8.0, given["delta"], *given["schedules"][0]),
        rates=given["rates"],
        runs=given["runs"],
        seed=given["seed"],
    )
    at = given["epsilons"].index(8.0)
    stored = one_pass.accuracy_on_digits()["sampled"][0][at]
    assert again["rates"] == stored["rates"][:1]
    assert again["noise"] == pytest.approx(stored["noise"], rel=1e-5)
    assert np.mean(again["hits"]) == pytest.approx(stored["hits"][0], abs=0.5)


def test_no_two_splits_of_the_digits_have_a_test_image_in_common():
    splits = one_pass.digits_in_splits(5)
    assert [len(y) for _, y in splits[3]] == [1200, 297, 300]
    tested = {row.tobytes() for _, _, (X, _) in splits for row in X}
    assert len(tested) == 1500
    for parts in splits:  # a split's parts have none in common, either
        assert len({row.tobytes() for X, _ in parts for row in X}) == 1797


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "In the stored runs every method costs its ε.",
    order=5,
)
@pytest.mark.parametrize("name", ["accuracy_on_digits", "accuracy_on_mnist"])
def test_all_methods_cost_the_same(name):
    """Every noise multiplier that is stored costs its ε and no more."""
    result = getattr(one_pass, name)
    given = result.arguments
    for k, (steps, epochs) in enumerate(given["schedules"]):
        for i in (2, 4):
            for method in one_pass.METHODS:
                z = result()[method][k][i]["noise"]
                event = one_pass.event_of(method, z, steps=steps, epochs=epochs)
                found = epsilon_of(event, given["delta"])
                assert found == pytest.approx(given["epsilons"][i], rel=1e-3)


def test_what_the_chapter_says_of_the_digits():
    """DP-FTRL beats unsampled noise everywhere, and DP-SGD at large budgets only."""
    values = one_pass.accuracy_on_digits()
    for k in (0, 1):
        mean = {m: _means(values[m][k]) for m in values}
        assert (mean["tree"] > mean["independent"]).all()
        assert (mean["root"] > mean["tree"]).all()
        assert mean["tree"][0] < mean["sampled"][0]
        assert mean["tree"][-1] > mean["sampled"][-1]


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "With batches four times as large the tree is ahead of DP-SGD from ε = 2 on; "
    "an entry is computed again.",
    order=9,
)
def test_what_the_chapter_says_of_batches_four_times_as_large():
    """As many steps as DP-SGD in one pass; noise for the same ε; one entry again."""
    result = larger_batches.accuracy_with_larger_batches
    given, digits = result.arguments, one_pass.accuracy_on_digits
    assert given["epsilons"] == digits.arguments["epsilons"]
    assert given["delta"] == digits.arguments["delta"]
    assert given["steps"] * given["epochs"] == digits.arguments["schedules"][0][0]
    theirs = _means(digits()["sampled"][0])
    ours = {m: _means(result()[m]) for m in given["methods"]}
    assert (ours["tree"] > theirs).tolist() == [False] + [True] * 5
    assert (ours["root"] > theirs).all()
    assert (round(ours["tree"][0], 1), round(theirs[0], 1)) == (50.4, 60.8)
    for epsilon, entry in zip(given["epsilons"], result()["tree"], strict=True):
        event = one_pass.event_of("tree", entry["noise"], steps=75, epochs=4)
        assert epsilon_of(event, given["delta"]) == pytest.approx(epsilon, rel=1e-3)
    again = one_pass.choose(
        "tree",
        one_pass.digits_in_splits(1),
        (8.0, given["delta"], given["steps"], given["epochs"]),
        rates=given["rates"],
        runs=given["runs"],
        seed=given["seed"],
    )
    stored = result()["tree"][given["epsilons"].index(8.0)]
    assert again["rates"] == stored["rates"][:1]
    assert np.mean(again["hits"]) == pytest.approx(stored["hits"][0], abs=0.5)


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "On StackOverflow, with one tree, the order changes between batches of 5000 "
    "and of 10,000 users.",
    order=10,
)
def test_the_order_on_stackoverflow_changes_between_5000_and_10000_users():
    """One tree, by Rényi divergences; noise that grows with the batch, as published."""

    def prices(users, ftrl_noise, sgd_noise):
        rounds = 342_477 // users
        nodes = separated_squared_sensitivity(
            steps=1600,
            participations=-(-1600 * users // 342_477),
            separation=rounds,
            estimator="honaker",
        )
        events = (
            Gaussian(ftrl_noise * users / 100, releases=nodes, relation=ZERO_OUT),
            SampledGaussian(
                sgd_noise * users / 100,
                rate=users / 342_477,
                releases=1600,
                relation=ZERO_OUT,
            ),
        )
        prices = [price_of(e, delta=1e-6, accountant="renyi") for e in events]
        return nodes, *(price.epsilon for price in prices)

    assert prices(5000, 0.387, 0.015) == pytest.approx((735, 7.68257, 8.6461), rel=1e-4)
    for noises in ((0.387, 0.015), (0.149, 0.007)):  # for 23 % and for 24.5 %
        _, ftrl, sgd = prices(5000, *noises)
        assert ftrl < sgd
        nodes, ftrl, sgd = prices(10_000, *noises)
        assert (nodes, ftrl > sgd) == (2572, True)


def test_published_prices_to_twelve_digits():
    """StackOverflow's tree and Gboard's: exact, and by concentrated privacy."""
    for event, delta, exact, concentrated in (
        (Gaussian(1.13, releases=11, relation=ZERO_OUT), 1e-6, 17.6667507612065793,
         18.708019882694),
        (Gaussian(7.0, releases=79, relation=ZERO_OUT), 1e-10, 8.52609344345209455,
         8.898462210433),
        (Gaussian(8.0, releases=4, relation=ZERO_OUT), 1e-6, 1.06070186232827373, None),
    ):  # fmt: skip
        price = price_of(event, delta=delta, accountant="exact")
        assert price.epsilon == pytest.approx(exact, rel=1e-11)
        if concentrated:
            price = price_of(event, delta=delta, accountant="concentrated")
            assert price.epsilon == pytest.approx(concentrated, rel=1e-11)


def test_what_the_chapter_says_of_mnist():
    values = one_pass.accuracy_on_mnist()
    mean = {m: _means(values[m][0]) for m in values}
    epsilons = one_pass.accuracy_on_mnist.arguments["epsilons"]
    assert (mean["tree"] > mean["independent"]).all()
    two, last = epsilons.index(2.0), len(epsilons) - 1
    assert abs(mean["tree"][two] - mean["sampled"][two]) < 0.1
    assert (mean["tree"] > mean["sampled"]).tolist() == [False] * 3 + [True] * 3
    assert (mean["root"] > mean["sampled"]).tolist() == [False] + [True] * 5
    for method, said in (("tree", 90.7), ("sampled", 89.0), ("independent", 89.0)):
        assert round(mean[method][last], 1) == said
    assert round(mean["sampled"][0], 1) == 87.2
    rates = one_pass.accuracy_on_mnist.arguments["rates"]
    ends = {
        (method, epsilon)
        for method in one_pass.METHODS
        for epsilon, entry in zip(epsilons, values[method][0], strict=True)
        if entry["rates"][0] in (rates[method][0], rates[method][-1])
    }
    known = {("independent", 0.5), ("independent", 1.0), ("root", 16.0)}
    assert ends == known | {("tree", 0.5)}


@pytest.mark.claim(
    "14-dp-ftrl-in-practice",
    "The map counts the noise of the running code.",
    order=7,
)
def test_the_map_counts_the_noise_of_the_running_code():
    """Root mean square over all sums of five epochs, from the models' noise map."""
    steps, epochs = 10, 5
    made = figures._made("tree, Honaker", steps)
    D = Problem(np.zeros((steps, 1)), np.ones(steps), linear, Everywhere())
    noise = sqrt(epochs) / gaussian_mu(2.0, figures.DELTA)

    def run(rng):
        return batched_ftrl(
            D,
            factorization=made,
            clip_norm=1.0,
            noise_multiplier=noise,
            regularization=1.0,
            epochs=epochs,
            rng=rng,
        ).path[1:]

    variance = np.sum(noise_map(run).matrix ** 2, axis=1)
    got = figures._ftrl_noise("tree, Honaker", 2.0, steps, epochs)
    assert got == pytest.approx(sqrt(variance.mean()), rel=1e-9)


def test_the_map_shows_what_the_chapter_says():
    one = figures._gains(1, "square root, normalized")
    many = figures._gains(20, "square root, normalized")
    assert (np.diff(one[-1]) > 0).all()  # DP-FTRL gains with ε
    assert one[-1][0] < 1 < one[-1][-1]
    assert (many[-1] < one[-1]).all()  # and loses with passes
    for epochs, column, first in (
        (1, "square root, normalized", 1.0),
        (1, "tree, Honaker", 2.0),
        (20, "square root, normalized", 4.0),
        (20, "tree, Honaker", 16.0),
    ):
        gain = figures._gains(epochs, column)[-1]
        assert figures.BUDGETS[int(np.argmax(gain > 1))] == first
    for epochs in figures.PASSES:  # the more steps, the more there is to correlate
        gain = figures._gains(epochs, "square root, normalized")[:, -1]
        assert (np.diff(gain) > 0).all()
    plain = figures._gains(1, "noise on each vector")
    rows, columns = np.nonzero(plain > 1)
    assert set(rows) <= {0, 1, 2}  # at most 100 steps a pass
    assert set(columns) <= {4, 5}  # ε = 8 and 16
    assert not (figures._gains(5, "noise on each vector") > 1).any()


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="`factorization` must be one of"):
        figures.crossover(1, "best")
    with pytest.raises(ValueError, match="`epochs` must be one of"):
        figures.crossover(2, NAMES[0])
    with pytest.raises(ValueError, match="`epsilon` must be one of"):
        figures.digits_accuracy(3.0, "1", NAMES[0])
