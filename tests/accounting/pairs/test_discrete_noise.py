"""Discrete Gaussian noise: moments, bounds of error and tails, against long sums."""

import cmath
import math

import mpmath
import numpy as np
import pytest

from dpteach.accounting.moments.conversion import OutOfDigits
from dpteach.accounting.moments.nonuniform_fourier import UNIT
from dpteach.accounting.pairs.discrete_noise import (
    DiscreteGaussianPair,
    DiscreteNoise,
)

# below and above the σ at which the sum changes its form, and at it
CASES = [(0.3, 1), (0.3, 3), (0.69, 2), (0.7, 1), (0.71, 1), (2.0, 3), (4.5, 1)]


def masses(sigma, reach):
    """List the probabilities of −reach, …, reach, in 40 digits."""
    weight = {
        x: mpmath.exp(-(mpmath.mpf(x) ** 2) / (2 * mpmath.mpf(sigma) ** 2))
        for x in range(-reach, reach + 1)
    }
    total = mpmath.fsum(weight.values())
    return {x: each / total for x, each in weight.items()}


def loss(x, sigma, shift):
    """Compute the loss of x under the shifted noise against the noise."""
    return (2 * mpmath.mpf(x) - shift) * shift / (2 * mpmath.mpf(sigma) ** 2)


def moment(s, sigma, shift):
    """Sum E[e^{sL}] over the integers."""
    reach = int(25 * sigma + 2 * abs(shift * (1 + s.real))) + 4
    s = mpmath.mpc(s)
    return mpmath.fsum(
        p * mpmath.exp(s * loss(x + shift, sigma, shift))
        for x, p in masses(sigma, reach).items()
    )


@pytest.mark.parametrize(("sigma", "shift"), CASES)
def test_moments_are_those_of_the_sum_within_their_bound(sigma, shift):
    pair = DiscreteGaussianPair(sigma, shift)
    with mpmath.workdps(200):  # a hundred digits and more cancel
        for c, period in ((0.0, 3.0), (0.5, 0.01), (-0.5, 1.0), (2.25, 7.0)):
            found = pair.along(c, period, 6)
            first = mpmath.log(moment(complex(c), sigma, shift).real)
            assert abs(found.log_at_c - first) <= 1e-13 * (1 + abs(first))
            line = c + 2j * math.pi / period * np.arange(6)
            for j, s in enumerate(map(complex, line)):
                exact = moment(s, sigma, shift) / mpmath.exp(first)
                apart = abs(exact / mpmath.exp(mpmath.mpc(found.log_ratio[j])) - 1)
                assert apart <= found.error[j] + 1e-15
                log = abs(found.log_at_c + found.log_ratio[j])
                assert found.error[j] >= 63 * UNIT * (1 + log)
                # and the bound is of use: what rounding does to a sum of such terms
                size = abs(found.log_at_c) + abs(found.log_ratio[j])
                assert found.error[j] <= 1e-13 * (1 + size) / abs(exact) * 9


@pytest.mark.parametrize(("sigma", "shift"), CASES)
def test_tails_are_sums_from_both_ends(sigma, shift):
    pair = DiscreteGaussianPair(sigma, shift)
    listed, _ = pair.outputs()
    near = np.flatnonzero(np.abs(listed) < 8 * shift / sigma + 1)
    asked = np.concatenate([listed[near], listed[near] + 1e-6])
    with mpmath.workdps(40):
        mass = masses(sigma, int(40 * sigma) + 4)
        losses = [(p, loss(x + shift, sigma, shift)) for x, p in mass.items()]
        for at, *found in zip(asked, *pair.tails(asked), strict=True):
            above = [(p, lost) for p, lost in losses if lost > at + 1e-9]
            below = [(p, lost) for p, lost in losses if lost <= at + 1e-9]
            exact = [
                mpmath.fsum(p * mpmath.exp(-lost * k) for p, lost in part)
                for k in (0, 1)
                for part in (above, below)
            ]
            assert found == pytest.approx([float(x) for x in exact], 1e-12, 1e-300)


@pytest.mark.parametrize(("sigma", "shift"), CASES)
def test_the_list_holds_all_that_a_delta_can_show(sigma, shift):
    listed, log_mass = DiscreteGaussianPair(sigma, shift).outputs()
    assert math.fsum(np.exp(log_mass)) == pytest.approx(1, abs=1e-14)
    assert max(log_mass[0], log_mass[-1]) < math.log(1e-300)
    assert np.all(np.diff(listed) > 0)


def test_much_noise_is_not_listed():
    assert len(DiscreteGaussianPair(1e4, 1).outputs()[0]) > 7e5
    with pytest.raises(OutOfDigits):
        DiscreteGaussianPair(1.0001e4, 1).outputs()
    assert DiscreteNoise(1e4, 1).has_closed_form
    assert not DiscreteNoise(1.0001e4, 1).has_closed_form


@pytest.mark.parametrize(("sigma", "shift"), CASES)
def test_it_is_concentrated_as_normal_noise_is(sigma, shift):
    """ρ = Δ²/2σ², which no order's divergence exceeds, and orders near 1 reach."""
    noise, pair = DiscreteNoise(sigma, shift), DiscreteGaussianPair(sigma, shift)
    assert noise.spread == shift / sigma
    assert noise.rho == pytest.approx(shift**2 / (2 * sigma**2), rel=1e-15)
    s = np.geomspace(1e-3, 50, 40)
    divergence = pair.moment(s).real / s
    assert np.all(divergence <= (1 + s) * noise.rho * (1 + 1e-9))
    assert cmath.isclose(pair.moment(np.array(-1.0)), 0, abs_tol=1e-13)


@pytest.mark.parametrize(("sigma", "shift"), CASES)
def test_one_release_is_a_sum(sigma, shift):
    with mpmath.workdps(40):
        mass = masses(sigma, int(40 * sigma) + 4)
        for epsilon in (-1.0, 0.0, 0.3, 2.5):
            exact = mpmath.fsum(
                p * -mpmath.expm1(epsilon - loss(x + shift, sigma, shift))
                for x, p in mass.items()
                if loss(x + shift, sigma, shift) > epsilon
            )
            found = DiscreteNoise(sigma, shift).log_delta(epsilon)
            assert found == pytest.approx(float(mpmath.log(exact)), rel=1e-12)
