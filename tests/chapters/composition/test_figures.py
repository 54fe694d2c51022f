"""The figures of the chapter on composition show what the package computes."""

import json
import re

import numpy as np
import pytest
from scipy.special import ndtri

from dpteach.accounting import (
    epsilon_of,
    gaussian_delta,
    gaussian_epsilon,
    price_of,
    zcdp_epsilon,
)
from dpteach.chapters.composition import notions
from dpteach.chapters.composition import prices as accounting
from dpteach.figures.marks import Line, Sentence
from dpteach.privacy import (
    Composed,
    RandomizedResponse,
    Relation,
    SampledGaussian,
)
from tests.public import ROOT


def drawn(noise_multiplier, rate):
    """The lines of the five accountants over the numbers of steps, by their names."""
    marks = accounting.five_accountants(noise_multiplier, rate, accounting.STEPS[0], 5)
    return {mark.label: mark.y for mark in marks if isinstance(mark, Line)}


def sampled(noise_multiplier, rate, steps):
    relation = Relation.ADD_REMOVE
    return SampledGaussian(
        noise_multiplier, rate=rate, releases=steps, relation=relation
    )


@pytest.mark.parametrize("rate", [0.01, 1.0])
def test_bounds_lie_above_the_price_and_the_price_is_the_events(rate):
    found = drawn(2.0, rate)
    exact = found["contour"]
    for name in ("basic", "advanced", "concentrated", "Rényi"):
        assert (found[name] >= exact * (1 - 1e-9)).all(), name
    for T, epsilon in zip(accounting.STEPS, exact, strict=True):
        event = sampled(2.0, rate, T)
        assert epsilon == epsilon_of(event, accounting.DELTA)


def test_the_grid_of_orders_loses_little_against_the_best_order():
    found = drawn(1.0, 0.01)["Rényi"][2]
    event = sampled(1.0, 0.01, accounting.STEPS[2])
    best = price_of(event, delta=accounting.DELTA, accountant="renyi").epsilon
    assert best * (1 - 1e-9) <= found <= 1.01 * best


def test_concentrated_privacy_does_not_see_the_sampling():
    few, all_ = (drawn(2.0, rate)["concentrated"] for rate in (0.01, 1.0))
    assert (few == all_).all()


@pytest.mark.claim(
    "03-composition",
    "Mixing accountants turns the order of two algorithms round.",
    order=9,
)
def test_mixing_accountants_turns_the_order_round():
    *_, sgd, ftrl, said, _ = accounting.mixed_accountants(1e-6)
    assert sgd.x == pytest.approx([19.55, 18.049, 14.947, 18.049], abs=1e-3)
    assert ftrl.x == pytest.approx([19.736, 18.708, 17.667, 17.667], abs=1e-3)
    assert (sgd.x[:3] < ftrl.x[:3]).all()
    assert sgd.x[3] > ftrl.x[3]
    assert "and DP-FTRL seems cheaper" in said.text
    # and at a smaller delta the order is another, by every accountant
    *_, sgd, ftrl, _, _ = accounting.mixed_accountants(1e-9)
    assert (sgd.x[:3] > ftrl.x[:3]).all()


def test_a_row_joins_the_two_prices_that_it_compares():
    for delta in (1e-8, 1e-6, 1e-4):
        _, *lines, sgd, ftrl, _, _ = accounting.mixed_accountants(delta)
        ends = np.array([line.x for line in lines])
        assert np.array_equal(ends.T, (sgd.x, ftrl.x))
        assert [line.y[0] for line in lines] == sgd.y.tolist() == ftrl.y.tolist()


@pytest.mark.parametrize("steps", [T for T in accounting.DRIFT_STEPS if T > 15])
def test_the_density_that_drifts_is_that_of_the_loss(steps):
    density, *_, point, _, spent = accounting.drift(20.0, steps)
    mu, height = spent.event.mu, density.x - steps
    mean = np.sum(density.y * height) / np.sum(height)
    assert mean == pytest.approx(mu * mu / 2, abs=1e-3)
    spread = np.sqrt(np.sum((density.y - mean) ** 2 * height) / np.sum(height))
    assert spread == pytest.approx(mu, rel=1e-2)
    # what lies beyond epsilon, less e^epsilon times the same under the other density
    x = np.linspace(-12, 40, 400_001)
    density = np.exp(-(((x - mu * mu / 2) / mu) ** 2) / 2) / mu / np.sqrt(2 * np.pi)
    lost = np.maximum(1 - np.exp(point.y[0] - x), 0) * density
    assert np.sum(lost) * (x[1] - x[0]) == pytest.approx(1e-6, rel=1e-3)


