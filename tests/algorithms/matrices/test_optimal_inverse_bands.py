"""Encoders with a banded inverse: known numbers, and the lemma on their columns."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.optimal_inverse_bands import (
    inverse_power_bands,
    optimal_inverse_bands,
)
from dpteach.algorithms.matrices.toeplitz import square_root_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import InverseBands

# (T, k, d): one lag, BISR with 4, best power with 4, four free
TABLE = {
    (1000, 1, 1000): (4.7807, 9.004, 4.6043, 3.9568),
    (1000, 10, 100): (15.2486, 28.47, 14.708, 13.120),
    (2048, 8, 256): (16.1282, 36.23, 15.661, 13.225),
    (2048, 32, 64): (35.1508, 72.47, 34.323, 31.938),
}
POWERS = {(1000, 1, 1000): 0.883, (1000, 10, 100): 0.875}


@pytest.mark.parametrize(("T", "k", "d"), TABLE)
def test_errors(T, k, d):
    lag, root, power, free = TABLE[T, k, d]
    rules = {"participations": k, "separation": d}
    best = optimal_inverse_bands(T, bands=2, **rules)
    assert best.mean_error(T, **rules) == pytest.approx(lag, rel=5e-5)
    cut = inverse_power_bands(4)
    assert cut.mean_error(T, **rules) == pytest.approx(root, rel=3e-4)
    best = optimal_inverse_bands(T, bands=4, **rules)
    assert best.mean_error(T, **rules) == pytest.approx(free, rel=5e-5)
    assert best.sensitivity(T, **rules).exact
    powers = [
        inverse_power_bands(4, power=p).mean_error(T, **rules)
        for p in np.linspace(0.8, 0.95, 31)
    ]
    assert min(powers) == pytest.approx(power, rel=2e-4)
    if (T, k, d) in POWERS:
        found = np.linspace(0.8, 0.95, 31)[np.argmin(powers)]
        assert found == pytest.approx(POWERS[T, k, d], abs=0.005)


@pytest.mark.parametrize("objective", ["mean", "max"])
def test_no_coefficient_can_be_moved_to_advantage(objective):
    rules = {"participations": 3, "separation": 20}
    error = f"{objective}_error"
    best = optimal_inverse_bands(60, bands=4, objective=objective, **rules)
    least = getattr(best, error)(60, **rules)
    for j in range(1, 4):
        for factor in (0.999, 1.001):
            r = list(best.coefficients)
            r[j] *= factor
            assert getattr(InverseBands(tuple(r)), error)(60, **rules) > least


def test_the_column_does_not_rise_for_any_power_and_discount():
    """The lemma of the docstring, on a grid; power 1 and discount 1 is A itself."""
    for power in (0.01, 0.3, 0.5, 0.9, 1.0):
        for discount in (0.2, 0.9, 1.0):
            for bands in (2, 3, 7, 40):
                made = inverse_power_bands(bands, power=power, discount=discount)
                c = made.encoder_column(200)
                assert c.min() >= 0
                assert np.diff(c).max() <= 1e-15
    assert np.allclose(inverse_power_bands(2, power=1.0).encoder_column(9), 1)


def test_all_coefficients_of_the_root_are_the_square_root():
    full = inverse_power_bands(30).factorization(30)
    root = square_root_factorization(30)
    assert np.allclose(full.encoder, root.encoder, atol=1e-12)


def test_one_lag_is_a_geometric_column():
    """DP-λCGD: λ = αγ of each draw is taken back."""
    made = inverse_power_bands(2, power=0.8, discount=0.5)
    assert made.coefficients == (1.0, -0.4)
    assert np.allclose(made.encoder_column(6), 0.4 ** np.arange(6))


def test_more_bands_than_steps_are_refused_and_one_is_no_correlation():
    with pytest.raises(ValueError, match="`bands` must be at most `steps`=4, got 5"):
        optimal_inverse_bands(4, bands=5)
    assert optimal_inverse_bands(4, bands=1) == InverseBands((1.0,))


BAD_INPUT = {
    inverse_power_bands: {"bands": 3, "power": 0.5, "discount": 0.9},
    optimal_inverse_bands: {
        "steps": 9,
        "bands": 3,
        "participations": 2,
        "separation": 3,
        "objective": "max",
    },
}
