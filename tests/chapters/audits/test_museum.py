"""Every leak costs more than it claims, and its repair does not; the code is read."""

import json
import re
from math import inf

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare, kstest, norm

from dpteach.auditing import Tape
from dpteach.chapters.audits import leak_prices, leaks, museum
from dpteach.chapters.shared.tied_noise import noise_for
from dpteach.mechanisms import above_threshold_probabilities
from tests.public import ROOT

NAMES = [leak.name for leak in museum.LEAKS]


def test_each_exhibit_has_its_row_and_a_name_beside_it():
    assert len(museum.SHORT) == len(museum.LEAKS) == museum.ROOMS * museum.ROWS
    assert len(set(museum.SHORT)) == len(museum.SHORT)


@pytest.mark.claim(
    "22-audits",
    "Each of the sixteen exhibits costs more than it claims, and its repair does not: "
    "for ε of 0.3, 1, 3 and 10.",
    order=10,
)
@pytest.mark.parametrize("epsilon", museum.EPSILONS)
def test_every_leak_breaks_its_claim_and_no_repair_does(epsilon):
    leaky, repaired = museum.prices(epsilon)
    assert len(leaky) == len(NAMES) == 16
    for name, paid, then in zip(NAMES, leaky, repaired, strict=True):
        assert paid > 1.2 * epsilon, name
        assert then <= epsilon * (1 + 1e-9), name


@pytest.mark.claim(
    "22-audits", "The prices in the table are those that the code computes.", order=20
)
def test_the_table_of_the_chapter_is_computed():
    notebook = json.loads((ROOT / "chapters/22-audits.ipynb").read_text("utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (≥ )?([\d.∞]+) \|", text, re.MULTILINE)
    rows = rows[:16]  # the faults of libraries have a table of their own
    assert [int(number) for number, *_ in rows] == list(range(1, 17))
    leaky, _ = museum.prices(1.0)
    for (_, name, least, told), leak, paid in zip(
        rows, museum.LEAKS, leaky, strict=True
    ):
        assert leak.name.startswith(name)
        assert told == ("∞" if paid == inf else f"{paid:.3g}")
        assert bool(least) == (leak.leaky is leaks.shuffled_epoch)


def test_the_repair_of_most_is_exact_and_not_merely_safe():
    _, repaired = museum.prices(1.0)
    assert sum(abs(price - 1) < 1e-5 for price in repaired) == 14
    assert repaired[NAMES.index("divide by the number of records")] == 0


def test_the_best_run_is_the_largest_of_twenty_normals():
    rng, lam = np.random.default_rng(0), 2.0
    x = np.array([0.5, 1.0])
    found = [leaks.best_of_twenty(x, lam, rng) for _ in range(4000)]
    best = norm.cdf((np.array(found) - 1.5) / lam) ** 20  # uniform, if it is so
    assert kstest(best, "uniform").pvalue > 1e-6
    assert kstest(best**1.2, "uniform").pvalue < 1e-6  # twenty-four runs would show


def test_twenty_records_are_dealt_to_batches_and_each_comes_once():
    """Replay no noise: the batches add up to the whole, whatever the order is."""
    G = np.random.default_rng(3).normal(size=(250, 2))
    tape = Tape([], others=np.random.default_rng(0))
    batches = leaks.shuffled_epoch(G, 1.0, tape)
    assert batches.shape == (leak_prices.BATCHES, 2)
    whole = leaks.right_sum(G, 1.0, Tape([]))
    np.testing.assert_allclose(batches.sum(axis=0), whole)
    coins = leaks.right_coins(G, 1.0, Tape([], others=np.random.default_rng(0)))
    assert np.abs(coins.sum(axis=0) - whole).max() > 0.1  # some come twice, or never


def test_a_record_moves_the_sum_of_squares_by_25():
    x, epsilon = np.array([2.0, 5.0]), 0.5
    draw = np.random.default_rng(8).laplace()
    for release, scale in ((leaks.one_endpoint, 1.0), (leaks.right_endpoints, 25.0)):
        without = release(x[:1], epsilon, np.random.default_rng(8))
        having = release(x, epsilon, np.random.default_rng(8))
        assert having - without == pytest.approx(25.0)
        assert without - 4.0 == pytest.approx(scale / epsilon * draw)


def test_seven_records_never_stop_early_and_eight_often_do():
    rng, lam = np.random.default_rng(1), noise_for(1.0, 4)
    lengths = [
        [len(leaks.stop_on_private_loss(x, lam, rng)) for _ in range(1000)]
        for x in museum.EIGHT_OR_SEVEN
    ]
    assert set(lengths[1]) == {4}
    seen = lengths[0].count(1)
    assert binomtest(seen, 1000, norm.cdf(8 / lam)).pvalue > 1e-7
    assert len(leaks.right_fixed_steps(museum.EIGHT_OR_SEVEN[0], lam, rng)) == 4


def test_a_stop_has_the_distribution_that_is_priced():
    """Chi-square at 1e-6 over the first five stops and all later ones, both ways."""
    rng, X, epsilon = np.random.default_rng(2), museum.CROSSES[0], 1.0
    for run, b1, b2 in (
        (leaks.stop_without_threshold_noise, 0.0, 2.0),
        (leaks.right_above_threshold, 2.0, 4.0),
    ):
        stops = np.array([run(X, epsilon, rng) for _ in range(2000)]).clip(max=5)
        for scale, right in ((b1, True), (2.0 - b1, False)):
            chances = above_threshold_probabilities(
                X.sum(axis=0), threshold=0.0, threshold_scale=scale, answer_scale=b2
            )
            chances = np.append(chances[:5], chances[5:].sum())
            counts = np.bincount(stops, minlength=6)
            assert (chisquare(counts, 2000 * chances).pvalue > 1e-6) == right


def test_a_discrete_count_lies_on_its_grid():
    counts = [leaks.right_count(1, 4.2) for _ in range(20)]
    assert all(count == round(1000 * count) / 1000 for count in counts)


def test_the_microbatches_and_layers_that_show_a_leak_are_shaped_as_said():
    assert museum.TURNS_A_GROUP[0].shape == (8, 4)
    noise = Tape([])
    for run in (leaks.clip_by_layer, leaks.clip_by_microbatch, leaks.noise_by_device):
        assert run(museum.TURNS_A_GROUP[0], 1.0, noise).shape == (4,)


def test_what_is_no_exhibit_is_refused():
    with pytest.raises(ValueError, match="`epsilon` must be"):
        museum.prices(0.0)
    with pytest.raises(ValueError, match="`exhibit` must be one of"):
        museum.museum(1.0, 17)


def test_the_figure_names_what_it_shows():
    for exhibit, leak in enumerate(museum.LEAKS, 1):
        *_, sentence, spent = museum.museum(1, exhibit)
        assert f"“{leak.name}”" in sentence.text
        assert leak.found in sentence.text
        assert "at least" in spent.statement
    assert "an infinite ε" in museum.museum(1, 8)[-2].text
