"""The synthetic sets: every constant that they state holds exactly."""

import numpy as np
import pytest

from dpteach import (
    Problem,
    constraints,
    data,
    losses,
)
from dpteach.data.synthetic import (
    example,
    mean_estimation,
    planted_logistic,
    sparse_regression,
)

DRAWS = {
    "logistic": lambda rng: data.planted_logistic(n=50, p=4, strength=3.0, rng=rng),
    "sparse": lambda rng: data.sparse_regression(
        n=50, p=20, sparsity=3, label_noise=0.2, rng=rng
    ),
    "mean": lambda rng: data.mean_estimation(n=50, p=4, bias=0.5, rng=rng),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_seed_repeats_a_draw_and_another_changes_it(draw):
    np.testing.assert_array_equal(draw(3).X, draw(3).X)
    np.testing.assert_array_equal(draw(3).X, draw(np.random.default_rng(3)).X)
    assert not np.array_equal(draw(3).X, draw(4).X)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_rows_and_labels_keep_their_bounds(draw):
    drawn = draw(0)
    norms = np.linalg.norm(drawn.X, axis=1)
    np.testing.assert_allclose(norms, drawn.row_norm, rtol=1e-14)
    assert np.all(np.abs(drawn.y) <= 1)


def test_the_planted_logistic_model_beats_its_opposite_and_zero():
    drawn = data.planted_logistic(n=2000, p=4, strength=3.0, rng=0)
    D = Problem(drawn.X, drawn.y, losses.logistic, constraints.Everywhere())
    at_planted, at_zero = D.risk(drawn.planted), D.risk(D.zeros())
    assert at_planted < at_zero < D.risk(-drawn.planted)
    assert np.linalg.norm(drawn.planted) == pytest.approx(3.0, rel=1e-14)


def test_strength_zero_makes_labels_that_are_fair_coins():
    """Binomial(10,000, 1/2) leaves 5000 ± 245 with probability below 1e-6."""
    drawn = data.planted_logistic(n=10_000, p=2, strength=0.0, rng=0)
    assert abs(np.sum(drawn.y == 1) - 5000) < 245


def test_the_sparse_labels_are_exact_without_noise():
    drawn = data.sparse_regression(n=100, p=30, sparsity=5, label_noise=0.0, rng=0)
    np.testing.assert_allclose(drawn.X @ drawn.planted, drawn.y, atol=1e-15)
    assert np.sum(drawn.planted != 0) == 5
    assert np.abs(drawn.planted).sum() == pytest.approx(1.0, rel=1e-14)
    assert set(np.unique(drawn.X)) == {-1.0, 1.0}


def test_pure_label_noise_leaves_no_model():
    drawn = data.sparse_regression(n=100, p=30, sparsity=5, label_noise=1.0, rng=0)
    assert not drawn.planted.any()


def test_the_linear_risk_has_the_stated_minimizer():
    drawn = data.mean_estimation(n=100, p=3, bias=0.5, rng=0)
    D = Problem(drawn.X, drawn.y, losses.linear, constraints.L2Ball(2.0))
    total = drawn.X.sum(axis=0)
    best = 2.0 * total / np.linalg.norm(total)
    assert D.risk(best) == pytest.approx(-2.0 * np.linalg.norm(total), rel=1e-14)
    others = D.constraint.project(
        np.random.default_rng(0).standard_normal((1000, 3)) * 3
    )
    assert np.all(D.risk(others) >= D.risk(best))


def test_example_is_always_the_same_problem():
    """Its risk at one model, to the last digits: doctests everywhere rely on it."""
    D = data.example()
    assert (D.n, D.p, D.constraint) == (1000, 10, constraints.L2Ball(1.0))
    np.testing.assert_allclose(np.linalg.norm(D.X, axis=1), 1.0, rtol=1e-14)
    ones = np.ones(10) / np.sqrt(10)
    assert D.risk(ones) == pytest.approx(618.5066075051519, rel=1e-12)


BAD_INPUT = {
    example: {},
    planted_logistic: {"n": 5, "p": 3, "strength": 2.0, "rng": 0},
    sparse_regression: {"n": 5, "p": 3, "sparsity": 2, "label_noise": 0.1, "rng": 0},
    mean_estimation: {"n": 5, "p": 3, "bias": 0.5, "rng": 0},
}
