"""The shared test of chance: its rates are exact, and its power is what it says."""

import numpy as np
import pytest
from scipy.stats import chi2, laplace, norm

from tests.statistics import (
    assert_distribution,
    assert_mean_below,
    assert_mean_near,
    assert_scale,
    scale_interval,
    scale_power,
    slope,
)


def test_the_scale_test_has_the_stated_rates():
    low, high = scale_interval(20_000)
    squares = chi2(20_000)
    assert squares.cdf(20_000 * low) + squares.sf(20_000 * high) == pytest.approx(1e-6)
    assert scale_power(20_000, 1.0) == pytest.approx(1e-6)
    assert min(scale_power(20_000, 0.95), scale_power(20_000, 1.05)) > 0.9999


def test_a_wrong_scale_a_wrong_distribution_and_a_wrong_mean_are_caught():
    """False alarm 1e-6 each; seed fixed; each wrong one fails by a wide margin."""
    x = np.random.default_rng(0).normal(scale=3.0, size=20_000)
    assert_scale(x, 3.0)
    for wrong in (2.85, 3.15):
        with pytest.raises(AssertionError, match="standard deviation"):
            assert_scale(x, wrong)
    with pytest.raises(AssertionError, match="take more"):
        assert_scale(x[:5000], 3.0)
    assert_distribution(x, norm(scale=3.0))
    with pytest.raises(AssertionError, match="Kolmogorov"):
        assert_distribution(x, laplace(scale=3.0 / np.sqrt(2)))
    assert_mean_below(1 + x, 1.05)
    with pytest.raises(AssertionError, match="exceeds the bound"):
        assert_mean_below(1 + x, 0.8)
    with pytest.raises(AssertionError, match="take more runs"):
        assert_mean_below(1 + 100 * x, 1.0)
    assert_mean_near(1 + x, 1.0, error=0.25)
    with pytest.raises(AssertionError, match="is not"):
        assert_mean_near(1 + x, 1.3, error=0.25)


def test_a_slope_is_an_exponent():
    x = np.array([1.0, 10.0, 100.0])
    assert slope(x, 7 * x**-1.5) == pytest.approx(-1.5)
