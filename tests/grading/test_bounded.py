"""Noise that has a bound is found in a few calls; no other noise is blamed for it."""

import numpy as np
import pytest

from dpteach.grading.bounded import demand_unbounded, demand_uncut_laplace
from dpteach.grading.report import Fault


def box_muller(rng):
    radius = np.sqrt(-2 * np.log(1 - rng.random(3)))
    return radius * np.cos(2 * np.pi * rng.uniform(size=3))


def polar(rng):
    """Marsaglia's method, which draws until a point lies in the disk."""
    while True:
        u, v = 2 * rng.random(2) - 1
        if 0 < u * u + v * v < 1:
            s = u * u + v * v
            return np.array([u, v]) * np.sqrt(-2 * np.log(s) / s)


def again(rng):
    z = rng.normal(size=4)
    while np.abs(z).max() > 6:
        z = rng.normal(size=4)
    return z


@pytest.mark.parametrize(
    "noise",
    [
        lambda rng: 1 + 1e-3 * rng.normal(size=5),
        lambda rng: np.abs(rng.normal(size=3)) * rng.choice([-1, 1], size=3),
        lambda rng: np.sort(rng.standard_normal(7)),
        lambda rng: rng.laplace(size=2),
        lambda rng: np.where(rng.random(3) < 0.5, 0.0, rng.normal(size=3)),
        lambda rng: 0 * rng.random(2),
        box_muller,
        polar,
        lambda rng: -np.log(rng.random(2, out=np.empty(2))),
    ],
)
def test_noise_without_a_bound_passes(noise):
    demand_unbounded(noise, "the noise")


@pytest.mark.parametrize(
    ("noise", "seen"),
    [
        (lambda rng: 3 + rng.normal(size=5).clip(-4, 4), "as when they are 100"),
        (lambda rng: 2 * max(-6.0, min(6.0, rng.normal())), "as when they are 100"),
        (again, "as when they are 100"),
        (lambda rng: 5 + rng.random((3, 12)).sum(axis=1) - 6, "weighted sum"),
        (lambda rng: sum(rng.random() for _ in range(12)) - 6, "weighted sum"),
        (lambda rng: rng.uniform(-(3**0.5), 3**0.5, size=4), "weighted sum"),
        (lambda rng: rng.uniform([-1.0, -2.0], [1.0, 2.0]), "weighted sum"),
    ],
)
def test_noise_with_a_bound_is_caught(noise, seen):
    with pytest.raises(Fault) as caught:
        demand_unbounded(noise, "the noise")
    assert seen in caught.value.seen


def laplace_again(rng):
    z = rng.laplace()
    while abs(z) > 12:
        z = rng.laplace()
    return np.array(z)


@pytest.mark.parametrize(
    "noise",
    [
        lambda rng: 1 + 1e-3 * rng.laplace(size=5),
        lambda rng: np.array(rng.laplace(7.0, 2.0)),
        lambda rng: rng.laplace([0.0, 1.0], 3.0),
        lambda rng: np.abs(rng.laplace(size=3)) * rng.choice([-1, 1], size=3),
        lambda rng: np.abs(rng.laplace(size=3)) * np.sign(rng.laplace(size=3)),
        lambda rng: rng.exponential(size=2) - rng.exponential(size=2),
        lambda rng: 0 * rng.laplace(size=2),  # no noise is not noise that is cut
        lambda rng: rng.spawn(1)[0].laplace(size=2),
        lambda rng: np.float32(3 + rng.laplace(size=2)),
    ],
)
def test_laplace_noise_that_is_not_cut_passes(noise):
    demand_uncut_laplace(noise, "the noise")


def test_little_noise_on_a_large_number_is_not_taken_for_noise_that_is_cut():
    demand_uncut_laplace(lambda rng: 1e9 + 1e-3 * rng.laplace(size=5), "the noise")


@pytest.mark.parametrize(
    "noise",
    [
        lambda rng: 3 + rng.laplace(size=5).clip(-20, 20),
        lambda rng: np.array(max(-6.0, min(6.0, rng.laplace(2.0)))),
        laplace_again,
    ],
)
def test_laplace_noise_that_is_cut_is_caught(noise):
    with pytest.raises(Fault) as caught:
        demand_uncut_laplace(noise, "the noise")
    assert "as when they are 100" in caught.value.seen
