"""Private mirror descent: its steps, its price and its bound."""

from math import log, sqrt

import numpy as np
import pytest

from dpteach import (
    Problem,
    Relation,
    constraints,
    losses,
)
from dpteach.algorithms.gradients.mirror_descent import (
    _weights,
    mirror_descent_learning_rate,
    mirror_descent_risk_bound,
    private_mirror_descent,
)
from dpteach.algorithms.gradients.sgd import dp_sgd_noise_multiplier
from dpteach.auditing import Tape, linear_audit
from dpteach.constraints import Simplex
from dpteach.privacy import Gaussian
from tests.algorithms.case import Case

KNOWN = {"clip_norm": 1.0, "steps": 4, "noise_multiplier": 3.0, "learning_rate": 0.1}


def test_without_noise_it_is_exponential_weights():
    X = np.random.default_rng(0).normal(size=(5, 3))
    D = Problem(X, np.array([1.0, -1, 1, 1, -1]), losses.logistic, Simplex())
    out = private_mirror_descent(D, rng=Tape([]), **KNOWN)
    w = np.full(3, 1 / 3)
    for t in range(4):
        assert np.allclose(out.path[t], w, rtol=1e-12)
        w = w * np.exp(-0.1 * D.clipped_gradient(w, 1.0))
        w /= w.sum()
    assert np.allclose(out.theta, out.path[:4].mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.REPLACE])
@pytest.mark.parametrize("scale", [0.5, 100.0])
def test_mirror_descent_spends_what_its_event_says(relation, scale):
    """Logarithms of weights are affine in the noise, up to a common shift.

    So the price is that of the gradient's part without the shift, and no more than
    stated; it is as stated where the gradient has no such part.
    """
    p, T, lam = 3, 4, 3.0

    def release(D, rng):
        E = Problem(D.X, D.y, D.loss, Simplex())
        log_path = np.log(private_mirror_descent(E, rng=rng, **KNOWN).path)
        return (log_path - log_path.mean(axis=-1, keepdims=True)) / 0.1

    found = linear_audit(release, n=2, relation=relation, p=p, scale=scale)
    u = np.cos(np.arange(1.0, p + 1))
    seen = np.linalg.norm(u - u.mean()) / np.linalg.norm(u) * min(scale, 1.0)
    claimed = relation.sensitivity * sqrt(T) / lam
    assert found.mu == pytest.approx(claimed * seen, rel=1e-6)
    assert Gaussian(lam, releases=T, relation=relation).mu == pytest.approx(claimed)


def test_the_risk_bound_holds_and_grows_with_the_logarithm_of_p():
    """40 runs on linear losses, mean excess against the bound at its best rate."""
    n, T, lam = 200, 50, 30.0
    for p in (4, 64, 512):
        X = np.zeros((n, p))
        X[:, 1] = 1.0
        D = Problem(X, np.ones(n), losses.linear, Simplex())
        known = {"n": n, "p": p, "steps": T, "noise_multiplier": lam}
        eta = mirror_descent_learning_rate(lipschitz=1.0, **known)
        bound = mirror_descent_risk_bound(lipschitz=1.0, **known)
        out = private_mirror_descent(
            D,
            clip_norm=1.0,
            steps=T,
            noise_multiplier=lam,
            learning_rate=eta,
            rng=0,
            runs=(40,),
        )
        excess = float(np.mean(D.risk(out.theta))) + n  # the best has risk −n
        assert 0.1 * bound < excess < bound
    assert bound == pytest.approx(
        (n + lam * sqrt(2 + 2 * log(512))) * sqrt(2 * log(512) / T), rel=1e-12
    )


def test_the_largest_of_p_squared_normals_is_as_small_as_the_proof_says():
    """E max_j b_j² ≤ 2(1 + ln p), by quadrature of the distribution function."""
    from scipy.integrate import quad
    from scipy.special import ndtr

    for p in (1, 2, 10, 1000, 10**6):
        mean, _ = quad(
            lambda u, p=p: -np.expm1(p * np.log1p(-2 * ndtr(-np.sqrt(u)))),
            0,
            200,
            limit=500,
            points=(0.01, 1, 2 * log(p) + 1e-9),
        )
        assert mean <= 2 * (1 + log(p))


def test_another_set_is_refused():
    D = Problem(np.eye(2), np.ones(2), losses.linear, constraints.L2Ball(1.0))
    with pytest.raises(TypeError, match="`constraint` must be"):
        private_mirror_descent(D, rng=0, **KNOWN)


def test_weights_neither_overflow_nor_vanish():
    """Each run of a batch is scaled by its own largest entry."""
    v = np.array([[1e4, 0.0], [-1e4, -1e4]])
    assert np.array_equal(_weights(v), [[1.0, 0.0], [0.5, 0.5]])


def test_a_path_that_no_memory_holds_is_refused():
    wide = Problem(np.ones((1, 100_000)), np.ones(1), losses.logistic, Simplex())
    with pytest.raises(ValueError, match="`steps` must be small enough for memory"):
        private_mirror_descent(wide, rng=0, **KNOWN | {"steps": 10**10})


def test_the_bound_holds_from_two_coordinates_on():
    known = {"n": 10, "p": 2, "steps": 8, "noise_multiplier": 3.0, "lipschitz": 0.5}
    G = 0.5 * (10 + 3 * sqrt(2 * (1 + log(2))))
    assert mirror_descent_risk_bound(**known) == pytest.approx(G * sqrt(log(2) / 4))
    with pytest.raises(ValueError, match="`p`"):
        mirror_descent_risk_bound(**known | {"p": 1})


BOUND = {"n": 100, "p": 3, "steps": 4, "noise_multiplier": 2.0, "lipschitz": 1.0}
BAD_INPUT = {
    private_mirror_descent: {
        "problem": Problem(
            np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]]),
            np.ones(4),
            losses.absolute,
            constraints.Simplex(),
        ),
        "clip_norm": 1.0,
        "steps": 3,
        "noise_multiplier": 1.0,
        "learning_rate": 0.1,
        "rng": 0,
        "relation": Relation.ADD_REMOVE,
        "runs": (2,),
    },
    mirror_descent_learning_rate: BOUND,
    mirror_descent_risk_bound: BOUND,
}

COMMON = {
    "private_mirror_descent": Case(
        private_mirror_descent,
        losses.logistic,
        constraints.Simplex(),
        {
            "clip_norm": 0.6,
            "steps": 5,
            "noise_multiplier": dp_sgd_noise_multiplier(
                0.7, 1e-6, steps=5, relation=Relation.REPLACE
            ),
            "learning_rate": 0.01,
            "relation": Relation.REPLACE,
        },
        path=6,
        epsilon=0.7,
        delta=1e-6,
    ),
}
