"""The tour's figures: what each says of the patients is computed again, another way."""

import re

import numpy as np
import pytest

from dpteach import Slider
from dpteach.accounting import guess_probability
from dpteach.chapters.shared.guessing_questions import GUESS_AT_ONE
from dpteach.chapters.shared.tied_noise import noise_for
from dpteach.chapters.tour import three_ways, tour
from dpteach.data import body_mass
from dpteach.figures import Line
from dpteach.privacy import Pure, Relation

EPSILON = Slider((0.1, 1, 30), start=1)


def test_the_measurements_are_those_of_the_set():
    people = body_mass()
    assert people.X.shape == (442, 2)
    assert (people.X[:, 1] == 1).all()
    index = 25 + 5 * people.X[:, 0]
    assert index[:3] == pytest.approx([32.1, 21.6, 30.5])  # as the set has them
    assert np.linalg.norm(people.X, axis=1).max() <= people.row_norm
    disease = 185.5 + 160.5 * people.y
    assert disease[:3] == pytest.approx([151, 75, 141])


def test_the_point_on_the_bowl_is_the_risk_of_the_line_drawn():
    """Squares of the misses as drawn, in the unit of 160.5 points."""
    people, line, here = body_mass(), *_lines(tour.a_model_and_its_risk(6))
    index, disease = 25 + 5 * people.X[:, 0], 185.5 + 160.5 * people.y
    slope = np.diff(line.y)[0] / np.diff(line.x)[0]
    missed = disease - line.y[0] - slope * (index - line.x[0])
    assert slope == pytest.approx(6)
    assert here.y[0] == pytest.approx(((missed / 160.5) ** 2).sum() / 2)
    assert missed.mean() == pytest.approx(0, abs=1e-9)  # the best level for the slope


def _lines(marks):
    return [mark for mark in marks if getattr(mark, "label", "") == "the line"]


def test_no_slope_has_less_risk_than_the_best():
    D, best = tour.patients(), tour.best_line()
    risks = [_lines(tour.a_model_and_its_risk(t))[1].y[0] for t in tour.TILTS]
    assert min(risks) > D.risk(best)
    assert risks[tour.TILTS.index(10)] == min(risks)


@pytest.mark.claim(
    "00-tour",
    "The line of the others is what least squares gives without the patient.",
    order=1,
)
@pytest.mark.parametrize("patient", [1, 233, 442])
def test_the_line_of_the_others_is_what_least_squares_gives(patient):
    people = body_mass()
    keep = np.arange(442) != patient - 1
    wanted = np.linalg.lstsq(people.X[keep], people.y[keep])[0]
    assert tour.lines_without_one()[patient - 1] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.claim(
    "00-tour",
    "The printed digits name 438 of the 442 patients, and leave two pairs.",
    order=2,
)
def test_the_printed_line_names_all_but_four_patients():
    """The digits in the sentence suffice: 438 lines are printed for one patient each.

    Power: with one decimal each, nearly all patients share a line with others.
    """
    said = [tour.guess_who_left(k)[-1].text for k in range(1, 443)]
    numbers = [re.search(r"slope ([\d.]+) and level ([\d.]+)", each) for each in said]
    printed = [match.groups() for match in numbers]
    alone = [k for k, pair in enumerate(printed) if printed.count(pair) == 1]
    assert len(alone) == 438
    assert all("points to patient {patient} and to nobody" in said[k] for k in alone)
    assert "points to patient {patient} and 439 and to nobody" in said[54 - 1]
    coarse = [(slope[:-4], level[:-3]) for slope, level in printed]
    assert sum(coarse.count(pair) == 1 for pair in coarse) < 50


def test_patient_368_moves_the_line_most():
    moved = tour.lines_without_one() - tour.best_line()
    assert np.abs(moved).max(axis=1).argmax() == 368 - 1
    slopes = np.abs(moved[:, 0]) * 160.5 / 5
    assert slopes.max() == slopes[368 - 1] == pytest.approx(0.14, abs=0.005)
    assert "its slope by 0.14" in tour.what_noise_buys.declaration["caption"]
    assert 368 in tour.CHOSEN


