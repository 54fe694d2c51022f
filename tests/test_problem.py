"""The problem: risks and gradients are sums over records, clipped one by one."""

import numpy as np
import pytest

from dpteach import Problem, constraints, dp_sgd, losses
from dpteach.algorithms import objective_perturbation

ALL = [
    losses.logistic, losses.squared, losses.hinge, losses.absolute, losses.linear,
    losses.huber(0.4), losses.softmax(2), losses.softmax(5),
]  # fmt: skip
every_loss = pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)


def make(loss, n=9, d=4, dtype=float):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((n, d)) * np.exp(rng.standard_normal((n, 1)))
    if n > 2:
        X[2] = 0.0
    y = rng.integers(0, loss.classes, n) if loss.classes else np.ones(n)
    if not loss.classes:
        y[::2] = -1.0
    return Problem(X.astype(dtype), y, loss, constraints.Everywhere())


def models(D, *runs):
    return np.random.default_rng(3).standard_normal((*runs, D.p))


def literal_clipped_gradient(D, theta, L, rows=None):
    """Σ_i clip(∇ℓ(θ; d_i), L), with every gradient formed and clipped by itself."""
    total = np.zeros(D.p)
    for i in range(D.n) if rows is None else rows:
        v = D.record_gradient(theta, i)
        total += v * min(1.0, L / np.linalg.norm(v)) if v.any() else 0.0
    return total


@every_loss
def test_the_risk_is_the_sum_of_the_records(loss):
    D, theta = make(loss), models(make(loss))
    alone = [
        Problem(D.X[i : i + 1], D.y[i : i + 1], loss, D.constraint).risk(theta)
        for i in range(D.n)
    ]
    assert D.risk(theta) == pytest.approx(sum(alone), rel=1e-13)


@every_loss
def test_the_gradient_is_the_sum_of_the_records_and_the_derivative(loss):
    D, theta = make(loss), models(make(loss))
    records = sum(D.record_gradient(theta, i) for i in range(D.n))
    np.testing.assert_allclose(D.gradient(theta), records, rtol=1e-12, atol=1e-14)
    h = 1e-6
    numeric = [
        (D.risk(theta + h * e) - D.risk(theta - h * e)) / (2 * h) for e in np.eye(D.p)
    ]
    np.testing.assert_allclose(D.gradient(theta), numeric, rtol=1e-5, atol=1e-6)


@every_loss
@pytest.mark.parametrize("L", [1e-3, 0.5, 100.0])
def test_the_fast_clipped_gradient_is_the_literal_loop(loss, L):
    """Norms alone, without forming a gradient, give the same sum.

    To 1e-9, because L is lowered by what rounding may add to a sum.
    """
    D = make(loss)
    theta = models(D, 2, 3)
    found = D.clipped_gradient(theta, L)
    assert found.shape == theta.shape
    for i in range(2):
        for j in range(3):
            book = literal_clipped_gradient(D, theta[i, j], L)
            np.testing.assert_allclose(found[i, j], book, rtol=1e-9, atol=1e-9 * L)


@every_loss
def test_no_record_moves_the_clipped_gradient_by_more_than_the_clip(loss):
    D, L = make(loss), 0.3
    for theta in 10 * models(D, 20):
        whole = D.clipped_gradient(theta, L)
        for i in range(D.n):
            keep = np.arange(D.n) != i
            E = Problem(D.X[keep], D.y[keep], loss, D.constraint)
            moved = np.linalg.norm(whole - E.clipped_gradient(theta, L))
            assert moved <= L


@every_loss
def test_one_clipped_record_and_some_rows_are_parts_of_the_sum(loss):
    D, L = make(loss), 0.3
    theta = models(D, 2)
    records = [D.clipped_record_gradient(theta, i, L) for i in range(D.n)]
    np.testing.assert_allclose(
        sum(records), D.clipped_gradient(theta, L), rtol=1e-9, atol=1e-9
    )
    rows = np.array([0, 3, 3, 7])
    found = D.clipped_gradient(theta, L, rows=rows)
    np.testing.assert_allclose(found, sum(records[i] for i in rows), atol=1e-9)
    assert not D.clipped_gradient(theta, L, rows=rows[:0]).any()


@pytest.mark.parametrize("size", [1e-170, 1e150])
def test_a_record_cannot_slip_past_the_clip_by_its_size(size):
    """Squares of 1e-170 underflow to 0, those of 1e155 overflow; the clip must hold."""
    X, y = np.full((1, 2), size), np.array([1e30 / size])
    D = Problem(X, y, losses.squared, constraints.Everywhere())
    found = D.clipped_gradient(np.zeros(2), 1.0)
    np.testing.assert_allclose(np.linalg.norm(found), 1.0, rtol=1e-9)


@every_loss
def test_no_records_are_a_data_set_too(loss):
    D = make(loss, n=0)
    theta = models(D, 2)
    assert (D.n, D.risk(theta).tolist()) == (0, [0.0, 0.0])
    assert not D.gradient(theta).any()
    assert not D.clipped_gradient(theta, 1.0).any()


