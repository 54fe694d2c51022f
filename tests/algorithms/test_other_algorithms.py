"""Section 6.5.2: sensitivities measured and attained, exact noise, exact prices."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.gradients.bolt_on import bolt_on_sensitivity, bolt_on_sgd
from dpteach.algorithms.gradients.noisy_moments import (
    least_squares_by_moments,
    moments_sensitivity,
    principal_components,
)
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian, Pure


class Order(Tape):
    """A tape of zeros that gives one fixed order of the records."""

    def permutation(self, x, **_):
        return np.arange(x)


def visit(X, y, passes, eta, constraint):
    D = Problem(X, y, losses.logistic, constraint)
    return bolt_on_sgd(
        D,
        lipschitz=1.0,
        smoothness=0.25,
        learning_rate=eta,
        passes=passes,
        noise_multiplier=1.0,
        rng=Order([]),
    ).theta


def test_no_record_moves_the_last_iterate_farther_than_the_sensitivity():
    """A zeroed record is a row of zeros: its gradient is 0 wherever θ is."""
    rng, zeroed, replaced = np.random.default_rng(7), 0.0, 0.0
    for constraint in (constraints.Everywhere(), constraints.L2Ball(1.0)):
        for _ in range(80):
            n, passes, eta = (
                rng.integers(1, 12),
                rng.integers(1, 4),
                rng.uniform(0.1, 8),
            )
            X = rng.normal(size=(n, 2))
            X /= np.linalg.norm(X, axis=1, keepdims=True)
            y, i = rng.choice([-1.0, 1.0], n), rng.integers(n)
            gone, other = X.copy(), X.copy()
            gone[i] = 0
            v = rng.normal(size=2)
            other[i] = v / np.linalg.norm(v)
            at = visit(X, y, passes, eta, constraint)
            reach = bolt_on_sensitivity(lipschitz=1.0, learning_rate=eta, passes=passes)
            moved = np.linalg.norm(at - visit(gone, y, passes, eta, constraint))
            swapped = np.linalg.norm(at - visit(other, y, passes, eta, constraint))
            zeroed = max(zeroed, moved / reach)
            replaced = max(replaced, swapped / (2 * reach))
    assert 0.8 < zeroed <= 1
    assert 0.4 < replaced <= 1


def test_too_long_a_step_is_refused():
    """η > 2/β expands: from 0.1 apart, a quadratic's iterates are 0.2 apart at 3/β."""
    assert abs((1 - 3.0) * 0.1) == pytest.approx(0.2)
    D = Problem(np.eye(2), np.ones(2), losses.logistic, constraints.Everywhere())
    kind = {"lipschitz": 1.0, "passes": 1, "noise_multiplier": 1.0, "rng": 0}
    with pytest.raises(
        ValueError, match="`learning_rate` must be at most 2/smoothness"
    ):
        bolt_on_sgd(D, smoothness=0.25, learning_rate=8.1, **kind)
    with pytest.raises(ValueError, match="`relation`"):
        bolt_on_sgd(
            D,
            smoothness=0.25,
            learning_rate=1.0,
            relation=Relation.ADD_REMOVE,
            **kind,
        )


@pytest.mark.parametrize("noise", ["gamma", "gaussian"])
def test_bolt_on_noise_and_event(noise):
    """KS at 1e-6 with 20,000 draws; half the scale is refused."""
    D = Problem(np.ones((3, 1)), np.ones(3), losses.logistic, constraints.Everywhere())
    kind = {"lipschitz": 1.0, "smoothness": 0.25, "learning_rate": 0.5, "passes": 2}
    for relation, k in ((Relation.ZERO_OUT, 1), (Relation.REPLACE, 2)):
        out = bolt_on_sgd(
            D,
            **kind,
            noise_multiplier=3.0,
            noise=noise,
            relation=relation,
            rng=0,
            runs=(20_000,),
        )
        added = (out.theta - visit(D.X, D.y, 2, 0.5, D.constraint))[:, 0]
        law = stats.norm if noise == "gaussian" else stats.laplace
        assert stats.kstest(added, law(scale=3.0).cdf).pvalue > 1e-6
        assert stats.kstest(added, law(scale=1.5).cdf).pvalue < 1e-6
        reach = bolt_on_sensitivity(
            lipschitz=1.0, learning_rate=0.5, passes=2, relation=relation
        )
        if noise == "gaussian":
            assert out.event == Gaussian(3.0, relation=relation)
            assert out.event.mu == pytest.approx(reach / 3.0)
        else:
            assert out.event == Pure(k / 3.0, relation=relation)
            assert out.event.epsilon == pytest.approx(reach / 3.0)


def moved(x, y, other=None, label=0.0):
    """Length of the change of (XᵀX, Xᵀy), off-diagonal entries counted twice."""
    A, v = np.outer(x, x), y * x
    if other is not None:
        A, v = A - np.outer(other, other), v - label * other
    return sqrt(np.sum(A**2) + np.sum(v**2))


