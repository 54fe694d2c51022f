"""Noise on an answer: without noise the answer, the noise itself, and its price."""

import numpy as np
import pytest

from dpteach.accounting import epsilon_of
from dpteach.auditing import Tape
from dpteach.mechanisms import k_norm_mechanism, laplace_mechanism
from dpteach.privacy import Pure
from tests.mechanisms.draws import ADD, CALLS

VALUES = np.array([1.0, -2.0, 0.5])


@pytest.mark.parametrize("mechanism", CALLS)
def test_without_noise_the_answer_is_published(mechanism):
    out = mechanism(VALUES, rng=Tape([]), runs=(2,), **CALLS[mechanism])
    assert np.array_equal(out.theta, [VALUES, VALUES])
    assert out.path.shape == (1, 2, 3)


@pytest.mark.parametrize("mechanism", CALLS)
def test_a_seed_repeats_and_noise_has_64_bits(mechanism):
    first, second = (
        mechanism(VALUES.astype(np.float32), rng=7, **CALLS[mechanism]).theta
        for _ in range(2)
    )
    assert first.dtype == np.float64  # in 32, rounding would swallow little noise
    assert np.array_equal(first, second)


@pytest.mark.parametrize("mechanism", [laplace_mechanism, k_norm_mechanism])
def test_pure_noise_costs_epsilon(mechanism):
    out = mechanism(VALUES, rng=0, **CALLS[mechanism])
    assert out.event == Pure(0.5, relation=ADD)
    assert epsilon_of(out.event, 1e-12) == pytest.approx(0.5, rel=1e-9)


@pytest.mark.claim(
    "02-sensitivity",
    "Laplace and K-norm noise: no log-density moves by more than ε between neighbors.",
    order=1,
)
def test_log_densities_move_by_epsilon_at_most():
    """Exact: the densities at random points, for neighbors at the sensitivity."""
    rng = np.random.default_rng(3)
    x = rng.normal(scale=10, size=(1000, 3))
    step = rng.dirichlet(np.ones(3), 1000) * 2.0  # ‖·‖₁ = Δ
    change = np.abs(x - step).sum(1) - np.abs(x).sum(1)
    assert np.max(np.abs(change)) * 0.5 / 2.0 <= 0.5 + 1e-12
    step *= 2.0 / np.linalg.norm(step, axis=1, keepdims=True)  # ‖·‖₂ = Δ
    change = np.linalg.norm(x - step, axis=1) - np.linalg.norm(x, axis=1)
    assert np.max(np.abs(change)) * 0.5 / 2.0 <= 0.5 + 1e-12
    # power: Laplace noise of one scale does not serve a Euclidean sensitivity
    change = np.abs(-step).sum(1)
    assert np.max(change) * 0.5 / 2.0 > 0.6
