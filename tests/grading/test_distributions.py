"""The fall-back: how rarely it fails right code, and what it catches, both shown."""

import math

import numpy as np
import pytest
from scipy.stats import chi2, kstwo, norm

from dpteach.grading.distributions import (
    FALSE_ALARM,
    RUNS,
    demand_standard_normal,
    distance_by_chance,
    largest_by_chance,
    more_runs,
    normal_distance,
    squares_by_chance,
    stretch_by_chance,
)
from dpteach.grading.report import Fault

RATE = FALSE_ALARM / (len(RUNS) + 1)


def fault(Y, rate=RATE):
    try:
        demand_standard_normal(Y, "the noise", "hint", rate)
    except Fault as found:
        return found
    return None


@pytest.mark.parametrize("count", [4, 1000, 12_000, 24_000])
@pytest.mark.parametrize("alpha", [1e-2, 1e-7])
def test_the_bounds_hold_against_the_exact_distributions(count, alpha):
    low, high = squares_by_chance(count, alpha)
    wrong = chi2(count).sf(high * count) + chi2(count).cdf(max(low, 0) * count)
    assert wrong <= alpha
    if count >= 1000:  # for few numbers there is no sharp bound, only a safe one
        assert wrong >= alpha * 1e-6
        exact = kstwo(count).sf(distance_by_chance(count, alpha))
        assert alpha / 2 <= exact <= alpha


@pytest.mark.parametrize("count", [4, 1000, 48_000])
@pytest.mark.parametrize("alpha", [1e-2, 1e-7])
def test_the_largest_of_normals_is_between_its_bounds(count, alpha):
    low, high = largest_by_chance(count, alpha)
    none_beyond = math.exp(count * math.log1p(-2 * norm.sf(low)))
    some_beyond = -math.expm1(count * math.log1p(-2 * norm.sf(high)))
    assert none_beyond == pytest.approx(alpha / 2, rel=1e-6)
    assert some_beyond == pytest.approx(alpha / 2, rel=1e-6)


def _one_radius(rng):
    """Make numbers of one row share Box and Muller's radius, but not the angle."""
    radius = np.sqrt(-2 * np.log(1 - rng.random((3000, 1))))
    return radius * np.cos(2 * np.pi * rng.random((3000, 8)))


def test_the_distance_is_kolmogorovs():
    x = np.random.default_rng(0).normal(size=500) ** 3
    u = np.sort(norm.cdf(x))
    i = np.arange(500)
    wanted = max(np.max(u - i / 500), np.max((i + 1) / 500 - u))
    assert normal_distance(x) == pytest.approx(wanted, abs=1e-12)


def test_true_noise_passes_with_room_to_spare():
    """4,000 nulls at a rate of 1e-3 (not 1e-6, to see any): at most 4 are expected.

    This test itself fails by chance with probability 5e-7; its seed is fixed.
    """
    rng = np.random.default_rng(5)
    failed = sum(
        fault(rng.standard_normal((250, 4)), rate=1e-3) is not None for _ in range(4000)
    )
    assert failed <= 17  # Poisson(4) exceeds 17 with probability 5e-7


def test_the_stretch_of_true_noise_stays_inside():
    rng = np.random.default_rng(6)
    low, high = stretch_by_chance(3000, 4, 1e-3)
    for _ in range(100):
        values = np.linalg.svd(rng.standard_normal((3000, 4)), compute_uv=False)
        assert low < values[-1] / math.sqrt(3000) < values[0] / math.sqrt(3000) < high


@pytest.mark.parametrize(
    ("make", "quantity"),
    [
        (lambda rng: 0.95 * rng.standard_normal((3000, 4)), "the standard deviation"),
        (lambda rng: 1.05 * rng.standard_normal((3000, 4)), "the standard deviation"),
        (lambda rng: np.repeat(rng.standard_normal((3000, 1)), 4, 1), "by direction"),
        (lambda rng: rng.standard_normal((3000, 4)) * [1.2, 0.8, 1, 1], "by direction"),
        (lambda rng: rng.standard_normal((3000, 4)) + 0.09, "the mean"),
        (lambda rng: rng.laplace(scale=0.5**0.5, size=(3000, 4)), "the distribution"),
        (lambda rng: rng.uniform(-(3**0.5), 3**0.5, (3000, 4)), "the distribution"),
        (lambda rng: rng.exponential(size=(3000, 4)) - 1, "the distribution"),
        (lambda rng: rng.standard_normal((3000, 4)).clip(-3, 3), "the tails"),
        (lambda rng: 2 * rng.random((3000, 8, 3)).sum(axis=2) - 3, "the noise"),
        (_one_radius, "hang together"),
        (lambda rng: 0.96 * rng.standard_normal((3000, 16)), "the standard deviation"),
    ],
)
def test_wrong_noise_is_caught(make, quantity):
    """Power: ten of ten at the false-alarm rate of the grader; seeds fixed."""
    for seed in range(10):
        found = fault(make(np.random.default_rng(seed)))
        assert found is not None
        assert quantity in found.quantity


@pytest.mark.parametrize("p", [1, 5, 12])
def test_a_scale_three_percent_off_is_caught_by_the_longer_look(p):
    """Power: ten of ten after a close look made it suspect; seeds fixed."""
    rng = np.random.default_rng(p)
    for scale in (0.97, 1.03) * 5:
        suspect = scale * rng.standard_normal((RUNS[-1], p))
        while abs(np.sqrt(np.mean(suspect**2)) - 1) < 0.01:  # about one in 15 at p = 1
            suspect = scale * rng.standard_normal((RUNS[-1], p))
        more = more_runs(suspect)
        assert more * p >= 48_000
        assert fault(scale * rng.standard_normal((more, p)), RATE) is not None


def test_no_longer_look_where_the_scale_is_right_or_well_known():
    rng = np.random.default_rng(0)
    assert more_runs(rng.standard_normal((3000, 12))) == 0
    assert more_runs(1.02 * rng.standard_normal((3000, 16))) == 0