@pytest.mark.parametrize(("B", "Y"), [(1.0, 0.0), (1.0, 1.0), (2.0, 0.5), (0.5, 3.0)])
def test_moments_move_as_far_as_stated_and_no_farther(B, Y):
    rng = np.random.default_rng(0)
    reach = {
        relation: moments_sensitivity(row_norm=B, label_bound=Y, relation=relation)
        for relation in Relation
    }
    assert reach[Relation.ADD_REMOVE] == pytest.approx(moved(np.array([B, 0.0]), Y))
    largest = 0.0
    for _ in range(4000):
        x, other = rng.normal(size=(2, 3))
        x *= B / np.linalg.norm(x)
        other *= B / np.linalg.norm(other)
        far = max(moved(x, Y, other, -Y), moved(x, Y, other, Y))
        largest = max(largest, far)
    for angle in np.linspace(0, np.pi, 20_001):  # in a plane, every angle
        other = B * np.array([np.cos(angle), np.sin(angle)])
        largest = max(largest, moved(np.array([B, 0.0]), Y, other, -Y))
    assert largest <= reach[Relation.REPLACE] * (1 + 1e-12)
    assert largest == pytest.approx(reach[Relation.REPLACE], rel=1e-6)  # attained


def test_noise_of_the_second_moments_is_an_isometry():
    """Variances of 20,000 draws within 5.2 standard errors: 1, and ½ off diagonal."""
    from dpteach.algorithms.gradients.noisy_moments import _symmetric_noise

    E = _symmetric_noise(np.random.default_rng(0), (20_000,), 3, np.ones(1))
    np.testing.assert_array_equal(E, np.swapaxes(E, 1, 2))
    variance = E.var(axis=0)
    for i in range(3):
        for j in range(3):
            wanted = 1.0 if i == j else 0.5
            assert abs(variance[i, j] - wanted) < 5.2 * wanted * sqrt(2 / 20_000)


def test_least_squares_by_moments():
    rng = np.random.default_rng(0)
    X = rng.choice([-0.5, 0.5], (400, 4))
    y = np.clip(X @ np.array([0.8, -0.4, 0.0, 0.0]), -0.5, 0.5)
    kind = {"row_norm": 1.0, "label_bound": 0.5, "regularization": 2.0}
    plain = least_squares_by_moments(X, y, **kind, noise_multiplier=1.0, rng=Tape([]))
    wanted = np.linalg.solve(X.T @ X + 2 * np.eye(4), X.T @ y)
    np.testing.assert_allclose(plain.theta, wanted)
    out = least_squares_by_moments(
        X, y, **kind, noise_multiplier=1.0, rng=0, runs=(50,)
    )
    assert out.theta.shape == (50, 4)
    assert out.event == Gaussian(1.0, relation=Relation.ADD_REMOVE)
    assert np.linalg.norm(out.theta - wanted, axis=1).mean() < 0.2
    with pytest.raises(ValueError, match="`row_norm` must be at least 1"):
        least_squares_by_moments(
            X, y, **kind | {"row_norm": 0.9}, noise_multiplier=1.0, rng=0
        )
    with pytest.raises(ValueError, match="label_bound"):
        least_squares_by_moments(
            X, y, **kind | {"label_bound": 0.4}, noise_multiplier=1.0, rng=0
        )


@pytest.mark.parametrize("relation", list(Relation))
def test_the_noise_of_the_moments_is_priced_exactly(relation):
    """μ by the linear map: sensitivity over σ is the event's μ."""
    reach = moments_sensitivity(row_norm=1.0, label_bound=0.0, relation=relation)
    lam = 3.0
    sigma = lam * reach / relation.sensitivity
    out = principal_components(
        np.eye(3),
        row_norm=1.0,
        components=3,
        noise_multiplier=lam,
        rng=0,
        relation=relation,
    )
    assert reach / sigma == pytest.approx(out.event.mu)
    # printing σ on the whole upper triangle would be over-noised: √2 off the diagonal
    x = np.array([1.0, 1.0]) / sqrt(2)
    assert sqrt(2 * x[0] ** 4 + 2 * (x[0] * x[1]) ** 2) == pytest.approx(1.0)


def test_principal_components_without_noise():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 4)) * [3.0, 2.0, 1.0, 0.5]
    X /= np.max(np.linalg.norm(X, axis=1))
    out = principal_components(
        X, row_norm=1.0, components=2, noise_multiplier=1.0, rng=Tape([]), runs=(2,)
    )
    _, _, V = np.linalg.svd(X)
    assert out.theta.shape == (2, 2, 4)
    np.testing.assert_allclose(
        np.abs(np.sum(out.theta[0] * V[:2], axis=1)), 1, rtol=1e-10
    )
