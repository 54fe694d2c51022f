"""Noise that a library draws itself: normal, fresh at each draw, the same in a copy."""

import copy

import numpy as np
import pytest
from scipy import stats

from dpteach import Problem, constraints, device_noise, dp_sgd, losses
from dpteach.algorithms import multi_epoch_ftrl, multi_participation_factorization
from dpteach.arrays import standard_normal, to_numpy
from dpteach.device_noise import DeviceGenerator
from dpteach.privacy import Trace

# Of the whole file, by a union over its tests.
FALSE_ALARM = 1e-6


@pytest.fixture(autouse=True)
def drawn_by_the_library(monkeypatch):
    """PyTorch draws on the CPU, too: on a GPU it takes the same way."""
    torch = device_noise._TORCH
    monkeypatch.setattr(
        device_noise, "_place", lambda like: device_noise.namespace(like).__name__
    )
    assert torch in device_noise._SOURCES


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_it_is_normal_and_not_the_hosts(put, dtype):
    like = put(np.zeros(2, dtype))
    z = standard_normal(DeviceGenerator(1), (200, 500), like)
    assert type(z) is type(like)
    assert z.dtype == like.dtype
    z = to_numpy(z).astype(float).ravel()
    assert stats.kstest(z, "norm").pvalue > FALSE_ALARM / 8
    assert stats.kstest(0.9 * z, "norm").pvalue < 1e-12  # power
    host = DeviceGenerator(1).standard_normal(z.size)
    assert abs(np.corrcoef(z, host)[0, 1]) < 0.02


def test_draws_are_independent_and_a_seed_repeats_them(put):
    like = put(np.zeros(2))
    rng, again = DeviceGenerator(1), DeviceGenerator(1)
    draws = [to_numpy(standard_normal(rng, (10_000,), like)) for _ in range(3)]
    for draw in draws:
        same = to_numpy(standard_normal(again, (10_000,), like))
        assert np.array_equal(draw, same)
    # 0.06 is six standard deviations: 1e-9 for each of six
    others = [*draws, to_numpy(standard_normal(DeviceGenerator(2), (10_000,), like))]
    assert np.abs(np.corrcoef(others) - np.eye(4)).max() < 0.06


def test_a_copy_draws_what_its_original_draws(put):
    """Noise that is drawn again from a copy cancels, as DP-λCGD needs it."""
    like = put(np.zeros(2))
    rng = DeviceGenerator(1)
    standard_normal(rng, (3,), like)
    copied = copy.deepcopy(rng)
    one, other = (standard_normal(each, (5,), like) for each in (rng, copied))
    assert np.array_equal(to_numpy(one), to_numpy(other))


def test_descent_adds_it(put):
    X = put(np.eye(4))
    D = Problem(X, put(np.ones(4)), losses.squared, constraints.Everywhere())
    trace = Trace()
    out = dp_sgd(
        D, clip_norm=1.0, noise_multiplier=4.0, steps=3, learning_rate=0.1,
        rng=DeviceGenerator(1), trace=trace,
    )  # fmt: skip
    assert type(out.theta) is type(X)
    rng = DeviceGenerator(1)
    for noise in trace["noise"]:
        expected = 4.0 * to_numpy(standard_normal(rng, (4,), X))
        assert np.array_equal(to_numpy(noise), expected)


@pytest.mark.parametrize("memory", [None, 1], ids=["dense", "one buffer"])
def test_correlated_noise_is_made_of_it(put, memory):
    """Without gradients a model is −b/Λ, and b adds up C⁻¹z: z is the library's."""
    X = put(np.zeros((8, 3)))
    D = Problem(X, put(np.ones(8)), losses.linear, constraints.Everywhere())
    made, _ = multi_participation_factorization(steps=8, epochs=2, memory=memory)
    out = multi_epoch_ftrl(
        D, mechanism=made, epochs=2, clip_norm=1.0, noise_multiplier=3.0,
        regularization=2.0, rng=DeviceGenerator(1),
    )  # fmt: skip
    assert type(out.theta) is type(X)
    rng, like = DeviceGenerator(1), X[0, :]
    z = np.stack([to_numpy(standard_normal(rng, (3,), like)) for _ in range(8)])
    C = (
        made.encoder.encoder
        if memory is None
        else made.encoder.factorization(8).encoder
    )
    noise = np.cumsum(np.linalg.solve(C, z), axis=0)
    moved = -2.0 * to_numpy(out.path)[1:]
    assert np.ptp(moved / noise) < 1e-9
    assert (moved / noise).mean() == pytest.approx(3.0 * made.sensitivity.value)
