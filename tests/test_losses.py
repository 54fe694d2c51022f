"""Each loss against its formula, its derivatives, and the constants that it states."""

from math import inf

import mpmath
import numpy as np
import pytest

from dpteach import losses

LOSSES = {
    each.name: each
    for each in (
        losses.logistic, losses.squared, losses.hinge, losses.absolute, losses.linear,
        losses.huber(0.5), losses.huber(2.0),
    )
}  # fmt: skip
FORMULA = {
    "logistic": lambda z, y: mpmath.log1p(mpmath.exp(-y * z)),
    "squared": lambda z, y: (z - y) ** 2 / 2,
    "hinge": lambda z, y: max(0, 1 - y * z),
    "absolute": lambda z, y: abs(z - y),
    "linear": lambda z, y: -y * z,
    "huber(0.5)": lambda z, y: (
        (z - y) ** 2 / 2 if abs(z - y) <= 0.5 else 0.5 * (abs(z - y) - 0.25)
    ),
    "huber(2)": lambda z, y: (
        (z - y) ** 2 / 2 if abs(z - y) <= 2 else 2 * (abs(z - y) - 1)
    ),
}
LABELS = {
    losses.SIGNS: (-1.0, 1.0),
    losses.BOUNDED: (-1.0, 0.3, 1.0),
    losses.NUMBERS: (-3.0, 0.2),
}
SCORES = np.array([-800.0, -40.0, -3.3, -0.7, -1e-9, 0.0, 1e-3, 0.61, 2.9, 35.0, 750.0])

every_loss = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)


@every_loss
def test_the_value_is_the_formula_without_overflow(loss):
    for y in LABELS[loss.labels]:
        found = loss.value(SCORES, np.full_like(SCORES, y))
        with mpmath.workdps(400):
            wanted = [float(FORMULA[loss.name](mpmath.mpf(z), y)) for z in SCORES]
        np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=1e-300)


@every_loss
def test_the_slope_is_the_derivative_and_a_subgradient_at_a_kink(loss):
    """φ(w) ≥ φ(z) + φ′(z)(w − z) for all w characterizes subgradients."""
    w = np.linspace(-5, 5, 401)
    for y in LABELS[loss.labels]:
        for z in (*SCORES[2:-2], 1.0, -1.0, y):
            at, label = np.array([z]), np.array([y])
            line = loss.value(at, label) + loss.slope(at, label) * (w - z)
            assert np.all(loss.value(w, np.full_like(w, y)) >= line - 1e-12)


@every_loss
def test_the_curvature_is_the_second_derivative(loss):
    if loss.curvature is None:
        assert loss.smoothness == inf
        return
    h = 1e-5
    z = np.array([-3.3, -0.71, 0.003, 0.61, 2.9])
    for y in LABELS[loss.labels]:
        labels = np.full_like(z, y)
        ahead, behind = (loss.slope(z + s * h, labels) for s in (1, -1))
        found = loss.curvature(z, labels)
        np.testing.assert_allclose(found, (ahead - behind) / (2 * h), atol=1e-9)


@every_loss
def test_the_constants_hold_and_cannot_be_lowered(loss):
    z = np.concatenate([np.linspace(-60, 60, 20_001), SCORES])
    slopes, curvatures = [], []
    for y in LABELS[loss.labels]:
        labels = np.full_like(z, y)
        slopes.append(np.abs(loss.slope(z, labels)).max())
        if loss.curvature is not None:
            curvatures.append(np.abs(loss.curvature(z, labels)).max())
    if loss.lipschitz < inf:
        assert max(slopes) <= loss.lipschitz * (1 + 1e-15)
        assert max(slopes) >= 0.999 * loss.lipschitz
    if loss.smoothness < inf:
        assert max(curvatures) <= loss.smoothness * (1 + 1e-15)
        assert max(curvatures) >= 0.999 * loss.smoothness
    assert loss.rank == (0 if loss.smoothness == 0 else 1)


def softmax_points(K, count=200):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((count, K)) * np.exp(2 * rng.standard_normal((count, 1)))
    z[0], z[1] = 0.0, 700.0 * np.eye(K)[0]
    return z, rng.integers(0, K, count)


@pytest.mark.parametrize("K", [2, 5])
def test_softmax_is_cross_entropy(K):
    loss = losses.softmax(K)
    z, y = softmax_points(K)
    found = loss.value(z, y)
    with mpmath.workdps(400):
        wanted = [
            float(mpmath.log(sum(mpmath.exp(v - row[k]) for v in row)))
            for row, k in zip(map(mpmath.matrix, z), y.tolist(), strict=True)
        ]
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("K", [2, 5])
def test_the_slope_of_softmax_is_its_gradient_within_its_constants(K):
    loss = losses.softmax(K)
    z, y = softmax_points(K)
    slope, h = loss.slope(z, y), 1e-6
    for k in range(K):
        e = h * np.eye(K)[k]
        numeric = (loss.value(z + e, y) - loss.value(z - e, y)) / (2 * h)
        np.testing.assert_allclose(slope[:, k], numeric, atol=1e-7)
    norms = np.linalg.norm(slope, axis=1)
    assert norms.max() <= loss.lipschitz
    worst = loss.slope(800.0 * np.eye(K)[:1], np.array([1]))
    assert np.linalg.norm(worst) == pytest.approx(loss.lipschitz, rel=1e-12)
    np.testing.assert_allclose(slope.sum(axis=1), 0, atol=1e-14)


@pytest.mark.parametrize("K", [2, 5])
def test_the_hessian_of_softmax_keeps_smoothness_and_rank(K):
    """At probabilities q the Hessian is diag(q) − q qᵀ."""
    loss, largest = losses.softmax(K), 0.0
    rng = np.random.default_rng(0)
    for q in (*rng.dirichlet(np.ones(K), 200), np.array([0.5, 0.5] + [0.0] * (K - 2))):
        values = np.linalg.eigvalsh(np.diag(q) - np.outer(q, q))
        largest = max(largest, values[-1])
        assert np.sum(values > 1e-12) <= loss.rank == K - 1
    assert largest == pytest.approx(loss.smoothness, rel=1e-12)


BAD_INPUT = {
    losses.huber: {"width": 0.5},
    losses.softmax: {"classes": 3},
}


def test_labels_of_another_kind_are_refused():
    kind = {"lipschitz": 1.0, "smoothness": 1.0, "labels": "signs"}
    squared = losses.squared
    with pytest.raises(TypeError, match=r"`labels` .*Labels, got 'signs'.*SIGNS"):
        losses.Loss("mine", squared.value, squared.slope, squared.curvature, **kind)
