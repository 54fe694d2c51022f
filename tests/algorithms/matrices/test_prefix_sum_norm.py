"""γ₂ of the prefix sums: bounds, the factorization that attains one, and a norm."""

from math import log, pi

import numpy as np
import pytest

from dpteach.algorithms.matrices.optimal_factorization import (
    gamma_2_bounds,
    mathias_factorization,
    optimal_factorization,
)
from dpteach.algorithms.matrices.toeplitz import square_root_factorization

# T: ‖A‖_*/T, γ₂ certified from below, (1 + γ̂)/2, the square root
TABLE = {
    16: (1.628450, 1.704480, 1.863889, 1.943879),
    64: (2.040128, 2.111367, 2.305080, 2.388848),
    256: (2.471446, 2.532716, 2.746347, 2.831050),
}


@pytest.mark.parametrize("T", TABLE)
def test_the_optimum_lies_between_the_bounds(T):
    low, norm, high, root = TABLE[T]
    assert gamma_2_bounds(T) == pytest.approx((low, high), abs=1e-6)
    best, proof = optimal_factorization(T, objective="max", tolerance=1e-5)
    assert proof == pytest.approx(norm, rel=2e-5)
    assert low < proof <= best.max_error < high < root
    assert square_root_factorization(T).max_error == pytest.approx(root, abs=1e-6)


def test_both_bounds_grow_as_the_logarithm_over_pi():
    gamma = 0.5772156649015329
    for T in (2**10, 2**16, 2**20):
        low, high = gamma_2_bounds(T)
        assert low == pytest.approx((log(T) + gamma + log(16 / pi)) / pi, abs=5 / T)
        assert high == pytest.approx(
            (log(T) + gamma + log(8 / pi)) / pi + 0.5, abs=5 / T
        )
    for T in range(1, 300):
        low, high = gamma_2_bounds(T)
        assert low <= high * (1 + 1e-12)
        assert high <= 1 + log(T) / pi + 1e-12
    assert square_root_factorization(2).max_error > 1 + log(2) / pi


@pytest.mark.parametrize("T", [1, 2, 3, 10, 65])
def test_the_factorization_of_mathias_attains_the_upper_bound(T):
    made = mathias_factorization(T)
    high = gamma_2_bounds(T)[1]
    assert made.max_error == pytest.approx(high, rel=1e-12)
    assert made.mean_error == pytest.approx(high, rel=1e-12)
    columns = np.linalg.norm(made.encoder, axis=0)
    assert columns == pytest.approx(np.full(T, columns[0]), rel=1e-12)


def test_the_norm_of_a_sum_is_at_most_the_sum_of_norms():
    """Stacked factors, for random matrices: the proof that γ₂ is a norm."""
    rng = np.random.default_rng(0)

    def balanced(B, C):  # both sides of squared size γ
        b, c = np.linalg.norm(B, axis=1).max(), np.linalg.norm(C, axis=0).max()
        return B * np.sqrt(c / b), C * np.sqrt(b / c), b * c

    for _ in range(20):
        B1, C1, one = balanced(rng.normal(size=(4, 3)), rng.normal(size=(3, 4)))
        B2, C2, two = balanced(rng.normal(size=(4, 5)), rng.normal(size=(5, 4)))
        B, C = np.hstack([B1, B2]), np.vstack([C1, C2])
        assert np.allclose(B @ C, B1 @ C1 + B2 @ C2)
        assert balanced(B, C)[2] <= one + two + 1e-12


BAD_INPUT = {gamma_2_bounds: {"steps": 4}, mathias_factorization: {"steps": 4}}
