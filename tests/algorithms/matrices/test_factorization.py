"""Factorizations of the prefix sums, and the noise that they correlate."""

from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np
import pytest

from dpteach import Relation, checks
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    correlated_noise,
    independent_factorization,
    naive_factorization,
    prefix_sum_lower_bound,
    prefix_sum_matrix,
    tree_factorization,
)
from dpteach.algorithms.matrices.toeplitz import (
    banded_event,
    square_root_factorization,
)
from dpteach.algorithms.streams.prefix_noise import tree_noise
from dpteach.algorithms.streams.tree import levels, prefix_variance
from dpteach.auditing import linear_audit, noise_map


@pytest.mark.parametrize("T", [1, 2, 3, 7, 13, 16, 20, 100])
def test_trees_are_those_of_the_tree_itself(T):
    """Same sensitivity, same variances and, for one tape, the very same noise."""
    for estimator in ("plain", "honaker"):
        f = tree_factorization(T, estimator=estimator)
        assert f.sensitivity**2 == pytest.approx(levels(T), rel=1e-14)
        variances = [prefix_variance(t, estimator=estimator) for t in range(1, T + 1)]
        assert np.sum(f.decoder**2, axis=1) == pytest.approx(variances, rel=1e-13)
        node = noise_map(
            lambda rng, e=estimator: tree_noise(
                T, sigma=1.0, shape=(1,), rng=rng, estimator=e
            )
        ).matrix
        covariance = f.decoder @ f.decoder.T
        assert np.allclose(covariance, node @ node.T, atol=1e-12)


@pytest.mark.parametrize(
    ("matrix", "floats"), [(prefix_sum_matrix, 49), (tree_factorization, 4 * 49)]
)
def test_matrices_of_all_steps_must_fit_into_memory(matrix, floats, monkeypatch):
    monkeypatch.setattr(checks, "_memory", lambda: 8 * floats)
    matrix(7)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * floats - 1)
    with pytest.raises(ValueError, match="`steps` must be small enough for memory"):
        matrix(7)


def test_honaker_vectors():
    """Exact variances, among them those of t = 7, 13, 15 and 100."""
    B = tree_factorization(100, estimator="honaker").decoder
    variance = np.sum(B**2, axis=1)
    exact = {1: 1, 2: 2 / 3, 3: 5 / 3, 4: 4 / 7, 7: 47 / 21, 8: 8 / 15}
    exact |= {13: 221 / 105, 15: 97 / 35, 100: 12668 / 8001}
    for t, value in exact.items():
        assert variance[t - 1] == pytest.approx(value, rel=1e-14)
    full = tree_factorization(100, estimator="full").decoder
    assert np.all(np.sum(full**2, axis=1) <= variance + 1e-12)


@pytest.mark.claim(
    "15-matrix-factorization",
    "Noise on each vector beats the plain tree for T from 2 to 19, and for no "
    "other T up to 59.",
    order=5,
)
def test_when_independent_noise_beats_the_plain_tree():
    """In mean error exactly for 2 ≤ T ≤ 19: "the tree always wins" is not so."""
    wins = [
        T
        for T in range(1, 60)
        if independent_factorization(T).mean_error
        < tree_factorization(T).mean_error * (1 - 1e-12)
    ]
    assert wins == list(range(2, 20))


@pytest.mark.claim(
    "15-matrix-factorization",
    "Each broken variant is caught by that audit.",
    order=4,
)
@pytest.mark.parametrize(
    "broken", ["no clip", "mean column", "ceil(lg n)", "tree of 0s"]
)
def test_the_exact_audit_catches_what_is_broken(broken):
    """Each variant claims μ = 1/λ and spends more."""
    n, lam = 8, 3.0
    f = tree_factorization(n)
    if broken == "mean column":  # sized by the average column, not the longest
        f = square_root_factorization(n)
    claimed = {
        "no clip": f.sensitivity,
        "mean column": sqrt(np.mean(np.sum(f.encoder**2, axis=0))),
        "ceil(lg n)": sqrt(3),
        "tree of 0s": f.sensitivity,
    }[broken]

    def release(D, rng):
        g = np.array([D.record_gradient(D.zeros(), i) for i in range(n)])
        if broken != "no clip":
            g = g / np.maximum(1, np.linalg.norm(g, axis=1, keepdims=True))
        noise = correlated_noise(f, sigma=lam * claimed, shape=(D.p,), rng=rng)
        if broken == "tree of 0s":  # the last sum is read before the noise is there
            noise[-1] = 0
        return np.cumsum(g, axis=0) + noise

    found = linear_audit(release, n=n, relation=Relation.ZERO_OUT, scale=1000.0)
    assert found.mu > 1.05 / lam


def test_published_tree_sums_say_less_than_the_nodes():
    """S² of the T Honaker sums alone: 1.8 of 2 at T = 2, 4.403 of 5 at T = 16."""
    for T, squared in ((2, 1.8), (16, 4.403)):
        f = tree_factorization(T, estimator="honaker")
        mu = max(
            np.sqrt(np.linalg.solve(f.decoder @ f.decoder.T, a) @ a)
            for a in prefix_sum_matrix(T).T
        )
        assert mu**2 == pytest.approx(squared, abs=5e-4)
        assert mu**2 < f.sensitivity**2


def test_sampled_bands_cost_no_more_than_their_event():
    """Three steps, two bands: δ by quadrature over all groups, coins and outputs.

    A record that pulls the same way in each step; the price at rate q in place of bq is
    below what it costs.
    """
    from dpteach.accounting import delta_of

    C, q, lam = np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 1]]), 0.15, 1.0
    size = np.linalg.norm(C, axis=0).max()
    axis = np.linspace(-7, 9, 81) * size
    cell = (axis[1] - axis[0]) ** 3
    o = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)

    def density(mean):
        square = np.sum((o - mean) ** 2, axis=1) / (2 * (lam * size) ** 2)
        return np.exp(-square) / (2 * np.pi * (lam * size) ** 2) ** 1.5

    without, with_d = density(np.zeros(3)), 0.0
    for group in ((0, 2), (1,)):  # each with probability 1/2
        for joins in product((0, 1), repeat=len(group)):
            chance = np.prod([2 * q if j else 1 - 2 * q for j in joins]) / 2
            mean = sum(j * C[:, t] for j, t in zip(joins, group, strict=True))
            with_d = with_d + chance * density(np.zeros(3) + mean)
    assert np.sum(with_d) * cell == pytest.approx(1, abs=1e-6)
    event = banded_event(3, bands=2, sampling_rate=q, noise_multiplier=lam)
    for epsilon in (0.1, 0.3, 0.6):
        spent = max(
            np.sum(np.maximum(a - np.exp(epsilon) * b, 0)) * cell
            for a, b in ((with_d, without), (without, with_d))
        )
        assert spent <= delta_of(event, epsilon)
    one = replace(event, rate=q, releases=1)
    assert spent > delta_of(one, 0.6)


STEPS = {"steps": 4}
BAD_INPUT = {
    Factorization: {"decoder": np.eye(3), "encoder": np.tri(3)},
    prefix_sum_matrix: STEPS,
    naive_factorization: STEPS,
    independent_factorization: STEPS,
    tree_factorization: {**STEPS, "estimator": "honaker"},
    prefix_sum_lower_bound: STEPS,
    correlated_noise: {
        "factorization": square_root_factorization(3),
        "sigma": 1.0,
        "shape": (2,),
        "rng": 0,
    },
}
