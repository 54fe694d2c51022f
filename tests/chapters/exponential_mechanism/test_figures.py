"""The figures of chapter 7 agree with closed forms and with the algorithms."""

import numpy as np
import pytest
from scipy import special

from dpteach import Problem, losses
from dpteach.algorithms.pure._minimum import minimum
from dpteach.algorithms.pure.exponential_chains import metropolis_transitions
from dpteach.algorithms.pure.localized_exponential import (
    localized_exponential_mechanism,
)
from dpteach.algorithms.pure.output import output_perturbation
from dpteach.chapters.exponential_mechanism import chains, looking_twice
from dpteach.chapters.exponential_mechanism import densities as exponential
from dpteach.constraints import Box
from dpteach.data import diabetes


def test_the_textbooks_exponent_stops_at_half_of_epsilon():
    for n, wanted in ((1, 0.260395), (10, 0.399050), (1000, 0.498999)):
        *_, ratio, _, spent = exponential.density_and_ratio(1.0, n, "textbook")
        assert np.abs(ratio.y).max() == pytest.approx(wanted, abs=1e-6)
        assert spent.event.epsilon == 0.5


def test_the_heat_map_is_the_distribution_that_is_drawn_from():
    """Its levels are the grid's probabilities; each draw lies in a cell with mass."""
    cells, draws, best, *_ = exponential.heat_map(3.0)
    patients = diabetes()
    D = Problem(patients.X[:, (2, 8)], patients.y, losses.absolute, Box(-2.0, 2.0))
    points = np.c_[cells.x, cells.y]
    risk = D.risk(points)
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

    Both integrals are within 1e-3 of them, relative, where the forms do not underflow.
    """
    for epsilon, n in ((0.1, 100), (1.0, 100), (10.0, 100)):
        _, cone, linear, *_ = exponential.risk_against_dimension(epsilon, n)
        kappa, few = epsilon * n / 2, cone.x <= 20  # C has the diameter 2
        p = cone.x[few]
        ratio = special.gammainc(p + 1, kappa) / special.gammainc(p, kappa)
        assert cone.y[few] == pytest.approx(p / kappa * ratio, rel=1e-3)
        mean = special.ive(p / 2 + 1, kappa) / special.ive(p / 2, kappa)
        assert linear.y[few] == pytest.approx(1 - mean, rel=1e-3)
    bound, cone, linear, *_ = exponential.risk_against_dimension(1.0, 10_000)
    assert np.all(cone.y <= bound.y * (1 + 1e-5))
    assert np.all(linear.y <= bound.y * (1 + 1e-3))
    assert cone.y[0] == pytest.approx(bound.y[0], rel=1e-5)  # met


def test_the_stopped_chains_delta_is_exact():
    """Against distributions walked step by step, and never above the promise."""
    for epsilon in (0.3, 1.0, 3.0):
        for steps in chains.STEPS:
            *_, promise, delta, point, _, spent = chains.stopped_chain(epsilon, steps)
            assert np.all(delta.y <= np.maximum(promise.y, chains.FLOOR) * (1 + 1e-9))
            assert point.y[0] == max(spent.delta, chains.FLOOR)
    chances = np.zeros((2, 21))
    chances[:, 10] = 1
    risks = [np.abs(chains.MODELS[:, None] - r).sum(axis=1) for r in chains._RECORDS]
    for _ in range(10):
        chances = np.stack(
            [
                chance @ metropolis_transitions(risk, exponent=0.5)
                for chance, risk in zip(chances, risks, strict=True)
            ]
        )
    for steps, said in ((10, 0.197), (30, 0.3), (100, 1e-5)):
        seen = chains.stopped_chain(1.0, steps)[-1].delta
        assert seen == pytest.approx(said, rel=0.2)
    *_, spent = chains.stopped_chain(1.0, 10)
    excess = np.maximum(chances[1] - np.e * chances[0], 0).sum()
    assert spent.delta == pytest.approx(excess, rel=1e-9)


def test_a_second_look_has_the_risk_of_the_algorithms_that_are_run():
    """2,000 runs each; 6 standard errors, and 2% for the grids. Power: half of it."""
    y = np.repeat(diabetes().y, 3)
    D = Problem(np.ones((len(y), 1)), y, losses.huber(1.0), Box(-1.0, 1.0))
    epsilon, Lam, at = 1.0, 100.0, looking_twice.COPIES.index(3)
    kind = {"lipschitz": 1.0, "regularization": Lam, "runs": (2000,)}
    best = minimum(D, Lam, np.zeros(1), 1e-9)

    def excess(theta):
        value = D.risk(theta) + Lam / 2 * theta[..., 0] ** 2
        return (value - (D.risk(best) + Lam / 2 * best[0] ** 2)) / len(y)

    noise, _, twice, *_ = looking_twice.second_look(epsilon, Lam, len(y))
    released = (
        output_perturbation(D, **kind, noise_multiplier=1 / epsilon, rng=3),
        localized_exponential_mechanism(
            D, **kind, epsilon=epsilon, failure_probability=looking_twice.BETA, rng=4
        ),
    )
    for line, release in zip((noise, twice), released, strict=True):
        found = excess(release.theta)
        error = 6 * found.std() / np.sqrt(2000) + 0.02 * found.mean()
        assert abs(found.mean() - line.y[at]) < error
        assert abs(found.mean() / 2 - line.y[at]) > error


def test_what_the_page_says_of_a_second_look():
    noise, direct, twice, *_ = looking_twice.second_look(1.0, 100, 442_000)
    assert noise.y[[0, -1]] == pytest.approx([1.2e-4, 9.8e-5], rel=0.03)
    assert twice.y[[0, -1]] == pytest.approx([5.7e-4, 5.8e-7], rel=0.03)
    assert direct.y[-1] == pytest.approx(2.3e-6, rel=0.03)
    noise, direct, twice, *_ = looking_twice.second_look(1.0, 10, 442)
    assert np.all(direct.y < np.minimum(noise.y, twice.y))
