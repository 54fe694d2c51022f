"""The figures of chapter 8: their minima, their prices and their parts."""

import json
import re
from itertools import chain
from math import log1p

import numpy as np
import pytest

from dpteach.algorithms.pure.objective import (
    objective_perturbation_parameters,
    objective_perturbation_risk_bound,
)
from dpteach.chapters.objective_perturbation import curvature, newton_steps
from dpteach.chapters.objective_perturbation import risk as objective_risk
from dpteach.chapters.objective_perturbation import tilts as objective
from tests.public import ROOT


def test_little_regularization_is_seen_to_break_privacy():
    exact, claim, nominal, *_ = objective.epsilon_against_regularization(1.0)
    assert exact.y[0] == pytest.approx(5.29, abs=0.01)
    assert np.all(exact.y <= claim.y)
    assert exact.y[0] > 5 * nominal.y[0]


def test_the_minima_of_the_tilted_bowls_are_their_lowest_points():
    """Each bowl is lowest where its point is; the histogram is that of the density.

    2,000 draws in 40 bins: a bin of mass m is off by at most 6 deviations √(m/2000),
    which chance exceeds at a rate below 1e-6 over all states here; the seed is fixed.
    """
    for epsilon, Lam in ((0.5, 1.0), (1.0, 2.0), (2.0, 4.0)):
        *fan, _, points, bars, density, _, spent = objective.tilted_bowl(epsilon, Lam)
        assert spent.event.epsilon == pytest.approx(epsilon)
        for bowl, x, y in zip(fan, points.x, points.y, strict=True):
            if abs(x) < 3:
                assert y <= bowl.y.min() + 1e-6
        # Both are parts of the density's largest value.
        fine = np.interp(np.linspace(-3, 3, 40 * 25), density.x, density.y)
        top = bars.height.sum() * bars.width  # 1 over it, but for what lies outside
        mass = fine.reshape(40, 25).mean(axis=1) * bars.width / top
        off = np.abs(bars.height * bars.width / top - mass)
        assert np.all(off < 6 * np.sqrt(np.maximum(mass, 1e-3) / 2000) + 0.02 * mass)


def test_the_ratio_splits_into_tilt_and_determinant():
    for epsilon in (0.5, 4.0):
        for Lam in (0.001, 0.1, 3.0):
            *_, whole, tilt, determinant, _, spent = objective.density_ratio(
                epsilon, Lam
            )
            kappa = np.log1p(0.25 / Lam)
            assert np.abs(tilt.y).max() <= epsilon / 2 * (1 + 1e-12)
            assert determinant.y.min() >= -1e-12
            assert determinant.y.max() <= kappa * (1 + 1e-12)
            assert np.abs(whole.y).max() <= spent.event.epsilon
    *_, whole, _, _, _, _ = objective.density_ratio(1.0, 0.01)
    assert np.abs(whole.y).max() == pytest.approx(3.03, abs=0.01)


def test_a_tilt_beats_noise_on_the_output_and_keeps_its_bound():
    """Means of 30 runs with a fixed seed, at every regularization shown."""
    for epsilon in (0.3, 3.0):
        bound, tilted, noised, best, *_ = objective_risk.risk_against_regularization(
            epsilon
        )
        assert np.all(tilted.y > 0)
        assert np.all(tilted.y < bound.y)
        assert tilted.y.min() < noised.y.min() / 2
        assert list(best.y) == [tilted.y.min(), noised.y.min()]


def test_curvature_pays_with_more_records():
    """Means of 200 runs stay below the bound, which falls below the general one."""
    for epsilon in (0.1, 3.0):
        general, curved, measured, *_ = curvature.curved_risk(epsilon)
        assert np.all(measured.y < curved.y)
        assert np.all(np.diff(curved.y) < 0)
        assert curved.y[-1] < general.y[-1] / 5
        assert measured.y[-1] < measured.y[-2] / 2.5


def test_a_stopped_solver_leaks_and_an_exact_one_does_not():
    """Where it stops the gradient is small; δ at ε = 1 is 0 when γ is tiny.

    The tilts are quantiles, not draws: no chance is involved.
    """
    lam, _ = objective_perturbation_parameters(1.0, smoothness=0.25, regularization=1.0)
    for label in (0, 1):
        ends = objective_risk._solved(label, 0.3)
        labels = [1.0, -1.0] + [label] * (label != 0)
        slope = ends + sum(-k / (1 + np.exp(k * ends)) for k in labels)
        u = (np.arange(len(ends)) + 0.5) / len(ends)
        b = -lam * np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5))
        assert np.abs(slope + b).max() <= 0.3
    _, _, _, leak, *_ = objective_risk.stopped_solver(0.3)
    assert leak.y[0] == pytest.approx(0.174, abs=0.002)
    edges = np.linspace(-3, 3, 301)
    P, Q = (
        np.histogram(objective_risk._solved(label, 1e-7), edges)[0] for label in (0, 1)
    )
    assert np.all(np.e * Q >= P)
    assert np.all(np.e * P >= Q)


def test_the_survey_of_exercise_6_spends_no_more_than_its_budget():
    """The noise that its solution takes is enough at the Λ that it takes with it."""
    page = (ROOT / "chapters/08-objective-perturbation.ipynb").read_text("utf-8")
    text = "".join(chain.from_iterable(c["source"] for c in json.loads(page)["cells"]))
    split = re.search(r"1 \+ 0\.25/([\d.]+)\) = [\d.]+\$, so .*? = ([\d.]+)\$ is", text)
    assert split
    Lam, lam = map(float, split.groups())
    assert 1 / lam + log1p(0.25 / Lam) <= 1
    known = {"p": 60, "lipschitz": 1.0, "distance": 3.0}
    twice, once = (
        objective_perturbation_risk_bound(
            regularization=Lambda, noise_multiplier=noise, **known
        )
        for Lambda, noise in ((40.3, 2.0), (Lam, lam))
    )
    assert twice == pytest.approx(363, abs=0.5)
    assert once == pytest.approx(twice / 2, rel=0.02)


def test_newton_needs_fewer_steps_and_no_rate():
    """Ten steps: near the tilt, and ahead of descent at a middling rate."""
    ahead = 0
    for task in newton_steps.TASKS:
        for epsilon in newton_steps.EPSILONS:
            tilt, by_newton, descent = newton_steps.measured(task, epsilon)
            ten = newton_steps.STEPS.index(10)
            assert by_newton[ten] < tilt + 5
            assert by_newton[-2] < by_newton[ten] + 3  # a hundred steps do no harm
            ahead += by_newton[ten] < descent[ten, 2]
    assert ahead >= 26  # of 27
    tilt, by_newton, _ = newton_steps.measured("digits odd or even", 1.0)
    assert by_newton[newton_steps.STEPS.index(20)] < tilt + 3  # as the text says


def test_a_part_of_the_stored_losses_comes_out_again():
    found = newton_steps._at(
        newton_steps.problem("tumors"), 1.0, (1, 5), (1.0,), (20,), 0
    )
    at = newton_steps.EPSILONS.index(1.0)
    stored = newton_steps.newton_and_others()["tumors"][at]
    assert found["tilt"] == pytest.approx(stored["tilt"], rel=1e-3)
    assert found["newton"] == pytest.approx([stored["newton"][k] for k in (0, 3)], 1e-3)
    at = newton_steps.RATES.index(1.0)
    found = [each[0] for each in found["descent"]]
    assert found == pytest.approx([stored["descent"][k][at] for k in (0, 3)], 1e-3)
