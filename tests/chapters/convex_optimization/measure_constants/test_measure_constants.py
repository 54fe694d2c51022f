"""What ``measure_constants`` grades by is what the definitions say of each pair."""

import numpy as np
import pytest

from dpteach import Problem, constraints, losses
from dpteach.algorithms.gradients.convex_bounds import convex_constants
from dpteach.chapters.convex_optimization.exercises.measure_constants import (
    _KINDS,
    PROBES,
    _huber,
    _logistic,
    _quadratic,
    pairs,
    reference,
    waves,
)


def points(n, seed=6):
    return np.random.default_rng(seed).normal(size=(n, 2))


X = points(9, seed=1)
A = np.array([[3.0, 1.0], [1.0, 2.0]])
LOGS = (
    lambda U: _huber(U[:, :1]),
    lambda U: _logistic(U, X),
    lambda U: _quadratic(U, A, np.array([1.0, -2.0])),
    waves,
    lambda U: waves(U, sign=-1),
)


@pytest.mark.parametrize("log", LOGS)
def test_the_logs_hold_values_and_gradients_of_one_function(log):
    (U, _, G), h = log(points(5)), 1e-5
    for k in range(U.shape[1]):
        way = np.zeros((5, U.shape[1]))
        way[:, k] = h
        slope = (log(U + way)[1] - log(U - way)[1]) / (2 * h)
        np.testing.assert_allclose(slope, G[:, k], atol=1e-8)


@pytest.mark.parametrize("log", LOGS)
def test_the_constants_are_the_least_that_no_pair_refutes(log):
    """All pairs agree with the three numbers, and some pair with nothing less."""
    U, f, G = log(points(7)[[0, 1, 1, 2, 3, 4, 5, 6, 0]])
    L, beta, m = reference(U, f, G)
    slack = []
    for u, value, gradient in zip(U, f, G, strict=True):
        for v, other in zip(U, f, strict=True):
            if (u == v).all():
                continue
            far, gap = np.sqrt(((v - u) ** 2).sum()), other - value - gradient @ (v - u)
            slack.append(
                [
                    L * far - abs(other - value),
                    beta / 2 * far**2 - gap,
                    gap - m / 2 * far**2,
                ]
            )
    np.testing.assert_allclose(np.min(slack, axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("loss", [losses.logistic, losses.huber(0.5)])
def test_no_log_refutes_the_constants_of_the_package(loss):
    y = np.where(np.arange(9) % 2, 1.0, -1.0)
    D = Problem(X, y, loss, constraints.L2Ball(2.0))
    U = np.array([D.constraint.project(3 * each) for each in points(20)])
    f = np.array([D.risk(each) for each in U])
    G = np.array([D.gradient(each) for each in U])
    lipschitz, beta, m = reference(U, f, G)
    claimed = convex_constants(D)
    assert lipschitz <= claimed["lipschitz"]
    assert beta <= claimed["smoothness"]
    assert m >= claimed["strong_convexity"] - 1e-9  # rounding, where it is 0
    # Power: claims of a tenth are refuted.
    assert lipschitz > claimed["lipschitz"] / 10
    assert beta > claimed["smoothness"] / 10


def test_every_wrong_number_of_the_tables_differs_from_the_right_one():
    """So that no hint can meet a right answer, nor hide another hint."""
    of = [pairs(*probe) for probe in PROBES]
    right = [reference(*probe) for probe in PROBES]
    for k, (most, _, table) in enumerate(_KINDS):
        found = [([each[k] for each in right], "right")]
        found += [([most(wrong(each)) for each in of], told) for wrong, told in table]
        for j, (one, told) in enumerate(found):
            for other, hidden in found[:j]:
                # these two may be right where no point comes twice, or m is below 0
                if not told.startswith(("Two equal points", "Below 0")):
                    assert not np.allclose(one, other, rtol=1e-3), (told, hidden)


def test_the_exact_constants_of_a_quadratic_lie_along_its_eigenvectors():
    """The answer to question 4 (a) of chapter 5."""
    values, vectors = np.linalg.eigh(A)
    u = np.array([0.4, -1.3])
    for value, vector in zip(values, vectors.T, strict=True):
        log = _quadratic(np.array([u, u + 2.5 * vector]), A, np.array([1.0, -2.0]))
        np.testing.assert_allclose(reference(*log)[1:], value, rtol=1e-9)


def test_no_log_proves_an_upper_bound():
    """The answer to question 4 (b): two convex functions, one log, other slopes."""
    U, a, c = points(8), np.array([0.6, 0.8]), 1e4
    b = (U @ a).max() + 1e-3

    def added(V):
        beyond = np.maximum(V @ a - b, 0.0)
        return c * beyond**2, 2 * c * beyond[:, None] * a

    value, gradient = added(U)
    assert not value.any()
    assert not gradient.any()
    V = (b + 1.0) * a[None]  # beyond
    assert np.linalg.norm(_logistic(V, X)[2] + added(V)[1]) > c
    assert np.linalg.norm(_logistic(V, X)[2]) < np.linalg.norm(X, axis=1).sum()
