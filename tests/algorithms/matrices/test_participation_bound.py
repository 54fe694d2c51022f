"""A lower bound for any T: below every factorization and every certificate."""

from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms.matrices.factorization import prefix_sum_lower_bound
from dpteach.algorithms.matrices.optimal_buffers import optimal_buffers
from dpteach.algorithms.matrices.optimal_participation import (
    optimal_epochs_factorization,
)
from dpteach.algorithms.matrices.participation_bound import (
    _optimized,
    _skew_circulant,
    participation_lower_bound,
)
from dpteach.algorithms.matrices.separated_certificate import separated_certificate


@pytest.mark.parametrize(
    ("T", "k"), [(4, 2), (6, 6), (16, 4), (16, 8), (24, 3), (64, 4), (64, 8), (128, 16)]
)
def test_it_is_below_the_optimum_and_not_far(T, k):
    d = T // k
    best = optimal_epochs_factorization(T, epochs=k)[1].lower_bound * (1 + 1e-5)
    bound = participation_lower_bound(T, participations=k, separation=d)
    assert 0.9 * best < bound < best
    for each in (_skew_circulant(k, d), _optimized(k, d)):
        assert 0.75 * best < each < best


def test_the_formula_is_the_pinched_nuclear_norm():
    """For K = I and one K at random, with the matrices written out."""
    k, d = 3, 5
    rng, A = np.random.default_rng(0), np.tri(k * d)
    u = rng.standard_normal((k, k))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    ones = np.full((d, d), 1 / d)
    for root in (np.eye(k), u):
        M = A @ np.kron(root, np.eye(d))
        flat, rest = (np.kron(np.eye(k), P) for P in (ones, np.eye(d) - ones))
        parts = [np.linalg.svd(P @ M @ P, compute_uv=False).sum() for P in (flat, rest)]
        between = np.tri(k) - (d - 1) / (2 * d) * np.eye(k)
        within = np.sum(0.5 / np.sin(np.pi * np.arange(1, d) / d))
        sizes = [
            np.linalg.svd(m, compute_uv=False).sum() for m in (between @ root, root)
        ]
        assert parts == pytest.approx([d * sizes[0], within * sizes[1]], rel=1e-12)
        assert sum(parts) <= np.linalg.svd(M, compute_uv=False).sum()


def test_other_settings_than_full_passes():
    """Few visits, long separations, a short last pass, more visits than fit."""
    for T, k, d in (
        (30, 2, 5),
        (29, 3, 9),
        (10, 1, 10),
        (7, 9, 3),
        (5, 2, 9),
        (9, 9, 1),
    ):
        bound = participation_lower_bound(T, participations=k, separation=d)
        proof = separated_certificate(T, participations=k, separation=d)
        assert bound <= proof.lower_bound * (1 + 1e-4)
    one = participation_lower_bound(1000, participations=1, separation=3)
    assert one == pytest.approx(prefix_sum_lower_bound(1000), rel=2e-9)


def test_ten_million_steps():
    rules = {"participations": 100, "separation": 10**5}
    bound = participation_lower_bound(10**7, **rules)
    buffers = optimal_buffers(10**7, buffers=2, **rules)
    assert sqrt(100) * prefix_sum_lower_bound(10**7) < bound
    assert 0.75 < bound / buffers.mean_error(10**7, **rules) < 1


BAD_INPUT = {
    participation_lower_bound: {"steps": 9, "participations": 2, "separation": 3},
}
