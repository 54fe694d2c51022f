"""Noise of density ∝ exp(−‖z‖/s) is read exactly where it can be, and else measured."""

import numpy as np
import pytest

from dpteach.grading.report import Fault
from dpteach.grading.spherical import (
    Radial,
    demand_measured_radial,
    found_radial,
    mean_length_by_chance,
)


def unit(rng, p):
    z = rng.standard_normal(p)
    return z / np.linalg.norm(z)


@pytest.mark.parametrize(
    "length",
    [
        lambda rng, p: rng.gamma(p, 0.3),
        lambda rng, p: 0.3 * rng.standard_gamma(p, dtype=np.float64),
        lambda rng, p: rng.standard_gamma(p, out=np.zeros(1))[0] * 0.3,
        lambda rng, p: rng.exponential(0.3, size=p).sum(),
        lambda rng, p: 0.3 * sum(rng.standard_exponential(p)),
        lambda rng, p: 0.15 * rng.chisquare(2 * p),
        lambda rng, p: rng.gamma(p - 1, 0.3) + rng.exponential(0.3) if p > 1
        else rng.exponential(0.3),
    ],
)  # fmt: skip
def test_every_way_to_draw_a_gamma_length_is_read_exactly(length):
    for p in (1, 2, 5):
        found = found_radial(lambda rng, p=p: unit(rng, p) * length(rng, p), p)
        assert isinstance(found, Radial), found
        assert found.scale == pytest.approx(0.3, rel=1e-9)
        assert found.shape == p


def test_normals_that_are_drawn_before_the_direction_leave_a_direction():
    def noise(rng):  # the length, too, is made of normals: half a sum of squares
        return 0.5 * np.sum(rng.normal(size=6) ** 2) * unit(rng, 3)

    assert "9 normals" in found_radial(noise, 3)


def test_another_shape_is_read_as_such():
    found = found_radial(lambda rng: unit(rng, 3) * rng.exponential(0.3), 3)
    assert isinstance(found, Radial)
    assert (found.shape, round(found.scale, 9)) == (1, 0.3)


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (lambda rng: rng.laplace(size=3), "rng.laplace"),
        (lambda rng: rng.normal(size=3), "normals alone"),
        (lambda rng: rng.gamma(3) * rng.normal(size=3), "grows with that"),
        (lambda rng: rng.gamma(3) * unit(rng, 4)[:3], "4 normals"),
        (lambda rng: rng.gamma(3) ** 2 * unit(rng, 3), "not a sum"),
        (
            lambda rng: (rng.gamma(1) + 2 * rng.gamma(2)) * unit(rng, 3),
            "not a sum",
        ),
        (lambda rng: rng.gamma(3) * np.sort(unit(rng, 3)), "direction"),
        (
            lambda rng: rng.gamma(3) * unit(rng, 3) * np.array([1, 1, 0.5]),
            "grows|not a sum|direction",
        ),
    ],
)
def test_what_cannot_be_read_says_why(noise, said):
    found = found_radial(noise, 3)
    assert isinstance(found, str)
    assert any(part in found for part in said.split("|")), found


def test_the_mean_length_has_the_quantiles_of_its_distribution():
    """Fixed seed; 4,000 means, and a rate of 5 %: 200 outside, give or take 60."""
    low, high = mean_length_by_chance(40, 3, 0.05)
    means = np.random.default_rng(5).gamma(3, size=(4000, 40)).mean(axis=1)
    assert 140 < np.sum((means < low) | (means > high)) < 260


RIGHT = {
    p: np.array([unit(rng, p) * rng.gamma(p) for _ in range(3000)])
    for p in (1, 2, 3)
    for rng in [np.random.default_rng(p)]
}


@pytest.mark.parametrize("p", [1, 2, 3])
def test_true_noise_passes(p):
    """Fixed seed; a fresh one fails at a rate of 1e-6."""
    demand_measured_radial(RIGHT[p], "the noise", "", 1e-6)


def _stretched(z):
    r = np.linalg.norm(z, axis=1, keepdims=True)
    return z * r**0.3 * r.mean() / (r**1.3).mean()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda z: 1.13 * z, "mean length"),
        (lambda z: 0.88 * z, "mean length"),
        (_stretched, "distribution of the length"),
        (np.abs, "angle|each turned"),
        (lambda z: z * np.sign(z[:, :1]), "angle|each turned"),
    ],
)
def test_noise_that_is_off_is_caught(change, what):
    """Power, at a fixed seed: scales 13 % off, another length, half of the circle."""
    for p in (2, 3):
        with pytest.raises(Fault) as caught:
            demand_measured_radial(change(RIGHT[p]), "the noise", "", 1e-6)
        said = caught.value.quantity
        assert any(part in said for part in what.split("|")), said
