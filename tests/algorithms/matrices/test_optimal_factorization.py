"""Optimal factorizations: certified, and beaten by none."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.factorization import (
    prefix_sum_lower_bound,
    prefix_sum_matrix,
)
from dpteach.algorithms.matrices.optimal_factorization import optimal_factorization
from dpteach.algorithms.matrices.toeplitz import (
    square_root_factorization,
)
from tests.algorithms.matrices.samples import methods

# T: (mean error, largest error) of naive, independent, plain tree, Honaker, all nodes,
# square root, normalized square root; then the optima and the lower bound
TABLE = {
    16: "4 4 2.9155 4 3.2113 4.4721 2.6627 3.7225 1.9382 2.3688 1.7968 1.9439 "
    "1.7091 1.7833 1.6894 1.7045 1.6284",
    32: "5.6569 5.6569 4.0620 5.6569 3.8971 5.4772 3.1556 4.4413 2.2266 2.7222 "
    "2.0120 2.1670 1.9163 1.9968 1.8921 1.9055 1.8305",
    64: "8 8 5.7009 8 4.5945 6.4807 3.6523 5.1545 2.5178 3.0693 2.2297 2.3888 2.1277 "
    "2.2118 2.0999 2.1114 2.0401",
    128: "11.314 11.314 8.0312 11.314 5.2974 7.4833 4.1508 5.8648 2.8099 3.4146 "
    "2.4488 2.6101 2.3417 2.4279 2.3110 2.3208 2.2544",
    256: "16 16 11.336 16 6.0029 8.4853 4.6501 6.5736 3.1022 3.7571 2.6688 2.8310 "
    "2.5573 2.6450 2.5244 2.5327 2.4714",
    512: "22.627 22.627 16.016 22.627 6.7097 9.4868 5.1499 7.2817 3.3944 4.0984 "
    "2.8892 3.0518 2.7739 2.8626 2.7394 2.747 2.6901",
    1024: "32 32 22.638 32 7.4169 10.488 5.6499 7.9895 3.6862 4.4383 3.1098 3.2726 "
    "2.9914 3.0807 2.956 2.963 2.9096",
}


@pytest.mark.claim(
    "15-matrix-factorization",
    "The table of errors, and the lower bound, for T from 16 to 1024.",
    order=1,
)
@pytest.mark.parametrize("T", TABLE)
def test_the_table_of_errors(T):
    want = [float(each) for each in TABLE[T].split()]
    got = [e for f in methods(T) for e in (f.mean_error, f.max_error)]
    assert got == pytest.approx(want[:14], rel=5e-5)
    assert prefix_sum_lower_bound(T) == pytest.approx(want[16], rel=5e-5)
    tolerance = 1e-4 if T <= 256 else 2e-3  # at 1e-4 these take seconds
    best, least = optimal_factorization(T, tolerance=tolerance)
    assert least <= best.mean_error <= want[14] * (1 + 2 * tolerance)
    assert want[16] < least <= want[14] * (1 + 5e-5)
    best, least = optimal_factorization(T, objective="max", tolerance=tolerance)
    assert least <= best.max_error <= want[15] * (1 + 2 * tolerance)
    printed = 5e-5 if T <= 256 else 2e-4  # five digits, then four
    assert want[16] < least <= want[15] * (1 + printed)


@pytest.mark.parametrize(
    ("T", "mean", "largest"),
    [(4, 1.3109294505, 1.3261226666), (8, 1.4944136531, 1.5104835611)],
)
def test_small_optima_to_nine_digits(T, mean, largest):
    best, least = optimal_factorization(T, tolerance=1e-10)
    assert best.mean_error == pytest.approx(mean, rel=1e-9)
    assert least == pytest.approx(mean, rel=1e-9)
    best, least = optimal_factorization(T, objective="max", tolerance=1e-10)
    assert best.max_error == pytest.approx(largest, rel=1e-9)
    assert least == pytest.approx(largest, rel=1e-9)


@pytest.mark.claim(
    "15-matrix-factorization",
    "The optimum lies between two certified bounds.",
    order=2,
)
def test_certified_brackets():
    """T = 256: both bounds lie inside, and a random p, q bounds from below too."""
    best, least = optimal_factorization(256, tolerance=2e-6)
    assert 2.524414 <= least <= best.mean_error <= 2.524420
    best, least = optimal_factorization(256, objective="max", tolerance=2e-6)
    assert 2.532716 <= least <= best.max_error <= 2.532722
    assert np.array_equal(best.encoder, np.tril(best.encoder))
    rng, A = np.random.default_rng(0), prefix_sum_matrix(32)
    best, least = optimal_factorization(32, objective="max")
    for _ in range(20):
        p, q = rng.dirichlet(np.ones(32), 2)
        M = np.sqrt(p)[:, None] * A * np.sqrt(q)
        assert np.linalg.svd(M, compute_uv=False).sum() <= best.max_error


def test_more_steps_than_fit_in_memory_are_refused_at_once():
    with pytest.raises(ValueError, match=r"small enough for memory \(4\.8e\+13 bytes"):
        optimal_factorization(10**6)


def test_bounds_that_do_not_meet_are_an_error(monkeypatch):
    monkeypatch.setattr("dpteach.algorithms.matrices.optimal_factorization._ROUNDS", 3)
    with pytest.raises(RuntimeError, match="`tolerance`=1e-05 was not reached in 3"):
        optimal_factorization(16)


def test_nothing_beats_the_optimum_and_nothing_misses_by_more_than_we_say():
    best, least = optimal_factorization(256)
    for f in methods(256):
        assert f.mean_error >= least
    root = square_root_factorization(256).mean_error / best.mean_error
    normalized = square_root_factorization(256, normalized=True)
    assert 1.05 < root < 1.07
    assert normalized.mean_error / best.mean_error < 1.014


BAD_INPUT = {
    optimal_factorization: {"steps": 4, "objective": "max", "tolerance": 0.001},
}