@pytest.mark.claim(
    "00-tour",
    "The bells are as far apart as the price of the run says.",
    order=3,
)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 30.0])
def test_the_bells_are_as_far_apart_as_the_price_says(epsilon):
    *_, having, lacking, said, spent = tour.what_noise_buys(epsilon)
    apart = np.average(having.x, weights=having.y) - np.average(
        lacking.x, weights=lacking.y
    )
    assert apart == pytest.approx(spent.event.mu, abs=0.02)
    assert "{epsilon}" in said.text


def test_the_tour_says_how_many_lines_lie_beyond_the_frame():
    """Four in ten at ε = 0.3, and hardly one at ε = 1."""
    axes = tour.what_noise_buys.declaration["axes"][0]
    for epsilon, share in ((0.3, 0.4), (1.0, 0.0)):
        clouds = tour.what_noise_buys(epsilon)[:2]
        x, y = (np.concatenate([getattr(c, k) for c in clouds]) for k in "xy")
        inside = (axes.xlim[0] <= x) & (x <= axes.xlim[1])
        inside &= (axes.ylim[0] <= y) & (y <= axes.ylim[1])
        assert 1 - inside.mean() == pytest.approx(share, abs=0.03)


def test_the_numbers_in_the_question_on_odds():
    """55 in 100 against this noise, and 73 by ε = 1 alone."""
    *_, spent = tour.what_noise_buys(1.0)
    assert round(100 * guess_probability(spent.event, 0.5)) == 55
    alone = Pure(1.0, relation=Relation.ADD_REMOVE)
    assert round(100 * guess_probability(alone, 0.5)) == 73
    right = next(each for each in GUESS_AT_ONE.choices if each.right)
    assert "55" in right.text
    assert "73" in right.why


@pytest.mark.claim(
    "00-tour",
    "At ε = 1 the private lines have at most 5% more risk than the best; at ε = "
    "0.1 clearly more.",
    order=5,
)
def test_noise_hides_a_patient_long_before_it_hides_the_line():
    """At ε = 1 the risk is at most 5% above the least; at ε = 0.1 clearly more."""

    def more(epsilon):  # in percent, over 40 runs
        *_, sentence, _ = tour.one_run(epsilon, noise_for(epsilon, 100), 100)
        return int(re.search(r"risk is (\d+)% above the least", sentence.text)[1])

    assert more(1.0) < 5
    assert more(0.1) > 2 * more(1.0)
    assert tour.one_run(1.0, noise_for(1.0, 100), 100)[-1].event.releases == 100


@pytest.mark.claim(
    "00-tour",
    "A line that sees each patient once has the larger risk at every ε: 200 runs each.",
    order=6,
)
def test_a_line_that_sees_each_patient_once_costs_more():
    """DP-FTRL against DP-SGD at every ε, by the means of 200 runs each.

    At no ε do the two means come within eight standard errors of each other.
    """
    D = tour.patients()
    for epsilon in three_ways.EPSILONS:
        at_once, one_by_one = three_ways._trained(epsilon)
        risks = np.array([D.risk(each.theta) for each in (at_once, one_by_one)])
        error = np.hypot(*risks.std(axis=1)) / 200**0.5
        assert np.diff(risks.mean(axis=1))[0] > 8 * error
        *_, spent = three_ways.three_ways(epsilon)
        assert f"ε = {epsilon:g}, δ = 10⁻⁶" in spent.statement


def test_both_ways_gain_from_a_larger_budget():
    marks = three_ways.three_ways(1.0)
    lines = [each for each in marks if isinstance(each, Line) and each.panel == 1]
    means = np.array([line.y for line in (lines[1], lines[0])])
    least = tour.patients().risk(tour.best_line())
    assert (np.diff(means, axis=1) < 0).all()
    assert (means > least).all()
    assert means[:, three_ways.EPSILONS.index(1.0)] / least == pytest.approx(
        [1.02, 1.23], abs=0.01
    )
