"""DP-FTRL with correlated noise: its price for every factorization, and its models."""

from math import sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    checks,
    constraints,
    losses,
)
from dpteach.algorithms.matrices.buffered_toeplitz import Buffers
from dpteach.algorithms.matrices.factorization import (
    Factorization,
    naive_factorization,
    tree_factorization,
)
from dpteach.algorithms.matrices.matrix_ftrl import matrix_ftrl
from dpteach.algorithms.matrices.optimal_buffers import optimal_buffers
from dpteach.algorithms.matrices.optimal_factorization import optimal_factorization
from dpteach.algorithms.matrices.toeplitz import (
    banded_factorization,
    square_root_factorization,
)
from dpteach.arrays import to_numpy
from dpteach.auditing import Tape, linear_audit
from dpteach.privacy import Trace
from tests import problems
from tests.algorithms.matrices.samples import methods
from tests.algorithms.streams.case import LAM, ftrl_case


def everything(T):
    yield from methods(T)
    yield banded_factorization(T, bands=3)
    yield optimal_buffers(T).factorization(T)
    yield optimal_factorization(T)[0]


@pytest.mark.claim(
    "15-matrix-factorization",
    "Every factorization, as it runs, costs what is claimed; square ones exactly.",
    order=3,
)
@pytest.mark.parametrize("relation", [Relation.ZERO_OUT, Relation.REPLACE])
def test_the_exact_audit_of_every_factorization(relation):
    """μ from the running code. Square encoders: as priced, exactly. Trees: no more,
    because T sums say less than all nodes; with n = 8, the plain tree's price is exact.
    """
    n, lam = 8, 3.0
    for f in everything(n):

        def release(D, rng, f=f):
            return matrix_ftrl(
                D,
                factorization=f,
                clip_norm=0.5,
                noise_multiplier=lam,
                regularization=2.0,
                rng=rng,
            ).path

        found = linear_audit(release, n=n, relation=relation, p=2, scale=1000.0)
        priced = relation.sensitivity / lam
        assert found.mu <= priced * (1 + 1e-9)
        if len(f.encoder) == n or np.allclose(f.decoder, tree_factorization(n).decoder):
            assert found.mu == pytest.approx(priced, rel=1e-8)


def test_without_noise_it_is_lazy_projection():
    rng = np.random.default_rng(0)
    D = Problem(
        rng.standard_normal((6, 2)), np.ones(6), losses.linear, constraints.L2Ball(0.5)
    )
    f = square_root_factorization(6)
    out = matrix_ftrl(
        D,
        factorization=f,
        clip_norm=9.0,
        noise_multiplier=1.0,
        regularization=2.0,
        rng=Tape([]),
    )
    s = np.cumsum(D.X, axis=0) / 2
    want = s / np.maximum(1, np.linalg.norm(s, axis=1, keepdims=True) / 0.5)
    assert np.allclose(out.path[1:], want)
    assert np.allclose(out.theta, out.path[:-1].mean(axis=0))


KIND = {"clip_norm": 1.0, "noise_multiplier": 1.0, "regularization": 2.0}


def test_the_first_model_is_no_part_of_the_sum_and_the_curator_sees_the_rest():
    """In a box without the model zero."""
    X = np.array([[0.6, 0.2], [0.3, 0.7], [0.5, 0.5]])
    D = Problem(X, np.ones(3), losses.linear, constraints.Box(0.1, 9.0))
    T, f = Trace(), square_root_factorization(3)
    out = matrix_ftrl(D, factorization=f, rng=3, trace=T, **KIND)
    assert np.array_equal(out.path[0], [0.1, 0.1])
    s = np.zeros(2)
    for t in range(3):
        assert np.allclose(T["gradient"][t], D.record_gradient(out.path[t], t))
        s = s + T["gradient"][t]
        wanted = D.constraint.project(-(s + T["noise"][t]) / 2.0)
        assert np.allclose(out.path[t + 1], wanted)
    assert (out.path[1:] > 0.1).any()  # a step that the box does not hide


def test_paths_must_fit_into_memory(monkeypatch):
    """Five runs keep four models of two numbers each."""
    D = Problem(np.ones((3, 2)), np.ones(3), losses.linear, constraints.L2Ball(1.0))
    kind = KIND | {"factorization": naive_factorization(3), "rng": 0, "runs": (5,)}
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 40)
    assert matrix_ftrl(D, **kind).path.shape == (4, 5, 2)
    monkeypatch.setattr(checks, "_memory", lambda: 8 * 39)
    with pytest.raises(ValueError, match="`runs` must be small enough for memory"):
        matrix_ftrl(D, **kind)


def test_other_array_libraries_and_refusals():
    strict = pytest.importorskip("array_api_strict")
    X, y = np.random.default_rng(0).standard_normal((4, 2)), np.ones(4)
    D = Problem(X, y, losses.logistic, constraints.Everywhere())
    S = Problem(strict.asarray(X), strict.asarray(y), D.loss, D.constraint)
    settings = {
        "factorization": square_root_factorization(4),
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "rng": 1,
        "runs": (3,),
    }
    a, b = matrix_ftrl(D, **settings), matrix_ftrl(S, **settings)
    assert a.path.shape == (5, 3, 2)
    assert np.allclose(a.path, to_numpy(b.path), rtol=1e-12)
    with pytest.raises(ValueError, match="`relation` must keep the number of records"):
        matrix_ftrl(D, relation=Relation.ADD_REMOVE, **settings)
    with pytest.raises(ValueError, match="`factorization` must have n = 4 steps"):
        matrix_ftrl(D, **settings | {"factorization": naive_factorization(5)})
    with pytest.raises(ValueError, match="lower triangle of ones"):
        Factorization(np.eye(3), np.eye(3))
    with pytest.raises(ValueError, match="`weights` must have one entry"):
        Buffers((0.5,), (0.1, 0.2))
    with pytest.raises(ValueError, match="`buffers` must be at most 8"):
        optimal_buffers(16, buffers=9)


BAD_INPUT = {
    matrix_ftrl: {
        "problem": problems.ABSOLUTE,
        "factorization": square_root_factorization(3),
        "clip_norm": 1.0,
        "noise_multiplier": 1.0,
        "regularization": 1.0,
        "rng": 0,
        "relation": Relation.ZERO_OUT,
        "runs": (2,),
        "trace": Trace(),
    },
}

COMMON = {
    "matrix_ftrl": ftrl_case(
        matrix_ftrl,
        # One release of sensitivity 1: the tree's noise is for √levels of it.
        noise_multiplier=LAM / sqrt(4),
        clip_norm=0.6,
        factorization=square_root_factorization(12, normalized=True),
    ),
}
