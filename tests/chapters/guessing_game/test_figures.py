"""The figures on privacy: each curve against the package, each sentence recomputed."""

import itertools
from math import exp, sinh

import numpy as np
import pytest

from dpteach import Slider
from dpteach.accounting import delta_of, guess_probability, trade_off
from dpteach.chapters.guessing_game import guessing, thresholds
from dpteach.mechanisms import randomized_response_probabilities
from dpteach.privacy import (
    Approximate,
    Gaussian,
    Pure,
    Relation,
)

EPSILON = Slider((0.1, 1, 5), start=1)
DELTA = Slider((1e-6, 0.1))


@pytest.mark.claim(
    "01-guessing-game",
    "Odds move by at most e to the ε, and randomized response reaches both ends.",
    order=1,
)
@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5, 0.9])
def test_randomized_response_reaches_the_ends_of_the_lens(prior):
    """Bayes' rule on its table: no other belief is further out, nor guess better."""
    for epsilon in (0.3, 1.0, 3.0):
        table = randomized_response_probabilities(2, epsilon=epsilon)
        _, _, ends, _, _, best, *_ = guessing.guessing_game(epsilon, 1e-6, prior)
        joint = np.array([prior * table[1], (1 - prior) * table[0]])
        beliefs = joint[0] / joint.sum(axis=0)
        assert sorted(beliefs) == pytest.approx(ends.y.tolist(), abs=1e-12)
        assert joint.max(axis=0).sum() == pytest.approx(best.y[0], abs=2e-6)


@pytest.mark.parametrize("noise", ["Laplace", "normal"])
def test_the_ratio_is_that_of_the_densities_drawn(noise):
    having, lacking, ratio, high, low, said, _ = guessing.two_distributions(1.0, noise)
    seen = lacking.y > 1e-9
    logs = np.log(having.y[seen]) - np.log(lacking.y[seen])
    assert logs == pytest.approx(ratio.y[seen])
    inside = (ratio.y <= high.y[0] + 1e-9) & (ratio.y >= low.y[0] - 1e-9)
    assert inside.all() == (noise == "Laplace")
    assert ("is 0.01: δ" in said.text) == (noise == "normal")


@pytest.mark.claim(
    "01-guessing-game",
    "The two errors of a threshold are the areas that are shaded, and a point of "
    "the package's trade-off curve.",
    order=5,
)
@pytest.mark.parametrize("noise", ["Laplace", "normal"])
@pytest.mark.parametrize("threshold", [-4.0, 0.0, 0.5, 3.25])
def test_the_errors_of_a_threshold_are_the_areas_that_are_shaded(noise, threshold):
    """By quadrature of what ``two_distributions`` draws; the point is on the curve.

    For normal noise the curve is the package's trade-off.
    """
    alarms, misses, having, lacking, *_ = thresholds.threshold_test(
        1.0, noise, threshold
    )
    *_, curve, mine, said, spent = thresholds.threshold_test(1.0, noise, threshold)
    x = np.linspace(-60, 61, 48_401)  # every 400th of a count
    scale = 1.0 if noise == "Laplace" else spent.event.noise_multiplier
    fall = (lambda t: abs(t)) if noise == "Laplace" else (lambda t: t**2 / 2)
    density = [np.exp(-fall((x - c) / scale)) for c in (0, 1)]
    assert np.interp(having.x, x, density[1]) == pytest.approx(having.y, abs=1e-5)
    assert np.interp(lacking.x, x, density[0]) == pytest.approx(lacking.y, abs=1e-5)
    total = density[0].sum()
    wanted = density[0][x > threshold].sum() / total
    missed = density[1][x <= threshold].sum() / total
    assert mine.x[0] == pytest.approx(wanted, abs=2e-3)
    assert mine.y[0] == pytest.approx(missed, abs=2e-3)
    assert np.interp(mine.x[0], *_rising(curve)) == pytest.approx(mine.y[0], abs=2e-3)
    if noise == "normal":
        assert mine.y[0] == pytest.approx(trade_off(spent.event, mine.x[0]), abs=1e-9)
    assert alarms.x.min() == misses.x.max() == threshold
    assert "{threshold}" in said.text


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.1), (1.0, 0.01), (5.0, 1e-6)])
def test_the_curves_are_the_packages(epsilon, delta):
    relation = Relation.ADD_REMOVE
    promise, response, gaussian, _, mine, *_, spent = guessing.trade_off_curves(
        epsilon, delta, 0.1
    )
    for event, curve in (
        (Approximate(epsilon, delta, relation=relation), promise),
        (Pure(epsilon, relation=relation), response),
        (spent.event, gaussian),
    ):
        for alarms in (0.01, 0.1, 0.4, 0.8):
            drawn = np.interp(alarms, *_rising(curve))
            assert drawn == pytest.approx(trade_off(event, alarms), abs=2e-3)
    assert mine.y[0] == pytest.approx(trade_off(spent.event, 0.1), abs=1e-9)
    assert isinstance(spent.event, Gaussian)
    assert delta_of(spent.event, epsilon) == pytest.approx(delta, rel=1e-6)


