"""Figures on exponential, objective and polytope algorithms."""

import numpy as np
import pytest
from scipy import special

from dpteach import Slider
from dpteach.algorithms.pure.exponential_chains import metropolis_transitions
from dpteach.algorithms.pure.objective import objective_perturbation_parameters
from dpteach.chapters.ch05_private_erm import baselines
from dpteach.chapters.ch06_exponential_mechanism import chains
from dpteach.chapters.ch06_exponential_mechanism import densities as exponential
from dpteach.chapters.ch07_objective_perturbation import curvature
from dpteach.chapters.ch07_objective_perturbation import risk as objective_risk
from dpteach.chapters.ch07_objective_perturbation import tilts as objective

EPSILON = Slider((0.1, 1.0, 10.0), start=1.0)


def test_the_textbooks_exponent_stops_at_half_of_epsilon():
    for n, wanted in ((1, 0.260395), (10, 0.399050), (1000, 0.498999)):
        *_, ratio, _, spent = exponential.density_and_ratio(1.0, n, "textbook")
        assert np.abs(ratio.y).max() == pytest.approx(wanted, abs=1e-6)
        assert spent.event.epsilon == 0.5


def test_the_heat_map_is_the_law_that_is_drawn_from():
    """Its levels are the grid's probabilities; each draw lies in a cell with mass."""
    cells, draws, best, *_ = exponential.heat_map(3.0)
    _, points, risk = exponential._patients()
    c = 3.0 / (4 * np.sqrt(2))
    level = np.exp(-c * (risk - risk.min()))
    np.testing.assert_allclose(cells.level, level, rtol=1e-9, atol=1e-300)
    assert best.x[0] == points[np.argmin(risk), 0]
    assert "93 of 1,024 cells" in exponential.heat_map(0.3)[-2].text  # first below 103
    assert "195 of 1,024 cells" in exponential.heat_map(0.1)[-2].text
    near = np.abs(points[:, :, None] - [draws.x, draws.y]).max(axis=1).argmin(axis=0)
    assert level[near].min() > 1e-3


def test_risks_of_the_two_losses_have_their_closed_forms():
    """The cone: an incomplete gamma ratio; a linear loss: a ratio of Bessel functions.

    Both integrals are within 2e-4 of them, relative, where the forms do not underflow.
    """
    for kappa, p in ((5.0, 1), (50.0, 5), (500.0, 20)):
        ratio = special.gammainc(p + 1, kappa) / special.gammainc(p, kappa)
        cone = exponential._cone_excess(kappa, p)
        assert cone == pytest.approx(p / kappa * ratio, rel=2e-4)
        mean = special.ive(p / 2 + 1, kappa) / special.ive(p / 2, kappa)
        linear = exponential._linear_excess(kappa, p)
        assert linear == pytest.approx(1 - mean, rel=2e-4)
    bound, cone, linear, *_ = exponential.risk_against_dimension(1.0, 10_000)
    assert np.all(cone.y <= bound.y * (1 + 1e-5))
    assert np.all(linear.y <= bound.y * (1 + 1e-3))
    assert cone.y[0] == pytest.approx(bound.y[0], rel=1e-5)  # met


def test_the_stopped_chains_delta_is_exact():
    """Against laws that are walked step by step, and never above the promise."""
    for epsilon in (0.3, 1.0, 3.0):
        for steps in chains.STEPS:
            *_, promise, delta, point, _, spent = chains.stopped_chain(epsilon, steps)
            assert np.all(delta.y <= np.maximum(promise.y, chains.FLOOR) * (1 + 1e-9))
            assert point.y[0] == max(spent.delta, chains.FLOOR)
    laws = np.zeros((2, 21))
    laws[:, 10] = 1
    risks = [np.abs(chains.MODELS[:, None] - r).sum(axis=1) for r in chains._RECORDS]
    for _ in range(10):
        laws = np.stack(
            [
                law @ metropolis_transitions(risk, exponent=0.5)
                for law, risk in zip(laws, risks, strict=True)
            ]
        )
    for steps, said in ((10, 0.197), (30, 0.3), (100, 1e-5)):
        seen = chains.stopped_chain(1.0, steps)[-1].delta
        assert seen == pytest.approx(said, rel=0.2)
    *_, spent = chains.stopped_chain(1.0, 10)
    excess = np.maximum(laws[1] - np.e * laws[0], 0).sum()
    assert spent.delta == pytest.approx(excess, rel=1e-9)


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
    assert objective_risk._leak(0.3) == pytest.approx(0.174, abs=0.002)
    edges = np.linspace(-3, 3, 301)
    P, Q = (
        np.histogram(objective_risk._solved(label, 1e-7), edges)[0] for label in (0, 1)
    )
    assert np.all(np.e * Q >= P)
    assert np.all(np.e * P >= Q)


def test_the_parts_of_a_risk_add_up_and_can_be_computed_again():
    """Stored parts are not negative; one corner, with fewer Λ, is computed anew."""
    values, known = (
        baselines.parts_of_a_risk(),
        dict(baselines.parts_of_a_risk.arguments),
    )
    parts = np.array(values["parts"])
    assert parts.shape == (4, 3, 4, 3)
    assert parts.min() >= 0
    total = parts.sum(axis=-1)
    assert np.all(np.diff(total, axis=0) < 0)  # more records
    assert np.all(np.diff(total, axis=2) < 0)  # more ε
    known |= {"counts": [300], "dimensions": [2], "regularizations": [0.1, 3.0, 10.0]}
    known["population"] = 20_000
    again = baselines.parts_of_a_risk.compute(**known)
    at = known["epsilons"].index(1.0)
    assert again["best"][0][0][at] == values["best"][0][0][at] == 3.0
    noise = again["parts"][0][0][at][2], parts[0, 0, at, 2]
    assert noise[0] == pytest.approx(noise[1], rel=1e-3)


def test_noise_on_data_is_the_root_of_n_times_as_far():
    """Measured points lie within 25 % of the formula: means of 40 runs or more."""
    for epsilon, p in ((0.1, 1), (1.0, 10), (10.0, 50)):
        data, answer, points, *_ = baselines.noise_on_data(epsilon, p)
        np.testing.assert_allclose(data.y, answer.y * np.sqrt(data.x), rtol=1e-12)
        np.testing.assert_allclose(points.y, data.y, rtol=0.25)
