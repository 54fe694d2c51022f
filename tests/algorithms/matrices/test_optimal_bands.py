"""Optimized bands: known numbers, local minima, and the exact worst pattern."""

from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_bands import (
    optimal_banded_factorization,
    optimal_bands,
)
from dpteach.algorithms.matrices.optimal_factorization import optimal_factorization
from dpteach.algorithms.matrices.separated_certificate import separated_certificate
from dpteach.algorithms.matrices.toeplitz import banded_factorization
from dpteach.algorithms.matrices.toeplitz_encoder import Bands
from tests.algorithms.matrices.test_sensitivity import with_encoder

# jax_privacy's optimize_banded_toeplitz reaches the same.
TOEPLITZ = {
    (64, 8): 2.663975,
    (64, 16): 2.350054,
    (128, 16): 2.872554,
    (256, 16): 3.637574,
    (512, 64): 3.304128,
    (1000, 10): 7.590657,
    (2048, 256): 3.742817,
}


@pytest.mark.parametrize(("T", "bands"), TOEPLITZ)
def test_optimal_coefficients(T, bands):
    best = optimal_bands(T, bands=bands)
    assert best.mean_error(T) == pytest.approx(TOEPLITZ[T, bands], abs=1e-6)
    assert best.mean_error(T) < banded_factorization(T, bands=bands).mean_error
    assert np.all(np.diff(best.coefficients) < 0)
    assert best.coefficients[-1] > 0


@pytest.mark.parametrize("objective", ["mean", "max"])
def test_no_coefficient_can_be_moved_to_advantage(objective):
    error = f"{objective}_error"
    best = optimal_bands(50, bands=5, objective=objective)
    least = getattr(best, error)(50)
    for j in range(1, 5):
        for factor in (0.999, 1.001):
            c = list(best.coefficients)
            c[j] *= factor
            assert getattr(Bands(tuple(c)), error)(50) > least
    other = optimal_bands(
        50, bands=5, objective="max" if objective == "mean" else "mean"
    )
    assert getattr(other, error)(50) > least


# Equal columns, as jax_privacy's ColumnNormalizedBanded has them; a lower bound
SEPARATED = {
    (16, 4, 4): (3.805791, 3.6973),
    (64, 4, 16): (4.585236, 4.4542),
    (64, 8, 8): (7.411941, 7.0085),
    (128, 8, 16): (7.972676, 7.5092),
}


@pytest.mark.parametrize(("T", "k", "d"), SEPARATED)
def test_columns_of_their_own_length_beat_equal_ones(T, k, d):
    equal, bound = SEPARATED[T, k, d]
    best = optimal_banded_factorization(T, bands=d, participations=k, separation=d)
    made = MatrixMechanism(best, T, k, d)
    assert made.sensitivity.exact
    assert bound < made.mean_error < 0.98 * equal
    assert made.memory == d - 1
    own = best.encoder / np.linalg.norm(best.encoder, axis=0)
    assert MatrixMechanism(with_encoder(own), T, k, d).mean_error > made.mean_error


def test_near_the_bound_for_separation():
    """16 steps, 4 visits: within 0.2% of what nothing is below, bands or not."""
    best = optimal_banded_factorization(16, bands=4, participations=4, separation=4)
    proof = separated_certificate(16, participations=4, separation=4)
    ratio = MatrixMechanism(best, 16, 4, 4).mean_error / proof.lower_bound
    assert 1 < ratio < 1.002


def test_the_least_of_the_linear_program_is_the_worst_pattern():
    """Moving any column's length, the others fixed, makes it worse or leaves it."""
    T, k, d = 15, 4, 4  # the last pass is short
    best = optimal_banded_factorization(T, bands=3, participations=k, separation=d)
    least = MatrixMechanism(best, T, k, d).mean_error
    for j in range(T):
        for factor in (0.98, 1.02):
            C = best.encoder.copy()
            C[:, j] *= factor
            assert MatrixMechanism(with_encoder(C), T, k, d).mean_error > least * (
                1 - 1e-5
            )


def test_one_visit_and_all_bands_is_the_optimum():
    best = optimal_banded_factorization(24, bands=24, participations=1, separation=24)
    assert best.mean_error == pytest.approx(
        optimal_factorization(24)[0].mean_error, rel=1e-4
    )
    assert best.sensitivity == pytest.approx(
        np.linalg.norm(best.encoder, axis=0).min(), rel=1e-2
    )


def test_one_band_is_noise_on_each_vector():
    assert optimal_bands(9, bands=1) == Bands((1.0,))
    best = optimal_banded_factorization(8, bands=1, participations=2, separation=4)
    assert MatrixMechanism(best, 8, 2, 4).mean_error < sqrt(2 * 9 / 2)


def test_a_step_that_is_too_long_does_no_harm():
    """Without limits this search met the exponential of a number above 1000."""
    best = optimal_banded_factorization(40, bands=2, participations=4, separation=7)
    error = MatrixMechanism(best, 40, 4, 7).mean_error
    assert error == pytest.approx(6.72337, abs=1e-4)
    equal = banded_factorization(40, bands=2)
    assert error < MatrixMechanism(equal, 40, 4, 7).mean_error


def test_too_many_bands_are_refused():
    with pytest.raises(ValueError, match="`bands` must be at most `steps`=8, got 9"):
        optimal_bands(8, bands=9)
    with pytest.raises(ValueError, match="at most `separation`=4, got 5"):
        optimal_banded_factorization(8, bands=5, participations=2, separation=4)


BAD_INPUT = {
    optimal_bands: {"steps": 6, "bands": 2, "objective": "max"},
    optimal_banded_factorization: {
        "steps": 6,
        "bands": 2,
        "participations": 2,
        "separation": 3,
    },
}
