"""Laplace noise on a sample: its largest loss, its ρ, and its cells."""

import math

import mpmath
import numpy as np
import pytest

from dpteach.accounting import price_of
from dpteach.accounting.pairs.sampled_laplace import LaplaceOnSample
from dpteach.privacy import Relation, SampledLaplace

ADD = Relation.ADD_REMOVE

SIZES = (1e-4, 0.1, 1.0, 40.0, 499.0, 500.0, 501.0, 650.0)


@pytest.mark.parametrize("rate", [1e-7, 0.01, 0.9, 1.0])
def test_the_largest_loss_is_rounded_up_and_hardly(rate):
    with mpmath.workdps(60):
        for size in SIZES:
            kind = LaplaceOnSample(1 / size, rate)
            size_there = mpmath.mpf(1 / kind.noise_multiplier)
            exact = mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(size_there))
            above = mpmath.mpf(kind.largest) / exact - 1
            assert -1e-60 <= above <= 1e-13 if rate < 1 else abs(above) < 2e-16


def test_it_is_concentrated_without_sampling_alone():
    """Pure ε = 1/λ gives ρ = ε²/2, and no sampled release has one."""
    assert LaplaceOnSample(4.0, 1.0).rho == 1 / 32
    assert LaplaceOnSample(4.0, 0.5).rho is None
    assert LaplaceOnSample(4.0, 0.5).spread == 0.0


@pytest.mark.parametrize("scale", [0.05, 1.0, 30.0])
def test_both_lists_hold_all_probability(scale):
    """Under either data set, whether cells are divided or merged."""
    for each in ("worst", "reached"):
        pair = getattr(LaplaceOnSample(scale, 0.9), each)(removed=True)
        assert math.fsum(np.exp(pair.log_mass)) == pytest.approx(1, abs=1e-12)
        under = np.exp(pair.log_mass - pair.loss)
        near = 1e-12 if each == "worst" else 1e-5  # merged: the middle's ratio
        assert math.fsum(under) == pytest.approx(1, abs=near)


def test_a_price_near_the_largest_loss_keeps_its_lower_side():
    """There the fine line finds nothing to begin with: a coarse one shows where."""
    event = SampledLaplace(2.305913184691932, rate=0.5, releases=6, relation=ADD)
    price = price_of(event, delta=4.0041486903465264e-08)
    assert 1.44094 <= price.lower <= price.epsilon <= 1.44096
