"""A random record bounds every factorization from below."""

import numpy as np
import pytest

from dpteach.algorithms.matrices.dual_certificate import (
    DualCertificate,
    best_certificate,
)
from dpteach.algorithms.matrices.factorization import prefix_sum_lower_bound
from dpteach.algorithms.matrices.matrix_mechanism import MatrixMechanism
from dpteach.algorithms.matrices.optimal_factorization import optimal_factorization
from tests.algorithms.matrices.samples import methods
from tests.algorithms.matrices.test_sensitivity import with_encoder

EVERY_STEP = np.arange(1, 17)[:, None]


@pytest.mark.parametrize("equally_spaced", [True, False])
def test_no_factorization_is_below_it(equally_spaced):
    """Random weights and directions, random encoders and the known ones."""
    rng, T, k, d = np.random.default_rng(0), 12, 3, 4
    patterns = np.arange(1, d + 1)[:, None] + d * np.arange(k)
    random = [
        with_encoder(np.tril(rng.normal(0, 0.3, (T, T)), -1) + np.eye(T))
        for _ in range(5)
    ]
    errors = [
        MatrixMechanism(f, T, k, d, equally_spaced=equally_spaced).mean_error
        for f in [*methods(T), *random]
    ]
    for _ in range(20):
        weights = rng.dirichlet(np.ones(d))
        directions = rng.standard_normal((d, k, 3))
        proof = DualCertificate(T, patterns, weights, directions)
        assert 0 < proof.lower_bound < min(errors)
    best = best_certificate(patterns, T).lower_bound
    assert proof.lower_bound < best < min(errors)


def test_one_visit_is_the_bound_that_is_known():
    uniform = DualCertificate(16, EVERY_STEP, np.ones(16), np.ones((16, 1, 1)))
    assert uniform.lower_bound == pytest.approx(prefix_sum_lower_bound(16), rel=2e-9)
    best, bound = optimal_factorization(16, tolerance=1e-9)
    assert best_certificate(EVERY_STEP, 16).lower_bound == pytest.approx(
        bound, rel=1e-7
    )
    gram = best_certificate(EVERY_STEP, 16).gram()
    assert np.allclose(
        gram / np.trace(gram), best.encoder.T @ best.encoder / 16 / best.sensitivity**2,
        atol=1e-4,
    )  # fmt: skip


def test_the_bound_does_not_depend_on_scales_or_on_singular_values_near_zero():
    """Directions that agree make W singular: no rounding may raise the bound."""
    patterns = np.array([[1, 3], [2, 4]])
    same = np.ones((2, 2, 1))
    one = DualCertificate(4, patterns, np.ones(2), same).lower_bound
    two = DualCertificate(4, patterns, 7 * np.ones(2), -3 * same).lower_bound
    assert one == pytest.approx(two, rel=1e-12)
    # W = (e1 + e3)(…)ᵀ/2 + (e2 + e4)(…)ᵀ/2: two columns of A, added
    A = np.tri(4)
    columns = np.stack([A[:, 0] + A[:, 2], A[:, 1] + A[:, 3]], axis=1)
    exact = np.linalg.svd(columns / np.sqrt(2), compute_uv=False).sum() / 2
    assert one <= exact
    assert one == pytest.approx(exact, rel=2e-9)


def test_what_is_no_record_is_refused():
    with pytest.raises(ValueError, match="rows of rising steps from 1 to 4"):
        DualCertificate(4, np.array([[3, 1]]), np.ones(1), np.ones((1, 2, 1)))
    with pytest.raises(ValueError, match="rows of rising steps from 1 to 4"):
        DualCertificate(4, np.array([[1, 5]]), np.ones(1), np.ones((1, 2, 1)))
    with pytest.raises(ValueError, match="`weights` must be at least 0, not all 0"):
        DualCertificate(4, np.array([[1, 2]]), np.zeros(1), np.ones((1, 2, 1)))
    with pytest.raises(ValueError, match="`directions` must not be 0"):
        DualCertificate(4, np.array([[1, 2]]), np.ones(1), np.zeros((1, 2, 1)))


BAD_INPUT = {
    DualCertificate: {
        "steps": 4,
        "patterns": np.array([[1, 3], [2, 4]]),
        "weights": np.ones(2),
        "directions": np.ones((2, 2, 1)),
    },
    best_certificate: {"patterns": np.array([[1, 3], [2, 4]]), "steps": 4},
}
