"""Noisy second moments: their sensitivity, their noise, and what is made of them."""

from math import sqrt

import numpy as np
import pytest

from dpteach import Relation, checks
from dpteach.algorithms.gradients.noisy_moments import (
    least_squares_by_moments,
    moments_sensitivity,
    principal_components,
)
from dpteach.auditing import Tape
from dpteach.privacy import Gaussian
from tests.algorithms.gradients.samples import moved


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
    from dpteach.algorithms.gradients._moments import symmetric_noise

    E = symmetric_noise(np.random.default_rng(0), (20_000,), 3, np.ones(1))
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
    refuse = {"noise_multiplier": 1.0, "rng": 0, "out_of_bounds": "refuse"}
    for bound in ({"row_norm": 0.9}, {"label_bound": 0.4}):
        message = f"`{next(iter(bound))}` must bound every record"
        with pytest.raises(ValueError, match=message):
            least_squares_by_moments(X, y, **kind | bound, **refuse)
    # rows scaled to 0.9, labels cut to ±0.4
    less = kind | {"row_norm": 0.9, "label_bound": 0.4}
    out = least_squares_by_moments(X, y, **less, noise_multiplier=1.0, rng=Tape([]))
    Z = 0.9 * X
    wanted = np.linalg.solve(Z.T @ Z + 2 * np.eye(4), Z.T @ np.clip(y, -0.4, 0.4))
    np.testing.assert_allclose(out.theta, wanted)


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


@pytest.mark.parametrize("relation", list(Relation))
def test_each_draw_of_the_moments_has_the_size_that_is_priced(relation):
    """All draws from a tape, a batch of two: λ times the reach, over its count."""
    X = np.array([[1.0, 0.2], [0.0, 0.3], [0.2, -0.6]])
    y = np.array([0.5, -0.5, 0.2])
    kind = {"row_norm": 1.5, "noise_multiplier": 3.0, "relation": relation}
    z = np.random.default_rng(4).normal(size=12)
    G, e = z[:8].reshape(2, 2, 2), z[8:].reshape(2, 2)
    E = (G + np.swapaxes(G, 1, 2)) / 2

    def sigma(label_bound):
        reach = moments_sensitivity(
            row_norm=1.5, label_bound=label_bound, relation=relation
        )
        return 3.0 * reach / relation.sensitivity

    s = sigma(0.5)
    out = least_squares_by_moments(
        X, y, **kind, label_bound=0.5, regularization=20.0, rng=Tape(z), runs=(2,)
    )
    A = X.T @ X + s * E + 20 * np.eye(2)
    wanted = np.linalg.solve(A, (X.T @ y + s * e)[..., None])[..., 0]
    np.testing.assert_allclose(out.theta, wanted)
    found = principal_components(X, components=2, **kind, rng=Tape(z[:8]), runs=(2,))
    _, vectors = np.linalg.eigh(X.T @ X + sigma(0.0) * E)
    best = np.swapaxes(vectors, 1, 2)[:, ::-1]
    np.testing.assert_allclose(np.abs(np.sum(found.theta * best, axis=-1)), 1)


@pytest.mark.parametrize("size", [0.4, 1.0, 2.0, 50.0])
def test_replaced_labels_count_by_the_branch_that_is_larger(size):
    """√2 B² + Y²/√2 up to Y² = 2B², and 2BY above; B = 3."""
    B, Y = 3.0, 3.0 * size
    reach = moments_sensitivity(row_norm=B, label_bound=Y, relation=Relation.REPLACE)
    wanted = 2 * B * Y if size**2 > 2 else sqrt(2) * B**2 + Y**2 / sqrt(2)
    assert reach == pytest.approx(wanted)


def test_one_long_row_among_short_ones_is_refused():
    X = np.array([[0.1, 0.0], [0.0, 2.0], [0.1, 0.1]])
    kind = {"components": 1, "noise_multiplier": 1.0, "rng": 0}
    with pytest.raises(ValueError, match="`row_norm` must bound every record"):
        principal_components(X, row_norm=1.9, out_of_bounds="refuse", **kind)
    principal_components(X, row_norm=2.0, out_of_bounds="refuse", **kind)


def test_a_negative_label_bound_is_refused():
    with pytest.raises(ValueError, match="`label_bound`"):
        least_squares_by_moments(
            np.eye(2),
            np.zeros(2),
            row_norm=1.0,
            label_bound=-0.5,
            noise_multiplier=1.0,
            regularization=1.0,
            rng=0,
        )


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


@pytest.mark.parametrize("room", [48, 47])
def test_a_batch_of_matrices_must_fit_into_memory(monkeypatch, room):
    """Three matrices of 4 times 4 floats."""
    monkeypatch.setattr(checks, "_memory", lambda: 8 * room)
    X, y = np.eye(4)[:2], np.zeros(2)
    kind = {"row_norm": 1.0, "noise_multiplier": 1.0, "rng": 0, "runs": (3,)}

    def run():
        solved = least_squares_by_moments(
            X, y, label_bound=1.0, regularization=9.0, **kind
        )
        return solved, principal_components(X, components=1, **kind)

    if room == 48:
        assert [out.theta.shape for out in run()] == [(3, 4), (3, 1, 4)]
        return
    for algorithm, more in (
        (least_squares_by_moments, {"y": y, "label_bound": 1, "regularization": 9.0}),
        (principal_components, {"components": 1}),
    ):
        with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
            algorithm(X, **more, **kind)


BAD_INPUT = {
    moments_sensitivity: {
        "row_norm": 1.0,
        "label_bound": 1.0,
        "relation": Relation.REPLACE,
    },
    least_squares_by_moments: {
        "X": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "row_norm": 1.0,
        "label_bound": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 10.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
    principal_components: {
        "X": np.eye(2),
        "row_norm": 1.0,
        "components": 1,
        "noise_multiplier": 1.0,
        "rng": 0,
        "relation": Relation.REPLACE,
        "out_of_bounds": "clip",
        "runs": (2,),
    },
}