def _rising(curve):
    order = np.argsort(curve.x, kind="stable")
    return curve.x[order], curve.y[order]


@pytest.mark.claim(
    "01-guessing-game",
    "The survey is unbiased and has the variance of the theorem: all outcomes of "
    "five coins.",
    order=4,
)
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_the_survey_is_unbiased_and_has_the_variance_of_the_theorem(epsilon):
    """All 2⁵ outcomes of five people, with their probabilities: no chance in it."""
    answers, n = np.array([1, 0, 0, 1, 0]), 5
    table = randomized_response_probabilities(2, epsilon=epsilon)
    mean = square = 0.0
    for reports in itertools.product((0, 1), repeat=n):
        weight = np.prod(table[answers, list(reports)])
        share = (np.mean(reports) - table[0, 1]) / (table[1, 1] - table[0, 1])
        mean += weight * share
        square += weight * share**2
    assert mean == pytest.approx(answers.mean())
    variance = 1 / (4 * n * sinh(epsilon / 2) ** 2)
    assert square - mean**2 == pytest.approx(variance)
    assert variance <= 1 / (n * epsilon**2)


def test_measured_surveys_err_as_the_theorem_says():
    """400 surveys: a deviation of 7.5 standard errors fails, 1e-10 a point (fixed)."""
    for epsilon in guessing.EPSILONS:
        theorem, _, measured, *_ = guessing.survey(epsilon)
        assert np.abs(measured.y / theorem.y - 1).max() < 7.5 / np.sqrt(2 * 400)


def _delta(P, Q, epsilon):
    return max(
        np.maximum(P - exp(epsilon) * Q, 0).sum(),
        np.maximum(Q - exp(epsilon) * P, 0).sum(),
    )


@pytest.mark.claim(
    "01-guessing-game",
    "Post-processing never costs, and adaptive pure budgets add up: 300 random "
    "pairs of distributions.",
    order=7,
)
def test_post_processing_never_costs_and_composition_adds():
    """300 random pairs of distributions on six outcomes, with random maps (seed 0)."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        P, Q = rng.dirichlet(np.ones(6), size=2)
        later = rng.dirichlet(np.ones(4), size=6)
        epsilon = rng.uniform(0, 2)
        assert _delta(P @ later, Q @ later, epsilon) <= _delta(P, Q, epsilon) + 1e-12
        # the second release may look at the first: a pair for each outcome of it
        P2, Q2 = rng.dirichlet(np.ones(3), size=(2, 6))
        spent = np.abs(np.log(P / Q)).max() + np.abs(np.log(P2 / Q2)).max()
        both = np.log(P[:, None] * P2) - np.log(Q[:, None] * Q2)
        assert np.abs(both).max() <= spent + 1e-12


@pytest.mark.claim(
    "01-guessing-game",
    "One record in a thousand, published at random, has δ = 1/1000 at every ε.",
    order=8,
)
def test_one_record_of_a_thousand_published_has_delta_one_thousandth():
    """Whoever publishes one record at random keeps (0, 1/n), and exposes somebody."""
    n = 1000
    P, Q = np.full(n + 1, 1 / n), np.full(n + 1, 1 / n)
    P[n], Q[0] = 0.0, 0.0  # the first person's record is 0 in one set, n in the other
    assert _delta(P, Q, 0.0) == pytest.approx(1 / n)
    assert _delta(P, Q, 10.0) == pytest.approx(1 / n)


def test_a_guess_is_no_better_than_the_event_says():
    """The best guess from a table of probabilities, against the package's formula."""
    table = randomized_response_probabilities(2, epsilon=1.0)
    for prior in (0.2, 0.5, 0.6):
        best = np.maximum(prior * table[1], (1 - prior) * table[0]).sum()
        event = Pure(1.0, relation=Relation.REPLACE)
        assert best == pytest.approx(guess_probability(event, prior))