def test_the_walks_of_the_loss_are_those_of_gaussian_releases():
    marks = accounting.drift(20.0, 256)
    runs = np.array([m.y for m in marks if getattr(m, "label", "") == "loss of a run"])
    gaps = np.diff(runs, axis=1)
    releases = 1024 / gaps.shape[1]
    z = (gaps - releases / 800) / np.sqrt(releases / 400)
    n = z.size  # a mean and a deviation of n normals: 5 deviations is below 1e-6
    assert abs(z.mean()) < 5 / np.sqrt(n)
    assert abs(z.std() - 1) < 5 / np.sqrt(2 * n)


def test_each_figure_speaks_of_its_own_state():
    for marks in (
        accounting.five_accountants(2.0, 0.1, 1000, 5),
        accounting.mixed_accountants(1e-6),
        accounting.drift(10.0, 64),
    ):
        assert sum(isinstance(each, Sentence) for each in marks) == 1


def test_accountants_are_asked_one_by_one():
    """Those that were not asked are out of the frame, and not spoken of."""
    low, top = accounting.five_accountants.declaration["axes"].ylim
    for asked in range(1, 6):
        marks = accounting.five_accountants(2.0, 0.01, 1000, asked)
        lines = [mark for mark in marks if isinstance(mark, Line)]
        seen = [((line.y > low) & (line.y < top)).any() for line in lines]
        assert seen == [True] * asked + [False] * (5 - asked)
        (said,) = [mark.text for mark in marks if isinstance(mark, Sentence)]
        assert [name in said for name in accounting.NAMES] == seen
    with pytest.raises(ValueError, match="accountants"):
        accounting.five_accountants(2.0, 0.01, 1000, 6)


def test_the_steps_of_the_walk_state_the_figures_prices():
    """Each step's number is the one that its accountant adds to the sentence."""
    cells = json.loads((ROOT / "chapters/03-composition.ipynb").read_text("utf-8"))
    texts = ["".join(cell["source"]) for cell in cells["cells"]]
    (text,) = [text for text in texts if text.startswith("1. [**Basic")]
    steps = re.findall(r"^(\d)\. .*accountants=(\d)\)(.*)$", text, re.MULTILINE)
    assert [one for one, _, _ in steps] == [two for _, two, _ in steps] == list("12345")
    for number, _, step in steps:
        *_, said, _ = accounting.five_accountants(2, 0.01, 1000, int(number))
        price = re.findall(r"([\d.]+) \(", said.text)[-1]
        assert re.search(rf"(= |\$){re.escape(price)}\$", step), (number, price)


def test_one_curve_shows_what_each_notion_reads():
    normal, laplace, sampled, pure, line, *_ = notions.one_curve(8, 0.1)
    assert normal.y == pytest.approx(normal.x / 8)  # ρ = 1/8: a line, and sharp
    assert (laplace.y <= np.minimum(line.y, pure.y[0])).all()
    assert laplace.y[-1] > 0.98
    # no line through the origin lies near the sampled curve
    ratios = sampled.y / sampled.x
    assert ratios.max() > 30 * ratios.min()


def test_five_notions_of_a_randomized_answer():
    """The numbers of the second example by hand."""
    p = np.e / (1 + np.e)
    loss, chance = np.array([1.0, -1.0]), np.array([p, 1 - p])
    assert chance @ np.maximum(1 - np.exp(0.5 - loss), 0) == pytest.approx(
        0.288, abs=5e-4
    )
    assert np.log(chance @ np.exp(loss)) == pytest.approx(0.735, abs=5e-4)
    mu = 2 * ndtri(p)
    assert mu == pytest.approx(1.23, abs=5e-3)
    assert 4 * mu == pytest.approx(4.93, abs=5e-3)
    # ρ = ε²/2 covers every order, and μ the whole curve
    orders = np.geomspace(1.001, 1000, 400)
    top = (orders - 1) + np.log(p + (1 - p) * np.exp(-2 * (orders - 1)))
    assert (top / (orders - 1) <= orders / 2).all()
    for epsilon in np.linspace(0, 0.99, 34):
        one = chance @ np.maximum(1 - np.exp(epsilon - loss), 0)
        assert one <= gaussian_delta(mu, epsilon) * (1 + 1e-12)
    run = RandomizedResponse(
        1.0, categories=2, releases=16, relation=Relation.ADD_REMOVE
    )
    assert f"{epsilon_of(run, 1e-6):.3g}" == "16"
    assert zcdp_epsilon(8, 1e-6, method="basic") == pytest.approx(29, abs=0.05)
    assert gaussian_epsilon(4 * mu, 1e-6) == pytest.approx(34.9, abs=0.05)


def test_a_year_costs_less_than_four_months():
    month = sampled(1.0, 0.01, 2000)
    one, two, year = (epsilon_of(Composed((month,) * k), 1e-6) for k in (1, 2, 12))
    assert [round(price, 2) for price in (one, two, year)] == [2.96, 4.21, 11.41]
    assert year < 4 * one
