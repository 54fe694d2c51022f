"""What the chapter on matrix factorization says and proves, checked by numbers."""

from math import sqrt

import numpy as np
import pytest

from dpteach.algorithms import (
    banded_factorization,
    independent_factorization,
    optimal_buffers,
    optimal_factorization,
    participation_sensitivity,
    square_root_factorization,
    tree_factorization,
)
from dpteach.chapters.matrix_factorization import passes


def certificate(T, q):
    singular = np.linalg.svd(np.tri(T) * np.sqrt(q), compute_uv=False)
    return singular.sum() / sqrt(T)


@pytest.mark.claim(
    "15-matrix-factorization",
    "Every weighting of the columns bounds every factorization from below, and the "
    "best one meets the optimum.",
    order=9,
)
@pytest.mark.parametrize("T", [2, 7, 32])
def test_every_weighting_is_a_certificate(T):
    rng = np.random.default_rng(0)
    best, bound = optimal_factorization(T)
    others = (
        independent_factorization(T),
        square_root_factorization(T, normalized=True),
        tree_factorization(T, estimator="full"),
    )
    for _ in range(200):
        found = certificate(T, rng.dirichlet(np.ones(T)))
        assert found <= bound * (1 + 1e-5)
        assert all(found <= other.mean_error for other in others)
    assert best.mean_error == pytest.approx(bound, rel=1e-4)


def test_the_best_pair_for_two_sums():
    golden = (1 + sqrt(5)) / 2
    assert optimal_factorization(2)[0].mean_error == pytest.approx(
        golden / sqrt(2), rel=1e-5
    )
    root = square_root_factorization(2)
    assert root.mean_error == pytest.approx(1.186, abs=5e-4)
    assert root.max_error == pytest.approx(1.25)
    assert independent_factorization(2).mean_error == pytest.approx(1.225, abs=5e-4)


def test_the_step_noise_of_the_square_root_is_taken_back():
    C = square_root_factorization(4096).encoder
    back = np.linalg.solve(C, np.eye(4096, 1))[:, 0]
    assert back[:5] == pytest.approx([1, -1 / 2, -1 / 8, -1 / 16, -5 / 128])
    assert 0 < back.sum() < 0.01


def test_the_numbers_of_the_flagship():
    """At μ = 1; the text divides by μ(1, 10⁻⁶) = 0.2368."""
    mu = 2 / 8.45
    last = [passes.noise_of_sums(each, 256)[-1] / mu for each in passes.METHODS]
    assert last == pytest.approx([135, 28.8, 29.7], rel=3e-3)
    rules = {"participations": 16, "separation": 64}
    root, bands = square_root_factorization(1024), banded_factorization(1024, bands=64)
    moved = [participation_sensitivity(f, **rules).value for f in (root, bands)]
    assert moved == pytest.approx([13.9, 6.2], abs=0.05)
    near, far = (
        participation_sensitivity(
            square_root_factorization(256), participations=4, separation=d
        ).value
        / square_root_factorization(256).sensitivity
        for d in (1, 64)
    )
    assert (near, far) == pytest.approx((3.6, 2.5), abs=0.05)


def test_the_numbers_of_the_phones():
    rules = {"participations": 6, "separation": 314}
    tree = tree_factorization(2000, estimator="honaker")
    rows = sqrt(np.sum(tree.decoder**2) / 2000)
    assert rows * sqrt(79) == pytest.approx(15.7, abs=0.05)
    for made, wanted in (
        (square_root_factorization(2000), 11.0),
        (optimal_buffers(2000).factorization(2000), 10.3),
        (banded_factorization(2000, bands=314), 9.05),
    ):
        rows = sqrt(np.sum(made.decoder**2) / 2000)
        moved = participation_sensitivity(made, **rules)
        assert moved.value * rows == pytest.approx(wanted, abs=0.05)
    fewer = banded_factorization(2000, bands=128).mean_error * sqrt(6)
    assert fewer == pytest.approx(11.25, abs=0.01)
