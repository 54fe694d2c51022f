"""A solver that stops after T steps: how far one record moves it, and its risk."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.pure._minimum import minimum
from dpteach.chapters.private_erm import stopping
from tests.chapters.private_erm.test_claims import unit_rows

Lam = stopping.REGULARIZATION


def logistic(X, y):
    return Problem(X, y, losses.logistic, constraints.Everywhere())


@pytest.mark.claim(
    "06-private-erm",
    "After T gradient steps one record has moved the model by at most the stated part "
    "of L/Λ; a linear loss meets this.",
    order=21,
)
def test_one_record_moves_t_steps_by_at_most_the_theorem():
    """Records that pull one way, and records of random data; steps 1, 8, 64 and 512."""
    rng, times = np.random.default_rng(5), (1, 8, 64, 512)
    cases = [
        (np.ones((3, 2)) / 2**0.5, np.ones(3)),
        (unit_rows(rng, 40, 4), rng.choice([-1.0, 1.0], 40)),
        (np.eye(2), np.array([1.0, -1.0])),
    ]
    for X, y in cases:
        having = stopping.descend(logistic(X, y), steps=512)
        lacking = stopping.descend(logistic(X[1:], y[1:]), steps=512)
        for T in times:
            moved = np.linalg.norm(having[T - 1] - lacking[T - 1])
            assert moved <= stopping.part_after(T) / Lam * (1 + 1e-9)
    # The bound is met where the loss is linear.
    line = Problem(np.ones((1, 1)), np.ones(1), losses.linear, constraints.Everywhere())
    none = Problem(np.ones((0, 1)), np.ones(0), losses.linear, constraints.Everywhere())
    with_it, without = (stopping.descend(D, steps=512) for D in (line, none))
    for T in times:
        moved = abs(float(with_it[T - 1, 0] - without[T - 1, 0]))
        assert moved == pytest.approx(stopping.part_after(T) / Lam, rel=1e-9)


def test_the_bound_on_the_risk_holds_in_every_state():
    """Means of 200 runs; the bound is at least 4 times them, so chance is no matter."""
    for epsilon in (0.1, 0.3, 1, 3):
        noise = stopping.noise_after(epsilon, 32)
        bound, exact, stopped, *_ = stopping.stop_early(epsilon, noise, 32)
        assert np.all(4 * stopped.y <= bound.y + (bound.y >= 10) * 1e9)
        assert np.all(stopped.y <= exact.y)
        least = int(np.argmin(stopped.y))
        assert 0 < least < len(stopping.STEPS) - 1  # a valley


def test_what_the_text_says_of_32_steps_is_so():
    """0.026, and 0.12 for the minimum, whose noise is three times as large."""
    noise = stopping.noise_after(1.0, 32)
    bound, exact, stopped, *_ = stopping.stop_early(1.0, noise, 32)
    at = stopping.STEPS.index(32)
    assert np.argmin(stopped.y) == at
    assert stopped.y[at] == pytest.approx(0.026, abs=5e-4)
    assert exact.y[-1] == pytest.approx(0.12, abs=5e-3)
    assert stopping.noise_after(1.0, 512) / noise == pytest.approx(3, rel=0.1)
    assert bound.y[at] / stopped.y[at] == pytest.approx(70, rel=0.05)


@pytest.mark.claim(
    "06-private-erm",
    "Noise in a feature divides the slope of a regression by 1 + σ²/v: by 9 at ε = 1.",
    order=4,
)
def test_noise_in_a_feature_bends_the_slope():
    """A million records ±1, Laplace noise of scale 2: 1/9, within 6 deviations."""
    rng, n = np.random.default_rng(8), 1_000_000
    x = rng.choice([-1.0, 1.0], n)
    z = x + rng.laplace(0, 2.0, n)
    slope = (z @ x) / (z @ z)
    assert slope == pytest.approx(1 / 9, abs=6 * (3 / 9) / n**0.5)


def test_the_example_by_hand():
    """Linear losses, Λ = 2: the minimum is half of the sum; steps of 1/4 halve."""
    everywhere = constraints.Everywhere()
    for d, at in (
        ([1, 1, -0.5], 0.75),
        ([1, 1, -0.5, 1], 1.25),
        ([-1, 1, -0.5], -0.25),
    ):
        D = Problem(np.array(d)[:, None], np.ones(len(d)), losses.linear, everywhere)
        assert D.risk(np.array([1.0])) == pytest.approx(-sum(d))
        theta = minimum(D, 2.0, D.zeros(), 1e-9)
        assert float(theta[0]) == pytest.approx(at, abs=1e-9)
        start, ends = D.zeros(), []
        for _ in range(2):
            start = start - 0.25 * (D.gradient(start) + 2 * start)
            ends.append(float(start[0]))
        assert ends == pytest.approx([0.5 * at, 0.75 * at])
