"""Figures of the chapter on mechanisms: their claims, by mpmath and by counting."""

import mpmath
import numpy as np
import pytest

from dpteach.chapters.sensitivity import noises as mechanisms
from dpteach.chapters.sensitivity import questions as mechanisms_questions
from dpteach.chapters.sensitivity import votes
from dpteach.figures import Sentence
from dpteach.figures.quiz import Question
from dpteach.mechanisms import gaussian_mechanism, k_norm_mechanism, laplace_mechanism
from dpteach.privacy import Relation


def said(marks):
    return next(mark.text for mark in marks if isinstance(mark, Sentence))


def first_failure(marks):
    """The ε from which on the classical formula fails, as the sentence says."""
    return float(said(marks).split("fails from ε = ")[1].split(" on")[0])


@pytest.mark.parametrize("noise", mechanisms.NOISES)
def test_half_of_all_runs_lie_in_the_outline(noise):
    """20,000 runs (seed 0): a share 5 deviations from a half has chance 6e-7."""
    _, half, *_ = mechanisms.clouds(noise, 0, 2.0)
    outline = np.c_[half.x, half.y]
    run = {"epsilon": 2.0, "relation": Relation.ADD_REMOVE, "rng": 0, "runs": (20_000,)}
    if noise == "Laplace":  # a vector of length 1 has entries that add up to √2 at most
        points = laplace_mechanism(np.zeros(2), sensitivity=2**0.5, **run).theta
    elif noise == "K-norm":
        points = k_norm_mechanism(np.zeros(2), sensitivity=1.0, **run).theta
    else:
        run["delta"] = mechanisms.DELTA
        points = gaussian_mechanism(np.zeros(2), sensitivity=1.0, **run).theta
    order = 1 if noise == "Laplace" else 2
    radius = np.linalg.norm(outline, ord=order, axis=1)
    assert np.ptp(radius) < 1e-9
    inside = np.mean(np.linalg.norm(points, ord=order, axis=1) < radius[0])
    assert abs(inside - 0.5) < 5 * 0.5 / np.sqrt(20_000)


@pytest.mark.claim(
    "02-sensitivity",
    "The price of a record in the first figure is its log-ratio of densities.",
    order=9,
)
def test_the_cost_of_a_record_is_its_log_density_ratio():
    """At the worst point, far out in the record's direction: exactly what is drawn."""
    for direction in mechanisms.DIRECTIONS:
        turn = np.radians(direction)
        tip = np.array([np.cos(turn), np.sin(turn)])
        for noise, order, scale in (("Laplace", 1, np.sqrt(2) / 2), ("K-norm", 2, 0.5)):
            *_, here, _, spent = mechanisms.clouds(noise, direction, 2.0)
            # the corner of the quadrant of tip, where no coordinate changes its sign
            far = 1e6 * (tip if order == 2 else np.sign(np.round(tip, 9)) + tip)
            norm = np.linalg.norm(far, order) - np.linalg.norm(far - tip, order)
            assert norm / scale == pytest.approx(2 * here.y[0], rel=1e-6)
            assert here.y[0] <= 1 + 1e-12
            assert spent.event.epsilon == 2


def test_the_lengths_are_those_of_the_distributions():
    """Root mean squares: p Laplace draws of scale √p/ε; a Gamma(p) length; √p/μ."""
    laplace, k_norm, normal, _, spent = mechanisms.lengths(2.0, 1e-6)
    p = laplace.x
    np.testing.assert_allclose(laplace.y, np.sqrt(p * 2 * p) / 2.0)
    np.testing.assert_allclose(k_norm.y, np.sqrt(p + p**2) / 2.0)
    np.testing.assert_allclose(normal.y, np.sqrt(p) * spent.event.noise_multiplier)


def test_the_crossing_is_where_the_sentence_says():
    for epsilon, delta in ((0.1, 1e-9), (1.0, 1e-6), (10.0, 1e-3)):
        marks = mechanisms.lengths(epsilon, delta)
        p = marks[-2].numbers["crossing"]
        z = marks[-1].event.noise_multiplier
        assert p**0.5 * z <= (p * (p + 1)) ** 0.5 / epsilon
        assert p == 1 or (p - 1) ** 0.5 * z > ((p - 1) * p) ** 0.5 / epsilon


@pytest.mark.claim(
    "02-sensitivity",
    "The classical formula fails where the figure says, in 50-digit arithmetic.",
    order=5,
)
@pytest.mark.parametrize("delta", mechanisms.DELTAS)
def test_the_classical_formula_fails_where_the_figure_says(delta):
    """Against 50 digits: below the promise just before that point, above it after."""

    def true(epsilon):
        with mpmath.workdps(50):
            e, d = mpmath.mpf(epsilon), mpmath.mpf(delta)
            mu = e / mpmath.sqrt(2 * mpmath.log(mpmath.mpf("1.25") / d))
            up, down = mu / 2 - e / mu, -mu / 2 - e / mu
            return mpmath.ncdf(up) - mpmath.exp(e) * mpmath.ncdf(down)

    marks = mechanisms.classical_and_exact(10, delta)
    fails = first_failure(marks)  # to three digits
    assert true(fails * 0.994) < delta < true(fails * 1.006)
    ratio = next(m for m in marks if m.panel == 1)
    for x, y in list(zip(ratio.x, ratio.y, strict=True))[::10]:
        assert y == pytest.approx(float(true(x) / delta), rel=1e-8)


def test_the_tested_epsilons_at_which_the_classical_formula_first_fails():
    """On whole numbers: 8, 9, 9 and 10 for δ = 1e-3, 1e-5, 1e-6 and 1e-9."""
    for delta, first in ((1e-3, 8), (1e-5, 9), (1e-6, 9), (1e-9, 10)):
        above, below = (
            mechanisms.classical_and_exact(epsilon, delta)[5].y[0]
            for epsilon in (first, first - 1)
        )
        assert above > 1 >= below


def test_permute_and_flip_loses_least_and_the_bars_are_the_probabilities():
    for budget in votes.BUDGETS:
        marks = votes.selection(budget)
        assert all(m.height.sum() == pytest.approx(1) for m in marks[:3])
        exponential, noisy_max, flip = (points.y[0] for points in marks[6:9])
        assert flip < min(exponential, noisy_max)


def test_the_questions_have_right_numbers():
    from dpteach.accounting import gaussian_mu

    assert 1000**0.5 / gaussian_mu(1, 1e-6) == pytest.approx(134, abs=0.5)
    more = (2 * np.log(1.25 / 1e-6)) ** 0.5 / 0.1 * gaussian_mu(0.1, 1e-6)
    assert more == pytest.approx(1.46, abs=0.005)
    fails = first_failure(mechanisms.classical_and_exact(10, 1e-6))
    assert fails == pytest.approx(8.8, abs=0.05)
    found = [v for v in vars(mechanisms_questions).values() if isinstance(v, Question)]
    drawn = mechanisms.lengths.explorer.asks.identity
    assert len({drawn, *(each.identity for each in found)}) == len(found) + 1 == 6