@every_loss
def test_single_precision_stays_single(loss):
    D = make(loss, dtype=np.float32)
    theta = models(D).astype(np.float32)
    assert D.zeros(3).dtype == np.float32
    for found in (D.risk(theta), D.gradient(theta), D.record_gradient(theta, 3)):
        assert found.dtype == np.float32
    assert D.clipped_record_gradient(theta, 3, 0.5).dtype == np.float32
    # A sum gets its noise before it is rounded to 32 bits.
    assert D.clipped_gradient(theta, 0.5).dtype == np.float64


def test_zeros_have_the_shape_of_a_batch():
    D = make(losses.softmax(5), d=4)
    assert D.p == 20
    assert D.zeros().shape == (20,)
    assert D.zeros(2, 3).shape == (2, 3, 20)


def test_integer_labels_become_numbers():
    X = np.eye(2)
    D = Problem(X, np.array([1, -1]), losses.logistic, constraints.Everywhere())
    assert D.y.dtype == X.dtype
    K = Problem(X, np.array([1, 0]), losses.softmax(2), constraints.Everywhere())
    assert K.y.dtype == X.dtype


BAD_LABELS = [
    (losses.logistic, [1.0, 0.0], "-1 or \\+1"),
    (losses.hinge, [2.0, 1.0], "-1 or \\+1"),
    (losses.linear, [0.5, -1.5], "between -1 and 1"),
    (losses.squared, [np.nan, 0.0], "finite"),
    (losses.absolute, [np.inf, 0.0], "finite"),
    (losses.softmax(2), [0, 2], "a class number"),
    (losses.softmax(2), [-1, 0], "a class number"),
    (losses.softmax(2), [0.5, 1.0], "a class number"),
    (losses.softmax(2), [np.nan, 1.0], "a class number"),
    (losses.softmax(2), [np.inf, 1.0], "a class number"),
]


@pytest.mark.parametrize(("loss", "y", "said"), BAD_LABELS)
def test_labels_outside_the_domain_are_named(loss, y, said):
    with pytest.raises(ValueError, match=f"`y` must be {said}.*{loss.name[:4]}"):
        Problem(np.eye(2), np.array(y), loss, constraints.Everywhere())


@pytest.mark.parametrize(
    ("y", "loss", "said"),
    [
        ([1.0, -1.0], losses.logistic, "must be an unmasked array"),
        (np.array([1j, 0]), losses.softmax(2), "real numbers"),
        (np.array([1j, 0]), losses.squared, "real numbers"),
        (np.array([True, False]), losses.logistic, "real numbers"),
    ],
)
def test_labels_of_the_wrong_kind_are_named(y, loss, said):
    with pytest.raises(TypeError, match=f"`y` must .*{said}|`y` {said}"):
        Problem(np.eye(2), y, loss, constraints.Everywhere())


def test_features_without_a_column_are_refused():
    with pytest.raises(ValueError, match="`X` must have at least one column"):
        Problem(np.zeros((2, 0)), np.ones(2), losses.squared, constraints.Simplex())


class Orthant:
    """A set of a reader's own: θ_j ≥ 0."""

    def project(self, v):
        return np.maximum(v, 0.0)

    def diameter(self, p):
        return np.inf * p


def test_a_set_of_ones_own_projects_noisy_gradients():
    D = Problem(np.eye(3), -np.ones(3), losses.logistic, Orthant())
    out = dp_sgd(
        D, noise_multiplier=2.0, clip_norm=1.0, steps=5, learning_rate=1.0, rng=0
    )
    assert np.all(out.path >= 0)
    assert np.any(out.path == 0)


def test_a_set_of_ones_own_is_refused_where_privacy_rests_on_it():
    D = Problem(np.eye(3), np.ones(3), losses.logistic, Orthant())
    with pytest.raises(TypeError, match="rests on a convex set"):
        objective_perturbation(
            D, lipschitz=1.0, smoothness=0.25, regularization=1.0,
            noise_multiplier=2.0, rng=0,
        )  # fmt: skip


@pytest.mark.parametrize("C", [constraints.L2Ball, Orthant, 1.0, None])
def test_what_is_not_a_set_is_refused(C):
    with pytest.raises(TypeError, match=r"`constraint` must be .* got .*L2Ball\(1.0\)"):
        Problem(np.eye(2), np.ones(2), losses.squared, C)


def test_a_gradient_may_not_be_used_as_a_mean():
    """Twice the records have twice the gradient: sums, never means."""
    D = make(losses.logistic)
    X, y = np.vstack([D.X, D.X]), np.concatenate([D.y, D.y])
    double = Problem(X, y, D.loss, D.constraint)
    theta = models(D)
    np.testing.assert_allclose(double.gradient(theta), 2 * D.gradient(theta))
    np.testing.assert_allclose(double.risk(theta), 2 * D.risk(theta))


def test_one_label_a_row():
    with pytest.raises(ValueError, match=r"`y` must have shape \(2,\).*got \(3,\)"):
        Problem(np.eye(2), np.ones(3), losses.squared, constraints.Simplex())


BAD_INPUT = {
    Problem: {
        "X": np.array(
            [[0.6, 0.8, 0.0], [0.0, -1.0, 0.5], [2.0, 0.0, 1.0], [0.0, 0.0, 0.1]]
        ),
        "y": np.array([1.0, -1.0, 1.0, -1.0]),
        "loss": losses.logistic,
        "constraint": constraints.L2Ball(1.0),
    },
}
