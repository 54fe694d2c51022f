"""Markov chains: how near they come, and what stopping them costs."""

from math import sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from dpteach import (
    Problem,
    constraints,
    losses,
)
from dpteach.algorithms.pure._segments import (
    draw_log_concave,
)
from dpteach.algorithms.pure.exponential_chains import (
    hit_and_run,
    langevin,
    metropolis_transitions,
)
from dpteach.algorithms.pure.exponential_samplers import Grid
from dpteach.mechanisms.finite_exponential import exponential_choice_probabilities
from tests import problems
from tests.algorithms.pure.medians import INTERVAL, medians


def test_draws_on_a_chord_are_exact():
    """KS at 1e-6 against the density of a smooth convex function."""
    rng = np.random.default_rng(4)

    def tangents(s):
        return np.logaddexp(0, -3 * s) + s**2, -3 / (1 + np.exp(3 * s)) + 2 * s

    draws = [draw_log_concave(tangents, -2.0, 1.5, 2.0, rng) for _ in range(3000)]
    grid = np.linspace(-2, 1.5, 4001)
    cdf = integrate.cumulative_trapezoid(
        np.exp(-2 * tangents(grid)[0]), grid, initial=0
    )
    fit = stats.kstest(draws, lambda t: np.interp(t, grid, cdf / cdf[-1]))
    assert fit.pvalue > 1e-6
    assert stats.kstest(draws, stats.uniform(-2, 3.5).cdf).pvalue < 1e-6


@pytest.mark.parametrize("constraint", [INTERVAL, constraints.L2Ball(1.0)])
def test_chains_come_near_the_exact_sampler(constraint):
    """Mean loss of both chains against the grid's, to 5.2 standard errors."""
    D = Problem(np.eye(2)[[0, 1, 0]], np.ones(3), losses.logistic, constraint)
    points, score = Grid(0.02).log_probabilities(D, 2.0)
    wanted = float(np.sum(np.exp(score) * D.risk(points)))
    walk = hit_and_run(D, exponent=2.0, steps=15, rng=0, runs=(250,))
    drift = langevin(D, exponent=2.0, steps=150, step_size=0.1, rng=0, runs=(2000,))
    for theta in (walk, drift):
        risk = D.risk(theta)
        assert abs(risk.mean() - wanted) < 5.2 * risk.std() / sqrt(len(risk)) + 1e-3
        assert np.all(np.abs(theta - constraint.project(theta)) < 1e-12)
    assert not hasattr(walk, "event")
    assert "not ε-DP" in hit_and_run.__doc__
    assert "not ε-DP" in langevin.__doc__


def test_a_short_chain_has_not_reached_its_target():
    """One Langevin step from 0 on [−50, 50] without data: far from uniform."""
    D = medians(constraint=constraints.Box(-50.0, 50.0))
    theta = langevin(D, exponent=1.0, steps=1, step_size=0.1, rng=0, runs=(4000,))
    assert stats.kstest(theta[:, 0], stats.uniform(-50, 100).cdf).pvalue < 1e-6


def test_a_tabulated_chain_keeps_its_target_and_tends_to_it():
    """Rows are distributions; the target balances pairs and is the limit of powers."""
    risk = np.array([3.0, 0.0, 1.0, 1.0, 5.0])
    P = metropolis_transitions(risk, exponent=0.7)
    pi = exponential_choice_probabilities(-risk, exponent=0.7)
    assert np.all(P >= 0)
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-15)
    np.testing.assert_allclose(pi[:, None] * P, (pi[:, None] * P).T, atol=1e-16)
    far = np.linalg.matrix_power(P, 10_000)
    np.testing.assert_allclose(far, np.broadcast_to(pi, far.shape), atol=1e-12)


@pytest.mark.claim(
    "07-exponential-mechanism",
    "A chain stopped after one step is not private for any ε.",
    order=12,
)
def test_a_stopped_chain_is_not_private_for_any_epsilon():
    """Ten records prefer no model, an eleventh does: after one step, δ is 0.024.

    Without the record each proposal is taken; so whoever sees the chain where it
    started knows that the record is there.
    """
    models, c = np.linspace(-1, 1, 21), 0.5  # an exact draw is 1-DP
    distributions = []
    for high in (5, 6):
        records = np.repeat([-1.0, 1.0], [5, high])
        risk = np.abs(models[:, None] - records).sum(axis=1)
        distributions.append(metropolis_transitions(risk, exponent=c)[10])
    without, with_it = distributions
    assert without[10] == 0
    assert with_it[10] == pytest.approx((1 - np.exp(-0.05)) / 2)


BAD_INPUT = {
    hit_and_run: {
        "problem": problems.MEDIAN,
        "exponent": 0.5,
        "steps": 2,
        "rng": 0,
        "runs": (2,),
    },
    langevin: {
        "problem": problems.MEDIAN,
        "exponent": 0.5,
        "steps": 2,
        "step_size": 0.1,
        "rng": 0,
        "runs": (2,),
    },
    metropolis_transitions: {"risk": np.array([1.0, 0.0, 2.0]), "exponent": 0.5},
}
